"""Nights and days: the student's own day, wherever that is, on time, late, or in one go."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.service.deadline import Deadline
from anamnesis.service.run_night import MOST_DAYS
from anamnesis.service.start_night import StartNight
from support.memory_platform import MemoryNightQueue
from support.wired_memory import ANA, Memory, check, question

DAY = date(2026, 3, 10)


def by_the_clock(at: str, ahead: float) -> datetime:
    """A time of day as a clock shows it that is so many hours ahead of UTC."""
    return datetime.fromisoformat(at).replace(tzinfo=timezone(timedelta(hours=ahead)))


def summaries(memory: Memory) -> list[Episode]:
    """The nights' own episodes."""
    return [e for e in memory.raw_log.episodes.get(ANA, []) if e.kind is Kind.CONSOLIDATION]


def said(memory: Memory) -> list[str]:
    """The first line of each."""
    return [e.content.text.splitlines()[0] for e in summaries(memory) if e.content]


def live(memory: Memory, *times: datetime) -> None:
    """Ask at each of these times, as it happens, and let the dispatcher run after every UTC day meanwhile."""
    last = max(times)
    for at in sorted(times):
        nights_until(memory, at.astimezone(UTC))
        memory.say(question(f"Asked at {at:%H:%M} by my clock?", at=at))
    nights_until(memory, last.astimezone(UTC) + timedelta(days=3))


def nights_until(memory: Memory, moment: datetime) -> None:
    """Move the clock there; at each 02:00 UTC on the way run what the schedule runs."""
    while (two := next_two(memory.clock.at)) <= moment:
        memory.clock.at = two
        queue = MemoryNightQueue()
        StartNight(memory.log, queue)((two - timedelta(days=1)).date())
        for pair, night in queue.sent:
            memory.run_night(pair, night, scheduled=True)
    memory.clock.at = max(memory.clock.at, moment)


def next_two(at: datetime) -> datetime:
    """The next 02:00 UTC after a time."""
    two = at.replace(hour=2, minute=0, second=0, microsecond=0)
    return two if two > at else two + timedelta(days=1)


def memory_before(day: date) -> Memory:
    """An empty memory whose clock stands some days before this one."""
    memory = Memory()
    memory.clock.at = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=3)
    return memory


@pytest.mark.parametrize("ahead", [14, 12.75, 5.5, 1, 0, -3.5, -5, -11, -12])
def test_a_day_is_the_students_own(ahead: float) -> None:
    """Whatever zone a student lives in, their first and last minute of a day are told of one day, once (NI-1)."""
    memory = memory_before(DAY)
    times = [
        by_the_clock(f"2026-03-{at}", ahead)
        for at in ("09T23:59", "10T00:00", "10T12:00", "10T23:59", "11T00:00")
    ]
    live(memory, *times)
    assert said(memory) == [
        "Day 2026-03-09: 1 question.",
        "Day 2026-03-10: 3 questions.",
        "Day 2026-03-11: 1 question.",
    ]
    assert [e.day for e in summaries(memory)] == [DAY + timedelta(days=n) for n in (-1, 0, 1)]


@pytest.mark.parametrize(
    "day, hours", [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25)], ids=["spring", "autumn"]
)
def test_a_day_of_changing_clocks_is_one_day(day: date, hours: int) -> None:
    """A day of 23 or 25 hours is summed up whole, each event by the clock that it had (NI-1)."""
    madrid = ZoneInfo("Europe/Madrid")
    first = datetime(day.year, day.month, day.day, tzinfo=madrid)
    memory = memory_before(day)
    # Wall-clock times by way of UTC: so every real hour comes once.
    times = [(first.astimezone(UTC) + timedelta(hours=n)).astimezone(madrid) for n in range(-1, hours + 1)]
    live(memory, *times)
    assert said(memory)[1] == f"Day {day}: {hours} questions."
    assert len(said(memory)) == 3


def test_a_day_that_is_not_over_waits() -> None:
    """At 02:00 UTC it is still yesterday in Honolulu: the schedule's night leaves that day to the next one (NI-1)."""
    memory = memory_before(DAY)
    memory.clock.at = datetime(2026, 3, 11, 1, tzinfo=UTC)
    memory.say(question("In the morning?", at=by_the_clock("2026-03-10T09:00", -10)))
    assert memory.run_night(ANA, DAY, scheduled=True).changes.consolidated == ()
    memory.say(question("In the evening?", at=by_the_clock("2026-03-10T22:00", -10)))
    assert memory.run_night(ANA, DAY + timedelta(days=1), scheduled=True).changes.consolidated == (DAY,)
    assert said(memory) == ["Day 2026-03-10: 2 questions."]


