"""Inflected forms of the words of a canonical key, once the language is known.

Snowball's stemmers are made for search, where "universe" may meet "university". A concept must not, so two
words of English are forms of one only when little more than an ending tells them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from anamnesis.domain.concepts.canonical_keys import key_word
from anamnesis.domain.text.languages import primary_tag, stop_words
from anamnesis.domain.text.stemming import snowball_stem

#: Longest ending by which two English forms of a word may differ ("mutate", "mutated"; not "universe",
#: "university").
_MAX_ENGLISH_ENDING: Final = 2


@lru_cache(maxsize=16_384)
def stem(word: str, language: str | None) -> str:
    """Return the stem of one word of a canonical key; the word itself in a language without a stemmer."""
    primary = primary_tag(language)
    if len(word) < 3 or any(c.isdigit() for c in word):
        return word
    found = snowball_stem(word, primary)
    if primary == "en" and not _close(word, found):
        return key_word(word)
    return found or word


def content_stems(key: str, language: str | None) -> tuple[str, ...]:
    """Return the sorted stems of a key's words without function words: "membrane of cells" is "cell membrane".

    A key of function words only keeps them.
    """
    words = key.split()
    stops = stop_words(language or "")
    meant: Sequence[str] = [word for word in words if word not in stops or len(words) == 1] or words
    return tuple(sorted(stem(word, language) for word in meant))


def _close(word: str, found: str) -> bool:
    """Whether an English stem only lost an ending; "statistics" and "statistic" are two words."""
    shared = len(found) - 1 if found.endswith("i") and not word.startswith(found) else len(found)
    ending = len(word) - shared
    return not word.endswith("ics") and word[:shared] == found[:shared] and ending <= _MAX_ENGLISH_ENDING
