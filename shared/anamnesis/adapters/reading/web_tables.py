"""Rows of a web page's table, each cell at its place, those that span others once."""

from __future__ import annotations

from collections.abc import Iterator

from anamnesis.adapters.reading.html_tree import Node

#: Columns and rows that a cell may cover (HTML Living Standard, 4.9.11).
_MOST_COLUMNS, _MOST_ROWS = 1_000, 65_534


def rows_of(table: Node) -> list[list[Node | None]]:
    """Rows of a table's own cells; None where a cell from above or from the left covers the place."""
    rows: list[list[Node | None]] = []
    covered: dict[int, int] = {}
    for row in _rows(table):
        cells: list[Node | None] = []
        mine = [child for child in row.children if isinstance(child, Node) and child.tag in {"td", "th"}]
        following: dict[int, int] = {column: left - 1 for column, left in covered.items() if left > 1}
        waiting = iter(mine)
        cell = next(waiting, None)
        while (cell is not None or len(cells) in covered) and len(cells) < _MOST_COLUMNS:
            if len(cells) in covered:
                cells.append(None)
                continue
            if cell is None:
                break
            columns, deep = _span(cell, "colspan", _MOST_COLUMNS), _span(cell, "rowspan", _MOST_ROWS)
            for column in range(len(cells), len(cells) + columns):
                if deep > 1:
                    following[column] = deep - 1
            cells += [cell, *[None] * (columns - 1 if len(mine) > 1 else 0)]
            cell = next(waiting, None)
        rows.append(cells)
        covered = following
    return rows


def _rows(table: Node) -> Iterator[Node]:
    for child in table.children:
        if isinstance(child, Node) and child.tag == "tr":
            yield child
        elif isinstance(child, Node) and child.tag in {"thead", "tbody", "tfoot"}:
            yield from (row for row in child.children if isinstance(row, Node) and row.tag == "tr")


def _span(cell: Node, name: str, most: int) -> int:
    told = cell.attribute(name)
    return min(int(told), most) if told.isdecimal() and len(told) < 7 and int(told) > 0 else 1
