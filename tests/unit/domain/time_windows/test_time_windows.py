from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.time_windows import TimeWindow, find_window

MADRID = ZoneInfo("Europe/Madrid")
#: A Wednesday.
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=MADRID)


def window_of(text: str, *, now: datetime = NOW, language: str | None = None) -> TimeWindow | None:
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    return find_window(text, now=now, zone=zone, language=language)


def days_of(text: str, *, now: datetime = NOW, language: str | None = None) -> tuple[str, str] | None:
    found = window_of(text, now=now, language=language)
    return None if found is None else (found.start.date().isoformat(), found.end.date().isoformat())


WEEK = ("2026-11-16", "2026-11-23")
JULY = ("2026-07-01", "2026-08-01")
ENGLISH = {
    "What did we cover in July?": JULY,
    "in may": ("2026-05-01", "2026-06-01"),
    "May": ("2026-05-01", "2026-06-01"),
    "what did we do in December": ("2025-12-01", "2026-01-01"),
    "November": ("2026-11-01", "2026-12-01"),
    "yesterday": ("2026-11-24", "2026-11-25"),
    "the day before yesterday": ("2026-11-23", "2026-11-24"),
    "today": ("2026-11-25", "2026-11-26"),
    "last week": WEEK,
    "the previous week": WEEK,
    "the week before last": ("2026-11-09", "2026-11-16"),
    "two weeks ago": ("2026-11-09", "2026-11-16"),
    "3 months ago": ("2026-08-01", "2026-09-01"),
    "a year ago": ("2025-01-01", "2026-01-01"),
    "this week": ("2026-11-23", "2026-11-30"),
    "this month": ("2026-11-01", "2026-12-01"),
    "last year": ("2025-01-01", "2026-01-01"),
    "last quarter": ("2026-07-01", "2026-10-01"),
    "on Monday": ("2026-11-23", "2026-11-24"),
    "on Wednesday": ("2026-11-18", "2026-11-19"),
    "Tuesday of last week": ("2026-11-17", "2026-11-18"),
    "2 Thursdays ago": ("2026-11-12", "2026-11-13"),
    "last weekend": ("2026-11-21", "2026-11-23"),
    "the 27th": ("2026-10-27", "2026-10-28"),
    "13 July 2024": ("2024-07-13", "2024-07-14"),
    "July 13th, 2024": ("2024-07-13", "2024-07-14"),
    "July 2024": ("2024-07-01", "2024-08-01"),
    "July last year": ("2025-07-01", "2025-08-01"),
    "last July": JULY,
    "2024-07-13": ("2024-07-13", "2024-07-14"),
    "in 2024": ("2024-01-01", "2025-01-01"),
    "between March and May": ("2026-03-01", "2026-06-01"),
    "from June to August 2025": ("2025-06-01", "2025-09-01"),
    "from November to February": ("2025-11-01", "2026-03-01"),
    "between 3 and 7 July": ("2026-07-03", "2026-07-08"),
    "July 3-7": ("2026-07-03", "2026-07-08"),
    "in June and July": ("2026-06-01", "2026-08-01"),
    "since Monday": ("2026-11-23", "2026-11-26"),
    "after 3 July": ("2026-07-04", "2026-11-26"),
    "in the last two weeks": ("2026-11-11", "2026-11-26"),
    "the last two weeks": ("2026-11-09", "2026-11-23"),
    "the last week of July": ("2026-07-27", "2026-08-03"),
}
SPANISH = {
    "¿Qué temas vimos la semana pasada?": WEEK,
    "en julio": JULY,
    "hace dos semanas": ("2026-11-09", "2026-11-16"),
    "anteayer": ("2026-11-23", "2026-11-24"),
    "el miércoles": ("2026-11-18", "2026-11-19"),
    "el miercoles pasado": ("2026-11-18", "2026-11-19"),
    "el 13 de julio de 2024": ("2024-07-13", "2024-07-14"),
    "el primero de julio": ("2026-07-01", "2026-07-02"),
    "julio del año pasado": ("2025-07-01", "2025-08-01"),
    "entre el 3 y el 7 de julio": ("2026-07-03", "2026-07-08"),
    "desde el lunes": ("2026-11-23", "2026-11-26"),
    "este año": ("2026-01-01", "2027-01-01"),
    "5/6/2026": ("2026-06-05", "2026-06-06"),
}
INDONESIAN = {
    "apa yang kita pelajari bulan Juli?": JULY,
    "kemarin": ("2026-11-24", "2026-11-25"),
    "minggu lalu": WEEK,
    "dua minggu yang lalu": ("2026-11-09", "2026-11-16"),
    "sebulan yang lalu": ("2026-10-01", "2026-11-01"),
    "kemarin lusa": ("2026-11-23", "2026-11-24"),
    "hari Minggu": ("2026-11-22", "2026-11-23"),
    "tanggal 17 Agustus 2025": ("2025-08-17", "2025-08-18"),
    "dari 3 sampai 7 Juli": ("2026-07-03", "2026-07-08"),
    "antara Maret dan Mei": ("2026-03-01", "2026-06-01"),
    "sejak Senin": ("2026-11-23", "2026-11-26"),
}


