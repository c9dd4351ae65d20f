"""Sort keys, and the way back from a storage key to its owner."""

from __future__ import annotations

from urllib.parse import unquote

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair

#: Positions are padded to this many digits, so that text sorts as numbers do.
POSITION_DIGITS = 12
LAST_POSITION = 10**POSITION_DIGITS - 1


def at_position(prefix: str, position: int) -> str:
    """Return a sort key such as ``E#000000000042``."""
    return f"{prefix}{position:0{POSITION_DIGITS}d}"


def position_of(sort_key: str) -> int:
    """Return the position at the end of a sort key."""
    return int(sort_key[-POSITION_DIGITS:])


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
