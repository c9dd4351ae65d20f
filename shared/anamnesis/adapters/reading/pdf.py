"""Raw page texts of a PDF, by pdfium and, where that cannot open it, by pypdf."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.pdf_glyphs import page_glyphs
from anamnesis.domain.files import MAX_FILE_CHARS, MAX_PAGES
from anamnesis.domain.reading.printed.page_text import page_text

#: Letters of a file, and of a page, whose places are looked at: 14 µs each on the machine that measured it, so that the
#: largest file takes half of a reader's time. What comes after them is read in pdfium's own order. Letters and not
#: seconds, so that a file reads the same on every machine.
_MOST_PLACED, _MOST_PLACED_OF_A_PAGE = 2_000_000, 60_000


def pdfium_pages(data: bytes) -> Iterator[str]:
    """Text of every page; empty for a page that cannot be loaded.

    Raises
    ------
    FileRefused
        If the file has more pages or text than it may, or no page that can be loaded.
    """
    import pypdfium2  # noqa: PLC0415 - only in the child process, after its limits are set

    document = pypdfium2.PdfDocument(data)
    if len(document) > MAX_PAGES:
        raise refusals.too_large()
    readable = total = 0
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError:
            # A page that cannot be loaded is an empty page: the others keep their numbers.
            yield ""
            continue
        readable += 1
        chars = text_page.count_chars()
        total += chars
        if total > MAX_FILE_CHARS:
            raise refusals.too_large()
        if total <= _MOST_PLACED and chars <= _MOST_PLACED_OF_A_PAGE:
            yield page_text(page_glyphs(page, text_page))
        else:
            yield text_page.get_text_bounded()
        text_page.close()
        page.close()
    if not readable:
        raise refusals.malformed_pdf()


def pypdf_pages(data: bytes) -> Iterator[str]:
    """Text of every page.

    Raises
    ------
    FileRefused
        If the file opens with a password only, or has more pages than it may.
    """
    import pypdf  # noqa: PLC0415 - as above

    reader = pypdf.PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise refusals.encrypted_pdf()
    if len(reader.pages) > MAX_PAGES:
        raise refusals.too_large()
    for page in reader.pages:
        yield page.extract_text()
