"""Parts of weeks, months and years."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.time_windows import find_window

MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=MADRID)


@pytest.mark.parametrize(
    "text, first_day, end_day",
    [
        ("what did we do at the end of last month?", "2026-10-21", "2026-11-01"),
        ("first week of July", "2026-06-29", "2026-07-06"),
        ("the second week of last month", "2026-10-05", "2026-10-12"),
        ("the last week of July", "2026-07-27", "2026-08-03"),
        ("early July", "2026-07-01", "2026-07-11"),
        ("mid-July", "2026-07-11", "2026-07-21"),
        ("late in July", "2026-07-21", "2026-08-01"),
        ("early May", "2026-05-01", "2026-05-11"),
        ("at the start of this year", "2026-01-01", "2026-05-01"),
        ("the end of last week", "2026-11-20", "2026-11-23"),
        ("since the end of July", "2026-07-21", "2026-11-26"),
        ("a finales de julio", "2026-07-21", "2026-08-01"),
        ("a principios del mes pasado", "2026-10-01", "2026-10-11"),
        ("la primera semana del mes pasado", "2026-09-28", "2026-10-05"),
        ("a mediados de julio", "2026-07-11", "2026-07-21"),
        ("à la fin du mois dernier", "2026-10-21", "2026-11-01"),
        ("début juillet", "2026-07-01", "2026-07-11"),
        ("mi-juillet", "2026-07-11", "2026-07-21"),
        ("Ende Juli", "2026-07-21", "2026-08-01"),
        ("Anfang letzten Monats", "2026-10-01", "2026-10-11"),
        ("no início de julho", "2026-07-01", "2026-07-11"),
        ("no final do mês passado", "2026-10-21", "2026-11-01"),
        ("alla fine di luglio", "2026-07-21", "2026-08-01"),
    ],
)
def test_a_part_of_a_time_is_that_part(text: str, first_day: str, end_day: str) -> None:
    """The beginning, middle or end of a time, or a numbered week of a month, is that part alone (RC-5)."""
    window = find_window(text, now=NOW, zone=MADRID)
    assert window is not None
    assert (window.start.date().isoformat(), window.end.date().isoformat()) == (first_day, end_day)


@pytest.mark.parametrize(
    "text, language, first_day, end_day",
    [
        ("at the end of the month", "en", "2026-10-21", "2026-11-01"),
        ("Ende November", "de", "2025-11-21", "2025-12-01"),
        ("月末", "ja", "2026-10-21", "2026-11-01"),
        ("at the beginning of the month", "en", "2026-11-01", "2026-11-11"),
    ],
)
def test_a_part_yet_to_come_is_that_of_the_time_before(
    text: str, language: str, first_day: str, end_day: str
) -> None:
    """On the twelfth the end of the month is that of the month before, for a memory holds no future (RC-5)."""
    now = NOW.replace(day=12)
    window = find_window(text, now=now, zone=MADRID, language=language)
    assert window is not None
    assert (window.start.date().isoformat(), window.end.date().isoformat()) == (first_day, end_day)


@pytest.mark.parametrize(
    "text, language, first_day, end_day",
    [
        ("the third quarter of 2025", "en", "2025-07-01", "2025-10-01"),
        ("el primer trimestre de 2025", "es", "2025-01-01", "2025-04-01"),
        ("im ersten Halbjahr 2025", "de", "2025-01-01", "2025-07-01"),
        ("the first two weeks of October", "en", "2026-10-01", "2026-10-15"),
        ("the last three days of October", "en", "2026-10-29", "2026-11-01"),
        ("July fourth", "en", "2026-07-04", "2026-07-05"),
        ("am fünften Juli", "de", "2026-07-05", "2026-07-06"),
        ("пятого мая", "ru", "2026-05-05", "2026-05-06"),
        ("el cinco de julio", "es", "2026-07-05", "2026-07-06"),
    ],
)
def test_numbered_parts_and_days_in_words(text: str, language: str, first_day: str, end_day: str) -> None:
    """Quarters and halves of a year, the first weeks of a month and days said in words are found (RC-5)."""
    window = find_window(text, now=NOW, zone=MADRID, language=language)
    assert window is not None
    assert (window.start.date().isoformat(), window.end.date().isoformat()) == (first_day, end_day)


def test_until_the_end_of_a_time_reaches_its_end() -> None:
    """By the end of July is everything up to it and no part of July (RC-5)."""
    window = find_window("what had we done by the end of July?", now=NOW, zone=MADRID)
    assert window is not None
    assert window.start.year < 2026
    assert window.end.date().isoformat() == "2026-08-01"
