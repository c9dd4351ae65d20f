"""Text of one Word paragraph: runs, fields, formulas, notes, breaks and boxes; deletions and hidden text left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from anamnesis.adapters.reading.office_math import formula
from anamnesis.adapters.reading.symbol_font import from_symbol_font
from anamnesis.adapters.reading.word_styles import Style, Styles, is_on
from anamnesis.domain.reading.markup import Span

#: Never shown, or not course content: deletions, field codes, comments' anchors, properties.
_SKIPPED = frozenset(
    {"w.del", "w.moveFrom", "w.instrText", "w.delText", "w.delInstrText", "w.rPr", "w.pPr", "w.sdtPr", "w.sdtEndPr",
     "w.smartTagPr", "w.customXmlPr", "w.annotationRef", "w.object", "w.bookmarkStart", "w.bookmarkEnd"}
)  # fmt: skip
_TELLING = ("w.t", "m.t", "a.t", "w.txbxContent", "c.chart", "cx.chart", "dgm.relIds")
_SYMBOL_FONTS = frozenset({"symbol", "symbolps"})
_SUPERSCRIPT = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")


@dataclass
class Fields:
    """Complex fields that are open, innermost last; True while the code, which is not shown, goes on."""

    codes: list[bool] = field(default_factory=list)

    @property
    def in_code(self) -> bool:
        """Whether what comes now is a field's code."""
        return any(self.codes)

    def turn(self, kind: str) -> None:
        """Follow a ``w:fldChar``."""
        if kind == "begin":
            self.codes.append(True)
        elif kind == "separate" and self.codes:
            self.codes[-1] = False
        elif kind == "end" and self.codes:
            self.codes.pop()

    def end_paragraph(self) -> None:
        """Drop codes that never ended: a damaged field must not swallow the rest of the document."""
        self.codes = [code for code in self.codes if not code]


@dataclass
class ParagraphText:
    """What a paragraph says.

    Attributes
    ----------
    pages
        Spans, cut where the author set a page break.
    laid_out_before, laid_out_after
        Pages that Word began before the first word, and after it.
    boxes
        ``w:txbxContent`` elements anchored here.
    graphics
        Elements that refer to charts and diagrams.
    notes
        ``("footnote" | "endnote", id)`` in order.
    """

    pages: list[list[Span]] = field(default_factory=lambda: [[]])
    laid_out_before: int = 0
    laid_out_after: int = 0
    boxes: list[Element] = field(default_factory=list)
    graphics: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    pictures: int = 0

    @property
    def has_text(self) -> bool:
        """Whether any word was read."""
        return any(span.text.strip() for page in self.pages for span in page)


class ParagraphReader:
    """Reads paragraphs one after the other; fields may go on from one to the next.

    Parameters
    ----------
    styles
        The document's styles.
    """

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._fields = Fields()

    def read(self, paragraph: Element, style: Style) -> ParagraphText:
        """Text of a ``w:p``."""
        text = ParagraphText()
        for element in paragraph:
            self._read(element, text, style)
        self._fields.end_paragraph()
        return text

    def _read(self, element: Element, text: ParagraphText, style: Style) -> None:
        tag = element.tag
        if tag == "w.r":
            self._read_run(element, text, style)
        elif tag in {"m.oMath", "m.oMathPara"}:
            if not self._fields.in_code:
                text.pages[-1].append(Span(formula(element)))
        elif tag not in _SKIPPED and not is_placeholder(element):
            for child in shown(element):
                self._read(child, text, style)

    def _read_run(self, run: Element, text: ParagraphText, style: Style) -> None:
        properties = run.find("w.rPr")
        named = None if properties is None else properties.find("w.rStyle")
        own = self._styles[None if named is None else named.get("w.val")]
        hidden = is_on(properties, "w.vanish")
        if own.hidden or style.hidden if hidden is None else hidden:
            # Fields are followed even where nothing of them is shown.
            for character in run.iter("w.fldChar"):
                self._fields.turn(character.get("w.fldCharType", ""))
            return
        bold = is_on(properties, "w.b")
        look = _Look(
            bold=own.bold if bold is None else bold,
            raised=_value(properties, "w.vertAlign") == "superscript",
            symbol=_font(properties) in _SYMBOL_FONTS,
        )
        for element in shown(run):
            self._read_piece(element, text, look)

    def _read_piece(self, element: Element, text: ParagraphText, look: _Look) -> None:
        tag = element.tag
        if tag == "w.fldChar":
            self._fields.turn(element.get("w.fldCharType", ""))
        elif tag == "w.lastRenderedPageBreak":
            if text.has_text:
                text.laid_out_after += 1
            else:
                text.laid_out_before += 1
        elif tag in {"w.footnoteReference", "w.endnoteReference"}:
            text.notes.append((tag[2:-9], element.get("w.id", "")))
        elif tag in {"w.drawing", "w.pict", "w.object"}:
            self._read_drawing(element, text)
        elif not self._fields.in_code:
            self._write(element, text, look)

    def _read_drawing(self, element: Element, text: ParagraphText) -> None:
        text.boxes += outermost_boxes(element)
        text.graphics.append(element)
        text.pictures += sum(1 for part in element.iter() if part.tag in {"a.blip", "v.imagedata"})

    def _write(self, element: Element, text: ParagraphText, look: _Look) -> None:
        tag = element.tag
        if tag == "w.br" and element.get("w.type") == "page":
            text.pages.append([])
            return
        if tag == "w.ruby":
            written = _ruby(element)
        elif tag == "w.t":
            written = look.applied(element.text or "")
        elif tag == "w.sym":
            written = _symbol(element)
        else:
            written = _SIGNS.get(tag, "")
        if written:
            text.pages[-1].append(Span(written, look.bold))


