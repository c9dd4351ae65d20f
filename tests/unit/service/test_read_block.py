"""One turn's block: what is late is named, what is another's never shows, what was later does not exist yet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.errors import ModelUnavailable, StoreUnavailable
from anamnesis.domain.tokens import estimate_tokens
from anamnesis.service.deadline import Deadline
from anamnesis.service.read_block import LAYERS, BlockReply, BlockRequest
from builders import ANA, BEN, NOW, HashEmbedder, Memory, answer, check, question, turn
from fakes import MemorySemanticIndex

TEACHING = "Remember that in our class we call mitochondria the powerhouse of the cell."


def months(memory: Memory) -> None:
    """Work over three months, with a night after it, and a few episodes since."""
    record = memory.add_file()
    for n in range(30):
        at = NOW - timedelta(days=90 - 3 * n)
        memory.say(
            question(f"How does topic number {n} work?", at=at, session_id=f"s{n}"),
            answer(f"Topic number {n} works by rule {n}.", at=at, session_id=f"s{n}"),
        )
    at = NOW - timedelta(days=80)
    memory.say(
        question("Why do raisins swell in water?", at=at, session_id="r"),
        answer("Raisins swell by osmosis.", at=at, session_id="r", evidence=((record.id, 2),)),
        check("Osmosis", correct=False, at=at),
        question(TEACHING, at=at),
    )
    memory.run_night(ANA, (NOW - timedelta(days=1)).date())
    memory.say(check("Cytoplasm", correct=True, at=NOW - timedelta(hours=1)))


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    months(memory)
    return memory


def ask(memory: Memory, asked: str = "What is osmosis?", **more: Any) -> BlockReply:
    with ThreadPoolExecutor(12) as threads:
        return memory.reader(threads)(turn(asked, **more))


class Blocked:
    """A port one of whose methods waits until the test ends, or raises."""

    def __init__(self, port: Any, method: str, act: Callable[[], None]) -> None:
        self._port, self._method, self._act = port, method, act

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        if name != self._method:
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            self._act()
            return value(*args, **kwargs)

        return call


#: Each source of a turn: the port and the method behind it.
SOURCES = {
    "map": ("concepts", "load_map"),
    "layer": ("concepts", "layer"),
    "beliefs": ("beliefs", "current"),
    "self_model": ("records", "self_model"),
    "embedder": ("embedder", "embed_query"),
}
NEEDED = {"history": ("log", "scan"), "history ": ("records", "working_set"), "episodes": ("log", "read")}


def with_blocked(memory: Memory, port: str, method: str, act: Callable[[], None]) -> Memory:
    """The same memory, read through a blocked port."""
    if port == "embedder":
        return sharing(memory, embedder=Blocked(memory.embedder, method, act))
    return sharing(memory, replace={port: lambda _: Blocked(getattr(memory, f"raw_{port}"), method, act)})


def sharing(memory: Memory, *, replace: dict[str, Any] | None = None, **more: Any) -> Memory:
    """A memory over the same stores with some replaced."""
    ports = ("log", "beliefs", "concepts", "records", "checkpoints")
    raw: dict[str, Any] = {p: (lambda _, p=p: getattr(memory, f"raw_{p}")) for p in ports}
    return Memory(replace={**raw, **(replace or {})}, **{"embedder": memory.embedder, **more})


@pytest.fixture
def ended() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


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


# ---------------------------------------------------------------------------------------- late, failing, over
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("failure", ["late", "down"])
def test_a_source_that_does_not_come_is_left_out_and_named(
    memory: Memory, ended: threading.Event, source: str, failure: str
) -> None:
    """A source that is late or fails is named, and the block goes on with everything else (BL-3)."""
    error = ModelUnavailable("down") if source == "embedder" else StoreUnavailable("down")

    def act() -> None:
        if failure == "down":
            raise error
        ended.wait(30)

    port, method = SOURCES[source]
    reader = with_blocked(memory, port, method, act)
    with ThreadPoolExecutor(12) as threads:
        deadline = Deadline.after(1.2 if failure == "late" else 60, time.monotonic)
        reply = reader.reader(threads)(turn(), deadline=deadline)
        ended.set()
    assert reply.degraded == (source,)
    assert reply.block is not None
    assert reply.memory_ids
    assert ("SUBJECT MAP" in reply.block) is (source != "map")


@pytest.mark.parametrize("source", NEEDED)
@pytest.mark.parametrize("failure", ["late", "down"])
def test_without_the_history_the_block_is_dropped(
    memory: Memory, ended: threading.Event, source: str, failure: str
) -> None:
    """When the history does not come in time or fails, the block is dropped, and the reply says which source (BL-3)."""

    def act() -> None:
        if failure == "down":
            raise StoreUnavailable("down")
        ended.wait(30)

    port, method = NEEDED[source]
    reader = with_blocked(memory, port, method, act)
    with ThreadPoolExecutor(12) as threads:
        deadline = Deadline.after(1.2 if failure == "late" else 60, time.monotonic)
        reply = reader.reader(threads)(turn(), deadline=deadline)
        ended.set()
    assert reply.dropped
    assert reply.block is None
    assert reply.memory_ids == ()
    assert reply.degraded == (source.strip(),)


def test_a_turn_whose_time_is_up_is_dropped(memory: Memory) -> None:
    """A deadline that has passed drops the block whatever has arrived (BL-3)."""
    with ThreadPoolExecutor(12) as threads:
        reply = memory.reader(threads)(turn(), deadline=Deadline(time.monotonic, time.monotonic() - 1))
    assert reply.dropped


def test_everything_down_is_a_dropped_block(memory: Memory) -> None:
    """When every store is down, the turn gets a reply that names them, and no error (BL-3, SV-14)."""

    def down() -> None:
        raise StoreUnavailable("down")

    class Down:
        def __init__(self, port: Any) -> None:
            self._port = port

        def __getattr__(self, name: str) -> Any:
            return lambda *_, **__: down()

    reader = sharing(memory, replace=dict.fromkeys(("log", "beliefs", "concepts", "records"), Down))
    reply = ask(reader)
    assert reply.dropped
    assert set(reply.degraded) >= {"history", "map", "layer", "beliefs", "self_model"}


def test_a_late_external_index_is_named(memory: Memory, ended: threading.Event) -> None:
    """When the external index does not answer in time, the exact search serves alone, and the reply names it (RC-1)."""

    class Late(MemorySemanticIndex):
        def neighbours(self, *_: Any, **__: Any) -> list[tuple[int, float]]:
            ended.wait(30)
            return []

    reader = sharing(memory, semantic_index=Late())
    with ThreadPoolExecutor(12) as threads:
        reply = reader.reader(threads)(turn(), deadline=Deadline.after(1.2, time.monotonic))
        ended.set()
    assert reply.degraded == ("semantic_index",)
    assert reply.memory_ids


# ---------------------------------------------------------------------------------------- ablations
@pytest.mark.parametrize("layer", sorted(LAYERS))
def test_every_layer_can_be_switched_off(memory: Memory, layer: str) -> None:
    """Each layer can be left out alone, and the turn still gets a block within its budget (EV-5)."""
    reply = ask(memory, "What did I get wrong about osmosis in April?", switch_off=frozenset({layer}))
    assert reply.block is not None
    assert reply.degraded == ()
    assert (reply.window is None) is (layer == "time_filter")
    assert ("SUBJECT MAP" in reply.block) is (layer != "map")
    assert ("WHAT YOU CURRENTLY BELIEVE" in reply.block) is (layer != "beliefs")
    assert bool(reply.routed) is (layer != "routing")


def test_all_layers_can_be_switched_off_at_once(memory: Memory) -> None:
    """With every layer off there is still an honest block (EV-5)."""
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
