"""What the groups of a match say: the place, the number, the unit, the weekday."""

from __future__ import annotations

import re

from anamnesis.domain.time_windows.calendar import Span, Unit
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

Match = re.Match[str]


def point_of(match: Match, shape: Shape, span: Span, *, weak: bool = False, anchored: bool = True) -> Point:
    """Return the point at the expression itself, or at the whole match where a pattern does not part it."""
    start, end = match.span("atom") if "atom" in match.re.groupindex else match.span()
    return Point(start, end, shape, span, weak=weak, anchored=anchored)


def group_of(match: Match, prefix: str) -> str | None:
    """Return which alternative of a placeholder matched: "unit_week" gives "week" for the prefix "unit_"."""
    for name, value in match.groupdict().items():
        if value is not None and name.startswith(prefix):
            return name.removeprefix(prefix)
    return None


def weekday_of(match: Match) -> int:
    """Return the weekday that matched (0 = Monday)."""
    return next(
        int(n[1:]) for n, v in match.groupdict().items() if v is not None and n[0] == "w" and n[1:].isdigit()
    )


def count_and_unit(match: Match, frame: Frame) -> tuple[int, Unit]:
    """Return how many of which unit are said; 1 where no number is."""
    for prefix, count in (("single_", 1), ("dual_", 2)):
        fixed = group_of(match, prefix)
        if fixed is not None:
            return count, Unit(fixed)
    text = match.groupdict().get("n")
    count = 1 if text is None else int(text) if text.isdecimal() else frame.rules.numbers[text]
    return count, Unit(group_of(match, "unit_") or Unit.DAY)


def shape_of(unit: Unit) -> Shape:
    """Return what a unit is to the expressions beside it."""
    return {Unit.DAY: Shape.DAY, Unit.WEEK: Shape.WEEK, Unit.YEAR: Shape.YEAR}.get(unit, Shape.SPAN)
