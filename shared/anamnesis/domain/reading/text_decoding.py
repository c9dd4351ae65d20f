"""Bytes of a text file into text: marks, UTF-8, UTF-16, then the legacy encoding whose words make a language."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from functools import lru_cache

import regex

from anamnesis.domain.reading.known_words import language_fit
from anamnesis.domain.reading.legibility import east_asian_share, is_legible
from anamnesis.domain.text.languages import stop_words

#: Legacy encodings by how often they are met; the order decides between equals.
_LEGACY = (
    "cp1252", "cp1250", "iso8859_2", "cp1251", "koi8_u", "koi8_r", "cp1256", "cp1255", "cp1253", "iso8859_7", "cp1254",
    "cp1257", "cp1258", "gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp874", "iso8859_5", "cp866", "cp1125",
    "mac_cyrillic", "mac_roman", "mac_latin2", "mac_turkish", "mac_greek", "cp850", "cp852", "cp857", "cp737", "cp720",
    "iso8859_6", "cp862", "johab",
)  # fmt: skip
#: Encodings in ASCII bytes, by what only they hold.
_IN_ASCII = (
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"\x1b\$[@B(]"), "iso2022_jp_2"),
    (re.compile(rb"~\{(?:[!-}][!-~]){2}"), "hz"),
    (re.compile(rb"\+[A-Za-z0-9+/]{2,200}-"), "utf_7"),
)
_SAMPLE_CHARS = 20_000
_LEAST_EAST_ASIAN_SHARE = 0.3
#: Characters of several bytes for each broken one from which bytes are UTF-8 that took harm: in a legacy encoding
#: they are a chance, one in five letters beyond ASCII at the most.
_WHOLE_PER_BROKEN = 4
#: From this many words on, a text without function words is in no language; prose has a third of them and more.
_ENOUGH_WORDS = 8
_LEAST_KNOWN_SHARE = 0.05
#: Share of a Thai text that its frequent words cover, written without spaces: 0.2 to 0.4 in prose.
_LEAST_THAI_SHARE = 0.1
#: Letters from which on they tell a text from a filler of one letter, and of two; and the share that the two commonest
#: have in a filler. Ours; in prose of any alphabet they have a third.
_ENOUGH_OF_ONE, _ENOUGH_OF_TWO, _FILLER_SHARE = 4, 8, 0.8
_WORD = re.compile(r"[^\W\d_]+")
_THAI = re.compile(r"[\u0e01-\u0e5b]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f-\x9f]")


def decode_text(data: bytes) -> str | None:
    """Text of the bytes, or None when no encoding makes a language of them.

    A byte order mark decides; then UTF-8, in which a byte here and there may be broken; then UTF-16 and UTF-32 without
    a mark where zero bytes show them; then the legacy encoding whose text best fits a language (``language_fit``).
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return _mostly_whole(data, encoding)
    if b"\x00" in data:
        return _best(data, ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"), _LEAST_KNOWN_SHARE)
    if data.isascii():
        return _in_ascii(data)
    text = _mostly_whole(data, "utf-8")
    return text if text is not None else _best(data, (*_LEGACY, "utf-16-le", "utf-16-be"), _LEAST_KNOWN_SHARE)


def _mostly_whole(data: bytes, encoding: str) -> str | None:
    """The text, its broken characters replaced, if they are few beside the whole ones; a cut last one is left out."""
    whole = codecs.getincrementaldecoder(encoding)(errors="replace").decode(data)
    text = _strict(data, encoding)
    if text is not None:
        return text
    broken = whole.count("\ufffd")
    beyond = sum(1 for c in whole if c > "\x7f") - broken
    return whole if beyond >= _WHOLE_PER_BROKEN * broken and (broken or beyond) else None


def _in_ascii(data: bytes) -> str:
    """ASCII, or what an encoding in ASCII bytes writes with it, if that makes a language."""
    for pattern, encoding in _IN_ASCII:
        if pattern.search(data) is not None:
            text = _strict(data, encoding)
            if text is not None and not text.isascii() and _score(text[:_SAMPLE_CHARS]) is not None:
                return text
    return data.decode("ascii")


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeError:
        return None


def _best(data: bytes, encodings: tuple[str, ...], least: float) -> str | None:
    scored: list[tuple[float, int, str]] = []
    for place, encoding in enumerate(encodings):
        text = _strict(data, encoding)
        if text is None or _CONTROL.search(text):
            continue
        score = _score(text[:_SAMPLE_CHARS], least)
        if score is not None:
            scored.append((score, -place, text))
    return next((text for _, _, text in sorted(scored, reverse=True) if is_legible(text)), None)


def _score(text: str, least: float = _LEAST_KNOWN_SHARE) -> float | None:
    """How well a decoded text fits a language; None when it fits none.

    East Asian and Thai text, written without spaces, is judged by its characters; elsewhere words and letters decide.
    """
    if not any(c.isalnum() for c in text) or _is_filler(text):
        return None
    share = east_asian_share(text)
    if share >= _LEAST_EAST_ASIAN_SHARE:
        return share
    text = unicodedata.normalize("NFC", text)
    if len(_THAI.findall(text)) * 2 > sum(1 for c in text if c.isalpha()):
        thai = _thai_share(text)
        return thai if thai >= _LEAST_THAI_SHARE else None
    words = len(_WORD.findall(text))
    return language_fit(text, least if words >= _ENOUGH_WORDS else 0.0)


def _is_filler(text: str) -> bool:
    """Whether one or two letters are repeated: bytes that were never written, or erased."""
    letters = Counter(c for c in text if c.isalpha())
    total = sum(letters.values())
    common = sum(count for _, count in letters.most_common(2))
    if len(letters) == 1:
        return total >= _ENOUGH_OF_ONE
    return total >= _ENOUGH_OF_TWO and common > _FILLER_SHARE * total


def _thai_share(text: str) -> float:
    covered = sum(len(word) for word in _thai_words().findall(text))
    return covered / max(1, len(text.replace(" ", "")))


@lru_cache(maxsize=1)
def _thai_words() -> regex.Pattern[str]:
    words = sorted((word for word in stop_words("th") if len(word) > 1), key=len, reverse=True)
    return regex.compile("|".join(map(regex.escape, words)))
