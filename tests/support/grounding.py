"""Answers grounded in the pages of one file, without anything remembered."""

from __future__ import annotations

from datetime import UTC, datetime

from anamnesis.domain.files import Page
from anamnesis.domain.grounding.answers import claims_of, ground
from anamnesis.domain.grounding.indexed_files import index_file
from anamnesis.domain.grounding.indexed_memories import Remembered
from anamnesis.domain.grounding.library import Library
from anamnesis.domain.grounding.values import Grounding
from anamnesis.domain.grounding.vocabulary import vocabulary_of

#: Nothing was recalled.
NOBODY = Remembered((), (), datetime(2026, 7, 3, tzinfo=UTC), None)


def grounded(answer: str, *pages: str, language: str = "en", names: tuple[str, ...] = ()) -> Grounding:
    """An answer over the pages of one file, with the names of the subject's concepts."""
    vocabulary = vocabulary_of(names)
    file = index_file("f", "f.md", language, [Page(n, text) for n, text in enumerate(pages, start=1)])
    return ground(claims_of(answer), Library([file], vocabulary), NOBODY, vocabulary)
