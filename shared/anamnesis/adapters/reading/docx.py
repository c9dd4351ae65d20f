"""Word documents (DOCX, DOCM, DOTX) as pages of Markdown; the body is streamed block by block."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.office_graphics import graphic_blocks
from anamnesis.adapters.reading.packages import ZIP_SIGNATURE, Package
from anamnesis.adapters.reading.word_chunks import chunk_blocks
from anamnesis.adapters.reading.word_numbering import Numbering
from anamnesis.adapters.reading.word_styles import Style, Styles, is_on, numbering_of, outline_level
from anamnesis.adapters.reading.word_text import ParagraphReader, ParagraphText, is_placeholder, shown
from anamnesis.adapters.reading.xml_trees import XmlRefused, elements
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import MAX_FILE_BYTES, MAX_FILE_CHARS, RefusalReason
from anamnesis.domain.reading import markup
from anamnesis.domain.reading.markup import Span
from anamnesis.domain.reading.page_flow import Note, PageBreak, flowing_pages

#: ``w:document`` and ``w:body`` stand above the blocks.
_BLOCK_DEPTH = 3
#: A longer paragraph in the style of a heading is a paragraph in the wrong style.
_LONGEST_HEADING = 250
#: How deep documents embed documents.
_DEEPEST_CHUNK = 3
_CONTENTS_GALLERY = frozenset({"Table of Contents", "Table of Figures", "Bibliographies Toc"})
_WRAPPERS = frozenset(
    {"w.sdtContent", "w.customXml", "w.smartTag", "w.ins", "w.moveTo", "w.hyperlink", "w.bdo", "w.dir"}
)
#: Word's own notes, for the lines between text and notes.
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})

Part = str | Note | PageBreak


def docx_pages(package: Package, part: str) -> list[str]:
    """Pages of a Word document.

    Parameters
    ----------
    part
        Name of the main part, such as ``word/document.xml``.

    Raises
    ------
    FileRefused, XmlRefused
        If there is nothing to read, or the document cannot be read.
    """
    reader = _DocumentReader(package, part)
    flow = list(reader.flow())
    pages = flowing_pages(flow)
    if not any(page.strip() for page in pages):
        if reader.unread_chunks:
            raise refusals.embedded_document()
        raise refusals.pictures_only("document") if reader.pictures else refusals.without_text("document")
    return pages


class _DocumentReader:
    def __init__(self, package: Package, part: str, *, depth: int = 0) -> None:
        self._package, self._part, self._depth = package, part, depth
        self._relations = package.relations(part)
        self._styles = Styles(package.tree_if_any(self._related("styles")))
        self._numbering = Numbering(package.tree_if_any(self._related("numbering")))
        self._paragraphs = ParagraphReader(self._styles)
        self._notes = {kind: self._note_elements(kind) for kind in ("footnote", "endnote")}
        #: Spans of a paragraph that goes on in the next one: a drop capital, a deleted paragraph mark.
        self._carried: list[Span] = []
        self.pictures = self.unread_chunks = 0

    def _related(self, kind: str) -> str | None:
        return next((r.target for r in self._relations.values() if r.kind == kind), None)

    def _note_elements(self, kind: str) -> dict[str, Element]:
        name = self._related(f"{kind}s")
        if name is None or not self._package.has(name):
            return {}
        found = {}
        try:
            with self._package.open(name) as stream:
                for note in elements(stream, depth=2):
                    if note.tag == f"w.{kind}" and note.get("w.type") not in _SEPARATORS:
                        found[note.get("w.id", "")] = note
        except XmlRefused:
            return found
        return found

    def flow(self) -> Iterator[Part]:
        """Everything that the body says, in order.

        Sections say at their end how they begin: what stands between two ends is held back until the second is known.
        """
        held: list[Part] = []
        sections = chars = 0
        with self._package.open(self._part) as stream:
            for block in elements(stream, depth=_BLOCK_DEPTH):
                ending = block if block.tag == "w.sectPr" else block.find("w.pPr/w.sectPr")
                said = [] if block.tag == "w.sectPr" else list(self._block(block))
                chars += sum(len(part) for part in said if isinstance(part, str))
                if chars > MAX_FILE_CHARS:
                    raise refusals.too_large()
                held += said
                if ending is not None:
                    if sections and _begins_page(ending):
                        yield PageBreak.SET
                    yield from held
                    held = []
                    sections += 1
        yield from held
        if self._carried:
            yield markup.paragraph("".join(span.text for span in self._carried))

    def _block(self, element: Element) -> Iterator[Part]:
        tag = element.tag
        if tag == "w.p":
            yield from self._paragraph(element)
        elif tag == "w.tbl":
            yield from self._table(element)
        elif tag == "w.sdt":
            gallery = element.find("w.sdtPr/w.docPartObj/w.docPartGallery")
            contents = gallery is not None and gallery.get("w.val") in _CONTENTS_GALLERY
            if not contents and not is_placeholder(element):
                for child in element.findall("w.sdtContent/*"):
                    yield from self._block(child)
        elif tag in _WRAPPERS:
            for child in shown(element):
                yield from self._block(child)
        elif tag == "w.altChunk":
            yield from self._chunk(element.get("r.id", ""))
        elif tag in {"m.oMath", "m.oMathPara"}:
            paragraph = Element("w.p")
            paragraph.append(element)
            yield from self._paragraph(paragraph)

    def _chunk(self, relation: str) -> Iterator[Part]:
        """What an embedded file says, where it is of a kind that is read."""
        name = self._relations[relation].target if relation in self._relations else ""
        if self._depth == _DEEPEST_CHUNK or not self._package.has(name):
            self.unread_chunks += 1
            return
        with self._package.open(name) as stream:
            data = stream.read(MAX_FILE_BYTES)
        if data.startswith(ZIP_SIGNATURE):
            yield from self._embedded(data)
            return
        blocks = chunk_blocks(data, self._package.content_type(name))
        self.unread_chunks += blocks is None
        yield from blocks or ()

    def _embedded(self, data: bytes) -> Iterator[Part]:
        try:
            package = Package(data)
            part = package.related("", "officeDocument")
            inner = _DocumentReader(package, part or "", depth=self._depth + 1)
            yield from inner.flow()
        except (FileRefused, XmlRefused) as error:
            if isinstance(error, FileRefused) and error.reason == RefusalReason.TOO_LARGE:
                raise
            # The file around it is whole: what it embeds and cannot be read is left out.
            self.unread_chunks += 1
        else:
            self.pictures += inner.pictures
            self.unread_chunks += inner.unread_chunks

    def _paragraph(self, element: Element) -> Iterator[Part]:
        properties = element.find("w.pPr")
        named = None if properties is None else properties.find("w.pStyle")
        style = self._styles[None if named is None else named.get("w.val")]
        text = self._paragraphs.read(element, style)
        self.pictures += text.pictures
        breaks = is_on(properties, "w.pageBreakBefore")
        if style.breaks_page if breaks is None else breaks:
            yield PageBreak.SET
        for _ in range(text.laid_out_before):
            yield PageBreak.LAID_OUT
        if not style.contents:
            yield from self._said(properties, style, text)
        else:
            yield from (PageBreak.SET for _ in text.pages[1:])
        for _ in range(text.laid_out_after):
            yield PageBreak.LAID_OUT

    def _said(self, properties: Element | None, style: Style, text: ParagraphText) -> Iterator[Part]:
        carried, self._carried = self._carried, []
        if properties is not None and _goes_on(properties):
            self._carried = carried + [span for page in text.pages for span in page]
            return
        text.pages[0][:0] = carried
        label: str | None = None
        first = True
        for number, spans in enumerate(text.pages):
            if number:
                yield PageBreak.SET
            if any(span.text.strip() for span in spans):
                # Only a paragraph with text counts, as it does in Word.
                label = self._label(properties, style) if first else None
                yield self._written(spans, properties, style, label)
                first = False
        for box in text.boxes:
            yield from (part for part in self._children(box) if not isinstance(part, PageBreak))
        for graphic in text.graphics:
            yield from graphic_blocks(graphic, self._package, self._relations)
        for kind, note in text.notes:
            yield from self._note(kind, note)

    def _label(self, properties: Element | None, style: Style) -> str | None:
        own = numbering_of(properties)
        number, level = own if own else (None, None)
        if number is None and style.numbering:
            number = style.numbering[0]
        if number is None:
            return None
        if level is None:
            level = style.numbering[1] if style.numbering else 0
        self._level = level
        return self._numbering.label(number, level)

    def _written(self, spans: list[Span], properties: Element | None, style: Style, label: str | None) -> str:
        plain = "".join(span.text for span in spans)
        level = outline_level(properties)
        level = style.heading if level is None else level
        if level and len(plain) <= _LONGEST_HEADING:
            return markup.heading(level, f"{label or ''} {plain}")
        text = markup.emphasised(spans)
        if label is None:
            return markup.paragraph(text)
        return markup.item(text, marker=label or "-", level=min(self._level, 6))

    def _note(self, kind: str, note_id: str) -> Iterator[Part]:
        # Each is told once, however often it is referred to.
        note = self._notes[kind].pop(note_id, None)
        if note is not None:
            texts = [part for part in self._children(note) if isinstance(part, str) and part]
            if texts:
                yield Note("\n".join(texts))

    def _children(self, element: Element) -> Iterator[Part]:
        for child in shown(element):
            yield from self._block(child)

    # ------------------------------------------------------------------------------------------ tables
    def _table(self, table: Element) -> Iterator[Part]:
        rows: list[list[list[str]]] = []
        later: list[Part] = []
        for row in _unwrapped(table, "w.tr"):
            if row.find("w.trPr/w.del") is not None:
                continue
            cells, others = self._row(row)
            if PageBreak.LAID_OUT in others:
                yield from markup.table(rows)
                yield from later
                yield PageBreak.LAID_OUT
                rows, later = [], []
            later += [part for part in others if isinstance(part, Note)]
            rows.append(cells)
        yield from markup.table(rows)
        yield from later

    def _row(self, row: Element) -> tuple[list[list[str]], list[Part]]:
        cells: list[list[str]] = []
        others: list[Part] = []
        for cell in _unwrapped(row, "w.tc"):
            parts = list(self._children(cell))
            merged = cell.find("w.tcPr/w.vMerge")
            covered = merged is not None and merged.get("w.val", "continue") == "continue"
            beside = cell.find("w.tcPr/w.hMerge")
            if beside is not None and beside.get("w.val", "continue") == "continue":
                continue
            blocks = [] if covered else [part for part in parts if isinstance(part, str) and part]
            cells.append(blocks)
            others += [part for part in parts if not isinstance(part, str)]
        return cells, others


def _unwrapped(element: Element, tag: str) -> Iterator[Element]:
    """Children of a kind, out of content controls and tracked changes too."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag == "w.sdt":
            for content in child.findall("w.sdtContent"):
                yield from _unwrapped(content, tag)
        elif child.tag in _WRAPPERS:
            yield from _unwrapped(child, tag)


def _goes_on(properties: Element) -> bool:
    """Whether a paragraph is one with the next: its mark was deleted, or it is a drop capital."""
    frame = properties.find("w.framePr")
    dropped = frame is not None and frame.get("w.dropCap") in {"drop", "margin"}
    return dropped or properties.find("w.rPr/w.del") is not None


def _begins_page(section: Element) -> bool:
    kind = section.find("w.type")
    return (kind.get("w.val") if kind is not None else "nextPage") not in {"continuous", "nextColumn"}
