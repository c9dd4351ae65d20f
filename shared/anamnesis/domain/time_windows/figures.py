"""Dates written in figures: 2024-07-13, 13.7.2024, 7/13, read in the order of the locale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from anamnesis.domain.time_windows.calendar import (
    Span,
    common_year,
    day_span,
    days_of_month,
    month_span,
    valid_day,
)
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape

#: Years whose quarters can be told: a calendar ends somewhere.
YEARS = range(1, 9999)

_ISO_DAY = re.compile(
    r"(?<![\w-])(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})(?:t\d{2}:[\d:.]+(?:z|[+-]\d{2}:?\d{2})?)?(?![\w-])"
)
#: A date may stand behind a letter and a hyphen in Hebrew: "ב-3.2.2027".
_NUMERIC_DAY = re.compile(
    r"(?:(?<![\w./-])|(?<=[\u05d0-\u05ea]-))(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\w/-]|\.\d)"
)
#: Not "24/7", which is always.
_SHORT_DAY = re.compile(r"(?<![\w./-])(?!24/7)(\d{1,2})([/.])(\d{1,2})\.?(?![\w/%-]|[.,]\d)")
_ISO_MONTH = re.compile(
    r"(?<![\w./-])(?:(\d{4})[-/](0[1-9]|1[0-2])|(0?[1-9]|1[0-2])[/.](\d{4}))(?![\w/-]|\.\d)"
)
#: As accounts and school years have it: "Q3 2024", "2024-Q3". Without its year it is as often a question of a quiz.
_QUARTER = re.compile(r"(?<![\w./-])(?:q([1-4]) ?[-/,]? ?(\d{4})|(\d{4}) ?[-/]? ?q([1-4]))(?![\w/-]|\.\d)")


def dates_in_figures(text: str, frame: Frame) -> Iterator[Point]:
    """Yield the dates in figures of a folded text; those that may be fractions or sections are weak."""
    for match in _ISO_DAY.finditer(text):
        day = valid_day(common_year(int(match[1])), int(match[3]), int(match[4]))
        if day:
            yield _point(match, Shape.DAY, day_span(day))
    for match in _NUMERIC_DAY.finditer(text):
        year = common_year(int(match[4]) + (2000 if len(match[4]) == 2 else 0))
        day = _ordered(int(match[1]), int(match[3]), year, frame)
        if day:  # "1.2.10" is a section more often than a day: it needs a word such as "on"
            yield _point(match, Shape.DAY, day_span(day), weak=match[2] == "." and len(match[4]) == 2)
    for match in _SHORT_DAY.finditer(text):
        day = _ordered(int(match[1]), int(match[3]), None, frame)
        if day:
            yield _point(match, Shape.DAY_OF_MONTH, day_span(day), weak=True, anchored=False)
    for match in _ISO_MONTH.finditer(text):
        named_year, month = (match[1], match[2]) if match[1] else (match[4], match[3])
        yield _point(match, Shape.SPAN, month_span(int(named_year), int(month)), weak=True)
    for match in _QUARTER.finditer(text):
        year, quarter = int(match[2] or match[3]), int(match[1] or match[4])
        if year in YEARS:
            first = month_span(year, 3 * quarter - 2)[0]
            yield _point(match, Shape.SPAN, (first, month_span(year, 3 * quarter)[1]))


def _ordered(one: int, two: int, year: int | None, frame: Frame) -> date | None:
    """Read day and month in the locale's order, or in the other one where only that is a day in the past."""
    orders = [(two, one), (one, two)] if frame.month_first else [(one, two), (two, one)]
    days: list[date] = []
    for day, month in orders:
        span = days_of_month(day, day, month, year, today=frame.today)
        if span:
            days.append(span[0])
    return next((day for day in days if day <= frame.today), days[0] if days else None)


def _point(
    match: re.Match[str], shape: Shape, span: Span, *, weak: bool = False, anchored: bool = True
) -> Point:
    return Point(match.start(), match.end(), shape, span, weak=weak, anchored=anchored)
