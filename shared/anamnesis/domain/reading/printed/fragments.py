"""Glyphs into fragments (what stands together on one baseline without a wide gap) and fragments into lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from statistics import median

import regex

from anamnesis.domain.reading.printed.direction import holds_right_to_left, is_right_to_left
from anamnesis.domain.reading.printed.glyphs import Glyph

#: Baselines closer than this, in sizes, are one.
_SAME_BASELINE = 0.15
#: A gap of this many sizes may be a gutter between columns or cells; one within a piece of text is a stretched space.
WIDE_GAP, STRETCHED_GAP = 0.75, 2.5
#: Exponents and indices: their size and how far their baseline is off, in sizes of what they belong to; characters.
_RAISED_SIZE, _RAISED, _LONGEST_RAISED = 0.85, 0.6, 12
#: How far, in sizes, combining marks may be placed above or below their letters' baseline.
_MARK_REACH = 0.9
#: A page of more fragments than this is a drawing.
_MOST_RAISED = 2_000
#: Copies of a letter within this many sizes of each other are one letter; so many letters are looked back at.
_OVERPRINT, _COPIES = 0.12, 3
#: Spaces of one stretched line are equal up to this factor and no wider than so many sizes; from so many on a gap is
#: one between words.
_EQUAL, _WIDEST_SPACE, _WORD_GAP = 1.35, 2.0, 0.15
#: What a letter takes above and below its baseline, in sizes.
_ABOVE, _BELOW = 0.72, 0.22
#: Share of the lower of two fragments that overlaps the other where both are on one line.
_ON_ONE_LINE = 0.5
#: A letter this much larger than its neighbours that begins a paragraph over several lines.
_DROP_CAP = 1.8

#: Bullets and numbers of items, and how far, in sizes, they stand before what they mark.
_LABEL = regex.compile(
    r"[•●○▪■□◦‣⁃∙·–—*\-\uf0b7\uf0a7➢➤✓✔►▶]|\(?(?:\p{Nd}{1,3}|\p{L}|[ivx]{1,5})[.)]|\p{Nd}{1,2}(?:\.\p{Nd}{1,2}){1,4}\.?"
)
_LABEL_GAP = 4.0
_LABEL_BASELINE = 0.35
_LONGEST_LABEL = 8

#: Key of glyphs as they stand, from the left.
by_left = attrgetter("left")


class Fragment:
    """Letters of one baseline.

    Attributes
    ----------
    left, right, top, bottom
        Its box in the frame in which it is read, y downwards.
    baseline, size
        In points; the size is that of most of its letters.
    chars
        Number of characters without spaces.
    order
        Place of its first letter in the order in which the page draws its text.
    apart
        Whether a gutter between columns that is narrower than ``WIDE_GAP`` stands right of it.
    """

    __slots__ = ("apart", "baseline", "bottom", "chars", "glyphs", "left", "order", "right", "size", "top")

    def __init__(self, glyphs: list[Glyph]) -> None:
        self.apart = False
        letters = [glyph for glyph in glyphs if not glyph.text.isspace()]
        self.glyphs = glyphs
        self.left = min(glyph.left for glyph in letters)
        self.right = max(glyph.right for glyph in letters)
        self.size = median(glyph.size for glyph in letters)
        self.baseline = median(glyph.y for glyph in letters if glyph.size > 0.9 * self.size)
        self.top = self.baseline - _ABOVE * self.size
        self.bottom = self.baseline + _BELOW * self.size
        self.chars = sum(len(glyph.text) for glyph in letters)
        self.order = min(glyph.order for glyph in letters)


def fragments_of(glyphs: Iterable[Glyph]) -> list[Fragment]:
    """Fragments of a page or frame, from the top; bullets and numbers of items may stand apart (``labelled``)."""
    found: list[Fragment] = []
    strip: list[Glyph] = []
    everything = list(glyphs)
    marks = [glyph for glyph in everything if glyph.mark]
    letters = [glyph for glyph in everything if not glyph.mark] if marks else everything
    for glyph in sorted(letters, key=lambda one: (one.y, one.left)):
        if strip and glyph.y - strip[0].y > _SAME_BASELINE * max(min(glyph.size, strip[0].size), 0.1):
            found += _split(strip)
            strip = []
        strip.append(glyph)
    return _marked(_raised(found + _split(strip)), marks)


def _marked(fragments: list[Fragment], marks: Sequence[Glyph]) -> list[Fragment]:
    """Put combining marks, which may stand well above or below their line, with the letters that they stand at."""
    if not marks or not fragments:
        return fragments + _split(list(marks))
    fragments.sort(key=lambda one: one.baseline)
    baselines = [one.baseline for one in fragments]
    lost: list[Glyph] = []
    for mark in marks:
        first = bisect_left(baselines, mark.y - _MARK_REACH * mark.size)
        last = bisect_right(baselines, mark.y + _MARK_REACH * mark.size)
        middle, reach = (mark.left + mark.right) / 2, mark.size / 2
        near = [one for one in fragments[first:last] if one.left - reach < middle < one.right + reach]
        if near:
            min(near, key=lambda one: abs(one.baseline - mark.y)).glyphs.append(mark)
        else:
            lost.append(mark)
    return fragments + _split(lost)


def _split(strip: list[Glyph]) -> list[Fragment]:
    """Fragments of one baseline, parted at wide gaps; drawn spaces do not fill these."""
    letters = _once(sorted((glyph for glyph in strip if not glyph.text.isspace()), key=by_left))
    if not letters:
        return []
    spaces = sorted((glyph for glyph in strip if glyph.text.isspace()), key=lambda glyph: glyph.left)
    gaps = _gaps(letters)
    groups = [[letters[0]]]
    for place, glyph in enumerate(letters[1:], start=1):
        if place in gaps and _is_gutter(place, gaps, letters):
            groups.append([])
        groups[-1].append(glyph)
    made = [Fragment(group) for group in groups]
    place = 0
    for space in spaces:
        while place + 1 < len(made) and space.left >= made[place + 1].left:
            place += 1
        if space.left <= made[place].right:
            made[place].glyphs.append(space)
    return made


def _raised(fragments: list[Fragment]) -> list[Fragment]:
    """Put exponents, indices and reference marks with the letters they follow, and together what these had parted."""
    if len(fragments) > _MOST_RAISED:
        return fragments
    hosts = sorted(fragments, key=lambda one: one.baseline)
    baselines = [one.baseline for one in hosts]
    tallest = max((one.size for one in hosts), default=0.0)
    small = [
        one
        for one in hosts
        if one.chars <= _LONGEST_RAISED
        and (one.size < _RAISED_SIZE * tallest or holds_right_to_left(_text(one.glyphs)))
    ]
    found: dict[int, list[Fragment]] = {}
    taken: set[int] = set()
    for one in small:
        first = bisect_left(baselines, one.baseline - 2 * one.size)
        last = bisect_right(baselines, one.baseline + 2 * one.size)
        best, nearest = None, 0.3
        for place in range(first, last):
            host = hosts[place]
            off = abs(host.baseline - one.baseline) / host.size
            gap = max(one.left - host.right, host.left - one.right, 0.0) / host.size
            raised = one.size < _RAISED_SIZE * host.size and 0.05 < off < _RAISED
            within = off < _RAISED and one.chars < host.chars and _is_within(one, host)
            if host is not one and id(host) not in taken and (raised or within) and gap < nearest:
                best, nearest = place, gap
        if best is not None:
            found.setdefault(best, []).append(one)
            taken.add(id(one))
    kept = [
        Fragment([*host.glyphs, *(glyph for one in found.get(place, ()) for glyph in one.glyphs)])
        if place in found
        else host
        for place, host in enumerate(hosts)
        if id(host) not in taken
    ]
    return _closed(kept) if taken else fragments


def _is_within(one: Fragment, host: Fragment) -> bool:
    """Whether letters written from the right, raised by their font, stand in the middle of a line of such letters."""
    reach = host.size / 2
    return (
        host.left - reach < one.left
        and one.right < host.right + reach
        and holds_right_to_left(_text(one.glyphs))
        and holds_right_to_left(_text(host.glyphs))
    )


def _closed(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Fragments of one baseline between which no wide gap is left, together."""
    closed: list[Fragment] = []
    for one in sorted(fragments, key=lambda one: (round(one.baseline, 1), one.left)):
        before = closed[-1] if closed else None
        if (
            before is not None
            and abs(before.baseline - one.baseline) < _SAME_BASELINE * min(before.size, one.size)
            and -0.3 * one.size < one.left - before.right < WIDE_GAP * max(before.size, one.size)
        ):
            closed[-1] = Fragment(before.glyphs + one.glyphs)
        else:
            closed.append(one)
    return closed


