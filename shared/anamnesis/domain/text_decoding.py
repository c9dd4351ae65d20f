"""Bytes of a text file into text: marks, UTF-8, UTF-16, then the legacy encoding whose words make a language."""

from __future__ import annotations

import codecs
import re

from anamnesis.domain.legibility import is_legible
from anamnesis.domain.languages import languages_of_script, stop_words

#: Legacy encodings by how often they are met; the order decides between equals.
_LEGACY = (
    "cp1252", "cp1250", "cp1251", "koi8-r", "cp1256", "cp1255", "cp1253", "cp1254", "cp1258", "gb18030", "big5",
    "shift_jis", "euc_jp", "euc_kr", "cp874",
)  # fmt: skip
_SAMPLE_CHARS = 60_000
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
        share = _known_share(text[:_SAMPLE_CHARS])
        if best is None or share > best[0]:
            best = (share, text)
    return best[1] if best else None


def _known_share(text: str) -> float:
    """Share of the words holding non-ASCII letters that the text's likeliest language knows as function words.

    ASCII words read the same in every encoding and say nothing. Scripts without word separators count characters of
    the script instead: a wrong table yields letters of several scripts.
    """
    words = [word for word in _WORD.findall(text.casefold()) if not word.isascii()]
    if not words:
        return 0.0
    best = 0.0
    for language in languages_of_script(text) or ():
        known = stop_words(language)
        best = max(best, sum(1 for word in words if word in known) / len(words))
    return best
