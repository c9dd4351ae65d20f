"""Bedrock's ``ConverseStream`` on loopback: events in AWS's own binary form, as the real SDK reads them.

References
----------
Amazon event stream encoding: a prelude of two lengths and its CRC-32, headers, a payload, the CRC-32 of all.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from support.bedrock_converse import Raw

CONTENT_TYPE = "application/vnd.amazon.eventstream"
_STRING = 7


def message(headers: Mapping[str, str], payload: bytes) -> bytes:
    """One message of an event stream."""
    head = b"".join(
        struct.pack("!B", len(name))
        + name.encode()
        + struct.pack("!BH", _STRING, len(value))
        + value.encode()
        for name, value in headers.items()
    )
    prelude = struct.pack("!II", 16 + len(head) + len(payload), len(head))
    checked = prelude + struct.pack("!I", crc32(prelude))
    body = checked + head + payload
    return body + struct.pack("!I", crc32(body))


def event(kind: str, value: Any) -> bytes:
    """An event of Converse's."""
    headers = {":event-type": kind, ":content-type": "application/json", ":message-type": "event"}
    return message(headers, json.dumps(value).encode())


def failure(kind: str, text: str = "no") -> bytes:
    """An exception in the midst of a stream."""
    headers = {":exception-type": kind, ":content-type": "application/json", ":message-type": "exception"}
    return message(headers, json.dumps({"message": text}).encode())


def said(*pieces: str) -> list[bytes]:
    """The events of an answer's pieces."""
    return [
        event("messageStart", {"role": "assistant"}),
        *(event("contentBlockDelta", {"delta": {"text": p}, "contentBlockIndex": 0}) for p in pieces),
        event("contentBlockStop", {"contentBlockIndex": 0}),
    ]


def ended(stop: str = "end_turn", tokens: tuple[int, int] = (100, 20)) -> list[bytes]:
    """The events at the end of an answer."""
    usage = {"inputTokens": tokens[0], "outputTokens": tokens[1], "totalTokens": sum(tokens)}
    return [
        event("messageStop", {"stopReason": stop}),
        event("metadata", {"usage": usage, "metrics": {"latencyMs": 1}}),
    ]


def stream(*events: bytes) -> Raw:
    """An answer of the fake server."""
    return Raw(b"".join(events), content_type=CONTENT_TYPE)
