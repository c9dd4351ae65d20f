"""What makes one text of another, in the form that git's packs know.

Dulwich makes deltas by comparing sequences of bytes in plain Python, which takes seconds for an index of some ten
kilobytes. This finds blocks of the base by their value instead, in time linear in both texts; dulwich and git apply it.

References
----------
git, "Documentation/gitformat-pack.txt", section "Deltified representation".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

#: Bytes that must agree before they are copied: fewer cost as much as they save. Git's own value.
_BLOCK: Final = 16
#: Longest copy of one instruction that every reader of version 2 packs knows.
_MAX_COPY: Final = 0xFFFF
_MAX_INSERT: Final = 0x7F


def delta(base: bytes, target: bytes) -> bytes:
    """Instructions that make `target` of `base`."""
    return b"".join((_size(len(base)), _size(len(target)), *_instructions(base, target)))


def _instructions(base: bytes, target: bytes) -> Iterator[bytes]:
    blocks: dict[bytes, int] = {}
    for start in range(0, len(base) - _BLOCK + 1, _BLOCK):
        blocks.setdefault(base[start : start + _BLOCK], start)
    at = told = 0
    while at + _BLOCK <= len(target):
        found = blocks.get(target[at : at + _BLOCK])
        if found is None:
            at += 1
            continue
        while at > told and found and base[found - 1] == target[at - 1]:
            at, found = at - 1, found - 1
        length = _common(base, found, target, at)
        yield from _inserted(target[told:at])
        yield from _copied(found, length)
        at = told = at + length
    yield from _inserted(target[told:])


def _common(base: bytes, found: int, target: bytes, at: int) -> int:
    """How many bytes agree from there on."""
    longest = min(len(base) - found, len(target) - at)
    length, step = 0, _BLOCK
    while step:
        most = min(step, longest - length)
        if most and base[found + length : found + length + most] == target[at + length : at + length + most]:
            length += most
            step *= 2
        else:
            step //= 2
    return length


def _copied(start: int, length: int) -> Iterator[bytes]:
    while length:
        some = min(length, _MAX_COPY)
        command, operands = 0x80, bytearray()
        for bit, value in enumerate((*start.to_bytes(4, "little"), *some.to_bytes(3, "little"))):
            if value:
                command |= 1 << bit
                operands.append(value)
        yield bytes((command, *operands))
        start, length = start + some, length - some


def _inserted(text: bytes) -> Iterator[bytes]:
    for start in range(0, len(text), _MAX_INSERT):
        some = text[start : start + _MAX_INSERT]
        yield bytes((len(some),)) + some


def _size(value: int) -> bytes:
    coded = bytearray()
    while value > 0x7F:
        coded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*coded, value))
