"""Git's packet lines, and how a request to fetch is read.

References
----------
git, "Documentation/gitprotocol-common.txt", "gitprotocol-pack.txt" and "gitprotocol-v2.txt".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from anamnesis.domain.errors import InvalidInput

FLUSH: Final = b"0000"
DELIMITER: Final = b"0001"
#: Most data of one packet: 65,520 bytes less its length and the number of its band.
_MAX_BAND: Final = 65_515
#: Most lines of a request. Git asks about a history in rounds of at most some thousand commits.
MAX_LINES: Final = 100_000
_ID: Final = re.compile(rb"[0-9a-f]{40}")


@dataclass(slots=True)
class FetchRequest:
    """What a client wants.

    Attributes
    ----------
    wants, haves, shallows
        Ids in hex: what it wants, what it has, and those of them whose parents it has not.
    depth
        How many commits from a wanted one on, None for all; with `relative`, from its shallow ones on.
    done
        Whether it has said all that it has.
    capabilities
        Of the oldest protocol.
    uri_protocols
        By which it would fetch packs from elsewhere, such as ``https``.
    """

    wants: list[str] = field(default_factory=list)
    haves: list[str] = field(default_factory=list)
    shallows: set[str] = field(default_factory=set)
    depth: int | None = None
    relative: bool = False
    done: bool = False
    capabilities: frozenset[bytes] = frozenset()
    uri_protocols: frozenset[str] = frozenset()


def line(text: str | bytes) -> bytes:
    """One packet, with the line feed that git puts at its end."""
    data = text.encode() if isinstance(text, str) else text
    return b"%04x%s\n" % (len(data) + 5, data)


def refusal(why: str) -> bytes:
    """What makes a client of any version stop and show why."""
    return line(f"ERR {why}")


def banded(data: bytes) -> Iterator[bytes]:
    """A pack in packets of the first band."""
    for start in range(0, len(data), _MAX_BAND):
        some = data[start : start + _MAX_BAND]
        yield b"%04x\x01" % (len(some) + 5)
        yield some


def packets(request: bytes) -> Iterator[bytes | None]:
    """Lines without their line feed, and None for each flush; delimiters are as flushes.

    Raises
    ------
    InvalidInput
        If the request is cut short, or is something else.
    """
    at = count = 0
    while at < len(request):
        try:
            length = int(request[at : at + 4].decode("ascii"), 16)
        except ValueError:
            raise _not_git() from None
        count += 1
        if length == 3 or at + max(length, 4) > len(request) or count > MAX_LINES:
            raise _not_git()
        yield None if length < 4 else request[at + 4 : at + length].removesuffix(b"\n")
        at += max(length, 4)


def read_first_version(request: bytes) -> FetchRequest:
    """A request of the oldest version.

    Raises
    ------
    InvalidInput
        If it is none.
    """
    found = FetchRequest()
    for text in packets(request):
        if text is None:
            continue
        if found.wants:
            _take(found, text)
        else:
            # "want", a blank and 40 digits; then what the client can do.
            _take(found, text[:45])
            found.capabilities = frozenset(text[45:].split())
    found.relative = b"deepen-relative" in found.capabilities
    return found


def read_second_version(request: bytes) -> tuple[str, list[bytes]]:
    """Command and arguments of a request of version 2.

    Raises
    ------
    InvalidInput
        If it is none.
    """
    lines = [text for text in packets(request) if text is not None]
    if not lines or not lines[0].startswith(b"command="):
        raise _not_git()
    arguments = [text for text in lines[1:] if b"=" not in text.split(b" ")[0]]
    return lines[0].removeprefix(b"command=").decode("ascii", "replace"), arguments


def fetch_of(arguments: Iterable[bytes]) -> FetchRequest:
    """What arguments of ``fetch`` ask for.

    Raises
    ------
    InvalidInput
        If one is not known, or an id is none.
    """
    found = FetchRequest()
    for text in arguments:
        if text.startswith(b"packfile-uris "):
            found.uri_protocols = frozenset(text[14:].decode("ascii", "replace").split(","))
        elif text == b"deepen-relative":
            found.relative = True
        elif text not in {b"thin-pack", b"no-progress", b"include-tag", b"ofs-delta"}:
            _take(found, text)
    return found


def _take(found: FetchRequest, text: bytes) -> None:
    word, _, value = text.partition(b" ")
    if word == b"done" and not value:
        found.done = True
    elif word == b"deepen" and re.fullmatch(rb"[1-9][0-9]{0,9}", value):
        found.depth = int(value)
    elif word in {b"want", b"have", b"shallow"} and _ID.fullmatch(value):
        id_ = value.decode("ascii")
        if word == b"want":
            found.wants.append(id_)
        elif word == b"have":
            found.haves.append(id_)
        else:
            found.shallows.add(id_)
    else:
        raise _not_git()


def _not_git() -> InvalidInput:
    return InvalidInput("is no request of git's that is answered here", field="body")
