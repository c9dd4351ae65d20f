"""Which language a text is in, and which of its words carry no meaning of their own.

Script decides first (Hangul is Korean, kana is Japanese, …); where a script serves many languages, function words
and letters of their own decide. The words come from stopwords-iso (MIT), each weighing the less the more languages
share it, so that "de" says little and "dengan" says much.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import regex
import stopwordsiso

from anamnesis.domain.text.tables import read_table

UNDETERMINED = "und"  # BCP 47 / ISO 639-2: "undetermined"
#: How much of a text is looked at, in characters: a few sentences are as good evidence as a book.
LOOKED_AT_CHARACTERS = 1_000
#: What `hint` weighs against evidence: enough to decide "ok", not enough to outweigh two plain function words.
_HINT_WEIGHT = 0.6
#: Lowest evidence that names a language without a hint; a lone word that three languages share says nothing.
_LEAST_EVIDENCE = 0.34

#: A lead in evidence from which on other languages of the script need not be tried.
_CLEAR_LEAD = 0.3

_BY_SCRIPT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Hangul", ("ko",)),
    ("Kana", ("ja",)),
    ("Han", ("zh",)),
    ("Thai", ("th",)),
    ("Hebrew", ("he",)),
    ("Devanagari", ("hi",)),
    ("Arabic", ("ar", "fa", "ur")),
    ("Cyrillic", ("ru", "uk", "bg")),
    ("Greek", ("el",)),
    ("Bengali", ("bn",)),
    ("Armenian", ("hy",)),
    ("Gujarati", ("gu",)),
    ("Tamil", ("ta",)),
    ("Telugu", ("te",)),
    ("Latin", ("en", "es", "pt", "fr", "de", "it", "id", "nl", "pl", "tr", "vi", "sv", "ro", "cs")),
)  # fmt: skip
_SCRIPT = {
    name: regex.compile(r"[\p{Hiragana}\p{Katakana}]" if name == "Kana" else rf"\p{{Script={name}}}")
    for name, _ in _BY_SCRIPT
}
_ENGLISH_WORD = regex.compile(r"[A-Za-z]{3}")
_WORD = regex.compile(r"[\p{L}\p{M}']+")
#: What seeing a letter of one's own weighs, against 1 for a function word of one's own.
_LETTER_WEIGHT = 0.5


@lru_cache(maxsize=1)
def _evidence() -> dict[str, dict[str, str]]:
    return read_table(__package__, "languages")


@lru_cache(maxsize=64)
def stop_words(language: str) -> frozenset[str]:
    """Return the words of `language` that carry no meaning of their own.

    Parameters
    ----------
    language
        A BCP 47 tag; only its primary part counts.

    Returns
    -------
    frozenset of str
        NFKC-normalised and casefolded words; empty for "und" and for languages without a list.
    """
    primary = primary_tag(language)
    if primary not in stopwordsiso.langs():
        return frozenset()
    words = {_normal(word) for word in stopwordsiso.stopwords(primary)}
    words |= {_normal(word) for word in words if word}
    words -= set(_evidence()["terms"].get(primary, "").split())
    return frozenset(word for word in words if any(c.isalpha() for c in word))


def primary_tag(language: str | None) -> str:
    """Return the primary part of a BCP 47 tag, lower-case: "pt-BR" gives "pt"; nothing usable gives "und"."""
    primary = (language or "").strip().replace("_", "-").split("-", 1)[0].casefold()
    if not (2 <= len(primary) <= 3 and primary.isascii() and primary.isalpha()):
        return UNDETERMINED
    return {"in": "id", "iw": "he", "nb": "no", "nn": "no", "ms": "id", "cmn": "zh", "yue": "zh"}.get(
        primary, primary
    )


def languages_of_script(text: str) -> tuple[str, ...]:
    """Return the languages written in the script that most letters of `text` are in, most likely ones first.

    Any kana makes Han Japanese; a Latin formula inside a text of another script does not make it Latin.
    """
    sample = text[:LOOKED_AT_CHARACTERS]
    counts = {name: float(len(pattern.findall(sample))) for name, pattern in _SCRIPT.items()}
    if counts["Kana"] and counts["Kana"] + counts["Han"] > counts["Hangul"]:
        counts["Kana"] += counts["Han"]
    counts["Latin"] *= 0.34  # Latin letters per word against syllables, and terms quoted in Latin letters
    name = max(counts, key=lambda key: counts[key])
    return dict(_BY_SCRIPT)[name] if counts[name] else ()


def detect_language(text: str, *, hint: str | None = None) -> str:
    """Name the language `text` is in.

    Parameters
    ----------
    text
        A chat message or longer; the first 1,000 characters are looked at.
    hint
        A BCP 47 tag of the language to expect; it decides where the text does not.

    Returns
    -------
    str
        The BCP 47 primary tag; "und" when nothing can be said.
    """
    return _judged(_sample(text), primary_tag(hint))[0]


def _judged(sample: str, expected: str) -> tuple[str, float]:
    """Return the language of a normalised sample, and by how much evidence it leads the next one."""
    candidates = languages_of_script(sample)
    if not candidates:
        return expected, 0.0
    if len(candidates) == 1:
        return candidates[0], 1.0
    weights = _word_weights(candidates)
    score: defaultdict[str, float] = defaultdict(float)
    for word in _WORD.findall(sample):
        for language, weight in weights.get(word.strip("'"), ()):
            score[language] += weight
    for language, letters in _evidence()["letters"].items():
        if language in candidates:
            score[language] += _LETTER_WEIGHT * min(3, sum(sample.count(letter) for letter in letters))
    if expected in candidates:
        score[expected] += _HINT_WEIGHT
    ranked = sorted(score.items(), key=lambda item: -item[1])
    best, evidence = ranked[0] if ranked else (UNDETERMINED, 0.0)
    if evidence < _LEAST_EVIDENCE:
        return (UNDETERMINED if candidates[0] == "en" else candidates[0]), 0.0
    return best, evidence - (ranked[1][1] if len(ranked) > 1 else 0.0)


class Reading(NamedTuple):
    """A language to read a text in.

    Attributes
    ----------
    trusted
        Whether weak evidence in that language, such as a lone name, counts.
    enough
        Whether what is found in it, or was found in one before it, needs no comparison with the languages after it.
    """

    language: str
    trusted: bool
    enough: bool


def reading_order(text: str, *, known: Collection[str], language: str | None = None) -> list[Reading]:
    """Return the languages to read a text in, best first.

    The expected language, the detected one and, in Latin letters, English come first and are trusted. The others of
    the script follow; they are trusted only where nothing could be detected, and then all are worth comparing.

    Parameters
    ----------
    known
        The languages there are tables for.
    language
        A BCP 47 tag of the language to expect.
    """
    expected = primary_tag(language)
    detected, lead = _judged(_sample(text), expected)
    script = languages_of_script(text)
    trusted = [expected, detected]
    if "en" in script or not script:
        trusted.append("en")
    sure = detected in known and "en" in script and lead >= _CLEAR_LEAD
    only_han = script == ("zh",)
    others = ("zh", "ja") if only_han else script
    order: dict[str, bool] = {}
    if _ENGLISH_WORD.search(text[:LOOKED_AT_CHARACTERS]):
        others = (*others, "en")
    for candidate, believed in [*((c, True) for c in trusted), *((c, not sure) for c in others)]:
        if candidate in known:
            order.setdefault(candidate, believed)
    told = sure or (expected in order and not only_han) or (len(script) == 1 and not only_han)
    return [
        Reading(candidate, believed, told or candidate == expected) for candidate, believed in order.items()
    ]


@lru_cache(maxsize=16)
def _word_weights(candidates: tuple[str, ...]) -> dict[str, tuple[tuple[str, float], ...]]:
    """Map each known word to the candidates it speaks for, each with 1 / (number of candidates sharing it)."""
    speakers: dict[str, dict[str, float]] = {}
    for language in candidates:
        for word in _speaking(language):
            speakers.setdefault(word, {})[language] = 1.0
        for word in _evidence()["everyday"].get(language, "").split():
            speakers.setdefault(_normal(word), {})[language] = 1.5
    return {
        word: tuple((language, weight / len(shared) ** 1.5) for language, weight in shared.items())
        for word, shared in speakers.items()
    }


def _speaking(language: str) -> frozenset[str]:
    """Words of a stop-word list that speak for its language: no country codes, no words of another language."""
    words = stop_words(language) - set(_evidence()["borrowed"].get(language, "").split())
    short = _evidence()["short"].get(language)
    return words if short is None else frozenset(w for w in words if len(w) > 2 or w in short.split())


def _sample(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:LOOKED_AT_CHARACTERS]).casefold()


def _normal(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()
