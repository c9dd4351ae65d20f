"""Search over pages by their words, in any script, without an index beside them (WU-2).

A page matches by the same terms as an episode does (``domain.text.terms``): surface forms and stems of spaced scripts,
pairs of characters of others. Ranking is BM25 (Robertson and Zaragoza 2009, "The probabilistic relevance framework")
over the pages that are searched, so that nothing has to be kept up to date.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.normalisation import without_latin_diacritics
from anamnesis.domain.text.terms import QuestionWord, index_terms, question_words
from anamnesis.domain.wiki.page_format import REFERENCES, ReadPage, read
from anamnesis.domain.wiki.pages import Tree

#: BM25's saturation and length normalisation: the usual values (Robertson and Zaragoza 2009, 3.3).
_K1: Final = 1.2
_B: Final = 0.75
#: A word in a page's title or aliases counts as so many in its text. Ours.
_TITLE_WEIGHT: Final = 6
#: Lines shown of a page that was found, and how much of each, in characters. Ours.
MAX_PASSAGES: Final = 3
MAX_PASSAGE_CHARS: Final = 300
#: How much of a query is read, in characters.
MAX_QUERY_CHARS: Final = 4_000
#: An ending has so many letters, or half as many as the term. Ours.
_ENDING_CHARS: Final = 3
_SPACELESS: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of a page that holds words of the query; `line` counts from 1."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found.

    Attributes
    ----------
    score
        Above 0; comparable within one search only.
    passages
        Its most telling lines, in the order of the page.
    """

    path: str
    title: str
    kind: str
    updated: str
    score: float
    passages: tuple[Passage, ...]


def search(tree: Tree, query: str, *, limit: int, language: str | None = None) -> list[Hit]:
    """Find the pages of a tree that hold the words of a query: ``Corpus(tree).search``."""
    return Corpus(tree).search(query, limit=limit, language=language)


class Corpus:
    """Pages made ready for searches, which takes work that is linear in their size; a search takes much less.

    Parameters
    ----------
    tree
        The pages to search.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._heads: dict[str, str] = {}
        self._plain = {path: plain(text) for path, text in tree.items()}
        #: Of all pages together.
        self.chars = sum(map(len, self._plain.values()))
        self._average = self.chars / max(1, len(tree))

    def search(self, query: str, *, limit: int, language: str | None = None) -> list[Hit]:
        """Find the pages that hold the words of a query, best first.

        Parameters
        ----------
        query
            In any language; its first ``MAX_QUERY_CHARS`` characters are read.
        limit
            Most pages returned.
        language
            A BCP 47 tag of the query's language; detected when it is not given.
        """
        asked = _asked(query, language)
        ranked = self._ranked(asked)[:limit]
        return [_hit(path, self._tree[path], score, asked) for path, score in ranked]

    def ranked(self, query: str, *, limit: int) -> list[str]:
        """Paths of the pages that ``search`` finds, without looking at what they say where."""
        return [path for path, _ in self._ranked(_asked(query, None))[:limit]]

    def _ranked(self, asked: Sequence[QuestionWord]) -> list[tuple[str, float]]:
        scores: dict[str, float] = {}
        for word in asked:
            held = {path: count for path, text in self._plain.items() if (count := _count(word, text))}
            # As BM25 has it, with the 1 that keeps it above 0 for words of most pages.
            rarity = math.log(1 + (len(self._tree) - len(held) + 0.5) / (len(held) + 0.5))
            for path, count in held.items():
                times = count + _TITLE_WEIGHT * _count(word, self._head(path))
                length = 1 - _B + _B * len(self._plain[path]) / self._average
                scores[path] = scores.get(path, 0.0) + rarity * times * (_K1 + 1) / (times + _K1 * length)
        return sorted(scores.items(), key=lambda found: (-found[1], found[0]))

    def _head(self, path: str) -> str:
        if path not in self._heads:
            self._heads[path] = _head(path, self._tree[path])
        return self._heads[path]


def _asked(query: str, language: str | None) -> list[QuestionWord]:
    query = query[:MAX_QUERY_CHARS]
    return [word for word in question_words(query, language or detect_language(query)) if word.needed]


def plain(text: str) -> str:
    """A text in the form in which terms are looked for in it: NFKC, case-folded, without Latin diacritics."""
    return without_latin_diacritics(unicodedata.normalize("NFKC", text).casefold())


def _head(path: str, text: str) -> str:
    """Title, aliases and path of a page, as terms are looked for in them."""
    front: Mapping[str, object] = read(path, text[:MAX_QUERY_CHARS]).front or {}
    aliases = front.get("aliases")
    names = [front.get("title"), *(aliases if isinstance(aliases, list) else ())]
    return plain("\n".join(str(name) for name in names if name))


def _count(word: QuestionWord, text: str) -> int:
    """How often a text holds a word; 0 unless it holds as many of its units as are needed."""
    found = [_occurrences(unit, text) for unit in word.units]
    return max(found) if sum(map(bool, found)) >= word.needed else 0


def _occurrences(unit: Sequence[str], text: str) -> int:
    present = tuple(term for term in unit if term in text)
    if not present:
        return 0
    if any(_SPACELESS.search(term) for term in present):
        return max(text.count(term) for term in present)
    return sum(
        1 for match in _pattern(present).finditer(text) if _is_inflected(match["term"], match["rest"], unit)
    )


@lru_cache(maxsize=1_024)
def _pattern(terms: tuple[str, ...]) -> regex.Pattern[str]:
    """Any of the terms where a word begins ("art" is not in "part"), and how the word goes on."""
    ways = "|".join(regex.escape(term) for term in sorted(terms, key=len, reverse=True))
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}\p{{N}}])(?P<term>{ways})(?P<rest>[\p{{L}}\p{{M}}\p{{N}}]*)")


def _is_inflected(term: str, rest: str, unit: Sequence[str]) -> bool:
    """Whether a word that goes on is a form of the term, and no other word ("parts", not "particles")."""
    return len(rest) <= max(_ENDING_CHARS, len(term) // 2) or not set(unit).isdisjoint(
        index_terms(term + rest, None)
    )


def _hit(path: str, text: str, score: float, asked: Sequence[QuestionWord]) -> Hit:
    page = read(path, text)
    front = page.front or {}
    return Hit(
        path=path,
        title=page.title,
        kind=str(front.get("kind", "")),
        updated=str(front.get("updated", "")),
        score=round(score, 4),
        passages=tuple(_passages(page, asked)),
    )


def _passages(page: ReadPage, asked: Iterable[QuestionWord]) -> list[Passage]:
    words = list(asked)
    told = []
    for line in page.lines:
        if not line.text.strip() or line.section == REFERENCES:
            continue
        held = sum(1 for word in words if _count(word, plain(line.text)))
        if held:
            told.append((-held, line.number, line.text.strip()))
    best = sorted(told)[:MAX_PASSAGES]
    return [Passage(number, text[:MAX_PASSAGE_CHARS]) for _, number, text in sorted(best, key=lambda b: b[1])]
