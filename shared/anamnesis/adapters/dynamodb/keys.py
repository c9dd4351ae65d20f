"""Sort keys, and the way back from a storage key to its owner."""

from __future__ import annotations

import re
from urllib.parse import unquote

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair, joined

#: Positions are padded to this many digits, so that text sorts as numbers do.
POSITION_DIGITS = 12
LAST_POSITION = 10**POSITION_DIGITS - 1
_AT_POSITION = re.compile(rf"[A-Z]+#([0-9]{{{POSITION_DIGITS}}})")
_CLAIMED = re.compile(rf"[A-Z]+#([0-9]{{1,{POSITION_DIGITS}}})")


def at_position(prefix: str, position: int) -> str:
    """Return a sort key such as ``E#000000000042``."""
    return f"{prefix}{position:0{POSITION_DIGITS}d}"


def apart(kind: str, *parts: str) -> str:
    """Return a partition key that no choice of names makes a pair's or a subject's, such as ``#DAY#2026-07-03#4``.

    Those begin with the name of a tenant, which is never empty: one called ``DAY`` must not own the days.
    """
    return joined("", kind, *parts)


def position_of(sort_key: str) -> int:
    """Return the position at the end of a sort key.

    Raises
    ------
    ValueError
        If it is not spelled as ``at_position`` spells it: nothing else sorts, and is found, where its number says.
    """
    found = _AT_POSITION.fullmatch(sort_key)
    if found is None:
        raise ValueError("is not the sort key of a position")
    return int(found[1])


def claimed_position(sort_key: str) -> int:
    """Return the position that a sort key claims, however badly spelled; 0 when it claims none."""
    found = _CLAIMED.fullmatch(sort_key)
    return 0 if found is None else int(found[1])


def pair_of(key: str) -> Pair:
    """Return the pair behind ``Pair.key``.

    Raises
    ------
    InvalidInput
        If it is no pair's key.
    """
    parts = key.split("#")
    if len(parts) != 3:
        raise InvalidInput("is not the storage key of a pair")
    pair = Pair(*(unquote(part) for part in parts))
    if pair.key != key:
        raise InvalidInput("is not the storage key of a pair")
    return pair
