"""Pages of a document that flows: printed pages where the file tells them, else sections, else parts.

A word processor lays pages out when it shows them. Word leaves in the file where its pages began when it was last
saved; those are the pages that a student sees. Breaks that the author set are pages too, unless so much text stands
between them that it must fill several. Otherwise the sections under the highest headings are cited, and in a
text without headings parts of about a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from anamnesis.domain.reading.pagination import joined_blocks, marked_sections

#: Most text that a printed page holds: A4, narrow margins, small type.
_FULLEST_PAGE_CHARS = 8_000


class PageBreak(Enum):
    """Where a page ends."""

    #: Set by the author, also by a heading or section that begins a page.
    SET = "set"
    #: Where Word began a page when it last laid the document out.
    LAID_OUT = "laid out"


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote or endnote, told at the end of the page that refers to it."""

    text: str


Flow = Sequence[str | Note | PageBreak]


def flowing_pages(flow: Flow) -> list[str]:
    """Pages of a flow of marked-up blocks.

    Returns
    -------
    list of str
        Blank pages between others stay, so that the numbers remain those of the print; blank ones at the end go.
    """
    kinds = {part for part in flow if isinstance(part, PageBreak)}
    if kinds:
        pages = list(_printed(flow))
        while pages and not pages[-1].strip():
            pages.pop()
        if PageBreak.LAID_OUT in kinds or max(map(len, pages), default=0) <= _FULLEST_PAGE_CHARS:
            return pages
    texts = (
        part.text if isinstance(part, Note) else part for part in flow if not isinstance(part, PageBreak)
    )
    return marked_sections([text for text in texts if text.strip()])


def _printed(flow: Flow) -> Iterator[str]:
    blocks: list[str] = []
    notes: list[str] = []
    before: PageBreak | None = None
    for part in flow:
        if isinstance(part, Note):
            notes.append(part.text)
        elif isinstance(part, str):
            if part.strip():
                blocks.append(part)
                before = None
        # Word marks the page that a set break begins as laid out there too.
        elif not (part is PageBreak.LAID_OUT and before is PageBreak.SET):
            yield joined_blocks([*blocks, *notes])
            blocks, notes, before = [], [], part
        else:
            before = part
    yield joined_blocks([*blocks, *notes])
