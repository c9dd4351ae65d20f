"""The order in which a page's fragments are read: columns where there are columns, rows of tables, else from the top.

A recursive cut of the page along white space (XY-cut: Nagy and Seth, "Hierarchical representation of optically scanned
documents", ICPR 1984), with two additions. A gutter may be crossed: what crosses it (titles, wide figures) parts the
page into bands from top to bottom that are cut on their own (compare Breuel, "Two geometric algorithms for layout
analysis", DAS 2002). And whether what a gutter parts are columns of prose or cells of a table, the order in which
the page draws them decides, beside the length of their lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from anamnesis.domain.reading.printed.fragments import WIDE_GAP, Fragment, Line, lines_of, parted
from anamnesis.domain.reading.printed.gutters import MOST_FRAGMENTS, neighbours

#: Deeper cuts than this do not occur on honest pages.
_DEEPEST = 16
#: Rows that must lie on both sides of a gutter; on slides two are a column.
_LEAST_ROWS = 2
#: A gutter narrower than this, in sizes, parts more rows than may have holes by chance.
_NARROW = 1.5
#: A fragment crosses a gutter if it reaches this many sizes beyond both its sides; less is an overlong line.
_CROSSES = 3.0
#: White space between bands, in sizes.
_BAND_GAP = 0.9
#: Parts of a page of more fragments than this are not looked through for blocks; fragments of a block looked back at.
_MANY_BLOCKS, _REACH = 400, 12
#: Lines of prose in a column have at least so many characters; shorter ones may be cells.
_PROSE_CHARS = 18
#: Labels before lines: bullets, numbers of items, lines or equations.
_LABEL_CHARS = 4
#: Share of lines with a partner on the same baseline beyond which two sides can be rows of a table.
_ALIGNED = 0.6
#: White space, in sizes, below which a line goes on in the cell above it.
_ROW_GAP = 0.6
#: Rows that make a table; two lines may have a gap in common by chance.
_LEAST_TABLE = 3
#: How often, by pairs of aligned lines, the drawing changes sides where it draws row by row.
_ROW_BY_ROW = 0.34


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells' lines, in reading order."""

    cells: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Region:
    """Part of a page that is read from the top: lines, or the rows of a table."""

    lines: tuple[Line, ...] = ()
    rows: tuple[Row, ...] = ()


def regions_of(fragments: Sequence[Fragment], *, right_to_left: bool) -> list[Region]:
    """Parts of a page in the order in which they are read.

    Parameters
    ----------
    fragments
        Of one frame.
    right_to_left
        Whether columns and cells are read from the right.
    """
    if len(fragments) > MOST_FRAGMENTS:
        many = len(fragments) > 4 * MOST_FRAGMENTS
        return _one_by_one(fragments) if many else [Region(tuple(lines_of(fragments)))]
    return _cut(list(fragments), right_to_left=right_to_left, depth=0)


def _one_by_one(fragments: Sequence[Fragment]) -> list[Region]:
    return [Region(tuple(Line(one) for one in sorted(fragments, key=lambda one: (one.baseline, one.left))))]


def _cut(fragments: list[Fragment], *, right_to_left: bool, depth: int) -> list[Region]:
    if len(fragments) < 2 or depth > _DEEPEST:
        return [Region(tuple(lines_of(fragments)))] if fragments else []
    gutter = _gutter(fragments)
    if gutter is not None:
        middle = (gutter[0] + gutter[1]) / 2
        fragments = [
            part
            for one in fragments
            for part in (parted(one, middle) if one.left < middle < one.right else [one])
        ]
    parts = _bands(fragments, gutter) if gutter is not None else _stacked(fragments)
    if gutter is None and len(parts) == 1:
        blocks = _beside(fragments, right_to_left=right_to_left)
        return [Region(tuple(lines_of(block))) for block in blocks]
    regions: list[Region] = []
    for part in parts:
        sides = _sides(part, gutter) if gutter is not None else None
        if sides is None or min(len(sides[0]), len(sides[1])) == 0:
            if len(part) == len(fragments):
                regions.append(Region(tuple(lines_of(part))))
            else:
                regions += _cut(part, right_to_left=right_to_left, depth=depth + 1)
        elif _are_columns(*sides):
            for side in sides[::-1] if right_to_left else sides:
                regions += _cut(side, right_to_left=right_to_left, depth=depth + 1)
        else:
            regions += _rows(part, right_to_left=right_to_left)
    return regions


