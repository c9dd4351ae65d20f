"""Whether letters stand for other letters: text decoded by a wrong table, without its accents, or in a cipher.

Such text can look like a language by its letters (``legibility``); what gives it away is that it becomes one when the
damage is undone, or that it is prose in none of the languages known and not spelt like any.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

import regex

from anamnesis.domain.reading.known_words import known_languages, telling_share, words_of
from anamnesis.domain.reading.script_order import is_strange_to_its_script
from anamnesis.domain.reading.substitutions import is_unlikely

_SAMPLE_CHARS = 20_000
#: Tables by which UTF-8 is read by mistake.
_WRONG_TABLES = (
    "cp1252", "latin-1", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874",
    "cp437", "cp850", "cp866", "mac_roman",
)  # fmt: skip
#: The same, of two bytes: what they make of UTF-8 is squares. They hold Greek and Cyrillic too, whose capitals' bytes
#: happen to be UTF-8.
_WIDE_TABLES = ("gb18030", "cp932", "cp949")
_WIDE = regex.compile(r"[\p{Han}\p{Hangul}\p{Katakana}\p{Hiragana}\uff00-\uffef]")
_BEYOND = re.compile(r"[^\x00-\x7f]+")
#: Fewest characters of UTF-8, and the share of the bytes beyond ASCII they make up, in text that was UTF-8: bytes of
#: honest text in any table form few.
_LEAST_RESTORED, _RESTORED_SHARE = 6, 0.6
_LOST_BESIDE_LETTER = regex.compile(r"\p{L}\ufffd|\ufffd\p{L}")
_ASKED_INSIDE = regex.compile(r"(?<!\S)[(\"']?\p{L}+(?:\?+\p{L}+)+")
#: Lost letters: at least this many, and this share of all letters; a broken byte or a bad ligature are fewer.
_LEAST_LOST, _LOST_SHARE = 5, 0.01
#: Prose has this many words at least, and text that is not prose is not judged by its words.
_ENOUGH_WORDS = 60
#: Different words of prose of that length; a word repeated is frequent in some alphabet by chance.
_ENOUGH_KINDS = 30
#: Share of frequent words under which text is in none of the languages that have a list, and above which it is in one.
_UNKNOWN_SHARE, _KNOWN_SHARE = 0.15, 0.25
#: Share of the different words that are frequent ones: a word that returns in every line is frequent by chance.
_OF_KINDS = 0.15
#: Share of pairs of letters that no listed language in Latin letters has. Under 0.1 in languages without a list.
_UNSEEN_SHARE = 0.12
_CAPITALS_INSIDE_SHARE = 0.15
#: Share of the letters with marks among Latin letters; a quarter in Vietnamese and Yoruba, who have the most.
_MARKED_SHARE = 0.6
#: Share of words with two marked letters on end: Vietnamese as old fonts spelt it ("ngöôøi").
_DOUBLY_MARKED, _DOUBLY_MARKED_SHARE = (
    regex.compile(r"[àáâãäåèéêëìíîïòóôõöøùúûüýÿ]{2}", regex.I),
    0.15,
)
_LATIN_WORD = regex.compile(r"\p{Latin}(?:\p{Latin}|\p{Mn}){2,}")
#: Short forms in capitals are spelt like no language, and name things in every one.
_SHORT_FORM = regex.compile(r"(?<![\p{L}\p{M}])\p{Lu}{2,5}s?(?![\p{L}\p{M}])")
_LONG_CAPITALS, _LONG_SHARE = regex.compile(r"\p{Lu}{6,}"), 0.12
#: Vietnamese as VNI's fonts spelt it: a vowel, and its tone as a letter of its own.
_VNI = regex.compile(r"[aeouyôö][ùøûõï]", regex.IGNORECASE)
#: Signs within words that only fonts of other alphabets draw as letters, and in what share of the words they stand.
_FONT_SIGN, _FONT_SHARE, _LEAST_FONT = regex.compile(r"\p{L}[;~^`|!%&$@*\\\[\]{}<>]+\p{L}"), 0.2, 4
#: Tables of one byte for Cyrillic, one of which is taken for another.
_CYRILLIC_TABLES = ("cp1251", "koi8_r", "cp866", "mac_cyrillic", "iso8859_5")
_CYRILLIC = regex.compile(r"\p{Cyrillic}")
#: A short text has from so many words, and so many different ones, on enough letters for a judgement by their order;
#: how probable these are at least, and the share of frequent words above which nothing is amiss. No honest text of 15
#: to 40 words in 53 languages and notations was under both, nine of ten whose every letter was another were (see
#: ``anamnesis bench letters``).
_FEW_WORDS, _FEW_KINDS, _LEAST_LIKELY_SHORT, _SHORT_KNOWN = 12, 12, -3.35, 0.1
#: What a short text's share of frequent words must become for letters to be what was moved or turned round.
_UNDONE_SHORT = 0.35
#: Letters of an alphabet beyond ASCII as another table of one byte shows them: this share of what words are made of.
_UPPER_HALF = regex.compile(
    r"[\u0080-\u00ff\u0152\u0153\u0160\u0161\u017d\u017e\u0178\u0192\u02c6\u02dc\u2020-\u2022\u2030\u2039\u203a\u20ac\u2122]"
)
_UPPER_SHARE, _LEAST_UPPER = 0.6, 24
_TWO_SIGNS = regex.compile(r"\S{2,}")
#: Signs that a wrong table puts inside words, at least so many, and in this share of the words.
_SIGN_INSIDE = regex.compile(r"\p{L}[¹³¿¡¼½¾¢£¤¥¦§©¬®±¶¸‡†‰]+\p{L}")
_LEAST_INSIDE, _INSIDE_SHARE = 4, 0.06
#: Capitals behind small letters in scripts whose names of programs have none, as a wrong table turns them round.
_OTHER_CASED = regex.compile(r"[\p{Cyrillic}\p{Greek}]{3,}")
_TURNED_CASE = regex.compile(r"\p{Ll}\p{Lu}{2}|\p{Ll}\p{Lu}+$|^\p{Ll}\p{Lu}")
_CAPITAL_INSIDE = regex.compile(r"\p{Ll}\p{Lu}")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def is_garbled(text: str) -> bool:
    """Whether the letters of `text` are not those that were written; False where that cannot be told.

    Parameters
    ----------
    text
        Text of a page or a file; its first 20,000 characters are judged.
    """
    sample = text[:_SAMPLE_CHARS]
    letters = sum(1 for c in sample if c.isalpha())
    if not letters:
        return False
    return (
        _was_utf8(sample)
        or _lost_letters(sample, letters)
        or _of_another_table(sample)
        or _in_no_language(sample)
        or is_strange_to_its_script(sample, telling_share, _SHORT_KNOWN)
    )


def _of_another_table(text: str) -> bool:
    """Whether letters are mostly those of the upper half of a table of one byte, or its signs stand in words."""
    words = _TWO_SIGNS.findall(text)
    signs = "".join(words)
    if len(_UPPER_HALF.findall(signs)) > max(_LEAST_UPPER, _UPPER_SHARE * len(signs)):
        return True
    inside = len(_SIGN_INSIDE.findall(text))
    if inside >= _LEAST_INSIDE and inside > _INSIDE_SHARE * len(words):
        return True
    cased = _OTHER_CASED.findall(text)
    turned = sum(1 for word in cased if _TURNED_CASE.search(word))
    if len(cased) >= _FEW_WORDS // 2 and turned > len(cased) // 2:
        return True
    fonts = len(_FONT_SIGN.findall(text))
    if (
        fonts >= _LEAST_FONT
        and fonts > _FONT_SHARE * len(words)
        and telling_share(words_of(text)) < _SHORT_KNOWN
    ):
        return True
    return _of_another_cyrillic_table(text)


def _of_another_cyrillic_table(text: str) -> bool:
    """Whether Cyrillic becomes prose when the table that its bytes were read by is exchanged for another."""
    words = words_of(text)
    if len(words) < _FEW_KINDS // 2 or 2 * len(_CYRILLIC.findall(text)) < sum(1 for c in text if c.isalpha()):
        return False
    if telling_share(words) >= _SHORT_KNOWN:
        return False
    cyrillic = "".join(set(_CYRILLIC.findall(text)))
    return any(
        _tells(words_of(text.encode(taken, "replace").decode(meant, "replace")), _KNOWN_SHARE)
        for taken in _CYRILLIC_TABLES
        for meant in _CYRILLIC_TABLES
        if taken != meant and _has(taken, cyrillic)
    )


def _has(table: str, letters: str) -> bool:
    """Whether a table of one byte has every letter; what was read by it has no other, such as old spelling's yat."""
    try:
        letters.encode(table)
    except UnicodeEncodeError:
        return False
    return True


