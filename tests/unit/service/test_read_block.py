"""One turn's block: what is late is named, what is another's never shows, what was later does not exist yet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.service.deadline import Deadline
from anamnesis.service.read_block import LAYERS, BlockRequest
from support.turns import ask, months, sharing
from support.wired_memory import ANA, BEN, NOW, HashEmbedder, Memory, answer, check, question, turn


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    months(memory)
    return memory


# ---------------------------------------------------------------------------------------- the ordinary turn
def test_a_relevant_memory_of_months_ago_is_found(memory: Memory) -> None:
    """A memory from the first weeks that the question is about is in the block, the others are not (RC-1, RC-3)."""
    reply = ask(memory, "Tell me about raisins in water again")
    assert reply.block is not None
    assert "raisins" in reply.block
    assert "topic number" not in reply.block
    assert reply.matched
    assert reply.degraded == ()
    asked = {e.id for e in memory.raw_log.episodes[ANA] if e.content and "aisins" in e.content.text}
    assert asked & set(reply.memory_ids)


def test_the_ids_are_those_of_the_memories_shown(memory: Memory) -> None:
    """Every id given out is of an episode whose words stand in the block (RC-9)."""
    reply = ask(memory)
    assert reply.memory_ids
    by_id = {e.id: e for e in memory.raw_log.episodes[ANA]}
    for memory_id in reply.memory_ids:
        content = by_id[memory_id].content
        assert content is not None
        assert reply.block is not None
        assert content.summary.split()[-1].strip("?.") in reply.block


@pytest.mark.parametrize(
    "asked, embedded",
    [
        ("What is osmosis?", 1),
        ("What did I get wrong about osmosis?", 1),
        ("What did we cover in July?", 0),
        ("What did I get wrong so far?", 0),
        ("", 0),
        ("   \n", 0),
        ("?!", 0),
        ("x" * 1_000_000, 1),
    ],
)
def test_one_embedding_at_most(memory: Memory, asked: str, embedded: int) -> None:
    """A turn embeds once what the question is about, and nothing when it is about nothing (BL-2)."""
    embedder = HashEmbedder()
    reader = sharing(memory, embedder=embedder)
    ask(reader, asked)
    assert len(embedder.queries) == embedded
    assert embedder.passages == 0


def test_a_question_is_embedded_up_to_a_bound(memory: Memory) -> None:
    """Of a pasted text only the beginning is embedded, whatever its length (SV-12)."""
    embedder = HashEmbedder()
    ask(sharing(memory, embedder=embedder), "osmosis " * 200_000)
    assert len(embedder.queries[0]) <= 4_000


@pytest.mark.parametrize("budget", [500, 1_200, 16_000])
def test_the_budget_holds(memory: Memory, budget: int) -> None:
    """The block is within its budget whatever the question, and says how much of it it takes (BL-1)."""
    for asked in ("What is osmosis?", "What did we cover so far?", ""):
        reply = ask(memory, asked, budget_tokens=budget)
        assert reply.block is not None
        assert estimate_tokens(reply.block) <= reply.tokens <= budget


def test_history_questions_put_the_record_first(memory: Memory) -> None:
    """A question about the record gets the record first and the map last, an ordinary one the map first (BL-4)."""
    history, ordinary = ask(memory, "What did I get wrong so far?"), ask(memory, "What is osmosis?")
    assert (history.intent.value, ordinary.intent.value) == ("history", "ordinary")
    assert history.block is not None
    assert ordinary.block is not None
    assert "ASKING ABOUT THEIR OWN RECORD" in history.block
    assert history.block.index("EARLIER WORK") < history.block.index("SUBJECT MAP")
    assert ordinary.block.index("SUBJECT MAP") < ordinary.block.index("EARLIER WORK")
    assert "wrong" in history.block


def test_nothing_asked_is_answered_by_the_latest(memory: Memory) -> None:
    """Without a question the latest past is offered (RC-3)."""
    reply = ask(memory, "")
    assert reply.intent.value == "none"
    assert reply.block is not None
    assert "ytoplasm" in reply.block


# ---------------------------------------------------------------------------------------- windows and honesty
def test_a_window_is_a_filter(memory: Memory) -> None:
    """A month named in the question restricts the memories to that month in the student's zone (RC-5)."""
    reply = ask(memory, "What did we cover in April?", zone=ZoneInfo("Asia/Tokyo"))
    assert reply.window is not None
    by_id = {e.id: e for e in memory.raw_log.episodes[ANA]}
    shown = [by_id[i].occurred_at for i in reply.memory_ids]
    assert shown
    assert all(reply.window.start <= at < reply.window.end for at in shown)
    assert reply.window.start == datetime(2026, 4, 1, tzinfo=ZoneInfo("Asia/Tokyo"))


