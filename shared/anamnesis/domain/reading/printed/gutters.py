"""Gutters between columns that are hardly wider than a space, as newspapers, exams and glossaries have them.

A white strip between two columns is told from spaces that stand one below the other by chance in two ways. Where the
page draws one column after the other, what stands right of the gutter was drawn long after, or before, what stands left
of it: a few lines tell. Where it draws across both, line by line (the layer that text recognition puts over a scan),
many lines must have the strip, the right column must begin at one edge, and both must be prose. That second way is not
taken on pages that are read from the right, whose verses stand in two even columns and are read across.

Strips are followed from line to line: compare the white rectangles of Breuel, "Two geometric algorithms for layout
analysis" (DAS 2002).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from anamnesis.domain.reading.printed.fragments import WIDE_GAP, Fragment, by_left, letters_of, parted
from anamnesis.domain.reading.printed.glyphs import Glyph

#: White, in sizes, that a strip keeps over all its lines, where the drawing jumps and where it goes across: three
#: points in type of twelve, and four. Ours.
_GAP, _GAP_ACROSS = 0.25, 0.33
#: Lines that have a strip, where the drawing of the page jumps at it, and where it goes across. Ours.
_LINES, _LINES_ACROSS = 4, 10
#: Letters drawn between two that stand beside each other that may be exponents, marks and spaces of their line. Ours.
_JUMP = 10
#: Least width of a column, in sizes: labels, numbers and marks before lines are no column. Ours.
_COLUMN, _PROSE_COLUMN = 6.0, 9.0
#: How far, in sizes, the lines of a right column begin from its edge, those of a left one end, and the share that does.
_EDGE, _END, _EVEN = 0.15, 1.0, 0.6
#: Words of a line of prose; columns of figures and of codes have one for each strip.
_WORDS, _WORD_GAP = 3, 0.15
#: Strips followed at a time, and parted at, and gaps of a line that are looked at. Ours.
_MOST_FOLLOWED, _MOST_STRIPS, _MOST_GAPS = 200, 16, 100
#: Beyond so many fragments a page is a drawing. Ours.
MOST_FRAGMENTS = 4_000


@dataclass(slots=True)
class _Gap:
    left: float
    right: float
    top: float
    bottom: float
    before: float  # how far what stands left of it reaches, to its own left
    after: float  # how far what stands right of it reaches
    size: float


@dataclass(slots=True)
class _Strip:
    left: float
    right: float
    gaps: list[_Gap]
    least: float  # in points

    @property
    def middle(self) -> float:
        """Halfway between its sides."""
        return (self.left + self.right) / 2


def set_apart(fragments: list[Fragment], *, right_to_left: bool) -> list[Fragment]:
    """Part what goes across narrow gutters, and mark what stands left of one (``Fragment.apart``).

    Parameters
    ----------
    fragments
        Of one frame.
    right_to_left
        Whether the page is read from the right.
    """
    if len(fragments) > MOST_FRAGMENTS:
        return fragments
    strips = _columns_apart(fragments)
    strips += [] if right_to_left else _columns_across(fragments, strips)
    for strip in strips:
        fragments = list(_parted_at(strip, fragments))
    return fragments


def neighbours(fragments: Sequence[Fragment]) -> Iterator[tuple[Fragment, Fragment]]:
    """Each fragment with the nearest one to its right at the same height."""
    ordered = sorted(fragments, key=lambda one: one.top)
    tallest = max((one.bottom - one.top for one in ordered), default=0.0)
    first = 0
    for one in ordered:
        while ordered[first].top < one.top - tallest:
            first += 1
        nearest: Fragment | None = None
        for place in range(first, len(ordered)):
            other = ordered[place]
            if other.top >= one.bottom:
                break
            beside = min(one.bottom, other.bottom) - max(one.top, other.top)
            if other is one or beside < 0.3 * min(one.bottom - one.top, other.bottom - other.top):
                continue
            if other.left >= one.right - 0.1 * one.size and (nearest is None or other.left < nearest.left):
                nearest = other
        if nearest is not None:
            yield one, nearest


# ------------------------------------------------------------------------------------------------ drawn apart
def _columns_apart(fragments: Sequence[Fragment]) -> list[_Strip]:
    """Strips at which the drawing jumps."""
    gaps: dict[int, list[_Gap]] = {}
    for one in fragments:
        orders = sorted(glyph.order for glyph in one.glyphs)
        gaps[id(one)] = [
            _gap_in(one, left, after) for left, after in _spaces(one, _GAP) if _jumps(left, after, orders)
        ]
    beside: dict[int, _Gap] = {}
    for one, other in neighbours(fragments):
        wide = other.left - one.right
        ends = max(one.glyphs, key=by_left), min(other.glyphs, key=by_left)
        if wide >= _GAP * one.size and _jumps(
            *ends, sorted(glyph.order for each in (one, other) for glyph in each.glyphs)
        ):
            top, bottom = min(one.top, other.top), max(one.bottom, other.bottom)
            beside[id(one)] = _Gap(one.right, other.left, top, bottom, one.left, other.right, one.size)
    found = _followed(fragments, gaps, beside, (_LINES, _GAP))
    return [strip for strip in found if _are_wide(strip, _COLUMN)]


def _jumps(left: Glyph, right: Glyph, orders: Sequence[int]) -> bool:
    """Whether the page draws letters of other lines between two of one line, whose places in the drawing are given."""
    first, last = sorted((left.order, right.order))
    return last - first > _JUMP + bisect_left(orders, last) - bisect_right(orders, first)


# ------------------------------------------------------------------------------------------------ drawn across
def _columns_across(fragments: Sequence[Fragment], known: Sequence[_Strip]) -> list[_Strip]:
    """Strips between columns of prose that the page draws across."""
    gaps = {
        id(one): [_gap_in(one, left, after) for left, after in _spaces(one, _GAP_ACROSS)] for one in fragments
    }
    beside = {
        id(one): _Gap(one.right, other.left, one.top, one.bottom, one.left, other.right, one.size)
        for one, other in neighbours(fragments)
        if other.left - one.right >= _GAP_ACROSS * one.size
    }
    strips = _followed(fragments, gaps, beside, (_LINES_ACROSS, _GAP_ACROSS))
    middles = [strip.middle for strip in strips]
    found = []
    for strip in strips:
        # Columns end at the next strip: a part of a line of figures is none.
        for gap in strip.gaps:
            gap.before = max([gap.before, *(one for one in middles if one < strip.left)])
            gap.after = min([gap.after, *(one for one in middles if one > strip.right)])
        strip.gaps = _aligned(strip.gaps)
        if any(one.left < strip.middle < one.right for one in known) or len(strip.gaps) < _LINES_ACROSS:
            continue
        if _is_between_prose(strip, fragments):
            found.append(strip)
    return found


def _aligned(gaps: list[_Gap]) -> list[_Gap]:
    """The gaps without those above and below them after which nothing begins at the column's edge: titles."""
    edge = median(gap.right for gap in gaps)
    at = [place for place, gap in enumerate(gaps) if abs(gap.right - edge) <= _EDGE * gap.size]
    return gaps[at[0] : at[-1] + 1] if at else []


