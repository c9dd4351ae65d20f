"""Answers traced to the files of a subject and to the memories recalled for them, over stores in memory."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.errors import InvalidInput, NotFound
from anamnesis.domain.grounding.values import FileLine, RecalledMemory, Shortfall, Stance
from anamnesis.domain.log.episodes import Kind
from anamnesis.service.append_episodes import Draft
from anamnesis.service.deadline import Deadline
from support.wired_memory import ANA, BEN, Memory, answer, check, question

CELLS = (
    b"# Cells\n\nEvery cell has a membrane.\nMitochondria release energy from glucose.\f"
    b"# Osmosis\n\nOsmosis is the movement of water through a partially permeable membrane.\n"
    b"In 1748 Nollet first described osmosis."
)
THEN = datetime(2026, 6, 12, 9, tzinfo=UTC)


@pytest.fixture
def memory() -> Memory:
    """A subject with one file of two pages."""
    memory = Memory()
    memory.add_file(CELLS, name="cells.txt")
    return memory


def test_a_claim_is_traced_to_its_line(memory: Memory) -> None:
    """A claim of an answer comes with the file, the page and the line that say it (GR-1)."""
    found = memory.ground(ANA, "Great question! Osmosis moves water through a partially permeable membrane.")
    [claim] = found.grounding.claims
    assert isinstance(claim.source, FileLine)
    assert (claim.source.file_name, claim.source.page, claim.source.line) == ("cells.txt", 2, 3)
    assert found.grounding.stance is Stance.ANSWERED
    assert not found.stored


@pytest.mark.parametrize(
    "said, problem",
    [
        ("In 1848 Nollet first described osmosis.", Shortfall.NUMBER),
        ("In 1748 Pfeffer first described osmosis.", Shortfall.NAME),
        ("Osmosis is not the movement of water through a partially permeable membrane.", Shortfall.NEGATION),
        ("Ribosomes are built in the nucleolus of animal tissue.", Shortfall.NOTHING),
    ],
)
def test_a_changed_claim_has_no_source(memory: Memory, said: str, problem: Shortfall) -> None:
    """A sentence with its number, name or denial changed, or an invention, is traced to nothing (GR-1)."""
    found = memory.ground(ANA, said)
    [claim] = found.grounding.claims
    assert (claim.source, claim.problem) == (None, problem)
    assert claim.score < 0.5
    assert found.grounding.mostly_ungrounded
    assert found.grounding.stance is Stance.COULD_NOT


def test_a_true_memory_counts_as_a_source(memory: Memory) -> None:
    """What was covered and how it went, as the recalled memories have it, is traced to them with its time (GR-2)."""
    [covered, checked] = memory.say(
        Draft(Kind.QUESTION, THEN, "Can we go over osmosis today?", session_id="s"),
        check("osmosis", correct=True, at=THEN + timedelta(minutes=5), session_id="s"),
    )
    ids = [covered.id, checked.id]
    found = memory.ground(
        ANA, "In June we covered osmosis, and you got the second example right.", memory_ids=ids
    )
    [claim] = found.grounding.claims
    assert isinstance(claim.source, RecalledMemory)
    assert claim.source.episode_id in ids
    assert claim.source.occurred_at.date() == THEN.date()


@pytest.mark.parametrize(
    "said, problem",
    [
        ("In May we covered osmosis, and you got the second example right.", Shortfall.DATE),
        ("In June we covered osmosis, and you got the second example wrong.", Shortfall.OUTCOME),
        ("In June we covered mitosis.", Shortfall.NOTHING),
    ],
)
def test_a_false_memory_has_no_source(memory: Memory, said: str, problem: Shortfall) -> None:
    """A wrong time, a wrong outcome or another topic makes a claim about the past unsupported (GR-2)."""
    recorded = memory.say(
        Draft(Kind.QUESTION, THEN, "Can we go over osmosis today?", session_id="s"),
        check("osmosis", correct=True, at=THEN + timedelta(minutes=5), session_id="s"),
    )
    found = memory.ground(ANA, said, memory_ids=[e.id for e in recorded])
    assert [(c.source, c.problem) for c in found.grounding.claims] == [(None, problem)]


def test_memories_of_others_count_for_nothing(memory: Memory) -> None:
    """Another student's episode, or an id that is none, supports nothing and is told from nothing (SV-11)."""
    [theirs] = memory.say(question("Can we go over osmosis today?", THEN), pair=BEN)
    told = [
        memory.ground(ANA, "In June we covered osmosis.", memory_ids=[name]).grounding
        for name in (theirs.id, "01K00000000000000000000000")
    ]
    assert told[0] == told[1]
    assert told[0].claims[0].source is None


