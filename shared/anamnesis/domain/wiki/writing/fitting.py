"""Pages within their size: lists get shorter until the page fits, and say what they leave out (WK-2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from anamnesis.domain.wiki.page_format import written
from anamnesis.domain.wiki.pages import MAX_PAGE_BYTES, Page

#: Most items of each list of a page, tried one after the other. Ours: twenty lines are read, two hundred searched.
LENGTHS: Final = (20, 12, 7, 4, 2, 1)


def fitted(build: Callable[[int], Page], *, most_bytes: int = MAX_PAGE_BYTES) -> tuple[Page, str]:
    """The page with the longest lists that fits, and its text; the shortest one there is when none does.

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
    return page, text


def shortened(page: Page, most: int) -> Page:
    """The page with at most twice as many items in each of its lists; what comes first in them stays."""
    sections = tuple(
        replace(section, statements=section.statements[: 2 * most]) if section.as_list else section
        for section in page.sections
    )
    return replace(page, sections=sections, related=page.related[: 2 * most])
