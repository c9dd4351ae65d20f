"""When a student works: days over months, with one month in which nothing happens."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

#: Days from the first day of work to the last: five to nine months. Ours.
SPAN_DAYS = (150, 260)
#: Last days of work lie in the half year before this one, so that months have every name.
LATEST = date(2026, 9, 20)
EARLIEST_END_DAYS = 170
#: Days after the last day of work on which questions are asked.
ASKED_AFTER_DAYS = (1, 10)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Days of work in order, and when questions are asked.

    Attributes
    ----------
    asked_at
        Aware, in the morning of the student's zone.
    """

    days: tuple[date, ...]
    asked_at: datetime
    zone: ZoneInfo

    def starts(self, chance: random.Random) -> list[datetime]:
        """When work begins on each day: after school."""
        return [
            datetime.combine(day, time(14 + chance.randrange(5), chance.randrange(60)), self.zone)
            for day in self.days
        ]


def calendar(chance: random.Random, count: int, zone: ZoneInfo) -> Calendar:
    """`count` days of work at most, with one whole month between the first and the last left out.

    Parameters
    ----------
    chance
        Decides; the same state gives the same calendar.
    """
    last = LATEST - timedelta(days=chance.randrange(EARLIEST_END_DAYS))
    first = last - timedelta(days=chance.randint(*SPAN_DAYS))
    between = [first + timedelta(days=day) for day in range(1, (last - first).days)]
    months = sorted({(day.year, day.month) for day in between} - {_month(first), _month(last)})
    free = chance.choice(months)
    open_days = [day for day in between if _month(day) != free]
    days = {first, last, *chance.sample(open_days, min(len(open_days), max(0, count - 2)))}
    asked = last + timedelta(days=chance.randint(*ASKED_AFTER_DAYS))
    return Calendar(tuple(sorted(days)), datetime.combine(asked, time(9), zone), zone)


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month
