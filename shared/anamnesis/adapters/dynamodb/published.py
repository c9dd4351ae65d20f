"""One published version of a large derived object: bytes in the content bucket, a small pointer in a table.

Readers ask for the pointer first, and for the bytes only when it names another object than they have.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import datetime

from anamnesis.adapters.dynamodb.connection import get_row, put_if
from anamnesis.adapters.dynamodb.models import PointerRow
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.errors import StoreUnavailable

#: Times that a reader follows the pointer anew when its object was just replaced.
TRIES = 3


class Published:
    """Publishes and finds objects of one kind.

    Parameters
    ----------
    pointers
        Bound model of the table that holds the pointers.
    content
        Where the bytes are.
    sort_key
        Sort key of the pointer, such as ``MAP``.
    prefix
        First part of the objects' keys, such as ``maps``.
    """

    def __init__(
        self, pointers: type[PointerRow], content: ContentObjects, *, sort_key: str, prefix: str
    ) -> None:
        self._pointers = pointers
        self._content = content
        self._sort_key = sort_key
        self._prefix = prefix

    def publish(self, owner: str, data: bytes, *, position: int, unless_equal: bool) -> bool:
        """Store the bytes, then move the pointer forward to them; return whether it moved.

        Parameters
        ----------
        owner
            Partition key.
        position
            What orders versions; the pointer never moves back.
        unless_equal
            Whether a version at the same position stays (True) or is replaced (False).
        """
        before = self.pointer(owner)
        if before is not None and before.position >= position + (0 if unless_equal else 1):
            return False
        key = f"{self._objects_of(owner)}{position:012d}-{hashlib.sha256(data).hexdigest()[:16]}"
        self._content.put(key, data)
        further = PointerRow.position < position if unless_equal else PointerRow.position <= position
        row = self._pointers(owner, self._sort_key, position=position, object_key=key)
        moved = put_if(row, PointerRow.pk.does_not_exist() | further)
        if moved and before is not None and before.object_key != key:
            # What nothing points to any more goes; a reader between pointer and object follows the pointer anew.
            # What stays behind when this fails is litter, and no reason to call the publication failed.
            with suppress(StoreUnavailable):
                self._content.delete(before.object_key)
        return moved

    def sweep(self, owner: str, *, until: datetime | None = None) -> None:
        """Remove every stored version that nothing points to, of those written before `until` when it is given.

        Versions from before the published one go whenever they were written: the pointer never moves back to them. A
        publication of a later one that is under way may find its object gone: its pointer then leads nowhere, as after
        a loss.
        """
        prefix = self._objects_of(owner)
        stored = set(self._content.keys(prefix, until=until))
        published = self.pointer(owner)
        if published is not None:
            earlier = f"{prefix}{int(published.position):012d}-"
            # Positions of a working set have more digits than that, the more the later: first the shorter names.
            stored |= {
                k for k in self._content.keys(prefix) if (len(k), k) < (len(published.object_key), earlier)
            }
            stored.discard(published.object_key)
        self._content.delete_many(stored)

    def pointer(self, owner: str) -> PointerRow | None:
        """Return the pointer by one small consistent read."""
        return get_row(self._pointers, owner, self._sort_key)

    def load(self, owner: str, pointer: PointerRow) -> tuple[PointerRow, bytes] | None:
        """Return the bytes behind a pointer with the pointer that they belong to, or None if they stay missing."""
        for _ in range(TRIES):
            data = self._content.get(pointer.object_key)
            if data is not None:
                return pointer, data
            pointer = self.pointer(owner) or pointer
        return None

    def _objects_of(self, owner: str) -> str:
        return f"{self._prefix}/{owner}/"
