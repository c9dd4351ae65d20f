"""Whether letters beyond the Latin ones follow each other as in a language of their script, and stand where they may.

Fonts with a wrong table, and letters moved along a code page, leave Cyrillic, Greek, Arabic, Hebrew and Devanagari in
their own script: letters that are common stay common for the most part, so that counting them tells little. The order
of letters tells, by the frequent words of the script's languages that have a list (as ``letter_order`` does for a to
z), and so do the places of letters that only end, or never begin, a word.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import regex

from anamnesis.domain.reading.known_words import alphabets, known_languages

#: What is written above and below letters and may be left out: accents, points, vowels of Arabic and Hebrew, tatweel.
_LEFT_OUT = regex.compile(r"[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]")
#: Letters that are told apart into a letter and what is left out: Greek with accents, Hebrew with points.
_COMPOSED = regex.compile(r"[\u0370-\u03ff\u1f00-\u1fff\ufb1d-\ufb4f]+")
#: Short forms in capitals, and those that Hebrew marks: they are spelt like no word.
_SHORT_FORM = regex.compile(
    r"(?<![\p{L}\p{M}])\p{Lu}{2,5}(?![\p{L}\p{M}])|[\u0590-\u05ff]+[\"'״׳][\u0590-\u05ff]*"
)
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*|\p{M}[\p{L}\p{M}]+")
#: Letters that a model counts as seen before it has seen any, and the fewest words that make one (``letter_order``).
_UNSEEN_COUNT, _WORDS_OF_A_MODEL = 0.3, 60
#: Shortest words whose order is counted, the fewest words and different ones of a text that is judged, and the share of
#: a text's words that its script must have.
_LETTERS, _FEWEST, _OF_TEXT = 3, 12, 0.5

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Script:
    """A script, its languages with a list, and how probable letters are at least in the order of one of these.

    Attributes
    ----------
    least
        Mean logarithm of the probability of a letter after the one before it, under which no language writes so; in
        texts of the fewest words, and of ``_MORE`` and more. Ours: of a hundred texts of each of 23 languages, and of
        each length, one at the most was below it (``anamnesis bench letters`` has others). None where the order of
        letters tells too little.
    others
        Letters of languages without a list that write as those do: Serbian, Macedonian.
    """

    name: str
    languages: tuple[str, ...]
    least: tuple[float, float] | None
    others: str = ""


_MORE = 30
#: Share of letters that none of a script's known languages has, beyond which a text is in another one: Kazakh, Uyghur.
_FOREIGN = 0.004
_SCRIPTS = (
    _Script("Cyrillic", ("ru", "uk", "bg"), (-3.55, -3.45), others="јљњћђџѓќѕ"),
    _Script("Greek", ("el",), (-3.45, -3.4)),
    _Script("Arabic", ("ar", "fa", "ur", "ku"), (-3.75, -3.6)),
    _Script("Hebrew", ("he",), (-3.75, -3.65)),
    _Script("Devanagari", ("hi", "mr"), None),
)
#: Hebrew letters with a form for the end of words: the forms, and the letters, without the plain pe in which loans end.
_FINALS, _NOT_FINAL = regex.compile("[ךםןףץ](?!$)"), regex.compile("[כמנצ]$")
#: Signs of Devanagari that begin no word and follow no other of their kind.
_LOOSE_SIGN = regex.compile(
    r"^[\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963]|[\u093e-\u094c]{2}|\u094d[\u0900-\u0903\u093e-\u094d]"
)
#: Share of the words that are frequent ones when they are read backwards, in a text that was written so.
_BACKWARDS = 0.3
#: Share of words that may have such letters in the wrong place.
_MISPLACED = 0.15


def is_strange_to_its_script(
    text: str, known_share: Callable[[Counter[str]], float], most_known: float
) -> bool:
    """Whether most words of a text are in a script beyond Latin and have its letters in no language's order.

    Parameters
    ----------
    known_share
        Tells the share of words that are frequent in a language.
    most_known
        The share from which on a text is in one.
    """
    every = _WORD.findall(_SHORT_FORM.sub(" ", text))
    for script in _SCRIPTS:
        own = [word for word in every if _pattern(script.name).fullmatch(word)]
        if len(own) < _FEWEST or len(own) < _OF_TEXT * len(every):
            continue
        words = Counter(bare for word in own if len(bare := folded(word)) >= _LETTERS)
        if words.total() < _FEWEST or len(words) < _FEWEST:
            return False
        if _misplaced(script.name, words) > _MISPLACED:
            return True
        if known_share(words) >= most_known:
            return False
        backwards = Counter({word[::-1]: count for word, count in words.items()})
        return known_share(backwards) >= _BACKWARDS or _is_unlikely(script, words)
    return False


def folded(word: str) -> str:
    """A word in small letters, without what may be left out."""
    word = _COMPOSED.sub(
        lambda found: unicodedata.normalize("NFD", found[0]), unicodedata.normalize("NFC", word)
    )
    return str(_LEFT_OUT.sub("", word.casefold()))


def _misplaced(script: str, words: Mapping[str, int]) -> float:
    """Share of the words with letters where none of the script's languages has them."""
    if script == "Hebrew":
        wrong = sum(count for word, count in words.items() if _FINALS.search(word))
        wrong = max(wrong, sum(count for word, count in words.items() if _NOT_FINAL.search(word)))
    elif script == "Devanagari":
        wrong = sum(count for word, count in words.items() if _LOOSE_SIGN.search(word))
    else:
        return 0.0
    return wrong / sum(words.values())


