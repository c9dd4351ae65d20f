"""What a text defines, marks or takes for granted, and what it merely says, in many languages (CM-1, CM-2, CM-4)."""

from __future__ import annotations

import pytest

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts import ExtractedConcept, Extraction
from anamnesis.domain.extraction.blocks import BlockKind, blocks
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.files import Document, Page
from support.extraction_passages import CHAPTERS, Lesson

#: A defining sentence per language with a bold term in it, and one that defines nothing.
FRAMES = {
    "en": ("A **{term}** is a tool that opens the {n} doors.", "Everybody likes the energy of the house."),
    "es": ("El **{term}** es el aparato que abre las {n} puertas.", "A todos les gusta la luz de la casa."),
    "pt": ("O **{term}** é o aparelho que abre as {n} portas.", "Todos gostam da luz da casa."),
    "fr": ("Le **{term}** est un appareil qui ouvre les {n} portes.", "Tous aiment la lumière de la maison."),
    "de": ("Der **{term}** ist ein Gerät, das die {n} Türen öffnet.", "Alle mögen das Licht im Haus."),
    "pl": ("**{term}** to urządzenie, które otwiera {n} drzwi.", "Wszyscy lubią światło w tym domu."),
    "id": ("**{term}** adalah alat yang membuka {n} pintu.", "Semua orang suka cahaya di rumah itu."),
    "hi": ("**{term}** वह यंत्र है जो {n} दरवाज़े खोलता है।", "सबको घर की रोशनी पसंद है।"),
    "ar": ("**{term}** هو جهاز يفتح {n} أبواب في البيت.", "الجميع يحب الضوء في البيت."),
}
TERMS = [
    f"{a}{b}"
    for a in ("balto", "dremi", "fulka", "gosta")
    for b in ("ran", "mir", "lok", "ved", "tis", "nup")
]


def read(text: str, media_type: str = "text/markdown") -> Extraction:
    """What the reader makes of a one-page text."""
    return OfflineConceptReader().read(Document(media_type, (Page(1, text),)), file_name="x")


def concepts(text: str, media_type: str = "text/markdown") -> dict[str, ExtractedConcept]:
    """Concepts by the name that they are shown under."""
    return {concept.name: concept for concept in read(text, media_type).concepts}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.language)
def test_paragraphs_that_begin_with_a_definition_give_their_terms_and_nothing_else_does(
    chapter: Lesson,
) -> None:
    """A printed chapter gives every term that a paragraph begins by defining, and none of its everyday words (CM-1)."""
    result = read(chapter.text, "application/pdf")
    assert result.language == chapter.language
    assert {concept.name for concept in result.concepts} == set(chapter.concepts)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.language)
def test_a_gist_is_the_defining_sentence_alone(chapter: Lesson) -> None:
    """A gist is one sentence of the page, from its start, without the heading that stands above it (CM-1)."""
    lines = chapter.text.split("\n")
    running = " ".join(lines)
    concepts = read(chapter.text, "application/pdf").concepts
    assert concepts
    for concept in concepts:
        assert concept.gist in running
        assert sentences(concept.gist) == [concept.gist]
        assert any(line.startswith(concept.gist[:30]) for line in lines)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.language)
def test_headings_of_a_printed_page_are_told_from_its_paragraphs(chapter: Lesson) -> None:
    """The title and the numbered lines of a page without blank lines are headings, every other line is not (CM-2)."""
    lines = chapter.text.strip().split("\n")
    expected = [line for i, line in enumerate(lines) if i == 0 or line[:1].isdigit()]
    read_blocks = blocks([Page(1, chapter.text)], markdown=False)
    assert [block.text for block in read_blocks if block.kind is BlockKind.HEADING] == expected


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.language)
def test_everyday_words_are_not_assumed(chapter: Lesson) -> None:
    """A word that heads a section and comes back, like "wind", is no prerequisite for that (CM-4)."""
    assert [
        concept.assumed for concept in read(chapter.text, "application/pdf").concepts if concept.assumed
    ] == []


@pytest.mark.parametrize("language", FRAMES)
def test_every_marked_and_defined_term_is_found_however_short_the_text(language: str) -> None:
    """Terms in bold that a sentence defines all enter the list, in the middle of a paragraph too (CM-1)."""
    defining, other = FRAMES[language]
    text = " ".join(f"{other} {defining.format(term=term, n=n + 2)}" for n, term in enumerate(TERMS))
    assert set(concepts(f"# {other.rstrip('.।')}\n\n{text}\n")) == set(TERMS)


