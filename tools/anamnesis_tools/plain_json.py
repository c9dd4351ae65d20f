"""JSON that somebody else may have written: read so that it means one thing, shown so that it does nothing."""

from __future__ import annotations

import json
from typing import Any

#: Longest text shown of what a file says of itself. Ours.
_SHOWN = 80


def read(text: str | bytes) -> Any:
    """Read JSON in which every name of an object stands once.

    Raises
    ------
    ValueError
        If it is none, is nested too deeply to be read, or has a name twice: readers differ in which one they take.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def written(value: object) -> str:
    """JSON for standard output; what UTF-8 cannot encode is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, indent=2)
    return text


def shown(value: object) -> str:
    """A value in a line for a terminal: nothing in it moves the cursor, hides what follows or runs on for ever."""
    text = value if isinstance(value, str) and value.isprintable() else ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found
