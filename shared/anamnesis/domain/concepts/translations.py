"""Which concepts of two languages are one: near each other, and how near depends on what their names say.

Embeddings alone cannot tell. On every model tried, near neighbours in two languages ("supply", "demanda") are as
close as translations are, and files in two languages share few concepts, so that the nearest one is mostly not the
same. So the names decide what else is asked for:

* names that are cognates word by word are nearly enough by themselves;
* others must be each other's nearest, ahead of the second by a margin that is wide where the names have nothing in
  common; and nearer still unless cognates show that the files are about the same things, so that a translation is
  there to be found; and where there are too few others to be ahead of, hardly any closeness is enough;
* or they must be so much alike, and so far ahead, when each language's mean is taken away: what all concepts of a
  language share says nothing of any, and covers what two languages without cognates have in common;
* names that differ in a number, an opposing prefix or a word that only one has are never one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt
import regex

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.cognates import NameEvidence, name_evidence
from anamnesis.domain.concepts.name_groups import NameGroup

#: How near two concepts must be, beside the embedder's threshold, and how far ahead of the second nearest: both as
#: shares of the distance between the threshold and identity, the unit in which an embedder's cosines spread. Ours:
#: nearness so that none of the near neighbours in ``tests/data/embedder_calibration.json`` merge, leads by where wrong
#: pairs ended among the names that ``anamnesis bench concept-names`` reads, whose figures are development figures.
COGNATE_SHARE: Final = -0.4
OTHER_SHARE: Final = 0.3
LEAD_SHARE: Final = {NameEvidence.PARTLY: 0.15, NameEvidence.NOTHING: 0.3}
#: Two languages whose concepts so often have one key or are cognates, in number and of the smaller side, are about the
#: same things: then a concept's translation is there to be found, and the threshold itself is near enough.
MIN_SHARED: Final = 4
MIN_SHARED_PART: Final = 0.1
#: How near they must be where fewer than this many other concepts of either language are there to be ahead of.
ALONE_SHARE: Final = 0.6
MIN_RIVALS: Final = 4
#: Least cosine, and least lead, of two concepts from the means of their languages, and how many concepts a language
#: needs for its mean. Ours: wrong pairs of the same names end at 0.64, and the lead is half of what they reach.
CENTRED: Final = 0.67
CENTRED_LEAD: Final = 0.15
MIN_CENTRED: Final = 10
#: Beside these the lead in plain cosines may be this small, as a share.
CENTRED_LEAD_SHARE: Final = 0.1
#: How many of the nearest are looked through for a cognate.
_LOOKED_AT: Final = 5
#: Rows compared at once, so that memory stays linear in the number of concepts.
_ROWS: Final = 512
_PARENTHESES = regex.compile(r"\s*\([^()]*\)?")

#: A concept's row, and a language that it has no name in.
_Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Translation:
    """Two keys that are one concept; the strongest evidence sorts first."""

    weakness: int
    cosine: float
    one: str
    other: str

    def rank(self) -> tuple[int, float, str, str]:
        """Where the pair stands in the order of merging."""
        return self.weakness, -self.cosine, self.one, self.other


@dataclass(frozen=True, slots=True)
class _Nearest:
    """The nearest concepts of one language to a concept, nearest first, and their cosines."""

    rows: tuple[int, ...]
    cosines: tuple[float, ...]

    @property
    def lead(self) -> float:
        """How far the nearest is ahead; a language with a single concept says nothing about that."""
        return self.cosines[0] - self.cosines[1] if len(self.cosines) > 1 else self.cosines[0]


def translations(
    groups: Sequence[NameGroup], vectors: npt.NDArray[np.float32], threshold: float
) -> list[Translation]:
    """Return the pairs that are one concept in two languages, in the order to merge them.

    Parameters
    ----------
    groups
        Sorted by key; all with a vector.
    vectors
        Shape (groups, dimension), unit length, in the order of `groups`.
    threshold
        The embedder's ``merge_threshold``.
    """
    return sorted(_Comparison(groups, vectors, threshold).pairs(), key=Translation.rank)


def opposed_names(one: NameGroup, other: NameGroup) -> bool:
    """Whether the names of two groups of different languages rule out that they are one concept."""
    return any(
        _evidence(one, other, own, language) is NameEvidence.OPPOSED
        for own in one.languages
        for language in other.languages
    )


def _evidence(one: NameGroup, other: NameGroup, own: str, language: str) -> NameEvidence:
    """What the names say; what stands in parentheses explains a name, and is a weaker word for it."""
    evidence = name_evidence(one.key, own, other.key, language)
    if evidence is not NameEvidence.AGREE:
        plain, its_plain = _plain_key(min(one.names, default="")), _plain_key(min(other.names, default=""))
        if (plain or its_plain) and (
            name_evidence(plain or one.key, own, its_plain or other.key, language) is NameEvidence.AGREE
        ):
            return NameEvidence.PARTLY
    return evidence


class _Comparison:
    """The concepts of a subject, and to each its nearest of every language that it has no name in."""

    def __init__(
        self, groups: Sequence[NameGroup], vectors: npt.NDArray[np.float32], threshold: float
    ) -> None:
        self._groups = groups
        self._vectors = vectors
        self._threshold, self._room = threshold, 1 - threshold
        #: Rows of the concepts that have a name in a language.
        self._members: dict[str, list[int]] = {}
        for row, group in enumerate(groups):
            for language in sorted(group.languages):
                self._members.setdefault(language, []).append(row)
        self._nearest: dict[_Place, _Nearest] = {}
        self._directions: dict[str, npt.NDArray[np.float32]] = {}
        for language, columns in self._members.items():
            others = [row for row, group in enumerate(groups) if language not in group.languages]
            for row, found in _nearest_of(others, np.array(columns), vectors):
                if found.cosines[0] >= threshold + COGNATE_SHARE * self._room:
                    self._nearest[row, language] = found

    def pairs(self) -> list[Translation]:
        cognate = {place: self._nearest_cognate(*place) for place in self._nearest}
        cognates = self._mutual(cognate)
        shared = Counter(frozenset(languages) for *_, languages in cognates)
        for group in self._groups:
            shared.update(map(frozenset, combinations(sorted(group.languages), 2)))
        found = [self._pair(0, row, other) for row, other, _ in cognates]
        for row, other, languages in self._mutual(
            {place: near.rows[0] for place, near in self._nearest.items()}
        ):
            if self._stand_out(row, other, languages, shared[frozenset(languages)]):
                found.append(self._pair(1, row, other))
        return found

    def _mutual(self, choice: Mapping[_Place, int | None]) -> list[tuple[int, int, tuple[str, str]]]:
        """Pairs of rows of which each is the other's choice, once each, with the languages of the two."""
        return [
            (row, other, (own, language))
            for (row, language), other in choice.items()
            if other is not None and row < other and not self._groups[row].files & self._groups[other].files
            for own in sorted(self._groups[row].languages)
            if choice.get((other, own)) == row
        ]

    def _nearest_cognate(self, row: int, language: str) -> int | None:
        """The nearest concept of `language` whose name is a cognate, if it is near enough."""
        found = self._nearest[row, language]
        for other, cosine in zip(found.rows, found.cosines, strict=True):
            if cosine < self._threshold + COGNATE_SHARE * self._room:
                return None
            if self._evidence(row, other, language) is NameEvidence.AGREE:
                return other
        return None

    def _stand_out(self, row: int, other: int, languages: tuple[str, str], shared: int) -> bool:
        """Whether two concepts that are each other's nearest are near enough, and far enough ahead of others."""
        own, language = languages
        there, back = self._nearest[row, language], self._nearest[other, own]
        evidence = self._evidence(row, other, language)
        lead = LEAD_SHARE.get(evidence)
        if lead is None:
            return False
        ahead = min(there.lead, back.lead)
        if (
            ahead >= CENTRED_LEAD_SHARE * self._room
            and there.cosines[0] >= self._threshold
            and self._centred(row, other, own, language)
        ):
            return True
        if ahead < lead * self._room:
            return False
        fewest = min(len(self._members[name]) for name in languages)
        if fewest <= MIN_RIVALS:
            share = ALONE_SHARE
        else:
            share = 0.0 if shared >= max(MIN_SHARED, MIN_SHARED_PART * fewest) else OTHER_SHARE
        return there.cosines[0] >= self._threshold + share * self._room

    def _centred(self, row: int, other: int, own: str, language: str) -> bool:
        """Whether two concepts are each other's nearest from their languages' means too, near and far ahead."""
        mine, its = self._members[own], self._members[language]
        if min(len(mine), len(its)) < MIN_CENTRED:
            return False
        here, there = self._from_mean(own), self._from_mean(language)
        cosines = there @ here[mine.index(row)]
        back = here @ there[its.index(other)]
        best = float(cosines[its.index(other)])
        second = max(np.delete(cosines, its.index(other)).max(), np.delete(back, mine.index(row)).max())
        return best >= CENTRED and best - float(second) >= CENTRED_LEAD

    def _from_mean(self, language: str) -> npt.NDArray[np.float32]:
        """Unit directions of a language's concepts from their mean; zero for one that is the mean."""
        if language not in self._directions:
            found = self._vectors[self._members[language]]
            found = found - found.mean(axis=0)
            norms = np.linalg.norm(found, axis=1, keepdims=True)
            self._directions[language] = (found / np.where(norms > 0, norms, 1)).astype(np.float32)
        return self._directions[language]

    def _pair(self, weakness: int, row: int, other: int) -> Translation:
        cosine = next(
            near.cosines[near.rows.index(other)]
            for language in sorted(self._groups[other].languages)
            if (near := self._nearest.get((row, language))) and other in near.rows
        )
        return Translation(weakness, cosine, self._groups[row].key, self._groups[other].key)

    def _evidence(self, row: int, other: int, language: str) -> NameEvidence:
        one = self._groups[row]
        return _evidence(one, self._groups[other], min(one.languages), language)


