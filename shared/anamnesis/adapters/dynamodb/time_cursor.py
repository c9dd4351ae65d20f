"""Cursors into a pair's episodes by time: opaque to callers, checked before use."""

from __future__ import annotations

import hashlib
import re

from anamnesis.domain import cursors
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair

_OCCURRED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z#[0-9]{12}")
#: A cursor is about 120 characters long; nothing longer is decoded.
_MAX_CHARS = 400


def cursor_after(pair: Pair, occurred: str) -> str:
    """Return the cursor of the page after the episode with this key of the index by time."""
    return cursors.encoded({"after": occurred, "of": _mark(pair)})


def read_cursor(cursor: str, pair: Pair, *, first: str, last: str) -> str:
    """Return the index key that a cursor stands behind.

    The partition always comes from the caller, so that no cursor, forged or not, can leave its pair. One that lies
    outside the window is refused here, because DynamoDB would refuse it as a start.

    Parameters
    ----------
    first, last
        Bounds of the window, as keys of the index.

    Raises
    ------
    InvalidInput
        If it was not given out for this pair and a window around it.
    """
    problem = InvalidInput("is not a cursor that was given out for this query", field="cursor")
    if len(cursor) > _MAX_CHARS:
        raise problem
    try:
        value = cursors.decoded(cursor)
    except ValueError:
        raise problem from None
    if not isinstance(value, dict) or value.get("of") != _mark(pair):
        raise problem
    occurred = value.get("after")
    if not isinstance(occurred, str) or not _OCCURRED.fullmatch(occurred) or not first <= occurred <= last:
        raise problem
    return occurred


def _mark(pair: Pair) -> str:
    return hashlib.sha256(pair.key.encode()).hexdigest()[:16]
