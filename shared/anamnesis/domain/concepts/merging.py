"""Which names of different files are one concept (CM-3).

Names with one canonical key are one concept. Beyond that an embedding's threshold is necessary and never
enough: on every model tried, different concepts of one chapter ("mitosis", "meiosis") are closer than one
concept in two languages. What must agree besides depends on the languages:

* within one language, the names: the same words up to inflection, spelling, order and function words, a short form
  spelt out or given by the name itself, or a definition that says "also called …" of the other name;
* across languages, what ``translations`` asks for.

Two concepts of one file are never merged by similarity: the file tells them apart. Nor do two groups that share a
language merge through a third one. Of chains (A is like B, B like C, A unlike C) the strongest pair merges first and
the rest only if every one of it goes with every one of the other: complete linkage, in an order that evidence and
names alone decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import regex

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.name_groups import NameGroup
from anamnesis.domain.concepts.translations import COGNATE_SHARE, opposed_names, translations
from anamnesis.domain.concepts.word_forms import name_forms

#: Words of a name whose initials are an abbreviation of it: more than these. Ours.
_MIN_INITIALS = 2
#: Keys of one form that are compared with each other; a hostile list has any number.
_MAX_ALIKE = 50

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
#: Characters behind "also called" in which the other name stands. Ours.
_ALSO_CALLED_CHARS = 100


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
    comparable = [group for group in groups if group.vector is not None]
    if len(comparable) < 2:
        return [[group.key] for group in groups]
    vectors = np.vstack([group.vector for group in comparable if group.vector is not None])
    clusters = _Clusters(groups, comparable, vectors, merge_threshold)
    pairs = list(_agreeing_names(comparable, vectors, merge_threshold))
    for _, one, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        clusters.join(one, other, across_languages=False)
    for pair in translations(comparable, vectors, merge_threshold):
        clusters.join(pair.one, pair.other, across_languages=True)
    return clusters.lists()


class _Clusters:
    """Disjoint sets of keys that know their files and languages."""

    def __init__(
        self,
        groups: Sequence[NameGroup],
        comparable: Sequence[NameGroup],
        vectors: npt.NDArray[np.float32],
        threshold: float,
    ) -> None:
        self._groups = {group.key: group for group in groups}
        self._row = {group.key: row for row, group in enumerate(comparable)}
        self._vectors = vectors
        self._least = threshold + COGNATE_SHARE * (1 - threshold)
        self._members = {group.key: [group.key] for group in groups}
        self._root = {group.key: group.key for group in groups}

    def join(self, one: str, other: str, *, across_languages: bool) -> None:
        """Join the sets of two keys if each of one goes with each of the other."""
        first, second = sorted((self._root[one], self._root[other]))
        if first == second or not all(
            self._go_together(mine, its, across_languages=across_languages)
            for mine in self._members[first]
            for its in self._members[second]
        ):
            return
        for key in self._members[second]:
            self._root[key] = first
        self._members[first] += self._members.pop(second)

    def _go_together(self, one: str, other: str, *, across_languages: bool) -> bool:
        """Whether no file (nor, across languages, a language) tells two keys apart, and they are near enough."""
        first, second = self._groups[one], self._groups[other]
        if first.files & second.files or (across_languages and first.languages & second.languages):
            return False
        if float(self._vectors[self._row[one]] @ self._vectors[self._row[other]]) < self._least:
            return False
        return not across_languages or not opposed_names(first, second)

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
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    spelt_out: dict[str, list[str]] = {}
    for group in groups:
        for language in sorted(group.languages):
            for form in sorted(name_forms(group.key, language)):
                alike.setdefault((language, form), []).append(group.key)
        for short in sorted({*_initials(group.key), *group.short_keys()} - {group.key}):
            spelt_out.setdefault(short, []).append(group.key)
    for keys in alike.values():
        yield from combinations(keys[:_MAX_ALIKE], 2)
    for group in groups:
        # A short form of two things says nothing about which it is.
        meant = spelt_out.get(group.key, [])
        if len(meant) == 1:
            yield group.key, meant[0]
        yield from ((group.key, named) for named in _also_called(group, row) if named != group.key)


def _initials(key: str) -> Iterator[str]:
    """What a name of several words may be shortened to."""
    words = key.split()
    if len(words) > _MIN_INITIALS:
        yield "".join(word[0] for word in words)


def _also_called(group: NameGroup, row: dict[str, int]) -> Iterator[str]:
    """Keys of other groups that a definition of this one gives as its other name."""
    for text in group.texts:
        for cue in _ALSO_CALLED.finditer(text):
            words = canonical_key(text[cue.end() : cue.end() + _ALSO_CALLED_CHARS]).split()
            for length in range(min(len(words), 6), 0, -1):
                if (key := " ".join(words[:length])) in row:
                    yield key
                    break
