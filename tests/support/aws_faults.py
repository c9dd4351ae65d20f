"""Failures of AWS on demand: answers given instead of sending, through botocore's own events."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSResponse
from moto.core.models import botocore_stubber


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
