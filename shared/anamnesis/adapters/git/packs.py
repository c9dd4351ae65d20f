"""Git packs as they are stored: written whole, read in parts (WK-5).

A stored pack is a valid, self-contained pack of version 2: git itself can read it. Commits and trees stand in front;
then come files, versions of one path together, newest first, each as a delta against the next newer one where that is
shorter, so that what is read most needs no delta and one version is one span of bytes. Beside it lies its map: where
each object stands, and a copy of the commits and trees, so that one small object answers which pages there are.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dulwich.errors import ApplyDeltaError
from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.pack import OFS_DELTA, apply_delta, pack_object_header

from anamnesis.adapters.git.deltas import delta
from anamnesis.adapters.git.objects import BLOB, COMMIT, ID_BYTES, TREE, GitObject, object_id
from anamnesis.domain.errors import StoreUnavailable

HEADER_BYTES: Final = 12
TRAILER_BYTES: Final = 20
#: Longest chain of deltas: reading an old version takes the bytes and the time of so many. Git's default is 50. Ours.
MAX_CHAIN: Final = 16
_MAGIC: Final = b"WIKIMAP1"
_COUNTS: Final = struct.Struct("<II")
_ORDER: Final = {COMMIT: 0, TREE: 1, BLOB: 2}


@dataclass(frozen=True, slots=True)
class WrittenPack:
    """A pack and its map, as bytes."""

    pack: bytes
    map: bytes
    objects: int


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry of a pack: all of it, the size of what it holds uncompressed, and that compressed."""

    whole: bytes
    size: int
    deflated: bytes


def written(objects: Iterable[GitObject]) -> WrittenPack:
    """Put objects into a pack; of versions of one path the newest must come first."""
    ordered = _in_order(objects)
    parts: list[bytes] = [header(len(ordered))]
    offsets, bases = array("I"), array("i")
    offset = structure = HEADER_BYTES
    chain = 0
    for index, item in enumerate(ordered):
        kind, size, body = item.kind, len(item.data), item.deflated
        base = -1
        if index and _alike(ordered[index - 1], item) and chain < MAX_CHAIN:
            changes = delta(ordered[index - 1].data, item.data)
            if 2 * len(changes) < size:
                base, kind, size, body = index - 1, OFS_DELTA, len(changes), zlib.compress(changes)
        chain = chain + 1 if base >= 0 else 0
        distance = None if base < 0 else offset - offsets[base]
        entry = bytes(pack_object_header(kind, distance, size, DEFAULT_OBJECT_FORMAT))
        entry += zlib.compress(item.data) if body is None else body
        parts.append(entry)
        offsets.append(offset)
        bases.append(base)
        offset += len(entry)
        if item.kind != BLOB:
            structure = offset
    body = b"".join(parts)
    pack = body + hashlib.sha1(body, usedforsecurity=False).digest()
    map_ = b"".join(
        (
            _MAGIC,
            _COUNTS.pack(len(ordered), structure),
            b"".join(item.id for item in ordered),
            bytes(item.kind for item in ordered),
            _stored(array("I", (item.name for item in ordered))),
            _stored(offsets),
            _stored(bases),
            body[HEADER_BYTES:structure],
        )
    )
    return WrittenPack(pack, map_, len(ordered))


def header(count: int) -> bytes:
    """What a pack of so many objects begins with."""
    return b"PACK" + struct.pack(">II", 2, count)


def whole_entry(kind: int, data: bytes, deflated: bytes | None = None) -> bytes:
    """An object as it stands in a pack, without a delta."""
    return bytes(pack_object_header(kind, None, len(data), DEFAULT_OBJECT_FORMAT)) + (
        zlib.compress(data) if deflated is None else deflated
    )


def _in_order(objects: Iterable[GitObject]) -> list[GitObject]:
    first: dict[tuple[int, int], int] = {}
    numbered = [
        (_ORDER[item.kind], first.setdefault((item.kind, item.name), number), number, item)
        for number, item in enumerate(objects)
    ]
    return [item for *_, item in sorted(numbered, key=lambda each: each[:3])]


def _alike(one: GitObject, other: GitObject) -> bool:
    return one.kind == other.kind != COMMIT and one.name == other.name


def _stored(numbers: array[int]) -> bytes:
    if struct.pack("=I", 1) != struct.pack("<I", 1):
        numbers.byteswap()
    return numbers.tobytes()


def _read(kind: str, data: bytes) -> array[int]:
    numbers = array(kind)
    numbers.frombytes(data)
    if struct.pack("=I", 1) != struct.pack("<I", 1):
        numbers.byteswap()
    return numbers


