"""What the pages of a file show beside their text: whether they are pictures of pages, or nothing at all.

Whoever scans a page gets a picture of it, and often a line of text over it: the scanner's mark, a page number, a note
of who downloaded the file and when. That line is no text layer. It is told from a slide with few words on a picture by
where it stands, or by standing on other such pages too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

#: Most visible characters of a mark; a notice of download has some 170. Ours.
MAX_MARK_CHARS = 240
#: Share of a page that a picture of a page covers at the least: a photograph of a book leaves edges. Ours.
_COVERS = 0.5
#: Files of which this share of pages, at the most, and this many hold text, have no text layer to speak of. Ours.
_FEW_PAGES, _FEW_SHARE = 2, 0.1
#: Longest text of a sheet that an archive puts before a scan; whole pages of prose are longer. Ours.
_MAX_COVER_CHARS = 3_500
_ADDRESS = re.compile(r"https?://|\bwww\.|\bdoi\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageLook:
    """What one page shows.

    Attributes
    ----------
    text
        Its text.
    covered
        Share of the page under pictures, 0 to 1.
    drawn
        Whether lines that may be writing, or any picture, are on it.
    marginal
        Whether all its text stands at the page's edges.
    """

    text: str
    covered: float = 0.0
    drawn: bool = False
    marginal: bool = False


class Verdict(Enum):
    """What a file's pages are, where they are no text."""

    TEXT = "text"
    PICTURES = "pictures"
    BLANK = "blank"


def verdict(looks: Sequence[PageLook]) -> Verdict:
    """Whether a file holds text to be read, pictures of pages, or nothing."""
    pictures = set(picture_pages(looks))
    texts = [place for place, look in enumerate(looks) if look.text.strip() and place + 1 not in pictures]
    if not pictures:
        return Verdict.TEXT if texts else Verdict.BLANK
    if not texts:
        return Verdict.PICTURES
    covers = len(pictures) > 1 and len(texts) == 1 and texts[0] in {0, len(looks) - 1}
    cover = looks[texts[0]].text
    if covers and len(cover) <= _MAX_COVER_CHARS and _ADDRESS.search(cover):
        return Verdict.PICTURES
    few = len(texts) <= _FEW_PAGES and len(texts) <= _FEW_SHARE * len(looks)
    return Verdict.PICTURES if few else Verdict.TEXT


def picture_pages(looks: Sequence[PageLook]) -> list[int]:
    """Numbers, from 1, of the pages that are pictures without a text layer."""
    marks = Counter(_mark(look.text) for look in looks if _may_be_marked(look))
    marked = sum(marks.values())
    found = []
    for number, look in enumerate(looks, start=1):
        if not look.text.strip():
            picture = look.drawn or look.covered >= _COVERS
        else:
            count = marks[_mark(look.text)]
            repeated = count > 1 and count * 2 >= marked
            picture = _may_be_marked(look) and (look.marginal or repeated)
        if picture:
            found.append(number)
    return found


def _may_be_marked(look: PageLook) -> bool:
    chars = len("".join(look.text.split()))
    return look.covered >= _COVERS and 0 < chars <= MAX_MARK_CHARS


def _mark(text: str) -> str:
    """Return what marks of several pages have in common: all but numerals, case and spaces."""
    return re.sub(r"\d+", "#", " ".join(text.split())).casefold()
