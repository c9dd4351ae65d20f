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
import regex

from anamnesis.domain.reading.known_words import alphabets, known_languages
from anamnesis.domain.reading.letter_order import WORDS_OF_A_MODEL, Counts, model_of

#: What is written above and below letters and may be left out: accents, points, vowels of Arabic and Hebrew, tatweel.
_LEFT_OUT = regex.compile(r"[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]")
#: Letters that are told apart into a letter and what is left out: Greek with accents, Hebrew with points.
_COMPOSED = regex.compile(r"[\u0370-\u03ff\u1f00-\u1fff\ufb1d-\ufb4f]+")
#: Short forms in capitals, and those that Hebrew marks: they are spelt like no word.
_SHORT_FORM = regex.compile(
    r"(?<![\p{L}\p{M}])\p{Lu}{2,5}(?![\p{L}\p{M}])|[\u0590-\u05ff]+[\"'״׳][\u0590-\u05ff]*"
)
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*|\p{M}[\p{L}\p{M}]+")
#: Shortest words whose order is counted, the fewest words and different ones of a text that is judged, and the share of
#: a text's words that its script must have.
_LETTERS, _FEWEST, _OF_TEXT = 3, 12, 0.5


@dataclass(frozen=True, slots=True)
class _Script:
    """A script, its languages with a list, and how probable letters are at least in the order of one of these.

    Attributes
    ----------
    block
        Its first code point in Unicode, and the one after its last.
    least
        Mean logarithm of the probability of a letter after the one before it, under which no language writes so; in
        texts of the fewest words, and of ``_MORE`` different ones and more. Ours: of a hundred texts of each of 23
        languages, and of each length, one at the most was below it (``anamnesis bench letters`` has others). None where
        the order of letters tells too little, and only how often they come counts.
    others
        Letters of languages without a list that write as those do: Serbian, Macedonian.
    """

    name: str
    block: tuple[int, int]
    languages: tuple[str, ...]
    least: tuple[float, float] | None
    others: str = ""


_MORE = 30
#: Share of letters that none of a script's known languages has, beyond which a text is in another one: Kazakh, Uyghur.
_FOREIGN = 0.004
_SCRIPTS = (
    _Script("Cyrillic", (0x400, 0x460), ("ru", "uk", "bg"), (-3.6, -3.52), others="јљњћђџѓќѕ"),
    _Script("Greek", (0x370, 0x400), ("el",), (-3.45, -3.4)),
    _Script("Arabic", (0x600, 0x700), ("ar", "fa", "ur", "ku"), (-3.75, -3.6)),
    _Script("Hebrew", (0x590, 0x600), ("he",), (-3.75, -3.65)),
    _Script("Devanagari", (0x900, 0x980), ("hi", "mr"), None),
)
#: Hebrew letters with a form for the end of words: the forms, and the letters, without the plain pe in which loans end.
_FINALS, _NOT_FINAL = regex.compile("[ךםןףץ](?!$)"), regex.compile("[כמנצ]$")
#: Signs of Devanagari that begin no word and follow no other of their kind.
_LOOSE_SIGN = regex.compile(
    r"^[\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963]|[\u093e-\u094c]{2}|\u094d[\u0900-\u0903\u093e-\u094d]"
)
#: Share of the words that are frequent ones when they are read backwards, or with letters moved back by so many places,
#: in a text of few words that was damaged so, and of ``_MORE``, of which letters in no order make 0.02; the characters
#: that are looked at.
_UNDONE, _MOVED, _MOVED_CHARS = (0.3, 0.15), 4, 1_500
#: The ten commonest consonants of Devanagari's languages, their share in all of these (from 0.54 in a hundred words of
#: Hindi, Marathi, Nepali and Maithili, 0.35 where consonants were exchanged), and how far chance takes it below that in
#: a short text, in standard deviations. Ours.
_CONSONANTS, _COMMON = regex.compile("[\u0915-\u0939]"), frozenset("करनतसमहयपव")
_COMMON_SHARE, _BY_CHANCE = 0.51, 1.6
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
    text = _SHORT_FORM.sub(" ", text)
    every = _WORD.findall(text)
    for script in _SCRIPTS:
        own = [word for word in every if _pattern(script.name).fullmatch(word)]
        if len(own) < _FEWEST or len(own) < _OF_TEXT * len(every):
            continue
        words = _words(own)
        if words.total() < _FEWEST or len(words) < _FEWEST:
            return False
        if _misplaced(script.name, words) > _MISPLACED:
            return True
        if known_share(words) >= most_known:
            return False
        if _is_undone(text, words, script):
            return True
        # The names of animals, or a word for every letter of the alphabet, have any consonants.
        return (script.least is not None or _has_little_words(own)) and _is_unlikely(script, words)
    return False


