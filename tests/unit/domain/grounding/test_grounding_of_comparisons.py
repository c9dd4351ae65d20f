"""Claims that hold one thing against another, and Arabic clauses, whose verbs come first."""

from __future__ import annotations

import pytest

from support.grounding import grounded

#: Language, page, the same from the other side, the opposite of either.
COMPARED = [
    ("en", "Iron is heavier than aluminium.", "Aluminium is lighter than iron.", "Iron is lighter than aluminium."),
    ("en", "Iron is heavier than zinc.", "Zinc is less heavy than iron.", "Zinc is heavier than iron."),
    ("en", "P waves are faster than S waves.", "S waves are slower than P waves.", "S waves are faster than P waves."),
    ("en", "Cats have more teeth than hens.", "Hens have fewer teeth than cats.", "Hens have more teeth than cats."),
    ("es", "El oro es más viejo que el sol.", "El sol es más joven que el oro.", "El oro es más joven que el sol."),
    ("pt", "O Sol é maior do que a Terra.", "A Terra é menor do que o Sol.", "A Terra é maior do que o Sol."),
    ("fr", "L’or est plus lourd que le fer.", "Le fer est plus léger que l’or.", "L’or est plus léger que le fer."),
    ("de", "Eisen ist größer als Zink.", "Zink ist kleiner als Eisen.", "Zink ist größer als Eisen."),
    ("it", "Il Sole è più grande della Terra.", "La Terra è più piccola del Sole.", "La Terra è più grande del Sole."),
    ("nl", "De zon is groter dan de aarde.", "De aarde is kleiner dan de zon.", "De aarde is groter dan de zon."),
    ("id", "Besi lebih berat daripada seng.", "Seng lebih ringan daripada besi.", "Besi lebih ringan daripada seng."),
    ("hi", "सूर्य पृथ्वी से बड़ा है।", "पृथ्वी सूर्य से छोटी है।", "पृथ्वी सूर्य से बड़ी है।"),
    ("ar", "الشمس أكبر من الأرض.", "الأرض أصغر من الشمس.", "الأرض أكبر من الشمس."),
    ("he", "הברזל כבד יותר מהאלומיניום.", "האלומיניום קל יותר מהברזל.", "הברזל קל יותר מהאלומיניום."),
    ("tr", "Demir çinkodan daha ağırdır.", "Çinko demirden daha hafiftir.", "Demir çinkodan daha hafiftir."),
    ("ru", "Железо тяжелее алюминия.", "Алюминий легче железа.", "Алюминий тяжелее железа."),
    ("uk", "Залізо важче за алюміній.", "Алюміній легший за залізо.", "Алюміній важчий за залізо."),
    ("pl", "Słońce jest większe od Ziemi.", "Ziemia jest mniejsza od Słońca.", "Ziemia jest większa od Słońca."),
    ("zh", "太阳比地球大。", "地球比太阳小。", "地球比太阳大。"),
    ("ja", "太陽は地球より大きい。", "地球は太陽より小さい。", "地球は太陽より大きい。"),
    ("ko", "태양은 지구보다 크다.", "지구는 태양보다 작다.", "지구는 태양보다 크다."),
    ("vi", "Sắt nặng hơn nhôm.", "Nhôm nhẹ hơn sắt.", "Sắt nhẹ hơn nhôm."),
    ("th", "เหล็กหนักกว่าอะลูมิเนียม", "อะลูมิเนียมเบากว่าเหล็ก", "เหล็กเบากว่าอะลูมิเนียม"),
]  # fmt: skip


def supported(answer: str, page: str, language: str) -> bool:
    """Whether the one claim of an answer has a source."""
    [claim] = grounded(answer, page, language=language).claims
    return claim.source is not None


@pytest.mark.parametrize("language, page, converse, opposite", COMPARED)
def test_a_comparison_holds_from_the_other_side(
    language: str, page: str, converse: str, opposite: str
) -> None:
    """What a page says of two things supports the same from the other side, and not the opposite of it (GR-1)."""
    assert supported(converse, page, language)
    assert not supported(opposite, page, language)


@pytest.mark.parametrize(
    "page, answer",
    [
        (
            "Iron is heavier than aluminium.",
            "Aluminium is lighter than iron in water, on the Moon and in summer.",
        ),
        ("Iron is heavier than aluminium.", "Zinc is lighter than iron."),
        ("Iron is heavier than aluminium.", "Aluminium is 3 times lighter than iron."),
        ("Iron is not heavier than lead.", "Iron is heavier than lead."),
        ("A whale is heavier than another whale.", "A whale is lighter than another whale."),
    ],
)
def test_a_comparison_supports_nothing_else(page: str, answer: str) -> None:
    """Of other things, with more said of them, or denied, a comparison supports none from the other side (GR-1)."""
    assert not supported(answer, page, "en")


@pytest.mark.parametrize(
    "page, true, planted",
    [
        (
            "تنقل الشرايين الدم من القلب وتعيد الأوردة الدم إلى القلب.",
            ["تنقل الشرايين الدم من القلب.", "تعيد الأوردة الدم إلى القلب."],
            ["تعيد الشرايين الدم إلى القلب.", "تنقل الأوردة الدم من القلب."],
        ),
        (
            "تنتج النباتات الغلوكوز وتستهلك الحيوانات الغلوكوز.",
            ["تنتج النباتات الغلوكوز.", "تستهلك الحيوانات الغلوكوز."],
            ["تستهلك النباتات الغلوكوز.", "تنتج الحيوانات الغلوكوز."],
        ),
        (
            "اكتشف نيوتن الجاذبية واكتشف أينشتاين النسبية.",
            ["اكتشف نيوتن الجاذبية.", "اكتشف أينشتاين النسبية."],
            ["اكتشف أينشتاين الجاذبية.", "اكتشف نيوتن النسبية."],
        ),
        (
            "تضخ القلوب الدم في الجسم، وتضيف الرئتان الأكسجين إليه.",
            ["تضيف الرئتان الأكسجين إلى الدم."],
            ["تضيف القلوب الأكسجين إلى الدم.", "تضخ الرئتان الدم في الجسم."],
        ),
        (
            "درس العالم الأول الضوء، ودرس العالم الثاني الصوت.",
            ["درس العالم الثاني الصوت."],
            ["درس العالم الثاني الضوء.", "درس العالم الأول الصوت."],
        ),
        (
            "الخلية وحدة الحياة، وتحتوي على نواة، وتدور حولها السوائل.",
            ["تحتوي الخلية على نواة.", "تدور السوائل حول الخلية."],
            [],
        ),
    ],
)
def test_clauses_that_begin_with_the_verb_are_not_mixed(
    page: str, true: list[str], planted: list[str]
) -> None:
    """What one Arabic clause says of one thing is no source for another clause's thing, and each has its own (GR-1)."""
    assert [answer for answer in true if not supported(answer, page, "ar")] == []
    assert [answer for answer in planted if supported(answer, page, "ar")] == []
