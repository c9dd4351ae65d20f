"""Claims over sentences that say different things of different things, and over what is counted as first or second."""

from __future__ import annotations

import pytest

from anamnesis.domain.grounding.values import GroundedClaim
from support.grounding import grounded


def claimed(answer: str, page: str, language: str) -> GroundedClaim:
    """The one claim of an answer over a page."""
    [claim] = grounded(answer, page, language=language).claims
    return claim


@pytest.mark.parametrize(
    "language, page, answer",
    [
        (
            "en",
            "Cats, dogs and big foxes are mammals with fur.",
            "Dogs are mammals with fur.",
        ),
        (
            "en",
            "Cats, dogs and big foxes are mammals with fur.",
            "Foxes are mammals with fur.",
        ),
        (
            "en",
            "Plants need light, warm water and air.",
            "Plants need water.",
        ),
        (
            "en",
            "Photosynthesis takes place in chloroplasts, and it needs light, water and carbon dioxide.",
            "Photosynthesis needs water.",
        ),
        (
            "en",
            "The heart pumps blood through the body, and the lungs add oxygen to it.",
            "The lungs add oxygen to the blood.",
        ),
        (
            "en",
            "Copper conducts electricity well, and so does silver.",
            "Silver conducts electricity well.",
        ),
        (
            "en",
            "Copper conducts electricity well while rubber is an insulator.",
            "Rubber is an insulator.",
        ),
        (
            "en",
            "The first law says that energy is conserved; the second law says that entropy grows.",
            "The second law says that entropy grows.",
        ),
        (
            "en",
            "The first law says that energy is conserved; the second law says that entropy grows.",
            "Energy is conserved by the first law.",
        ),
        (
            "es",
            "Las plantas producen glucosa y los animales la consumen.",
            "Los animales consumen glucosa.",
        ),
        (
            "es",
            "Las plantas producen glucosa y los animales la consumen.",
            "Las plantas producen glucosa.",
        ),
        (
            "de",
            "Pflanzen stellen Zucker her, und Tiere verbrauchen ihn.",
            "Tiere verbrauchen Zucker.",
        ),
        (
            "de",
            "Hunde, Katzen und Füchse sind Säugetiere mit Fell.",
            "Katzen sind Säugetiere mit Fell.",
        ),
        (
            "hi",
            "पौधे भोजन बनाते हैं और जानवर उसे खाते हैं।",
            "जानवर भोजन खाते हैं।",
        ),
        (
            "zh",
            "植物制造糖，动物消耗糖。",
            "动物消耗糖。",
        ),
        (
            "fr",
            "Les artères emportent le sang loin du cœur, tandis que les veines le ramènent.",
            "Les veines ramènent le sang.",
        ),
        (
            "ru",
            "Растения производят глюкозу, а животные её потребляют.",
            "Животные потребляют глюкозу.",
        ),
        (
            "en",
            "Mitosis makes two identical cells, whereas meiosis makes four different ones.",
            "Meiosis makes four different cells.",
        ),
        (
            "tr",
            "Bitkiler glikoz üretir, hayvanlar ise onu tüketir.",
            "Hayvanlar glikoz tüketir.",
        ),
        (
            "ja",
            "植物は糖を作り、動物はそれを消費する。",
            "動物は糖を消費する。",
        ),
    ],
)
def test_what_a_clause_or_an_item_says_is_traced(language: str, page: str, answer: str) -> None:
    """What one clause says, and what is said of every item of a list, comes from its sentence (GR-1)."""
    assert claimed(answer, page, language).source is not None


