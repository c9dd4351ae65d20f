"""Cursors of listings: a JSON value as text that is opaque to callers. Whoever gives one out checks what comes back."""

from __future__ import annotations

import base64
import json
from typing import Any


def encoded(value: Any) -> str:
    """A JSON value as a cursor: base64url without padding (RFC 4648, 5)."""
    text = json.dumps(value, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decoded(cursor: str) -> Any:
    """The value in a cursor, which anybody may have written.

    Raises
    ------
    ValueError
        If there is none.
    """
    try:
        return json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except RecursionError:
        raise ValueError("nested too deeply") from None
