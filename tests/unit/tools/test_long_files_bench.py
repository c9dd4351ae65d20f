"""The made-up books of `anamnesis bench long-files`: read as any other file."""

from __future__ import annotations

import pytest

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis_tools.bench.costs import books


@pytest.mark.parametrize(
    "language, made",
    [("en", books.markdown), ("pl", books.word), ("es", books.pdf)],
    ids=["md", "docx", "pdf"],
)
def test_a_made_up_book_is_read_as_what_it_is(language: str, made: books.Made) -> None:
    """A book made for measuring has its language, its pages and its own terms as concepts (CM-1)."""
    pages = 12
    data = made(language, pages)
    assert data == made(language, pages)
    document = ContentFileReader().read(data, declared_media_type="")
    assert len(document.pages) == (pages if made is not books.markdown else 2)
    extraction = OfflineConceptReader().read(document, file_name="book")
    assert extraction.language == language
    terms = set(books.LANGUAGES[language].terms())
    found = [concept.name for concept in extraction.concepts if concept.name in terms]
    assert len(found) > len(extraction.concepts) / 2 > 3


def test_glossaries_share_what_they_are_told_to_share() -> None:
    """Two glossaries in a row have all but so many terms in common (CM-3)."""
    one, other = (
        {
            line.split("**")[1].lower()
            for line in books.glossary("en", n, terms=20, step=5).splitlines()
            if "**" in line
        }
        for n in (0, 1)
    )
    assert (len(one), len(one - other)) == (20, 5)
