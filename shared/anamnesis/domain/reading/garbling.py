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
from anamnesis.domain.reading.substitutions import is_unlikely

_SAMPLE_CHARS = 20_000
#: Tables by which UTF-8 is read by mistake.
_WRONG_TABLES = (
    "cp1252", "latin-1", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874",
    "cp437", "cp850", "cp866", "mac_roman", "gb18030", "cp932", "cp949",
)  # fmt: skip
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
_LATIN_WORD = regex.compile(r"\p{Latin}{3,}")
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
    return _was_utf8(sample) or _lost_letters(sample, letters) or _in_no_language(sample)


def _was_utf8(text: str) -> bool:
    runs = _BEYOND.findall(text)
    if not runs:
        return False
    return any(_restored(runs, table) for table in _WRONG_TABLES)


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
    if len(latin) < _ENOUGH_WORDS or len(latin) * 2 < len(text.split()):
        return False
    words = words_of(" ".join(latin))
    if len(words) < _ENOUGH_KINDS or telling_share(words) >= _UNKNOWN_SHARE:
        return False
    return (
        _oddly_written(latin) or _unseen_share(words) > _UNSEEN_SHARE or is_unlikely(words) or _undone(words)
    )


def _oddly_written(latin: list[str]) -> bool:
    """Whether marks and capitals stand where no language in Latin letters puts so many."""
    letters = "".join(latin)
    if sum(1 for c in letters if not c.isascii()) > _MARKED_SHARE * len(letters):
        return True
    if sum(1 for word in latin if _CAPITAL_INSIDE.search(word)) > _CAPITALS_INSIDE_SHARE * len(latin):
        return True
    return sum(1 for word in latin if _DOUBLY_MARKED.search(word)) > _DOUBLY_MARKED_SHARE * len(latin)


def _undone(words: Counter[str]) -> bool:
    """Whether the words are frequent ones read backwards, or with every letter moved on in the alphabet."""
    if _tells(Counter({word[::-1]: count for word, count in words.items()})):
        return True
    return any(
        _tells(Counter({word.translate(_moved(by)): count for word, count in words.items()}))
        for by in range(1, len(_ALPHABET))
    )


def _tells(words: Counter[str]) -> bool:
    return (
        telling_share(words) >= _KNOWN_SHARE and telling_share(Counter(dict.fromkeys(words, 1))) >= _OF_KINDS
    )


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
