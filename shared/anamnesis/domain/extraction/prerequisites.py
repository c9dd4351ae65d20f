"""What a concept builds on, by evidence in the text (CM-4), and how much evidence there is.

A concept A builds on B where the text

* uses B to say what A is, B not being what A lacks (``negation``);
* says that A is based on, or a kind of, B;
* names A by B ("facilitated diffusion", "diffusion");
* recalls B where it is about to explain A;
* mentions B in passing where it tells of A, B being what far more concepts are told with than A.

Both directions are counted, and only the stronger one stands: the asymmetry of references of Liang et al. 2015
("Measuring Prerequisite Relations Among Concepts", EMNLP), over explanations in place of articles. Where they balance,
what the text explains first comes first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anamnesis.domain.concepts import MAX_BUILDS_ON
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.negation import affirmed
from anamnesis.domain.extraction.terms_in_text import tokens

#: Longest name looked for inside an explanation, in words.
_MAX_WORDS = 7
#: What each kind of evidence counts, and the most that sentences which merely speak of both may add. Ours: a sentence
#: that says what something is, the name itself and a plain "recall that" each suffice; one passing mention does not,
_IN_GIST, _IN_NAME, _BASED_ON, _RECALLED, _IN_PASSING = 2, 2, 1, 2, 1
_MOST_IN_PASSING = 3
_ENOUGH = 2
#: unless the concept that is mentioned is told with at least so many times as many others. Ours; as the baseline
#: "frequency" of ``anamnesis bench prerequisites`` has it.
_MORE_GENERAL = 2


@dataclass(frozen=True)
class Explained:
    """A concept as far as its explanation goes.

    Attributes
    ----------
    key
        Form key of its name.
    names
        Form keys that it goes by, abbreviations among them.
    order
        Block in which it is first explained.
    gist
        The sentence that says what it is, or else the best one that speaks of it.
    told
        Other sentences that tell of it.
    recalled
        Sentences close before its explanation that recall what the reader knows.
    defined
        Whether the gist says what it is.
    """

    key: str
    names: tuple[str, ...]
    order: int
    gist: str
    told: tuple[str, ...] = ()
    recalled: tuple[str, ...] = ()
    defined: bool = True


class NameFinder:
    """Finds the names of concepts in sentences of one language."""

    def __init__(self, concepts: Iterable[Explained], table: CueTable, key_of: Callable[[str], str]) -> None:
        self._table = table
        self._key_of = key_of
        self._names = {name: concept.key for concept in concepts for name in concept.names if name}
        self._longest_first = sorted(self._names, key=lambda name: (-len(name), name))

    def found(self, sentence: str) -> list[str]:
        """Keys of the concepts that a sentence names, longest name first at each place, in order of appearance."""
        if self._table.spaceless:
            return self._within(sentence)
        read = [word for word in tokens(sentence, self._table) if self._form(word)]
        words = [self._form(word) for word in read]
        found: dict[str, None] = {}
        start = 0
        while start < len(words):
            for length in range(min(_MAX_WORDS, len(words) - start), 0, -1):
                key = self._names.get(" ".join(words[start : start + length]))
                if key is not None and (length > 1 or self._is_noun(read, start)):
                    found[key] = None
                    start += length - 1
                    break
            start += 1
        return list(found)

    def _form(self, word: str) -> str:
        # A sign keeps the words on both sides of it apart.
        return self._key_of(word) if word[0].isalnum() else word

    def _is_noun(self, read: Sequence[str], place: int) -> bool:
        """Whether a word that is mostly another part of speech names something here: "the mean", not "they mean"."""
        if not self._table.articles or read[place].casefold() not in self._table.stops:
            return True
        return place > 0 and read[place - 1].casefold() in self._table.articles

    def _within(self, sentence: str) -> list[str]:
        places: dict[str, int] = {}
        for name in self._longest_first:
            place = sentence.find(name)
            if place >= 0:
                places.setdefault(self._names[name], place)
                sentence = sentence.replace(name, "\0" * len(name))
        return sorted(places, key=lambda key: places[key])


def evidence(
    concepts: Sequence[Explained], table: CueTable, finder: NameFinder
) -> dict[tuple[str, str], int]:
    """How much speaks for the first building on the second, for all pairs for which anything does."""
    counts: Counter[tuple[str, str]] = Counter()
    for concept in concepts:
        for other in _within_name(concept.key, {c.key for c in concepts}):
            counts[concept.key, other] += _IN_NAME
        for other in finder.found(affirmed(concept.gist, table)):
            counts[concept.key, other] += _IN_GIST if concept.defined else _IN_PASSING
        passing: Counter[str] = Counter()
        for sentence in concept.told:
            passing.update(finder.found(affirmed(sentence, table)))
        for other, number in passing.items():
            counts[concept.key, other] += _IN_PASSING * min(number, _MOST_IN_PASSING)
        for sentence in (concept.gist, *concept.told):
            for other in _based_on(sentence, table, finder):
                counts[concept.key, other] += _BASED_ON
        for other in {key for sentence in concept.recalled for key in finder.found(sentence)}:
            counts[concept.key, other] += _RECALLED
    # A name that contains this one is explained by it, not the other way round.
    return {
        (key, other): count
        for (key, other), count in counts.items()
        if key != other and f" {key} " not in f" {other} "
    }


def _within_name(key: str, keys: set[str]) -> Iterator[str]:
    words = key.split(" ")
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            part = " ".join(words[start : start + length])
            if part in keys:
                yield part


def _based_on(sentence: str, table: CueTable, finder: NameFinder) -> list[str]:
    said = affirmed(sentence, table)
    base = table.bases.search(said) if table.bases else None
    return finder.found(said[base.end() :])[:1] if base else []


def building(
    counts: Mapping[tuple[str, str], int], order: Mapping[str, int]
) -> dict[str, list[tuple[str, int]]]:
    """Prerequisites of each concept with the evidence for each, strongest first.

    Parameters
    ----------
    counts
        See ``evidence``.
    order
        Place of each concept's first explanation.

    Returns
    -------
    dict
        No two concepts build on each other, by whatever way round: of edges that would close a circle the weakest is
        left out, for a text that explains two things by each other shows only that they belong together.
    """
    edges = []
    telling = Counter(other for _, other in counts)
    for (key, other), count in counts.items():
        back = counts.get((other, key), 0)
        earlier = order[other] < order[key]
        enough = count >= _ENOUGH or (not back and telling[other] >= _MORE_GENERAL * max(1, telling[key]))
        if enough and (count > back or (count == back and earlier)):
            edges.append((-(count - back), not earlier, order[key], order[other], key, other))
    chosen: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for *_, key, other in sorted(edges):
        if not _reaches(other, key, chosen):
            chosen[key].append((other, counts[key, other]))
    return {
        key: sorted(found, key=lambda edge: (-edge[1], order[edge[0]], edge[0]))[:MAX_BUILDS_ON]
        for key, found in chosen.items()
    }


def _reaches(start: str, goal: str, edges: Mapping[str, Sequence[tuple[str, int]]]) -> bool:
    """Whether `goal` is among what `start` builds on, directly or not."""
    seen, waiting = {start}, [start]
    while waiting:
        for other, _ in edges.get(waiting.pop(), ()):
            if other == goal:
                return True
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return False