@pytest.mark.parametrize("text, expected", ENGLISH.items())
def test_english_expressions(text: str, expected: tuple[str, str]) -> None:
    """Months, days, weeks, years, dates and ranges in English become the window they mean (RC-5)."""
    assert days_of(text, language="en") == expected


@pytest.mark.parametrize("text, expected", SPANISH.items())
def test_spanish_expressions(text: str, expected: tuple[str, str]) -> None:
    """Months, days, weeks, years, dates and ranges in Spanish become the window they mean (RC-5)."""
    assert days_of(text, language="es") == expected


@pytest.mark.parametrize("text, expected", INDONESIAN.items())
def test_indonesian_expressions(text: str, expected: tuple[str, str]) -> None:
    """Months, days, weeks, years, dates and ranges in Indonesian become the window they mean (RC-5)."""
    assert days_of(text, language="id") == expected


#: Per language: "in July", "last week", "two weeks ago", "between March and May", "July of last year".
SENTENCES = {
    "pt": [
        "o que vimos em julho?",
        "na semana passada",
        "duas semanas atrás",
        "entre março e maio",
        "julho do ano passado",
    ],
    "fr": [
        "qu'a-t-on vu en juillet ?",
        "la semaine dernière",
        "il y a deux semaines",
        "entre mars et mai",
        "juillet de l'année dernière",
    ],
    "de": [
        "was war im Juli?",
        "letzte Woche",
        "vor zwei Wochen",
        "zwischen März und Mai",
        "im Juli letzten Jahres",
    ],
    "it": [
        "cosa abbiamo fatto a luglio?",
        "la settimana scorsa",
        "due settimane fa",
        "tra marzo e maggio",
        "luglio dell'anno scorso",
    ],
    "nl": [
        "wat deden we in juli?",
        "vorige week",
        "twee weken geleden",
        "tussen maart en mei",
        "in juli vorig jaar",
    ],
    "pl": [
        "co robiliśmy w lipcu?",
        "w zeszłym tygodniu",
        "dwa tygodnie temu",
        "od marca do maja",
        "w lipcu zeszłego roku",
    ],
    "ru": [
        "что было в июле?",
        "на прошлой неделе",
        "две недели назад",
        "с марта по май",
        "в июле прошлого года",
    ],
    "uk": [
        "що ми вивчали в липні?",
        "минулого тижня",
        "два тижні тому",
        "з березня по травень",
        "у липні минулого року",
    ],
    "tr": [
        "Temmuz'da ne yaptık?",
        "geçen hafta",
        "iki hafta önce",
        "mart ile mayıs arasında",
        "geçen yıl temmuzda",
    ],
    "ar": [
        "ماذا درسنا في يوليو؟",
        "الأسبوع الماضي",
        "قبل أسبوعين",
        "بين مارس ومايو",
        "في يوليو من العام الماضي",
    ],
    "hi": ["जुलाई में हमने क्या पढ़ा?", "पिछले हफ़्ते", "दो हफ्ते पहले", "मार्च और मई के बीच", "पिछले साल जुलाई में"],
    "zh": ["我们七月学了什么？", "上周", "两周前", "三月到五月", "去年七月"],
    "ja": ["7月に何を勉強しましたか", "先週", "二週間前", "3月から5月まで", "去年の7月"],
    "ko": ["7월에 뭐 배웠어?", "지난주", "2주 전", "3월부터 5월까지", "작년 7월"],
    "vi": [
        "tháng 7 chúng ta học gì?",
        "tuần trước",
        "hai tuần trước",
        "từ tháng 3 đến tháng 5",
        "tháng 7 năm ngoái",
    ],
    "th": ["เดือนกรกฎาคมเราเรียนอะไร", "สัปดาห์ที่แล้ว", "สองสัปดาห์ที่แล้ว", "ระหว่างมีนาคมถึงพฤษภาคม", "กรกฎาคมปีที่แล้ว"],
    "he": ["מה למדנו ביולי?", "בשבוע שעבר", "לפני שבועיים", "בין מרץ למאי", "ביולי בשנה שעברה"],
}
MEANT = [JULY, WEEK, ("2026-11-09", "2026-11-16"), ("2026-03-01", "2026-06-01"), ("2025-07-01", "2025-08-01")]