def _is_between_prose(strip: _Strip, fragments: Sequence[Fragment]) -> bool:
    edge, end = median(gap.right for gap in strip.gaps), median(gap.left for gap in strip.gaps)
    begun = sum(1 for gap in strip.gaps if abs(gap.right - edge) <= _EDGE * gap.size)
    ended = sum(1 for gap in strip.gaps if abs(gap.left - end) <= _END * gap.size)
    if min(begun, ended) < _EVEN * len(strip.gaps) or not _are_wide(strip, _PROSE_COLUMN):
        return False
    top, bottom = _heights(strip)
    lines = [one for one in fragments if top <= one.baseline <= bottom]
    if sum(map(_letters_over_figures, lines)) <= 0:
        return False
    first, last = median(gap.before for gap in strip.gaps), median(gap.after for gap in strip.gaps)
    words = [
        [count for one in lines if (count := _words(one, *side))]
        for side in ((first, strip.middle), (strip.middle, last))
    ]
    return all(side and median(side) >= _WORDS for side in words)


def _letters_over_figures(one: Fragment) -> int:
    first = [glyph.text[0] for glyph in one.glyphs]
    return sum(map(str.isalpha, first)) - 2 * sum(map(str.isdigit, first))


def _words(one: Fragment, left: float, right: float) -> int:
    """Words of a fragment between two places."""
    words = 0
    end: float | None = None
    for glyph in letters_of(one):
        if left <= glyph.left < right:
            words += end is None or glyph.left - end > _WORD_GAP * one.size
            end = glyph.right if end is None else max(end, glyph.right)
    return words


