"""Calendar spans: whole local days, weeks, months, quarters and years, and the instants they begin and end at."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

#: (first day, day after the last one).
Span = tuple[date, date]

#: A year named alone further back than this is history and no time with a tutor: "what happened in 1969".
YEARS_OF_USE = 30
#: Where "before July" starts, and how far back a whole date is believed to ask about a memory.
YEARS_A_MEMORY_CAN_REACH = 60


class Unit(StrEnum):
    """A unit of the calendar that people count back in; a school's terms are thirds of a year, its semesters halves."""

    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    TERM = "term"
    HALF = "half"
    YEAR = "year"


_MONTHS_OF = {Unit.QUARTER: 3, Unit.TERM: 4, Unit.HALF: 6}


def common_year(year: int) -> int:
    """Return the year of the Gregorian calendar; one after 2300 is taken for a year of the Thai Buddhist era.

    https://www.unicode.org/reports/tr35/tr35-dates.html, calendars.
    """
    return year - 543 if year > 2300 else year


def month_span(year: int, month: int) -> Span:
    """Return the span of a month; `month` may lie outside 1–12 and then counts into other years."""
    first = _first_of_month(year, month)
    return first, _first_of_month(first.year, first.month + 1)


def _first_of_month(year: int, month: int) -> date:
    years, index = divmod(month - 1, 12)
    return date(min(max(year + years, date.min.year), date.max.year), index + 1, 1)


def day_span(day: date) -> Span:
    """Return the span of one day."""
    return day, day + timedelta(days=1)


def valid_day(year: int, month: int, day: int) -> date | None:
    """Return the date, or None when the calendar has no such day."""
    if not (1 <= year <= date.max.year - 1 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None
    return date(year, month, day)


def days_of_month(day: int, last: int, month: int, year: int | None, *, today: date) -> Span | None:
    """Resolve days of a month; without a year their latest occurrence that has begun (29 February may lie far back)."""
    years = [year] if year else range(today.year, today.year - 9, -1)
    for candidate in years:
        first, end = valid_day(candidate, month, day), valid_day(candidate, month, last)
        if first and end and first <= end and (year or first <= today):
            return first, end + timedelta(days=1)
    return None


def units_back(unit: Unit, back: int, *, today: date, first_weekday: int) -> Span:
    """Return the calendar unit that lies `back` units before the one that holds `today` (0 = the current one).

    Parameters
    ----------
    back
        Units back, 0 or more; what would lie before the year 1 is cut there.
    first_weekday
        0 = Monday … 6 = Sunday.
    """
    back = min(back, 9_999)
    if unit is Unit.DAY:
        return day_span(_days_before(today, back))
    if unit is Unit.WEEK:
        first = _days_before(today, (today.weekday() - first_weekday) % 7 + 7 * back)
        return first, first + timedelta(days=7)
    if unit is Unit.WEEKEND:
        saturday = _days_before(today, today.weekday() + 2 if back else today.weekday() - 5)
        saturday = _days_before(saturday, 7 * max(back - 1, 0))
        return saturday, saturday + timedelta(days=2)
    if unit is Unit.MONTH:
        return month_span(today.year, today.month - back)
    if unit in _MONTHS_OF:
        months = _MONTHS_OF[unit]
        first = month_span(today.year, today.month - (today.month - 1) % months - months * back)[0]
        return first, month_span(first.year, first.month + months)[0]
    year = max(today.year - back, date.min.year)
    return date(year, 1, 1), date(year + 1, 1, 1)


def rolling_back(unit: Unit, count: int, *, today: date) -> Span:
    """Return the span that ends with today and began `count` units ago, counted from today."""
    tomorrow = today + timedelta(days=1)
    return _back_from(today, unit, count), tomorrow


def vaguely_back(unit: Unit, *, today: date) -> Span:
    """Return what "a few weeks ago" means: from three units ago, counted from today, to one unit ago.

    Three is what "a few" is commonly taken for (Duckling, CLDR-based parsers); whole weeks or months would say more
    than was said.
    """
    return _back_from(today, unit, 3), _back_from(today, unit, 1) + timedelta(days=1)


def _back_from(today: date, unit: Unit, count: int) -> date:
    if unit in {Unit.DAY, Unit.WEEK, Unit.WEEKEND}:
        return _days_before(today, count * (1 if unit is Unit.DAY else 7))
    months = count * _MONTHS_OF.get(unit, 1 if unit is Unit.MONTH else 12)
    first = month_span(today.year, today.month - months)[0]
    return first.replace(day=min(today.day, monthrange(first.year, first.month)[1]))


def _days_before(day: date, days: int) -> date:
    return day - timedelta(days=min(days, (day - date.min).days))


def local_midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant at which `day` begins in `zone`, as wall-clock time that exists there.

    Where the clock skips midnight, or the whole day, this is the first instant after the gap; where midnight comes
    twice, it is the first of the two.
    """
    instant = datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
    return instant.astimezone(zone)
