"""The order in which boxes on a slide are read: columns where the slide has columns, else rows, left to right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

#: Boxes may overlap by this share of the smaller one and still count as apart: frames are larger than their text.
_OVERLAP = 0.15
#: Nesting of cuts; a slide has rarely more than four.
_DEEPEST = 12
#: Beyond this many boxes, order by place alone: cutting compares rows with rows.
_MANY = 80
#: From so many full rows on, boxes in columns are a table of boxes (term and meaning side by side).
_GRID_ROWS = 3


@dataclass(frozen=True, slots=True)
class Box:
    """Where something stands; any unit, x to the right and y downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.y + self.height


_T = TypeVar("_T")


def in_reading_order(
    placed: Sequence[tuple[Box, _T]], *, right_to_left: bool = False, depth: int = 0
) -> list[_T]:
    """Things in the order they are read.

    The page is cut recursively along gaps (XY-cut, Nagy and Seth 1984): first into columns, if each holds several
    boxes, then into rows, of which those between boxes that go across stay together if they are columns, then into
    columns of single boxes. What no gap cuts is ordered by its upper left corner.

    Parameters
    ----------
    placed
        Boxes and what stands in them.
    right_to_left
        Whether columns are read from the right.
    """
    if len(placed) < 2 or depth > _DEEPEST or len(placed) > _MANY:
        return [thing for _, thing in sorted(placed, key=lambda p: (p[0].y, p[0].x))]
    rows = _cut(placed, lambda box: (box.y, box.bottom))
    columns = _columns(placed, rows)
    parts = columns or _bands(rows)
    if len(parts) == 1:
        parts = columns = _cut(placed, lambda box: (box.x, box.right))
    if len(parts) == 1:
        return [thing for _, thing in sorted(placed, key=lambda p: (p[0].y, p[0].x))]
    if columns and right_to_left:
        parts = parts[::-1]
    return [
        thing
        for part in parts
        for thing in in_reading_order(part, right_to_left=right_to_left, depth=depth + 1)
    ]


def _columns(
    placed: Sequence[tuple[Box, _T]], rows: Sequence[Sequence[tuple[Box, _T]]]
) -> list[list[tuple[Box, _T]]]:
    """Columns of several boxes each; none where there are none, or the boxes are a grid that is read by rows."""
    columns = _cut(placed, lambda box: (box.x, box.right))
    several = len(columns) > 1 and all(len(column) > 1 for column in columns)
    return columns if several and not _is_grid(rows) else []


def _is_grid(rows: Sequence[Sequence[tuple[Box, _T]]]) -> bool:
    width = len(rows[0])
    return len(rows) >= _GRID_ROWS and width > 1 and all(len(row) == width for row in rows)


def _bands(rows: Sequence[list[tuple[Box, _T]]]) -> list[list[tuple[Box, _T]]]:
    """Rows, those put together that are columns between boxes that go across."""
    bands: list[list[tuple[Box, _T]]] = []
    first = 0
    while first < len(rows):
        last = first + 1
        for end in range(len(rows), first + 1, -1):
            run = rows[first:end]
            together = [one for row in run for one in row]
            if _is_grid(run):
                bands += run[:-1]
                first, last = end - 1, end
                break
            if len(run) < len(rows) and _columns(together, run):
                last = end
                break
        bands.append([one for row in rows[first:last] for one in row])
        first = last
    return bands


def _cut(
    placed: Sequence[tuple[Box, _T]], side: Callable[[Box], tuple[float, float]]
) -> list[list[tuple[Box, _T]]]:
    """Groups along one axis with a gap, or a slight overlap, between each two."""
    ordered = sorted(placed, key=lambda p: side(p[0]))
    groups = [[ordered[0]]]
    end = side(ordered[0][0])[1]
    for one in ordered[1:]:
        start, stop = side(one[0])
        smaller = min([stop - start, *(side(box)[1] - side(box)[0] for box, _ in groups[-1])])
        if end - start <= _OVERLAP * smaller:
            groups.append([one])
        else:
            groups[-1].append(one)
        end = max(end, stop)
    return groups