# ------------------------------------------------------------------------------------------------ gutters
def _gutter(fragments: Sequence[Fragment]) -> tuple[float, float] | None:
    """The white strip from top to bottom that most rows have in common, if it parts at least two of them."""
    gaps = _gaps(fragments)
    edges = sorted([(left, 1) for left, _ in gaps] + [(right, -1) for _, right in gaps])
    best: tuple[int, float, float, float] | None = None
    deep = 0
    for place, (x, step) in enumerate(edges[:-1]):
        deep += step
        right = edges[place + 1][0]
        if deep and right > x and (best is None or (deep, right - x) > best[:2]):
            best = (deep, right - x, x, right)
    if best is None:
        return None
    middle = (best[2] + best[3]) / 2
    crossed = any(one.left < middle < one.right for one in fragments)
    narrow = best[1] < _NARROW * median(one.size for one in fragments)
    if (best[0] <= _LEAST_ROWS and crossed) or (narrow and best[0] <= _LEAST_ROWS + 1):
        return None  # holes that are one below the other by chance
    if best[0] < _LEAST_ROWS:
        sides = [[one for one in fragments if (one.left < middle) is left] for left in (True, False)]
        if max(map(len, sides)) < _LEAST_ROWS or _pairs(*sides):
            return None  # a line with a wide gap
    # As wide as the fragments beside it allow.
    left = max((one.right for one in fragments if one.right <= middle), default=best[2])
    right = min((one.left for one in fragments if one.left >= middle), default=best[3])
    return min(left, middle), max(right, middle)


def _gaps(fragments: Sequence[Fragment]) -> list[tuple[float, float]]:
    """White space between each fragment and the next one to its right at the same height, where it parts them."""
    return [
        (one.right, other.left)
        for one, other in neighbours(fragments)
        if one.apart or other.left - one.right >= WIDE_GAP * min(one.size, 40.0) * 0.95
    ]


def _crosses(one: Fragment, gutter: tuple[float, float]) -> bool:
    middle = (gutter[0] + gutter[1]) / 2
    return min(middle - one.left, one.right - middle) > _CROSSES * one.size


def _bands(fragments: Sequence[Fragment], gutter: tuple[float, float]) -> list[list[Fragment]]:
    """Parts from top to bottom, those with both sides of the gutter and those between."""
    crossing = [one for one in fragments if _crosses(one, gutter)]
    others = [one for one in fragments if not _crosses(one, gutter)]
    ordered = sorted(crossing, key=lambda one: one.baseline)
    bands: list[tuple[bool, list[Fragment]]] = []
    rest = sorted(others, key=lambda one: one.baseline)
    for wide in [*ordered, None]:
        above = [one for one in rest if wide is None or one.baseline < wide.baseline - 0.1 * wide.size]
        rest = rest[len(above) :]
        if above:
            bands.append((True, above))
        if wide is not None:
            if bands and not bands[-1][0]:
                bands[-1][1].append(wide)
            else:
                bands.append((False, [wide]))
    return [part for _, part in _settled(bands, gutter)]


def _settled(
    bands: list[tuple[bool, list[Fragment]]], gutter: tuple[float, float]
) -> list[tuple[bool, list[Fragment]]]:
    """Bands of which those that lie on one side only, or hold a single row, belong to what crosses beside them."""
    settled: list[tuple[bool, list[Fragment]]] = []
    for open_, part in bands:
        left, right = _sides(part, gutter)
        columns = open_ and min(len(left), len(right)) > 0 and max(len(left), len(right)) >= _LEAST_ROWS
        if settled and not columns and not settled[-1][0]:
            settled[-1][1].extend(part)
        else:
            settled.append((columns, list(part)))
    return settled


def _sides(part: Sequence[Fragment], gutter: tuple[float, float]) -> tuple[list[Fragment], list[Fragment]]:
    middle = (gutter[0] + gutter[1]) / 2
    if any(_crosses(one, gutter) for one in part):
        return list(part), []
    left = [one for one in part if (one.left + one.right) / 2 < middle]
    return left, [one for one in part if (one.left + one.right) / 2 >= middle]


