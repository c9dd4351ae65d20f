"""Sentences changed by one word, one "not" or one people, and true ones that look like talk, in several languages."""

from __future__ import annotations

import pytest

from anamnesis.domain.grounding.answers import claims_of
from anamnesis.domain.grounding.values import Shortfall
from support.grounding import grounded


@pytest.mark.parametrize(
    "said",
    [
        "Pressure rises with depth.",
        "Measure theory generalises length.",
        "Вода кипит при 100 градусах Цельсия.",
        "La comida aporta energía.",
        "太阳是恒星，很好观察。",
    ],
)
def test_a_word_that_ends_like_courtesy_is_none(said: str) -> None:
    """A sentence whose first word ends like "sure" or "да" claims something all the same (GR-1)."""
    assert len(claims_of(said).claims) == 1


@pytest.mark.parametrize(
    "language, said, page",
    [
        ("zh", "水在100摄氏度不沸腾。", "水在100摄氏度沸腾。动物细胞没有叶绿体。"),
        ("ja", "水は100度で沸騰しない。", "水は100度で沸騰する。動物細胞には葉緑体がない。"),
        (
            "ko",
            "물은 섭씨 100도에서 끓지 않는다.",
            "물은 섭씨 100도에서 끓는다. 동물 세포에는 엽록체가 없다.",
        ),
        ("ko", "물은 섭씨 100도에서 끓지 않는다.", "물은 섭씨 100도에서 끓는다."),
        (
            "tr",
            "Su 100 santigrat derecede kaynamaz.",
            "Su 100 santigrat derecede kaynar. Hayvan hücrelerinde kloroplast bulunmaz.",
        ),
        (
            "en",
            "Prokaryotes have a nucleus in their cells, whereas red blood cells of mammals have no mitochondria.",
            "Prokaryotes have no nucleus in their cells, whereas red blood cells of mammals have mitochondria.",
        ),
    ],
)
def test_a_denial_nearby_is_not_the_lines_own(language: str, said: str, page: str) -> None:
    """A "not" that was put in is found, even where another clause or the next sentence denies something (GR-1)."""
    found = grounded(said, page, language=language)
    assert [claim.problem for claim in found.claims] == [Shortfall.NEGATION]


@pytest.mark.parametrize(
    "language, said, page",
    [
        ("es", "La Revolución rusa comenzó en julio de 1789.", "La Revolución francesa comenzó en julio de 1789."),
        ("fr", "La Révolution russe commença en juillet 1789.", "La Révolution française commença en juillet 1789."),
        ("it", "La Rivoluzione russa iniziò nel luglio 1789.", "La Rivoluzione francese iniziò nel luglio 1789."),
        ("pl", "Rewolucja rosyjska rozpoczęła się w lipcu 1789.", "Rewolucja francuska rozpoczęła się w lipcu 1789."),
        ("pt", "A marinha espanhola venceu a batalha em 1805.", "A marinha inglesa venceu a batalha em 1805."),
    ],
)  # fmt: skip
def test_another_people_is_another_name(language: str, said: str, page: str) -> None:
    """Another people put in the place of one is found where such adjectives have no capital (GR-1)."""
    found = grounded(said, page, language=language)
    assert [claim.problem for claim in found.claims] == [Shortfall.TERM]
    assert grounded(page, page, language=language).traced == 1


LIST = "- Mitochondria release energy\n- Ribosomes make proteins\n- Lysosomes digest waste\n"
TABLE = "| Element | Symbol | Number |\n|---|---|---|\n| Iron | Fe | 26 |\n| Gold | Au | 79 |\n| Silver | Ag | 47 |\n"


@pytest.mark.parametrize(
    "page, said, traced",
    [
        (LIST, "Mitochondria release energy.", 1),
        (LIST, "Mitochondria release energy, and ribosomes make proteins.", 1),
        (LIST, "Ribosomes release energy.", 0),
        (LIST, "Lysosomes make proteins.", 0),
        (TABLE, "Gold has the symbol Au and the number 79.", 1),
        (TABLE, "Gold has the atomic number 26.", 0),
        (TABLE, "Iron has the number 79.", 0),
    ],
)
def test_rows_and_items_speak_for_themselves(page: str, said: str, traced: int) -> None:
    """What one row or item says is not what another one's name stands for (GR-1)."""
    assert grounded(said, page).traced == traced


def test_two_sentences_do_not_lend_each_other_their_numbers() -> None:
    """A number that the next sentence gives something else is not this one's, and an "it" is what was named (GR-1)."""
    page = "Cells hold 300 mitochondria. The nucleus holds 46 chromosomes. It is wrapped in a membrane."
    assert grounded("Cells hold 46 mitochondria.", page).traced == 0
    assert grounded("The nucleus is wrapped in a membrane.", page).traced == 1
