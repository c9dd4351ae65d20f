from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.time_windows import find_window

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=ZoneInfo("Europe/Madrid"))


@pytest.mark.parametrize(
    "text",
    [
        "may I ask a question",
        "Is there water on Mars?",
        "we went to the sun in a second",
        "the march of progress",
        "1984 by Orwell",
        "what is 5/6 of the pie",
        "chapter 7.3",
        "section 1.2.10",
        "in 5 minutes",
        "the second law",
        "question 13 may be hard",
        "solve 3/4 + 1/2",
        "I sat on a chair",
        "how many days are in a year?",
        "what happened in 1789?",
        "mon ami",
        "what may cause it",
        "the last year of the war",
        "next week",
        "Tuesday next week",
        "what will we do tomorrow?",
        "in two weeks",
        "phone 2024-11-1234",
        "la segunda ley de Newton",
        "la superficie de Marte",
        "pasado mañana",
        "la próxima semana",
        "un cuarto de la tarta",
        "bulan mengelilingi bumi",
        "minggu depan",
        "dua minggu lagi",
        "gerhana bulan",
        "a segunda lei de Newton",
        "la planète Mars",
        "hier stehen zwei Zahlen",
        "среда обитания",
        "окружающая среда",
        "aralık nedir?",
        "định luật thứ ba của Newton",
        "हम कल क्या पढ़ेंगे?",
        "मंगल ग्रह",
        "水の性質",
        "월급",
        "",
        "   ",
        "🗓",
    ],
)
def test_what_only_looks_like_a_date_is_no_window(text: str) -> None:
    """A modal verb, a planet, a fraction, a book, a section or the future never becomes a window (RC-5)."""
    assert find_window(text, now=NOW, zone=ZoneInfo("Europe/Madrid")) is None