@pytest.mark.parametrize(
    "language, page, answer",
    [
        (
            "en",
            "Mitosis makes two identical cells, whereas meiosis makes four different ones.",
            "Meiosis makes two identical cells.",
        ),
        (
            "en",
            "Copper conducts electricity well, while rubber blocks it.",
            "Rubber conducts electricity well.",
        ),
        (
            "fr",
            "Les artères emportent le sang loin du cœur, tandis que les veines le ramènent.",
            "Les veines emportent le sang loin du cœur.",
        ),
        (
            "es",
            "Las plantas producen glucosa con la luz y los animales la consumen.",
            "Los animales producen glucosa con la luz.",
        ),
        (
            "de",
            "Pflanzen stellen mit Licht Zucker her, während Tiere ihn verbrauchen.",
            "Tiere stellen mit Licht Zucker her.",
        ),
        (
            "hi",
            "पौधे सूर्य के प्रकाश से भोजन बनाते हैं और जानवर उसे खाते हैं।",
            "जानवर सूर्य के प्रकाश से भोजन बनाते हैं।",
        ),
        (
            "zh",
            "植物利用阳光制造糖，动物消耗糖。",
            "动物利用阳光制造糖。",
        ),
        (
            "ru",
            "Растения производят глюкозу на свету, а животные её потребляют.",
            "Животные производят глюкозу на свету.",
        ),
        (
            "tr",
            "Bitkiler ışıkla glikoz üretir, hayvanlar ise onu tüketir.",
            "Hayvanlar ışıkla glikoz üretir.",
        ),
        (
            "ko",
            "식물은 빛으로 포도당을 만들고, 동물은 그것을 소비한다.",
            "동물은 빛으로 포도당을 만든다.",
        ),
        (
            "ja",
            "植物は光で糖を作り、動物はそれを消費する。",
            "動物は光で糖を作る。",
        ),
        (
            "id",
            "Tumbuhan membuat gula dengan cahaya, sedangkan hewan memakannya.",
            "Hewan membuat gula dengan cahaya.",
        ),
        (
            "vi",
            "Thực vật tạo ra đường nhờ ánh sáng, còn động vật tiêu thụ nó.",
            "Động vật tạo ra đường nhờ ánh sáng.",
        ),
        (
            "pl",
            "Rośliny wytwarzają cukier dzięki światłu, a zwierzęta go zużywają.",
            "Zwierzęta wytwarzają cukier dzięki światłu.",
        ),
    ],
)
def test_what_is_said_of_another_thing_is_not_traced(language: str, page: str, answer: str) -> None:
    """A claim that gives one clause's thing what another clause says is not what the file says (GR-1)."""
    assert claimed(answer, page, language).source is None


@pytest.mark.parametrize(
    "language, page, answer",
    [
        (
            "en",
            "The treaty ended the First World War.",
            "The treaty ended the Second World War.",
        ),
        (
            "es",
            "El tratado puso fin a la Primera Guerra Mundial.",
            "El tratado puso fin a la Segunda Guerra Mundial.",
        ),
        (
            "fr",
            "Le traité mit fin à la Première Guerre mondiale.",
            "Le traité mit fin à la Seconde Guerre mondiale.",
        ),
        ("de", "Der Vertrag beendete den Ersten Weltkrieg.", "Der Vertrag beendete den Zweiten Weltkrieg."),
        ("pl", "Traktat zakończył pierwszą wojnę światową.", "Traktat zakończył drugą wojnę światową."),
        ("ru", "Договор завершил Первую мировую войну.", "Договор завершил Вторую мировую войну."),
        ("tr", "Antlaşma Birinci Dünya Savaşı'nı bitirdi.", "Antlaşma İkinci Dünya Savaşı'nı bitirdi."),
        (
            "id",
            "Perjanjian itu mengakhiri Perang Dunia Pertama.",
            "Perjanjian itu mengakhiri Perang Dunia Kedua.",
        ),
        ("hi", "संधि ने प्रथम विश्व युद्ध समाप्त किया।", "संधि ने द्वितीय विश्व युद्ध समाप्त किया।"),
        ("ar", "أنهت المعاهدة الحرب العالمية الأولى.", "أنهت المعاهدة الحرب العالمية الثانية."),
        ("zh", "条约结束了第一次世界大战。", "条约结束了第二次世界大战。"),
        ("ko", "조약은 제1차 세계 대전을 끝냈다.", "조약은 제2차 세계 대전을 끝냈다."),
    ],
)
def test_first_is_not_second(language: str, page: str, answer: str) -> None:
    """What is counted as second does not come from a line about the first, in any language that is known (GR-1)."""
    assert claimed(page, page, language).source is not None
    assert claimed(answer, page, language).source is None


def test_of_two_things_compared_each_keeps_its_place() -> None:
    """Where a word behind the noun tells which is more, two nouns that change places say something else (GR-1)."""
    page = "लोहा एल्युमिनियम से भारी है।"
    assert claimed(page, page, "hi").source is not None
    assert claimed("एल्युमिनियम लोहे से भारी है।", page, "hi").source is None
