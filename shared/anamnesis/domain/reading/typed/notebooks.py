"""Jupyter notebooks: what is written between the code, and the code as code; results are left out."""

from __future__ import annotations

from typing import Any

import regex

from anamnesis.domain.reading.pagination import markdown_sections

_HEADING = regex.compile(r"^ {0,3}#{1,6} +\S", regex.M)
#: Pictures that a cell carries, and HTML comments.
_PICTURE = regex.compile(r"!\[[^\[\]\n]{0,500}\]\([^()\n]{0,2000}\)")


def is_notebook(value: Any) -> bool:
    """Whether a JSON value is a notebook (nbformat 3 and 4)."""
    return isinstance(value, dict) and "nbformat" in value and isinstance(_cells(value), list)


def notebook_pages(value: dict[str, Any]) -> list[str]:
    """Sections of a notebook as Markdown.

    Code is set in fences where headings part the notebook; a notebook without any is read for its words alone.
    """
    cells = [cell for cell in _cells(value) if isinstance(cell, dict)]
    written = [(cell.get("cell_type"), _source(cell)) for cell in cells]
    prose = [source for kind, source in written if kind in {"markdown", "heading"}]
    if not any(_HEADING.search(source) for source in prose):
        return markdown_sections("\n\n".join(prose))
    blocks = []
    for kind, source in written:
        if kind == "code" and source:
            fence = "~~~~" if "```" in source else "```"
            blocks.append(f"{fence}\n{source}\n{fence}")
        elif kind in {"markdown", "heading"}:
            blocks.append(source)
    return markdown_sections("\n\n".join(block for block in blocks if block))


def _cells(value: dict[str, Any]) -> Any:
    if "cells" in value:
        return value["cells"]
    sheets = value.get("worksheets")
    first = sheets[0] if isinstance(sheets, list) and sheets else {}
    return first.get("cells") if isinstance(first, dict) else None


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    if cell.get("cell_type") == "heading":
        level = cell.get("level", 1)
        return f"{'#' * (level if isinstance(level, int) and 0 < level < 7 else 1)} {' '.join(text.split())}"
    if cell.get("cell_type") == "markdown":
        text = _PICTURE.sub("", text)
    return text.strip()
