"""Numbered units: "the first Monday of October", "10月の第1週", "the second week of 2015".

A numbered week is a calendar week that lies in the month or year for the greater part, as ISO 8601 numbers them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from anamnesis.domain.time_windows.calendar import Span, Unit, day_span, month_span, units_back
from anamnesis.domain.time_windows.parts import half_of
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

#: Shapes that a numbered unit can be part of.
_WHOLES = frozenset({Shape.MONTH, Shape.SPAN, Shape.YEAR, Shape.WEEK, Shape.SEASON})
#: Days of the longest month but one: what holds numbered months is longer.
_LONGER_THAN_A_MONTH = 32
_LONGER_THAN_A_SEASON = 360


def with_ordinals(points: list[Point], text: str, frame: Frame) -> list[Point]:
    """Replace each numbered unit and what it is part of by the days that both name.

    A numbered weekday that stands alone is one of the current month, or of the month before where it is yet to come.
    """
    possible = any(p.shape in _WHOLES or p.shape is Shape.WEEKDAY for p in points)
    if not possible and not frame.rules.compounds:
        return points
    made: list[Point] = []
    for pattern in frame.rules.ordinals:
        for match in pattern.finditer(text):
            if any(p.start < match.end() and match.start() < p.end for p in made):
                continue
            if _is_a_weekday(match, points):
                continue
            point = (
                _compound(match, frame) or _joined(match, points, text, frame) or _alone(match, points, frame)
            )
            if point is not None:
                made.append(point)
                points = [p for p in points if p.end <= point.start or point.end <= p.start]
                points = sorted([*points, point], key=lambda p: p.start)
    return points


def _is_a_weekday(match: re.Match[str], points: list[Point]) -> bool:
    """Tell whether the ordinal is a weekday's own number: "יום חמישי", "thứ năm" are Thursdays and no fifth days."""
    if _unit(match) is not Unit.DAY:
        return False
    order = next(k for k, v in match.groupdict().items() if v and k[0] in "ol")
    return any(p.shape is Shape.WEEKDAY and p.start <= match.start(order) < p.end for p in points)


def _shape(match: re.Match[str], span: Span) -> Shape:
    if _unit(match) is Unit.WEEK:
        return Shape.WEEK
    return Shape.DAY if (span[1] - span[0]).days == 1 else Shape.SPAN


def _compound(match: re.Match[str], frame: Frame) -> Point | None:
    """Resolve a word that holds unit and month: "in der zweiten Septemberwoche"."""
    month = next((int(k[1:]) for k, v in match.groupdict().items() if v and k[0] == "m"), None)
    if month is None:
        return None
    year = frame.today.year - (month > frame.today.month)
    whole = month_span(year, month)
    if match.groupdict().get("half"):
        middle = half_of(whole)
        if middle is None or _number(match) not in {1, 2}:
            return None
        half = (whole[0], middle) if _number(match) == 1 else (middle, whole[1])
        return Point(match.start(), match.end(), Shape.SPAN, half)
    span = _pick(match, whole, frame, unit=Unit.WEEK)
    return None if span is None else Point(match.start(), match.end(), Shape.WEEK, span)


def _joined(match: re.Match[str], points: list[Point], text: str, frame: Frame) -> Point | None:
    gap = frame.rules.ordinal_gap
    for whole in points:
        if whole.shape not in _WHOLES:
            continue
        # An abbreviation stands behind: "sie" may be August in Polish, and before "w" it is "się".
        before = (
            not whole.short and whole.end <= match.start() and gap.fullmatch(text[whole.end : match.start()])
        )
        after = match.end() <= whole.start and gap.fullmatch(text[match.end() : whole.start])
        if before or after:
            span = _numbered(match, whole, frame)
            if span is None:
                continue
            ends = min(match.start(), whole.start), max(match.end(), whole.end)
            return replace(
                whole,
                start=ends[0],
                end=ends[1],
                shape=_shape(match, span),
                span=span,
                weak=False,
                anchored=True,
            )
    return None


def _alone(match: re.Match[str], points: list[Point], frame: Frame) -> Point | None:
    inside = [
        p for p in points if match.start() <= p.start and p.end <= match.end() and p.shape is Shape.WEEKDAY
    ]
    if len(inside) != 1 or _number(match) < 1:
        return None
    for back in range(2):
        span = _pick(match, month_span(frame.today.year, frame.today.month - back), frame)
        if span is not None and span[0] <= frame.today:
            return replace(inside[0], start=match.start(), end=match.end(), span=span)
    return None


def _numbered(match: re.Match[str], whole: Point, frame: Frame) -> Span | None:
    span = _pick(match, whole.span, frame)
    if span is not None and span[0] > frame.today and whole.shape is Shape.MONTH:
        first = whole.span[0]
        span = _pick(match, month_span(first.year - 1, first.month), frame)
    return span


def _pick(match: re.Match[str], whole: Span, frame: Frame, *, unit: Unit | None = None) -> Span | None:
    number, unit = _number(match), unit or _unit(match)
    first, end = whole
    if "n" in match.groupdict():
        return _several(match, unit, whole, frame)
    days = [first + timedelta(days=i) for i in range((end - first).days)]
    if unit is None:
        weekday = _weekday(match)
        spans = [day_span(day) for day in days if day.weekday() == weekday]
    elif unit is Unit.DAY:
        spans = [day_span(day) for day in days]
    elif unit is Unit.WEEK:
        spans = _weeks(days, frame.first_weekday)
    elif unit is Unit.WEEKEND:
        spans = [(day, day + timedelta(days=2)) for day in days if day.weekday() == 5]
    elif unit is Unit.MONTH and len(days) > _LONGER_THAN_A_MONTH:
        spans = [month_span(day.year, day.month) for day in days if day.day == 1]
    elif unit in {Unit.QUARTER, Unit.TERM, Unit.HALF} and len(days) > _LONGER_THAN_A_SEASON:
        spans = list(dict.fromkeys(units_back(unit, 0, today=day, first_weekday=0) for day in days))
    else:
        return None
    index = number - 1 if number > 0 else number
    return spans[index] if -len(spans) <= index < len(spans) else None


def _several(match: re.Match[str], unit: Unit | None, whole: Span, frame: Frame) -> Span | None:
    """Resolve "the first two weeks of October" and "the last three days of it"; of others, nothing."""
    number, said = _number(match), match["n"]
    days = {Unit.DAY: 1, Unit.WEEK: 7}.get(unit or Unit.YEAR)
    if number not in {1, -1} or days is None:
        return None
    length = timedelta(days=days * (int(said) if said.isdecimal() else frame.rules.numbers[said]))
    first, end = whole
    if end - first < length:
        return None
    return (first, first + length) if number == 1 else (end - length, end)


def _weeks(days: list[date], first_weekday: int) -> list[Span]:
    middle = (first_weekday + 3) % 7
    beginnings = (day - timedelta(days=3) for day in days if day.weekday() == middle)
    return [(day, day + timedelta(days=7)) for day in beginnings]


def _number(match: re.Match[str]) -> int:
    return next(-1 if k == "last" else int(k[1:]) for k, v in match.groupdict().items() if v and k[0] in "ol")


def _unit(match: re.Match[str]) -> Unit | None:
    return next((Unit(k[5:]) for k, v in match.groupdict().items() if v and k.startswith("unit_")), None)


def _weekday(match: re.Match[str]) -> int:
    return next(int(k[1:]) for k, v in match.groupdict().items() if v and k[0] == "w")
