"""The text of a printed page in reading order: a line for each of its lines, blank lines between paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import regex

from anamnesis.domain.reading.printed.columns import Region, regions_of
from anamnesis.domain.reading.printed.direction import is_right_to_left
from anamnesis.domain.reading.printed.fragments import Line, fragments_of, labelled
from anamnesis.domain.reading.printed.glyphs import Glyph, frames, is_han_or_kana, whole
from anamnesis.domain.reading.printed.gutters import set_apart
from anamnesis.domain.reading.printed.logical_order import line_text
from anamnesis.domain.reading.printed.spacing import units_of

#: A paragraph ends where the next line stands this much further below than usual.
_PARAGRAPH_GAP = 1.3
#: A change of size by this share parts a heading from its text.
_HEADING_SIZE = 1.12
#: Lines of one paragraph are at most so many sizes apart.
_NEXT_LINE = 1.5
#: A line of squares that ends so many sizes before the column's edge is full: punctuation may not begin a line.
_RAGGED = 1.6
_SENTENCE_ENDS = "。！？．"
#: A bullet that its text follows closely.
_BULLET = regex.compile(r"^([•●○▪■□◦‣⁃\uf0b7\uf0a7➢➤✓✔►▶])(?=\p{L})")


def page_text(glyphs: Sequence[Glyph]) -> str:
    """Text of a page.

    Parameters
    ----------
    glyphs
        In the order in which the page draws them; they are moved into their frames, so that they serve once.

    Returns
    -------
    str
        Lines; paragraphs and parts of the page are set apart by a blank line, rows of tables are written ``| a | b |``.
        What is written in another direction (labels of charts, watermarks) comes last.
    """
    right_to_left = is_right_to_left("".join(glyph.text for glyph in glyphs))
    text = ""
    for frame in frames(whole(glyphs)):
        before: Line | None = None
        fragments = labelled(set_apart(fragments_of(frame), right_to_left=right_to_left))
        for region in regions_of(fragments, right_to_left=right_to_left):
            part = _table(region, page=right_to_left) if region.rows else _lines(region, page=right_to_left)
            if part.strip():
                goes_on = before is not None and bool(region.lines) and _goes_on(before, region.lines[0])
                text += ("\n" if goes_on else "\n\n" if text else "") + part
                before = region.lines[-1] if region.lines else None
    return text


def _goes_on(above: Line, below: Line) -> bool:
    """Whether two parts of a page are one paragraph: a title of two lines."""
    step = below.baseline - above.baseline
    together = min(above.right, below.right) - max(above.left, below.left) > 0
    return 0 < step < _NEXT_LINE * below.size and together and not _apart(above, below, step)


def _table(region: Region, *, page: bool) -> str:
    rows = [
        [" ".join(_line(line, page=page) for line in cell).replace("|", "\u2223") for cell in row.cells]
        for row in region.rows
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _lines(region: Region, *, page: bool) -> str:
    lines = region.lines
    steps = [
        below.baseline - above.baseline
        for above, below in pairwise(lines)
        if below.baseline - above.baseline > 0.5 * below.size
    ]
    usual = median(steps) if steps else 0.0
    edge = max((line.right for line in lines), default=0.0)
    written: list[str] = []
    before: Line | None = None
    for line in lines:
        text = _line(line, page=page)
        if not text:
            continue
        if before is not None and _apart(before, line, usual):
            written.append("")
        elif before is not None and written[-1] and _is_full(before, edge, written[-1], text):
            written[-1] += text
            before = line
            continue
        written.append(text)
        before = line
    return "\n".join(written)


def _is_full(line: Line, edge: float, text: str, following: str) -> bool:
    """Whether Chinese or Japanese goes on in the next line in the middle of a word, as it does at a column's edge."""
    square = is_han_or_kana(text[-1]) and is_han_or_kana(following[0])
    return square and text[-1] not in _SENTENCE_ENDS and line.right > edge - _RAGGED * line.size


def _apart(above: Line, below: Line, usual: float) -> bool:
    step = below.baseline - above.baseline
    larger, smaller = max(above.size, below.size), max(min(above.size, below.size), 0.1)
    return step > _PARAGRAPH_GAP * min(usual, 1.6 * larger) or larger > _HEADING_SIZE * smaller


def _line(line: Line, *, page: bool) -> str:
    glyphs = line.glyphs()
    bare = "".join(glyph.text for glyph in glyphs)
    turned = is_right_to_left(bare) or (page and not any(char.isalpha() for char in bare))
    text = line_text(units_of(glyphs, right_to_left=turned), right_to_left=turned)
    return str(_BULLET.sub(r"\1 ", " ".join(text.split())))
