"""Seasons on both sides of the equator, numbers in words, eras, vague times, and what holds for every window."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.time_windows import find_window

MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=MADRID)


def days_of(text: str, *, now: datetime = NOW, language: str | None = None) -> tuple[str, str] | None:
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    found = find_window(text, now=now, zone=zone, language=language)
    return None if found is None else (found.start.date().isoformat(), found.end.date().isoformat())


@pytest.mark.parametrize(
    "zone, text, language, expected",
    [
        ("Europe/Madrid", "what did we do last summer?", "en", ("2026-06-21", "2026-09-24")),
        ("Australia/Sydney", "what did we do last summer?", "en", ("2025-12-21", "2026-03-21")),
        ("America/Argentina/Buenos_Aires", "el invierno pasado", "es", ("2026-06-21", "2026-09-24")),
        ("America/Sao_Paulo", "no verão de 2024", "pt", ("2024-12-21", "2025-03-21")),
        ("Europe/Moscow", "прошлым летом", "ru", ("2026-06-01", "2026-09-01")),
        ("America/Mexico_City", "el invierno pasado", "es", ("2025-12-21", "2026-03-21")),
    ],
)
def test_seasons_are_those_of_the_students_hemisphere(
    zone: str, text: str, language: str, expected: tuple[str, str]
) -> None:
    """A summer is that of the side of the equator that the student's zone lies on (RC-5)."""
    assert days_of(text, now=NOW.astimezone(ZoneInfo(zone)), language=language) == expected


@pytest.mark.parametrize(
    "text, language, expected",
    [
        ("twenty-one days ago", "en", ("2026-11-04", "2026-11-05")),
        ("in nineteen ninety-nine", "en", ("1999-01-01", "2000-01-01")),
        ("in two thousand and nine", "en", ("2009-01-01", "2010-01-01")),
        ("July twenty-first, 2024", "en", ("2024-07-21", "2024-07-22")),
        ("vor einundzwanzig Tagen", "de", ("2026-11-04", "2026-11-05")),
        ("im Jahr zweitausendneun", "de", ("2009-01-01", "2010-01-01")),
        ("il y a quatre-vingt-quinze jours", "fr", ("2026-08-22", "2026-08-23")),
        ("il y a soixante-douze jours", "fr", ("2026-09-14", "2026-09-15")),
        ("hace treinta y cinco días", "es", ("2026-10-21", "2026-10-22")),
        ("ventuno giorni fa", "it", ("2026-11-04", "2026-11-05")),
        ("двадцать один день назад", "ru", ("2026-11-04", "2026-11-05")),
        ("قبل خمسة وعشرين يوما", "ar", ("2026-10-31", "2026-11-01")),
        ("पच्चीस दिन पहले", "hi", ("2026-10-31", "2026-11-01")),
        ("yirmi beş gün önce", "tr", ("2026-10-31", "2026-11-01")),
        ("hai mươi lăm ngày trước", "vi", ("2026-10-31", "2026-11-01")),
        ("二〇二四年三月", "zh", ("2024-03-01", "2024-04-01")),
        ("一九九九年", "zh", ("1999-01-01", "2000-01-01")),
        ("平成三十年", "ja", ("2018-01-01", "2019-01-01")),
        ("令和元年", "ja", ("2019-01-01", "2020-01-01")),
        ("民國一百年", "zh", ("2011-01-01", "2012-01-01")),
        ("이천구년", "ko", ("2009-01-01", "2010-01-01")),
        ("三十五天前", "zh", ("2026-10-21", "2026-10-22")),
        ("四十五日前", "ja", ("2026-10-11", "2026-10-12")),
        ("ยี่สิบห้าวันก่อน", "th", ("2026-10-31", "2026-11-01")),
        ("לפני עשרים ואחד ימים", "he", ("2026-11-04", "2026-11-05")),
        ("16 กันยายน 2567", "th", ("2024-09-16", "2024-09-17")),
    ],
)
def test_numbers_in_words_and_eras_are_read(text: str, language: str, expected: tuple[str, str]) -> None:
    """Numbers in words and years of Japanese, Chinese and Buddhist eras count like figures (RC-5)."""
    assert days_of(text, language=language) == expected


@pytest.mark.parametrize(
    "text", ["two three days", "one hundred questions", "chapters five six", "ten twenty thirty"]
)
def test_runs_of_numbers_that_are_no_one_number_are_no_time(text: str) -> None:
    """Numbers that stand side by side are not added up into one (RC-5)."""
    assert days_of(text, language="en") is None


