"""Word's styles: which paragraphs are headings, hidden, numbered, or entries of a table of contents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

#: Built-in styles keep their English names whatever the language of Word (ISO/IEC 29500-1, 17.7.4.18).
_HEADING_NAME = re.compile(r"^heading ?([1-9])$", re.IGNORECASE)
_CONTENTS_NAME = re.compile(
    r"^(?:toc ?\d|toc heading|table of (?:figures|authorities)|index ?\d)$", re.IGNORECASE
)
_TITLE_NAMES = frozenset({"title", "document title"})
#: The outline level of what is no heading (ECMA-376, part 1, 17.3.1.20).
_BODY_LEVEL = 9
#: Styles that are based on each other, in a row; a hostile file has circles. Ours.
_LONGEST_CHAIN = 20
_OFF = frozenset({"0", "off", "false", "none"})


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says of the text that has it.

    Attributes
    ----------
    heading
        Level, 1 the highest; 0 for other text.
    numbering
        ``(numId, level)``, or None.
    """

    heading: int = 0
    contents: bool = False
    hidden: bool = False
    bold: bool = False
    breaks_page: bool = False
    numbering: tuple[str, int] | None = None


def is_on(properties: Element | None, tag: str) -> bool | None:
    """Whether a switch is set; None where nothing is said."""
    found = None if properties is None else properties.find(tag)
    return None if found is None else found.get("w.val", "1") not in _OFF


def numbering_of(properties: Element | None) -> tuple[str | None, int | None] | None:
    """``(numId, level)`` of paragraph properties, either None where not said; None without numbering."""
    found = None if properties is None else properties.find("w.numPr")
    if found is None:
        return None
    number, level = found.find("w.numId"), found.find("w.ilvl")
    return (
        None if number is None else number.get("w.val", ""),
        None if level is None else _whole(level.get("w.val"), 0),
    )


def outline_level(properties: Element | None) -> int | None:
    """Heading level that an outline level means, 0 for body text, None where not said."""
    found = None if properties is None else properties.find("w.outlineLvl")
    if found is None:
        return None
    level = _whole(found.get("w.val"), _BODY_LEVEL)
    return level + 1 if 0 <= level < _BODY_LEVEL else 0


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() else default


class Styles:
    """Styles of a document by id.

    Parameters
    ----------
    root
        Root of ``styles.xml``, or None if there is none: then ids are taken for names.
    """

    def __init__(self, root: Element | None) -> None:
        self._elements = {s.get("w.styleId", ""): s for s in root.iter("w.style")} if root is not None else {}
        self._known: dict[str, Style] = {}

    def __getitem__(self, style_id: str | None) -> Style:
        if not style_id:
            return Style()
        if style_id not in self._known:
            self._known[style_id] = self._resolved(style_id)
        return self._known[style_id]

    def _resolved(self, style_id: str) -> Style:
        chain: list[Element] = []
        current: str | None = style_id
        while current in self._elements and len(chain) < _LONGEST_CHAIN:
            element = self._elements[current]
            chain.append(element)
            parent = element.find("w.basedOn")
            current = None if parent is None else parent.get("w.val")
        names = [_name(element) for element in chain] or [style_id]
        paragraphs = [element.find("w.pPr") for element in chain]
        runs = [element.find("w.rPr") for element in chain]
        numbers = [numbering_of(properties) for properties in paragraphs]
        number = next((n[0] for n in numbers if n and n[0] is not None), None)
        level = next((n[1] for n in numbers if n and n[1] is not None), None)
        return Style(
            heading=_heading(names, paragraphs),
            contents=any(map(_CONTENTS_NAME.match, names)),
            hidden=_first([is_on(run, "w.vanish") for run in runs]),
            bold=_first([is_on(run, "w.b") for run in runs]),
            breaks_page=_first([is_on(properties, "w.pageBreakBefore") for properties in paragraphs]),
            numbering=None if number is None else (number, level if level is not None else 0),
        )


def _name(element: Element) -> str:
    name = element.find("w.name")
    return "" if name is None else name.get("w.val", "").strip()


def _heading(names: list[str], properties: list[Element | None]) -> int:
    if any(name.casefold() in _TITLE_NAMES for name in names[:1]):
        return 1
    for name, own in zip(names, [*properties, None], strict=False):
        level = outline_level(own)
        if level is not None:
            return level
        named = _HEADING_NAME.match(name)
        if named:
            return int(named[1])
    return 0


def _first(values: list[bool | None]) -> bool:
    return next((value for value in values if value is not None), False)
