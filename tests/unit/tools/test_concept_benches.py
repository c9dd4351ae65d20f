"""The measurements of the concept reader and of its prerequisites, on a small chapter and a few labelled pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anamnesis_tools.bench.files import concepts, prerequisites
from anamnesis_tools.bench.files.key_terms import KeyTerm, chapters, lenient, strict

TEXT = """# Water

## Moving water

Osmosis is the diffusion of water through a membrane. Diffusion is the spreading of particles from many to few.
Erosion is a slow loss of soil.

## More water

A solvent is a liquid that takes up other matter. Every morning the water is cold.
"""
BOOK = {
    "lang": "en",
    "glossary": [
        {"term": "osmosis", "definition": "diffusion of water through a membrane", "module": "m1"},
        {
            "term": "diffusion (spreading)",
            "definition": "movement of particles from many to few",
            "module": "m1",
        },
        {"term": "solvent", "definition": "liquid that takes up other matter", "module": "m2"},
        {"term": "solution", "definition": "what a solvent and other matter make together", "module": "m2"},
    ],
    "modules": [
        {"module": "m1", "title": "Moving water", "key_terms_inline": ["Osmosis", "Robert Brown"]},
        {"module": "m2", "title": "More water", "key_terms_inline": ["membrane"]},
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one chapter."""
    (tmp_path / "water.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "water.json").write_text(json.dumps(BOOK), encoding="utf-8")
    return tmp_path


def test_the_reader_is_scored_against_the_books_terms(folder: Path) -> None:
    """Precision and recall count names that are key terms, pages the part that lists the term (CM-1)."""
    measured = concepts.measure(folder)
    reader = next(result for result in measured.methods if result.method == concepts.READ)
    assert reader.found == 4
    assert (reader.strict.precision, reader.strict.recall) == (0.75, 0.75)
    assert reader.wide.recall == pytest.approx(0.6)
    assert measured.explanations[0].right_part == 1.0
    assert {result.method for result in measured.methods} == {concepts.READ, "YAKE", "TF-IDF", "headings"}


def test_people_are_no_key_terms_and_brackets_hold_other_names(folder: Path) -> None:
    """A person in bold is left out of the book's terms, and a name in brackets is one of the term's (CM-1)."""
    chapter = chapters(folder)[0]
    names = [sorted(term.names) for term in chapter.inline]
    assert ["diffusion", "spreading"] in names
    assert not any("brown" in name for term in names for name in term)


def test_a_near_name_is_another_form_or_all_words_but_one() -> None:
    """A lenient match forgives inflection and one word of three, never a single word of two (CM-1)."""
    term = KeyTerm(frozenset({"simple random sample"}), "", "")
    assert lenient("random sample", term, "en")
    assert not strict("random sample", term)
    assert not lenient("sample", KeyTerm(frozenset({"random sample"}), "", ""), "en")


def test_edges_are_scored_over_the_labelled_pairs(tmp_path: Path) -> None:
    """What is no labelled pair is not counted, and a direction is right when only it is seen (CM-1)."""
    labels = {
        "geometry": {
            "concepts": ["Rectangle", "Quadrilateral", "Cone"],
            "prerequisites": [{"concept": "Rectangle", "needs": "Quadrilateral"}],
            "negatives": [
                {"concept": "Quadrilateral", "not_needs": "Rectangle"},
                {"concept": "Cone", "not_needs": "Rectangle"},
            ],
        }
    }
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps(labels), encoding="utf-8")
    scores = {score.method: score for score in prerequisites.measure(file)}
    assert (scores["reader"].precision, scores["reader"].recall, scores["reader"].direction) == (1, 1, 1)
    assert scores["always"].precision == pytest.approx(1 / 3)


@pytest.mark.parametrize("domain", ["physics", "geometry"])
def test_each_concept_has_a_text_that_names_it(domain: str) -> None:
    """Our own explanation of each concept names it, so that every method has something to read (CM-1)."""
    texts = prerequisites.own_texts(domain)
    told = prerequisites.explained(list(texts), texts)
    assert all(concept.gist for concept in told)
    named = [text for title, text in texts.items() if title.split("_")[0].casefold()[:4] in text.casefold()]
    assert len(named) >= 0.97 * len(texts)