def test_a_phrase_of_words_is_quoted_as_it_stands() -> None:
    """A number that is read as figures is still quoted in the student's words (RC-5)."""
    found = find_window("What was it, Twenty-One days ago?", now=NOW, zone=MADRID, language="en")
    assert found is not None
    assert found.phrase == "Twenty-One days ago"


@pytest.mark.parametrize(
    "text, language, year",
    [("in 1789", "en", 1789), ("in 14 a.d.", "en", 14), ("1789년에", "ko", 1789), ("民国三年", "zh", 1914)],
)
def test_a_year_alone_may_be_of_any_age(text: str, language: str, year: int) -> None:
    """A text that is nothing but a year names that year, which no other question about 1789 does (RC-5)."""
    found = find_window(text, now=NOW, zone=MADRID, language=language)
    assert found is not None
    assert found.start.year == year
    assert not found.relative
    assert find_window(f"why {text} of all things?", now=NOW, zone=MADRID, language=language) is None


@pytest.mark.parametrize("unit", ["days", "weeks", "months", "years"])
def test_a_few_reaches_from_three_units_back_to_one(unit: str) -> None:
    """A vague count holds all that it may mean: a few weeks ago is from three weeks ago to one (RC-5)."""
    found = find_window(f"a few {unit} ago", now=NOW, zone=MADRID)
    assert found is not None
    length = {"days": 1, "weeks": 7, "months": 30.4, "years": 365}[unit]
    assert abs((NOW - found.start) / timedelta(days=1) - 3 * length) < 3
    assert abs((NOW - found.end) / timedelta(days=1) - length) < 2


ZONES = sorted(available_timezones() - {"localtime"})
PAST = [
    "yesterday", "last week", "two months ago", "a few days ago", "last summer", "last semester", "last year",
    "the first Monday of last month", "the other day", "hace veinte días", "先週", "पिछले महीने", "прошлой весной",
]  # fmt: skip


@given(
    st.sampled_from(PAST),
    st.datetimes(datetime.fromisoformat("1990-01-01"), datetime.fromisoformat("2090-01-01")),
    st.sampled_from(ZONES),
)
def test_a_past_time_holds_no_future_and_begins_at_a_midnight(text: str, moment: datetime, name: str) -> None:
    """In every zone, at every moment, a past phrase ends by the end of today and begins as a local day does (RC-5)."""
    zone = ZoneInfo(name)
    now = moment.replace(tzinfo=UTC).astimezone(zone)
    found = find_window(text, now=now, zone=zone)
    assert found is not None
    assert found.start < found.end <= now
    for edge in (found.start, found.end):
        before = (edge.astimezone(UTC) - timedelta(seconds=1)).astimezone(zone)
        assert before.date() < edge.date() or before.utcoffset() != edge.utcoffset()


@pytest.mark.parametrize(
    "piece",
    [
        "the first ",
        "twenty ",
        "二〇",
        "십",
        "end of the ",
        "a few weeks ",
        "第一周",
        "summer ",
        "тысяча двадцать ",
    ],
)
def test_a_million_characters_of_half_times_take_no_longer_than_a_question(piece: str) -> None:
    """A text of a million characters takes no longer than one of four thousand, whatever it repeats (SV-12)."""

    def spent(length: int) -> float:
        began = time.perf_counter()
        find_window(piece * (length // len(piece)), now=NOW, zone=MADRID)
        return time.perf_counter() - began

    spent(4_000)
    assert spent(1_000_000) < 20 * max(spent(4_000) for _ in range(3))


@pytest.mark.parametrize(
    "language, text",
    [
        ("en", "half a year ago"),
        ("es", "hace medio año"),
        ("pt", "há meio ano"),
        ("de", "vor einem halben Jahr"),
        ("it", "mezz'anno fa"),
        ("nl", "een half jaar geleden"),
        ("pl", "pół roku temu"),
        ("ru", "полгода назад"),
        ("uk", "пів року тому"),
        ("ar", "قبل نصف سنة"),
        ("he", "לפני חצי שנה"),
        ("id", "setengah tahun lalu"),
        ("vi", "nửa năm trước"),
        ("th", "ครึ่งปีก่อน"),
        ("zh", "半年前"),
        ("ja", "半年前"),
        ("ko", "반년 전"),
    ],
)
def test_half_a_year_ago_is_six_months_ago(language: str, text: str) -> None:
    """Half a year back is no year back, in every language (RC-5)."""
    found = find_window(text, now=NOW, zone=MADRID, language=language)
    assert found is not None
    assert (found.start.date().isoformat(), found.phrase) == ("2026-05-01", text)
