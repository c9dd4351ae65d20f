"""Plain words of a language that a text defines, and those that it merely uses (CM-1, CM-2, CM-4)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import support
from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts import ExtractedConcept
from anamnesis.domain.files import Document, Page


def concepts(text: str) -> dict[str, ExtractedConcept]:
    """Concepts of a one-page text by name in small letters."""
    read = OfflineConceptReader().read(Document("text/markdown", (Page(1, text),)), file_name="x")
    return {concept.name.lower(): concept for concept in read.concepts}


LANGUAGES = tomllib.loads((Path(support.__file__).parent / "extraction_plain_words.toml").read_text("utf-8"))


@pytest.mark.parametrize("language", [name for name, said in LANGUAGES.items() if "defined" in said])
def test_a_plain_word_that_is_defined_is_a_concept(language: str) -> None:
    """A word of everyday language, or a name with "of" in it, is a concept where the text says what it is (CM-1)."""
    said = LANGUAGES[language]
    assert set(concepts(said["defined"])) == set(said["names"])


@pytest.mark.parametrize("language", [name for name, said in LANGUAGES.items() if "used" in said])
def test_a_plain_word_that_points_at_the_text_or_a_thing_at_hand_is_no_concept(language: str) -> None:
    """Such forms as "the reason is the …" and "the function is a parabola" define nothing (CM-2)."""
    assert set(concepts(LANGUAGES[language]["used"])) == set()


@pytest.mark.parametrize("sign", ["**{}**: {}", "**{}:** {}", "**{}** – {}", "__{}__: {}"])
def test_marked_lines_in_a_row_are_an_entry_each(sign: str) -> None:
    """Lines that mark a term and say what it is are entries of their own, without a blank line between them (CM-1)."""
    entries = {"Set": "a collection of distinct objects", "Function": "a rule that gives one output to each input",
               "Osmosis": "the movement of water through a membrane"}  # fmt: skip
    text = "\n".join(sign.format(name, meaning) for name, meaning in entries.items())
    found = concepts(f"# Words\n\n{text}\n")
    assert set(found) == {name.lower() for name in entries}
    for name, meaning in entries.items():
        assert meaning in found[name.lower()].gist


@pytest.mark.parametrize(
    "lines",
    [
        "**Time**: Mondays at ten in room five\n**Place**: the old library on the square\n**Name**: Ana from Lisbon",
        "**Día**: lunes y martes por la tarde\n**Lugar**: la biblioteca de la plaza\n**Nota**: el examen dura poco",
        "**Zeit**: montags um zehn in Raum fünf\n**Ort**: die alte Bibliothek am Markt",
        "**Czas**: każdy poniedziałek o dziesiątej rano\n**Miejsce**: stara biblioteka przy rynku",
    ],
)
def test_a_marked_line_that_tells_of_the_course_is_no_entry(lines: str) -> None:
    """A time, a place or a name that a course page sets in bold is no concept (CM-2)."""
    assert set(concepts(f"{lines}\n\nOsmosis osmosis ósmosis.\n")) == set()


@pytest.mark.parametrize(
    "sentence, name",
    [
        ("A collection of distinct objects is called a set.", "set"),
        ("The quotient of sum and number is called the mean.", "mean"),
        ("Una colección de objetos distintos se llama conjunto.", "conjunto"),
        ("Eine Zusammenfassung verschiedener Objekte heißt Menge.", "menge"),
        ("Une collection d'objets distincts est appelée ensemble.", "ensemble"),
    ],
)
def test_a_plain_word_that_is_given_as_a_name_is_a_concept(sentence: str, name: str) -> None:
    """What a sentence gives as the name of something is a concept, though it is a plain word (CM-1)."""
    assert name in concepts(sentence)


def test_an_adjective_begins_a_name_that_comes_back() -> None:
    """The name "small intestine" may begin with "small" where the text repeats it; any small thing may not (CM-1)."""
    fixed = (
        "The small intestine is the part of the gut in which most food is absorbed. Food leaves the stomach for the "
        "small intestine. From the small intestine it moves on."
    )
    assert set(concepts(fixed)) == {"small intestine"}
    assert set(concepts("The small garden is the part of the house in which most guests sit.")) == set()


def test_a_verb_that_looks_like_a_defined_word_is_no_prerequisite() -> None:
    """No mean is named by "they mean": only with an article does such a word say what a concept builds on (CM-4)."""
    defined = "The mean is the sum of all values divided by their number. "
    named = concepts(defined + "A deviation is the distance of a value from the mean of its sample.")
    used = concepts(defined + "A deviation is what people mean by the distance between two values.")
    assert named["deviation"].builds_on == ("mean",)
    assert used["deviation"].builds_on == ()
