"""Parts of a time: "early July", "the end of last month", "去年年底"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from anamnesis.domain.time_windows.calendar import Span, month_span
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

#: What a part is looked for in, in characters before and after the time it belongs to.
_AROUND = 48
_DAYS_OF_WEEK = 7
_DAYS_OF_MONTH = range(28, 32)
_DAYS_OF_SEASON = range(88, 97)
_DAYS_OF_YEAR = range(365, 367)


def with_part(point: Point, text: str, frame: Frame) -> Point:
    """Cut `point` to the part of it that the words around it name; the point itself where they name none.

    The second half of a month begins on its 16th, that of a year in July. A month has thirds of ten days, a
    season thirds, a year thirds of four months; the beginning and the end of a week have three days each, and
    "late" in a week is from its fourth day on. The end of a year that is counted from now is its second half,
    as Microsoft's Recognizers-Text has it: people are vaguer about "the end of last year" than about the end
    of a year they number.
    """
    cut = _cut(point, text, frame)
    if cut is not point and cut.span[0] > frame.today and not point.relative:
        return _cut(
            replace(point, span=_before(point)), text, frame
        )  # "at the end of the month", on its 12th day
    return cut


def _before(point: Point) -> Span:
    """Return the unit before the one that `point` names; of a month with a name, that of the year before."""
    first, end = point.span
    if point.shape is Shape.MONTH:
        return month_span(first.year - 1, first.month)
    days = (end - first).days
    if days == _DAYS_OF_WEEK:
        return first - timedelta(days=days), first
    return month_span(first.year, first.month - 1)[0] if days in _DAYS_OF_MONTH else _year_before(
        first
    ), first


def _year_before(first: date) -> date:
    return month_span(first.year - 1, first.month)[0]


def _cut(point: Point, text: str, frame: Frame) -> Point:
    lead = text[max(0, point.start - _AROUND) : point.start]
    trail = text[point.end : point.end + _AROUND]
    for name, pattern in frame.rules.parts:
        match = pattern.search(lead)
        span = None if match is None else _part(name, point)
        if match is not None and span is not None:
            start = point.start - (len(lead) - match.start("atom"))
            return replace(point, start=start, shape=Shape.SPAN, span=span, weak=False, anchored=True)
    for name, pattern in frame.rules.parts_after:
        match = pattern.match(trail)
        span = None if match is None else _part(name, point)
        if match is not None and span is not None:
            end = point.end + match.end()
            return replace(point, end=end, shape=Shape.SPAN, span=span, weak=False, anchored=True)
    return point


def half_of(span: Span) -> date | None:
    """Return the day on which the second half of a month, a season or a year begins; None for other spans."""
    first, end = span
    days = (end - first).days
    if days in _DAYS_OF_MONTH:
        return first + timedelta(days=15)
    if days in _DAYS_OF_YEAR:
        return month_span(first.year, first.month + 6)[0]
    return first + timedelta(days=days // 2) if days in _DAYS_OF_SEASON else None


def _part(name: str, point: Point) -> Span | None:
    first, end = point.span
    days = (end - first).days
    if name.startswith("half"):
        middle = half_of(point.span)
        return None if middle is None else (first, middle) if name == "half1" else (middle, end)
    if days in _DAYS_OF_YEAR:
        last = 7 if point.relative else 9
        cuts = (first, month_span(first.year, 5)[0], month_span(first.year, last)[0], end)
    elif days in _DAYS_OF_MONTH:
        cuts = (first, first + timedelta(days=10), first + timedelta(days=20), end)
    elif days in _DAYS_OF_SEASON:
        third = timedelta(days=days // 3)
        cuts = (first, first + third, end - third, end)
    elif days == _DAYS_OF_WEEK:
        late = first + timedelta(days=3) if name == "latter" else end - timedelta(days=3)
        cuts = (first, first + timedelta(days=3), late, end)
    else:
        return None
    if name == "mid" and days in _DAYS_OF_YEAR:
        return cuts[1], month_span(first.year, 9)[0]
    part = {"early": 0, "mid": 1}.get(name, 2)
    return cuts[part], cuts[part + 1]
