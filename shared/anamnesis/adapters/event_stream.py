"""Server-sent events out of bytes, read without trust: no line and no event may grow beyond a bound.

References
----------
WHATWG, HTML, section 9.2.6 "Interpreting an event stream".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")


class EventTooLong(ValueError):
    """An event, or a line of one, is longer than is read."""


def event_data(pieces: Iterable[bytes], *, max_bytes: int) -> Iterator[str]:
    """Yield the data of each event, however the bytes are cut into pieces; an event that is not ended is none.

    Parameters
    ----------
    max_bytes
        Longest event, and longest line of anything else.

    Raises
    ------
    EventTooLong
        As said; what came before has been yielded.
    """
    data: list[bytes] = []
    for line in _lines(pieces, max_bytes):
        if not line:
            if data:
                yield b"\n".join(data).decode("utf-8", "replace")
            data = []
        elif line.startswith(b"data") and line[4:5] in {b":", b""}:
            value = line[5:]
            data.append(value[1:] if value.startswith(b" ") else value)
            if sum(map(len, data)) + len(data) > max_bytes:
                raise EventTooLong


def _lines(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    begun = bytearray()
    for piece in pieces:
        begun += piece
        # Of a carriage return at the end nobody knows yet whether a line feed belongs to it.
        end = len(begun) - 1 if begun.endswith(b"\r") else len(begun)
        start = 0
        for found in _LINE_END.finditer(begun, 0, end):
            yield bytes(begun[start : found.start()])
            start = found.end()
        del begun[:start]
        if len(begun) > max_bytes:
            raise EventTooLong
    if begun.endswith(b"\r"):
        yield bytes(begun[:-1])
