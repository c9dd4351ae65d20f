"""Which sentences show that one concept builds on another, and which only speak of both (CM-1, CM-4)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts import ExtractedConcept
from anamnesis.domain.extraction.prerequisites import building
from anamnesis.domain.files import Document, Page


def found(text: str) -> dict[str, ExtractedConcept]:
    """Concepts of a one-page text by name in small letters."""
    document = Document("text/markdown", (Page(1, text),))
    return {c.name.lower(): c for c in OfflineConceptReader().read(document, file_name="x").concepts}


#: What a concept builds on, an example of it, and the concept: three definitions, and the three names.
EXAMPLES = {
    "en": (
        "A molecule is a group of atoms.",
        "Starch is a store of energy in plants.",
        "A polymer is a long molecule of like parts, such as starch.",
        ("molecule", "starch", "polymer"),
    ),
    "es": (
        "Una molécula es un grupo de átomos.",
        "El almidón es la reserva de las plantas.",
        "Un polímero es una molécula larga, como por ejemplo el almidón.",
        ("molécula", "almidón", "polímero"),
    ),
    "fr": (
        "Une molécule est un groupe d'atomes liés.",
        "L'amidon est la réserve des plantes.",
        "Un polymère est une molécule longue, par exemple l'amidon.",
        ("molécule", "amidon", "polymère"),
    ),
    "pl": (
        "Cząsteczka to grupa połączonych atomów.",
        "Skrobia to zapas energii roślin.",
        "Polimer to cząsteczka o wielu powtórzonych częściach, na przykład skrobia.",
        ("cząsteczka", "skrobia", "polimer"),
    ),
    "id": (
        "Molekul adalah kumpulan atom yang terikat.",
        "Pati adalah cadangan energi tumbuhan.",
        "Polimer adalah molekul panjang, misalnya pati.",
        ("molekul", "pati", "polimer"),
    ),
    "ar": (
        "الجزيء هو مجموعة من الذرات المترابطة.",
        "النشا هو مخزون الطاقة في النبات.",
        "البوليمر هو الجزيء الطويل المتكرر مثل النشا.",
        ("الجزيء", "النشا", "البوليمر"),
    ),
    "zh": (
        "分子是由原子组成的整体。",
        "淀粉是植物储存能量的物质。",
        "聚合物是一种由重复分子组成的物质,例如淀粉。",
        ("分子", "淀粉", "聚合物"),
    ),
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_an_example_is_no_prerequisite(language: str) -> None:
    """What a definition names as an example of its concept is not what the concept builds on (CM-4)."""
    *sentences, (needed, example, concept) = EXAMPLES[language]
    concepts = found(" ".join(map(str, sentences)))
    assert example in concepts
    assert needed in [name.lower() for name in concepts[concept].builds_on]
    assert example not in [name.lower() for name in concepts[concept].builds_on]


def test_a_sentence_that_only_speaks_of_two_concepts_is_no_evidence() -> None:
    """A sentence that marks a concept and names another is no evidence unless it says what the first one is (CM-4)."""
    other = "Osmosis is the movement of water through a membrane.\n\n"
    spoken = "Gardeners who read of osmosis know **turgor pressure** from their wilting flowers.\n\n"
    said = "**Turgor pressure** is the push of water on a cell wall that comes from osmosis.\n\n"
    more = "Plants stand upright by turgor pressure. Farmers fear it low. Turgor pressure falls in summer.\n"
    assert found(other + said + more)["turgor pressure"].builds_on == ("osmosis",)
    assert found(other + spoken + more)["turgor pressure"].builds_on == ()


def test_a_passing_mention_counts_where_the_other_is_what_many_are_told_with() -> None:
    """A single mention is evidence only for what at least twice as many concepts are told with (CM-4)."""
    order = {name: place for place, name in enumerate(["force", "work", "power", "torque", "lever"])}
    general = {("work", "force"): 2, ("power", "work"): 2, ("torque", "force"): 2, ("lever", "force"): 1}
    assert building(general, order)["lever"] == [("force", 1)]
    special = {("work", "force"): 2, ("power", "lever"): 2, ("lever", "torque"): 1}
    assert "lever" not in building(special, order)
    mutual = {**general, ("force", "lever"): 1}
    assert "lever" not in building(mutual, order)
