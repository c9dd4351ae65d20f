"""What stands on a printed page: letters with their places, in the frame in which they are read."""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

#: Text that is turned by less than this many degrees from an axis is a page that was scanned askew.
_ASKEW_DEGREES = 8
#: Text in other directions is sorted into directions of this many degrees: watermarks, labels of charts.
_DIRECTION_DEGREES = 15
#: Downwards steps between two letters written one below the other, in sizes: within one piece of text, and between two.
_LEAST_STEP, _STEP_WITHIN, _STEP_BETWEEN = 0.7, 2.0, 1.15
#: Steps between pieces may be wider where so many follow each other and differ by no more than this, in sizes: browsers
#: draw each letter of a vertical line by itself, 1.375 sizes below the one before it.
_STEPS_IN_A_RUN, _STEPS_ALIKE = 4, 0.04

#: Share of a glyph's width that lies within another one of the same letter where both are parts of it.
_WITHIN = 0.7
#: Scripts whose letters are put together of parts: Hebrew to Khmer.
_FIRST_OF_PARTS, _LAST_OF_PARTS = "\u0590", "\u18af"
#: Text of a glyph that takes its place and has no name: WORD JOINER, which says nothing and separates nothing.
NAMELESS = "\u2060"


class Glyph:
    """One drawn glyph and the characters that it stands for.

    Attributes
    ----------
    text
        Its characters in logical order; more than one for a ligature.
    x, y
        Where it begins on its baseline, in points, y upwards as PDFs have it; after ``frames`` in the frame in which
        it is read: x along the line, y downwards.
    left, right, bottom, top
        Its box along the line by advance; of combining marks the box of the ink. In the same frame as x and y, so that
        ``top`` is less than ``bottom`` after ``frames``.
    size
        Its font's size in points.
    angle
        Direction of its baseline, degrees anticlockwise.
    piece
        Number of the piece of text (one showing operator) that draws it.
    order
        Its place in the order in which the page draws its text.
    inked
        Whether its box is that of its ink and not of its advance.
    spaced
        Whether the engine that lists it sees a space before it; asked only where the box is that of the ink.
    """

    __slots__ = (
        "angle", "bottom", "inked", "left", "mark", "order", "piece", "right", "size", "spaced", "text", "top",
        "x", "y",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        origin: tuple[float, float],
        box: tuple[float, float, float, float],
        *,
        size: float,
        angle: float = 0.0,
        piece: int = 0,
        order: int = 0,
    ) -> None:
        self.text = text
        self.x, self.y = origin
        self.left, self.bottom, self.right, self.top = box
        self.size = size
        self.angle = angle
        self.piece = piece
        self.order = order
        self.mark = is_mark(text)
        self.inked = self.spaced = False


@lru_cache(maxsize=4_096)
def is_mark(text: str) -> bool:
    """Whether a glyph stands on, under or around a letter: its first character combines with one."""
    return bool(text) and unicodedata.category(text[0]) in {"Mn", "Me"}


def is_han_or_kana(char: str) -> bool:
    """Whether a character is written in squares and without spaces: Chinese, kana and their punctuation."""
    return (
        "\u2e80" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or "\uff00" <= char <= "\uffef"
        or ("\U00020000" <= char <= "\U0003ffff")
    )


