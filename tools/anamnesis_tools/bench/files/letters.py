"""Whether bytes become the letters that were written, and whether letters that were changed are refused (CM-1, SV-12).

Decoding: passages of our own in twenty languages, whole and cut short, in the encodings that they were once written in,
by the file reader's rules and by charset-normalizer. A text counts when every letter is right.

Damage: the same passages, and others in languages that have no list of frequent words, as they are and with letters
exchanged. What is refused of the first is an error, what is not refused of the second too.
"""

from __future__ import annotations

import json
import random
import time
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files

from charset_normalizer import from_bytes
from rich.console import Console
from rich.table import Table

from anamnesis.domain.reading.garbling import is_garbled
from anamnesis.domain.reading.legibility import is_legible
from anamnesis.domain.reading.substitutions import is_enciphered
from anamnesis.domain.reading.text_decoding import decode_text

#: Characters of a passage that are decoded; None is all of it.
_LENGTHS = (40, 120, None)
_SEEDS = 2
_VOWELS = frozenset("aeiouyаеёиоуыэюяіїєαεηιουωάέήίόύώ")
#: Letters among which pairs are swapped: the commonest consonants, so that a swap is seen.
_COMMONEST = 12


@dataclass(frozen=True, slots=True)
class Decoded:
    """Texts of one length that were decoded right, and how long one took."""

    length: str
    texts: int
    ours: int
    charset_normalizer: int
    our_ms: float
    charset_normalizer_ms: float
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """How many texts of a kind were refused."""

    kind: str
    refuse: bool
    texts: int
    refused: int
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Letters:
    """Both measurements."""

    decoded: tuple[Decoded, ...]
    refused: tuple[Refused, ...]


def measure() -> Letters:
    """Measure both."""
    told = tomllib.loads(files(__package__).joinpath("texts", "letters_passages.toml").read_text("utf-8"))
    decoded = tuple(_decoding(told["listed"], told["encodings"], length) for length in _LENGTHS)
    refused = [*_damages(told["listed"], told["unlisted"]), *_short(told), *_other_scripts(told)]
    return Letters(decoded, tuple(refused))


def _decoding(passages: Mapping[str, str], encodings: Mapping[str, list[str]], length: int | None) -> Decoded:
    texts = ours = theirs = 0
    spent = [0.0, 0.0]
    wrong = []
    for language, names in encodings.items():
        for encoding in names:
            text = passages[language][:length].encode(encoding, "ignore").decode(encoding)
            data = text.encode(encoding)
            texts += 1
            mine, spent[0] = _timed(decode_text, data, spent[0])
            best, spent[1] = _timed(_charset_normalizer, data, spent[1])
            ours += mine == text
            theirs += best == text
            if mine != text:
                wrong.append(f"{language} in {encoding}")
    return Decoded(
        "whole" if length is None else str(length),
        texts,
        ours,
        theirs,
        1_000 * spent[0] / texts,
        1_000 * spent[1] / texts,
        tuple(wrong),
    )


def _timed(decode: Callable[[bytes], str | None], data: bytes, spent: float) -> tuple[str | None, float]:
    start = time.process_time()
    text = decode(data)
    return text, spent + time.process_time() - start


def _charset_normalizer(data: bytes) -> str | None:
    best = from_bytes(data).best()
    return None if best is None else str(best)


def _damages(listed: Mapping[str, str], unlisted: Mapping[str, str]) -> list[Refused]:
    found = [
        _refusals("as written, listed languages", listed, refuse=False),
        _refusals("as written, others", unlisted, refuse=False),
    ]
    spaced = {tag: text for tag, text in listed.items() if tag not in {"th", "ja", "zh", "zh-TW", "ko"}}
    damages: tuple[tuple[str, Callable[[str, random.Random], str]], ...] = (
        ("two pairs of consonants swapped", partial(_pairs, count=2)),
        ("four pairs of consonants swapped", partial(_pairs, count=4)),
        ("every consonant another", partial(_permuted, vowels_stay=True)),
        ("every letter another", partial(_permuted, vowels_stay=False)),
    )
    for kind, damage in damages:
        texts = {
            f"{tag} {seed}": damage(text.lower(), random.Random(seed))  # noqa: S311 - repeatable, no secret
            for tag, text in spaced.items()
            for seed in range(_SEEDS)
        }
        found.append(_refusals(kind, texts, refuse=True))
    return found


