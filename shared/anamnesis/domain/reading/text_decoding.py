"""Bytes of a text file into text: marks, UTF-8, UTF-16, then the legacy encoding whose words make a language."""

from __future__ import annotations

import codecs
import re

from anamnesis.domain.reading.legibility import east_asian_share, is_legible
from anamnesis.domain.text.languages import languages_of_script, stop_words

#: Legacy encodings by how often they are met; the order decides between equals.
_LEGACY = (
    "cp1252", "cp1250", "cp1251", "koi8-r", "cp1256", "cp1255", "cp1253", "cp1254", "cp1258", "gb18030", "big5",
    "shift_jis", "euc_jp", "euc_kr", "cp874",
)  # fmt: skip
_SAMPLE_CHARS = 60_000
_LEAST_EAST_ASIAN_SHARE = 0.3
#: From this many words on, a text without function words is in no language; prose has a third of them and more.
_ENOUGH_WORDS = 8
_LEAST_KNOWN_SHARE = 0.05
_WORD = re.compile(r"[^\W\d_]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")


def decode_text(data: bytes) -> str | None:
    """Text of the bytes, or None when no encoding makes a language of them.

    A byte order mark decides; then strict UTF-8; then UTF-16 without a mark where zero bytes show it; then the legacy
    encoding that yields legible text with the largest share of words known as frequent in some language.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return _strict(data, encoding)
    zeros = data[:4096].count(0)
    if zeros:
        little = data[1:4096:2].count(0) >= data[0:4096:2].count(0)
        return _strict(data, "utf-16-le" if little else "utf-16-be")
    text = _strict(data, "utf-8")
    return text if text is not None else _legacy(data)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _legacy(data: bytes) -> str | None:
    best: tuple[float, str] | None = None
    for encoding in _LEGACY:
        text = _strict(data, encoding)
        if text is None or _CONTROL.search(text) or not is_legible(text):
            continue
        score = _score(text[:_SAMPLE_CHARS])
        if score is not None and (best is None or score > best[0]):
            best = (score, text)
    return best[1] if best else None


def _score(text: str) -> float | None:
    """How well the words of a decoded text fit a language; None when they fit none.

    East Asian text is judged by its characters. Elsewhere the function words decide, and among the encodings that make
    a language of the text those with non-ASCII letters: ASCII words read the same in every encoding.
    """
    share = east_asian_share(text)
    if share >= _LEAST_EAST_ASIAN_SHARE:
        return share
    words = _WORD.findall(text.casefold())
    marked = [word for word in words if not word.isascii()]
    best: float | None = None
    for language in languages_of_script(text):
        known = stop_words(language)
        if len(words) >= _ENOUGH_WORDS and sum(word in known for word in words) < _LEAST_KNOWN_SHARE * len(
            words
        ):
            continue
        fit = sum(word in known for word in marked) / len(marked) if marked else 0.0
        best = fit if best is None else max(best, fit)
    return best