def test_by_hand_a_night_sums_up_the_day_it_names() -> None:
    """Run by hand for a date, a night sums up the student's day of that date and no other (NI-1)."""
    memory = memory_before(DAY)
    for at in ("2026-03-09T23:00", "2026-03-10T08:00", "2026-03-10T23:30", "2026-03-11T00:30"):
        memory.say(question(f"At {at}?", at=by_the_clock(at, -5)))
    report = memory.run_night(ANA, DAY)
    assert report.changes.consolidated == (DAY,)
    assert said(memory) == ["Day 2026-03-10: 2 questions."]
    assert report.consolidation_id == summaries(memory)[0].id


def test_missed_nights_are_made_up_for() -> None:
    """Days whose nights never ran are summed up by the next one, as they would have been, and only once (NI-2)."""
    in_time, late = memory_before(DAY), memory_before(DAY)
    times = [by_the_clock(f"2026-03-{n:02}T17:00", 2) for n in (10, 11, 14)]
    live(in_time, *times)
    for at in times:
        late.say(question(f"Asked at {at:%H:%M} by my clock?", at=at))
    late.clock.at = in_time.clock.at
    report = late.run_night(ANA, date(2026, 3, 16), scheduled=True)
    assert report.changes.consolidated == tuple(at.date() for at in times)
    assert said(late) == said(in_time)
    again = late.run_night(ANA, date(2026, 3, 16), scheduled=True)
    assert (again.changes.consolidated, said(late)) == ((), said(in_time))


def test_an_imported_past_is_summed_up_over_some_nights() -> None:
    """A long history that comes at once is summed up some days a night, the latest first, until none is left (NI-2)."""
    memory = memory_before(DAY)
    memory.clock.at = datetime(2026, 3, 11, 2, tzinfo=UTC)
    days = [DAY - timedelta(days=n) for n in range(2 * MOST_DAYS + 3)]
    for start in range(0, len(days), 20):
        memory.say(
            *(
                question(f"About {day}?", at=datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
                for day in days[start : start + 20]
            )
        )
    told: list[date] = []
    for n in range(3):
        report = memory.run_night(ANA, DAY + timedelta(days=n), scheduled=True)
        told += report.changes.consolidated
        if report.changes.days_left:
            # The pair is marked active, so that the next night comes by without anything else.
            assert ANA in list(memory.raw_log.active_pairs(memory.clock.at.date()))
        memory.clock.advance(days=1)
        if n == 0:
            assert report.changes.consolidated == tuple(sorted(days[:MOST_DAYS]))
    assert sorted(told) == sorted(days)
    assert len(said(memory)) == len(days)


@pytest.mark.parametrize("scheduled", [False, True])
def test_a_summary_is_never_summed_up(scheduled: bool) -> None:
    """Nights over days that hold nothing but nights' own episodes write nothing (NI-1)."""
    memory = memory_before(DAY)
    memory.say(check(correct=True, at=by_the_clock("2026-03-10T23:59", 14)))
    memory.clock.at = datetime(2026, 3, 12, tzinfo=UTC)
    for n in range(-1, 4):
        memory.run_night(ANA, DAY + timedelta(days=n), scheduled=scheduled)
    assert said(memory) == ["Day 2026-03-10: 1 check."]


def test_a_run_that_changes_nothing_says_so() -> None:
    """The second run of a scheduled night reports the same state and no change (NI-2)."""
    memory = memory_before(DAY)
    memory.say(check(correct=True, at=by_the_clock("2026-03-10T12:00", 1)))
    memory.clock.at = datetime(2026, 3, 11, 2, tzinfo=UTC)
    first, second = (memory.run_night(ANA, DAY, scheduled=True) for _ in range(2))
    assert second.consolidation_id == first.consolidation_id is not None
    changes = second.changes
    assert (changes.consolidated, changes.indexed, changes.vectors_made) == ((), 0, 0)
    assert (changes.predictions_added, changes.checkpointed) == (0, False)
    assert (changes.statements_new, changes.statements_gone) == ((), ())


def test_erasing_takes_the_summary_of_the_students_own_day() -> None:
    """What is erased takes the summary of its student's day along, and that day is told anew without it (EP-8)."""
    memory = memory_before(DAY)
    first, _ = memory.say(
        question("Just after midnight?", at=by_the_clock("2026-03-10T00:30", 14)),
        question("In the evening?", at=by_the_clock("2026-03-10T20:00", 14)),
    )
    memory.clock.at = datetime(2026, 3, 11, 2, tzinfo=UTC)
    memory.run_night(ANA, DAY, scheduled=True)
    memory.erase.episode(ANA, first.id, Role.STUDENT, Deadline.never())
    assert said(memory) == []
    memory.run_night(ANA, DAY + timedelta(days=1), scheduled=True)
    assert said(memory) == ["Day 2026-03-10: 1 question."]
