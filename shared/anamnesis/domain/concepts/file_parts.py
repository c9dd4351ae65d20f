"""A long file in overlapping parts that a model can read one at a time, cut at page borders where that is possible.

Sizes are bytes of UTF-8 and not characters: a token of a language model is some four bytes of Latin text and two to
five of any other script, whereas a character may be a quarter of a token or two. So a part costs about as many tokens
whatever script it is in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anamnesis.domain.files import Page

#: Room that a page's mark takes beside its text.
MARK_BYTES = 40
#: How much of a piece may be given up for a better place to cut a page in two: the end of a paragraph, sentence, word.
_GIVEN_UP = 0.25
_BORDERS = (re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?…。！？।۔؟])\s*(?=\S)|\n"), re.compile(r"\s"))


def size(text: str) -> int:
    """Bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def parts(pages: Sequence[Page], *, part_bytes: int, overlap_bytes: int) -> list[tuple[Page, ...]]:
    """Cut a document into parts.

    Parameters
    ----------
    pages
        The document's, numbers ascending; blank ones are left out.
    part_bytes
        Most of one part, page marks included; at least twice ``MARK_BYTES``.
    overlap_bytes
        About how much of the part before a part begins with: whole pages if they fit, and else the end of the last
        one. At most a quarter of a part.

    Returns
    -------
    list of tuple of Page
        Every character of every page in at least one part, in order, under its page's number. A page that fits a part
        is cut only for the overlap; a longer one goes on in the next part. The same pages give the same parts.
    """
    room = max(1, part_bytes - MARK_BYTES)
    overlap = min(overlap_bytes, part_bytes // 4)
    cut: list[tuple[Page, ...]] = []
    current: list[Page] = []
    used = 0
    for page in pages:
        if not page.text.strip():
            continue
        for number, piece in enumerate(_pieces(page, room, overlap)):
            needed = size(piece.text) + MARK_BYTES
            if current and (number or used + needed > part_bytes):
                cut.append(tuple(current))
                # A long page's pieces overlap by themselves.
                current = [] if number else _tail(current, min(overlap, part_bytes - needed))
                used = sum(size(kept.text) + MARK_BYTES for kept in current)
            current.append(piece)
            used += needed
    if current:
        cut.append(tuple(current))
    return cut


def _pieces(page: Page, room: int, overlap: int) -> list[Page]:
    if size(page.text) <= room:
        return [page]
    pieces = []
    start = 0
    while True:
        end = _reach(page.text, start, room)
        if end < len(page.text):
            end = _border(page.text, start, end)
        pieces.append(Page(page.number, page.text[start:end]))
        if end >= len(page.text):
            return pieces
        back = len(_end_of(page.text[start:end], min(overlap, room // 2)))
        start = max(start + 1, end - back)


def _reach(text: str, start: int, most: int) -> int:
    """How far into a text `most` bytes reach, at least one character."""
    window = text[start : start + most]
    if window.isascii():
        return start + max(1, len(window))
    whole = window.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
    return start + max(1, len(whole))


def _border(text: str, start: int, end: int) -> int:
    """Return the best place to cut at or before `end`: after a paragraph, a sentence, a word, else right there."""
    least = end - int((end - start) * _GIVEN_UP)
    for border in _BORDERS:
        places = [found.end() for found in border.finditer(text, least, end)]
        if places:
            return places[-1]
    return end


def _tail(current: Sequence[Page], overlap: int) -> list[Page]:
    """The end of a part, to begin the next one with."""
    kept: list[Page] = []
    left = overlap
    for page in reversed(current):
        needed = size(page.text) + MARK_BYTES
        if needed > left:
            break
        kept.insert(0, page)
        left -= needed
    if kept or not overlap:
        return kept
    end = _end_of(current[-1].text, overlap - MARK_BYTES)
    return [Page(current[-1].number, end)] if end.strip() else []


def _end_of(text: str, most: int) -> str:
    """Return at most the last `most` bytes of a text, from the beginning of a sentence or word on if there is one."""
    if most <= 0:
        return ""
    window = text[-most:]
    if not window.isascii():
        window = window.encode("utf-8", "replace")[-most:].decode("utf-8", "ignore")
        window = text[len(text) - len(window) :]
    for border in _BORDERS[1:]:
        found = border.search(window, 0, max(1, int(len(window) * 2 * _GIVEN_UP)))
        if found and found.end() < len(window):
            return window[found.end() :]
    return window
