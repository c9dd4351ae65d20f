"""What a PDF page shows beside its text: how much of it pictures cover, and whether anything else is drawn."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from anamnesis.domain.reading.printed.glyphs import Glyph

#: Objects of a page that are looked at, and how deep forms within forms.
_MOST_OBJECTS, _DEEPEST = 20_000, 8
#: Cells on each side of the grid by which the covered share is counted; a scan may come in hundreds of strips.
_CELLS = 40
#: Parts of lines and curves from which a drawing may be writing: a frame and some rules have fewer, a written word has
#: more. Ours.
_WRITTEN_SEGMENTS = 150
#: Share of a page's height or width, on each side, in which marks stand: headers and footers do. Ours.
_EDGE = 0.1
#: Share of a page's shorter side that the letters of a mark are high at the most; titles are larger. Ours.
_MARK_SIZE = 0.035

Matrix = tuple[float, float, float, float, float, float]
_UNMOVED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def covered_and_drawn(page: Any) -> tuple[float, bool]:
    """Share of a page that pictures cover, and whether pictures or lines that may be writing stand on it.

    Parameters
    ----------
    page
        A ``pypdfium2.PdfPage``.
    """
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - only in the child process, after its limits are set

    sheet = page.get_bbox()
    cells: set[tuple[int, int]] = set()
    segments = pictures = seen = 0
    count = min(pdfium.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)
    waiting = [(pdfium.FPDFPage_GetObject(page.raw, place), _UNMOVED, 0) for place in range(count)]
    while waiting and seen < _MOST_OBJECTS:
        seen += 1
        one, matrix, depth = waiting.pop()
        kind = pdfium.FPDFPageObj_GetType(one)
        if kind in {pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING}:
            pictures += kind == pdfium.FPDF_PAGEOBJ_IMAGE
            cells |= _cells(_bounds(pdfium, one, matrix), sheet)
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            segments += max(pdfium.FPDFPath_CountSegments(one), 0)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            inner = _times(_matrix(pdfium, one), matrix)
            held = min(pdfium.FPDFFormObj_CountObjects(one), _MOST_OBJECTS)
            waiting += [(pdfium.FPDFFormObj_GetObject(one, place), inner, depth + 1) for place in range(held)]
    return len(cells) / _CELLS**2, pictures > 0 or segments >= _WRITTEN_SEGMENTS


def at_the_edges(glyphs: Sequence[Glyph], sheet: Sequence[float]) -> bool:
    """Whether all letters of a page are small ones in its margins.

    Parameters
    ----------
    glyphs
        Where the page draws them, not moved into frames yet.
    sheet
        Left, bottom, right and top of the page.
    """
    left, bottom, right, top = sheet
    wide, high = max(right - left, 1.0), max(top - bottom, 1.0)
    for glyph in glyphs:
        if not glyph.text.strip():
            continue
        if glyph.size > _MARK_SIZE * min(wide, high):
            return False
        across = ((glyph.left + glyph.right) / 2 - left) / wide
        up = ((glyph.bottom + glyph.top) / 2 - bottom) / high
        if _EDGE < across < 1 - _EDGE and _EDGE < up < 1 - _EDGE:
            return False
    return True


def _matrix(pdfium: Any, one: Any) -> Matrix:
    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(one, found):
        return _UNMOVED
    return (found.a, found.b, found.c, found.d, found.e, found.f)


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _bounds(pdfium: Any, one: Any, matrix: Matrix) -> tuple[float, float, float, float] | None:
    edges = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(one, *edges):
        return None
    left, bottom, right, top = (edge.value for edge in edges)
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (left, right) for y in (bottom, top)]
    across = [a * x + c * y + e for x, y in corners]
    up = [b * x + d * y + f for x, y in corners]
    return min(across), min(up), max(across), max(up)


def _cells(bounds: tuple[float, float, float, float] | None, sheet: Sequence[float]) -> set[tuple[int, int]]:
    """Cells of the page's grid whose middle lies within the bounds."""
    if bounds is None:
        return set()
    left, bottom, right, top = sheet
    wide, high = max(right - left, 1.0) / _CELLS, max(top - bottom, 1.0) / _CELLS
    columns = [n for n in range(_CELLS) if bounds[0] <= left + (n + 0.5) * wide <= bounds[2]]
    rows = [n for n in range(_CELLS) if bounds[1] <= bottom + (n + 0.5) * high <= bounds[3]]
    return {(column, row) for column in columns for row in rows}
