"""How far letters reach along their line by their font's advance, where their ink reaches further.

pdfium's boxes hold the ink. A slanted f reaches well over what comes after it, the space between two words included:
fonts that draw no spaces (TeX's) lose them so.
"""

from __future__ import annotations

import ctypes
from typing import Any

from anamnesis.adapters.reading.pdf_pieces import Piece
from anamnesis.domain.reading.printed.glyphs import Glyph

#: Most, in sizes, that a letter reaches over its advance; what reaches further is another letter than its name says.
_MOST_OVERHANG = 0.3
#: The same of a capital, of which so much is taken back: the formulae of TeX part capitals by their overhang (0.22).
_OF_CAPITALS = 0.1
#: Beyond these begin the scripts whose letters have more than one shape, so that a name does not tell an advance.
_LAST_OF_ONE_SHAPE = "\u058f"
#: Letters whose baselines and sizes differ by less than this share of a size stand beside each other.
_BESIDE = 0.05
#: Angles in degrees within which text goes along the page: right ends are ends.
_ALONG = 1.0


class Advances:
    """Advances of the letters of one page, each asked for once for each letter of a font."""

    __slots__ = ("_before", "_noted", "_pdfium", "_widths")

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium  # noqa: PLC0415 - only in the child process, after its limits are set

        self._pdfium = pdfium
        self._widths: dict[tuple[int, int], float] = {}
        self._before: tuple[Glyph, float] | None = None
        self._noted: list[tuple[Glyph, float]] = []

    def note(self, target: Any, code: int, glyph: Glyph, piece: Piece) -> None:
        """Remember a letter whose ink may reach over its advance.

        Parameters
        ----------
        target
            pdfium's text object.
        code
            The letter's character.
        """
        before, self._before = self._before, None
        if before is not None and _beside(before[0], glyph):
            self._noted.append(before)
        if piece.span or not piece.stretch or abs(piece.angle) > _ALONG:
            return
        char = chr(code)
        if char > _LAST_OF_ONE_SHAPE or not char.isalpha():
            return
        key = (piece.font, code)
        width = self._widths.get(key)
        if width is None:
            width = self._widths[key] = self._asked(target, code)
        end = glyph.x + width * piece.stretch
        if width and 0 < glyph.right - end < _MOST_OVERHANG * piece.stretch:
            if char.isupper():
                end = max(end, glyph.right - _OF_CAPITALS * piece.stretch)
            self._before = (glyph, end)

    def settle(self) -> None:
        """End the letters that were noted where their advance ends; ligatures have another one than their first.

        What a letter is raised, lowered or smaller than stays clear of its ink: exponents, primes.
        """
        for glyph, end in self._noted:
            if len(glyph.text) == 1:
                glyph.right = end
        self._noted = []

    def _asked(self, target: Any, code: int) -> float:
        width = ctypes.c_float()
        font = self._pdfium.FPDFTextObj_GetFont(target)
        found = self._pdfium.FPDFFont_GetGlyphWidth(font, code, 1000.0, width)
        return width.value / 1000 if found else 0.0


def _beside(glyph: Glyph, after: Glyph) -> bool:
    reach = _BESIDE * glyph.size
    return abs(glyph.y - after.y) < reach and abs(glyph.size - after.size) < reach
