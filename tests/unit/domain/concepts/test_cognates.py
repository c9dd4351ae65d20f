"""What names of two languages say about each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.cognates import NameEvidence, name_evidence

COGNATES = """Osmosis|es|Ósmosis
Osmosis|ru|Осмос
Osmosis|ja|オスモシス
Osmosis|hi|ऑस्मोसिस
Mitosis|pl|Mitoza
Mitosis|it|Mitosi
Probability distribution|es|Distribución de probabilidad
Velocity|it|Velocità
Inflation|pl|Inflacja
Inflation|pt|Inflação
Inflation|id|Inflasi
Hypothesis|ru|Гипотеза
Biological rhythm|pl|Rytm biologiczny
Social psychology|de|Sozialpsychologie
Cognitive psychology|fr|Psychologie cognitive
Nucleus|es|Núcleo
Spectrum|es|Espectro
Nitrate|ru|Нитрат
Energy|el|Ενέργεια
Type 1 error|es|Error de tipo I
Structure|es|Estructura
Algebra|uk|Алгебра"""
STRANGERS = """Mitosis|es|Meiosis
Anode|es|Cátodo
Lactose|es|Lactasa
Nitrate|es|Nitrito
Alkane|es|Alqueno
Thymine|es|Tiamina
Polymer|es|Polimerasa
Gene|es|Genoma
Genome|fr|Gène
Median|es|Media
Neuron|es|Neutrón
Photon|ru|Протон
Vertex|es|Vértigo
Substitute|de|Substantiv
Latitude|es|Longitud
Carbon|es|Carbonato"""
OPPOSITES = """Hypotonic|es|Hipertónico
Hypertonic|ru|Гипотонический
Endothermic reaction|de|Exotherme Reaktion
Independent variable|es|Variable dependiente
Inductive|es|Deductivo
Genotype|es|Fenotipo
Eukaryote|es|Procariota
Cation|fr|Anion
Prophase|es|Metafase
Microeconomics|es|Macroeconomía
Type 1 error|es|Error de tipo II
Vitamin B6|es|Vitamina B12
Direct democracy|es|Democracia
Probability|es|Probabilidad condicional
Intracellular fluid|es|Líquido extracelular"""


#: Random text, and joins of words that are cognates or opposites of each other.
WORDS = sorted(
    {word for lines in (COGNATES, STRANGERS, OPPOSITES) for word in lines.replace("|", " ").split()}
)
NAMES = st.one_of(st.text(max_size=20), st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join))


def rows(lines: str) -> list[tuple[str, str, str]]:
    return [
        (one, language, other) for one, language, other in (line.split("|") for line in lines.split("\n"))
    ]


def evidence(one: str, language: str, other: str) -> NameEvidence:
    return name_evidence(canonical_key(one), "en", canonical_key(other), language)


@pytest.mark.parametrize("row", rows(COGNATES))
def test_cognates_agree(row: tuple[str, str, str]) -> None:
    """Names that are one word in two languages agree, over scripts, endings, word order and compounds (CM-3)."""
    assert evidence(*row) is NameEvidence.AGREE


@pytest.mark.parametrize("row", rows(STRANGERS))
def test_names_that_only_look_alike_do_not_agree(row: tuple[str, str, str]) -> None:
    """Names that differ in a vowel, a consonant or an ending that means something are no cognates (CM-3)."""
    assert evidence(*row) in {NameEvidence.NOTHING, NameEvidence.OPPOSED}


@pytest.mark.parametrize("row", rows(OPPOSITES))
def test_opposites_are_opposed(row: tuple[str, str, str]) -> None:
    """Names that differ in an opposing prefix, a number or a narrowing word are opposed (CM-3)."""
    assert evidence(*row) is NameEvidence.OPPOSED


@settings(deadline=None)
@given(NAMES, NAMES)
def test_any_two_names_compare_the_same_both_ways(one: str, other: str) -> None:
    """Comparing two names never fails, and neither name is the first (CM-3)."""
    there = name_evidence(canonical_key(one), "en", canonical_key(other), "es")
    back = name_evidence(canonical_key(other), "es", canonical_key(one), "en")
    assert there is back
