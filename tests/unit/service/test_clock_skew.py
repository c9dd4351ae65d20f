"""Processes whose clocks are off by hours, on one log and one subject: order comes from the stores, not from clocks."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from anamnesis.domain.log.episodes import Kind
from support.memory_platform import CountingIds
from support.wired_memory import ANA, CHAPTER, NOW, Memory, answer, check, question, turn

OTHER = b"Diffusion: Diffusion is the spreading of particles."
#: How far the clock of each further process is off.
OFF = [timedelta(hours=hours) for hours in (0, 7, -9, 26, -30, 0)]


@pytest.fixture
def memory() -> Memory:
    return Memory()


def spoken(memory: Memory) -> None:
    """The same lesson, each part recorded by a process with another clock."""
    lesson = [
        question("Why do raisins swell in water?", NOW - timedelta(minutes=50)),
        answer("By osmosis.", NOW - timedelta(minutes=49)),
        check("Osmosis", correct=False, at=NOW - timedelta(minutes=40)),
        question("What does a lysosome do?", NOW - timedelta(minutes=30)),
        check("Osmosis", correct=True, at=NOW - timedelta(minutes=20)),
        question("And what is diffusion?", NOW - timedelta(minutes=10)),
    ]
    for draft, off in zip(lesson, OFF, strict=True):
        memory.clock.at = NOW + off
        memory.say(draft)
    memory.clock.at = NOW


def test_the_chain_follows_the_log_and_no_clock(memory: Memory) -> None:
    """Writers whose clocks are hours apart make one unbroken chain in the order of their appends (EP-7, SV-14)."""
    spoken(memory)
    log = memory.raw_log.episodes[ANA]
    assert [episode.position for episode in log] == [1, 2, 3, 4, 5, 6]
    assert [episode.recorded_at - NOW for episode in log] == OFF
    assert memory.verify(ANA).verified


def test_beliefs_and_blocks_do_not_ask_when_something_was_recorded(memory: Memory) -> None:
    """What is believed and recalled is the same whichever clocks stamped the records (BE-2, SV-14)."""
    right = Memory()
    for one in (memory, right):
        one.add_file(CHAPTER)
    spoken(memory)
    for episode in memory.raw_log.episodes[ANA][1:]:
        assert episode.content is not None
        outcome = episode.outcome
        again = {"at": episode.occurred_at}
        if outcome is not None:
            right.say(check("Osmosis", correct=outcome.correct, **again))
        else:
            say = answer if episode.kind is Kind.ANSWER else question
            right.say(say(episode.content.text, **again))

    def known(one: Memory) -> list[tuple[object, ...]]:
        beliefs = one.beliefs.current(ANA)
        return [(b.concept, b.claim, b.confidence, b.created_at) for b in beliefs]

    assert known(memory) == known(right)
    asked = turn("What have we covered so far?")
    assert memory.reader()(asked).block == right.reader()(asked).block is not None


@pytest.mark.parametrize("off", OFF)
def test_a_night_runs_its_own_day(memory: Memory, off: timedelta) -> None:
    """A worker whose clock is hours off sums up, checks and signs the day that it was told (NI-1, NI-2, SV-14)."""
    spoken(memory)
    memory.clock.at = NOW + off
    first = memory.run_night(ANA, NOW.date())
    memory.clock.at = NOW - off
    second = memory.run_night(ANA, NOW.date())
    assert second.consolidation_id == first.consolidation_id is not None
    assert second.checkpoint_length == first.checkpoint_length == 7
    written = memory.raw_log.episodes[ANA][-1]
    assert (written.kind, written.occurred_at) == (Kind.CONSOLIDATION, NOW - timedelta(minutes=10))
    assert memory.run_night(ANA, date(2026, 7, 2)).consolidation_id is None


@pytest.mark.parametrize("hours", [0, 5, 48])
def test_the_later_offered_file_stays_whatever_the_clock_says(memory: Memory, hours: float) -> None:
    """A file offered by a process whose clock is behind replaces the one offered before it, once (CM-8, SV-14)."""
    first = memory.add_file()
    memory.clock.advance(hours=-hours, seconds=-1)
    second = memory.add_file(OTHER)
    third = memory.add_file(CHAPTER)
    files = {file.id: file for file in memory.list_files.all(ANA.scope)}
    assert first.id < second.id < third.id
    assert files[first.id].replaced_by == second.id
    assert files[second.id].replaced_by == third.id
    assert files[third.id].current
    assert sum("was replaced" in summary for _, summary in memory.told()) == 2


class Falling(CountingIds):
    """Identifiers of several processes: those of one millisecond are in no order, here in the wrong one."""

    def new_id(self, at: datetime) -> str:
        made = super().new_id(at)
        return made[:11] + f"{10**15 - int(made[11:]):015d}"


def test_files_of_one_millisecond_are_in_order(memory: Memory) -> None:
    """Two places offered within one millisecond are ordered as they were offered, though ids end at random (CM-8)."""
    memory.ids = Falling()
    memory.fresh()
    offered = [
        memory.offer_file(ANA, name="cells.txt", media_type="text/plain", size=7).file.id for _ in range(20)
    ]
    assert offered == sorted(set(offered))


def test_a_clock_ahead_does_not_lengthen_a_permission(memory: Memory) -> None:
    """An upload permission lasts its quarter of an hour by the clock that makes it, however wrong it is (SV-12)."""
    for off in OFF:
        memory.clock.at = NOW + off
        ticket = memory.offer_file(ANA, name="cells.txt", media_type="text/plain", size=7)
        assert ticket.expires_at - memory.clock.now() == timedelta(minutes=15)