@pytest.mark.parametrize(
    "language, text, expected",
    [
        (tag, text, meant)
        for tag, texts in SENTENCES.items()
        for text, meant in zip(texts, MEANT, strict=True)
    ],
)
def test_other_languages_join_by_a_table(language: str, text: str, expected: tuple[str, str]) -> None:
    """The same times are found in the other languages, in their own scripts, told the language or not (RC-5)."""
    assert days_of(text, language=language) == expected
    assert days_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "13 July 2025",
        "१३ जुलाई २०२५",
        "١٣ يوليو ٢٠٢٥",
        "１３ July ２０２５",
        "13 กรกฎาคม 2568",
        "2025年7月13日",
    ],
)
def test_digits_and_eras_of_other_scripts(text: str) -> None:
    """Native and full-width digits and Buddhist years are read (RC-5)."""
    assert days_of(text) == ("2025-07-13", "2025-07-14")


def test_a_full_date_is_a_day_and_never_its_month() -> None:
    """The day in "13 July 2024" is not lost, whatever stands around it (RC-5)."""
    found = window_of("So what did we do on 13 July 2024, before the exam?")
    assert found is not None
    assert found.phrase == "13 July 2024"
    assert found.end - found.start == timedelta(days=1)


@pytest.mark.parametrize(
    "now, text, expected",
    [
        ("2024-03-01T00:00:00", "yesterday", ("2024-02-29", "2024-03-01")),
        ("2024-03-01T23:59:59", "yesterday", ("2024-02-29", "2024-03-01")),
        ("2025-03-01T12:00:00", "on 29 February", ("2024-02-29", "2024-03-01")),
        ("2025-03-01T12:00:00", "on 29 February 2023", ("2023-02-01", "2023-03-01")),
        ("2026-01-01T00:00:00", "last week", ("2025-12-22", "2025-12-29")),
        ("2026-01-31T23:59:59", "last month", ("2025-12-01", "2026-01-01")),
        ("2024-03-31T12:00:00", "in the last month", ("2024-02-29", "2024-04-01")),
    ],
)
def test_the_calendars_edges(now: str, text: str, expected: tuple[str, str]) -> None:
    """Leap days, the turn of the year, midnight and the minute before it; a day that never was is its month (RC-5)."""
    assert days_of(text, now=datetime.fromisoformat(now).replace(tzinfo=MADRID), language="en") == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("en julio what did we do?", JULY),
        ("今日 what did we do in July", JULY),
        ("что мы делали last week", WEEK),
        ("was haben wir la semaine dernière gemacht", WEEK),
        ("ما هي photosynthesis التي درسناها في July", JULY),
        ("", None),
        ("\u202e\x00", None),
    ],
)
def test_languages_in_one_question(text: str, expected: tuple[str, str] | None) -> None:
    """A time in one language is found within a question in another; nothing is found in nothing (RC-5)."""
    assert days_of(text) == expected


def test_the_phrase_is_quoted_as_it_stands() -> None:
    """Accents, capitals and decomposed letters of the phrase are those of the text (RC-5)."""
    for text, phrase in [
        ("¿Y EL MIÉRCOLES PASADO?", "EL MIÉRCOLES PASADO"),
        ("am 3. März?", "3. März"),
        ("où étions-nous le 3 août", "le 3 août"),
    ]:
        found = window_of(text)
        assert found is not None
        assert found.phrase == phrase


@pytest.mark.parametrize(
    "text, zone, language, expected",
    [
        ("on 5/6/2026", "America/New_York", "en", "2026-05-06"),
        ("on 5/6/2026", "Europe/London", "en", "2026-06-05"),
        ("on 5/6/2026", "Europe/London", "en-US", "2026-05-06"),
        ("on 13/7", "America/New_York", "en", "2026-07-13"),
        ("am 5.6.2026", "Europe/Berlin", "de", "2026-06-05"),
        ("2026/6/5", "Asia/Tokyo", "ja", "2026-06-05"),
    ],
)
def test_figures_are_read_in_the_order_of_the_place(
    text: str, zone: str, language: str, expected: str
) -> None:
    """Day and month stand in the order of the tag's territory, or else of the zone's (RC-5)."""
    assert days_of(text, now=NOW.astimezone(ZoneInfo(zone)), language=language) == (
        expected,
        (date.fromisoformat(expected) + timedelta(days=1)).isoformat(),
    )


@pytest.mark.parametrize(
    "language, start", [("en", "2026-11-16"), ("en-US", "2026-11-15"), ("ar-EG", "2026-11-14")]
)
def test_weeks_begin_on_monday_unless_the_tag_names_a_territory(language: str, start: str) -> None:
    """A bare language has the world's week, a territory its own (RC-5)."""
    text = "الأسبوع الماضي" if language.startswith("ar") else "last week"
    found = days_of(text, language=language)
    assert found is not None
    assert found[0] == start


