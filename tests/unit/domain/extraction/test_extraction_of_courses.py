"""Course texts in sixteen languages: terms explained in many ways among people, examples, exercises (CM-1, CM-2)."""

from __future__ import annotations

import pytest
import regex

from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts import Extraction
from anamnesis.domain.extraction.candidates import form_key
from anamnesis.domain.files import Document, Page
from support.extraction_passages import COURSES, Lesson

#: Least share of a text's terms that are found, and of what is found that is a term.
LEAST_RECALL, LEAST_PRECISION = 0.8, 0.8


def extraction(text: str) -> Extraction:
    """What the reader makes of a Markdown text, one page for each section."""
    sections = [part for part in regex.split(r"^(?=#)", text, flags=regex.MULTILINE) if part.strip()]
    pages = tuple(Page(number, part) for number, part in enumerate(sections, start=1))
    return OfflineConceptReader().read(Document("text/markdown", pages), file_name="course.md")


def forms(names: list[str], language: str) -> set[str]:
    """Names without their inflection, as far as the language's stemmer goes."""
    key_of = form_key(language)
    return {key_of(name.casefold()) for name in names}


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.language)
def test_terms_are_found_in_every_language_and_little_else(course: Lesson) -> None:
    """In each language at least four of five terms are found, and at most one of five things found is none (CM-1)."""
    result = extraction(course.text)
    found = forms([concept.name for concept in result.concepts], course.language)
    wanted = forms(list(course.concepts), course.language)
    assert result.language == course.language
    assert len(found & wanted) >= LEAST_RECALL * len(wanted)
    assert len(found & wanted) >= LEAST_PRECISION * len(found)


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.language)
def test_the_page_is_the_section_that_explains(course: Lesson) -> None:
    """Every page given for a concept is a section in which its name stands (CM-1)."""
    result = extraction(course.text)
    sections = [part for part in regex.split(r"^(?=#)", course.text, flags=regex.MULTILINE) if part.strip()]
    key_of = form_key(course.language)
    assert result.concepts
    for concept in result.concepts:
        stem = key_of(concept.name.split(" ")[0].casefold())[:4]
        for page in concept.pages:
            text = sections[page - 1].casefold()
            assert stem in text or concept.name.casefold() in " ".join(text.split())


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.language)
def test_no_person_example_or_exercise_is_a_concept(course: Lesson) -> None:
    """Nobody who is named, nothing from an exercise and no heading of a part of the text becomes a concept (CM-2)."""
    exercises = course.text.rstrip().rsplit("\n## ", 1)[1]
    heading = exercises.split("\n", 1)[0]
    names = {concept.name for concept in extraction(course.text).concepts}
    assert heading not in names
    for name in names - set(course.concepts):
        assert f"{name} " not in exercises.split("\n", 1)[1]
        assert (
            not all(word[:1].isupper() for word in name.split()) or course.language == "de" or " " not in name
        )