def labelled(fragments: list[Fragment]) -> list[Fragment]:
    """Put bullets and numbers of items with what they stand before."""
    joined = {id(one): one for one in fragments}
    for label in fragments:
        text = _text(label.glyphs)
        if label.chars > _LONGEST_LABEL or not _LABEL.fullmatch(text.replace(" ", "")):
            continue
        marked = _marked_by(label, list(joined.values()))
        if marked is not None:
            del joined[id(label)]
            whole = joined[id(marked)] = Fragment(label.glyphs + marked.glyphs)
            whole.apart = label.apart if label.right > marked.right else marked.apart
    return sorted(joined.values(), key=lambda one: (one.baseline, one.left))


def _marked_by(label: Fragment, fragments: Sequence[Fragment]) -> Fragment | None:
    best, nearest = None, _LABEL_GAP * label.size
    for one in fragments:
        if one is label or abs(one.baseline - label.baseline) > _LABEL_BASELINE * max(one.size, label.size):
            continue
        turned = is_right_to_left(_text(one.glyphs))
        gap = label.left - one.right if turned else one.left - label.right
        if -0.2 * label.size < gap < nearest:
            best, nearest = one, gap
    return best


def _text(glyphs: Sequence[Glyph]) -> str:
    return "".join(glyph.text for glyph in glyphs)


