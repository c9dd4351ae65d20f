"""Stems of words by Snowball's algorithms: the one table of languages, and one set of stemmers a thread."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final

import snowballstemmer

#: Snowball's name of the algorithm by language (BCP 47 primary tag).
ALGORITHMS: Final[Mapping[str, str]] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_LOCAL = threading.local()


def snowball_stem(word: str, language: str) -> str:
    """Return the stem of a casefolded word; the word itself in a language without an algorithm.

    Parameters
    ----------
    language
        BCP 47 primary tag.
    """
    algorithm = ALGORITHMS.get(language)
    if algorithm is None:
        return word
    # Snowball's stemmers keep the word they work on in themselves: one set per thread.
    stemmers = _LOCAL.__dict__.setdefault("stemmers", {})
    if algorithm not in stemmers:
        stemmers[algorithm] = snowballstemmer.stemmer(algorithm)
    return str(stemmers[algorithm].stemWord(word))