# ------------------------------------------------------------------------------------------------ strips
def _followed(
    fragments: Sequence[Fragment],
    gaps: dict[int, list[_Gap]],
    beside: dict[int, _Gap],
    least: tuple[int, float],
) -> list[_Strip]:
    """Strips of at least so many lines and so much white, in sizes, that no line between these crosses."""
    lines, white = least
    live: list[_Strip] = []
    found: list[_Strip] = []
    for one in sorted(fragments, key=lambda one: (one.baseline, one.left)):
        inside = gaps[id(one)][:_MOST_GAPS]
        kept: list[_Strip] = []
        for strip in live:
            ended = _goes_past(strip, one, inside)
            if ended and len(strip.gaps) >= lines:
                found.append(strip)
            elif not ended:
                kept.append(strip)
        live = kept
        mine = [*inside, beside[id(one)]] if id(one) in beside else inside
        for gap in mine[:_MOST_GAPS]:
            if not _goes_on(gap, live):
                live.append(_Strip(gap.left, gap.right, [gap], white * gap.size))
        live = live[-_MOST_FOLLOWED:]
    found += [strip for strip in live if len(strip.gaps) >= lines]
    return sorted(found, key=lambda strip: -len(strip.gaps))[:_MOST_STRIPS]


def _goes_past(strip: _Strip, one: Fragment, inside: Sequence[_Gap]) -> bool:
    """Whether a fragment ends a strip: it stands in it, and has no gap there that leaves enough of it.

    A strip that it leaves enough of beside itself is narrowed to that.
    """
    if one.right <= strip.left or one.left >= strip.right:
        return False
    for left, right in [(one.right, strip.right), (strip.left, one.left)]:
        if strip.left <= left and right <= strip.right and right - left >= strip.least:
            strip.left, strip.right = left, right
            return False
    for gap in inside:
        left, right = max(gap.left, strip.left), min(gap.right, strip.right)
        if right - left >= strip.least:
            return False
    return True


def _goes_on(gap: _Gap, live: Sequence[_Strip]) -> bool:
    """Whether a gap carries on a strip, which is narrowed to it then."""
    on = False
    for strip in live:
        left, right = max(gap.left, strip.left), min(gap.right, strip.right)
        if right - left >= strip.least:
            strip.left, strip.right = left, right
            strip.gaps.append(gap)
            on = True
    return on


def _are_wide(strip: _Strip, least: float) -> bool:
    left = median((gap.left - gap.before) / max(gap.size, 0.1) for gap in strip.gaps)
    right = median((gap.after - gap.right) / max(gap.size, 0.1) for gap in strip.gaps)
    return min(left, right) >= least


def _heights(strip: _Strip) -> tuple[float, float]:
    return min(gap.top for gap in strip.gaps), max(gap.bottom for gap in strip.gaps)


def _parted_at(strip: _Strip, fragments: Sequence[Fragment]) -> Iterator[Fragment]:
    top, bottom = _heights(strip)
    for one in fragments:
        parts = [one]
        if top <= one.baseline <= bottom:
            if one.left < strip.middle < one.right:
                parts = parted(one, strip.middle, strip.least / max(one.size, 0.1))
            if strip.middle - WIDE_GAP * one.size <= parts[0].right <= strip.middle:
                parts[0].apart = True
        yield from parts


def _gap_in(one: Fragment, left: Glyph, after: Glyph) -> _Gap:
    """The gap between two letters of a fragment."""
    return _Gap(left.right, after.left, one.top, one.bottom, one.left, one.right, one.size)


def _spaces(one: Fragment, least: float) -> Iterator[tuple[Glyph, Glyph]]:
    """Letters of a fragment between which there is a gap of so many sizes."""
    furthest: Glyph | None = None
    for glyph in letters_of(one):
        if furthest is not None and glyph.left - furthest.right >= least * one.size:
            yield furthest, glyph
        if furthest is None or glyph.right >= furthest.right:
            furthest = glyph