def _short(told: Mapping[str, Mapping[str, str]]) -> list[Refused]:
    """Notations and small languages whole, and texts of few words as they are, in another table, font or order."""
    found = [
        _refusals("notations and small languages", told["notations"], refuse=False),
        _refusals(
            "the same six times", {k: f"{v}\n\n" * 6 for k, v in told["notations"].items()}, refuse=False
        ),
    ]
    honest = {**told["listed"], **told["unlisted"], **told["notations"]}
    wrong = {
        **{
            f"{tag} {real} as {taken}": _taken_for(told["listed"][tag], real, taken)
            for tag, real, taken in _TAKEN
        },
        **{
            f"{tag} moved by {by}": _moved(told["listed"][tag], by)
            for tag in _LATIN
            for by in (-29, -3, 1, 29)
        },
        **{f"{tag} backwards": told["listed"][tag][::-1] for tag in _LATIN},
        **{
            f"{tag} exchanged": _permuted(
                told["listed"][tag].lower(),
                random.Random(1),  # noqa: S311 - repeatable, no secret
                vowels_stay=False,
            )
            for tag in _LATIN
        },
        **told["fonts"],
    }
    for words in (12, 20, 30, 45):
        found.append(_refusals(f"{words} words as written", _cut(honest, words), refuse=False))
        found.append(_refusals(f"{words} words of other letters", _cut(wrong, words), refuse=True))
    return found


def _other_scripts(told: Mapping[str, Mapping[str, str]]) -> list[Refused]:
    """Cyrillic, Greek, Arabic, Hebrew and Devanagari as written, and with letters exchanged within the script."""
    prose = {tag: told["listed"][tag] for tag in ("ru", "uk", "el", "ar", "he")}
    prose |= {name: text for name, text in told["scripts"].items() if name.endswith(" river")}
    damages: tuple[tuple[str, Callable[[str, random.Random], str]], ...] = (
        ("every letter another", partial(_permuted, vowels_stay=False)),
        ("every letter and sign another", _permuted_signs),
        ("moved along the code page", _moved_in_script),
    )
    found = []
    for words in (20, 45, 400):
        honest = _cut({**prose, **told["scripts"]}, words)
        found.append(_refusals(f"{words} words of other scripts as written", honest, refuse=False))
        for kind, damage in damages:
            wrong = {
                f"{name} {seed}": damage(text.lower(), random.Random(seed))  # noqa: S311 - repeatable, no secret
                for name, text in _cut(prose, words).items()
                for seed in range(_SEEDS)
            }
            found.append(_refusals(f"{words} words of theirs, {kind}", wrong, refuse=True))
    return found


def _permuted_signs(text: str, chance: random.Random) -> str:
    """Every letter and every sign that combines with one another of them."""
    signs = sorted({c for c in text if unicodedata.category(c)[0] in "LM"})
    others = signs[:]
    chance.shuffle(others)
    return text.translate({ord(one): other for one, other in zip(signs, others, strict=True)})


def _moved_in_script(text: str, chance: random.Random) -> str:
    by = chance.choice((-3, -2, -1, 1, 2, 3))
    return "".join(chr(ord(c) + by) if unicodedata.category(c)[0] in "LM" else c for c in text)


