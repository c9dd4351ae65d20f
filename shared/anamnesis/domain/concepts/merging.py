"""Which names of different files are one concept (CM-3).

Names with one canonical key are one concept. Beyond that an embedding's threshold is necessary and never
enough: on every model tried, different concepts of one chapter ("mitosis", "meiosis") are closer than one
concept in two languages. What must agree besides depends on the languages:

* within one language, the names: the same words up to inflection, order and function words, an initialism
  spelt out, or a definition that says "also called …" of the other name;
* across languages, each must be the other's nearest concept of that language, ahead of the second by a clear
  margin.

Two concepts of one file are never merged by similarity: the file tells them apart. Nor do two groups that
share a language merge through a third one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import regex

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.word_forms import content_stems

#: How far the nearest concept of another language must be ahead of the second, as a share of the distance
#: between the threshold and identity; the unit in which an embedder's cosines spread.
MARGIN_SHARE = 0.1
#: Rows compared at once, so that memory stays linear in the number of concepts.
_ROWS = 512
_MIN_INITIALS = 2

#: What stands before another name of the concept being defined.
_ALSO_CALLED = regex.compile(
    r"\b(?:(?:also|sometimes|often|commonly) (?:called|known as|named|termed|referred to as)|aka|a\.k\.a\."
    r"|también (?:llamad[oa]s?|conocid[oa]s? como|se (?:le )?llama|denominad[oa]s?)"
    r"|também (?:chamad[oa]s?|conhecid[oa]s? (?:como|por))|(?:aussi|également) (?:appelée?s?|nommée?s?)"
    r"|auch(?: als)?|ook wel|anche (?:chiamat[oaie]|dett[oaie])|dett[oa] anche|juga (?:disebut|dikenal sebagai)"
    r"|atau disebut|inaczej|zwan[aey] (?:też|również)|также (?:называем\w+|известн\w+ как)"
    r"|còn (?:gọi là|được gọi là))\s+"
    r"|(?:[也又](?:称|稱)(?:[为為作])?|[也又]叫(?:[做作])?|別名は?|または|ويسمى أيضا|أو ما يسمى|जिसे )\s*",
    flags=regex.IGNORECASE,
)
_ALSO_CALLED_CHARS = 100


@dataclass(slots=True)
class NameGroup:
    """All that the files say under one canonical key.

    Attributes
    ----------
    files, languages
        Where it stands, and in which languages (primary tags; "und" for an unknown one).
    texts
        Gists and definitions.
    vector
        Unit length, shape (dimension,); None without a comparable one.
    """

    key: str
    files: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    vector: npt.NDArray[np.float32] | None = None


def merged_groups(groups: Sequence[NameGroup], *, merge_threshold: float) -> list[list[str]]:
    """Put the keys that are one concept together.

    Parameters
    ----------
    groups
        One per key, sorted by key.
    merge_threshold
        Cosine below which two groups are never one concept.

    Returns
    -------
    list of list of str
        Every key exactly once; each list sorted.
    """
    clusters = _Clusters(groups)
    comparable = [group for group in groups if group.vector is not None]
    if len(comparable) > 1:
        vectors = np.vstack([group.vector for group in comparable if group.vector is not None])
        pairs = list(_agreeing_names(comparable, vectors, merge_threshold))
        for _, one, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
            clusters.join(one, other, across_languages=False)
        pairs = list(_mutually_nearest(comparable, vectors, merge_threshold))
        for _, one, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
            clusters.join(one, other, across_languages=True)
    return clusters.lists()


class _Clusters:
    """Disjoint sets of keys that know their files and languages."""

    def __init__(self, groups: Sequence[NameGroup]) -> None:
        self._members = {group.key: [group.key] for group in groups}
        self._files = {group.key: set(group.files) for group in groups}
        self._languages = {group.key: set(group.languages) for group in groups}
        self._root = {group.key: group.key for group in groups}

    def join(self, one: str, other: str, *, across_languages: bool) -> None:
        """Join the sets of two keys, unless a file (or, across languages, a language) would stand in both."""
        first, second = sorted((self._root[one], self._root[other]))
        if first == second or self._files[first] & self._files[second]:
            return
        if across_languages and self._languages[first] & self._languages[second]:
            return
        for key in self._members[second]:
            self._root[key] = first
        self._members[first] += self._members.pop(second)
        self._files[first] |= self._files.pop(second)
        self._languages[first] |= self._languages.pop(second)

    def lists(self) -> list[list[str]]:
        return [sorted(self._members[root]) for root in sorted(self._members)]


def _agreeing_names(
    groups: Sequence[NameGroup], vectors: npt.NDArray[np.float32], threshold: float
) -> Iterator[tuple[float, str, str]]:
    """Pairs of one language whose names agree and whose vectors are close enough, with the cosine."""
    row = {group.key: index for index, group in enumerate(groups)}
    for one, other in {tuple(sorted(pair)) for pair in _name_pairs(groups, row)}:
        first, second = groups[row[one]], groups[row[other]]
        cosine = float(vectors[row[one]] @ vectors[row[other]])
        if cosine >= threshold and first.languages & second.languages and not first.files & second.files:
            yield cosine, one, other


def _name_pairs(groups: Sequence[NameGroup], row: dict[str, int]) -> Iterator[tuple[str, str]]:
    by_stems: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    initials: dict[str, list[str]] = {}
    for group in groups:
        for language in sorted(group.languages):
            by_stems.setdefault((language, content_stems(group.key, language)), []).append(group.key)
        for short in _initials(group.key):
            initials.setdefault(short, []).append(group.key)
    for keys in by_stems.values():
        yield from ((keys[0], key) for key in keys[1:])
    for group in groups:
        yield from ((group.key, spelt_out) for spelt_out in initials.get(group.key, ()))
        yield from ((group.key, named) for named in _also_called(group, row) if named != group.key)


def _initials(key: str) -> Iterable[str]:
    """Return what a name of several words may be shortened to; "tcp transmission control protocol" is "tcp"."""
    words = key.split()
    if len(words) > _MIN_INITIALS:
        yield "".join(word[0] for word in words)
        if words[0] == "".join(word[0] for word in words[1:]):
            yield words[0]
        if words[-1] == "".join(word[0] for word in words[:-1]):
            yield words[-1]


def _also_called(group: NameGroup, row: dict[str, int]) -> Iterator[str]:
    """Keys of other groups that a definition of this one gives as its other name."""
    for text in group.texts:
        for cue in _ALSO_CALLED.finditer(text):
            words = canonical_key(text[cue.end() : cue.end() + _ALSO_CALLED_CHARS]).split()
            for length in range(min(len(words), 6), 0, -1):
                if (key := " ".join(words[:length])) in row:
                    yield key
                    break


def _mutually_nearest(
    groups: Sequence[NameGroup], vectors: npt.NDArray[np.float32], threshold: float
) -> Iterator[tuple[float, str, str]]:
    """Pairs of different languages that are each other's clear nearest, with the cosine."""
    languages = sorted({language for group in groups for language in group.languages})
    if len(languages) < 2:
        return
    margin = MARGIN_SHARE * (1 - threshold)
    nearest: dict[tuple[int, str], int] = {}
    cosines: dict[tuple[int, str], float] = {}
    for language in languages:
        columns = np.array(
            [i for i, group in enumerate(groups) if language in group.languages], dtype=np.int64
        )
        rows = [i for i, group in enumerate(groups) if language not in group.languages]
        for start in range(0, len(rows), _ROWS):
            chunk = rows[start : start + _ROWS]
            scores = vectors[chunk] @ vectors[columns].T
            order = np.argsort(-scores, axis=1, kind="stable")[:, :2]
            for line, index in enumerate(chunk):
                first = float(scores[line, order[line, 0]])
                second = float(scores[line, order[line, 1]]) if len(columns) > 1 else -1.0
                if first >= threshold and first - second >= margin:
                    nearest[index, language] = int(columns[order[line, 0]])
                    cosines[index, language] = first
    for (index, language), other in nearest.items():
        back = any(nearest.get((other, own)) == index for own in groups[index].languages)
        if back and index < other and not groups[index].files & groups[other].files:
            yield cosines[index, language], groups[index].key, groups[other].key
