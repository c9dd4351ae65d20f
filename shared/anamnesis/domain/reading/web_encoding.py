"""Bytes of a web page into text: mark, UTF-8 that holds, what the page says of itself, then what makes a language."""

from __future__ import annotations

import codecs
import re

from anamnesis.domain.reading.legibility import is_legible
from anamnesis.domain.reading.text_decoding import decode_text

#: How far a page's own words about its encoding are looked for; HTML asks for 1,024 bytes, pages do not keep to it.
_PRESCAN_BYTES = 8_192
_DECLARED = re.compile(
    rb"""(?:charset\s*=\s*|<\?xml[^>]{0,80}encoding\s*=\s*)["']?\s*([A-Za-z0-9_.:\-]{2,40})""", re.I
)
#: Labels whose decoder on the web is that of a larger set (WHATWG Encoding, 4.2).
_WIDER = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252",
    "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030",
    "x-gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "iso-8859-8-i": "iso-8859-8", "x-mac-cyrillic": "mac_cyrillic",
    "unicode": "utf-16", "big5": "big5hkscs", "utf8": "utf-8",
}  # fmt: skip
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: Share of broken characters with which a declared encoding is still believed: bytes of an advertisement, a cut end.
_MAX_BROKEN_SHARE = 0.005


def decode_web_page(data: bytes) -> str | None:
    """Text of a page's bytes, or None when no encoding makes a language of them."""
    if data.startswith(_MARKS):
        return decode_text(data)
    try:
        return data.decode("utf-8") if b"\x00" not in data[:_PRESCAN_BYTES] else decode_text(data)
    except UnicodeDecodeError:
        pass
    declared = _declared(data)
    if declared is not None:
        text = data.decode(declared, errors="replace")
        broken = text.count("\ufffd")
        words = re.sub(r"<[^>]{0,2000}>", " ", text)
        if broken <= _MAX_BROKEN_SHARE * len(text) and is_legible(words):
            return text
    return decode_text(data)


def _declared(data: bytes) -> str | None:
    match = _DECLARED.search(data[:_PRESCAN_BYTES])
    if match is None:
        return None
    label = match[1].decode("ascii").casefold()
    try:
        return codecs.lookup(_WIDER.get(label, label)).name
    except LookupError:
        return None
