"""Counts requests and bytes on the wire: what a turn costs is promised in these, never in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol


class HasMeta(Protocol):
    """A botocore client, as far as the meter needs one."""

    @property
    def meta(self) -> Any:
        """Holds the event emitter."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """What went over the wire.

    Attributes
    ----------
    requests
        HTTP requests, every retry counted.
    sent_bytes, received_bytes
        Sizes of the bodies, without headers.
    seconds
        Time between sending and the answer, added up over requests that may have run at once; no part of equality,
        since noise touches it.
    """

    requests: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0
    seconds: float = field(default=0.0, compare=False)

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(
            self.requests + other.requests,
            self.sent_bytes + other.sent_bytes,
            self.received_bytes + other.received_bytes,
            self.seconds + other.seconds,
        )

    def __sub__(self, other: Traffic) -> Traffic:
        return Traffic(
            self.requests - other.requests,
            self.sent_bytes - other.sent_bytes,
            self.received_bytes - other.received_bytes,
            self.seconds - other.seconds,
        )


@dataclass(slots=True)
class Measured:
    """Traffic by operation, such as ``dynamodb.Query``; filled when the measured block ends."""

    by_operation: dict[str, Traffic] = field(default_factory=dict)

    @property
    def total(self) -> Traffic:
        """Over all operations."""
        return sum(self.by_operation.values(), Traffic())


class RequestMeter:
    """Thread-safe totals over all the clients it is attached to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._totals: dict[str, Traffic] = {}
        self._sending = threading.local()

    def attach(self, client: HasMeta) -> None:
        """Count what this botocore client sends and receives from now on."""
        client.meta.events.register("before-send", self._sent)
        client.meta.events.register("response-received", self._received)

    def totals(self) -> dict[str, Traffic]:
        """Traffic by operation since the meter was made."""
        with self._lock:
            return dict(self._totals)

    @contextmanager
    def measure(self) -> Iterator[Measured]:
        """Measure what happens inside the block, in any thread."""
        before = self.totals()
        measured = Measured()
        try:
            yield measured
        finally:
            for operation, traffic in self.totals().items():
                spent = traffic - before.get(operation, Traffic())
                if spent != Traffic():
                    measured.by_operation[operation] = spent

    def _sent(self, event_name: str, request: Any, **_: Any) -> None:
        declared = _declared(request.headers)
        size = declared if declared is not None else _size(request.body)
        self._sending.since = time.perf_counter()
        self._count(event_name, Traffic(requests=1, sent_bytes=size))

    def _received(self, event_name: str, response_dict: Any, **_: Any) -> None:
        if response_dict is None:
            return
        # A streamed body (an S3 object) is not read yet; its header says how much will come.
        declared = _declared(response_dict["headers"])
        size = declared if declared is not None else _size(response_dict.get("body"))
        waited = time.perf_counter() - self._sending.since
        self._count(event_name, Traffic(received_bytes=size, seconds=waited))

    def _count(self, event_name: str, traffic: Traffic) -> None:
        operation = event_name.split(".", 1)[1]
        with self._lock:
            self._totals[operation] = self._totals.get(operation, Traffic()) + traffic


def _size(body: Any) -> int:
    if isinstance(body, str):
        return len(body.encode())
    return len(body) if isinstance(body, bytes | bytearray) else 0


def _declared(headers: Any) -> int | None:
    # A body with its checksum behind it is sent in chunks; the header tells the size of what is inside.
    for name in ("X-Amz-Decoded-Content-Length", "Content-Length"):
        value = headers.get(name)
        if value is not None:
            return int(value)
    return None
