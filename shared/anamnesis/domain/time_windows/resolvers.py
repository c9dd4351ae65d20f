"""What one match of a rule means: the days of "two weeks ago", "13 July", "last summer"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from anamnesis.domain.time_windows.calendar import (
    YEARS_OF_USE,
    Span,
    Unit,
    common_year,
    day_span,
    days_of_month,
    month_span,
    rolling_back,
    units_back,
    vaguely_back,
    valid_day,
)
from anamnesis.domain.time_windows.matches import Match, count_and_unit, group_of, point_of, shape_of
from anamnesis.domain.time_windows.names import SEASONS
from anamnesis.domain.time_windows.seasons import latest_season
from anamnesis.domain.time_windows.shapes import Frame, Point, Shape
from anamnesis.domain.time_windows.weekdays import (
    weekday_ago,
    weekday_back,
    weekday_before_last,
    weekday_in_week,
)

_SATURDAY = 5
#: A number may have words before it, after it, or both (`cldr_times.counted_times`).
_KINDS_OF_COUNTING = 3


def resolved(rule: str, match: Match, frame: Frame) -> Point | None:
    """Return the point that a match of one of `rules.POINT_RULES` means, None when it means none."""
    return _RESOLVERS[rule](match, frame)


def _month_of(match: Match) -> int:
    return next(
        int(n[1:]) for n, v in match.groupdict().items() if v is not None and n[0] == "m" and n[1:].isdigit()
    )


def _back(
    back: int, *, unit: Unit | None = None, anchored: bool = True
) -> Callable[[Match, Frame], Point | None]:
    """Make the resolver for the unit (named, or matched) that lies `back` units before the current one."""

    def resolve(match: Match, frame: Frame) -> Point | None:
        named = unit or Unit(group_of(match, "unit_") or Unit.DAY)
        if unit is None and named is Unit.DAY:
            return None  # "the last day" of something is no yesterday
        if named in frame.rules.doubtful_units and not _ends_a_clause(match):
            return None
        span = units_back(named, back, today=frame.today, first_weekday=frame.first_weekday)
        if named is Unit.WEEKEND and not back:
            span = _latest_weekend(frame)
        return point_of(match, shape_of(named), span, anchored=anchored)

    return resolve


def _ago(match: Match, frame: Frame) -> Point:
    count, unit = count_and_unit(match, frame)
    if match.groupdict().get("n") in frame.rules.vague:
        return point_of(match, Shape.SPAN, vaguely_back(unit, today=frame.today))
    span = units_back(unit, count, today=frame.today, first_weekday=frame.first_weekday)
    return point_of(match, shape_of(unit), span)


def _ago_of(unit: Unit) -> Callable[[Match, Frame], Point]:
    """Make the resolver for a number of units that a phrase of CLDR counts back."""

    def resolve(match: Match, frame: Frame) -> Point:
        said = match["n"]
        if said in frame.rules.vague:
            return point_of(match, Shape.SPAN, vaguely_back(unit, today=frame.today))
        count = int(said) if said.isdecimal() else frame.rules.numbers[said]
        span = units_back(unit, count, today=frame.today, first_weekday=frame.first_weekday)
        return point_of(match, shape_of(unit), span)

    return resolve


def _past_n(match: Match, frame: Frame) -> Point:
    """Resolve "the last two weeks": the whole units before the current one."""
    count, unit = count_and_unit(match, frame)
    first = units_back(unit, count, today=frame.today, first_weekday=frame.first_weekday)[0]
    last = units_back(unit, 0, today=frame.today, first_weekday=frame.first_weekday)[0]
    return point_of(match, Shape.SPAN, (first, last))


def _lately(match: Match, frame: Frame) -> Point:
    """Resolve "in the last two weeks": from then until now, today included; "over the last weekend" is that weekend."""
    count, unit = count_and_unit(match, frame)
    if unit is Unit.WEEKEND and match.groupdict().get("n") is None:
        return point_of(match, Shape.SPAN, units_back(unit, 1, today=frame.today, first_weekday=0))
    return point_of(match, Shape.SPAN, rolling_back(unit, count, today=frame.today))


def _year_of(match: Match) -> int | None:
    text = match.groupdict().get("year")
    if text is None:
        return None
    return common_year(int(text))


def _latest_month(month: int, frame: Frame) -> Span:
    year = frame.today.year - (month > frame.today.month)
    return month_span(year, month)


def _day_month(match: Match, frame: Frame) -> Point | None:
    month, year = _month_of(match), _year_of(match)
    day = _day_number(match, frame)
    last = int(match.groupdict().get("day2") or day)
    short = None if year is not None else _short_year_behind(match, frame)
    if short is not None:
        span = days_of_month(day, last, month, short[0], today=frame.today)
        if span is not None:
            return replace(point_of(match, Shape.DAY, span), end=short[1])
    span = days_of_month(day, last, month, year, today=frame.today)
    if span is None:  # "29 February 2023": the month that was thought of
        return None if year is None else point_of(match, Shape.SPAN, month_span(year, month))
    text = match["atom"]
    name = next(v for n, v in match.groupdict().items() if v and n[0] == "m" and n[1:].isdigit())
    doubtful = (
        year is None
        and name.strip(".") in frame.rules.doubtful
        and day == last
        and text != match.string.strip()
    )
    shape = Shape.DAY if year else Shape.DAY_OF_MONTH
    return point_of(match, shape, span, weak=doubtful, anchored=len(name.strip(".")) > 3)


#: Two figures of a year right behind a day and a month, with nothing behind them that they could count: "5 Feb 13?".
_SHORT_YEAR = re.compile(r",? {0,2}['’]?(\d{2})(?![.,:]\d)(?= {0,3}(?:$|[?!.,;:)]))")


def _short_year_behind(match: Match, frame: Frame) -> tuple[int, int] | None:
    """The year that two figures behind "5 Feb" mean, never one to come, and where they end; None without them."""
    month = next(
        match.start(n) for n, v in match.groupdict().items() if v and n[0] == "m" and n[1:].isdigit()
    )
    if match.start("day") > month:
        return None
    behind = _SHORT_YEAR.match(match.string, match.end("atom"))
    if behind is None:
        return None
    year = frame.today.year // 100 * 100 + int(behind[1])
    return (year if year <= frame.today.year else year - 100), behind.end()


def _day_number(match: Match, frame: Frame) -> int:
    named = match["day"]
    if named.isdecimal():
        return int(named)
    small = frame.rules.numbers.get(named)  # "el primero de julio", "July fourth"
    return small or (frame.rules.spelled.word(named) if frame.rules.spelled else 1)


def _month_year(match: Match, _: Frame) -> Point | None:
    year = _year_of(match)
    return None if year is None else point_of(match, Shape.SPAN, month_span(year, _month_of(match)))


def _month(match: Match, frame: Frame) -> Point:
    name = match["atom"]
    weak = any(name == doubtful or name.startswith(doubtful + "'") for doubtful in frame.rules.doubtful)
    return point_of(match, Shape.MONTH, _latest_month(_month_of(match), frame), weak=weak, anchored=False)


def _month_short(match: Match, frame: Frame) -> Point:
    return replace(_month(match, frame), weak=True, short=True)


def _season(*, over: bool, named: bool = False) -> Callable[[Match, Frame], Point | None]:
    """Make the resolver for a season: the latest that has begun, or that is over ("last summer")."""

    def resolve(match: Match, frame: Frame) -> Point | None:
        season = next(
            int(n[1:]) for n, v in match.groupdict().items() if v is not None and re.fullmatch(r"s\d", n)
        )
        rules = frame.rules
        any_of_them = season == len(SEASONS)
        if any_of_them and named:
            return None
        span = latest_season(
            None if any_of_them else season,
            frame.today,
            over=over,
            by_month=rules.seasons_by_month,
            southern=frame.southern,
        )
        if span[0] == span[1]:
            return None
        doubtful = any(match["atom"].endswith(name) for name in rules.doubtful_seasons)
        if doubtful and not named and not _ends_a_clause(match):
            return None
        point = point_of(match, Shape.SEASON, span, weak=named or any_of_them, anchored=not named)
        return replace(point, season=season)

    return resolve


def _ends_a_clause(match: Match) -> bool:
    """Tell "what did we do this spring?" from "how far does this spring stretch?" and "the mass of this spring"."""
    lead, trail = match.string[: match.start("atom")], match.string[match.end("atom") :]
    if match["atom"].startswith("the "):  # "the last term"
        return False
    return not re.match(r" {0,3}\w", trail) and not re.search(
        r"(?:of|is|in|on|to|for|by|with) {0,3}$", lead[-8:]
    )


def _weekend(match: Match, frame: Frame) -> Point:
    """Resolve "on the weekend": the latest that has begun."""
    return replace(point_of(match, Shape.SPAN, _latest_weekend(frame), anchored=False), weak=frame.rules.cued)


def _the_unit(match: Match, frame: Frame) -> Point | None:
    """Resolve "the week", which is the current one where nothing else is said."""
    return _back(0)(match, frame) if match.string.strip(" ?!.,¿¡") == match["atom"] else None


def _latest_weekend(frame: Frame) -> Span:
    return units_back(
        Unit.WEEKEND, int(frame.today.weekday() < _SATURDAY), today=frame.today, first_weekday=0
    )


def _other_day(match: Match, frame: Frame) -> Point:
    """Resolve "the other day": some day of the seven before today."""
    return point_of(match, Shape.SPAN, (rolling_back(Unit.WEEK, 1, today=frame.today)[0], frame.today))


def _month_last(match: Match, frame: Frame) -> Point:
    first, last = _latest_month(_month_of(match), frame)
    if last > frame.today:
        first, last = month_span(first.year - 1, first.month)
    return point_of(match, Shape.SPAN, (first, last))


def _month_this(match: Match, frame: Frame) -> Point:
    return point_of(match, Shape.SPAN, month_span(frame.today.year, _month_of(match)))


def _day_only(match: Match, frame: Frame) -> Point | None:
    """Resolve "the 27th": the latest such day of a month."""
    first = frame.today.replace(day=1)
    for back in range(3):
        month = month_span(first.year, first.month - back)[0]
        day = valid_day(month.year, month.month, _day_number(match, frame))
        if day and day <= frame.today:
            return point_of(match, Shape.DAY, day_span(day), anchored=False)
    return None


def _year(*, weak: bool) -> Callable[[Match, Frame], Point | None]:
    def resolve(match: Match, frame: Frame) -> Point | None:
        year = _year_of(match)
        if year is None or year > frame.today.year:
            return None
        if year < frame.today.year - YEARS_OF_USE and not frame.any_age:
            return None
        return point_of(match, Shape.YEAR, (date(year, 1, 1), date(year + 1, 1, 1)), weak=weak)

    return resolve


_RESOLVERS: dict[str, Callable[[Match, Frame], Point | None]] = {
    "today": _back(0, unit=Unit.DAY, anchored=False),
    "yesterday": _back(1, unit=Unit.DAY, anchored=False),
    "before_yesterday": _back(2, unit=Unit.DAY, anchored=False),
    "three_days_ago": _back(3, unit=Unit.DAY, anchored=False),
    "before_last": _back(2),
    "this": _back(0),
    "last": _back(1),
    "ago": _ago,
    "half_year_ago": _back(6, unit=Unit.MONTH),
    "lately": _lately,
    "past_n": _past_n,
    "day_month": _day_month,
    "month_last": _month_last,
    "month_this": _month_this,
    "month_year": _month_year,
    "month": _month,
    "month_short": _month_short,
    "weekday_last": weekday_back(doubt=False),
    "weekday_this": weekday_in_week(0),
    "weekday_in_last_week": weekday_in_week(1),
    "weekday_ago": weekday_ago,
    "weekday_before_last": weekday_before_last,
    "weekday_two_weeks": weekday_in_week(2),
    "day_only": _day_only,
    "weekday": weekday_back(doubt=True),
    "year": _year(weak=False),
    "bare_year": _year(weak=True),
    "other_day": _other_day,
    "weekend": _weekend,
    "the_unit": _the_unit,
    "season_last": _season(over=True),
    "season_this": _season(over=False),
    "season": _season(over=False, named=True),
    **{f"fixed_{unit}_{back}": _back(back, unit=unit) for unit in Unit for back in range(3)},
    **{f"ago_{unit}_{kind}": _ago_of(unit) for unit in Unit for kind in range(_KINDS_OF_COUNTING)},
}