def test_days_begin_at_the_students_midnight() -> None:
    """The same instant is another day in another zone, on both sides of the date line (RC-5)."""
    instant = datetime(2026, 11, 25, 10, 30, tzinfo=UTC)
    assert days_of("yesterday", now=instant.astimezone(ZoneInfo("Pacific/Kiritimati"))) == (
        "2026-11-25",
        "2026-11-26",
    )
    assert days_of("yesterday", now=instant.astimezone(ZoneInfo("Pacific/Niue"))) == (
        "2026-11-23",
        "2026-11-24",
    )


def test_a_day_on_which_clocks_change_has_its_true_length() -> None:
    """Windows are built from local midnights, so a day may have 23 or 25 hours (RC-5)."""
    spring = window_of("yesterday", now=datetime(2026, 3, 30, 9, 0, tzinfo=MADRID))
    autumn = window_of("yesterday", now=datetime(2026, 10, 26, 9, 0, tzinfo=MADRID))
    assert spring is not None
    assert autumn is not None
    assert spring.end.astimezone(UTC) - spring.start.astimezone(UTC) == timedelta(hours=23)
    assert autumn.end.astimezone(UTC) - autumn.start.astimezone(UTC) == timedelta(hours=25)


def test_a_skipped_midnight_gives_the_first_instant_after_it() -> None:
    """Where clocks jump over midnight the day begins at a wall-clock time that exists (RC-5)."""
    zone = ZoneInfo("America/Sao_Paulo")
    found = window_of("yesterday", now=datetime(2018, 11, 5, 12, 0, tzinfo=zone))
    assert found is not None
    assert found.start.isoformat() == "2018-11-04T01:00:00-02:00"


def test_a_day_that_a_zone_skipped_is_not_an_empty_window() -> None:
    """Samoa had no 30 December 2011; "yesterday" on the 31st is the 29th there (RC-5)."""
    found = window_of("yesterday", now=datetime(2011, 12, 31, 12, 0, tzinfo=ZoneInfo("Pacific/Apia")))
    assert found is not None
    assert found.start.date() == date(2011, 12, 29)
    assert found.start < found.end


def test_before_and_until_reach_back_to_the_beginning_of_memory() -> None:
    """An open beginning lies decades back; "before" leaves out what it names and "until" takes it in (RC-5)."""
    before, until = window_of("before July"), window_of("until last Monday")
    assert before is not None
    assert until is not None
    assert before.start.year < 1990
    assert before.end.date() == date(2026, 7, 1)
    assert until.end.date() == date(2026, 11, 24)


def test_a_question_in_another_language_than_expected_is_read() -> None:
    """The expected language is a hint and no fence (RC-5)."""
    assert days_of("qu'avons-nous vu la semaine dernière ?", language="en") == WEEK
    assert days_of("先週何をしましたか", language="es") == WEEK


def test_a_time_without_an_offset_is_refused() -> None:
    """A naive time of asking is an error that names it (RC-5)."""
    with pytest.raises(InvalidInput) as refused:
        find_window("yesterday", now=datetime.fromisoformat("2026-01-01"), zone=MADRID)
    assert refused.value.field == "now"


@pytest.mark.parametrize("piece", ["last ", "1/2/3 ", "between ", "july ", "a", "昨", "من ", "\u0301", " "])
def test_a_huge_text_is_read_at_both_ends_only(piece: str) -> None:
    """A question after a million pasted characters is still found (SV-12)."""
    found = window_of(piece * (1_000_000 // len(piece)) + ". What did we do on 13 July 2024?")
    assert found is not None


@given(
    st.text(max_size=80),
    st.sampled_from(["yesterday", "last week", "3 days ago", "in July", "since Monday", "2024-07-13"]),
    st.datetimes(datetime.fromisoformat("2001-01-01"), datetime.fromisoformat("2090-01-01")),
    st.sampled_from(
        ["UTC", "Europe/Madrid", "Asia/Kolkata", "Pacific/Apia", "America/Sao_Paulo", "Africa/Cairo"]
    ),
)
def test_a_window_is_a_past_stretch_and_its_phrase_stands_in_the_text(
    noise: str, phrase: str, moment: datetime, zone: str
) -> None:
    """Whatever is typed, a window begins by now, is not empty, is in the zone and quotes the text (RC-5)."""
    now = moment.replace(tzinfo=ZoneInfo(zone))
    text = f"{noise} {phrase}"
    found = find_window(text, now=now, zone=ZoneInfo(zone))
    if found is not None:
        assert found.start <= now
        assert found.start < found.end
        assert found.start.tzinfo == ZoneInfo(zone)
        assert found.phrase in text
