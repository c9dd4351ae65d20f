"""Which way text is written."""

from __future__ import annotations

import unicodedata

#: Bidirectional classes of letters that are written from the right (UAX #9).
RIGHT = frozenset({"R", "AL"})
#: Hebrew is the first block of a script that is written from the right.
_FIRST_FROM_THE_RIGHT = "\u0590"


def is_right_to_left(text: str) -> bool:
    """Whether more letters of `text` are written from the right than from the left."""
    if not text or max(text) < _FIRST_FROM_THE_RIGHT:
        return False
    balance = 0
    for char in text:
        direction = unicodedata.bidirectional(char)
        balance += (direction in RIGHT) - (direction == "L")
    return balance > 0


def holds_right_to_left(text: str) -> bool:
    """Whether any letter of `text` is written from the right."""
    if not text or max(text) < _FIRST_FROM_THE_RIGHT:
        return False
    return any(unicodedata.bidirectional(char) in RIGHT for char in text)
