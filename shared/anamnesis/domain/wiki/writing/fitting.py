"""Pages within their size: lists get shorter until the page fits, and say what they leave out (WK-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from anamnesis.domain.wiki.page_format import written
from anamnesis.domain.wiki.pages import MAX_PAGE_BYTES, Page

#: Most items of each list of a page, tried one after the other. Ours: twenty lines are read, two hundred searched.
LENGTHS: Final = (20, 12, 7, 4, 2, 1)


def fitted(build: Callable[[int], Page], *, most_bytes: int = MAX_PAGE_BYTES) -> tuple[Page, str]:
    """The page with the longest lists that fits, and its text; with less and less of it when none does.

    Parameters
    ----------
    build
        Makes the page with at most so many items in each of its lists.
    """
    shorter = iter(LENGTHS)
    page = build(next(shorter))
    text = written(page)
    while len(text.encode()) > most_bytes and (most := next(shorter, 0)):
        page = build(most)
        text = written(page)
    smaller = squeezed(page)
    while len(text.encode()) > most_bytes and (less := next(smaller, None)):
        page = less
        text = written(page)
    return page, text


def squeezed(page: Page) -> Iterator[Page]:
    """The page with ever less: links, then the ends of its lists, then sections from the last, then its summary's end.

    Names of subjects, files and sessions in any script make addresses of up to 900 characters, so that even the
    shortest lists may be too long. No sentence loses a citation: it may need each of them.
    """
    for links in (5, 2, 0):
        page = replace(page, related=page.related[:links])
        yield page
    while any(len(section.statements) > 1 for section in page.sections):
        halves = (replace(s, statements=s.statements[: (len(s.statements) + 1) // 2]) for s in page.sections)
        page = replace(page, sections=tuple(halves))
        yield page
    while page.sections:
        page = replace(page, sections=page.sections[:-1])
        yield page
    while page.summary[1:]:
        page = replace(page, summary=page.summary[:-1])
        yield page


def shortened(page: Page, most: int) -> Page:
    """The page with at most twice as many items in each of its lists; what comes first in them stays."""
    sections = tuple(
        replace(section, statements=section.statements[: 2 * most]) if section.as_list else section
        for section in page.sections
    )
    return replace(page, sections=sections, related=page.related[: 2 * most])
