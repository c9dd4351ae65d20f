"""One bounded list of concepts from the lists that the parts of a file gave (CM-1).

The answer depends on what the parts said and not on the order in which they were read: parts are read at once, and one
that failed is read again later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.values import MAX_BUILDS_ON, MAX_CONCEPTS_PER_FILE, ExtractedConcept

_Part = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """What one part says of a concept.

    Attributes
    ----------
    rank
        Place in the part's list, which begins with what matters most.
    part
        What tells the part from others: all that it says, since the order of parts must not matter.
    """

    rank: int
    concept: ExtractedConcept
    part: _Part

    def order(self) -> tuple[object, ...]:
        """A total order by content alone."""
        c = self.concept
        return (self.rank, c.pages, c.name, c.gist, c.definition, c.builds_on, c.assumed, self.part)


@dataclass(frozen=True, slots=True)
class _Idea:
    key: str
    said: tuple[_Said, ...]

    @property
    def home(self) -> _Part:
        """The part that thinks most of it."""
        return self.said[0].part

    def weight(self) -> tuple[int, int, str]:
        """Order within its home: what most parts list, then what was listed first."""
        return -len(self.said), self.said[0].rank, self.key


def merged(
    found: Iterable[Sequence[ExtractedConcept]], *, most: int = MAX_CONCEPTS_PER_FILE
) -> list[ExtractedConcept]:
    """Merge the parts' lists into one of at most `most` concepts from all over the file.

    The same idea (equal canonical keys) stays once: pages are united, prerequisites too, each with the number of parts
    that name it as its evidence; name, gist and definition are those of the part that lists it first. Each idea belongs
    to the part that thinks most of it, and the parts take turns; within a part, what several parts list comes first.
    Where a turn has more candidates than there are places left, places go to candidates at even distances over the
    pages, so that the end of a book counts as much as its beginning.

    Parameters
    ----------
    found
        A list for each part, what matters most first; any order of the parts gives the same answer.

    Returns
    -------
    list of ExtractedConcept
        What matters most first. ``builds_on`` names concepts of the list only.
    """
    ideas = _ideas(found)
    homes: dict[_Part, list[_Idea]] = {}
    for idea in sorted(ideas, key=_Idea.weight):
        homes.setdefault(idea.home, []).append(idea)
    chosen: list[_Idea] = []
    turn = 0
    while len(chosen) < most:
        candidates = [of_part[turn] for of_part in homes.values() if turn < len(of_part)]
        if not candidates:
            break
        candidates.sort(key=lambda idea: (idea.said[0].concept.pages, idea.key))
        chosen += _spread(candidates, most - len(chosen))
        turn += 1
    names = {idea.key: _name(idea) for idea in chosen}
    return [_united(idea, names) for idea in chosen]


def _ideas(found: Iterable[Sequence[ExtractedConcept]]) -> list[_Idea]:
    by_key: dict[str, list[_Said]] = {}
    for concepts in found:
        keyed: dict[str, ExtractedConcept] = {}
        for concept in concepts:
            if key := canonical_key(concept.name):
                keyed.setdefault(key, concept)
        part = tuple((key, concept.pages) for key, concept in keyed.items())
        for rank, (key, concept) in enumerate(keyed.items()):
            by_key.setdefault(key, []).append(_Said(rank, concept, part))
    return [_Idea(key, tuple(sorted(said, key=_Said.order))) for key, said in by_key.items()]


def _spread(candidates: Sequence[_Idea], places: int) -> list[_Idea]:
    if len(candidates) <= places:
        return list(candidates)
    return [candidates[(2 * place + 1) * len(candidates) // (2 * places)] for place in range(places)]


def _name(idea: _Idea) -> str:
    return idea.said[0].concept.name


def _united(idea: _Idea, names: Mapping[str, str]) -> ExtractedConcept:
    first = idea.said[0].concept
    needs: Counter[str] = Counter()
    assumed: dict[str, str] = {}
    for said in idea.said:
        needs.update({canonical_key(name) for name in said.concept.builds_on} & names.keys() - {idea.key})
        for name in said.concept.assumed:
            assumed.setdefault(canonical_key(name), name)
    edges = sorted(needs.items(), key=lambda edge: (-edge[1], edge[0]))[:MAX_BUILDS_ON]
    return replace(
        first,
        definition=first.definition
        or max((s.concept.definition for s in idea.said), key=lambda d: (len(d), d)),
        builds_on=tuple(names[key] for key, _ in edges),
        evidence=tuple(count for _, count in edges),
        assumed=tuple(assumed[key] for key in sorted(assumed))[:MAX_BUILDS_ON],
        pages=tuple(sorted({page for said in idea.said for page in said.concept.pages})),
    )
