"""A time asked for by itself, in words that no cue of the record knows."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.messages.asked_times import only_asks_for_a_time
from anamnesis.service.understanding import understand

NOW = datetime(2026, 10, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "question",
    [
        "Remind me what happened in July.",
        "Which topics came up in July?",
        "List everything from July.",
        "What was I taught in July?",
        "Recuérdame lo que pasó en julio.",
        "Hazme un resumen de julio.",
        "总结一下七月的内容",
        "whatd we do in july",
        "Was ist im Juli passiert?",
        "Fasse den Juli zusammen",
        "Qu'est-ce qui s'est passé en juillet ?",
        "Fais un résumé de juillet",
        "Cosa è successo a luglio?",
        "Fammi un riassunto di luglio",
        "Wat is er in juli gebeurd?",
        "Co się działo w lipcu?",
        "Podsumuj lipiec",
        "Apa yang terjadi di bulan Juli?",
        "Buatkan ringkasan bulan Juli",
        "Temmuzda neler oldu?",
        "Temmuz ayını özetle",
        "Что было в июле?",
        "Подведи итоги июля",
        "Що було в липні?",
        "जुलाई में क्या हुआ?",
        "जुलाई का सारांश दो",
        "ماذا حدث في يوليو؟",
        "لخص يوليو",
        "מה קרה ביולי?",
        "סכם את יולי",
        "7月に何があった？",
        "7月のまとめ",
        "7월에 뭐 했어?",
        "7월 요약해 줘",
        "Tháng 7 đã học gì?",
        "Tóm tắt tháng 7",
        "เดือนกรกฎาคมเรียนอะไร",
        "สรุปเดือนกรกฎาคม",
        "O que aconteceu em julho?",
        "Faça um resumo de julho",
    ],
)
def test_a_month_asked_for_by_itself_is_a_window(question: str) -> None:
    """A question that holds a time and nothing but words that ask for one is about the record of that time (RC-5)."""
    asked = understand(question, now=NOW, zone=ZoneInfo("UTC"))
    assert asked.window is not None
    assert (asked.window.start.month, asked.window.start.year) == (7, 2026)
    assert asked.about == ""


@pytest.mark.parametrize(
    "question",
    [
        "Why did the July Crisis lead to war?",
        "What was the weather of July like on Mars?",
        "Explain photosynthesis in May",
        "What is the average temperature in July?",
        "How many days are in July?",
        "¿Por qué llueve en julio?",
        "Warum ist es im Juli warm?",
        "Why do leaves fall in October?",
        "what happens to plants in July?",
        "Quelle est la température en juillet ?",
        "7月は何日ありますか",
        "為什麼七月會下雨",
        "What happened in May 1968?",
        "summarise the July Revolution",
    ],
)
def test_a_month_of_the_subject_is_none(question: str) -> None:
    """A question that says anything besides its time is about that, and no window opens (RC-5)."""
    asked = understand(question, now=NOW, zone=ZoneInfo("UTC"))
    assert asked.window is None
    assert asked.about


def test_a_long_rest_is_no_frame() -> None:
    """What is longer than a frame is not looked at, however few words it has (SV-12)."""
    assert only_asks_for_a_time("what happened in")
    assert not only_asks_for_a_time("what " * 200_000)
