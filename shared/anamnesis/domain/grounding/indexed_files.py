"""A file's pages, indexed by their words, and the lines that stand on them (GR-1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from anamnesis.domain.files import Page
from anamnesis.domain.text.languages import UNDETERMINED
from anamnesis.domain.text.sentences import Shape, sentences
from anamnesis.domain.text.terms import MAX_TERM_TEXT_CHARS, index_terms, term_hash

#: Characters of a page that are indexed at once, below what is read for terms: a cut through a word costs that word.
_CHUNK = MAX_TERM_TEXT_CHARS - 100


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a page, the line that it begins in, and the heading above it; a heading is its own.

    Attributes
    ----------
    listed
        Whether it is an item of a list or a row of a table: such a one says nothing of the next.
    """

    text: str
    number: int
    heading: str
    listed: bool = False

    @property
    def is_heading(self) -> bool:
        """Whether it names what follows and says nothing of it."""
        return self.text == self.heading


@dataclass(slots=True)
class FileText:
    """One file's pages and where each of its words stands; made once, used for many answers.

    Attributes
    ----------
    hashes, offsets, pages_of
        For hash i the pages ``pages_of[offsets[i]:offsets[i + 1]]`` (their order in `pages`).
    """

    file_id: str
    name: str
    language: str
    pages: tuple[Page, ...]
    hashes: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.int64]
    pages_of: npt.NDArray[np.uint32]
    _lines: dict[int, tuple[Line, ...]] = field(default_factory=dict)
    _forms: dict[int, tuple[frozenset[str], ...]] = field(default_factory=dict)

    @property
    def chars(self) -> int:
        """Characters of all pages."""
        return sum(len(page.text) for page in self.pages)

    def holding(self, form: str) -> npt.NDArray[np.uint32]:
        """Pages that hold an index term."""
        wanted = np.uint64(term_hash(form))
        at = int(np.searchsorted(self.hashes, wanted))
        if at >= len(self.hashes) or self.hashes[at] != wanted:
            return self.pages_of[:0]
        return self.pages_of[self.offsets[at] : self.offsets[at + 1]]

    def lines(self, page: int) -> tuple[Line, ...]:
        """Sentences of a page."""
        if page not in self._lines:
            self._lines[page] = tuple(_lines(self.pages[page].text))
        return self._lines[page]

    def forms(self, page: int) -> tuple[frozenset[str], ...]:
        """Index terms of each sentence of a page."""
        if page not in self._forms:
            self._forms[page] = tuple(
                frozenset(index_terms(line.text, self.language)) for line in self.lines(page)
            )
        return self._forms[page]


def index_file(file_id: str, name: str, language: str | None, pages: Sequence[Page]) -> FileText:
    """Index a file's pages.

    Parameters
    ----------
    language
        BCP 47 tag of the file's text; None when unknown.
    """
    spoken = language or UNDETERMINED
    where: dict[int, list[int]] = {}
    for number, page in enumerate(pages):
        held: set[str] = set()
        for start in range(0, len(page.text), _CHUNK):
            held.update(index_terms(page.text[start : start + _CHUNK], spoken))
        for form in held:
            where.setdefault(term_hash(form), []).append(number)
    hashes = np.fromiter(sorted(where), dtype=np.uint64, count=len(where))
    counts = np.fromiter((len(where[int(h)]) for h in hashes), dtype=np.int64, count=len(where))
    flat = np.fromiter((p for h in hashes for p in where[int(h)]), dtype=np.uint32, count=int(counts.sum()))
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    return FileText(file_id, name, spoken, tuple(pages), hashes, offsets, flat)


def _lines(text: str) -> Iterator[Line]:
    breaks = [at for at, char in enumerate(text) if char == "\n"]
    heading = ""
    for sentence in sentences(text):
        if sentence.shape is Shape.HEADING:
            heading = sentence.text
        number = bisect_right(breaks, sentence.start - 1) + 1
        yield Line(sentence.text, number, heading, sentence.shape in {Shape.ITEM, Shape.ROW})
