"""Stable addresses of evidence: what a citation on a page resolves to (WK-3).

An address has the generic syntax of RFC 3986; each part is percent-encoded by itself, so that a subject of any script,
or with a ``#`` in its name, has exactly one address, which can be read back part by part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote

from anamnesis.domain.errors import InvalidInput

#: Longest address, in characters: a subject of 128 bytes and an id of as many, all escaped, and a page.
MAX_ADDRESS_CHARS: Final = 900
_SYNTAX: Final = re.compile(
    r"(?P<scheme>[a-z]+)://(?P<where>[^/#\s]+)/(?P<what>[^#\s]+?)(?:#(?P<part>[^#\s]+))?"
)


class Scheme(StrEnum):
    """What an address leads to."""

    EPISODE = "episode"
    SESSION = "session"
    FILE = "file"
    CONNECTOR = "connector"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a piece of evidence stands.

    Attributes
    ----------
    where
        The subject; of a connector, its name.
    what
        Id of the episode, session or file; of a connector, the path of the record, in which slashes may stand.
    part
        The turn of a session (from 1), the page of a file (from 1), or None for the whole.
    """

    scheme: Scheme
    where: str
    what: str
    part: int | None = None

    def __str__(self) -> str:
        """Spell the address."""
        what = _encoded(self.what, "/" if self.scheme is Scheme.CONNECTOR else "")
        part = "" if self.part is None else f"#{self.part}"
        return f"{self.scheme.value}://{_encoded(self.where, '')}/{what}{part}"


@lru_cache(maxsize=8_192)
def _encoded(part: str, safe: str) -> str:
    return quote(part, safe=safe)


def episode_address(subject: str, episode_id: str) -> Address:
    """Of one episode."""
    return Address(Scheme.EPISODE, subject, episode_id)


def session_address(subject: str, session: str, turn: int | None = None) -> Address:
    """Of a session, or of one turn of it (from 1)."""
    return Address(Scheme.SESSION, subject, session, turn)


def file_address(subject: str, file_id: str, page: int | None = None) -> Address:
    """Of a course file, or of one page of it (from 1)."""
    return Address(Scheme.FILE, subject, file_id, page)


def connector_address(name: str, path: str) -> Address:
    """Of a record outside the log (WD-6)."""
    return Address(Scheme.CONNECTOR, name, path)


def read_address(text: str, *, field: str = "address") -> Address:
    """The address that `text` spells.

    Raises
    ------
    InvalidInput
        If it spells none, or spells one in another way than ``str`` of it does; names `field`.
    """
    found = _SYNTAX.fullmatch(text) if len(text) <= MAX_ADDRESS_CHARS else None
    if found is None or found["scheme"] not in set(Scheme):
        raise InvalidInput("is no address of an episode, session, file or connector's record", field=field)
    part = found["part"]
    if part is not None and not re.fullmatch(r"[1-9][0-9]{0,8}", part):
        raise InvalidInput("the part after # must be a number from 1 on", field=field)
    address = Address(
        Scheme(found["scheme"]),
        unquote(found["where"], errors="replace"),
        unquote(found["what"], errors="replace"),
        None if part is None else int(part),
    )
    if str(address) != text:
        raise InvalidInput("is not spelled as addresses are", field=field)
    return address