def _was_utf8(text: str) -> bool:
    runs = _BEYOND.findall(text)
    if not runs:
        return False
    signs = "".join(runs)
    wide = _WIDE_TABLES if 2 * len(_WIDE.findall(signs)) >= len(signs) else ()
    return any(_restored(runs, table) for table in (*_WRONG_TABLES, *wide))


def _restored(runs: list[str], table: str) -> bool:
    """Whether the bytes that a table makes of the characters are UTF-8 for the most part."""
    whole = count = restored = 0
    for run in runs:
        # What the table does not hold counts against it.
        data = run.encode(table, errors="replace")
        whole += len(data)
        characters = [c for c in data.decode("utf-8", errors="ignore") if c > "\x7f"]
        count += len(characters)
        restored += len("".join(characters).encode())
    return count >= _LEAST_RESTORED and restored >= _RESTORED_SHARE * whole


def _lost_letters(text: str, letters: int) -> bool:
    lost = len(_LOST_BESIDE_LETTER.findall(text))
    if text.isascii():
        lost += len(_ASKED_INSIDE.findall(text))
    return lost >= _LEAST_LOST and lost > _LOST_SHARE * letters


def _in_no_language(text: str) -> bool:
    latin = _LATIN_WORD.findall(text)
    if len(_LONG_CAPITALS.findall(text)) <= _LONG_SHARE * len(latin):
        latin = _LATIN_WORD.findall(_SHORT_FORM.sub(" ", text))
    if len(latin) < _FEW_WORDS or len(latin) * 2 < len(text.split()):
        return False
    words = words_of(" ".join(latin))
    if len(latin) < _ENOUGH_WORDS:
        return len(words) >= _FEW_KINDS and _short_in_no_language(latin, words)
    if len(words) < _ENOUGH_KINDS or telling_share(words) >= _UNKNOWN_SHARE:
        return False
    return (
        _oddly_written(latin) or _unseen_share(words) > _UNSEEN_SHARE or is_unlikely(words) or _undone(words)
    )


