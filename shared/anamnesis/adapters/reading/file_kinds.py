"""What a file is, by its first bytes: which parser reads it, or why none does."""

from __future__ import annotations

import codecs
import re
from enum import Enum
from itertools import islice

import regex

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.office import OLE_SIGNATURE, ZIP_SIGNATURES, refuse_ole
from anamnesis.domain.reading.media_types import DOCX, HTML, PDF, PPTX
from anamnesis.domain.reading.text_decoding import decode_text


class FileKind(Enum):
    """How a file is read."""

    PDF = "pdf"
    OFFICE = "office"
    WEB_PAGE = "html"
    TEXT = "text"


#: A PDF may have rubbish before its header; readers look this far (PDF 1.7, implementation note 13).
_PDF_HEADER_WITHIN = 1024
_HEAD_BYTES = 8_192
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "a rich text document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x1f\x8b", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"%!PS-", "a PostScript file"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "a database"),
)
#: Signatures in letters: notes about such files may begin so too, and are told by holding nothing but text.
_LETTERED: tuple[tuple[bytes, str], ...] = (
    (b"GIF87a", "a picture"),
    (b"GIF89a", "a picture"),
    (b"RIFF", "a sound, a film or a picture"),
    (b"Rar!", "an archive"),
    (b"BZh", "an archive"),
    (b"MZ", "a program"),
    (b"ID3", "a sound"),
    (b"BM", "a picture"),
    (b"AT&TFORM", "a DjVu document"),
)
#: Brands of the ISO base media format that are pictures (ISO/IEC 14496-12, 4.3; 23008-12), as telephones take them.
_PICTURE_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"heif", b"mif1", b"msf1", b"avif", b"avis"})
#: How links that were saved from a browser begin.
_LINKS = (b"[InternetShortcut]", b"[{000214A0-0000-0000-C000-000000000046}]", b"[Desktop Entry]")
#: Bytes that no text holds, but those of UTF-16 and UTF-32.
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")
_PDF_HEADER = re.compile(rb"%PDF-\d")
_PDF_OBJECT = re.compile(rb"\b\d{1,10}\s{1,8}\d{1,5}\s{1,8}obj\b")
#: What may stand before a page's first element: marks, an XML declaration, comments, a document type.
#: Each part is taken whole or not at all (possessive): a part given back and taken otherwise would take 2ⁿ steps.
_BEFORE = r"^[\s\ufeff]*+(?:<!--(?>.*?-->)\s*+|<\?[^>]*+>\s*+)*+"
_PAGE = regex.compile(_BEFORE + r"<(?:!doctype\s+html|html|head|body|frameset)\b", regex.I | regex.S)
_DRAWING = regex.compile(_BEFORE + r"(?:<!doctype\s+svg[^>]*+>\s*+)?<svg\b", regex.I | regex.S)
_XML = regex.compile(r"^[\s\ufeff]*<\?xml\b", regex.I)
#: A piece of a page, without its head; Markdown may begin so too.
_PIECE = regex.compile(
    _BEFORE
    + r"<(?:script|style|title|meta|link|base|h[1-6]|p|div|table|ul|ol|dl|article|section|main|center|header|nav)\b",
    regex.I | regex.S,
)
_ENDS_LIKE_PAGE = regex.compile(r"(?:</[a-z][a-z0-9]*\s*>|-->|/>)\s*$", regex.I)
_MARKDOWN_LINE = regex.compile(r"^ {0,3}(?:#{1,6} +\S|```|~~~|[-*+] +\S|\d+\. +\S)", regex.M)
_MHTML = regex.compile(
    rb"^(?:(?!content-type:\s*multipart/related)[\w-]+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*+"
    rb"content-type:\s*multipart/related",
    regex.I,
)
_ERROR_PAGE = (
    "A page that asks to sign in, or says that something failed, may have been saved in its place: download the file "
    "again. If you mean the page itself, give it a name that ends in .html."
)
_SAVE_PAGE = 'Open it in a browser, save it as "Web page, HTML only" or print it as a PDF, and upload that.'


def kind_of(data: bytes, declared_media_type: str) -> FileKind:
    """Return how a file is read.

    Parameters
    ----------
    declared_media_type
        What the uploader called it; a web page in the place of a PDF or an Office file is an error page.

    Raises
    ------
    FileRefused
        For kinds that are not read.
    """
    if _is_pdf(data):
        return FileKind.PDF
    if data.startswith(ZIP_SIGNATURES):
        return FileKind.OFFICE
    _refuse_signatures(data)
    # Taking zero bytes out turns the markup of UTF-16 and UTF-32 into ASCII.
    head = data[:_HEAD_BYTES].replace(b"\x00", b"").lstrip(b"\xff\xfe").decode("utf-8", errors="replace")
    if _is_web_page(head, data, declared_media_type):
        if _bare(declared_media_type) in {PDF, DOCX, PPTX}:
            raise refusals.unsupported("a web page", _ERROR_PAGE)
        return FileKind.WEB_PAGE
    if _DRAWING.match(head):
        raise refusals.unsupported("a drawing (SVG)")
    if _XML.match(head):
        raise refusals.unsupported("an XML file")
    if not data.startswith(_BOMS) and b"\x00" in data[:4096] and decode_text(data) is None:
        raise refusals.unsupported("not text")
    return FileKind.TEXT


def _is_pdf(data: bytes) -> bool:
    """Whether the file begins as a PDF does, or names one near its beginning and holds its objects.

    Notes about the format name it too, and may show an object; a file has three at the least (its catalog, its tree of
    pages and a page).
    """
    header = _PDF_HEADER.search(data[:_PDF_HEADER_WITHIN])
    if header is None:
        return False
    if header.start() == 0 and re.match(rb"%PDF-\d\.\d\s*(?:[\r\n%]|$)", data[:64]):
        return True
    objects = _PDF_OBJECT.finditer(data[:1_000_000])
    return sum(1 for _ in islice(objects, 3)) == 3 or (header.start() == 0 and _holds_no_text(data))


def _holds_no_text(data: bytes) -> bool:
    return _NO_TEXT.search(data[:4096]) is not None


def _refuse_signatures(data: bytes) -> None:
    if data.startswith(OLE_SIGNATURE):
        raise refuse_ole(data)
    if data[4:8] == b"ftyp":
        raise refusals.unsupported("a picture" if data[8:12] in _PICTURE_BRANDS else "a film or a sound")
    if data.lstrip(codecs.BOM_UTF8).lstrip().startswith(_LINKS):
        raise refusals.unsupported("a link to a page", f"It holds no more than an address. {_SAVE_PAGE}")
    kind = next((what for signature, what in _SIGNATURES if data.startswith(signature)), None)
    if kind is None and _holds_no_text(data):
        kind = next((what for signature, what in _LETTERED if data.startswith(signature)), None)
    if kind is not None:
        raise refusals.unsupported(kind)
    if _MHTML.match(data[:_HEAD_BYTES].replace(b"\r\n", b"\n")):
        raise refusals.unsupported("a web archive (MHTML)", _SAVE_PAGE)


def _is_web_page(head: str, data: bytes, declared: str) -> bool:
    if _PAGE.match(head):
        return True
    if not _PIECE.match(head):
        return False
    if _bare(declared) in {HTML, "application/xhtml+xml"}:
        return True
    tail = data[-200:].replace(b"\x00", b"").decode("utf-8", errors="replace")
    return _ENDS_LIKE_PAGE.search(tail) is not None and _MARKDOWN_LINE.search(head) is None


def _bare(media_type: str) -> str:
    """Return a media type without its parameters."""
    return media_type.partition(";")[0].strip().casefold()
