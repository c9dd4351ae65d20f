"""The pieces of text that a PDF page draws, in the order in which it draws them."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

#: Render mode of text that is neither filled nor stroked: the layer that text recognition puts over a scan.
_INVISIBLE = 3
#: Objects of a page that are looked at; a drawing of more has no order to speak of.
_MOST_OBJECTS = 200_000
#: Longest text that a file may tell of a span; longer ones are alternatives for pictures.
_LONGEST_TOLD = 200


@dataclass(slots=True)
class Piece:
    """One piece of text: what one showing operator draws.

    Attributes
    ----------
    number
        Its place in the order in which the page draws.
    font
        Tells fonts apart.
    invisible
        Whether it is drawn without ink.
    span, told
        Which marked span it is part of (0: none), and what the file says that this span's text is (``ActualText``).
    placed
        Whether `size` and `angle` are known.
    stretch
        Its size along the line, where its letters are drawn wider or narrower than they are high.
    box
        Left, bottom, right and top of the ink of a piece of a span; empty where not known.
    is_space
        Whether it draws nothing, at `origin`.
    """

    number: int
    font: int
    invisible: bool
    span: int = 0
    told: str = ""
    placed: bool = False
    size: float = 0.0
    stretch: float = 0.0
    angle: float = 0.0
    box: tuple[float, ...] = ()
    is_space: bool = False
    origin: tuple[float, float] = (0.0, 0.0)


def pieces_of(page: Any) -> dict[int, Piece]:
    """Pieces of text of a page, by the address of pdfium's object, those in form XObjects included.

    Parameters
    ----------
    page
        A ``pypdfium2.PdfPage``.
    """
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - only in the child process, after its limits are set

    found: dict[int, Piece] = {}
    count = min(pdfium.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)
    waiting = [(pdfium.FPDFPage_GetObject(page.raw, place), False) for place in range(count)][::-1]
    seen = 0
    while waiting and seen < _MOST_OBJECTS:
        seen += 1
        one, inside = waiting.pop()
        kind = pdfium.FPDFPageObj_GetType(one)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            found[_address(one)] = _piece(pdfium, one, len(found), inside=inside)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            held = min(pdfium.FPDFFormObj_CountObjects(one), _MOST_OBJECTS)
            waiting += [(pdfium.FPDFFormObj_GetObject(one, place), True) for place in range(held)][::-1]
    return found


def _piece(pdfium: Any, one: Any, number: int, *, inside: bool) -> Piece:
    piece = Piece(
        number=number,
        font=_address(pdfium.FPDFTextObj_GetFont(one)),
        invisible=pdfium.FPDFTextObj_GetTextRenderMode(one) == _INVISIBLE,
    )
    for place in range(pdfium.FPDFPageObj_CountMarks(one)):
        mark = pdfium.FPDFPageObj_GetMark(one, place)
        told = _told(pdfium, mark)
        if told is not None:
            piece.span, piece.told = _address(mark), told
    # Places inside a form are those of the form, not of the page.
    if not inside:
        _find_place(pdfium, one, piece)
    return piece


def _find_place(pdfium: Any, one: Any, piece: Piece) -> None:
    edges = [ctypes.c_float() for _ in range(4)]
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetBounds(one, *edges) or not pdfium.FPDFPageObj_GetMatrix(one, matrix):
        return
    left, bottom, right, top = (edge.value for edge in edges)
    if piece.span:
        piece.box = (left, bottom, right, top)
    elif min(right - left, top - bottom) < 1e-3:
        piece.is_space = True
        piece.origin = (matrix.e, matrix.f)
        piece.angle = math.degrees(math.atan2(matrix.b, matrix.a))


def _told(pdfium: Any, mark: Any) -> str | None:
    length = ctypes.c_ulong()
    if not pdfium.FPDFPageObjMark_GetParamBlobValue(mark, b"ActualText", None, 0, length):
        return None
    if length.value > _LONGEST_TOLD * 4:
        return None
    # The bytes themselves: pdfium's own conversion loses UTF-16.
    buffer = (ctypes.c_ubyte * max(length.value, 1))()
    pdfium.FPDFPageObjMark_GetParamBlobValue(mark, b"ActualText", buffer, length.value, length)
    told = bytes(buffer)[: length.value]
    if told.startswith(b"\xfe\xff"):
        return told[2:].decode("utf-16-be", "ignore")
    if told.startswith(b"\xff\xfe"):
        return told[2:].decode("utf-16-le", "ignore")
    return told.removeprefix(b"\xef\xbb\xbf").decode(
        "utf-8" if told.startswith(b"\xef\xbb\xbf") else "latin-1", "ignore"
    )


def _address(pointer: Any) -> int:
    return ctypes.addressof(pointer.contents) if pointer else 0
