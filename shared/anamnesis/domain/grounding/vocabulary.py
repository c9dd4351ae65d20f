"""Which words are forms of one, and which are a subject's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from anamnesis.domain.grounding.statements import read_statement

#: Share of the longer of two words that their common beginning is when one is an inflection of the other; the least.
_INFLECTED, _LEAST_STEM = 0.75, 4


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two words are forms of one."""
    if not one.isdisjoint(other):
        return True
    if not one or not other:
        return False
    a, b = _longest(one), _longest(other)
    longer = max(len(a), len(b))
    common = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        common += 1
    return common >= _LEAST_STEM and common > _INFLECTED * longer


@lru_cache(maxsize=65_536)
def _longest(forms: frozenset[str]) -> str:
    # Of two as long, always the same one: sets have another order in every process.
    return max(sorted(forms), key=len)


class Words:
    """Words of some texts, in which one is found in whatever form without comparing it with each.

    Parameters
    ----------
    units
        Sets of interchangeable index terms, each with the number of the text that holds them.
    """

    def __init__(self, units: Iterable[tuple[frozenset[str], int]]) -> None:
        self._by_form: dict[str, set[int]] = {}
        self._by_beginning: dict[str, dict[frozenset[str], set[int]]] = {}
        for forms, number in units:
            for form in forms:
                self._by_form.setdefault(form, set()).add(number)
            # Words alike begin alike.
            if forms and len(longest := _longest(forms)) >= _LEAST_STEM:
                near = self._by_beginning.setdefault(longest[:_LEAST_STEM], {})
                near.setdefault(forms, set()).add(number)

    def holding(self, forms: frozenset[str]) -> set[int]:
        """Numbers of the texts with a word that is `alike`."""
        if not forms:
            return set()
        found = set().union(*(self._by_form.get(form, ()) for form in forms))
        for others, numbers in self._by_beginning.get(_longest(forms)[:_LEAST_STEM], {}).items():
            if not numbers <= found and alike(forms, others):
                found |= numbers
        return found


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a subject's own words are.

    Attributes
    ----------
    terms
        Index terms of the words in names of concepts.
    names
        Folded names of concepts in scripts without spaces.
    """

    terms: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    def knows(self, forms: frozenset[str]) -> bool:
        """Whether a word, in some form, is one of a concept's name."""
        if not self.terms.isdisjoint(forms):
            return True
        return any(
            alike(forms, frozenset([term]))
            for form in forms
            for term in self._beginning().get(form[:_LEAST_STEM], ())
        )

    def _beginning(self) -> Mapping[str, tuple[str, ...]]:
        return _by_beginning(self.terms)


def vocabulary_of(names: Iterable[str]) -> Vocabulary:
    """The words of concepts' names."""
    terms: set[str] = set()
    spaceless: list[str] = []
    for name in names:
        statement = read_statement(name, "und")
        for word in statement.words:
            terms.update(word.forms if word.tells else ())
        if any(not word.forms for word in statement.words) and len(statement.plain) > 1:
            spaceless.append(statement.plain)
    return Vocabulary(frozenset(terms), tuple(dict.fromkeys(spaceless)))


@lru_cache(maxsize=32)
def _by_beginning(terms: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for term in terms:
        if len(term) >= _LEAST_STEM:
            found.setdefault(term[:_LEAST_STEM], []).append(term)
    return {beginning: tuple(sorted(group)) for beginning, group in found.items()}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a line.

    Attributes
    ----------
    forms
        Index terms of the heading above and the sentences around.
    text
        The same, folded, for scripts without spaces.
    """

    forms: frozenset[str] = frozenset()
    text: str = ""