class PackMap:
    """Where each object of a pack stands, and its commits and trees.

    Parameters
    ----------
    data
        As ``written`` made it.
    pack_bytes
        Length of the pack.

    Raises
    ------
    StoreUnavailable
        If it cannot be read.
    """

    def __init__(self, data: bytes, *, pack_bytes: int) -> None:
        try:
            count, self.structure_end = _COUNTS.unpack_from(data, len(_MAGIC))
            at = len(_MAGIC) + _COUNTS.size
            ids, at = data[at : at + ID_BYTES * count], at + ID_BYTES * count
            self.kinds, at = data[at : at + count], at + count
            self.names, at = _read("I", data[at : at + 4 * count]), at + 4 * count
            self.offsets, at = _read("I", data[at : at + 4 * count]), at + 4 * count
            self.bases, at = _read("i", data[at : at + 4 * count]), at + 4 * count
        except (struct.error, ValueError):
            raise StoreUnavailable("git: the map of a pack cannot be read") from None
        self._structure = data[at:]
        if not data.startswith(_MAGIC) or len(self._structure) != self.structure_end - HEADER_BYTES:
            raise StoreUnavailable("git: the map of a pack cannot be read")
        self.pack_bytes = pack_bytes
        self.ids = [ids[start : start + ID_BYTES] for start in range(0, len(ids), ID_BYTES)]
        self.at = {id_: index for index, id_ in enumerate(self.ids)}
        #: What it takes in memory: its bytes, and some 200 for each object in the list and the dictionary.
        self.weight = len(data) + 200 * count

    def span(self, index: int) -> tuple[int, int]:
        """Offsets in the pack that an object and what its delta builds on lie between."""
        first = index
        while self.bases[first] >= 0:
            first = self.bases[first]
        return self.offsets[first], self.end(index)

    def end(self, index: int) -> int:
        """Offset behind an object."""
        return self.offsets[index + 1] if index + 1 < len(self.offsets) else self.pack_bytes - TRAILER_BYTES

    def structure_object(self, index: int, known: dict[bytes, bytes]) -> bytes:
        """The data of a commit or tree; `known` is as for ``object_in``."""
        return self.object_in(self._structure, HEADER_BYTES, index, known)

    def object_in(self, part: bytes, start: int, index: int, known: dict[bytes, bytes]) -> bytes:
        """The data of an object out of a part of the pack that begins at offset `start` and holds its span.

        Parameters
        ----------
        known
            Data by id that was read before; what a delta builds on is taken from there, and put there.

        Raises
        ------
        StoreUnavailable
            If it is damaged: what is returned always has the id that it is known by.
        """
        chain = [index]
        while self.bases[chain[-1]] >= 0 and self.ids[self.bases[chain[-1]]] not in known:
            chain.append(self.bases[chain[-1]])
        for number in reversed(chain):
            found = _inflated(part[self.offsets[number] - start : self.end(number) - start])
            base = self.bases[number]
            data = found if base < 0 else _applied(known[self.ids[base]], found)
            if object_id(self.kinds[number], data) != self.ids[number]:
                raise StoreUnavailable("git: an object is damaged")
            known[self.ids[number]] = data
        return known[self.ids[index]]

    def objects_in(self, pack: bytes) -> Iterator[GitObject]:
        """Everything in the pack, in its order."""
        before: dict[int, bytes] = {}
        for index, id_ in enumerate(self.ids):
            stored = self.stored_in(pack, 0, index)
            found = _inflated(stored.whole)
            base = self.bases[index]
            data = found if base < 0 else _applied(before.get(base, b""), found)
            kind = self.kinds[index]
            if object_id(kind, data) != id_:
                raise StoreUnavailable("git: an object is damaged")
            before = {index: data}
            deflated = stored.deflated if base < 0 else None
            yield GitObject(id_, kind, self.names[index], data, deflated)

    def stored_in(self, part: bytes, start: int, index: int) -> StoredEntry:
        """An object as it is stored, out of a part of the pack that begins at offset `start`."""
        whole = part[self.offsets[index] - start : self.end(index) - start]
        size, head = _header_of(whole)
        return StoredEntry(whole, size, whole[head:])

    def stored_structure(self, index: int) -> StoredEntry:
        """A commit or tree as it is stored."""
        return self.stored_in(self._structure, HEADER_BYTES, index)


def _header_of(entry: bytes) -> tuple[int, int]:
    """Size of what an entry holds uncompressed, and how long its own header is."""
    try:
        at, size, shift = 1, entry[0] & 0x0F, 4
        while entry[at - 1] & 0x80:
            size |= (entry[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
        if entry[0] >> 4 & 0x07 == OFS_DELTA:
            while entry[at] & 0x80:
                at += 1
            at += 1
    except IndexError:
        raise StoreUnavailable("git: an object is damaged") from None
    return size, at


def _inflated(entry: bytes) -> bytes:
    """What an entry says: an object's data, or a delta."""
    size, at = _header_of(entry)
    try:
        # One byte more than it should be shows when it is more.
        data = zlib.decompressobj().decompress(entry[at:], size + 1)
    except zlib.error:
        raise StoreUnavailable("git: an object is damaged") from None
    if len(data) != size:
        raise StoreUnavailable("git: an object is damaged")
    return data


def _applied(base: bytes, changes: bytes) -> bytes:
    try:
        return b"".join(apply_delta(base, changes))
    except ApplyDeltaError:
        raise StoreUnavailable("git: an object is damaged") from None


def joined(packs: Sequence[bytes]) -> bytes:
    """One pack of the objects of several that share none."""
    count = sum(struct.unpack(">I", pack[8:HEADER_BYTES])[0] for pack in packs)
    body = header(count) + b"".join(pack[HEADER_BYTES:-TRAILER_BYTES] for pack in packs)
    return body + hashlib.sha1(body, usedforsecurity=False).digest()
