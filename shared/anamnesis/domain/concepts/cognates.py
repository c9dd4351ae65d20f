"""What two names of different languages tell about each other: cognates, and what opposes two names that are alike.

The words of science are mostly the same Greek and Latin ones ("osmosis", "осмос", "オスモシス"), so that a name often
says by itself that another one is its translation. Words are compared by their consonants in Latin letters, after the
endings in which languages differ regularly ("-tion", "-ción", "-cja"). The same comparison finds what a threshold on
meanings never does: names that differ in just the part that makes them opposites ("hypotonic", "hipertónico").
"""

from __future__ import annotations

from difflib import SequenceMatcher
from enum import Enum
from functools import lru_cache
from typing import Final

import regex
from anyascii import anyascii

from anamnesis.domain.concepts.word_forms import content_words


class NameEvidence(Enum):
    """What two names say about whether they mean one concept."""

    AGREE = "agree"
    """Every word of either has its cognate in the other."""
    NOTHING = "nothing"
    """No word has a cognate."""
    PARTLY = "partly"
    """Some words have a cognate, and both names have others besides."""
    OPPOSED = "opposed"
    """They differ in a number, in an opposing prefix, or in that one says more than the other."""


# fmt: off
#: Prefixes that no concept shares with a concept of another of them, as `_latin` writes them.
_OPPOSING: Final = (
    "ipo", "iper", "gipo", "giper", "inter", "intra", "ekstra", "eks", "endo", "ekso", "eso", "ekzo", "egzo", "mono",
    "di", "bi", "tri", "tetra", "poli", "oligo", "multi", "uni", "mikro", "makro", "omo", "etero", "gomo", "getero",
    "sim", "sin", "anti", "para", "pre", "post", "antero", "retro", "kon", "kom", "in", "im", "ek", "de", "dis",
    "sub", "super", "ultra", "infra", "ana", "kata", "kat", "meta", "pro", "eu", "ev", "ab", "ad", "a", "an", "non",
    "un", "ne", "nie", "ko", "meso", "telo", "kilo", "mili", "senti", "mega", "giga", "nano", "piko", "ir", "il", "mis",
    "geno", "feno",
)
#: Endings by which languages differ in one word, as `_latin` writes them, with what they are made.
_ENDINGS: Final = tuple(
    (regex.compile(f"(?:{pattern})$"), ending)
    for pattern, ending in (
        (r"[st](?:ion|ione|iones|ioni|ions|ao|oes|ie|ia|ii|ien)|(?<=[aeu])si", "sn"),
        (r"(?<=[ie])(?:dad|dade|dades|ta|te|tat|tet|teit|ti|tit|tets|ties|taten)", "t"),
        (r"ik(?:s|e|es|o|a|os|as|i|al|ale|ali|als|ais|o?n\w{1,2}|esk\w*)?", "k"),
        (r"[ae]l(?:e|i|es|s|en|n\w{1,3})?", "l"),
        (r"iv(?:e|o|a|os|as|i|es|n\w{1,3})?|if", "v"),
    )
)
# fmt: on
#: Sounds that are written in several ways, in order.
_SOUNDS: Final = (
    ("sch", "s"),
    ("tch", "k"),
    ("cj", "si"),
    ("cao", "sao"),
    ("coes", "soes"),
    ("ph", "f"),
    ("th", "t"),
    ("sh", "s"),
    ("ch", "k"),
    ("kh", "k"),
    ("cz", "k"),
    ("sz", "s"),
    ("ts", "s"),
    ("tz", "s"),
    ("x", "ks"),
    ("qu", "k"),
    ("q", "k"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "si"),
    ("c", "k"),
    ("w", "v"),
    ("z", "s"),
    ("j", "i"),
    ("y", "i"),
    ("h", ""),
)  # fmt: skip
_GERMAN_ADJECTIVE = regex.compile(r"isch(?:e[nrs]?)?$")
#: Cyrillic writes the h that Greek words begin with as a g; elsewhere the h goes.
_CYRILLIC_H = regex.compile(r"^г(?=[ие]|омо)")
_NOT_LETTERS = regex.compile(r"[^a-z]")
_VOWELS = regex.compile(r"[aeiou]+")
_CASE_ENDING = regex.compile(r"[aeiou]+[sm]?$")
_OTHER_VOWELS = regex.compile(
    r"[\p{Hiragana}\p{Katakana}\p{Hangul}\p{Arabic}\p{Hebrew}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)
_KATAKANA = regex.compile(r"[\p{Katakana}ー]+")
_LATIN_CASE = regex.compile(r"(?:[uoiae]s|[uo]m|on)$")
_TWICE = regex.compile(r"(.)\1+")
_ROMAN: Final = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8"}
_ARTIFICIAL_E = regex.compile(r"^e(?=s[^aeiou])")

#: Least likeness of two cognates letter by letter, and of those with hardly any consonants.
_ALIKE: Final = 0.6
_VERY_ALIKE: Final = 0.75
_FEW_CONSONANTS: Final = 3
#: Longest nominal ending that only one language has ("osmos-is", "spektr-um").
_MAX_CASE_ENDING: Final = 2
#: Shortest word that tells something even where it is a function word.
_MIN_TELLING: Final = 5
#: Letters that must follow an opposing prefix ("an-ion", "kat-ion").
_MIN_BASE: Final = 3


@lru_cache(maxsize=65_536)
def name_evidence(one: str, one_language: str, other: str, other_language: str) -> NameEvidence:
    """Compare two canonical keys of different languages (primary tags)."""
    first, second = _telling(one, one_language), _telling(other, other_language)
    numbers = _numbers(one), _numbers(other)
    if numbers[0] and numbers[1] and set(numbers[0].values()) != set(numbers[1].values()):
        return NameEvidence.OPPOSED
    first, second = [w for w in first if w not in numbers[0]], [w for w in second if w not in numbers[1]]
    if len(first) != len(second) and _cognates("".join(first), "".join(second)):
        return NameEvidence.AGREE  # a compound: "Sozialpsychologie"
    left, unmatched = list(first), []
    for word in second:
        found = next((known for known in left if _cognates(known, word)), None)
        if found is None:
            unmatched.append(word)
        else:
            left.remove(found)
    matched = len(first) - len(left)
    if any(_opposed(known, word) for known in left for word in unmatched):
        return NameEvidence.OPPOSED
    if not matched:
        return NameEvidence.NOTHING
    if not left and not unmatched:
        return NameEvidence.AGREE if bool(numbers[0]) == bool(numbers[1]) else NameEvidence.PARTLY
    return NameEvidence.PARTLY if left and unmatched else NameEvidence.OPPOSED


def _telling(key: str, language: str) -> list[str]:
    """Words without function words; lists of these hold long words too that a name means ("value", "number")."""
    told = set(content_words(key, language))
    return [word for word in key.split() if word in told or len(word) >= _MIN_TELLING]


def _numbers(key: str) -> dict[str, str]:
    """Words that are numbers, with their value; Roman ones and letters that may be such count too."""
    words = key.split()
    found = {word: _ROMAN.get(word, word) for word in words if word in _ROMAN or any(map(str.isdigit, word))}
    return found if len(found) < len(words) else {}


@lru_cache(maxsize=32_768)
def _latin(word: str) -> str:
    """Spell a word in plain Latin letters by its sounds."""
    spelt: str = anyascii(_CYRILLIC_H.sub("", word)).lower()
    spelt = _NOT_LETTERS.sub("", _GERMAN_ADJECTIVE.sub("ik", spelt))
    for sound, written in _SOUNDS:
        spelt = spelt.replace(sound, written)
    return str(_ARTIFICIAL_E.sub("", _TWICE.sub(r"\1", spelt)))


@lru_cache(maxsize=32_768)
def _consonants(word: str) -> str:
    """Return what a word's stem sounds like without vowels, its regular ending unified."""
    return str(_TWICE.sub(r"\1", _VOWELS.sub("", _ended(word))))


def _ended(word: str) -> str:
    for pattern, ending in _ENDINGS:
        if (found := pattern.search(word)) and found.start() > 1:
            return word[: found.start()] + ending
    return word


def _cognates(one: str, other: str) -> bool:
    """Whether two words are one word in two languages, by their consonants and the letters on the whole."""
    if one == other:
        return True
    first, second = _latin(one), _latin(other)
    if not _sound_alike(first, second):
        return False
    if _writes_vowels(one, other):
        return _same_vowels(first, second)
    # Kana put a vowel behind every consonant, and Arabic and Hebrew write few. Katakana are for loan words.
    loan = _KATAKANA.fullmatch(one) or _KATAKANA.fullmatch(other)
    return min(len(_consonants(first)), len(_consonants(second))) >= _FEW_CONSONANTS + (0 if loan else 1)


def _writes_vowels(*words: str) -> bool:
    return not any(_OTHER_VOWELS.search(word) for word in words)


def _sound_alike(one: str, other: str) -> bool:
    if not one or not other or one[0] != other[0]:
        return False
    first, second = _consonants(one), _consonants(other)
    if not first or not second:
        return False
    if first != second:
        if abs(len(one) - len(other)) > _MAX_CASE_ENDING:
            return False
        first, second = (
            min(
                {first, _consonants(_LATIN_CASE.sub("", one))}
                & {second, _consonants(_LATIN_CASE.sub("", other))},
                default="",
            ),
        ) * 2
        if len(first) < _FEW_CONSONANTS:
            return False
    likeness = SequenceMatcher(None, one, other, autojunk=False).ratio()
    return likeness >= (_VERY_ALIKE if len(first) < _FEW_CONSONANTS else _ALIKE)


def _same_vowels(one: str, other: str) -> bool:
    """Whether the vowels of two words agree but for those of their last endings: "lactose" is not "lactase"."""
    first, second = _inner_vowels(one), _inner_vowels(other)
    return abs(len(first) - len(second)) <= 1 and all(
        a == b or (a[0] == b[0] and len(a) == len(b)) for a, b in zip(first, second, strict=False)
    )


@lru_cache(maxsize=32_768)
def _inner_vowels(word: str) -> tuple[str, ...]:
    return tuple(_VOWELS.findall(_CASE_ENDING.sub("", _ended(word))))


def _opposed(one: str, other: str) -> bool:
    """Whether two words differ in just a prefix that makes another concept of the rest."""
    if not _writes_vowels(one, other):
        return False
    first, second = _latin(one), _latin(other)
    for prefix, base in _bases(first):
        for another, its_base in _bases(second):
            if prefix != another and (_sound_alike(base, its_base) or _begin_alike(base, its_base)):
                return True
    return False


def _begin_alike(one: str, other: str) -> bool:
    """Whether two bases may be one with two endings ("therm-ic", "therm-al"): enough to keep names apart."""
    shorter, longer = sorted((_consonants(one), _consonants(other)), key=len)
    return (
        one[:1] == other[:1]
        and len(shorter) >= _FEW_CONSONANTS
        and longer.startswith(shorter)
        and len(longer) - len(shorter) <= _MAX_CASE_ENDING
    )


@lru_cache(maxsize=32_768)
def _bases(word: str) -> tuple[tuple[str, str], ...]:
    """Return every way to take an opposing prefix off a word, and the word as it is."""
    return (
        ("", word),
        *(
            (prefix, word[len(prefix) :])
            for prefix in _OPPOSING
            if word.startswith(prefix) and len(word) - len(prefix) >= _MIN_BASE
        ),
    )
