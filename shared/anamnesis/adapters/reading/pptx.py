"""Presentations (PPTX, PPTM, POTX, PPSX) as a page of Markdown a slide, with its charts, diagrams and speaker notes."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.office_graphics import graphic_blocks
from anamnesis.adapters.reading.packages import Package, Relation
from anamnesis.adapters.reading.slide_text import body_blocks, table_blocks, title_text
from anamnesis.adapters.reading.word_text import shown
from anamnesis.adapters.reading.xml_trees import XmlRefused, elements
from anamnesis.domain.reading import markup
from anamnesis.domain.reading.pagination import joined_blocks
from anamnesis.domain.reading.reading_order import Box, in_reading_order

#: Placeholders that hold furniture.
_FURNITURE = frozenset({"dt", "ftr", "hdr", "sldNum"})
_TITLES = frozenset({"title", "ctrTitle"})
#: Says where the slide ends and what is only said begins; known as a heading that names no idea.
NOTES_HEADING = "Notes"
_NOTES_LEVEL = 3
_NO_BOX = Box(0, 0, 0, 0)


def pptx_pages(package: Package, part: str) -> Iterator[str]:
    """Pages of a presentation, one a slide in the order they are shown; hidden slides count and are read.

    Parameters
    ----------
    part
        Name of the main part, such as ``ppt/presentation.xml``.

    Raises
    ------
    FileRefused, XmlRefused
        If there is nothing to read, or the presentation cannot be read.
    """
    relations = package.relations(part)
    with package.open(part) as stream:
        slides = [
            relations.get(slide.get("r.id", ""))
            for listing in elements(stream, depth=2)
            if listing.tag == "p.sldIdLst"
            for slide in listing
        ]
    read = broken = pictures = 0
    layouts = _Layouts(package)
    for relation in slides:
        slide = _Slide(package, relation.target if relation else "", layouts)
        try:
            text = slide.text()
        except XmlRefused:
            # A slide that cannot be parsed is an empty page: the others keep their numbers.
            text = ""
            broken += 1
        read += bool(text.strip())
        pictures += slide.pictures
        yield text
    if not read:
        if broken:
            raise refusals.malformed_office()
        raise refusals.pictures_only("presentation") if pictures else refusals.without_text("presentation")


class _Layouts:
    """Layouts and masters by part: where a slide's placeholders stand, and which levels have bullets."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._trees: dict[str, Element | None] = {}
        self._masters: dict[str, str | None] = {}

    def chain(self, slide: str) -> list[Element]:
        """Trees of a slide's layout and master, nearest first."""
        layout = self._package.related(slide, "slideLayout")
        if layout is None:
            return []
        if layout not in self._masters:
            self._masters[layout] = self._package.related(layout, "slideMaster")
        return [tree for part in (layout, self._masters[layout]) if (tree := self._tree(part)) is not None]

    def _tree(self, part: str | None) -> Element | None:
        if part is not None and part not in self._trees:
            self._trees[part] = self._package.tree_if_any(part)
        return None if part is None else self._trees[part]