def whole(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Leave out glyphs that are a part of a letter and carry the whole letter's name, as its dots and marks may."""
    if not any(_FIRST_OF_PARTS <= glyph.text[0] <= _LAST_OF_PARTS for glyph in glyphs):
        return list(glyphs)
    seen: dict[tuple[str, int, int], list[Glyph]] = {}
    kept: list[Glyph] = []
    for glyph in glyphs:
        if _FIRST_OF_PARTS <= glyph.text[0] <= _LAST_OF_PARTS:
            cell = max(glyph.size, 0.1)
            column, row = int(glyph.x // cell), int(glyph.y // cell)
            near = [
                one
                for across in (column - 1, column, column + 1)
                for down in (row - 1, row, row + 1)
                for one in seen.get((glyph.text, across, down), ())
            ]
            if any(_is_part(one, glyph) for one in near):
                continue
            seen.setdefault((glyph.text, column, row), []).append(glyph)
        kept.append(glyph)
    return kept


def _is_part(one: Glyph, other: Glyph) -> bool:
    """Whether one of two glyphs that carry the same name stands within the other: a part of the letter."""
    if abs(one.y - other.y) > one.size:
        return False
    shared = min(one.right, other.right) - max(one.left, other.left)
    if shared <= _WITHIN * min(one.right - one.left, other.right - other.left):
        return False
    # The larger one stays, on the line of the letters.
    if other.right - other.left > one.right - one.left:
        one.left, one.right, one.x, one.y, one.top, one.bottom = (
            other.left, other.right, other.x, other.y, other.top, other.bottom,
        )  # fmt: skip
    return True


def frames(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Glyphs by the direction in which they are read, the direction of most first, each moved into its own frame.

    What is written downwards (Chinese, Japanese) is read like text turned clockwise by a quarter: a line goes down the
    page and the next one stands to its left. Hence one frame holds it and the Latin words laid on their side in it.
    """
    downwards = _written_downwards(glyphs)
    directions: dict[int, list[Glyph]] = defaultdict(list)
    for place, glyph in enumerate(glyphs):
        directions[-90 if place in downwards else _direction(glyph.angle)].append(glyph)
    ordered = sorted(directions.items(), key=lambda item: -len(item[1]))
    return [_turned(members, direction) for direction, members in ordered]


def _direction(angle: float) -> int:
    nearest = 90 * round(angle / 90)
    if abs(angle - nearest) >= _ASKEW_DEGREES:
        nearest = _DIRECTION_DEGREES * round(angle / _DIRECTION_DEGREES)
    turned = nearest % 360
    return turned - 360 if turned > 180 else turned


def _written_downwards(glyphs: Sequence[Glyph]) -> frozenset[int]:
    """Places of upright letters that follow each other down the page.

    Letters that are set apart by wide steps are made to reach the next one: nothing stands between them.
    """
    downwards: set[int] = set()
    if not any(is_han_or_kana(glyph.text[0]) for glyph in glyphs):
        return frozenset()
    wide: list[tuple[int, float]] = []
    for place in range(1, len(glyphs)):
        before, glyph = glyphs[place - 1], glyphs[place]
        if not (is_han_or_kana(glyph.text[0]) and is_han_or_kana(before.text[0])) or _direction(glyph.angle):
            continue
        size = max(glyph.size, 0.1)
        same = glyph.piece == before.piece
        aside = abs((glyph.left + glyph.right) - (before.left + before.right)) / 2
        step = (before.y - glyph.y) / size
        if aside >= 0.3 * size or not _LEAST_STEP < step < _STEP_WITHIN:
            continue
        if same or step < _STEP_BETWEEN:
            downwards |= {place - 1, place}
        else:
            wide.append((place, step))
    usual = _usual_step(wide)
    for place, step in wide:
        if usual is not None and abs(step - usual) <= _STEPS_ALIKE:
            downwards |= {place - 1, place}
            glyphs[place - 1].bottom = min(glyphs[place - 1].bottom, glyphs[place].top)
    return frozenset(downwards)


def _usual_step(wide: Sequence[tuple[int, float]]) -> float | None:
    """The step that several pieces in a row keep, or None."""
    run: list[tuple[int, float]] = []
    for place, step in wide:
        goes_on = bool(run) and place == run[-1][0] + 1 and abs(step - run[0][1]) <= _STEPS_ALIKE
        run = [*run, (place, step)] if goes_on else [(place, step)]
        if len(run) == _STEPS_IN_A_RUN:
            return run[0][1]
    return None


def _turned(glyphs: Iterable[Glyph], direction: int) -> list[Glyph]:
    if direction == 0:
        members = list(glyphs)
        for glyph in members:
            glyph.y, glyph.top, glyph.bottom = -glyph.y, -glyph.top, -glyph.bottom
        return members
    along, down = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    upright = direction % 90 == 0
    turned = []
    for glyph in glyphs:
        corners = [(x, y) for x in (glyph.left, glyph.right) for y in (glyph.bottom, glyph.top)]
        glyph.x, glyph.y = glyph.x * along + glyph.y * down, glyph.x * down - glyph.y * along
        if upright:
            across = [x * along + y * down for x, y in corners]
            below = [x * down - y * along for x, y in corners]
            glyph.left, glyph.right = min(across), max(across)
            glyph.top, glyph.bottom = min(below), max(below)
        else:
            glyph.left, glyph.right = glyph.x, glyph.x + glyph.size / 2
            glyph.top, glyph.bottom = glyph.y - glyph.size, glyph.y
        if direction == -90 and is_han_or_kana(glyph.text[0]):
            # Upright letters written downwards hang from their column's middle: its line is where their feet would be.
            glyph.x, glyph.y = glyph.left, (glyph.top + glyph.bottom) / 2 + 0.35 * glyph.size
        turned.append(glyph)
    return turned
