"""Single time expressions of a text: found, resolved to a span of days, and joined where they belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from anamnesis.domain.time_windows.calendar import Unit, day_span, month_span, units_back, valid_day
from anamnesis.domain.time_windows.eras import is_of_another_age
from anamnesis.domain.time_windows.figures import dates_in_figures
from anamnesis.domain.time_windows.matches import group_of
from anamnesis.domain.time_windows.resolvers import resolved
from anamnesis.domain.time_windows.rules import LanguageRules
from anamnesis.domain.time_windows.seasons import season_span
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

_FIGURE = re.compile(r" {0,3}\d")
_UNITS_WITH_PARTS = frozenset({Unit.WEEK, Unit.MONTH, Unit.YEAR})
#: Rules whose time has a name of its own; what the other rules find is counted from now.
_NAMED_TIMES = frozenset(
    {"day_month", "month_year", "month", "month_short", "weekday", "day_only", "year", "bare_year", "season"}
)


def _parts_of_current(text: str, frame: Frame) -> Iterator[Point]:
    """Yield the current unit where a text names a part of one: "the end of the year", "年底"."""
    if not frame.rules.names_a_unit(text):
        return
    for match in frame.rules.bare_unit.finditer(text):
        unit = Unit(str(group_of(match, "unit_")))
        if unit not in _UNITS_WITH_PARTS:
            continue
        lead, trail = text[max(0, match.start() - 48) : match.start()], text[match.end() : match.end() + 48]
        named = any(p.search(lead) for _, p in frame.rules.parts) or any(
            p.match(trail) for _, p in frame.rules.parts_after
        )
        if named and not frame.rules.no_name.match(trail.lstrip()) and not _FIGURE.match(trail):
            span = units_back(unit, 0, today=frame.today, first_weekday=frame.first_weekday)
            yield Point(match.start(), match.end(), Shape.SPAN, span)


def find_points(text: str, frame: Frame) -> list[Point]:
    """Return the expressions in `text` (folded), in order, none overlapping; the longer one wins.

    Work is linear in the text for each pattern; the caller bounds the text.
    """
    found: list[Point] = [*dates_in_figures(text, frame)]
    for rule, pattern in frame.rules.points(text):
        for match in pattern.finditer(text):
            point = resolved(rule, match, frame)
            if point is not None and not _is_future(text, point, frame.rules):
                found.append(replace(point, relative=rule not in _NAMED_TIMES))
    found += _parts_of_current(text, frame)
    found.sort(key=lambda p: (p.start - p.end, p.weak))
    taken: list[Point] = []
    occupied = bytearray(len(text))
    for point in found:
        if not any(occupied[point.start : point.end]):
            occupied[point.start : point.end] = b"\1" * (point.end - point.start)
            taken.append(point)
    return sorted((p for p in taken if not is_of_another_age(text, p, frame)), key=lambda p: p.start)


def _is_future(text: str, point: Point, rules: LanguageRules) -> bool:
    before, after = rules.future
    lead = text[max(0, point.start - 24) : point.start].rstrip()
    trail = text[point.end : point.end + 24].lstrip()
    return bool(before.search(lead) or after.match(trail))


def joined(points: list[Point], text: str, frame: Frame) -> list[Point]:
    """Join neighbours that make one expression: "Tuesday" + "last week", "July" + "last year", "Monday" + "12 May"."""
    result: list[Point] = []
    for point in points:
        previous = result[-1] if result else None
        if previous and frame.rules.joined_by.fullmatch(text[previous.end : point.start]):
            whole = _join(previous, point, frame) or _join(point, previous, frame)
            if whole is not None:
                result[-1] = replace(
                    whole,
                    start=previous.start,
                    end=point.end,
                    weak=False,
                    anchored=True,
                    relative=_join_is_relative(previous, point),
                )
                continue
        result.append(point)
    return result


def _join(part: Point, whole: Point, frame: Frame) -> Point | None:
    """Return `part` seen inside `whole`, or None when the two do not make one expression."""
    first, last = whole.span
    if part.shape is Shape.WEEKDAY and whole.shape is Shape.WEEK:
        days = (first + timedelta(days=i) for i in range((last - first).days))
        return next(
            (replace(part, shape=Shape.DAY, span=day_span(d)) for d in days if d.weekday() == _weekday(part)),
            None,
        )
    if part.shape is Shape.MONTH and whole.shape is Shape.YEAR:
        return replace(part, shape=Shape.SPAN, span=month_span(first.year, part.span[0].month))
    if part.shape is Shape.DAY_OF_MONTH and whole.shape is Shape.YEAR:
        start, end = part.span
        shifted = valid_day(first.year, start.month, start.day)
        return replace(part, shape=Shape.DAY, span=(shifted, shifted + (end - start))) if shifted else None
    if part.shape is Shape.SEASON and whole.shape is Shape.YEAR:
        rules = frame.rules
        span = season_span(
            int(part.season or 0), first.year, by_month=rules.seasons_by_month, southern=frame.southern
        )
        return replace(part, shape=Shape.SPAN, span=span)
    if part.shape is Shape.WEEKDAY and whole.shape in {Shape.DAY, Shape.DAY_OF_MONTH}:
        return whole
    return None


def _join_is_relative(one: Point, two: Point) -> bool:
    """Tell whether two make a time counted from now: "July last year" is one, "the last week of July" is none."""
    return two.relative if one.shape is Shape.WEEK else one.relative or two.relative


def _weekday(point: Point) -> int:
    return point.span[0].weekday()
