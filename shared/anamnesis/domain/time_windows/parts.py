"""Parts of a time: "early July", "the end of last month", "the first week of July"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from anamnesis.domain.time_windows.calendar import Span, month_span
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

#: What a part is looked for in, in characters before the time it belongs to.
_LEAD = 48
_DAYS_OF_WEEK = 7
_DAYS_OF_MONTH = range(28, 32)
_DAYS_OF_YEAR = range(365, 367)


def with_part(point: Point, text: str, frame: Frame) -> Point:
    """Cut `point` to the part of it that the words before it name; the point itself where they name none.

    A month has thirds of ten days, a year of four months, and the beginning and end of a week three days each. The
    numbered weeks of a month are its days 1–7, 8–14, 15–21 and 22–28.
    """
    lead = text[max(0, point.start - _LEAD) : point.start]
    for name, pattern in frame.rules.parts:
        match = pattern.search(lead)
        span = None if match is None else _part(name, point)
        if match is not None and span is not None:
            start = point.start - (len(lead) - match.start())
            return replace(point, start=start, shape=Shape.SPAN, span=span, weak=False, anchored=True)
    return point


def _part(name: str, point: Point) -> Span | None:
    first, end = point.span
    days = (end - first).days
    if name.startswith("week_"):
        if days not in _DAYS_OF_MONTH:
            return None
        start = first + timedelta(days=_DAYS_OF_WEEK * (int(name[-1]) - 1))
        return start, min(start + timedelta(days=_DAYS_OF_WEEK), end)
    if days in _DAYS_OF_YEAR:
        cuts = (first, month_span(first.year, 5)[0], month_span(first.year, 9)[0], end)
    elif days in _DAYS_OF_MONTH:
        cuts = (first, first + timedelta(days=10), first + timedelta(days=20), end)
    elif days == _DAYS_OF_WEEK:
        cuts = (first, first + timedelta(days=3), end - timedelta(days=3), end)
    else:
        return None
    part = ("early", "mid", "late").index(name)
    return cuts[part], cuts[part + 1]
