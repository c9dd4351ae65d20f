"""What a concept builds on: concepts that its definition uses, its name contains or the text assumes (CM-4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from anamnesis.domain.concepts import MAX_BUILDS_ON

#: Longest name looked for inside a definition, in words.
_MAX_WORDS = 7


@dataclass(frozen=True)
class Explained:
    """A concept as far as its explanation goes.

    Attributes
    ----------
    key
        Form key of its name.
    order
        Block in which it is first explained.
    explanation
        Words (form keys of single words) of its gist and definition.
    """

    key: str
    order: int
    explanation: tuple[str, ...]


def used_names(explanation: Sequence[str], names: Mapping[tuple[str, ...], str]) -> list[str]:
    """Keys of the names that stand in the words of an explanation, longest match first, in order of appearance."""
    found: list[str] = []
    start = 0
    while start < len(explanation):
        for length in range(min(_MAX_WORDS, len(explanation) - start), 0, -1):
            key = names.get(tuple(explanation[start : start + length]))
            if key is not None:
                if key not in found:
                    found.append(key)
                start += length
                break
        else:
            start += 1
    return found


def building(concepts: Sequence[Explained]) -> dict[str, list[str]]:
    """Prerequisite keys of each concept.

    A concept builds on those that its explanation uses and on one whose name its own name contains ("facilitated
    diffusion" on "diffusion"). Where two explanations use each other, the one explained later builds on the earlier.
    """
    names = {tuple(concept.key.split(" ")): concept.key for concept in concepts}
    order = {concept.key: concept.order for concept in concepts}
    uses: dict[str, list[str]] = {}
    for concept in concepts:
        own = concept.key.split(" ")
        contained = [
            names[part]
            for length in range(len(own) - 1, 0, -1)
            for start in range(len(own) - length + 1)
            if (part := tuple(own[start : start + length])) in names
        ]
        mentioned = [key for key in used_names(concept.explanation, names) if key != concept.key]
        # A name that contains this one is explained by it, not the other way round.
        mentioned = [key for key in mentioned if f" {concept.key} " not in f" {key} "]
        uses[concept.key] = list(dict.fromkeys(contained + mentioned))
    for key, prerequisites in uses.items():
        uses[key] = [
            other for other in prerequisites if not _mutual(key, other, uses) or order[other] < order[key]
        ]
    return {key: prerequisites[:MAX_BUILDS_ON] for key, prerequisites in uses.items()}


def _mutual(key: str, other: str, uses: Mapping[str, Sequence[str]]) -> bool:
    return key in uses.get(other, ())


def words_of(
    text: str, key_of: Callable[[str], str], split: Callable[[str], Sequence[str]]
) -> tuple[str, ...]:
    """Form keys of the single words of a text, signs left out."""
    return tuple(key for word in split(text) if word[0].isalnum() and (key := key_of(word)))
