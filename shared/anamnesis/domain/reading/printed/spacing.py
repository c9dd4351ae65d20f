"""Glyphs of one line into words: which gaps are spaces, which signs belong to which letter."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from anamnesis.domain.reading.printed.glyphs import Glyph, is_han_or_kana

#: Gap, in sizes, that is a space where the file draws no space. TeX's narrowest is 0.22 (Computer Modern: 0.333 less a
#: shrink of 0.111), kerns reach 0.1.
_WORD_GAP = 0.15
#: The same in a line that draws its spaces; where its font changes it may not.
_LOOSE_GAP = 0.2
#: The same in scripts whose letters stand loosely and whose words do not.
_UNSPACED_GAP = 0.3
#: The same between inks, where the engine sees no space: side bearings come on top. Devanagari's space is 0.26.
_INK_GAP = 0.25
#: The same in scripts whose words stand together where the engine sees a space; their signs reach into it.
_SEEN_GAP = 0.22
#: The same between two characters that are written in squares.
_SQUARE_GAP = 0.6
#: Least gap, in sizes, that a drawn space may stand in; a smaller one overlaps its neighbours and separates nothing.
_DRAWN_GAP = 0.04
#: A line three quarters of whose letters stand this much apart, in sizes, is spaced out, and its spaces are that much
#: wider.
_SPACED_OUT = 0.06
#: Beyond this they are words of one letter.
_FAR_APART = 0.6
#: Lines of more letters than this are no lines; their accents stay where they are.
_LONGEST_LINE = 2_000
#: How far, in sizes, a mark may stand to the right of the letter that it belongs to.
_BESIDE = 0.15
#: A letter whose next begins within this share of its width is covered by it.
_COVERED = 0.3
#: Letters without spaces between words.
_FIRST_UNSPACED = "\u0e00"
_UNSPACED = ("THAI", "LAO", "KHMER", "MYANMAR")
#: Accents that old fonts draw over a letter, and what they make of it.
_ACCENTS = {
    "\u00b4": "\u0301", "`": "\u0300", "\u00a8": "\u0308", "\u02c6": "\u0302", "^": "\u0302", "\u02dc": "\u0303",
    "~": "\u0303", "\u00b8": "\u0327", "\u02c7": "\u030c", "\u02d8": "\u0306", "\u02d9": "\u0307", "\u02da": "\u030a",
    "\u00b0": "\u030a", "\u00af": "\u0304", "\u02dd": "\u030b", "\u02db": "\u0328",
}  # fmt: skip
_DOTLESS = {"\u0131": "i", "\u0237": "j"}


class Unit:
    """A letter with its marks, or a space, in the order in which it stands on its line from the left.

    Attributes
    ----------
    text
        In logical order.
    left, right
        Its box along the line.
    alone
        Whether its first character was drawn by a glyph of its own.
    covered
        Whether the next letter is drawn over it.
    inked, spaced
        As in ``Glyph``.
    """

    __slots__ = ("alone", "covered", "inked", "left", "marks", "order", "right", "size", "spaced", "text")

    def __init__(self, glyph: Glyph) -> None:
        self.text = glyph.text
        self.left, self.right = glyph.left, glyph.right
        self.size = glyph.size
        self.order = glyph.order
        self.alone = len(glyph.text) == 1
        self.covered = False
        self.inked, self.spaced = glyph.inked, glyph.spaced
        self.marks: list[Glyph] = []


def units_of(glyphs: Sequence[Glyph], *, right_to_left: bool) -> list[Unit]:
    """Letters of a line from left to right, marks with the letters they belong to, with a unit for every space."""
    letters = sorted(
        (Unit(glyph) for glyph in glyphs if not glyph.mark and not glyph.text.isspace()),
        key=lambda unit: (unit.left, unit.order),
    )
    letters = _accented(letters) if len(letters) < _LONGEST_LINE else letters
    for unit, after in pairwise(letters):
        unit.covered = after.left - unit.left < _COVERED * (unit.right - unit.left)
    marks = sorted((glyph for glyph in glyphs if glyph.mark), key=lambda mark: mark.order)
    if marks and letters:
        drawn = sorted(letters, key=lambda unit: unit.order)
        orders = [unit.order for unit in drawn]
        for mark in marks:
            owner = _owner(mark, letters, drawn, orders, right_to_left=right_to_left)
            owner.marks.append(mark)
            if not right_to_left:
                owner.right = max(owner.right, mark.right)
    elif marks:
        letters = [Unit(mark) for mark in marks]
    for unit in letters:
        unit.text += "".join(mark.text for mark in unit.marks)
    return _spaced(letters, [glyph for glyph in glyphs if glyph.text.isspace()], right_to_left=right_to_left)


def _owner(
    mark: Glyph, letters: Sequence[Unit], drawn: Sequence[Unit], orders: Sequence[int], *, right_to_left: bool
) -> Unit:
    """The letter that a mark belongs to: where it stands in Hebrew and Arabic, else the one drawn before it."""
    middle = (mark.left + mark.right) / 2
    if not right_to_left:
        before = drawn[bisect_left(orders, mark.order) - 1] if orders[0] < mark.order else None
        if before is not None and before.left <= middle < before.right + _BESIDE * mark.size:
            return before
        under = [unit for unit in letters if unit.left <= middle <= unit.right]
        if before is not None and not under and before.left - mark.size < middle < before.right + mark.size:
            return before
    return min(letters, key=lambda unit: (max(unit.left - middle, middle - unit.right, 0.0), -unit.left))


def _accented(letters: list[Unit]) -> list[Unit]:
    """Put accents that are drawn over a letter on it: TeX's "na¨ıve" is "naïve"."""
    kept: list[Unit] = []
    waiting: list[Unit] = []
    for unit in letters:
        if len(unit.text) == 2 and unit.text[0] in _ACCENTS and unit.text[1].isalpha():
            # Of the same width, they are listed as one glyph.
            unit.text = _with_accent(unit.text[1], unit.text[0])
        (waiting if unit.text in _ACCENTS else kept).append(unit)
    for accent in waiting:
        middle = (accent.left + accent.right) / 2
        under = [
            unit
            for unit in kept
            if unit.left < middle < unit.right
            and unit.text.isalpha()
            and min(unit.right, accent.right) - max(unit.left, accent.left)
            > 0.6 * min(unit.right - unit.left, accent.right - accent.left)
        ]
        if not under:
            kept.append(accent)
            continue
        under[0].text = _with_accent(under[0].text, accent.text)
    return sorted(kept, key=lambda unit: (unit.left, unit.order)) if waiting else letters