def _stacked(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Two parts, above and below the widest white space between rows; one where there is none to speak of."""
    ordered = sorted(fragments, key=lambda one: one.top)
    widest, cut = 0.0, 0
    bottom = ordered[0].bottom
    for place, one in enumerate(ordered[1:], start=1):
        white = (one.top - bottom) / max(one.size, 0.1)
        if white > widest:
            widest, cut = white, place
        bottom = max(bottom, one.bottom)
    return [ordered[:cut], ordered[cut:]] if widest > _BAND_GAP else [ordered]


def _beside(fragments: list[Fragment], *, right_to_left: bool) -> list[list[Fragment]]:
    """Blocks that stand beside each other without a gutter in common, from the top; all as one where there are none."""
    if len(fragments) > _MANY_BLOCKS:
        return [fragments]
    blocks: list[list[Fragment]] = []
    for one in sorted(fragments, key=lambda one: one.baseline):
        near = [block for block in blocks if any(_touch(other, one) for other in block[-_REACH:])]
        blocks = [block for block in blocks if all(block is not other for other in near)]
        blocks.append([*(other for block in near for other in block), one])
    lines = [sorted(block, key=lambda one: one.baseline) for block in blocks]
    if len(blocks) == 1 or any(
        len(_pairs(block, other)) > (1 - _ALIGNED) * min(len(block), len(other))
        for place, block in enumerate(lines)
        for other in lines[place + 1 :]
    ):
        return [fragments]
    side = -1 if right_to_left else 1
    return sorted(
        lines, key=lambda block: (min(one.top for one in block), side * min(one.left for one in block))
    )


def _touch(above: Fragment, below: Fragment) -> bool:
    """Whether one fragment goes on right above another."""
    size = max(above.size, below.size)
    beside = min(above.right, below.right) - max(above.left, below.left)
    close = above.baseline >= below.baseline - 0.4 * size
    return below.top - above.bottom < _BAND_GAP * size and (
        beside > 0 or (close and beside > -_CROSSES * size)
    )


# ------------------------------------------------------------------------------------------------ columns or cells
def _are_columns(left: Sequence[Fragment], right: Sequence[Fragment]) -> bool:
    """Whether two sides of a gutter are read one after the other, and not row by row."""
    pairs, fewer = _pairs(left, right), min(len(left), len(right))
    if len(pairs) < _ALIGNED * fewer:
        return True
    # How often the drawing of the page goes from one side to the other.
    drawn = sorted([(one.order, 0) for one, _ in pairs] + [(one.order, 1) for _, one in pairs])
    changes = sum(1 for before, after in pairwise(drawn) if before[1] != after[1])
    if changes <= max(1, _ROW_BY_ROW * len(pairs)):
        return True
    shorter = min(median(one.chars for one in left), median(one.chars for one in right))
    return shorter >= _PROSE_CHARS and changes > len(pairs) and _even(left)


def _pairs(left: Sequence[Fragment], right: Sequence[Fragment]) -> list[tuple[Fragment, Fragment]]:
    """Fragments of one side with those of the other side on the same baseline."""
    others = sorted(right, key=lambda one: one.baseline)
    pairs: list[tuple[Fragment, Fragment]] = []
    place = 0
    for one in sorted(left, key=lambda one: one.baseline):
        near = 0.25 * one.size
        while place < len(others) and others[place].baseline < one.baseline - near:
            place += 1
        if place < len(others) and others[place].baseline <= one.baseline + near:
            pairs.append((one, others[place]))
            place += 1
    return pairs


def _even(side: Sequence[Fragment]) -> bool:
    """Whether most lines of a side end at one edge, as those of justified prose."""
    edge = sorted(one.right for one in side)[-max(1, len(side) // 4)]
    return sum(1 for one in side if abs(one.right - edge) < one.size) > 0.6 * len(side)


# ------------------------------------------------------------------------------------------------ tables
def _rows(part: Sequence[Fragment], *, right_to_left: bool) -> list[Region]:
    """Rows of a table with what stands above and below it, or lines with their labels."""
    lines = lines_of(part)
    cuts = _cell_gutters(part, lines)
    columns = [[one for one in part if _column(one, cuts) == number] for number in range(len(cuts) + 1)]
    labels = [median(one.chars for one in side) <= _LABEL_CHARS for side in columns if side]
    if not cuts or len(lines) < _LEAST_TABLE or (len(cuts) == 1 and any(labels)):
        return [Region(tuple(lines))]
    first, last = _dense(lines)
    while first < last and _is_title(lines[first], cuts):
        first += 1
    while first < last and _is_title(lines[last - 1], cuts):
        last -= 1
    inside = [one for line in lines[first:last] for one in line.fragments]
    if not inside:
        return [Region(tuple(lines))]
    rows = tuple(_drawn_rows(inside, lines[first:last], cuts, right_to_left=right_to_left))
    regions = [Region(tuple(lines[:first])), Region(rows=rows), Region(tuple(lines[last:]))]
    return [region for region in regions if region.lines or region.rows]


def _dense(lines: Sequence[Line]) -> tuple[int, int]:
    """The run of lines without what is set apart from them at the top and bottom by more white than is between rows."""
    white = [below.top - above.bottom for above, below in pairwise(lines)]
    first, last = 0, len(lines)
    if len(lines) < 4:
        return first, last
    usual = median(white)
    apart = [place for place, one in enumerate(white) if one > 1.8 * usual and one > 0.9 * lines[place].size]
    for place in apart:
        if place < len(lines) // 3:
            first = place + 1
        elif place >= len(lines) - 1 - len(lines) // 3:
            last = min(last, place + 1)
    return first, last


def _is_title(line: Line, cuts: Sequence[float]) -> bool:
    """Whether a line above or below a table is none of its rows: one piece that reaches over a gap between cells."""
    if len(line.fragments) != 1:
        return False
    one = line.fragments[0]
    return any(one.left + one.size < cut < one.right - one.size for cut in cuts)


def _cell_gutters(part: Sequence[Fragment], lines: Sequence[Line]) -> list[float]:
    """Middles of the white strips that part at least half of the rows and that no more than a tenth crosses."""
    gaps = _gaps(part)
    cuts: list[float] = []
    while gaps:
        edges = sorted([(left, 1) for left, _ in gaps] + [(right, -1) for _, right in gaps])
        deep, best = 0, (0, 0.0, 0.0)
        for place, (x, step) in enumerate(edges[:-1]):
            deep += step
            right = edges[place + 1][0]
            if right > x and (deep, right - x) > best[:2]:
                best = (deep, right - x, (x + right) / 2)
        if best[0] < max(_LEAST_ROWS, 0.3 * len(lines)):
            break
        cuts.append(best[2])
        gaps = [gap for gap in gaps if not gap[0] <= best[2] <= gap[1]]
    return sorted(cuts)


def _column(one: Fragment, cuts: Sequence[float]) -> int:
    middle = (one.left + one.right) / 2
    return sum(1 for cut in cuts if middle > cut)


def _drawn_rows(
    part: Sequence[Fragment], lines: Sequence[Line], cuts: Sequence[float], *, right_to_left: bool
) -> list[Row]:
    """Rows as the page draws them, cell by cell, where it does so from the top; else one row for each line."""
    rows: list[list[list[Fragment]]] = []
    last: tuple[int, Fragment] | None = None
    for one in sorted(part, key=lambda one: one.order):
        column = _column(one, cuts)
        reached = -column if right_to_left else column
        before = None if last is None else (-last[0] if right_to_left else last[0])
        below = last is not None and one.top > last[1].bottom - 0.3 * one.size
        if before is None or reached < before:
            rows.append([[] for _ in range(len(cuts) + 1)])
        elif reached == before and below and last is not None:
            alone = not any(cell for other, cell in enumerate(rows[-1]) if other != column)
            if alone or one.top - last[1].bottom > _ROW_GAP * one.size:
                rows.append([[] for _ in range(len(cuts) + 1)])
        rows[-1][column].append(one)
        last = (column, one)
    if not _from_the_top(rows):
        rows = []
        for line in lines:
            rows.append([[] for _ in range(len(cuts) + 1)])
            for one in line.fragments:
                rows[-1][_column(one, cuts)].append(one)
    ordered = [row[::-1] if right_to_left else row for row in rows]
    return [Row(tuple(tuple(lines_of(cell)) for cell in row)) for row in ordered]


def _from_the_top(rows: Sequence[Sequence[Sequence[Fragment]]]) -> bool:
    bottom = float("-inf")
    for row in rows:
        fragments = [one for cell in row for one in cell]
        if min(one.top for one in fragments) < bottom - 0.5 * fragments[0].size:
            return False
        bottom = max(one.bottom for one in fragments)
    return True
