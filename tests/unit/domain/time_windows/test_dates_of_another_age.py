"""Dates of years that no memory can hold, and the ends of the calendar."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.time_windows import find_window

MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=MADRID)


@pytest.mark.parametrize(
    "text",
    """Why did the July Crisis of 1914 lead to war?|Boston Tea Party 16 December 1773|July 14, 1789 at the Bastille
    Declaration of 4 July 1776|October 1066|in August 410|January of the year 1649|the 1905 January uprising
    Julius Caesar died in March 44 BC|the 15th of March, 44 BC|in March 2000 BC|el 12 de octubre de 1492
    15 marzo 44 a.C.|15. März 44 v. Chr.|15 mars 44 av. J.-C.|15 марта 44 г. до н. э.|14 juillet 1789
    le 14 juillet de l'an 1789|am 9. November 1918|14 июля 1789 года|25 октября 1917|17 Agustus 1945|29 Mayıs 1453
    14 lipca 1410|2 de maio de 1808|14 يوليو 1789|14 जुलाई 1789|ngày 2 tháng 9 năm 1945|1789年7月14日|公元前44年3月
    紀元前44年3月|1917년 10월 혁명|Maio de 68|mai 68|What did I get wrong about the July 1830 revolution?
    What about the April Theses?|what did we say about Bloody Sunday?""".replace("\n    ", "|").split("|"),
)
def test_a_stated_year_is_never_replaced(text: str) -> None:
    """A month or day of a year that no memory can hold, of any century and era, is no window (RC-5)."""
    assert find_window(text, now=NOW, zone=MADRID, language=None) is None


@pytest.mark.parametrize(
    "text, first_day, relative",
    [
        ("what did we cover in July about 1914?", "2026-07-01", False),
        ("¿qué vimos en julio sobre 1492?", "2026-07-01", False),
        ("what did we do yesterday about 1789?", "2026-11-24", True),
        ("in July bc I was ill", "2026-07-01", False),
        ("July 2025", "2025-07-01", False),
        ("on Monday", "2026-11-23", False),
        ("last Monday", "2026-11-23", True),
        ("the last week of July", "2026-07-27", False),
        ("last July", "2026-07-01", True),
        ("3 days ago", "2026-11-22", True),
        ("this month", "2026-11-01", True),
        ("since July", "2026-07-01", False),
        ("la semana pasada", "2026-11-16", True),
        ("先週", "2026-11-16", True),
        ("Tuesday of last week", "2026-11-17", True),
        ("2026-07-13", "2026-07-13", False),
    ],
)
def test_a_window_says_whether_it_is_counted_from_now(text: str, first_day: str, relative: bool) -> None:
    """A time is relative when it is counted from now, and named when a calendar names it (RC-5)."""
    window = find_window(text, now=NOW, zone=MADRID)
    assert window is not None
    assert window.start.date().isoformat() == first_day
    assert window.relative is relative


@pytest.mark.parametrize(
    "text, first_day, day_after, phrase",
    [
        ("what did we do in Q3 2024?", "2024-07-01", "2024-10-01", "Q3 2024"),
        ("2025-Q4", "2025-10-01", "2026-01-01", "2025-Q4"),
        ("What happened on 5 Feb 13?", "2013-02-05", "2013-02-06", "5 Feb 13"),
        ("the 3rd of March '25, please", "2025-03-03", "2025-03-04", "the 3rd of March '25"),
        ("¿qué hicimos el 5 de febrero 25?", "2025-02-05", "2025-02-06", "el 5 de febrero 25"),
        ("12 Mar 99", "1999-03-12", "1999-03-13", "12 Mar 99"),
        ("in May 13", "2026-05-13", "2026-05-14", "May 13"),
    ],
)
def test_quarters_and_short_years_are_read(text: str, first_day: str, day_after: str, phrase: str) -> None:
    """A quarter with its year, and a year in two figures behind a day and month, are times (RC-5)."""
    window = find_window(text, now=NOW, zone=MADRID)
    assert window is not None
    found = window.start.date().isoformat(), window.end.date().isoformat(), window.phrase
    assert found == (first_day, day_after, phrase)


@pytest.mark.parametrize("text", ["is Q3 right?", "Q5 2024", "Q3 2024b", "Q1 0000", "Q4 9999"])
def test_a_question_of_a_quiz_is_no_quarter(text: str) -> None:
    """The third question of a quiz is no quarter of a year, and no quarter lies outside the calendar (RC-5)."""
    window = find_window(text, now=NOW, zone=MADRID)
    assert window is None or not window.phrase.lower().startswith("q")


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "UTC", "America/Los_Angeles"])
@pytest.mark.parametrize(
    "text",
    ["what did we do last week?", "yesterday", "tomorrow", "since July", "last 3 years", "先週", "3/4/2020"],
)
def test_the_ends_of_the_calendar_raise_nothing(moment: str, zone: str, text: str) -> None:
    """At the first and last instants of the calendar a window lies within it or is none (RC-5)."""
    window = find_window(text, now=datetime.fromisoformat(moment), zone=ZoneInfo(zone))
    assert window is None or window.start < window.end
