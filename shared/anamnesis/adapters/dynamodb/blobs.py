"""Serialised values that live in their row while they are small, and else in the content bucket."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from anamnesis.adapters.dynamodb.models import BlobRow
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.errors import StoreUnavailable

#: Largest value kept in a row, in bytes: DynamoDB's limit is 400 KB with keys and names, and a transaction's 4 MB.
MAX_INLINE_BYTES = 300_000


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a value is: in the row (`data`) or in an object (`object_key`)."""

    data: bytes | None
    object_key: str | None


class Blobs:
    """Places values and finds them again.

    Parameters
    ----------
    content
        Holds those that are too large for a row.
    """

    def __init__(self, content: ContentObjects) -> None:
        self._content = content

    def place(self, value: bytes, *, prefix: str) -> Placed:
        """Store a value outside the row if it must be; an equal value under the same prefix has the same place."""
        if len(value) <= MAX_INLINE_BYTES:
            return Placed(data=value, object_key=None)
        key = f"{prefix}/{hashlib.sha256(value).hexdigest()[:32]}"
        self._content.put(key, value)
        return Placed(data=None, object_key=key)

    def load(self, row: BlobRow) -> bytes:
        """Return the value of a row.

        Raises
        ------
        StoreUnavailable
            If its object is gone.
        """
        value = self._content.get(row.object_key) if row.object_key else row.data
        if value is None:
            raise StoreUnavailable("s3: a value that outgrew its row is missing")
        return bytes(value)