def _with_accent(letter: str, accent: str) -> str:
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _ACCENTS[accent])


def _spaced(letters: list[Unit], spaces: Sequence[Glyph], *, right_to_left: bool) -> list[Unit]:
    if len(letters) < 2:
        return letters
    drawn = _drawn_spaces(letters, spaces)
    certain = _spaces_drawn_between(letters, spaces)
    gaps: list[float] = []
    end = letters[0].right
    for unit in letters[1:]:
        gaps.append((unit.left - end) / max(unit.size, 0.1))
        end = max(end, unit.right)
    tight = sorted([gap for place, gap in enumerate(gaps, start=1) if place not in drawn])
    apart = tight[len(tight) // 4] if len(tight) > 3 else 0.0
    apart = apart if _SPACED_OUT < apart < _FAR_APART else 0.0
    usual = _LOOSE_GAP if len(drawn) * 20 >= len(letters) else _WORD_GAP
    spaced = [letters[0]]
    for place, (unit, gap) in enumerate(zip(letters[1:], gaps, strict=True), start=1):
        least = _gap_of_words(spaced[-1].text[-1], unit.text[0], usual)
        seen = (spaced[-1] if right_to_left else unit).spaced
        if seen and least == _UNSPACED_GAP:
            least = _SEEN_GAP
        elif (spaced[-1].inked or unit.inked) and not seen:
            least = max(least, _INK_GAP)
        if gap > apart + least or (
            (place in drawn and gap > _DRAWN_GAP) or (place in certain and gap > -_DRAWN_GAP)
        ):
            spaced.append(_space(spaced[-1], unit))
        spaced.append(unit)
    return spaced


def _drawn_spaces(letters: Sequence[Unit], spaces: Sequence[Glyph]) -> set[int]:
    """Numbers of the letters before which a space is drawn."""
    found: set[int] = set()
    place = 0
    for middle in sorted((space.left + space.right) / 2 for space in spaces):
        while place < len(letters) and (letters[place].left + letters[place].right) / 2 < middle:
            place += 1
        found.add(place)
    return found - {0, len(letters)}


def _spaces_drawn_between(letters: Sequence[Unit], spaces: Sequence[Glyph]) -> set[int]:
    """Numbers of the letters that are drawn right after a space that is drawn right after the letter before them.

    Such a space is one even if marks or wide letters reach into it.
    """
    ends = {
        max([unit.order, *(mark.order for mark in unit.marks)]): place for place, unit in enumerate(letters)
    }
    begins = {unit.order: place for place, unit in enumerate(letters)}
    found: set[int] = set()
    for space in spaces:
        before, after = ends.get(space.order - 1), begins.get(space.order + 1)
        if before is None or after != before + 1 or is_han_or_kana(letters[after].text[0]):
            continue
        if letters[before].left <= space.left <= letters[after].right:
            found.add(after)
    return found


def _gap_of_words(before: str, after: str, usual: float) -> float:
    if before < _FIRST_UNSPACED:
        return usual
    if is_han_or_kana(before) and is_han_or_kana(after):
        return _SQUARE_GAP
    if unicodedata.name(before, "").startswith(_UNSPACED):
        return _UNSPACED_GAP
    return usual


def _space(before: Unit, after: Unit) -> Unit:
    return Unit(
        Glyph(" ", (before.right, 0.0), (before.right, 0.0, after.left, 0.0), size=after.size, order=-1)
    )
