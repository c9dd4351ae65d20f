"""Marked-up text of documents as Markdown, which is how headings, lists and terms reach the concept reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

#: What would turn a paragraph's beginning into a heading, a fence, a quotation or a rule.
_LOOKS_MARKED = re.compile(r"^(#{1,6}(?=\s)|```|~~~|>(?=\s)|(?:=+|-{2,})(?=\s*$))")
_SPACES = re.compile(r"[^\S\n]+")
#: Longest term that is set off, in characters and words, and the share of its paragraph that it may have.
_MAX_TERM_CHARS, _MAX_TERM_WORDS, _MAX_BOLD_SHARE = 60, 5, 0.4
#: A cell of more characters, or lines, is prose: its table lays a page out.
_MAX_CELL_CHARS, _MAX_CELL_LINES = 400, 6
#: A table of two columns is a list of terms where this share of its rows has a short first and a telling second cell.
_GLOSSARY_SHARE, _GLOSSARY_ROWS = 0.7, 2
_MEANING_WORDS = 5
_SENTENCE = re.compile(r"[.。।؟!?]\s*$")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a paragraph's text."""

    text: str
    bold: bool = False


def heading(level: int, text: str) -> str:
    """Return a heading line; levels below 6 are written as 6.

    Parameters
    ----------
    level
        1 is the highest.
    """
    line = " ".join(text.split())
    return f"{'#' * min(max(level, 1), 6)} {line}" if line else ""


def paragraph(text: str) -> str:
    """Return a paragraph, its line breaks kept, that no sign at a line's beginning turns into something else."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(_LOOKS_MARKED.sub(r"\\\1", line) for line in lines if line)


def item(text: str, *, marker: str = "-", level: int = 0) -> str:
    """Return a list item.

    Parameters
    ----------
    marker
        "-", or the number as it is shown.
    level
        0 for the outermost list.
    """
    line = " ".join(text.split())
    return f"{'  ' * level}{marker} {line}" if line else ""


def entry(term: str, meaning: str) -> str:
    """Return a term and what it means, as the concept reader expects them in a glossary."""
    name = " ".join(term.replace("*", "").split()).rstrip(" :：")
    text = " ".join(meaning.split())
    return f"**{name}**: {text}" if name and text else name or text


def emphasised(spans: Sequence[Span]) -> str:
    """Text of a paragraph in which short bold terms are set off, each once.

    A paragraph that is bold as a whole, or for the most part, marks no terms.
    """
    merged: list[Span] = []
    for span in spans:
        bold = span.bold if span.text.strip() else bool(merged and merged[-1].bold)
        if merged and merged[-1].bold == bold:
            merged[-1] = Span(merged[-1].text + span.text, bold)
        else:
            merged.append(Span(span.text, bold))
    whole = "".join(span.text for span in merged)
    if sum(len(span.text.strip()) for span in merged if span.bold) > _MAX_BOLD_SHARE * len(whole.strip()):
        return whole
    seen: set[str] = set()
    return "".join(
        _set_off(merged, index) if span.bold and _is_term(span.text, seen) else span.text
        for index, span in enumerate(merged)
    )


def _is_term(text: str, seen: set[str]) -> bool:
    term = text.strip().strip(".,;:!?").casefold()
    fits = 1 < len(term) <= _MAX_TERM_CHARS and len(term.split()) <= _MAX_TERM_WORDS and term[0].isalpha()
    if not fits or term in seen or "*" in term or "\n" in term:
        return False
    seen.add(term)
    return True


def _set_off(spans: Sequence[Span], index: int) -> str:
    text = spans[index].text
    term = text.strip()
    before = spans[index - 1].text[-1:] if index else ""
    after = spans[index + 1].text[:1] if index + 1 < len(spans) else ""
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    # A part of a word in bold is no term.
    if (before.isalnum() and not lead) or (after.isalnum() and not tail):
        return text
    signs = len(term) - len(term.rstrip(".,;:!?"))
    name, rest = (term[:-signs], term[-signs:]) if signs else (term, "")
    return f"{lead}**{name}**{rest}{tail}"


def table(rows: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """Blocks of a table: a list of terms, rows, or, where cells hold prose, its cells one after the other.

    Parameters
    ----------
    rows
        Rows of cells, each a list of the blocks of text in it. A cell that spans others stands once, the places that it
        covers are empty.
    """
    filled = [row for row in rows if any(any(cell) for cell in row)]
    if not filled:
        return []
    flat = [[_one_line(cell) for cell in row] for row in filled]
    cells = [cell for row in filled for cell in row]
    if max(map(len, flat)) == 2 and _is_glossary(flat) and not any(map(_is_marked_up, cells)):
        # The first row may name the columns; below it, a short meaning is one too.
        return [
            entry(row[0], row[1])
            if len(row) == 2 and (_tells(row) or (number and _names(row)))
            else _row(row)
            for number, row in enumerate(flat)
        ]
    columns = max(sum(1 for cell in row if any(cell)) for row in filled)
    if columns == 1 or any(_is_prose(cell) or _is_marked_up(cell) for cell in cells):
        return [block for cell in cells for block in cell if block]
    return ["\n".join(map(_row, flat))]


def _is_prose(cell: Sequence[str]) -> bool:
    text = "\n".join(cell)
    return len(text) > _MAX_CELL_CHARS or text.count("\n") >= _MAX_CELL_LINES


def _is_marked_up(cell: Sequence[str]) -> bool:
    return any(block.startswith(("#", "|", "```")) for block in cell)


def _one_line(cell: Sequence[str]) -> str:
    """Lines of a cell on one, set apart by a semicolon where none ends with a sign."""
    written = ""
    for line in (line for block in cell for line in block.split("\n")):
        text = " ".join(line.split()).removeprefix("- ")
        gap = " " if written.endswith((".", ":", ";", ",", "!", "?", "।", "。", "؟", "،")) else "; "
        written += f"{gap if written and text else ''}{text}"
    return written


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(0x2223)) for cell in cells)} |"


def _tells(row: Sequence[str]) -> bool:
    meaning = row[1]
    words = len(meaning.split())
    telling = words >= _MEANING_WORDS or (bool(_SENTENCE.search(meaning)) and len(meaning) > len(row[0]))
    return telling and _names(row)


def _names(row: Sequence[str]) -> bool:
    term = row[0]
    named = 0 < len(term) <= _MAX_TERM_CHARS and len(term.split()) <= _MAX_TERM_WORDS
    return named and bool(row[1]) and any(c.isalpha() for c in term)


def _is_glossary(rows: Sequence[Sequence[str]]) -> bool:
    # The first row may name the columns.
    telling = [len(row) == 2 and _tells(row) for row in rows]
    entries = len(rows) - (not telling[0])
    return sum(telling) >= max(_GLOSSARY_ROWS, _GLOSSARY_SHARE * entries)
