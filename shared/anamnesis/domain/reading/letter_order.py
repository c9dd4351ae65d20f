"""How letters from a to z follow each other in languages that have a list of frequent words, and keys by that order.

A text whose letters were exchanged can be turned back by exchanging two at a time for as long as its pairs of letters
become more probable (Jakobsen 1995, "A fast method for cryptanalysis of substitution ciphers"): an exchange moves rows
and columns of a table of counts, so that it costs the same for any length of text.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from anamnesis.domain.reading.known_words import known_languages

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = f"{ALPHABET} "
_PLACES = {sign: place for place, sign in enumerate(_SIGNS)}
#: Letters that a model counts as seen before it has seen any, and the fewest words that make one.
_UNSEEN_COUNT, WORDS_OF_A_MODEL = 0.3, 60
_MOST_ROUNDS = 12

Counts = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Key:
    """Letters by what they stand for, if a text is in a language.

    Attributes
    ----------
    likelihood
        Mean logarithm of how probable a letter is after the one before it, once exchanged.
    table
        For ``str.translate``.
    known
        The language's frequent words, without marks.
    """

    likelihood: float
    table: dict[int, int]
    known: frozenset[str]


@lru_cache(maxsize=65_536)
def bare(word: str) -> str:
    """A casefolded word in the letters from a to z, without marks; empty for one with others."""
    letters = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return letters if all(c in _PLACES for c in letters) else ""


def pair_counts(words: Mapping[str, int]) -> Counts:
    """How often each letter follows another in words of three and more, shape (27, 27); the last is a word's end."""
    counts = np.zeros((len(_SIGNS), len(_SIGNS)))
    for word, count in words.items():
        letters = bare(word)
        if len(letters) > 2:
            for first, second in zip(f" {letters}", f"{letters} ", strict=True):
                counts[_PLACES[first], _PLACES[second]] += count
    return counts


def model_of(counts: Counts) -> Counts:
    """Logarithms of how probable each letter is after another, by how often it stands there; of the same shape."""
    seen = counts + _UNSEEN_COUNT
    return np.asarray(np.log(seen / seen.sum(axis=1, keepdims=True)))


def likelihood(counts: Counts) -> float:
    """Mean logarithm of how probable a letter is after another, in the language where it is the most so; 0 for none."""
    total = float(counts.sum())
    return max(float((counts * model).sum()) for _, model in _models()) / total if total else 0.0


def likely_keys(counts: Counts, letters: Sequence[str], most: int) -> list[Key]:
    """Keys that make the pairs of letters the most probable, of the likeliest languages, likeliest first.

    Parameters
    ----------
    letters
        Those that may be exchanged.
    """
    places = [_PLACES[letter] for letter in letters]
    total = float(counts.sum()) or 1.0
    found = [Key(*_climbed(counts, model, places, total), known) for known, model in _models()]
    return sorted(found, key=lambda key: -key.likelihood)[:most]


def _climbed(
    counts: Counts, model: Counts, places: Sequence[int], total: float
) -> tuple[float, dict[int, int]]:
    key = np.arange(len(_SIGNS))
    best = float((counts * model).sum())
    for _ in range(_MOST_ROUNDS):
        start = best
        for at, one in enumerate(places):
            for other in places[at + 1 :]:
                order = np.arange(len(_SIGNS))
                order[one], order[other] = other, one
                tried = counts[order][:, order]
                score = float((tried * model).sum())
                if score > best:
                    best, counts, key = score, tried, key[order]
        if best == start:
            break
    table = {ord(_SIGNS[key[place]]): ord(letter) for place, letter in enumerate(ALPHABET)}
    return best / total, table


@lru_cache(maxsize=1)
def _models() -> tuple[tuple[frozenset[str], Counts], ...]:
    """Frequent words without marks, and logarithms of the probability of each letter after another, by language."""
    models = []
    for listed in known_languages().values():
        known = Counter(word for word in map(bare, listed) if len(word) > 1)
        if len(known) < WORDS_OF_A_MODEL:
            continue
        models.append((frozenset(known), model_of(pair_counts(known))))
    return tuple(models)