def test_an_empty_window_is_said(memory: Memory) -> None:
    """A month in which nothing happened gives a block that says so and offers no memory instead (BL-6, RC-5)."""
    reply = ask(memory, "What did we cover in January?")
    assert reply.window_empty
    assert reply.memory_ids == ()
    assert reply.block is not None


def test_no_record_is_said() -> None:
    """A student without any record gets a block, not a dropped one, and it holds no memory (BL-6)."""
    memory = Memory()
    reply = ask(memory, "What did we cover so far?")
    assert reply.block is not None
    assert reply.memory_ids == ()
    assert not reply.dropped


@pytest.mark.parametrize("asked", ["hi", "", "What is osmosis?", "What did we cover in April?"])
def test_an_erased_record_is_no_record(memory: Memory, asked: str) -> None:
    """Once all of a subject is erased, a greeting too is told that no record is kept (BL-6, EP-8)."""
    memory.erase.subject(ANA, Role.STUDENT, Deadline.never())
    block = ask(memory, asked).block or ""
    assert "NO RECORD of earlier work with this student in this subject is kept." in block
    assert "EARLIER WORK" not in block.replace("NO RECORD of earlier", "")


@pytest.mark.parametrize("asked", ["hi", "", "नमस्ते"])
def test_a_greeting_is_told_that_there_is_no_record(asked: str) -> None:
    """A greeting of somebody without any record gets a block that says so (BL-6)."""
    block = ask(Memory(), asked).block or ""
    assert (
        "NO RECORD of earlier work with this student in this subject. There was no earlier session." in block
    )


def test_what_went_wrong_is_told_with_what_was_asked() -> None:
    """Who asks what they got wrong is told what the check asked and how the answer was judged (BL-4)."""
    memory = Memory()
    memory.say(
        check(
            "Osmosis", correct=False, text="Where does the water go?", evaluation="Said to the lesser salt."
        )
    )
    block = ask(memory, "What did I get wrong?").block or ""
    assert "wrong [“Where does the water go?”; evaluation: “Said to the lesser salt.”]" in block
    assert "Where does" not in (ask(memory, "What did we cover so far?").block or "")


def test_nothing_of_another_pair(memory: Memory) -> None:
    """Whatever another student of the subject did, taught or got wrong is in no block of this student (SV-11, CM-9)."""
    for text in ("Zanzibar is a secret of Ben.", "What is the secret zanzibar osmosis?"):
        memory.say(question(text), answer(f"Zanzibar! {text}"), pair=BEN)
    memory.say(
        question("Remember that in our class we call osmosis zanzibar."),
        check("Osmosis", correct=False, text="zanzibar", evaluation="zanzibar"),
        pair=BEN,
    )
    memory.run_night(BEN, NOW.date())
    for asked in ("zanzibar", "What is the secret zanzibar osmosis?", "What did I get wrong so far?", ""):
        reply = ask(memory, asked)
        assert reply.block is not None
        assert "anzibar" not in reply.block
        assert not {e.id for e in memory.raw_log.episodes[BEN]} & set(reply.memory_ids)
    assert "anzibar" in (ask(memory, "zanzibar", pair=BEN).block or "")


# ---------------------------------------------------------------------------------------- the past
def test_what_happened_later_does_not_exist(memory: Memory) -> None:
    """Asked as of a past moment, nothing that happened after it shows: no memory, no belief, no teaching (BL-6)."""
    past = NOW - timedelta(days=85)
    by_id = {e.id: e for e in memory.raw_log.episodes[ANA]}
    for asked in ("What is osmosis?", "What did I get wrong so far?", "What are mitochondria?", ""):
        reply = ask(memory, asked, now=past)
        assert reply.block is not None
        assert all(by_id[i].occurred_at <= past for i in reply.memory_ids)
        assert "struggles" not in reply.block
        assert "understands" not in reply.block
        assert "powerhouse" not in reply.block
    before_everything = ask(memory, "What did we cover so far?", now=NOW - timedelta(days=900))
    assert before_everything.memory_ids == ()
    empty = ask(Memory(), "What did we cover so far?", now=NOW - timedelta(days=900))
    assert (before_everything.block or "").split("SUBJECT MAP")[0] == (empty.block or "").split(
        "SUBJECT MAP"
    )[0]


