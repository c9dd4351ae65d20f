"""Raw page texts of a PDF, by pdfium and, where that cannot open it, by pypdf."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.pdf_glyphs import page_glyphs
from anamnesis.adapters.reading.pdf_ink import at_the_edges, covered_and_drawn
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import MAX_FILE_CHARS, MAX_PAGES
from anamnesis.domain.reading.page_looks import MAX_MARK_CHARS, PageLook, Verdict, picture_pages, verdict
from anamnesis.domain.reading.printed.page_text import page_text

#: Letters of a file, and of a page, whose places are looked at: 14 µs each on the machine that measured it, so that the
#: largest file takes half of a reader's time. What comes after them is read in pdfium's own order. Letters and not
#: seconds, so that a file reads the same on every machine.
_MOST_PLACED, _MOST_PLACED_OF_A_PAGE = 2_000_000, 60_000
#: Characters of a page that stands for what another program shows: Adobe's say some 700. Ours.
_LONGEST_STAND_IN = 1_500


def pdfium_pages(data: bytes, pictures: list[int]) -> Iterator[str]:
    """Text of every page; empty for a page that cannot be loaded.

    Parameters
    ----------
    pictures
        Gets the numbers of the pages that are pictures without a text layer, when all pages were given.

    Raises
    ------
    FileRefused
        If the file has more pages or text than it may, or no page that can be loaded; and, when all pages were given,
        if they are pictures, blank, or a sheet that stands for what only other programs show.
    """
    import pypdfium2  # noqa: PLC0415 - only in the child process, after its limits are set

    document = pypdfium2.PdfDocument(data)
    if len(document) > MAX_PAGES:
        raise refusals.too_large()
    total = 0
    looks: list[PageLook] = []
    readable = False
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError:
            # A page that cannot be loaded is an empty page: the others keep their numbers.
            looks.append(PageLook(""))
            yield ""
            continue
        readable = True
        chars = text_page.count_chars()
        total += chars
        if total > MAX_FILE_CHARS:
            raise refusals.too_large()
        placed = total <= _MOST_PLACED and chars <= _MOST_PLACED_OF_A_PAGE
        look = _placed(page, text_page) if placed else PageLook(text_page.get_text_bounded())
        looks.append(look)
        yield look.text
        text_page.close()
        page.close()
    if not readable:
        raise refusals.malformed_pdf()
    _refuse_stand_in(document, looks)
    seen = verdict(looks)
    if seen is not Verdict.TEXT:
        raise refusals.pictures_only("PDF") if seen is Verdict.PICTURES else _refusal_of_blank(document)
    pictures += picture_pages(looks)


def _placed(page: Any, text_page: Any) -> PageLook:
    """What a page shows; what is under and beside its text is only looked at where that is short."""
    glyphs = page_glyphs(page, text_page)
    if sum(1 for glyph in glyphs if glyph.text.strip()) > MAX_MARK_CHARS:
        return PageLook(page_text(glyphs))
    marginal = at_the_edges(glyphs, page.get_bbox())
    return PageLook(page_text(glyphs), *covered_and_drawn(page), marginal)


def _refuse_stand_in(document: Any, looks: list[PageLook]) -> None:
    """Refuse a file whose only page asks to open it in another program, which draws a form or shows what is attached.

    Raises
    ------
    FileRefused
        If it is one.
    """
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - as above

    if len(looks) != 1 or len(looks[0].text) > _LONGEST_STAND_IN:
        return
    form = pdfium.FPDF_GetFormType(document.raw)
    named = "adobe" in looks[0].text.casefold()
    if form == pdfium.FORMTYPE_XFA_FULL or (form == pdfium.FORMTYPE_XFA_FOREGROUND and named):
        raise refusals.dynamic_form()
    if named and pdfium.FPDFDoc_GetAttachmentCount(document.raw) > 0:
        raise refusals.portfolio()


def _refusal_of_blank(document: Any) -> FileRefused:
    """Why a file of blank pages is none to read: what it holds may be attached to it."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - as above

    attached = pdfium.FPDFDoc_GetAttachmentCount(document.raw) > 0
    return refusals.portfolio() if attached else refusals.blank_pdf()


def pypdf_pages(data: bytes) -> Iterator[str]:
    """Text of every page.

    Raises
    ------
    FileRefused
        If the file opens with a password only, has more pages than it may, or no text: what pdfium cannot open is
        damaged, and whether pictures or nothing is on its pages cannot be told.
    """
    import pypdf  # noqa: PLC0415 - as above

    reader = pypdf.PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise refusals.encrypted_pdf()
    if len(reader.pages) > MAX_PAGES:
        raise refusals.too_large()
    texts = False
    for page in reader.pages:
        text = page.extract_text()
        texts = texts or bool(text.strip())
        yield text
    if not texts:
        raise refusals.malformed_pdf()
