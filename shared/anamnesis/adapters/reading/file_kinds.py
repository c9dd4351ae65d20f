"""What a file is, by its first bytes: which parser reads it, or why none does."""

from __future__ import annotations

import codecs
from enum import Enum

import regex

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.office import OLE_SIGNATURE, ZIP_SIGNATURES, refuse_ole
from anamnesis.domain.reading.media_types import DOCX, HTML, PDF, PPTX


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
    (b"GIF8", "a picture"),
    (b"RIFF", "a sound, a film or a picture"),
    (b"\x1f\x8b", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"Rar!", "an archive"),
    (b"%!PS", "a PostScript file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"ID3", "a sound"),
    (b"SQLite format 3", "a database"),
)
#: What may stand before a page's first element: marks, an XML declaration, comments, a document type.
_BEFORE = r"^[\s\ufeff]*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<\?[^>]*>\s*)*"
_PAGE = regex.compile(_BEFORE + r"<(?:!doctype\s+html|html|head|body|frameset)\b", regex.I | regex.S)
_DRAWING = regex.compile(_BEFORE + r"(?:<!doctype\s+svg[^>]*>\s*)?<svg\b", regex.I | regex.S)
_XML = regex.compile(r"^[\s\ufeff]*<\?xml\b", regex.I)
#: A piece of a page, without its head; Markdown may begin so too.
_PIECE = regex.compile(
    _BEFORE
    + r"<(?:script|style|title|meta|link|base|h[1-6]|p|div|table|ul|ol|dl|article|section|main|center|header|nav)\b",
    regex.I | regex.S,
)
_ENDS_LIKE_PAGE = regex.compile(r"(?:</[a-z][a-z0-9]*\s*>|-->|/>)\s*$", regex.I)
_MARKDOWN_LINE = regex.compile(r"^ {0,3}(?:#{1,6} +\S|```|~~~|[-*+] +\S|\d+\. +\S)", regex.M)
_MHTML = regex.compile(rb"^(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*content-type:\s*multipart/related", regex.I)
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
    if b"%PDF-" in data[:_PDF_HEADER_WITHIN]:
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
    if not data.startswith(_BOMS) and b"\x00" in data[:4096] and not _is_utf16(data):
        raise refusals.unsupported("not text")
    return FileKind.TEXT


def _refuse_signatures(data: bytes) -> None:
    if data.startswith(OLE_SIGNATURE):
        raise refuse_ole(data)
    kind = next((what for signature, what in _SIGNATURES if data.startswith(signature)), None)
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


def _is_utf16(data: bytes) -> bool:
    """Whether every other byte of the beginning is mostly zero: UTF-16 of Latin text without a mark."""
    head = data[:4096]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    return len(data) % 2 == 0 and ((odd > half * 0.4 and even == 0) or (even > half * 0.4 and odd == 0))