_SIGNS = {"w.tab": " ", "w.ptab": " ", "w.br": "\n", "w.cr": "\n", "w.noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True)
class _Look:
    bold: bool
    raised: bool
    symbol: bool

    def applied(self, text: str) -> str:
        if self.symbol:
            text = from_symbol_font(text)
        elif any("\uf000" <= c <= "\uf0ff" for c in text):
            text = "".join(from_symbol_font(c) if "\uf000" <= c <= "\uf0ff" else c for c in text)
        raised = text.translate(_SUPERSCRIPT)
        # "10⁻³" is not "10-3"; letters, as in "1st", read well on the line.
        return raised if self.raised and not set(text.strip()) - set("0123456789+-−=()n") else text


def is_placeholder(element: Element) -> bool:
    """Whether a content control shows only its prompt ("Click here to enter text")."""
    return element.tag == "w.sdt" and element.find("w.sdtPr/w.showingPlcHdr") is not None


def shown(element: Element) -> Iterator[Element]:
    """Children of an element, of alternatives the one that says something, never both."""
    for child in element:
        if child.tag == "mc.AlternateContent":
            yield from _chosen(child)
        else:
            yield child


def _chosen(alternatives: Element) -> Iterator[Element]:
    for choice in alternatives:
        if any(part.tag in _TELLING for part in choice.iter()):
            yield from shown(choice)
            return
    fallback = alternatives.find("mc.Fallback")
    if fallback is not None:
        yield from shown(fallback)


def outermost_boxes(element: Element) -> list[Element]:
    """Text boxes of a drawing; those inside another come with it."""
    boxes = []
    waiting = [element]
    while waiting:
        current = waiting.pop()
        if current.tag == "w.txbxContent":
            boxes.append(current)
        else:
            waiting += reversed(list(shown(current)))
    return boxes


def _ruby(element: Element) -> str:
    def text(name: str) -> str:
        part = element.find(name)
        return "" if part is None else "".join(t.text or "" for t in part.iter("w.t"))

    base, reading = text("w.rubyBase"), text("w.rt")
    return f"{base}（{reading}）" if base and reading else base


def _symbol(element: Element) -> str:
    code, font = element.get("w.char", ""), element.get("w.font", "").casefold()
    try:
        char = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    if font in _SYMBOL_FONTS:
        return from_symbol_font(char)
    # Fonts of ornaments (Wingdings) put bullets, arrows and smileys at private places.
    return "" if "\ue000" <= char <= "\uf8ff" or "\ud800" <= char <= "\udfff" else char


def _value(properties: Element | None, tag: str) -> str:
    found = None if properties is None else properties.find(tag)
    return "" if found is None else found.get("w.val", "")


def _font(properties: Element | None) -> str:
    found = None if properties is None else properties.find("w.rFonts")
    return "" if found is None else found.get("w.ascii", "").casefold()