def _is_unlikely(script: _Script, words: Mapping[str, int]) -> bool:
    places, models = _models(script)
    if script.least is None or _is_foreign(words, places):
        return False
    counts = _counts(words, places)
    total = float(counts.sum())
    least = script.least[sum(words.values()) >= _MORE]
    return total > 0 and max(float((counts * model).sum()) for model in models) < least * total


def _is_foreign(words: Mapping[str, int], places: Mapping[str, int]) -> bool:
    """Whether a text has letters of a language without a list."""
    letters: Counter[str] = Counter()
    for word, count in words.items():
        for letter in word:
            letters[letter] += count
    strange = sum(count for letter, count in letters.items() if letter not in places)
    # No language with a list has the i of Ukrainian beside the y or the e of Russian; Belarusian has.
    return strange > _FOREIGN * letters.total() or ("і" in letters and bool(letters.keys() & set("ыэ")))


@lru_cache(maxsize=8)
def _pattern(script: str) -> regex.Pattern[str]:
    return regex.compile(rf"[\p{{{script}}}\p{{M}}\u0640]+")


def _counts(words: Mapping[str, int], places: Mapping[str, int]) -> Matrix:
    """How often each letter follows another; the last row and column are a word's ends."""
    edge = len(places)
    counts = np.zeros((edge + 1, edge + 1))
    for word, count in words.items():
        order = [edge, *(places.get(letter, -1) for letter in word), edge]
        for first, second in pairwise(order):
            if first >= 0 and second >= 0:
                counts[first, second] += count
    return counts


@lru_cache(maxsize=8)
def _models(script: _Script) -> tuple[dict[str, int], tuple[Matrix, ...]]:
    """Places of letters, and logarithms of the probability of each after another: by language, and in all of them."""
    lists = [Counter(map(folded, known_languages()[tag])) for tag in script.languages]
    written = {letter for tag in script.languages for sign in alphabets()[tag] for letter in folded(sign)}
    written |= set(script.others)
    letters = sorted(
        letter for letter in written if letter.isalpha() or unicodedata.category(letter)[0] == "M"
    )
    places = {letter: place for place, letter in enumerate(letters)}
    together = sum(lists, Counter())
    enough = [listed for listed in lists if len(listed) >= _WORDS_OF_A_MODEL]
    return places, tuple(_model(listed, places) for listed in [*enough, together])


def _model(words: Iterable[str], places: Mapping[str, int]) -> Matrix:
    counts = _counts(dict.fromkeys(words, 1), places) + _UNSEEN_COUNT
    return np.asarray(np.log(counts / counts.sum(axis=1, keepdims=True)))