def _gaps(letters: Sequence[Glyph]) -> dict[int, float]:
    """Gaps between words, in sizes of the smaller letter beside them, by the number of the letter after them."""
    gaps: dict[int, float] = {}
    end = letters[0].right
    for place, glyph in enumerate(letters[1:], start=1):
        gap = (glyph.left - end) / max(min(glyph.size, letters[place - 1].size), 0.1)
        if gap > _WORD_GAP:
            gaps[place] = gap
        end = max(end, glyph.right)
    return gaps


def _is_gutter(place: int, gaps: dict[int, float], letters: Sequence[Glyph]) -> bool:
    """Whether a gap may part columns or cells: wide, and no space of a line that was stretched to its column."""
    gap = gaps[place]
    before, after = letters[place - 1], letters[place]
    if gap <= (STRETCHED_GAP if before.piece == after.piece else WIDE_GAP):
        return False
    if gap > _WIDEST_SPACE or before.text.isdigit() or after.text.isdigit():
        return True
    places = list(gaps)
    here = bisect_left(places, place)
    beside = [gaps[places[i]] for i in (here - 1, here + 1) if 0 <= i < len(places)]
    return not any(gap < _EQUAL * other and other < _EQUAL * gap for other in beside)


def letters_of(fragment: Fragment) -> list[Glyph]:
    """Its glyphs but spaces and combining marks, from the left."""
    return sorted(
        (glyph for glyph in fragment.glyphs if not glyph.text.isspace() and not glyph.mark), key=by_left
    )


