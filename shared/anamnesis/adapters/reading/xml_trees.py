"""XML of Office files into small trees, streamed by expat: no document types, no entities, bounded depth and size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

#: Deeper than any honest Office file (text boxes in tables in groups reach about 60).
MAX_DEPTH = 200
#: Elements of one part; a book of 2,000 pages in Word has about 2 million.
MAX_ELEMENTS = 20_000_000
_CHUNK_BYTES = 1 << 16

#: Prefix by namespace; Strict Open XML (ISO/IEC 29500) has its own names for the same elements.
_TRANSITIONAL = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_PREFIXES = {
    f"{root}{path}": prefix
    for prefix, paths in {
        "w": ("wordprocessingml/2006/main", "wordprocessingml/main"),
        "m": ("officeDocument/2006/math", "officeDocument/math"),
        "r": ("officeDocument/2006/relationships", "officeDocument/relationships"),
        "a": ("drawingml/2006/main", "drawingml/main"),
        "c": ("drawingml/2006/chart", "drawingml/chart"),
        "dgm": ("drawingml/2006/diagram", "drawingml/diagram"),
        "p": ("presentationml/2006/main", "presentationml/main"),
        "rel": ("package/2006/relationships",),
        "ct": ("package/2006/content-types",),
        "mc": ("markup-compatibility/2006",),
    }.items()
    for root in (_TRANSITIONAL, _STRICT)
    for path in paths
} | {
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "cx",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "urn:schemas-microsoft-com:vml": "v",
    "http://www.w3.org/XML/1998/namespace": "xml",
}


class XmlRefused(Exception):
    """The XML is not well formed, has a document type, or is deeper or longer than it may be."""


class ByteStream(Protocol):
    """What XML is read from."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes; none at the end."""


class _Names(dict[str, str]):
    """``{namespace}local`` to ``prefix.local``, remembered; names of unknown namespaces keep the local part alone."""

    def __missing__(self, name: str) -> str:
        namespace, _, local = name.rpartition("}")
        prefix = _PREFIXES.get(namespace[1:], "") if namespace else ""
        short = f"{prefix}.{local}" if prefix else local
        if len(self) < 10_000:
            self[name] = short
        return short


class _Target:
    """Builds a tree for every element at one depth, and nothing for what lies above."""

    def __init__(self, depth: int) -> None:
        self._level = depth
        self._depth = 0
        self._elements = 0
        self._names = _Names()
        self._builder = TreeBuilder()
        self.done: list[Element] = []

    def doctype(self, _name: str, _pubid: str | None, _system: str | None) -> None:
        raise XmlRefused("document type")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > MAX_DEPTH or self._elements > MAX_ELEMENTS:
            raise XmlRefused("size")
        if self._depth >= self._level:
            names = self._names
            self._builder.start(names[tag], {names[key]: value for key, value in attributes.items()})

    def end(self, tag: str) -> None:
        if self._depth >= self._level:
            self._builder.end(self._names[tag])
        if self._depth == self._level:
            self.done.append(self._builder.close())
            self._builder = TreeBuilder()
        self._depth -= 1

    def data(self, data: str) -> None:
        if self._depth >= self._level:
            self._builder.data(data)

    def close(self) -> None:
        return None


def elements(stream: ByteStream, *, depth: int = 1) -> Iterator[Element]:
    """Every element at a depth (1: the root), each as a tree of its own, so that memory holds one at a time.

    Tags and attributes are named by the customary prefixes, whatever the file calls them, and a full stop, which
    element paths take as it is: ``w.p`` is a paragraph of Word.

    Raises
    ------
    XmlRefused
        For XML that is malformed, has a document type, or passes ``MAX_DEPTH`` or ``MAX_ELEMENTS``.
    """
    target = _Target(depth)
    parser = XMLParser(target=target)  # noqa: S314 - the target refuses document types, hence entities
    try:
        while chunk := stream.read(_CHUNK_BYTES):
            parser.feed(chunk)
            yield from target.done
            target.done.clear()
        parser.close()
        yield from target.done
    except (ParseError, ValueError, LookupError) as error:
        raise XmlRefused("malformed") from error


def root(stream: ByteStream) -> Element:
    """Return the whole document's root element; see ``elements``."""
    for element in elements(stream):
        return element
    raise XmlRefused("empty")