def test_what_happened_by_then_exists(memory: Memory) -> None:
    """Asked as of a moment after them, the belief and the teaching of that time show (BL-6)."""
    reply = ask(memory, "What did I get wrong so far?", now=NOW - timedelta(days=79))
    assert reply.block is not None
    assert "struggles with Osmosis" in reply.block
    assert "powerhouse" in reply.block
    assert "Cytoplasm" not in reply.block.split("EARLIER WORK")[0]


# ---------------------------------------------------------------------------------------- ablations
@pytest.mark.parametrize("layer", sorted(LAYERS))
def test_every_layer_can_be_switched_off(memory: Memory, layer: str) -> None:
    """Each layer can be left out alone, and the turn still gets a block within its budget (SV-6)."""
    reply = ask(memory, "What did I get wrong about osmosis in April?", switch_off=frozenset({layer}))
    assert reply.block is not None
    assert reply.degraded == ()
    assert (reply.window is None) is (layer == "time_filter")
    assert ("SUBJECT MAP" in reply.block) is (layer != "map")
    assert ("WHAT YOU CURRENTLY BELIEVE" in reply.block) is (layer != "beliefs")
    assert bool(reply.routed) is (layer != "routing")


def test_all_layers_can_be_switched_off_at_once(memory: Memory) -> None:
    """With every layer off there is still an honest block (SV-6)."""
    assert ask(memory, switch_off=LAYERS).block is not None


def test_the_gate_is_what_drops(memory: Memory) -> None:
    """With the gate off, episodes that match nothing come back (RC-3)."""
    gated, open_ = ask(memory, "raisins"), ask(memory, "raisins", switch_off=frozenset({"gate"}))
    assert gated.gate_dropped > 0
    assert open_.gate_dropped == 0
    assert len(open_.memory_ids) > len(gated.memory_ids)


# ---------------------------------------------------------------------------------------- cost
def requests(memory: Memory, asked: BlockRequest) -> list[str]:
    """What one turn asks of the stores, warm."""
    memory.plan.counted = None
    with ThreadPoolExecutor(12) as threads:
        reader = memory.reader(threads)
        reader(asked)
        memory.plan.armed, memory.plan.calls = True, []
        reader(asked)
    memory.plan.armed = False
    return sorted(memory.plan.calls)


def test_requests_do_not_grow_with_the_history() -> None:
    """A turn asks the stores as often over a long history as over a short one (RC-1)."""
    short, long = Memory(), Memory()
    for memory, count in ((short, 10), (long, 1_500)):
        memory.add_file()
        for start in range(0, count, 50):
            memory.say(
                *[question(f"Thing {n}?", at=NOW - timedelta(days=1)) for n in range(start, start + 50)][
                    :count
                ]
            )
        memory.refresh(ANA)
        memory.say(question("What about osmosis?"))
    assert requests(short, turn()) == requests(long, turn())


def test_labels_say_which_file_changed(memory: Memory) -> None:
    """A memory whose cited file was replaced or deleted arrives with a label that names the file (RC-8)."""
    asked = "Why do raisins swell?"
    assert "cells.txt" not in (ask(memory, asked).block or "").split("SUBJECT MAP")[0]
    memory.add_file(b"Osmosis: Osmosis is another thing.")
    reply = ask(memory, asked, switch_off=frozenset({"map"}))
    assert "cells.txt" in (reply.block or "")


def test_a_mind_changed_later_had_not_changed_yet() -> None:
    """Asked as of before a belief was superseded, the earlier belief shows with its confidence of then (BE-2)."""
    memory = Memory()
    memory.add_file()
    for day, correct in enumerate([True, True, False, False, False]):
        memory.say(check("Osmosis", correct=correct, at=NOW - timedelta(days=100 - 10 * day)))
    first, second = memory.beliefs.history(ANA)
    assert first.superseded_by == second.id
    then = ask(memory, "What did I get right so far?", now=NOW - timedelta(days=95)).block or ""
    assert f"understands Osmosis ({first.history[0].confidence:.2f})" in then
    assert "struggles" not in then
    today = ask(memory, "What did I get right so far?").block or ""
    assert "struggles with Osmosis" in today
    assert "understands" not in today


def test_a_time_in_an_ordinary_question_hides_nothing_outside_of_it(memory: Memory) -> None:
    """What an ordinary question is about is found outside its time when nothing in that time matches (BL-6)."""
    reply = ask(memory, "raisins in water of yesterday")
    assert reply.block is not None
    assert "raisins" in reply.block
    assert "NO RECORD" not in reply.block
    assert reply.window is None
    assert reply.matched