@lru_cache(maxsize=16_384)
def _plain_key(name: str) -> str:
    """Return the key of a name without what it says in parentheses; empty without any."""
    return canonical_key(_PARENTHESES.sub("", name)) if "(" in name else ""


def _nearest_of(
    rows: Sequence[int], columns: npt.NDArray[np.int64], vectors: npt.NDArray[np.float32]
) -> Iterator[tuple[int, _Nearest]]:
    """The nearest of `columns` to each of `rows`, ties in the order of `columns`."""
    targets, count = vectors[columns], min(_LOOKED_AT, len(columns))
    for start in range(0, len(rows), _ROWS):
        chunk = list(rows[start : start + _ROWS])
        scores = vectors[chunk] @ targets.T
        nearest: list[npt.NDArray[np.int64]] = []
        cosines: list[npt.NDArray[np.float32]] = []
        lines = np.arange(len(chunk))
        for _ in range(count):
            best = np.argmax(scores, axis=1)
            nearest.append(columns[best])
            cosines.append(scores[lines, best].copy())
            scores[lines, best] = -np.inf
        for row, found, near in zip(chunk, np.stack(nearest, 1), np.stack(cosines, 1), strict=True):
            yield row, _Nearest(tuple(map(int, found)), tuple(map(float, near)))
