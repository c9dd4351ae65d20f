"""What a question asks: dates that are a subject, times that are the student's own, recaps of the record."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.messages.intents import Intent, RecordFocus
from anamnesis.service.understanding import understand

MADRID = ZoneInfo("Europe/Madrid")
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=MADRID)


@pytest.mark.parametrize(
    "question",
    [
        "Why did the July Crisis of 1914 lead to war?",
        "Boston Tea Party 16 December 1773",
        "9 November 1989",
        "1989年11月9日",
        "April Theses of Lenin",
        "September 11 attacks",
        "Mayo Clinic",
        "Mar del Plata",
        "Der Mai ist gekommen",
        "三月革命是什么",
        "日曜日の歴史",
        "Mayıs sıkıntısı",
        "Maio de 68",
        "Bloody Sunday",
        "Minggu",
        "Октябрьская революция 7 ноября 1917",
        "What is the March equinox?",
        "Qu'est-ce que le 14 juillet ?",
        "Was ist der 9. November?",
        "¿Qué es el 2 de mayo?",
        "O que foi o 25 de abril?",
        "Who is Friday?",
        "5月4日是什么",
    ],
)
def test_a_date_that_is_the_subject_hides_no_memory(question: str) -> None:
    """A date that a subject is about filters nothing, and is looked up with the rest of the question (RC-5)."""
    asked = understand(question, now=NOW, zone=MADRID)
    assert asked.window is None
    assert asked.intent.intent is Intent.ORDINARY
    assert asked.about == question


@pytest.mark.parametrize(
    "question, first_day",
    [
        ("and in August?", "2026-08-01"),
        ("July?", "2026-07-01"),
        ("Summarize July", "2026-07-01"),
        ("Recap of July", "2026-07-01"),
        ("thanks, and yesterday?", "2026-11-24"),
        ("resumen de julio", "2026-07-01"),
        ("résumé de juillet", "2026-07-01"),
        ("tell me about July", "2026-07-01"),
        ("what happened last week?", "2026-11-16"),
        ("and this week?", "2026-11-23"),
        ("¿y en agosto?", "2026-08-01"),
        ("et en août ?", "2026-08-01"),
        ("und im August?", "2026-08-01"),
        ("e em agosto?", "2026-08-01"),
        ("а в августе?", "2026-08-01"),
        ("ve ağustosta?", "2026-08-01"),
        ("còn tháng 8 thì sao?", "2026-08-01"),
        ("وفي أغسطس؟", "2026-08-01"),
        ("ובאוגוסט?", "2026-08-01"),
        ("dan bulan Agustus?", "2026-08-01"),
        ("8月は？", "2026-08-01"),
        ("那八月呢？", "2026-08-01"),
        ("8월은요?", "2026-08-01"),
        ("¿qué pasó la semana pasada?", "2026-11-16"),
        ("que s'est-il passé hier ?", "2026-11-24"),
        ("was war letzte Woche?", "2026-11-16"),
        ("что было вчера?", "2026-11-24"),
        ("昨日は？", "2026-11-24"),
        ("7月に何をしましたか？", "2026-07-01"),
        ("2週間前に何をした", "2026-11-09"),
    ],
)
def test_a_time_asked_for_alone_is_about_the_record(question: str, first_day: str) -> None:
    """A question that names a time and says nothing else asks what the record holds of it (BL-4)."""
    asked = understand(question, now=NOW, zone=MADRID)
    assert asked.intent.intent is Intent.HISTORY
    assert asked.intent.focus is RecordFocus.COVERED
    assert asked.window is not None
    assert asked.window.start.date().isoformat() == first_day
    assert asked.about == ""


@pytest.mark.parametrize(
    "question", ["what shall we do today?", "help me today", "can we go over cells this week?"]
)
def test_a_time_that_is_not_past_filters_no_ordinary_question(question: str) -> None:
    """Help asked for now is not a question for what happened today (RC-5)."""
    asked = understand(question, now=NOW, zone=MADRID)
    assert asked.window is None
    assert asked.intent.intent is Intent.ORDINARY


def test_a_past_time_counted_from_now_narrows_an_ordinary_question() -> None:
    """Of an ordinary question about something only a past time that is counted from now is a filter (RC-5)."""
    asked = understand("explain osmosis of yesterday", now=NOW, zone=MADRID)
    assert asked.window is not None
    assert asked.window.relative
    assert asked.intent.intent is Intent.ORDINARY
    assert understand("explain osmosis of July", now=NOW, zone=MADRID).window is None


@pytest.mark.parametrize(
    "question",
    """summarize our sessions|give me a recap of our lessons|Fais-moi un résumé de nos séances|résume nos cours
    hazme un resumen de nuestras sesiones|resume nuestras clases|fasse unsere Sitzungen zusammen
    Gib mir eine Zusammenfassung unserer Stunden|faça um resumo das nossas aulas|vat onze lessen samen
    fammi un riassunto delle nostre lezioni|geef me een samenvatting van onze lessen
    zrób podsumowanie naszych lekcji|сделай краткое изложение наших занятий|підсумуй наші заняття
    derslerimizi özetle|tóm tắt các buổi học của chúng ta|ringkas sesi kita|buatkan ringkasan pelajaran kita
    总结一下我们的课程|私たちの授業をまとめて|これまでの授業を要約して|우리 수업을 요약해줘
    지금까지 배운 것을 정리해줘|لخص جلساتنا|סכם את השיעורים שלנו|हमारे सत्रों का सारांश दो
    สรุปบทเรียนของเรา""".replace("\n    ", "|").split("|"),
)
def test_a_recap_of_the_sessions_is_about_the_record(question: str) -> None:
    """Asking for a summary of "our sessions" asks for the record, and names no topic (BL-4)."""
    asked = understand(question, now=NOW, zone=MADRID)
    assert asked.intent.intent is Intent.HISTORY
    assert asked.about == ""


@pytest.mark.parametrize(
    "question",
    [
        "summarize the French revolution",
        "summary of our solar system",
        "résumé de notre système solaire",
        "resumen de nuestra galaxia",
        "メンデルは何を勉強しましたか",
        "アインシュタインは1905年に何をしましたか",
        "織田信長は何をした",
    ],
)
def test_a_subject_summed_up_is_no_record(question: str) -> None:
    """A summary of a subject, and what a third person did, are ordinary questions (BL-4)."""
    assert understand(question, now=NOW, zone=MADRID).intent.intent is Intent.ORDINARY
