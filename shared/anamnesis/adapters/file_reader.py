"""Turns uploaded bytes into pages of text, or refuses them in words a student can act on (CM-1, SV-12)."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Iterable

import regex

from anamnesis.adapters.pdf_reader import PdfReader
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import MAX_FILE_BYTES, MAX_FILE_CHARS, MAX_PAGES, Document, Page, RefusalReason
from anamnesis.domain.reading.legibility import is_legible
from anamnesis.domain.reading.pagination import markdown_sections, plain_parts, without_furniture
from anamnesis.domain.reading.text_decoding import decode_text

PDF = "application/pdf"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"

_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: A PDF may have rubbish before its header; readers look this far (PDF 1.7, implementation note 13).
_PDF_HEADER_WITHIN = 1024
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "an Office document or an archive"),
    (b"PK\x05\x06", "an empty archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
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
_HTML = regex.compile(
    rb"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|svg)\b",
    regex.I | regex.S,
)
_MARKDOWN_SIGNS = regex.compile(
    r"^ {0,3}#{1,6} +\S|^ {0,3}(?:```|~~~)|\*\*[^*\n]+\*\*|(?<!\w)__[^_\n]+__(?!\w)|\[[^\]\n]+\]\([^)\n]+\)|^\|.+\|\s*$"
    r"|^[^\n]{1,100}\n(?:={3,}|-{3,})\s*$",
    regex.M,
)
_NO_TEXT = (
    "This PDF holds pictures of pages and no text. Run text recognition (OCR) on it, or export it from the program "
    "it was written in, and upload the result."
)
_GARBLED = (
    "The letters stored in this file are not the letters it shows. Export it again from the program it was written in, "
    "or run text recognition (OCR) on it, and upload the result."
)


class ContentFileReader:
    """Reads Markdown, plain text and PDF; decides which by the bytes, never by the name (``ports.FileReader``).

    Parameters
    ----------
    pdf
        Reader of PDFs.
    """

    def __init__(self, pdf: PdfReader | None = None) -> None:
        self._pdf = pdf or PdfReader()

    def read(self, data: bytes, *, declared_media_type: str) -> Document:
        """Read a file's bytes into pages.

        Parameters
        ----------
        data
            The bytes of the file.
        declared_media_type
            What the uploader called it; only asked where text could be Markdown or plain.

        Raises
        ------
        FileRefused
            With a ``RefusalReason`` and what the student can do.
        """
        if len(data) > MAX_FILE_BYTES:
            raise _refused(
                RefusalReason.TOO_LARGE, "This file is larger than 50 MB. Split it and upload the parts."
            )
        if not data.strip():
            raise _refused(RefusalReason.EMPTY, "This file is empty. Check that the right file was chosen.")
        if b"%PDF-" in data[:_PDF_HEADER_WITHIN]:
            return self._read_pdf(data)
        _refuse_unsupported(data)
        return _read_text(data, declared_media_type)

    def _read_pdf(self, data: bytes) -> Document:
        raw = [_printable(text) for text in self._pdf.pages(data)]
        if not any(text.strip() for text in raw):
            raise _refused(RefusalReason.NO_TEXT_LAYER, _NO_TEXT)
        garbled = sum(len(text) for text in raw if not is_legible(text))
        if garbled * 2 > sum(len(text) for text in raw) or not is_legible("\n".join(raw)):
            raise _refused(RefusalReason.GARBLED_TEXT, _GARBLED)
        return _document(PDF, without_furniture([text if is_legible(text) else "" for text in raw]))


def _refuse_unsupported(data: bytes) -> None:
    if data.startswith(_BOMS):
        return
    kind = next((what for signature, what in _SIGNATURES if data.startswith(signature)), None)
    if kind is None and _HTML.match(data[:4096]):
        kind = "a web page"
    if kind is None and b"\x00" in data[:4096] and not _is_utf16(data):
        kind = "not text"
    if kind is not None:
        raise _refused(
            RefusalReason.UNSUPPORTED_TYPE,
            f"This file is {kind}, whatever its name says. Upload it as a PDF, a Markdown or a plain text file.",
        )


def _is_utf16(data: bytes) -> bool:
    """Whether every other byte of the beginning is mostly zero: UTF-16 of Latin text without a mark."""
    head = data[:4096]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    return len(data) % 2 == 0 and ((odd > half * 0.4 and even == 0) or (even > half * 0.4 and odd == 0))


def _read_text(data: bytes, declared_media_type: str) -> Document:
    decoded = decode_text(data)
    if decoded is None or not is_legible(decoded):
        detail = "This text is stored in a way that cannot be told. Save it as UTF-8 and upload it again."
        raise _refused(RefusalReason.GARBLED_TEXT, detail)
    text = _printable(decoded)
    if not text.strip():
        raise _refused(RefusalReason.EMPTY, "This file is empty. Check that the right file was chosen.")
    if len(text) > MAX_FILE_CHARS:
        raise _refused(
            RefusalReason.TOO_LARGE,
            f"This text is longer than {MAX_FILE_CHARS:,} characters. Split it and upload the parts.",
        )
    signs = len(_MARKDOWN_SIGNS.findall(text[:200_000]))
    if signs >= 2 or (signs == 1 and declared_media_type.startswith(MARKDOWN)) or _starts_with_heading(text):
        return _document(MARKDOWN, markdown_sections(text))
    return _document(PLAIN, plain_parts(text))


def _starts_with_heading(text: str) -> bool:
    return regex.match(r"\s*#{1,6} +\S[^\n]*(?:\n\s*\n|\n?$)", text) is not None


def _document(media_type: str, texts: Iterable[str]) -> Document:
    pages = tuple(Page(number, text) for number, text in enumerate(texts, start=1))
    if len(pages) > MAX_PAGES:
        raise _refused(
            RefusalReason.TOO_LARGE,
            f"This file has more than {MAX_PAGES:,} pages or sections. Split it and upload the parts.",
        )
    return Document(media_type, pages)


def _printable(text: str) -> str:
    """Return `text` in NFC, lines ended alike, without controls, surrogates and bidi overrides; form feeds stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = regex.sub(r"[\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]|(?![\n\t\f\x02\u00ad])\p{Cc}", "", text)
    return unicodedata.normalize("NFC", kept)


def _refused(reason: RefusalReason, detail: str) -> FileRefused:
    return FileRefused(reason.value, detail)
