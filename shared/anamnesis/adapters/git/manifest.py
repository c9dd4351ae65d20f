"""What is current: the head of a wiki and the packs that hold everything it needs, in one small object.

Replacing it moves the head and replaces packs at one stroke; it happens only if nobody else replaced it since it
was read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import StudentScope

FOLDER: Final = "wikis"
_FORMAT: Final = 1
_HEX: Final = re.compile(r"[0-9a-f]{32,64}")


@dataclass(frozen=True, slots=True)
class PackRecord:
    """A stored pack.

    Attributes
    ----------
    name
        By which its objects are stored; chosen at random, so that no name is used again.
    checksum
        By which git knows it: hex SHA-1 of its content.
    map_hash
        Hex SHA-256 of its map.
    pack_bytes, objects
        Its size.
    """

    name: str
    checksum: str
    map_hash: str
    pack_bytes: int
    objects: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The state of a wiki; packs oldest first. `tag` is the stored object's, None before there is one."""

    head: str | None = None
    packs: tuple[PackRecord, ...] = ()
    tag: str | None = None

    def with_head(self, head: str | None, packs: Iterable[PackRecord]) -> Manifest:
        """The state after this one."""
        return replace(self, head=head, packs=tuple(packs))


def owner_prefix(scope: StudentScope) -> str:
    """What the keys of everything of one wiki begin with."""
    return f"{FOLDER}/{scope.key}/"


def pack_key(scope: StudentScope, name: str) -> str:
    """Where a pack is."""
    return f"{owner_prefix(scope)}packs/{name}.pack"


def map_key(scope: StudentScope, name: str) -> str:
    """Where the map of a pack is."""
    return f"{owner_prefix(scope)}packs/{name}.map"


def head_key(scope: StudentScope) -> str:
    """Where the manifest is."""
    return f"{owner_prefix(scope)}head.json"


def load(content: ContentObjects, scope: StudentScope) -> Manifest:
    """The state now: one request."""
    found = content.get_tagged(head_key(scope))
    if found is None:
        return Manifest()
    data, tag = found
    try:
        return _read(json.loads(data), tag)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StoreUnavailable("git: the head of a wiki cannot be read") from None


def _read(value: Any, tag: str) -> Manifest:
    packs = tuple(
        PackRecord(
            name=_hex(pack["name"]),
            checksum=_hex(pack["checksum"]),
            map_hash=_hex(pack["map"]),
            pack_bytes=int(pack["bytes"]),
            objects=int(pack["objects"]),
        )
        for pack in value["packs"]
    )
    if value["format"] != _FORMAT:
        raise ValueError("another format")
    head = value["head"]
    return Manifest(None if head is None else _hex(head), packs, tag)


def _hex(value: str) -> str:
    if not _HEX.fullmatch(value):
        raise ValueError("no hex digits")
    return value


def replace_by(content: ContentObjects, scope: StudentScope, new: Manifest) -> bool:
    """Store `new` in place of what had its tag: one request; False if that was replaced by another one since."""
    value = {
        "format": _FORMAT,
        "head": new.head,
        "packs": [
            {
                "name": pack.name,
                "checksum": pack.checksum,
                "map": pack.map_hash,
                "bytes": pack.pack_bytes,
                "objects": pack.objects,
            }
            for pack in new.packs
        ],
    }
    data = json.dumps(value).encode()
    return content.put_if(head_key(scope), data, new.tag, media_type="application/json")
