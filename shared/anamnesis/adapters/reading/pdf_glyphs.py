"""The letters of a PDF page with their places, as pdfium sees them."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anamnesis.adapters.reading.pdf_advances import Advances
from anamnesis.adapters.reading.pdf_pieces import Piece, pieces_of
from anamnesis.domain.reading.legibility import is_legible
from anamnesis.domain.reading.printed.direction import holds_right_to_left
from anamnesis.domain.reading.printed.glyphs import NAMELESS, Glyph, is_mark
from anamnesis.domain.reading.printed.tex_codes import spelt

#: pdfium marks a hyphen that it takes for the end of a line so.
_LINE_END_HYPHENS = frozenset({0x02, 0xFFFE})
_SPACE = 0x20
#: Dots of Indic letters, which no letter begins with.
_NUKTAS = frozenset("\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc")
#: Fewest letters of a font on a page that tell whether they spell anything.
_FEWEST_JUDGED = 20
#: Signs that texts hold few kinds of, and the share and number of kinds of them that codes show.
_RARE_SIGNS = frozenset('!"#$%&*+<=>?@\\^_`{|}~')
_RARE_SHARE, _RARE_KINDS = 0.25, 6
_SURROGATES = range(0xD800, 0xE000)


def page_glyphs(page: Any, text_page: Any) -> list[Glyph]:
    """Letters of a page that is open in pdfium, in the order in which they are drawn.

    Text outside the page is left out, and invisible text that lies under visible text. Text in the colour of the paper
    is kept: white letters on a dark slide look the same from here. A letter without a name is left out where its font
    names most (its place stays taken): so do makers mark all but the first glyph of a cluster. Where a font names
    few, its codes may be letters (TeX's are read as such) or not; whether they spell anything is for others to tell.
    What the file says that the text of some glyphs is (``ActualText``) stands for these.

    Parameters
    ----------
    page, text_page
        ``pypdfium2.PdfPage`` and its ``PdfTextPage``.
    """
    advances = Advances()
    drawn = pieces_of(page)
    found = _characters(text_page, drawn, advances)
    named = Counter(one.piece.font for one in found if one.named and one.glyph.text > " ")
    nameless = Counter(one.piece.font for one in found if not one.named)
    naming = {font for font, count in named.items() if count > nameless[font]}
    for one in found:
        if not one.named and one.piece.font in naming:
            one.glyph.text = NAMELESS
    _decode([one for one in found if not one.named and one.piece.font not in naming])
    found = _as_told(_spelling(found), drawn)
    left, bottom, right, top = page.get_bbox()
    inside = [
        one
        for one in found
        if left <= (one.glyph.left + one.glyph.right) / 2 <= right
        and bottom <= (one.glyph.bottom + one.glyph.top) / 2 <= top
    ]
    visible = [one.glyph for one in inside if not one.piece.invisible]
    glyphs = visible + _uncovered([one.glyph for one in inside if one.piece.invisible], visible)
    glyphs += [_lone_space(piece) for piece in drawn.values() if piece.is_space and not piece.placed]
    glyphs.sort(key=lambda one: (one.piece, one.order))
    for place, glyph in enumerate(glyphs):
        glyph.order = place
    return glyphs


@dataclass(slots=True)
class _Character:
    glyph: Glyph
    piece: Piece
    named: bool


def _characters(text_page: Any, drawn: dict[int, Piece], advances: Advances) -> list[_Character]:
    """What pdfium lists, without the spaces and line ends that it adds: places tell where these are."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - only in the child process, after its limits are set

    raw = text_page.raw
    box, tight = pdfium.FS_RECTF(), [ctypes.c_double() for _ in range(4)]
    x, y = ctypes.c_double(), ctypes.c_double()
    found: list[_Character] = []
    before: tuple[int, float, float, float] = (0, 0.0, 0.0, 0.0)
    spaced = False
    for index in range(text_page.count_chars()):
        target = pdfium.FPDFText_GetTextObject(raw, index)
        code = pdfium.FPDFText_GetUnicode(raw, index)
        if not target or not code:
            spaced = spaced or code == _SPACE
            continue
        address = ctypes.addressof(target.contents)
        piece = drawn.get(address)
        if piece is None:
            piece = drawn[address] = Piece(number=len(drawn), font=0, invisible=False)
        if not piece.placed:
            _place(pdfium, raw, index, piece)
        if code == _SPACE and pdfium.FPDFText_IsGenerated(raw, index) == 1:
            spaced = True
            continue
        named = pdfium.FPDFText_HasUnicodeMapError(raw, index) != 1
        char = "-" if code in _LINE_END_HYPHENS else chr(code)
        pdfium.FPDFText_GetLooseCharBox(raw, index, box)
        pdfium.FPDFText_GetCharOrigin(raw, index, x, y)
        place = (address, x.value, y.value, box.right)
        if found and named and char != " " and (place == before or _goes_on(found[-1].glyph.text, code)):
            # Characters of one glyph; pdfium turns those of scripts from right to left round with their line.
            glyph = found[-1].glyph
            turned = holds_right_to_left(char) or glyph.text in _NUKTAS
            glyph.text = char + glyph.text if turned else glyph.text + char
            glyph.mark = is_mark(glyph.text)
            continue
        before = place
        edges = (box.left, box.bottom, box.right, box.top)
        if is_mark(char) and pdfium.FPDFText_GetCharBox(raw, index, *tight):
            edges = (tight[0].value, tight[2].value, tight[1].value, tight[3].value)
        size = piece.size or max(box.top - box.bottom, 0.1)
        glyph = Glyph(
            char, (x.value, y.value), edges, size=size, angle=piece.angle, piece=piece.number, order=index
        )
        glyph.spaced, spaced = spaced, code == _SPACE
        found.append(_Character(glyph, piece, named))
        advances.note(target, code, glyph, piece)
    advances.settle()
    for one in found:
        if ord(one.glyph.text[0]) in _SURROGATES:
            one.glyph.text = one.glyph.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            one.glyph.mark = is_mark(one.glyph.text)
    return found


def _decode(nameless: Sequence[_Character]) -> None:
    """Give the letters of fonts without names the letters that TeX has at their codes."""
    fonts: dict[int, list[_Character]] = {}
    for one in nameless:
        if len(one.glyph.text) == 1:
            fonts.setdefault(one.piece.font, []).append(one)
    spelling = spelt([[one.glyph.text for one in members] for members in fonts.values()])
    for members, texts in zip(fonts.values(), spelling, strict=True):
        for one, text in zip(members, texts, strict=True):
            one.glyph.text = text
            one.glyph.mark = is_mark(text)


def _spelling(found: list[_Character]) -> list[_Character]:
    """Leave out the letters of fonts that spell nothing on a page that others write: labels of a picture.

    A page that such a font writes most of is left as it is, so that it can be told from a picture.
    """
    written: dict[int, list[str]] = {}
    for one in found:
        if one.glyph.text != NAMELESS:
            written.setdefault(one.piece.font, []).append(one.glyph.text)
    texts = {font: "".join("".join(parts).split()) for font, parts in written.items()}
    garbled = {font for font, text in texts.items() if _spells_nothing(text)}
    if not garbled or 2 * sum(len(texts[font]) for font in garbled) > sum(map(len, texts.values())):
        return found
    return [one for one in found if one.piece.font not in garbled]


def _spells_nothing(text: str) -> bool:
    """Whether a font's letters on a page are codes in the place of letters.

    A font that writes the figures and signs of formulae, or the punctuation beside another script, has few letters too;
    codes are many different signs.
    """
    signs = [char for char in text if char in _RARE_SIGNS]
    many = len(signs) >= _RARE_SHARE * len(text) and len(set(signs)) >= _RARE_KINDS
    return len(text) >= _FEWEST_JUDGED and many and text.isascii() and not is_legible(text)


def _goes_on(before: str, code: int) -> bool:
    """Whether a code is the second half of a character of which the first came before."""
    return 0xDC00 <= code < 0xE000 and 0xD800 <= ord(before[-1]) < 0xDC00


def _place(pdfium: Any, raw: Any, index: int, piece: Piece) -> None:
    matrix = pdfium.FS_MATRIX()
    piece.placed = True
    if pdfium.FPDFText_GetMatrix(raw, index, matrix):
        piece.angle = math.degrees(math.atan2(matrix.b, matrix.a))
        size = abs(pdfium.FPDFText_GetFontSize(raw, index))
        piece.size, piece.stretch = (
            size * math.hypot(matrix.c, matrix.d),
            size * math.hypot(matrix.a, matrix.b),
        )


def _as_told(found: list[_Character], drawn: dict[int, Piece]) -> list[_Character]:
    """Put the text that the file tells in the place of the glyphs that it tells it of."""
    spans: dict[int, list[_Character]] = {}
    for one in found:
        if one.piece.span:
            spans.setdefault(one.piece.span, []).append(one)
    if not spans:
        return found
    pieces: dict[int, list[Piece]] = {}
    for piece in drawn.values():
        if piece.span and piece.box:
            pieces.setdefault(piece.span, []).append(piece)
    told: list[_Character] = []
    for one in found:
        members = spans.get(one.piece.span)
        if members is None:
            told.append(one)
        elif members[0] is one and one.piece.told:
            told.append(_span(members, pieces.get(one.piece.span, ())))
    return told


def _span(members: list[_Character], pieces: Sequence[Piece]) -> _Character:
    """One glyph for a span: as wide as those of its glyphs that stand on its first line.

    Where each glyph is a piece of its own, the engine lists the first only; the others have their boxes from what is
    drawn.
    """
    first = max(members, key=lambda one: one.glyph.right - one.glyph.left)
    lowest = min((one.glyph for one in members), key=lambda glyph: glyph.y)
    glyph = first.glyph
    beside = [one.glyph for one in members if abs(one.glyph.y - glyph.y) < glyph.size]
    edges = (
        min(one.left for one in beside),
        min(one.bottom for one in beside),
        max(one.right for one in beside),
        max(one.top for one in beside),
    )
    for left, bottom, right, top in (piece.box for piece in pieces if piece.box):
        if bottom < glyph.y + glyph.size and top > glyph.y - glyph.size / 2:
            edges = min(edges[0], left), min(edges[1], bottom), max(edges[2], right), max(edges[3], top)
    baseline = lowest.y if abs(lowest.y - glyph.y) < glyph.size / 2 else glyph.y
    whole = Glyph(
        first.piece.told,
        (edges[0], baseline),
        edges,
        size=glyph.size,
        angle=glyph.angle,
        piece=min(one.glyph.piece for one in members),
        order=min(one.glyph.order for one in members),
    )
    whole.inked, whole.spaced = True, members[0].glyph.spaced
    return _Character(whole, first.piece, named=True)


def _lone_space(piece: Piece) -> Glyph:
    x, y = piece.origin
    return Glyph(" ", (x, y), (x, y, x, y), size=1.0, angle=piece.angle, piece=piece.number)


def _uncovered(invisible: list[Glyph], visible: list[Glyph]) -> list[Glyph]:
    """Invisible letters that stand where no visible ones do."""
    if not visible or not invisible:
        return invisible
    cells = {
        (int(x // glyph.size), int((glyph.bottom + glyph.top) / 2 // glyph.size))
        for glyph in visible
        for x in (glyph.left, glyph.right)
    }
    return [
        glyph
        for glyph in invisible
        if (
            int((glyph.left + glyph.right) / 2 // glyph.size),
            int((glyph.bottom + glyph.top) / 2 // glyph.size),
        )
        not in cells
    ]
