"""Tables of values (CSV, tab-separated): lists of words are course material, measurements are not."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from itertools import islice

import regex

from anamnesis.domain.reading import markup
from anamnesis.domain.reading.pagination import marked_sections

#: What browsers and systems call such files.
_DECLARED = frozenset(
    {"text/csv", "application/csv", "text/x-csv", "text/comma-separated-values", "text/tab-separated-values",
     "application/vnd.ms-excel"}
)  # fmt: skip
_DELIMITERS = ("\t", ";", ",", "|")
#: Rows from which a shape is told, by what the file is called, by tabs, and by commas or semicolons alone. Ours.
_ROWS_DECLARED, _ROWS_TABBED, _ROWS_UNDECLARED = 2, 4, 8
#: Share of the rows that have as many cells as most.
_EVEN_SHARE = 0.9
_LOOKED_AT = 500
#: Columns of an undeclared table in commas, and the longest name of one.
_COLUMNS_UNDECLARED, _LONGEST_NAME = 3, 40
#: Share of the cells, names of columns apart, that are figures in a table of measurements. Ours.
_FIGURES_SHARE = 0.5
_FIGURE = regex.compile(r"^[\s\p{Sc}+\-−(]*\p{Nd}[\p{Nd}\s.,:/'%°eE+\-)TZ]*\p{L}{0,3}\p{Sc}?$")
#: What a deck of cards begins with when it is exported (Anki's file headers): how cells are parted, whether they hold
#: HTML, and columns of the program's own.
_DECK_LINE = regex.compile(r"^#([a-z ]{3,20}):(.*)$")
_DECK_PARTS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}
_DECK_COLUMNS = ("tags column", "deck column", "notetype column", "guid column")
_TAG = regex.compile(r"</?[A-Za-z][^<>]{0,300}>")
_BREAK = regex.compile(r"<(?:br|/div|/p|/li)\b[^<>]{0,100}>", regex.IGNORECASE)
_ROWS_OF_A_BLOCK = 30
#: Longest cell; Python's own bound is 131,072.
_LONGEST_CELL = 5_000_000


def delimiter_of(text: str, declared: str) -> str | None:
    """What parts the cells of a table of values, or None for a text that is none.

    Parameters
    ----------
    declared
        What the uploader calls the file. Without such a name, columns must be named, rows even and nothing spaced as in
        prose.
    """
    deck = _deck(text)
    if deck is not None:
        return deck.delimiter
    named = declared.partition(";")[0].strip().casefold() in _DECLARED
    lines = [line for line in islice(text[:2_000_000].split("\n"), _LOOKED_AT * 4) if line.strip()][
        :_LOOKED_AT
    ]
    for delimiter in _DELIMITERS:
        if not any(delimiter in line for line in lines[:_ROWS_UNDECLARED]):
            continue
        rows = _rows(lines, delimiter)
        if rows is None:
            continue
        if (named and _is_even(rows, _ROWS_DECLARED)) or (
            delimiter == "\t" and _is_even(rows, _ROWS_TABBED) and _fills(rows)
        ):
            return delimiter
        if delimiter in ",;" and _is_named(rows) and not any(f"{delimiter} " in line for line in lines):
            return delimiter
    return None


def table_pages(text: str, delimiter: str) -> list[str] | None:
    """Sections of a table: a list of terms where it is one, else its rows; None for a table of figures."""
    deck = _deck(text)
    rows = _rows((deck.body if deck else text).split("\n"), delimiter) or []
    if deck:
        rows = [deck.shown(row) for row in rows]
    cells = [cell for row in rows[1 : _LOOKED_AT + 1] for cell in row if cell.strip()]
    figures = sum(1 for cell in cells if _FIGURE.match(cell[:40]))
    if not cells or figures > _FIGURES_SHARE * len(cells):
        return None
    blocks: list[str] = []
    for part in _parts(rows, _ROWS_OF_A_BLOCK):
        blocks += markup.table([[[" ".join(cell.split())] for cell in row] for row in part])
    return marked_sections(blocks)


@dataclass(frozen=True, slots=True)
class _Deck:
    """Exported cards: what parts their cells, which columns the program keeps for itself, and the rows."""

    delimiter: str
    own: frozenset[int]
    body: str

    def shown(self, row: list[str]) -> list[str]:
        """Cells of a row as text, without those that say nothing of the card."""
        cells = [cell for place, cell in enumerate(row, start=1) if place not in self.own]
        return [unescape(_TAG.sub("", _BREAK.sub(" ", cell))).replace("\xa0", " ").strip() for cell in cells]


def _deck(text: str) -> _Deck | None:
    said: dict[str, str] = {}
    lines = text.lstrip("\ufeff").split("\n")
    start = 0
    for start, line in enumerate(lines):  # noqa: B007 - where the rows begin
        match = _DECK_LINE.match(line.strip())
        if match is None:
            break
        said[match[1]] = match[2].strip().casefold()
    if "separator" not in said and "html" not in said and "tags column" not in said:
        return None
    part = said.get("separator", "tab")
    own = frozenset(
        int(said[name])
        for name in _DECK_COLUMNS
        if said.get(name, "").isascii() and said.get(name, "").isdecimal()
    )
    return _Deck(_DECK_PARTS.get(part, part[:1] or "\t"), own, "\n".join(lines[start:]))


def _parts(rows: list[list[str]], size: int) -> Iterator[list[list[str]]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def _rows(lines: Iterable[str], delimiter: str) -> list[list[str]] | None:
    csv.field_size_limit(_LONGEST_CELL)
    try:
        read = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
        return [row for row in read if any(cell.strip() for cell in row)]
    except csv.Error:
        return None


def _is_even(rows: list[list[str]], least: int) -> bool:
    widths = [len(row) for row in rows]
    usual = max(set(widths), key=widths.count, default=0)
    return len(rows) >= least and usual > 1 and widths.count(usual) >= _EVEN_SHARE * len(rows)


def _fills(rows: list[list[str]]) -> bool:
    """Whether cells are filled: lines that are indented by tabs have empty ones in front."""
    return sum(1 for row in rows if row[0].strip()) >= _EVEN_SHARE * len(rows)


def _is_named(rows: list[list[str]]) -> bool:
    names = [cell.strip() for cell in rows[0]] if rows else []
    return (
        len(rows) >= _ROWS_UNDECLARED
        and len(names) >= _COLUMNS_UNDECLARED
        and all(0 < len(name) <= _LONGEST_NAME for name in names)
        and len(set(names)) == len(names)
        and all(len(row) == len(names) for row in rows)
    )
