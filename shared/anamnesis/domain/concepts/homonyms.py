"""One name for two things in the files of a subject: the bank of a river and the bank that lends (CM-3).

A definition alone does not tell. Two authors mostly share no word over one thing, and on the models tried the cosine of
two definitions of one concept is spread exactly as that of two concepts of one name. What tells is the company that a
name keeps: the other concepts of its file. Two tellings of a name, both in one language, are of two things where

* no telling word of the one is in the other, and next to none of either in what the other's file says at all;
* the files share next to no other concept;
* along the direction in which the two files' other concepts lie apart, the two lie apart as well, by several times
  what concepts of one file do (Fisher's discriminant, with the name itself left out), and each is nearer to its own.

Where a file has one or two other concepts their spread says nothing; there the two must lie apart by a good part of
what the files do, and much nearer to their own. All else stays one concept, for a false split is worse than a missed
one: a file with no other concept decides nothing, for neither words nor cosines of two definitions alone tell.
``anamnesis bench homonyms`` prints how often either happens, on pairs of our own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import combinations
from typing import Final

import networkx as nx
import numpy as np
import numpy.typing as npt

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.page_evidence import telling_pieces

Vector = npt.NDArray[np.float32]

#: Other concepts with vectors that a file needs to say what it is about, and to say how far they spread. Ours.
MIN_COMPANY: Final = 1
MIN_SPREAD_COMPANY: Final = 3
#: Telling words that a definition needs for having none in common to say something. Ours.
MIN_PIECES: Final = 3
#: How far apart two tellings lie at least along the files' direction, in standard deviations of the files' other
#: concepts along it; and how much nearer each is to its own file's than to the other's, summed over both, as cosines
#: from the files' common mean. Set on ``bench/files/labels/homonyms.toml`` so that no concept splits within a field.
MIN_DEVIATIONS: Final = 3.0
MIN_NEARER: Final = 0.15
#: The same where a file has too few concepts to show a spread: what part of the way between the files' means the two
#: tellings lie apart, whatever the embedder's scale, and how much nearer each is to its own. Set on the same pairs with
#: files cut to two concepts and to one, and tried on pairs of our own in eight languages.
MIN_PART: Final = 0.25
MIN_NEARER_OF_FEW: Final = 0.4
#: Most of either telling's words that the other's file may use, summed over both.
MAX_SUPPORT: Final = 0.3
#: Other concepts that two files share, in number or as a part of the smaller file's, from which on they are of one
#: field. Ours.
SHARED, SHARED_PART = 3, 0.2


class _Verdict(Enum):
    """Whether two tellings are of one thing, of two, or whether nothing says."""

    SAME = "same"
    APART = "apart"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Telling:
    """What one file says under one name.

    Attributes
    ----------
    name
        As written.
    text
        Gist and definition.
    vector
        Unit length; None without a comparable one.
    """

    key: str
    name: str
    file_id: str
    language: str
    text: str
    vector: Vector | None

    def order(self) -> tuple[str, str, str, str]:
        """A total order by what is said; files of the same content are one sense in any case."""
        return self.language, self.text, self.name, self.file_id


@dataclass(frozen=True, slots=True)
class Sense:
    """One of the things that a name means, and the name that tells it from the others.

    Attributes
    ----------
    key
        That of the plain name for the first sense, so that what is kept under it still has a concept.
    """

    key: str
    name: str
    tellings: tuple[Telling, ...]


class _File:
    """The concepts of one file, and, once they are asked for, the words that it tells of each in."""

    def __init__(self) -> None:
        self.tellings: dict[str, Telling] = {}
        self._pieces: dict[str, frozenset[str]] = {}

    def pieces(self, key: str) -> frozenset[str]:
        """What is looked for of the words that a concept is told in."""
        if key not in self._pieces:
            telling = self.tellings[key]
            self._pieces[key] = telling_pieces(f"{telling.name} {telling.text}", telling.language)
        return self._pieces[key]

    @cached_property
    def _used(self) -> Counter[str]:
        return Counter(piece for key in self.tellings for piece in self.pieces(key))

    def company(self, key: str) -> list[Telling]:
        """The other concepts that have a vector, by key."""
        return [
            self.tellings[other] for other in sorted(self.tellings) if other != key and self._embedded(other)
        ]

    def uses(self, piece: str, key: str) -> bool:
        """Whether the file says a word of anything but the concept `key`."""
        return self._used[piece] > (piece in self.pieces(key))

    def _embedded(self, key: str) -> bool:
        vector = self.tellings[key].vector
        return vector is not None and bool(np.any(vector))


def homonyms(tellings: Iterable[Telling]) -> dict[str, tuple[Sense, ...]]:
    """Return the senses of each key that means two or more things; keys that mean one thing are left out.

    Parameters
    ----------
    tellings
        All that the files of a subject say, one for each concept of each file; their order does not matter.
    """
    files: dict[str, _File] = {}
    by_key: dict[str, list[Telling]] = {}
    for telling in sorted(tellings, key=Telling.order):
        if telling.key and telling.key not in files.setdefault(telling.file_id, _File()).tellings:
            files[telling.file_id].tellings[telling.key] = telling
            by_key.setdefault(telling.key, []).append(telling)
    taken = set(by_key)
    found = {}
    for key, of_key in sorted(by_key.items()):
        groups = _groups(of_key, files) if len(of_key) > 1 else []
        if len(groups) > 1:
            found[key] = _named(key, groups, files, taken)
    return found


def _groups(tellings: Sequence[Telling], files: Mapping[str, _File]) -> list[list[Telling]]:
    """Tellings by what they are of; the most told first."""
    verdicts = {
        (one, other): _verdict(tellings[one], tellings[other], files)
        for one, other in combinations(range(len(tellings)), 2)
    }
    apart = {pair for pair, verdict in verdicts.items() if verdict is _Verdict.APART}
    if not apart:
        return [list(tellings)]
    same: nx.Graph[int] = nx.Graph()
    same.add_nodes_from(range(len(tellings)))
    same.add_edges_from(pair for pair, verdict in verdicts.items() if verdict is _Verdict.SAME)
    clusters = [frozenset(cluster) for cluster in nx.connected_components(same)]
    opposed = {one for pair in apart for one in pair}
    # Clusters that nothing holds apart are one, whatever chain connects them.
    together: nx.Graph[frozenset[int]] = nx.Graph()
    together.add_nodes_from(cluster for cluster in clusters if cluster & opposed)
    together.add_edges_from(
        (one, other)
        for one, other in combinations([cluster for cluster in clusters if cluster & opposed], 2)
        if not any(((min(a, b), max(a, b)) in apart) for a in one for b in other)
    )
    groups = [
        [tellings[one] for one in sorted(frozenset[int]().union(*joined))]
        for joined in nx.connected_components(together)
    ]
    groups.sort(key=lambda group: (-len(group), group[0].order()))
    settled = [list(group) for group in groups]
    for cluster in sorted(sorted(cluster) for cluster in clusters if not cluster & opposed):
        # What nothing is known of goes to the sense it is nearest to.
        followers = [tellings[one] for one in cluster]
        cosines = [_cosine(followers, group) for group in groups]
        settled[cosines.index(max(cosines))] += followers
    return [sorted(group, key=Telling.order) for group in settled]


def _verdict(one: Telling, other: Telling, files: Mapping[str, _File]) -> _Verdict:
    if one.language != other.language:
        return _Verdict.UNKNOWN
    mine, its = files[one.file_id], files[other.file_id]
    shared = len(mine.tellings.keys() & its.tellings.keys()) - 1
    fewest = min(len(mine.tellings), len(its.tellings)) - 1
    if shared >= min(SHARED, max(1, SHARED_PART * fewest)):
        return _Verdict.SAME
    name = telling_pieces(one.name, one.language) | telling_pieces(other.name, other.language)
    pieces, its_pieces = mine.pieces(one.key) - name, its.pieces(other.key) - name
    if pieces & its_pieces:
        return _Verdict.SAME
    company, its_company = mine.company(one.key), its.company(other.key)
    if (
        min(len(pieces), len(its_pieces)) < MIN_PIECES
        or min(len(company), len(its_company)) < MIN_COMPANY
        or one.vector is None
        or other.vector is None
    ):
        return _Verdict.UNKNOWN
    if not _lie_apart(one.vector, other.vector, _rows(company), _rows(its_company)):
        return _Verdict.SAME
    support = sum(its.uses(piece, other.key) for piece in sorted(pieces)) / len(pieces)
    support += sum(mine.uses(piece, one.key) for piece in sorted(its_pieces)) / len(its_pieces)
    return _Verdict.SAME if support > MAX_SUPPORT else _Verdict.APART


def _rows(tellings: Sequence[Telling]) -> npt.NDArray[np.float64]:
    return np.vstack([telling.vector for telling in tellings if telling.vector is not None]).astype(
        np.float64
    )


def _lie_apart(
    one: Vector, other: Vector, company: npt.NDArray[np.float64], its_company: npt.NDArray[np.float64]
) -> bool:
    """Whether two tellings lie apart as their files do.

    With w the difference of the companies' means, the two lie (one - other)·w apart along it, and a company's spread is
    the standard deviation of its own v·w, pooled over both (Fisher 1936, "The use of multiple measurements in taxonomic
    problems").
    """
    direction = company.mean(axis=0) - its_company.mean(axis=0)
    apart = float((one.astype(np.float64) - other) @ direction)
    least = MIN_NEARER
    if min(len(company), len(its_company)) < MIN_SPREAD_COMPANY:
        least = MIN_NEARER_OF_FEW
        if apart <= 0 or apart < MIN_PART * float(direction @ direction):
            return False
    else:
        spread = np.sqrt(((company @ direction).var(ddof=1) + (its_company @ direction).var(ddof=1)) / 2)
        if apart < MIN_DEVIATIONS * float(spread) or spread <= 0:
            return False
    everything = np.vstack([company, its_company, one, other])
    centred = everything - everything.mean(axis=0)
    norms = np.linalg.norm(centred, axis=1, keepdims=True)
    centred = centred / np.where(norms > 0, norms, 1)
    mine, its, first, second = (
        centred[: len(company)],
        centred[len(company) : -2],
        centred[-2],
        centred[-1],
    )
    nearer = (mine @ first).mean() - (its @ first).mean() + (its @ second).mean() - (mine @ second).mean()
    return float(nearer) >= least


def _cosine(tellings: Sequence[Telling], group: Sequence[Telling]) -> float:
    """Mean cosine of two lists of tellings, rounded so that the order of sums does not matter; -1 without vectors."""
    cosines = [
        float(one.vector @ other.vector)
        for one in tellings
        for other in group
        if one.vector is not None and other.vector is not None
    ]
    return round(sum(cosines) / len(cosines), 4) if cosines else -1.0


def _named(
    key: str, groups: Sequence[Sequence[Telling]], files: Mapping[str, _File], taken: set[str]
) -> tuple[Sense, ...]:
    """Give each sense a name with a concept of its company in brackets: "bank (river)", "bank (loan)".

    That concept is the one which is nearest to this sense compared with the others; keys already in use are avoided.
    """
    senses: list[Sense] = []
    for place, group in enumerate(groups):
        others = [telling for number, its in enumerate(groups) if number != place for telling in its]
        elsewhere = {known for telling in others for known in files[telling.file_id].tellings}
        company = {
            telling.key: telling
            for file_id in sorted({telling.file_id for telling in group})
            for telling in files[file_id].company(key)
            if telling.key not in elsewhere
        }
        plain = min(group, key=lambda telling: (telling.name, telling.order())).name
        ranked = sorted(
            company.values(),
            key=lambda near: (round(_cosine([near], others) - _cosine([near], group), 4), near.key),
        )
        candidates = [f"{plain} ({near.name})" for near in ranked]
        candidates += [f"{plain} ({number})" for number in range(place + 1, place + 2 + len(groups))]
        name = next(
            (candidate for candidate in candidates if canonical_key(candidate) not in taken), candidates[-1]
        )
        taken.add(canonical_key(name))
        senses.append(Sense(key if place == 0 else canonical_key(name), name, tuple(group)))
    return tuple(senses)
