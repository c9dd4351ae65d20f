"""Inflected forms of the words of a canonical key, once the language is known.

Snowball's stemmers are made for search, where "universe" may meet "university". A concept must not, so two
words of English are forms of one only when little more than an ending tells them apart.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from anamnesis.domain.concepts.canonical_keys import key_word
from anamnesis.domain.text.languages import primary_tag, stop_words
from anamnesis.domain.text.stemming import snowball_stem

#: Longest ending by which two English forms of a word may differ ("mutate", "mutated"; not "universe",
#: "university").
_MAX_ENGLISH_ENDING: Final = 2
#: A compound that is written apart or together, in words and letters.
_MAX_COMPOUND: Final = 3
_MIN_COMPOUND: Final = 8
_ROMAN: Final = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
#: Two spellings of a language made one; names alone never merge by them, their meanings must be close too.
_SPELLINGS: Final = {
    "en": tuple(
        (regex.compile(pattern), replacement)
        for pattern, replacement in (
            (r"(?<=\p{L}{2})our", "or"),
            (r"(?<=[bcdfgptv])re$", "er"),
            (r"is(?=e[drs]?$|ing$|ation$)", "iz"),
            (r"yse(?=[drs]?$)", "yze"),
            (r"[ao]e(?=\p{L}{3})", "e"),
            (r"ph(?=ur|ide|at)", "f"),
            (r"ll(?=ed$|ing$|er$)", "l"),
            (r"(?<=alumin)ium$", "um"),
            (r"(?<=[ae]n)[cs]e$", "se"),
        )
    ),
    "de": ((regex.compile(r"(?<=\p{L})[e](?<=[aou]e)|(?<=^[aou])e"), ""),),
}


#: What Snowball's stems still tell apart in forms of one word. Greek and Latin words in German ("Zentrum", "Zentren";
#: "Zyklus", "Zyklen"; "Skala", "Skalen") and Polish ("mitochondrium"); vowels that come and go before the last
#: consonant ("клетка", "клеток"; "komórka", "komórek"); and Polish "energia", "energii".
_LEVELLED: Final = {
    "de": ((regex.compile(r"(?:(?<=\p{L}{3})(?<!a)um|(?<=\p{L}{4})us|(?<=\p{L}{4})a)$"), ""),),
    "pl": (
        (regex.compile(r"(?<=\p{L}{3})ium$|(?<=\p{L}{3})i$"), ""),
        (regex.compile(r"(?<=\p{L}{2}[bcćdfghjklłmnńprsśtwzźż])ek$"), "k"),
    ),
    "ru": ((regex.compile(r"(?<=\p{L}{2}[бвгджзклмнпрстфхцчшщ])[оеё]к$"), "к"),),
    "uk": ((regex.compile(r"(?<=\p{L}{2}[бвгґджзклмнпрстфхцчшщ])[ое]к$"), "к"),),
}
#: Endings of Ukrainian nouns and adjectives, which Snowball has no stemmer for; keys write ї as і.
_UKRAINIAN_ENDING: Final = regex.compile(
    r"(?<=\p{L}{3})(?:[іи]ями|[яаи]ми|[оеє]ві|ь?ого|ь?ому|ією|[оеє]ю|ь?о[їі]|[іи][яюєїй]|ія|ії|іі|[ії]в|[аяиі][мх]|ій|ий|"
    r"[аяоеєиіїуюьй])$"
)


@lru_cache(maxsize=16_384)
def stem(word: str, language: str | None) -> str:
    """Return the stem of one word of a canonical key; the word itself in a language without a stemmer."""
    primary = primary_tag(language)
    if len(word) < 3 or any(c.isdigit() for c in word):
        return word
    found = snowball_stem(word, primary)
    if primary == "en" and not _close(word, found):
        return key_word(word)
    if primary == "uk":
        found = _UKRAINIAN_ENDING.sub("", word)
    for pattern, replacement in _LEVELLED.get(primary, ()):
        found = pattern.sub(replacement, found)
    return found or word


def content_stems(key: str, language: str | None) -> tuple[str, ...]:
    """Return the sorted stems of a key's words without function words: "membrane of cells" is "cell membrane".

    A key of function words only keeps them.
    """
    return tuple(sorted(stem(word, language) for word in content_words(key, language)))


def content_words(key: str, language: str | None) -> list[str]:
    """Return the words of a key without function words; all of them when it has no others."""
    words = key.split()
    stops = stop_words(language or "")
    return [word for word in words if word not in stops or len(words) == 1] or words


def name_forms(key: str, language: str) -> set[tuple[str, ...]]:
    """Return what names of one language may agree in: their stems, and their letters without spaces.

    "Wave length" is "wavelength"; "World War II" is "World War 2"; in English, "colour" is "color" and "haemoglobin"
    is "hemoglobin"; in German, "Saeure" is "Säure".
    """
    words = [_ROMAN.get(word, word) for word in key.split()]
    joined = "".join(words)
    forms = {content_stems(" ".join(words), language)}
    if len(words) <= _MAX_COMPOUND and len(joined) >= _MIN_COMPOUND and joined.isalpha():
        forms.add((joined,))
    for pattern, replacement in _SPELLINGS.get(language, ()):
        words = [pattern.sub(replacement, word) for word in words]
    forms.add(content_stems(" ".join(words), language))
    return forms


def _close(word: str, found: str) -> bool:
    """Whether an English stem only lost an ending; "statistics" and "statistic" are two words."""
    shared = len(found) - 1 if found.endswith("i") and not word.startswith(found) else len(found)
    ending = len(word) - shared
    return not word.endswith("ics") and word[:shared] == found[:shared] and ending <= _MAX_ENGLISH_ENDING
