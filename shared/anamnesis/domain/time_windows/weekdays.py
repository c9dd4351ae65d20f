"""Which day a weekday means: the latest before today, one of a week, "two Thursdays ago"."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from anamnesis.domain.time_windows.calendar import Unit, day_span, units_back
from anamnesis.domain.time_windows.matches import Match, count_and_unit, point_of, weekday_of
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape


def weekday_back(*, doubt: bool) -> Callable[[Match, Frame], Point | None]:
    """Make the resolver for the latest such day before today; with `doubt` its name alone may mean something else."""

    def resolve(match: Match, frame: Frame) -> Point | None:
        days = (frame.today.weekday() - weekday_of(match) - 1) % 7 + 1
        span = units_back(Unit.DAY, days, today=frame.today, first_weekday=0)
        weak = doubt and match["atom"] in frame.rules.doubtful
        return point_of(match, Shape.WEEKDAY, span, weak=weak, anchored=not doubt)

    return resolve


def weekday_in_week(back: int) -> Callable[[Match, Frame], Point | None]:
    """Make the resolver for the day of the week that lies `back` weeks before the current one."""

    def resolve(match: Match, frame: Frame) -> Point:
        first = units_back(Unit.WEEK, back, today=frame.today, first_weekday=frame.first_weekday)[0]
        day = first + timedelta(days=(weekday_of(match) - first.weekday()) % 7)
        return point_of(match, Shape.DAY, day_span(day))

    return resolve


def weekday_ago(match: Match, frame: Frame) -> Point:
    """Resolve "two Thursdays ago", counted from today."""
    return _weekday_counted(match, frame, count_and_unit(match, frame)[0])


def weekday_before_last(match: Match, frame: Frame) -> Point:
    """Resolve "the Thursday before last"."""
    return _weekday_counted(match, frame, 2)


def _weekday_counted(match: Match, frame: Frame, count: int) -> Point:
    days = (frame.today.weekday() - weekday_of(match) - 1) % 7 + 1 + 7 * (count - 1)
    return point_of(match, Shape.DAY, units_back(Unit.DAY, days, today=frame.today, first_weekday=0))
