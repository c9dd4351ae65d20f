"""Canonical JSON (RFC 8785), quickly for the values that logs hold.

The library's own way costs most of verifying a log. The standard library's encoder, written in C, gives the same bytes
for text, lists, objects with ASCII keys, whole numbers and most fractions; everything else goes the library's way.
"""

from __future__ import annotations

import json
from typing import Any, Final

import rfc8785

#: Whole numbers that every JSON reader knows exactly (RFC 8785, section 3.2.2.3: IEEE 754 doubles).
_EXACT: Final = 2**53 - 1
#: Where Python writes the shortest digits of a fraction without an exponent, as ECMAScript does (ECMA-262,
#: Number::toString); ``float.__repr__`` has exponents below the first and from 1e16 on.
_SMALLEST_PLAIN, _LARGEST_PLAIN = 1e-4, 1e15

_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
)


class _OtherwiseWritten(Exception):
    """The value holds something that the standard encoder writes in another way."""


def canonical_json(value: Any) -> bytes:
    """The RFC 8785 form of `value` (JSON types only).

    Raises
    ------
    ValueError
        If it has none: a number that is not finite or not exact, half a surrogate pair, or what is no JSON.
    """
    try:
        return _ENCODER.encode(_plain(value)).encode()
    except _OtherwiseWritten:
        return rfc8785.dumps(value)


def _plain(value: Any) -> Any:
    """The value in types that the standard encoder writes canonically."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        for key in value:
            # ASCII keys sort by their UTF-16 form as they do by code point.
            if type(key) is not str or not key.isascii():
                raise _OtherwiseWritten
        return {key: _plain(inner) for key, inner in value.items()}
    if kind is list or kind is tuple:
        return [_plain(inner) for inner in value]
    if kind is int and -_EXACT <= value <= _EXACT:
        return value
    if kind is float and (value == 0 or _SMALLEST_PLAIN <= abs(value) < _LARGEST_PLAIN):
        return int(value) if value.is_integer() else value
    raise _OtherwiseWritten