def test_a_numbered_list_is_no_row_of_headings() -> None:
    """Numbered lines that follow each other are a list, and a deeper number below a number is a heading (CM-2)."""
    page = "2 Cells\n2.1 Parts of a cell\nThe parts of a cell are the following ones:\n1. Wall\n2. Pore\n3. Sap\n"
    kinds = {block.text: block.kind for block in blocks([Page(1, page)], markdown=False)}
    assert kinds["2 Cells"] is kinds["2.1 Parts of a cell"] is BlockKind.HEADING
    assert kinds["Wall"] is kinds["Pore"] is kinds["Sap"] is BlockKind.ITEM


@pytest.mark.parametrize(
    "text, name",
    [
        ("Buoyancy is the push of water on a body. All ships live by buoyancy.", "buoyancy"),
        ("Laser is a device that makes narrow light.", "laser"),
        ("ATP is the molecule that carries energy in cells.", "ATP"),
        ("The Krebs cycle is the series of reactions that strips carbon.", "Krebs cycle"),
        ("Ohm's law is the rule that ties current to voltage.", "Ohm's law"),
        ("Golgi bodies are the sacs that pack proteins. We stain Golgi bodies.", "Golgi bodies"),
        ("pH is the measure of how acid a solution is.", "pH"),
        ("Der Auftrieb ist die Kraft, die ein Körper im Wasser erfährt.", "Auftrieb"),
        ("La flotabilidad es la fuerza con la que el agua empuja un cuerpo.", "flotabilidad"),
        ("Wyporność to siła, z jaką woda wypycha zanurzone ciało.", "wyporność"),
        ("**Işık** bir enerji türüdür ve çok önemlidir.", "ışık"),
    ],
)
def test_names_are_written_as_inside_a_sentence(text: str, name: str) -> None:
    """A name keeps its own capitals and loses the one that the beginning of a sentence gave it (CM-1)."""
    assert list(concepts(text)) == [name]


@pytest.mark.parametrize(
    "sentence",
    [
        "Most patients recall names of friends.",
        "The model assumes rational buyers.",
        "Many of us are familiar with dogs.",
        "A coral builds on rock.",
        "Recall the big bodies called centrioles.",
        "La planta supone agua y suelo.",
        "Roślina zakłada liście.",
    ],
)
def test_ordinary_use_of_such_words_assumes_nothing(sentence: str) -> None:
    """Only a text that speaks of what its reader must know has prerequisites it never explains (CM-4)."""
    found = concepts(f"Momentum is the product of mass and velocity. {sentence}")
    assert [concept.assumed for concept in found.values() if concept.assumed] == []


@pytest.mark.parametrize(
    "text, prerequisite",
    [
        ("इस पाठ के लिए सदिश का ज्ञान आवश्यक है। **संवेग** वह राशि है जो द्रव्यमान और वेग से बनती है।", "सदिश"),
        ("Cette leçon nécessite la connaissance de l'algèbre. La dérivée est une limite de rapports.", "algèbre"),
        ("Die Lektion setzt Kenntnisse der Vektorrechnung voraus. Der Impuls ist das Produkt zweier Größen.",
         "Vektorrechnung"),
        ("Esta lição requer conhecimentos de álgebra. A derivada é um limite de razões.", "álgebra"),
        ("يتطلب معرفة الجبر. المشتقة هي نهاية نسبة بين تغيرين صغيرين.", "الجبر"),
    ],
)  # fmt: skip
def test_what_a_reader_must_know_is_assumed(text: str, prerequisite: str) -> None:
    """What a text says its reader must know is assumed, wherever the language puts the word (CM-4)."""
    assert prerequisite in [name for concept in concepts(text).values() for name in concept.assumed]


def test_a_heading_run_into_its_sentence_is_left_out() -> None:
    """A heading that was glued to the sentence that repeats it is no part of name or gist (CM-1)."""
    found = concepts("Buoyancy Buoyancy is the push of water on a body.")
    assert found["buoyancy"].gist == "Buoyancy is the push of water on a body."


def test_a_text_that_marks_its_terms_is_taken_at_its_word() -> None:
    """Where a text puts its terms in bold, what it explains in passing without bold is left out when short (CM-1)."""
    marked = "\n\n".join(FRAMES["en"][0].format(term=term, n=2) for term in TERMS)
    passing = "We went out. A chimney is a pipe of bricks that lets the smoke out."
    assert "chimney" not in concepts(f"{marked}\n\n{passing}\n")
    assert "chimney" in concepts(f"{passing}\n")
