"""Failures of AWS on demand: answers given instead of sending, through botocore's own events."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ReadTimeoutError
from moto.core.models import botocore_stubber

from support.port_faults import Crash


class _Raw(io.BytesIO):
    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()


def answer(status: int, body: Any) -> AWSResponse:
    """An HTTP answer with a JSON body."""
    return AWSResponse("https://injected", status, {}, _Raw(json.dumps(body).encode()))


def dynamodb_error(code: str, *, reasons: list[str] | None = None, status: int = 400) -> AWSResponse:
    """A refusal by DynamoDB whose message quotes student text, as real ones may."""
    body: dict[str, Any] = {
        "__type": f"com.amazonaws.dynamodb.v20120810#{code}",
        "message": "SECRET student text",
    }
    if reasons is not None:
        body["CancellationReasons"] = [{"Code": reason, "Message": "SECRET"} for reason in reasons]
    return answer(status, body)


@contextmanager
def instead(client: Any, operation: str, *outcomes: Any) -> Iterator[list[bytes]]:
    """Answer the next requests of this operation with these outcomes, then let them through.

    An outcome is a response, an exception to raise, or None to let one request through. Gives the list of the bodies
    that were to be sent.
    """
    sent: list[bytes] = []
    mocked = botocore_stubber.enabled
    left = list(outcomes)

    def before_send(request: Any, **_: Any) -> AWSResponse | None:
        sent.append(request.body)
        outcome = left.pop(0) if left else None
        # botocore asks every handler and takes the first answer: moto must not carry out what we answer.
        botocore_stubber.enabled = outcome is None and mocked
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def answered(**_: Any) -> None:
        botocore_stubber.enabled = mocked

    events = {f"before-send.*.{operation}": before_send, f"response-received.*.{operation}": answered}
    for event, handler in events.items():
        client.meta.events.register_first(event, handler)
    try:
        yield sent
    finally:
        for event, handler in events.items():
            client.meta.events.unregister(event, handler)


class Strike(Enum):
    """What becomes of a request, and of those after it; botocore tries each up to three times."""

    KILLED_BEFORE = "killed before it is sent"
    KILLED_AFTER = "killed when it has taken effect"
    LOST = "its answer is lost once"
    LOST_FOR_GOOD = "its answer is lost at every try"
    THROTTLED = "throttled at every try"
    PARTIAL = "done by half, twice"

    @property
    def times(self) -> int:
        """How many requests in a row it hits."""
        return {Strike.LOST_FOR_GOOD: 3, Strike.THROTTLED: 3, Strike.PARTIAL: 2}.get(self, 1)

    def hits(self, operation: str) -> bool:
        """Whether it can hit a request."""
        return self is not Strike.PARTIAL or operation in PARTS


#: Operations that may be done in part.
PARTS = frozenset({"BatchWriteItem", "BatchGetItem", "SendMessageBatch", "DeleteObjects"})


@dataclass
class RequestPlan:
    """Which request fails, and how, over all clients that it is attached to.

    Parameters
    ----------
    call
        Number of the first failing request, from 1, among those that the strike can hit; None never fails.
    """

    call: int | None = None
    strike: Strike = Strike.KILLED_BEFORE
    armed: bool = False
    dead: bool = False
    sent: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def attached(self, *clients: Any) -> Iterator[None]:
        """Strike what these clients send."""
        events = {"before-send": self._before_send, "response-received": self._answered}
        for client in clients:
            for event, handler in events.items():
                client.meta.events.register_first(event, handler)
        try:
            yield
        finally:
            for client in clients:
                for event, handler in events.items():
                    client.meta.events.unregister(event, handler)

    def disarm(self) -> None:
        """End the failures: a new process begins."""
        self.armed = self.dead = False

    def _before_send(self, request: Any, event_name: str, **_: Any) -> AWSResponse | None:
        if not self.armed:
            return None
        if self.dead:
            raise Crash
        _, service, operation = event_name.split(".")
        if not self.strike.hits(operation):
            return None
        with self._lock:
            self.sent.append(operation)
            if self.call is None or not self.call <= len(self.sent) < self.call + self.strike.times:
                return None
            self.failed.append(operation)
        return self._struck(request, service, operation)

    def _struck(self, request: Any, service: str, operation: str) -> AWSResponse:
        if self.strike is Strike.KILLED_BEFORE:
            self.dead = True
            raise Crash
        if self.strike is Strike.PARTIAL:
            given = _done_by_half(request, operation)
        elif self.strike is Strike.THROTTLED:
            given = _throttled(service)
        else:
            botocore_stubber("before-send", request)
            if self.strike is Strike.KILLED_AFTER:
                self.dead = True
                raise Crash
            raise ReadTimeoutError(endpoint_url="https://injected")
        # botocore asks every handler and takes the first answer: moto must not carry out what we answer.
        botocore_stubber.enabled = False
        return given

    def _answered(self, **_: Any) -> None:
        botocore_stubber.enabled = True


def _throttled(service: str) -> AWSResponse:
    if service == "s3":
        return _xml(503, "<Error><Code>SlowDown</Code><Message>SECRET</Message></Error>")
    if service == "sqs":
        return answer(400, {"__type": "com.amazonaws.sqs#RequestThrottled", "message": "SECRET"})
    return dynamodb_error("ProvisionedThroughputExceededException")


def _done_by_half(request: Any, operation: str) -> AWSResponse:
    """Let the first half of a batch take effect, and give the answer that says so."""
    if operation == "DeleteObjects":
        error = "<Error><Key>SECRET</Key><Code>InternalError</Code><Message>SECRET</Message></Error>"
        return _xml(200, f"<DeleteResult>{error}</DeleteResult>")
    body = json.loads(request.body)
    if operation == "BatchGetItem":
        return answer(200, {"Responses": {}, "UnprocessedKeys": body["RequestItems"]})
    if operation == "BatchWriteItem":
        [(table, writes)] = body["RequestItems"].items()
        half = len(writes) // 2
        _carry_out(request, body, {"RequestItems": {table: writes[:half]}} if half else None)
        return answer(200, {"UnprocessedItems": {table: writes[half:]}})
    entries = body["Entries"]
    half = len(entries) // 2
    _carry_out(request, body, {"Entries": entries[:half]} if half else None)
    sent = [{"Id": entry["Id"], "MessageId": "m", "MD5OfMessageBody": "d"} for entry in entries[:half]]
    failed = [{"Id": entry["Id"], "Code": "InternalError", "SenderFault": False} for entry in entries[half:]]
    return answer(200, {"Successful": sent, "Failed": failed})


def _carry_out(request: Any, body: dict[str, Any], part: dict[str, Any] | None) -> None:
    if part is not None:
        whole, request.body = request.body, json.dumps({**body, **part}).encode()
        botocore_stubber("before-send", request)
        request.body = whole


def _xml(status: int, body: str) -> AWSResponse:
    return AWSResponse("https://injected", status, {}, _Raw(body.encode()))
