"""Turns uploaded bytes into pages of text, or refuses them in words a student can act on (CM-1, SV-12)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import regex

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.bounded import BoundedParsers, RawPages
from anamnesis.adapters.reading.file_kinds import FileKind, kind_of
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import MAX_FILE_BYTES, MAX_FILE_CHARS, MAX_PAGES, Document, Page, RefusalReason
from anamnesis.domain.reading.garbling import is_garbled
from anamnesis.domain.reading.legibility import is_legible
from anamnesis.domain.reading.media_types import CSV, LATEX, MARKDOWN, PDF, PLAIN, TRANSCRIPT
from anamnesis.domain.reading.page_furniture import without_furniture
from anamnesis.domain.reading.pagination import markdown_sections, plain_parts
from anamnesis.domain.reading.substitutions import is_enciphered
from anamnesis.domain.reading.text_decoding import decode_text
from anamnesis.domain.reading.typed.delimited import delimiter_of, table_pages
from anamnesis.domain.reading.typed.kinds import TextKind, begins_a_notebook, text_kind
from anamnesis.domain.reading.typed.latex import latex_pages
from anamnesis.domain.reading.typed.subtitles import spoken_pages

_MARKDOWN_SIGNS = regex.compile(
    r"^ {0,3}#{1,6} +\S|^ {0,3}(?:```|~~~)|\*\*[^*\n]+\*\*|(?<!\w)__[^_\n]+__(?!\w)|"
    r"\[[^\[\]\n]{1,500}+\]\([^()\n]{1,2000}+\)|^\|.+\|\s*$"
    r"|^[^\n]{1,100}\n(?:={3,}|-{3,})\s*$",
    regex.M,
)


class ContentFileReader:
    """Reads PDF, Word, PowerPoint, HTML, Markdown, plain text and what is typed as text (``ports.FileReader``).

    Which one a file is, its bytes decide and never its name. Everything but text is parsed in a child process with
    bounded time and memory.

    Parameters
    ----------
    parsers
        Runs the parsers.
    """

    def __init__(self, parsers: BoundedParsers | None = None) -> None:
        self._parsers = parsers or BoundedParsers()

    def read(self, data: bytes, *, declared_media_type: str) -> Document:
        """Read a file's bytes into pages.

        Parameters
        ----------
        data
            The bytes of the file.
        declared_media_type
            What the uploader called it; only asked where text could be Markdown or plain, and of a web page, which
            is no course file in the place of a PDF.

        Raises
        ------
        FileRefused
            With a ``RefusalReason`` and what the student can do.
        """
        if len(data) > MAX_FILE_BYTES:
            raise refusals.refused(
                RefusalReason.TOO_LARGE, "This file is larger than 50 MB. Split it and upload the parts."
            )
        if not data.strip():
            raise refusals.empty()
        kind = kind_of(data, declared_media_type)
        if kind is FileKind.TEXT:
            return self._text(data, declared_media_type)
        if kind is FileKind.PDF:
            return _printed(self._pdf(data))
        failed = refusals.malformed_office() if kind is FileKind.OFFICE else refusals.malformed_web_page()
        raw = self._parsers.run(kind.value, data) or failed
        if isinstance(raw, FileRefused):
            raise raw
        return _marked_up(raw)

    def _text(self, data: bytes, declared_media_type: str) -> Document:
        """Read a text by its shape; JSON, whose values may be nested and large, in the child process."""
        text = _decoded(data)
        kind = text_kind(text, declared_media_type)
        if kind is TextKind.JSON:
            raw = self._parsers.run("json", data)
            if isinstance(raw, FileRefused):
                raise raw
            if raw is not None:
                return _marked_up(raw)
            if begins_a_notebook(text):
                raise refusals.malformed_notebook()
            kind = TextKind.PROSE
        return _typed(text, kind, declared_media_type)

    def _pdf(self, data: bytes) -> RawPages:
        """Pages by pdfium, and by pypdf what pdfium cannot open."""
        raw = self._parsers.run("pdfium", data)
        if isinstance(raw, FileRefused) and raw.reason != RefusalReason.MALFORMED:
            raise raw
        if not isinstance(raw, RawPages):
            raw = self._parsers.run("pypdf", data) or refusals.malformed_pdf()
        if isinstance(raw, FileRefused):
            raise raw
        return raw


def _printed(raw: RawPages) -> Document:
    """Return printed pages, whose looks say what is a heading, without what repeats on each."""
    texts = [_printable(text) for text in raw.texts]
    if not any(text.strip() for text in texts):
        raise refusals.pictures_only("PDF")
    return _document(PDF, without_furniture(_legible(texts)), raw.pictures)


def _marked_up(raw: RawPages) -> Document:
    """Pages whose headings are marked."""
    texts = [regex.sub(r"[\x02\xad\f]", "", _printable(text)) for text in raw.texts]
    if not any(text.strip() for text in texts):
        raise refusals.empty()
    return _document(raw.media_type, _legible(texts))


def _legible(texts: Sequence[str]) -> list[str]:
    """Return the pages, those empty whose letters are not what they show; refuse a file of mostly such pages."""
    legible = [is_legible(text) and not is_garbled(text) for text in texts]
    garbled = sum(len(text) for text, fine in zip(texts, legible, strict=True) if not fine)
    whole = "\n".join(texts)
    if garbled * 2 > sum(len(text) for text in texts) or not is_legible(whole) or is_garbled(whole):
        raise refusals.garbled()
    # Of the file and not of each page: it takes as long as reading some pages.
    if is_enciphered(whole):
        raise refusals.garbled()
    return [text if fine else "" for text, fine in zip(texts, legible, strict=True)]


def _decoded(data: bytes) -> str:
    """Text of a file of text."""
    decoded = decode_text(data)
    if decoded is None:
        raise refusals.unknown_encoding()
    text = _printable(decoded)
    if not text.strip():
        raise refusals.empty()
    if len(text) > MAX_FILE_CHARS:
        raise refusals.refused(
            RefusalReason.TOO_LARGE,
            f"This text is longer than {MAX_FILE_CHARS:,} characters. Split it and upload the parts.",
        )
    return text


def _typed(text: str, kind: TextKind, declared_media_type: str) -> Document:
    """Text by its kind."""
    if kind is TextKind.MAIL:
        raise refusals.unsupported("an e-mail", "Save it as a PDF or as text and upload that.")
    if kind is TextKind.PROGRAM:
        raise refusals.data_file("a program's source code")
    if kind is TextKind.TABLE:
        return _table(text, delimiter_of(text, declared_media_type) or ",")
    if not is_legible(text):
        raise refusals.unknown_encoding()
    if is_garbled(text) or is_enciphered(text):
        raise refusals.garbled_text()
    if kind is TextKind.SUBTITLES:
        return _document(TRANSCRIPT, spoken_pages(text))
    if kind is TextKind.LATEX:
        return _latex(text)
    return _prose(text, declared_media_type)


def _table(text: str, delimiter: str) -> Document:
    rows = table_pages(text, delimiter)
    if rows is None:
        raise refusals.data_file("a table of figures")
    return _document(CSV, _legible(rows))


def _latex(text: str) -> Document:
    sections = latex_pages(text)
    if not sections:
        raise refusals.empty()
    return _document(LATEX, sections)


def _prose(text: str, declared_media_type: str) -> Document:
    """Markdown or plain text."""
    signs = len(_MARKDOWN_SIGNS.findall(text[:200_000]))
    if signs >= 2 or (signs == 1 and declared_media_type.startswith(MARKDOWN)) or _starts_with_heading(text):
        return _document(MARKDOWN, markdown_sections(text))
    return _document(PLAIN, plain_parts(text))


def _starts_with_heading(text: str) -> bool:
    return regex.match(r"\s*#{1,6} +\S[^\n]*(?:\n\s*\n|\n?$)", text) is not None


def _document(media_type: str, texts: Iterable[str], pictures: tuple[int, ...] = ()) -> Document:
    pages = tuple(Page(number, text) for number, text in enumerate(texts, start=1))
    if len(pages) > MAX_PAGES:
        raise refusals.refused(
            RefusalReason.TOO_LARGE,
            f"This file has more than {MAX_PAGES:,} pages or sections. Split it and upload the parts.",
        )
    return Document(media_type, pages, pictures)


def _printable(text: str) -> str:
    """Return `text` in NFC, lines ended alike, without controls, surrogates and bidi overrides; form feeds stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = regex.sub(r"[\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]|(?![\n\t\f\x02\u00ad])\p{Cc}", "", text)
    return unicodedata.normalize("NFC", kept)
