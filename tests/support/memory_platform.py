"""What is not a store of the memory, in memory: clock, identifiers, checkpoints, uploads, index, queue."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import count

import numpy as np
import numpy.typing as npt

from anamnesis.domain.errors import InvalidInput, NotFound, StoreUnavailable, TooLarge
from anamnesis.domain.files import FileRecord, UploadTicket
from anamnesis.domain.identifiers import Pair, StudentScope, SubjectScope
from anamnesis.domain.log.checkpoints import Checkpoint

Vector = npt.NDArray[np.float32]


class SteppingClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, now: datetime = datetime(2026, 7, 3, 9, tzinfo=UTC)) -> None:
        self.at = now

    def now(self) -> datetime:
        return self.at

    def advance(self, **duration: float) -> datetime:
        """Move forward by a ``timedelta``'s arguments; return the new time."""
        self.at += timedelta(**duration)
        return self.at


class CountingIds:
    """Identifiers that sort by time and then by number, and salts that differ."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new_id(self, at: datetime) -> str:
        # Crockford's digits without letters: 10 for the milliseconds would overflow, so the time is kept in hex
        # letters that ULIDs know as well.
        return f"{int(at.timestamp() * 1000):011X}{next(self._numbers):015d}"

    def new_salt(self) -> str:
        return f"{next(self._numbers):032x}"


class MemoryReadingParts:
    """``ReadingParts`` in memory."""

    def __init__(self) -> None:
        self.parts: dict[tuple[SubjectScope, str], dict[str, bytes]] = {}

    def kept_part(self, scope: SubjectScope, file_id: str, part: str) -> bytes | None:
        return self.parts.get((scope, file_id), {}).get(part)

    def keep_part(self, scope: SubjectScope, file_id: str, part: str, data: bytes) -> None:
        self.parts.setdefault((scope, file_id), {})[part] = data

    def drop_parts(self, scope: SubjectScope, file_id: str) -> None:
        self.parts.pop((scope, file_id), None)


class MemoryCheckpointStore:
    """``CheckpointStore`` in memory."""

    def __init__(self) -> None:
        self.checkpoints: dict[Pair, list[Checkpoint]] = {}

    def add(self, pair: Pair, checkpoint: Checkpoint) -> None:
        kept = self.checkpoints.setdefault(pair, [])
        if not any((c.length, c.root_hash) == (checkpoint.length, checkpoint.root_hash) for c in kept):
            kept.append(checkpoint)

    def all(self, pair: Pair) -> list[Checkpoint]:
        return sorted(self.checkpoints.get(pair, []), key=lambda c: (c.length, c.root_hash))

    def after(self, pair: Pair, length: int, *, limit: int) -> list[Checkpoint]:
        longer = [c for c in self.all(pair) if c.length > length]
        last = longer[:limit][-1].length if longer and limit > 0 else 0
        return [c for c in longer if c.length <= last]

    def newest(self, pair: Pair) -> Iterator[Checkpoint]:
        return reversed(self.all(pair))


class MemoryUploadArea:
    """``UploadArea`` in memory; ``put`` is what a caller with a ticket does."""

    def __init__(self) -> None:
        self._tickets: dict[str, tuple[SubjectScope, str]] = {}
        self._bytes: dict[tuple[SubjectScope, str], bytes] = {}

    def ticket(self, record: FileRecord, *, expires_at: datetime) -> UploadTicket:
        key = f"uploads/{record.scope.key}/{record.id}"
        self._tickets[key] = (record.scope, record.id)
        headers = {"Content-Type": record.media_type, "Content-Length": str(record.declared_bytes)}
        return UploadTicket(record, f"memory://{key}", "PUT", headers, expires_at)

    def put(self, ticket: UploadTicket, data: bytes) -> str:
        """Upload and return the object's key."""
        key = ticket.url.removeprefix("memory://")
        self._bytes[self._tickets[key]] = data
        return key

    def locate(self, object_key: str) -> tuple[SubjectScope, str]:
        if object_key not in self._tickets:
            raise InvalidInput("is not the key of an uploaded file", field="object_key")
        return self._tickets[object_key]

    def fetch(self, scope: SubjectScope, file_id: str, *, max_bytes: int) -> bytes:
        data = self._bytes.get((scope, file_id))
        if data is None:
            raise NotFound("nothing was uploaded for this file")
        if len(data) > max_bytes:
            raise TooLarge(f"the upload is larger than {max_bytes} bytes")
        return data

    def delete(self, scope: SubjectScope, file_id: str) -> None:
        self._bytes.pop((scope, file_id), None)


class MemorySemanticIndex:
    """``SemanticIndex`` in memory: exact neighbours."""

    def __init__(self) -> None:
        self._vectors: dict[Pair, dict[int, Vector]] = {}
        self._dimension = 0

    def add(self, pair: Pair, vectors: Mapping[int, Vector]) -> None:
        known = self._vectors.setdefault(pair, {})
        refused = 0
        for position, vector in vectors.items():
            self._dimension = self._dimension or len(vector)
            if len(vector) != self._dimension or not np.isfinite(vector).all():
                refused += 1
            elif vector.any():
                known[position] = vector
            else:
                known.pop(position, None)
        if refused:
            raise StoreUnavailable("some vectors were not indexed")

    def remove(self, pair: Pair, positions: Collection[int]) -> None:
        for position in positions:
            self._vectors.get(pair, {}).pop(position, None)

    def neighbours(
        self, pair: Pair, query: Vector, count: int, *, timeout_seconds: float
    ) -> list[tuple[int, float]]:
        if not query.any():
            return []
        scored = [
            (position, float(vector @ query)) for position, vector in self._vectors.get(pair, {}).items()
        ]
        return sorted(scored, key=lambda hit: -hit[1])[:count]


class MemoryWikiQueue:
    """``WikiQueue`` in memory."""

    def __init__(self) -> None:
        self.sent: list[StudentScope] = []

    def send(self, scope: StudentScope) -> None:
        self.sent.append(scope)


class MemoryNightQueue:
    """``NightQueue`` in memory."""

    def __init__(self) -> None:
        self.sent: list[tuple[Pair, date]] = []

    def send(self, pairs: Iterable[Pair], night: date) -> int:
        batch = [(pair, night) for pair in pairs]
        self.sent.extend(batch)
        return len(batch)


class MemoryRequestCounter:
    """``RequestCounter`` in memory; `asked` is how often it was asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, datetime], int] = {}
        self.asked = 0

    def add(self, tenant: str, window: datetime, count: int) -> int:
        with self._lock:
            self.asked += 1
            self._counts[tenant, window] = self._counts.get((tenant, window), 0) + count
            return self._counts[tenant, window]


class MemoryKeyedHash:
    """``KeyedHash`` of a fixed key; `asked` is how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def secret_for(self, pair: Pair) -> bytes:
        self.asked += 1
        return hashlib.sha256(f"a key of tests {pair.key}".encode()).digest()
