"""Retrieval over course files: the same for every design, so that designs differ in memory alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anamnesis.domain.files import Page
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.terms import index_terms, terms
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.offline import file_reader
from anamnesis.ports import Embedder
from anamnesis_tools.bench.histories.values import CourseFile

#: Characters of a passage at most: a few paragraphs of a page.
PASSAGE_CHARS = 900
#: Okapi BM25's parameters as in Robertson and Zaragoza 2009, and the constant of reciprocal rank fusion as in Cormack
#: et al. 2009.
_K1, _B = 1.2, 0.75
_FUSION = 60
_BREAK = re.compile(r"\n\s*\n|(?<=[.!?।؟])\s+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a page."""

    file: str
    page: int
    text: str


class FileSearch:
    """Finds passages of some files by words and by meaning.

    Parameters
    ----------
    files
        Read by the service's own reader; none gives nothing to find.
    """

    def __init__(self, files: Sequence[CourseFile], embedder: Embedder) -> None:
        reader = file_reader()
        self._passages = [
            Passage(file.name, page.number, text)
            for file in files
            for page in reader.read(file.data, declared_media_type=file.media_type).pages
            for text in _pieces(page)
        ]
        self._embedder = embedder
        texts = [passage.text for passage in self._passages]
        self._vectors = embedder.embed_passages(texts) if texts else None
        self._terms = [Counter(index_terms(p.text, detect_language(p.text))) for p in self._passages]
        lengths = np.array([sum(counted.values()) for counted in self._terms], dtype=np.float64)
        self._relative = lengths / lengths.mean() if len(lengths) else lengths
        held: Counter[str] = Counter()
        for counted in self._terms:
            held.update(counted.keys())
        total = len(self._passages)
        self._rarity = {term: np.log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in held.items()}

    def find(self, question: str, budget_tokens: int) -> list[Passage]:
        """Return the best passages, best first, as long as they fit together into `budget_tokens`."""
        if self._vectors is None:
            return []
        found, spent = [], 0
        for row in np.argsort(-self._scores(question, self._vectors), kind="stable").tolist():
            cost = estimate_tokens(shown(self._passages[row])) + 1
            if spent + cost > budget_tokens:
                break
            spent += cost
            found.append(self._passages[row])
        return found

    def _scores(self, question: str, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        asked = [term for term in terms(question, detect_language(question)) if term in self._rarity]
        by_words = np.array([self._bm25(row, asked) for row in range(len(self._passages))])
        by_meaning = vectors @ self._embedder.embed_query(question)
        fused: npt.NDArray[np.float64] = _reciprocal_ranks(by_words) + _reciprocal_ranks(by_meaning)
        return fused

    def _bm25(self, row: int, asked: Sequence[str]) -> float:
        counted, norm = self._terms[row], _K1 * (1 - _B + _B * self._relative[row])
        return float(sum(self._rarity[t] * counted[t] * (_K1 + 1) / (counted[t] + norm) for t in asked))


def _reciprocal_ranks(scores: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    ranks = np.empty(len(scores), dtype=np.float64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    # What has none of the words has no rank among the words.
    return np.where(scores > 0, 1 / (_FUSION + ranks), 0.0)


def shown(passage: Passage) -> str:
    """Return a passage as a prompt has it."""
    return f"[{passage.file}, page {passage.page}] {passage.text}"


def _pieces(page: Page) -> Iterator[str]:
    """Cut a page at paragraphs and sentences into passages."""
    held = ""
    for part in _BREAK.split(page.text):
        part = " ".join(part.split())  # noqa: PLW2901 tidied
        if held and len(held) + len(part) > PASSAGE_CHARS:
            yield held
            held = ""
        held = f"{held} {part}".strip()[: 2 * PASSAGE_CHARS]
    if held:
        yield held