def _words(found: Iterable[str]) -> Counter[str]:
    return Counter(bare for word in found if len(bare := _folded(word)) >= _LETTERS)


def _is_undone(text: str, words: Mapping[str, int], script: _Script) -> bool:
    """Whether words are frequent ones read backwards, or with every letter some places back in Unicode."""
    least = _UNDONE[len(words) >= _MORE]
    if _share({word[::-1]: count for word, count in words.items()}, script) >= least:
        return True
    first, last = script.block
    for by in range(-_MOVED, _MOVED + 1):
        moved = text[:_MOVED_CHARS].translate({code: code - by for code in range(first, last)})
        if by and _share(_words(_WORD.findall(moved)), script) >= least:
            return True
    return False


def _share(words: Mapping[str, int], script: _Script) -> float:
    """Largest share of the words that are frequent in one of a script's languages."""
    total = sum(words.values()) or 1
    return max(sum(words[word] for word in words.keys() & known) / total for known in _known(script))


@lru_cache(maxsize=65_536)
def _folded(word: str) -> str:
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
    if script.least is None:
        return _is_uncommon(words)
    places, models = _models(script)
    if _is_foreign(words, places):
        return False
    counts = _counts(words, places)
    total = float(counts.sum())
    least = script.least[len(words) >= _MORE]
    return total > 0 and max(float((counts * model).sum()) for model in models) < least * total


def _has_little_words(found: Iterable[str]) -> bool:
    """Whether a word too short to be counted comes twice, as it does in sentences and not in a list of words."""
    little = Counter(bare for word in found if len(bare := _folded(word)) < _LETTERS)
    return max(little.values(), default=0) > 1


def _is_uncommon(words: Mapping[str, int]) -> bool:
    """Whether the commonest consonants of Devanagari are rare; how far chance goes is told by the different words."""
    every = common = different = 0
    for word, count in words.items():
        letters = _CONSONANTS.findall(word)
        different += len(letters)
        every += count * len(letters)
        common += count * sum(letter in _COMMON for letter in letters)
    chance = _BY_CHANCE * (0.25 / max(different, 1)) ** 0.5
    return bool(common < (_COMMON_SHARE - chance) * every)


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


def _counts(words: Mapping[str, int], places: Mapping[str, int]) -> Counts:
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
def _known(script: _Script) -> tuple[frozenset[str], ...]:
    """Frequent words of each of a script's languages, folded."""
    return tuple(frozenset(map(_folded, known_languages()[tag])) for tag in script.languages)


@lru_cache(maxsize=8)
def _models(script: _Script) -> tuple[dict[str, int], tuple[Counts, ...]]:
    """Places of letters, and logarithms of the probability of each after another: by language, and in all of them."""
    lists = [Counter(known) for known in _known(script)]
    written = {letter for tag in script.languages for sign in alphabets()[tag] for letter in _folded(sign)}
    written |= set(script.others)
    letters = sorted(
        letter for letter in written if letter.isalpha() or unicodedata.category(letter)[0] == "M"
    )
    places = {letter: place for place, letter in enumerate(letters)}
    together = sum(lists, Counter())
    enough = [listed for listed in lists if len(listed) >= WORDS_OF_A_MODEL]
    return places, tuple(_model(listed, places) for listed in [*enough, together])


def _model(words: Iterable[str], places: Mapping[str, int]) -> Counts:
    return model_of(_counts(dict.fromkeys(words, 1), places))
