"""Expressions that say one time together: "between March and May", "since Monday", "the week of 16 September"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from anamnesis.domain.time_windows.calendar import YEARS_A_MEMORY_CAN_REACH, Span
from anamnesis.domain.time_windows.rules import MARKS
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

_DAYS = frozenset({Shape.DAY, Shape.DAY_OF_MONTH})


def with_companions(points: list[Point], text: str, frame: Frame) -> Point:
    """Widen the first expression by those of its kind joined to it by "and": "in June and July"."""
    whole = points[0]
    for point in points[1:]:
        same = point.shape == whole.shape
        if not (same and frame.rules.also_by.fullmatch(text[whole.end : point.start])):
            break
        first, last = min(whole.span[0], point.span[0]), max(whole.span[1], point.span[1])
        whole = replace(whole, end=point.end, span=(first, last))
    return whole


def ranges_of(points: list[Point], text: str, frame: Frame) -> Iterator[Point]:
    """Yield the ranges that `text` makes of its expressions, each of which is masked before they are looked for."""
    marked = list(text)
    for i, point in enumerate(points):
        marked[point.start : point.end] = MARKS[i % 2] * (point.end - point.start)
    masked = "".join(marked)
    by_start = {point.start: point for point in points}
    for rule, pattern in frame.rules.ranges:
        for match in pattern.finditer(masked):
            one = by_start.get(match.start("t"))
            two = by_start.get(match.start("u")) if "u" in pattern.groupindex else None
            if one is None or one.end != match.end("t") or ("u" in pattern.groupindex and two is None):
                continue
            if rule in {"since", "until"} and _is_range_of_days(one):  # "from 3 to 7 July"
                continue
            span = _range_span(rule, one, two, today=frame.today, first_weekday=frame.first_weekday)
            if span is not None:
                relative = one.relative or (two is not None and two.relative)
                yield Point(match.start(), match.end(), Shape.SPAN, span, relative=relative)


def _is_range_of_days(point: Point) -> bool:
    return point.shape in {Shape.DAY, Shape.DAY_OF_MONTH} and (point.span[1] - point.span[0]).days > 1


def _range_span(rule: str, one: Point, two: Point | None, *, today: date, first_weekday: int) -> Span | None:
    span = _open_span(rule, one, today, first_weekday) if two is None else _closed_span(one, two)
    return span if span is not None and span[0] < span[1] else None


def _open_span(rule: str, one: Point, today: date, first_weekday: int) -> Span | None:
    tomorrow = today + timedelta(days=1)
    earliest = today.replace(year=max(today.year - YEARS_A_MEMORY_CAN_REACH, date.min.year), month=1, day=1)
    first, last = one.span
    monday = first - timedelta(days=min((first.weekday() - first_weekday) % 7, (first - date.min).days))
    return {
        "week_of": (monday, monday + timedelta(days=7)) if one.shape in _DAYS else None,
        "earlier": (first, min(last, tomorrow)),
        "later": (max(first, today), last) if first <= today else None,
        "since": (first, tomorrow),
        "after": (last, tomorrow),
        "until": (earliest, last),
        "before": (earliest, first),
    }.get(rule)


def _closed_span(one: Point, two: Point) -> Span:
    first, last = one.span[0], two.span[1]
    yearless = {Shape.MONTH, Shape.DAY_OF_MONTH}
    if one.shape in yearless and two.shape not in yearless and first.month <= two.span[0].month:
        first = _in_year(first, two.span[0].year)  # "from June to July 2024"
    if last <= first and one.shape in {*yearless, Shape.WEEKDAY}:  # "from November to February"
        first = first - timedelta(days=7) if one.shape is Shape.WEEKDAY else _in_year(first, first.year - 1)
    return first, last


def _in_year(day: date, year: int) -> date:
    return (
        day.replace(year=year, day=min(day.day, 28))
        if (day.month, day.day) == (2, 29)
        else day.replace(year=year)
    )