class _Slide:
    def __init__(self, package: Package, part: str, layouts: _Layouts) -> None:
        self._package, self._part, self._layouts = package, part, layouts
        self._relations: dict[str, Relation] = {}
        self._above: list[Element] = []
        self._titles: list[str] = []
        self.pictures = 0

    def text(self) -> str:
        """Return the slide's page."""
        tree = self._package.tree_if_any(self._part)
        if tree is None:
            if self._package.has(self._part):
                raise XmlRefused("slide")
            return ""
        self._relations = self._package.relations(self._part)
        self._above = self._layouts.chain(self._part)
        shapes = tree.find("p.cSld/p.spTree")
        blocks = [] if shapes is None else self._group(shapes)
        titles = [markup.heading(1, title) for title in self._titles]
        return joined_blocks([*titles, *blocks, *self._notes()])

    def _group(self, group: Element) -> list[str]:
        """Blocks of a tree or group of shapes, in reading order."""
        placed = [(self._box(shape), blocks) for shape in shown(group) if (blocks := self._shape(shape))]
        return [block for blocks in in_reading_order(placed) for block in blocks]

    def _shape(self, shape: Element) -> list[str]:
        tag = shape.tag
        if tag == "p.grpSp":
            return self._group(shape)
        if tag == "p.graphicFrame":
            tables = [block for table in shape.iter("a.tbl") for block in table_blocks(table)]
            return tables + graphic_blocks(shape, self._package, self._relations)
        if tag == "p.pic":
            self.pictures += 1
        return self._text_shape(shape) if tag in {"p.sp", "p.cxnSp"} else []

    def _text_shape(self, shape: Element) -> list[str]:
        holder = _placeholder(shape)
        kind = "" if holder is None else holder.get("type", "obj")
        body = shape.find("p.txBody")
        if kind in _FURNITURE:
            return []
        if kind in _TITLES:
            title = title_text(body)
            self._titles += [title] if title else []
            return []
        return body_blocks(body, self._list_styles(holder) if holder is not None else ())

    def _list_styles(self, holder: Element) -> list[Element | None]:
        inherited = [_same_placeholder(tree, holder) for tree in self._above]
        styles = [None if shape is None else shape.find("p.txBody/a.lstStyle") for shape in inherited]
        own = "p.otherStyle" if holder.get("type") == "subTitle" else "p.bodyStyle"
        return styles + [tree.find(f"p.txStyles/{own}") for tree in self._above]

    def _box(self, shape: Element) -> Box:
        own = _own_box(shape)
        holder = _placeholder(shape)
        if own is not None or holder is None:
            return own or _NO_BOX
        for tree in self._above:
            same = _same_placeholder(tree, holder)
            inherited = None if same is None else _own_box(same)
            if inherited is not None:
                return inherited
        return _NO_BOX

    def _notes(self) -> list[str]:
        part = next((r.target for r in self._relations.values() if r.kind == "notesSlide"), None)
        tree = self._package.tree_if_any(part)
        blocks = []
        for shape in tree.iter("p.sp") if tree is not None else ():
            holder = _placeholder(shape)
            if holder is not None and holder.get("type") == "body":
                blocks += body_blocks(shape.find("p.txBody"))
        return [markup.heading(_NOTES_LEVEL, NOTES_HEADING), *blocks] if blocks else []


def _placeholder(shape: Element) -> Element | None:
    for part in shape:
        if part.tag.startswith("p.nv"):
            return part.find("p.nvPr/p.ph")
    return None


def _same_placeholder(tree: Element, holder: Element) -> Element | None:
    """Shape of a layout or master that a placeholder takes after: the same index, else the same type."""
    shapes = [(shape, found) for shape in tree.iter("p.sp") if (found := _placeholder(shape)) is not None]
    index, kind = holder.get("idx"), holder.get("type", "obj")
    for shape, found in shapes:
        if index is not None and found.get("idx") == index and found.get("type", "obj") == kind:
            return shape
    alike = {"obj": {"obj", "body"}, "subTitle": {"subTitle", "body"}, "ctrTitle": {"ctrTitle", "title"}}
    kinds = alike.get(kind, {kind})
    return next((shape for shape, found in shapes if found.get("type", "obj") in kinds), None)


def _own_box(shape: Element) -> Box | None:
    for path in ("p.spPr/a.xfrm", "p.grpSpPr/a.xfrm", "p.xfrm"):
        frame = shape.find(path)
        if frame is None:
            continue
        place, size = frame.find("a.off"), frame.find("a.ext")
        if place is not None and size is not None:
            numbers = [
                _whole(place.get("x")),
                _whole(place.get("y")),
                _whole(size.get("cx")),
                _whole(size.get("cy")),
            ]
            return Box(*numbers)
    return None


def _whole(text: str | None) -> float:
    try:
        return float(int(text or "0"))
    except (ValueError, OverflowError):
        return 0.0
