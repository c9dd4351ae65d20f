"""Office packages (OPC): parts of a zip archive, found by relationships, read in bounded pieces."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Self
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from anamnesis.adapters.reading import refusals
from anamnesis.adapters.reading.xml_trees import XmlRefused, elements, root

#: Entries of an archive; a deck of 2,000 slides with pictures has about 12,000.
MAX_ENTRIES = 50_000
#: Bytes that all parts which are read may inflate to, and any one of them. Text is a small part of a large file.
MAX_INFLATED_BYTES = 400_000_000
MAX_PART_BYTES = 200_000_000
#: How a zip archive that holds anything begins.
ZIP_SIGNATURE = b"PK\x03\x04"
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED_FLAG = 0x1


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a relationship of a part leads.

    Attributes
    ----------
    kind
        Last word of the relationship's type, such as ``slide``.
    target
        Name of the part, or of nothing that is there.
    """

    kind: str
    target: str


class Package:
    """Parts of an Office file.

    Parameters
    ----------
    data
        Bytes of the zip archive.

    Raises
    ------
    FileRefused
        If the archive is broken, locked, or has more entries than it may.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise refusals.malformed_office() from error
        entries = self._archive.infolist()
        if len(entries) > MAX_ENTRIES:
            raise refusals.too_large()
        # Names are compared without regard to case (OPC, ISO/IEC 29500-2, 6.2.2.3); the first of equals counts.
        self._entries = {entry.filename.lstrip("/").casefold(): entry for entry in reversed(entries)}
        self._left = MAX_INFLATED_BYTES

    @property
    def names(self) -> frozenset[str]:
        """Casefolded names of all entries, without a slash in front."""
        return frozenset(self._entries)

    def has(self, name: str) -> bool:
        """Whether there is such a part."""
        return name.casefold() in self._entries

    def open(self, name: str) -> PartStream:
        """Open a part.

        Raises
        ------
        FileRefused
            If it is not there, locked, or packed in a way that Office files are not.
        """
        entry = self._entries.get(name.casefold())
        if entry is None:
            raise refusals.malformed_office()
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise refusals.encrypted_office()
        if entry.compress_type not in _METHODS:
            raise refusals.malformed_office()
        try:
            return PartStream(self, self._archive.open(entry))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise refusals.malformed_office() from error

    def spend(self, inflated: int) -> None:
        """Take bytes off what may still be inflated."""
        self._left -= inflated
        if self._left < 0:
            raise refusals.too_large()

    def tree(self, name: str) -> Element:
        """Root element of a part.

        Raises
        ------
        FileRefused, XmlRefused
            If the part or its XML cannot be read.
        """
        with self.open(name) as stream:
            return root(stream)

    def tree_if_any(self, name: str | None) -> Element | None:
        """Root element of a part, or None if it is missing or its XML is broken: what it adds is left out."""
        if name is None or not self.has(name):
            return None
        try:
            return self.tree(name)
        except XmlRefused:
            return None

    def relations(self, part: str) -> dict[str, Relation]:
        """Relationships of a part ("" for the package itself) by id; those that lead out of the file are left out."""
        folder, name = posixpath.split(part)
        listing = posixpath.join(folder, "_rels", f"{name}.rels")
        if not self.has(listing):
            return {}
        found = {}
        with self.open(listing) as stream:
            for element in elements(stream, depth=2):
                target = element.get("Target", "")
                if element.tag == "rel.Relationship" and element.get("TargetMode") != "External" and target:
                    kind = element.get("Type", "").rpartition("/")[2]
                    found[element.get("Id", "")] = Relation(kind, _resolved(folder, target))
        return found

    def related(self, part: str, kind: str) -> str | None:
        """Name of the first part of a kind that a part relates to, or None."""
        return next((r.target for r in self.relations(part).values() if r.kind == kind), None)

    def content_type(self, part: str) -> str:
        """Content type of a part as the package declares it, or ""."""
        if not self.has("[Content_Types].xml"):
            return ""
        by_extension = ""
        with self.open("[Content_Types].xml") as stream:
            for element in elements(stream, depth=2):
                if element.get("PartName", "").lstrip("/").casefold() == part.casefold():
                    return element.get("ContentType", "")
                if element.get("Extension", "").casefold() == part.rpartition(".")[2].casefold():
                    by_extension = element.get("ContentType", "")
        return by_extension


def _resolved(folder: str, target: str) -> str:
    """Name of the part that a target means. It names an entry of the archive and never a file of this machine."""
    path = unquote(target.partition("#")[0]).replace("\\", "/")
    absolute = path if path.startswith("/") else posixpath.join("/", folder, path)
    return posixpath.normpath(absolute).lstrip("/")


class PartStream:
    """A part's bytes, counted against what the package may inflate."""

    def __init__(self, package: Package, stream: IO[bytes]) -> None:
        self._package = package
        self._stream = stream
        self._left = MAX_PART_BYTES

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes.

        Raises
        ------
        FileRefused
            If the part is damaged, or inflates to more than a part or all parts may.
        """
        try:
            data = self._stream.read(size)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
            raise refusals.malformed_office() from error
        self._left -= len(data)
        if self._left < 0:
            raise refusals.too_large()
        self._package.spend(len(data))
        return data
