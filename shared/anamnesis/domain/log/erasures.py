"""Deletion records: what was erased from a log, when, and who asked for it (EP-3, EP-8).

The record is a C2SP signed note like a checkpoint, so that content which somebody merely removed never passes for
content that was erased. Its text has five lines: ``anamnesis/erasure/`` and a hash that stands for the log; the
record's id; when the erasure was asked for; what was to be erased, who asked (a role, no name) and how long the log was
then; and the positions, such as ``3 7-9``.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

import rfc8785

from anamnesis.domain.access import Role
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break, timestamp
from anamnesis.domain.log.signed_notes import NoteKey, NoteSigner, distrust, opened, signed

_ORIGIN: Final = "anamnesis/erasure/"
_ORIGIN_DOMAIN: Final = b"anamnesis erasure origin v1\n"
_DIGEST_DOMAIN: Final = "anamnesis erased event v1"
_REQUEST_DOMAIN: Final = b"anamnesis erased request v1\n"
#: Begins what stands in a receipt for the hash of a request of which a part was erased.
SEALED: Final = "hmac-sha-256:"
_RANGES: Final = re.compile(r"[1-9][0-9]{0,11}(-[1-9][0-9]{0,11})?( [1-9][0-9]{0,11}(-[1-9][0-9]{0,11})?)*")

#: Inclusive ranges of positions, ascending and apart.
Ranges = tuple[tuple[int, int], ...]


class ErasureScope(StrEnum):
    """What somebody asked to have erased."""

    EPISODE = "episode"
    SUBJECT = "subject"
    STUDENT = "student"


class ErasureStage(StrEnum):
    """How far an erasure has come.

    ``begun``: the record stands, contents may still be there. ``erased``: every store was cleared. ``swept``: cleared a
    second time by the night, after every job that was under way meanwhile.
    """

    BEGUN = "begun"
    ERASED = "erased"
    SWEPT = "swept"


def stages_before(stage: ErasureStage) -> tuple[str, ...]:
    """Return the stages that come before `stage`, as they are spelled."""
    return tuple(ErasureStage)[: tuple(ErasureStage).index(stage)]


class ErasureBreakKind(StrEnum):
    """What is wrong with a deletion record. Stable: clients may branch on it."""

    FORGED = "forged_erasure"
    DANGLING = "dangling_erasure"


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """That somebody asked for an erasure.

    Attributes
    ----------
    by
        Role of who asked. No name: the record outlives what it is about.
    """

    scope: ErasureScope
    by: Role
    at: datetime


@dataclass(frozen=True, slots=True)
class PairRequest:
    """Where a request to erase all of a pair stands.

    Attributes
    ----------
    length
        Length of the pair's log when it was asked for: what was recorded since is not meant.
    files
        Ids of the files that the student had in the subject then. Their times would not tell: clocks differ.
    stage
        How far it was carried out. The record stays, so that resuming the request for other pairs of the student does
        not begin anew with this one.
    staged_at
        When it came to this stage; None for the first one.
    """

    request: ErasureRequest
    length: int
    files: tuple[str, ...] = ()
    stage: ErasureStage = ErasureStage.BEGUN
    staged_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """A deletion record.

    Attributes
    ----------
    positions
        Every position that the record covers.
    note
        The signed note over all of the above; empty before it is signed.
    length
        Length of the log when it was asked for. What came in since, until the contents were gone, and repeats an erased
        event is erased too.
    stage, staged_at
        How far the erasure has come, and when it came there (None for the first stage): all that changes.
    """

    id: str
    pair: Pair
    request: ErasureRequest
    positions: Ranges
    note: str = ""
    length: int = 0
    stage: ErasureStage = ErasureStage.BEGUN
    staged_at: datetime | None = None

    def __contains__(self, position: object) -> bool:
        """Whether the record covers a position."""
        return isinstance(position, int) and any(first <= position <= last for first, last in self.positions)

    @property
    def first(self) -> int:
        """The first position covered; 0 when there is none."""
        return self.positions[0][0] if self.positions else 0

    @property
    def last(self) -> int:
        """The last position covered; 0 when there is none."""
        return self.positions[-1][1] if self.positions else 0


class DeletedPositions(Collection[int]):
    """The positions that some deletion records cover, without a list of them all."""

    def __init__(self, erasures: Iterable[Erasure]) -> None:
        self._ranges = merged(r for erasure in erasures for r in erasure.positions)
        self._firsts = [first for first, _ in self._ranges]

    def __contains__(self, position: object) -> bool:
        """Whether a record covers a position."""
        if not isinstance(position, int):
            return False
        before = bisect_right(self._firsts, position)
        return before > 0 and position <= self._ranges[before - 1][1]

    def __iter__(self):  # type: ignore[no-untyped-def]  # Collection's own signature
        """Every position, ascending."""
        for first, last in self._ranges:
            yield from range(first, last + 1)

    def __len__(self) -> int:
        """How many positions there are."""
        return sum(last - first + 1 for first, last in self._ranges)


def ranges_of(positions: Iterable[int]) -> Ranges:
    """The fewest ranges that hold exactly these positions."""
    return merged((p, p) for p in positions)


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The same positions in ranges that are ascending and apart."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)


def spelled(ranges: Ranges) -> str:
    """Ranges as a deletion record spells them, such as ``3 7-9``."""
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def read_ranges(text: str) -> Ranges:
    """The ranges behind ``spelled``.

    Raises
    ------
    ValueError
        If they are spelled in any other way.
    """
    if _RANGES.fullmatch(text) is None:
        raise ValueError("no ranges of positions")
    ends = [part.split("-") for part in text.split(" ")]
    ranges = tuple((int(end[0]), int(end[-1])) for end in ends)
    if spelled(merged(ranges)) != text:
        raise ValueError("ranges that overlap, touch, or are out of order")
    return ranges


def sign_erasure(erasure: Erasure, signer: NoteSigner) -> Erasure:
    """`erasure` with its signed note.

    Raises
    ------
    ValueError
        If it covers no position, or the signer's name cannot stand in a note.
    """
    if not erasure.positions:
        raise ValueError("a deletion record covers at least one position")
    return replace(erasure, note=signed(_text(erasure), signer))


def check_erasures(
    erasures: Iterable[Erasure], pair: Pair, length: int, *keys: NoteKey
) -> tuple[list[Erasure], list[Break]]:
    """Tell the deletion records to be believed from the forged.

    Parameters
    ----------
    length
        Length of the chain: a record about positions behind it is ``dangling_erasure``.
    keys
        Trusted keys: the one in use and those it replaced.

    Returns
    -------
    tuple
        The records that are this pair's, signed by a trusted key and unchanged since; and a break, at the first
        position that it claims, for each of the others.
    """
    believed: list[Erasure] = []
    breaks: list[Break] = []
    for erasure in erasures:
        if not _genuine(erasure, pair, keys):
            breaks.append(Break(erasure.first, ErasureBreakKind.FORGED))
            continue
        if erasure.last > length:
            breaks.append(Break(max(erasure.first, length + 1), ErasureBreakKind.DANGLING))
        believed.append(erasure)
    return believed, breaks


def event_digest(secret: bytes, *, occurred_at: datetime, text: str, topic: str | None) -> str:
    """Hex HMAC-SHA-256 by which an erased event is recognised when it is sent again (EP-8).

    Parameters
    ----------
    secret
        The pair's secret (``ports.KeyedHash``): without it not even a one-word text can be guessed from the digest.
    """
    event = [_DIGEST_DOMAIN, timestamp(occurred_at), text, topic]
    return hmac.new(secret, rfc8785.dumps(event), hashlib.sha256).hexdigest()


def sealed_request(secret: bytes, request_hash: str) -> str:
    """What a receipt keeps of the hash of a request of which a part was erased (EP-7, EP-8).

    It still tells the same request from another one, and without the secret no guess can be checked by it: the hash
    itself would give a short text away.

    Parameters
    ----------
    secret
        As for ``event_digest``.
    request_hash
        Hex SHA-256 of the request.
    """
    return SEALED + hmac.new(secret, _REQUEST_DOMAIN + request_hash.encode(), hashlib.sha256).hexdigest()


def _text(erasure: Erasure) -> str:
    request = erasure.request
    log = hashlib.sha256(_ORIGIN_DOMAIN + erasure.pair.key.encode()).hexdigest()
    return (
        f"{_ORIGIN}{log}\n{erasure.id}\n{timestamp(request.at)}\n"
        f"{request.scope.value} {request.by.value} {erasure.length}\n{spelled(erasure.positions)}\n"
    )


def _genuine(erasure: Erasure, pair: Pair, keys: Sequence[NoteKey]) -> bool:
    try:
        note = opened(erasure.note)
    except ValueError:
        return False
    return erasure.pair == pair and note.text == _text(erasure) and distrust(note, keys) is None