def parted(fragment: Fragment, gutter: float, least: float = WIDE_GAP) -> list[Fragment]:
    """The two parts of a fragment that has a gap of so many sizes at a gutter, from the left, or the fragment."""
    end = fragment.left
    for glyph in letters_of(fragment):
        if end <= gutter <= glyph.left:
            if glyph.left - end < least * fragment.size:
                break
            sides = [
                [one for one in fragment.glyphs if (one.left < gutter) is side] for side in (True, False)
            ]
            parts = [Fragment(side) for side in sides]
            parts[1].apart = fragment.apart
            return parts
        end = max(end, glyph.right)
    return [fragment]


def _once(letters: list[Glyph]) -> list[Glyph]:
    """Leave out copies of a letter that are drawn over it to make it bold or give it a shadow.

    Parameters
    ----------
    letters
        Of one baseline, from the left.
    """
    kept: list[Glyph] = []
    for glyph in letters:
        reach = _OVERPRINT * glyph.size
        copies = (before for before in kept[-_COPIES:] if before.text == glyph.text)
        if not any(glyph.left - before.left < reach for before in copies):
            kept.append(glyph)
    return kept


class Line:
    """Fragments that are read as one line.

    Attributes
    ----------
    top, bottom, baseline, size
        Those of its largest fragment.
    """

    __slots__ = ("baseline", "bottom", "fragments", "size", "top")

    def __init__(self, fragment: Fragment) -> None:
        self.fragments = [fragment]
        self.top, self.bottom = fragment.top, fragment.bottom
        self.baseline, self.size = fragment.baseline, fragment.size

    @property
    def left(self) -> float:
        """Left edge."""
        return min(fragment.left for fragment in self.fragments)

    @property
    def right(self) -> float:
        """Right edge."""
        return max(fragment.right for fragment in self.fragments)

    @property
    def chars(self) -> int:
        """Number of characters without spaces."""
        return sum(fragment.chars for fragment in self.fragments)

    def glyphs(self) -> list[Glyph]:
        """All its glyphs."""
        return [glyph for fragment in self.fragments for glyph in fragment.glyphs]


def lines_of(fragments: Sequence[Fragment]) -> list[Line]:
    """Lines from the top; indices, exponents and accents are on the line of what they belong to."""
    lines: list[Line] = []
    initials: list[Fragment] = []
    usual = median(fragment.size for fragment in fragments) if fragments else 0.0
    # Larger ones first, so that small ones find the line that they belong to.
    for fragment in sorted(fragments, key=lambda one: (-round(one.size, 1), one.baseline, one.left)):
        if fragment.chars == 1 and fragment.size >= _DROP_CAP * usual:
            initials.append(fragment)
            continue
        line = _line_for(fragment, lines)
        if line is None:
            lines.append(Line(fragment))
        else:
            line.fragments.append(fragment)
    lines.sort(key=lambda line: (line.baseline, line.left))
    for initial in initials:
        _begin(lines, initial)
    return sorted(lines, key=lambda line: (line.baseline, line.left))


def _line_for(fragment: Fragment, lines: Sequence[Line]) -> Line | None:
    best, most = None, _ON_ONE_LINE
    height = max(fragment.bottom - fragment.top, 0.01)
    for line in lines:
        overlap = (min(line.bottom, fragment.bottom) - max(line.top, fragment.top)) / height
        if overlap > most and not _printed_over(fragment, line):
            best, most = line, overlap
    return best


def _printed_over(fragment: Fragment, line: Line) -> bool:
    """Whether a fragment stands where the line has letters already: another line printed close below it."""
    if fragment.chars <= 2:
        return False
    return any(
        min(fragment.right, other.right) - max(fragment.left, other.left)
        > 0.5 * (fragment.right - fragment.left)
        and abs(fragment.baseline - other.baseline) > _SAME_BASELINE * fragment.size
        for other in line.fragments
    )


def _begin(lines: list[Line], initial: Fragment) -> None:
    """Put a letter that is drawn over several lines at the beginning of the first of them."""
    for line in lines:
        if line.bottom > initial.top and line.baseline <= initial.baseline and line.left >= initial.left:
            line.fragments.append(initial)
            return
    lines.append(Line(initial))