def test_what_was_found_is_kept_beside_the_answer(memory: Memory) -> None:
    """The stance is an annotation of the answer, kept once, listed with it, and the episode stays as it was (GR-3)."""
    asked, told = memory.say(
        question("Who was Hooke?"), answer("Your files do not mention Robert Hooke."), key="turn"
    )
    assert memory.ground(ANA, "Your files do not mention Robert Hooke.", episode_id=told.id).stored
    before = memory.raw_records.groundings(ANA)
    memory.clock.advance(seconds=60)
    memory.ground(ANA, "Your files do not mention Robert Hooke.", episode_id=told.id)
    assert memory.raw_records.groundings(ANA) == before
    page = memory.list_episodes.one(ANA, told.id)
    assert page.groundings[told.position].stance is Stance.COULD_NOT
    assert page.episodes == (told,)
    [unanswered] = memory.ground.unanswered(ANA)
    assert (unanswered.question.id, unanswered.answer.id) == (asked.id, told.id)


def test_nothing_is_kept_without_an_episode(memory: Memory) -> None:
    """An answer that names no episode is traced and nothing is written (GR-3)."""
    memory.ground(ANA, "Mitochondria release energy from glucose.")
    assert memory.raw_records.groundings(ANA) == []


def test_only_the_answer_s_own_text_is_kept_beside_it(memory: Memory) -> None:
    """An episode that is unknown, another's, no answer, or says something else is refused by name (SV-7)."""
    asked, told = memory.say(question(), answer("Osmosis moves water."))
    [theirs] = memory.say(answer("Osmosis moves water."), pair=BEN)
    for name in ("01K00000000000000000000000", theirs.id):
        with pytest.raises(NotFound) as missing:
            memory.ground(ANA, "Osmosis moves water.", episode_id=name)
        assert missing.value.field == "episode_id"
    with pytest.raises(InvalidInput) as refused:
        memory.ground(ANA, "What is osmosis?", episode_id=asked.id)
    assert refused.value.field == "episode_id"
    with pytest.raises(InvalidInput) as other:
        memory.ground(ANA, "Osmosis moves salt.", episode_id=told.id)
    assert other.value.field == "answer"
    assert memory.raw_records.groundings(ANA) == []


def test_erasing_an_answer_removes_what_was_found(memory: Memory) -> None:
    """When an answer is erased what was found of it goes too, and no question is listed because of it (EP-8)."""
    _, told = memory.say(question(), answer("I don't know."))
    memory.ground(ANA, "I don't know.", episode_id=told.id)
    assert memory.ground.unanswered(ANA)
    memory.erase.episode(ANA, told.id, Role.STUDENT, Deadline.after(60, time.monotonic))
    assert memory.raw_records.groundings(ANA) == []
    assert memory.ground.unanswered(ANA) == []


def test_a_deleted_file_supports_nothing(memory: Memory) -> None:
    """What only a deleted file said is traced to nothing, in a process that had read it too (GR-1)."""
    said = "Mitochondria release energy from glucose."
    assert memory.ground(ANA, said).grounding.claims[0].source is not None
    [record] = [r for r in memory.raw_concepts.files(ANA.scope) if r.name == "cells.txt"]
    memory.delete_file(Caller(ANA.tenant, ANA.student, Role.STUDENT), ANA, record.id)
    assert memory.ground(ANA, said).grounding.claims[0].source is None


def test_files_without_room_are_counted(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request looks through a bounded number of characters and says how many files it left out (SV-12)."""
    memory.add_file(b"Volcanoes: Volcanoes are openings of a planet's crust.", name="earth.txt")
    monkeypatch.setattr("anamnesis.service.ground_answer.MAX_SEARCHED_CHARS", 10)
    found = memory.ground(ANA, "Mitochondria release energy from glucose. Volcanoes are openings.")
    assert found.grounding.files_not_searched == 1


def test_claims_without_time_are_counted(memory: Memory) -> None:
    """What there was no time to look for is counted, nothing is concluded of it, nothing is kept (GR-1, SV-12)."""
    said = "Mitochondria release energy from glucose. Every cell has a membrane. Ribosomes are made of glass."
    memory.say(question("What?"), answer(said), key="turn")
    [told] = [e for e in memory.log.scan(ANA) if e.kind is Kind.ANSWER]
    times = iter([3.0, 3.0, 9.0, 11.0])  # at first, before the file, before the claims
    found = memory.ground(ANA, said, episode_id=told.id, deadline=Deadline(lambda: next(times), 10.0))
    assert (len(found.grounding.claims), found.grounding.claims_not_searched, found.stored) == (1, 2, False)
    assert found.grounding.stance is Stance.PARTIAL
    assert not found.grounding.mostly_ungrounded
    assert memory.records.groundings(ANA) == []
    whole = memory.ground(ANA, said, episode_id=told.id)
    assert (len(whole.grounding.claims), whole.grounding.claims_not_searched, whole.stored) == (3, 0, True)