def _short_in_no_language(latin: list[str], words: Counter[str]) -> bool:
    """Whether letters follow each other as in no language, in a text too short to be judged by its words alone."""
    if telling_share(words) >= _SHORT_KNOWN:
        return False
    if is_unlikely(words, _LEAST_LIKELY_SHORT) or _undone(words, _UNDONE_SHORT):
        return True
    doubly = sum(1 for word in latin if _VNI.search(word))
    return doubly > max(2.0, _DOUBLY_MARKED_SHARE * len(latin))


def _oddly_written(latin: list[str]) -> bool:
    """Whether marks and capitals stand where no language in Latin letters puts so many."""
    letters = "".join(latin)
    if sum(1 for c in letters if not c.isascii()) > _MARKED_SHARE * len(letters):
        return True
    if sum(1 for word in latin if _CAPITAL_INSIDE.search(word)) > _CAPITALS_INSIDE_SHARE * len(latin):
        return True
    return sum(1 for word in latin if _DOUBLY_MARKED.search(word)) > _DOUBLY_MARKED_SHARE * len(latin)


def _undone(words: Counter[str], share: float = _KNOWN_SHARE) -> bool:
    """Whether the words are frequent ones read backwards, or with every letter moved on in the alphabet."""
    if _tells(Counter({word[::-1]: count for word, count in words.items()}), share):
        return True
    return any(
        _tells(Counter({word.translate(_moved(by)): count for word, count in words.items()}), share)
        for by in range(1, len(_ALPHABET))
    )


def _tells(words: Counter[str], share: float) -> bool:
    return telling_share(words) >= share and telling_share(Counter(dict.fromkeys(words, 1))) >= _OF_KINDS


@lru_cache(maxsize=32)
def _moved(by: int) -> dict[int, int]:
    return str.maketrans(_ALPHABET, _ALPHABET[by:] + _ALPHABET[:by])


def _unseen_share(words: Counter[str]) -> float:
    pairs = unseen = 0
    for word, count in words.items():
        for pair in _pairs(word):
            if pair.isascii():
                pairs += count
                unseen += count * (pair not in _seen_pairs())
    return unseen / pairs if pairs else 0.0


def _pairs(word: str) -> set[str]:
    return {first + second for first, second in zip(f" {word}", f"{word} ", strict=True)}


@lru_cache(maxsize=1)
def _seen_pairs() -> frozenset[str]:
    return frozenset(pair for known in known_languages().values() for word in known for pair in _pairs(word))
