"""What nights, self-models and verification make of a log that something was erased from, or that has nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import NotFound, Unfinished
from anamnesis.domain.log.chain import EMPTY_HEAD
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.log.progress import Progress
from anamnesis.domain.night.records import NightChanges
from anamnesis.service.deadline import Deadline
from anamnesis.service.verify_chain import NO_CHECKPOINT
from support.wired_memory import ANA, NOW, Memory, answer, check, question
from unit.service.test_erase_memory import DAY, NEVER, SECRET, nights_by_schedule, traces

BATCH = (
    question(f"My {SECRET} asked what a cell is"),
    question("What is osmosis?", at=NOW + timedelta(minutes=1)),
    answer("Osmosis moves water.", at=NOW + timedelta(minutes=2)),
    check("Osmosis", at=NOW + timedelta(minutes=3)),
)


def summaries(memory: Memory) -> list[tuple[str, str]]:
    """Every consolidation that still says something."""
    log = memory.raw_log.episodes[ANA]
    return [
        (e.content.summary, e.content.text)
        for e in log
        if e.kind is Kind.CONSOLIDATION and e.content is not None
    ]


@pytest.mark.parametrize("gone", [0, 1, 3])
@pytest.mark.parametrize("again", ["that day's night", "a later night"])
def test_a_day_is_summed_up_again_after_an_erasure(gone: int, again: str) -> None:
    """The next night sums up what is left of a day, once, as if what was erased had never been there (NI-2, EP-8)."""
    memory, plain = Memory(), Memory()
    written = memory.say(*BATCH)
    plain.say(*(draft for number, draft in enumerate(BATCH) if number != gone))
    for one in (memory, plain):
        one.run_night(ANA, DAY)
    assert memory.erase.episode(ANA, written[gone].id, Role.STUDENT, NEVER).complete
    assert summaries(memory) == []
    nights = [DAY] if again == "that day's night" else [DAY + timedelta(days=40)]
    reports = [memory.run_night(ANA, day) for day in (*nights * 2, DAY, DAY)]
    assert summaries(memory) == summaries(plain)
    live = [e.id for e in memory.raw_log.episodes[ANA] if e.kind is Kind.CONSOLIDATION and e.content]
    assert [report.consolidation_id for report in reports[-2:]] == live * 2
    assert memory.verify(ANA).breaks == ()
    if gone == 0:
        assert traces(memory) == []
    # And again, after another one.
    memory.erase.episode(ANA, written[2].id, Role.STUDENT, NEVER)
    assert nights_by_schedule(memory, 1) == 1
    assert len(summaries(memory)) == 1
    assert "1 answer" not in summaries(memory)[0][0]


def test_a_day_of_which_nothing_is_left_stays_quiet() -> None:
    """A day that was erased whole, and a summary that somebody erased for its own sake, do not come back (EP-8)."""
    memory = Memory()
    written = memory.say(*BATCH)
    report = memory.run_night(ANA, DAY)
    assert report.consolidation_id is not None
    memory.erase.episode(ANA, report.consolidation_id, Role.STUDENT, NEVER)
    memory.run_night(ANA, DAY)
    assert summaries(memory) == []
    for episode in written:
        memory.erase.episode(ANA, episode.id, Role.STUDENT, NEVER)
    length = memory.raw_log.head(ANA).length
    nights_by_schedule(memory)
    assert memory.raw_log.head(ANA).length == length


def test_what_was_erased_is_no_memory() -> None:
    """The self-model counts what is remembered, not what was erased, in its numbers and in its words (NI-4, EP-8)."""
    memory, plain = Memory(), Memory()
    written = memory.say(*BATCH)
    plain.say(*BATCH[1:])
    memory.erase.episode(ANA, written[0].id, Role.STUDENT, NEVER)
    models = [one.run_night(ANA, DAY).self_model for one in (memory, plain)]
    assert models[0] == models[1]


def everything(memory: Memory) -> dict[str, str]:
    """All that the stores hold of anybody; a fake's empty place for a pair is nothing."""
    names = ("log", "beliefs", "concepts", "records", "roster", "erasures", "checkpoints")
    held = {
        (name, key): value for name in names for key, value in vars(getattr(memory, f"raw_{name}")).items()
    }
    return {
        f"{name}{key}": repr({k: v for k, v in value.items() if v or v is None})
        for (name, key), value in held.items()
        if isinstance(value, dict)
    }


def test_nothing_is_written_about_nobody() -> None:
    """A night, a re-derivation and an erasure of what was never used write nothing anywhere (EP-8, SV-12)."""
    memory = Memory()
    memory.say(question("Mine"), pair=replace(ANA, student="ben"))
    before = everything(memory)
    assert memory.run_night(ANA, DAY).self_model.episodes == 0
    assert memory.rederive(ANA).made == 0
    assert memory.erase.subject(ANA, Role.STUDENT, NEVER).complete
    assert memory.erase.student("school", "ana", Role.STUDENT, NEVER).complete
    with pytest.raises(NotFound):
        memory.erase.episode(ANA, "none", Role.STUDENT, NEVER)
    memory.list_beliefs(ANA, history=True)
    memory.export("school", "ana", cursor=None)
    assert everything(memory) == before
    assert memory.raw_roster.pairs("school", "ana") == []
    assert memory.raw_log.head(ANA) == EMPTY_HEAD
    assert memory.raw_beliefs.projected_to(ANA) == Progress()


def test_a_self_model_does_not_outlive_its_student() -> None:
    """After everything was erased no night writes a self-model of it again (EP-8)."""
    memory = Memory()
    memory.say(*BATCH)
    memory.run_night(ANA, DAY)
    memory.erase.student("school", "ana", Role.STUDENT, NEVER)
    assert nights_by_schedule(memory) >= 1
    assert memory.raw_records.self_model(ANA) is None


def test_an_empty_log_may_have_been_emptied() -> None:
    """That no checkpoint vouches for a log is said of an empty one too, which a whole log taken away leaves (EP-5)."""
    memory = Memory()
    assert memory.verify(ANA).not_checked == (NO_CHECKPOINT,)
    memory.say(question())
    memory.raw_log.episodes.pop(ANA)
    verdict = memory.verify(ANA)
    assert (verdict.report.length, verdict.not_checked) == (0, (NO_CHECKPOINT,))


def test_a_night_goes_on_where_its_time_ended() -> None:
    """A night whose time is up says so and keeps what it made; the same call goes on and ends the same (NI-2)."""
    whole = Memory()
    for one in (whole, memory := Memory()):
        for start in range(0, 300, 50):
            one.say(*(question(f"Question {n}?") for n in range(start, start + 50)))
    expected = whole.run_night(ANA, DAY)
    tries = 0
    for tries in count(1):
        left = iter([0.0, *[0.0] * 3])
        try:
            report = memory.run_night(ANA, DAY, Deadline.after(5, lambda: next(left, 10.0)))  # noqa: B023
        except Unfinished:
            assert tries < 100
            if len(memory.raw_records.vectors(ANA, memory.embedder.name)) == 301:
                break
            continue
        break
    assert tries > 2
    report = memory.run_night(ANA, DAY)
    same = {"consolidation_id": "", "changes": NightChanges()}
    assert replace(report, **same) == replace(expected, **same)
    assert memory.embedder.passages == whole.embedder.passages  # type: ignore[attr-defined]
    assert memory.verify(ANA).verified