#: What is written in one table of one byte or two, and read by another.
_TAKEN = (
    ("ru", "cp1251", "latin-1"), ("ru", "koi8_r", "latin-1"), ("ru", "cp866", "cp1252"), ("ru", "koi8_r", "cp1251"),
    ("ru", "cp1251", "koi8_r"), ("uk", "cp1251", "cp1252"), ("el", "cp1253", "latin-1"), ("ar", "cp1256", "cp1252"),
    ("he", "cp1255", "cp1252"), ("th", "cp874", "cp1252"), ("zh", "gbk", "latin-1"), ("zh-TW", "big5", "latin-1"),
    ("ja", "shift_jis", "cp1252"), ("ja", "euc_jp", "latin-1"), ("ko", "euc_kr", "latin-1"), ("zh", "gbk", "big5"),
    ("ja", "euc_jp", "gbk"), ("ko", "euc_kr", "gbk"), ("pl", "cp1250", "cp1252"), ("cs", "cp852", "cp1252"),
    ("ru", "utf-8", "cp1251"), ("ar", "utf-8", "latin-1"),
)  # fmt: skip
_LATIN = ("en", "de", "es", "pl")
#: Characters of a text without spaces that are as much as a word.
_CHARS_OF_A_WORD = 5


def _taken_for(text: str, real: str, taken: str) -> str:
    return text.encode(real, "ignore").decode(taken, "ignore")


def _moved(text: str, by: int) -> str:
    """Letters by their numbers in a font that begins elsewhere."""
    return "".join(c if c.isspace() or ord(c) + by <= ord(" ") else chr(ord(c) + by) for c in text)


def _cut(texts: Mapping[str, str], words: int) -> dict[str, str]:
    return {
        name: " ".join(text.split()[:words]) if len(text.split()) > 3 else text[: words * _CHARS_OF_A_WORD]
        for name, text in texts.items()
    }


def _refusals(kind: str, texts: Mapping[str, str], *, refuse: bool) -> Refused:
    refused = {
        name: not is_legible(text) or is_garbled(text) or is_enciphered(text) for name, text in texts.items()
    }
    missed = Counter(
        name.rsplit(" ", 1)[0] if name[-1:].isdigit() else name
        for name, seen in refused.items()
        if seen is not refuse
    )
    return Refused(
        kind, refuse, len(texts), sum(refused.values()), tuple(f"{name} {n}" for name, n in missed.items())
    )


def _letters(text: str, *, vowels: bool) -> list[str]:
    counted = Counter(c for c in text if c.isalpha() and (vowels or c not in _VOWELS))
    return [letter for letter, _ in counted.most_common()]


def _pairs(text: str, chance: random.Random, count: int) -> str:
    common = _letters(text, vowels=False)[:_COMMONEST]
    chance.shuffle(common)
    table: dict[str, str] = {}
    for place in range(count):
        one, other = common[2 * place : 2 * place + 2]
        table |= {one: other, other: one}
    return text.translate({ord(one): other for one, other in table.items()})


def _permuted(text: str, chance: random.Random, *, vowels_stay: bool) -> str:
    letters = sorted(_letters(text, vowels=not vowels_stay))
    others = letters[:]
    chance.shuffle(others)
    return text.translate({ord(one): other for one, other in zip(letters, others, strict=True)})


def shown(letters: Letters, *, as_json: bool) -> None:
    """Print both tables."""
    if as_json:
        print(json.dumps(asdict(letters), ensure_ascii=False))
        return
    console = Console(width=150)
    table = Table(
        "characters", "texts", "ours right", "charset-normalizer right", "ours, ms", "its ms", "ours wrong"
    )
    for row in letters.decoded:
        table.add_row(
            row.length,
            str(row.texts),
            str(row.ours),
            str(row.charset_normalizer),
            f"{row.our_ms:.1f}",
            f"{row.charset_normalizer_ms:.1f}",
            ", ".join(row.wrong),
        )
    console.print(table)
    table = Table("letters", "texts", "refused", "should be", "wrong: language and how many")
    for kind in letters.refused:
        table.add_row(
            kind.kind,
            str(kind.texts),
            str(kind.refused),
            str(kind.texts if kind.refuse else 0),
            ", ".join(kind.missed),
        )
    console.print(table)
