"""Seasons: which days they are, on either side of the equator."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from importlib.resources import files

from anamnesis.domain.time_windows.calendar import Span
from anamnesis.domain.time_windows.names import SEASONS

#: (month, day) on which spring, summer, autumn and winter begin in the north: the equinoxes and solstices of most
#: years in this century. A season ends with the day on which the next one begins.
_BY_THE_SUN = ((3, 20), (6, 21), (9, 23), (12, 21))
#: And where seasons are whole months.
_BY_MONTH = ((3, 1), (6, 1), (9, 1), (12, 1))


def season_span(season: int, year: int, *, by_month: bool, southern: bool) -> Span:
    """Return the span of the season that begins in `year` (0 = spring … 3 = winter)."""
    beginnings = _BY_MONTH if by_month else _BY_THE_SUN
    place = (season + 2) % 4 if southern else season
    first = date(year, *beginnings[place])
    following = date(year + (place == 3), *beginnings[(place + 1) % 4])
    return first, following if by_month else following + timedelta(days=1)


def latest_season(season: int | None, today: date, *, over: bool, by_month: bool, southern: bool) -> Span:
    """Return the latest span of a season (of any, when None) that has begun, or that is `over` before today."""
    spans = (
        season_span(which, year, by_month=by_month, southern=southern)
        for year in range(today.year, max(today.year - 3, 0), -1)
        for which in (range(len(SEASONS)) if season is None else (season,))
    )
    return max((span for span in spans if (span[1] if over else span[0]) <= today), default=(today, today))


@lru_cache(maxsize=1)
def southern_zones() -> frozenset[str]:
    """Return the IANA zones whose chief place lies south of the equator, from the database's own coordinates."""
    lines = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return frozenset(row[2] for row in rows if row[1].startswith("-"))
