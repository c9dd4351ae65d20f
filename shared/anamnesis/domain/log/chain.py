"""The hash chain of a pair's log: what is hashed, how, and how a break shows (EP-4, EP-5).

The hash of an episode is SHA-256 over the RFC 8785 canonical JSON of its identity, place, kind, times, the hash before
it and a commitment to everything else: SHA-256 over a random salt and the canonical JSON of what was said and what it
was about, results and citations included. Erasing all that together with the salt leaves the chain verifiable and what
was erased beyond guessing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.canonical_json import canonical_json
from anamnesis.domain.log.episodes import Episode, Head, erased

#: What the first episode of every chain carries as its previous hash.
GENESIS_HASH = "0" * 64
EMPTY_HEAD = Head(length=0, hash=GENESIS_HASH)
#: Version of the hashed record's shape; a change of shape is a new number, never a silent difference. In version 1 only
#: texts were behind the commitment, so that an erased check still told whether it was passed; in version 2 nothing told
#: the student's own day.
RECORD_VERSION = 3


def canonical_hash(value: Any) -> str:
    """Hex SHA-256 of the RFC 8785 canonical JSON of `value` (JSON types only)."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC with microseconds, the one spelling of a time that is ever hashed, stored or compared as text."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def committed_record(episode: Episode) -> dict[str, Any]:
    """The JSON object behind an episode's commitment: all of it that erasing removes.

    Raises
    ------
    ValueError
        If the episode is erased.
    """
    content, outcome = episode.content, episode.outcome
    if content is None:
        raise ValueError("what was committed to is erased")
    return {
        "summary": content.summary,
        "text": content.text,
        "topic": content.topic,
        "evaluation": content.evaluation,
        "concepts": list(episode.concepts),
        "salience": episode.salience,
        "language": episode.language,
        "session_id": episode.session_id,
        "outcome": None
        if outcome is None
        else {
            "correct": outcome.correct,
            "score": outcome.score,
            "concept": outcome.concept,
            "predicted": outcome.predicted,
        },
        "evidence": [
            {"file_id": c.file_id, "page": c.page, "fingerprint": c.fingerprint} for c in episode.evidence
        ],
        "memory_ids": list(episode.memory_ids),
        "about_record": episode.about_record,
    }


def commitment_to(record: dict[str, Any], salt: str) -> str:
    """Hex SHA-256 over the salt's bytes and the canonical JSON of a committed record.

    Parameters
    ----------
    salt
        16 bytes as hex; the binding is as strong as SHA-256, the hiding as strong as the salt is random.

    Raises
    ------
    ValueError
        If the salt is no hex in lower case, its one spelling, or the record has no canonical form.
    """
    salted = bytes.fromhex(salt)
    if salted.hex() != salt:
        raise ValueError("a salt has one spelling")
    return hashlib.sha256(salted + canonical_json(record)).hexdigest()


def committed(episode: Episode) -> Episode:
    """A copy of `episode` that carries the commitment to its contents under its salt.

    Raises
    ------
    ValueError
        If it has no salt or no content.
    """
    if episode.salt is None:
        raise ValueError("nothing is committed to without a salt")
    return replace(episode, commitment=commitment_to(committed_record(episode), episode.salt))


def hashed_record(episode: Episode) -> dict[str, Any]:
    """The JSON object whose canonical form is hashed: all that stays of an episode when its contents are erased."""
    return {
        "version": RECORD_VERSION,
        "id": episode.id,
        "tenant": episode.pair.tenant,
        "student": episode.pair.student,
        "subject": episode.pair.subject,
        "position": episode.position,
        "kind": episode.kind.value,
        "occurred_at": timestamp(episode.occurred_at),
        "recorded_at": timestamp(episode.recorded_at),
        "utc_offset_minutes": episode.utc_offset_minutes,
        "commitment": episode.commitment,
        "previous_hash": episode.previous_hash,
    }


def episode_hash(episode: Episode) -> str:
    """Hex SHA-256 that `episode` must carry as its hash."""
    return canonical_hash(hashed_record(episode))


def linked(episodes: Iterable[Episode], head: Head) -> list[Episode]:
    """Copies of `episodes` placed right after `head`: positions, previous hashes and hashes filled in."""
    placed: list[Episode] = []
    position, previous = head.length, head.hash
    for episode in episodes:
        position += 1
        unhashed = replace(episode, position=position, previous_hash=previous, hash="")
        previous = episode_hash(unhashed)
        placed.append(replace(unhashed, hash=previous))
    return placed


#: Most breaks that a report names one by one; a log of millions of altered rows must still fit an answer.
MAX_BREAKS = 1_000


class BreakKind(StrEnum):
    """What is wrong at a position. Stable: clients may branch on it.

    ``malformed_row`` is a stored row that is no episode at a position from 1 on; its own position is the nearest that
    its key tells, or 0. ``index_altered`` is an episode that the index by time files elsewhere than its time and
    position say, or whose row is wrong about where its text is and how long. ``content_missing`` is content gone
    without a deletion record, ``restored`` content that is there again after it was erased. ``head_erasures`` is a
    head that counts fewer erasures than there are deletion records. ``more`` stands for the breaks after the first
    ``MAX_BREAKS``.
    """

    MISSING = "missing"
    ALTERED = "altered"
    CONTENT_ALTERED = "content_altered"
    CONTENT_MISSING = "content_missing"
    RESTORED = "restored"
    LINK = "link"
    POSITION = "position"
    FOREIGN = "foreign"
    BEYOND_HEAD = "beyond_head"
    HEAD_HASH = "head_hash"
    HEAD_ERASURES = "head_erasures"
    MALFORMED_ROW = "malformed_row"
    INDEX_ALTERED = "index_altered"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Break:
    """Something wrong with a chain.

    Attributes
    ----------
    position
        Where; the first of them when there are several.
    count
        How many consecutive positions are missing, or how many breaks ``more`` stands for; else 1.
    """

    position: int
    kind: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Weighed:
    """An episode whose contents were held against its commitment already, so that its text need not be kept for that.

    Attributes
    ----------
    episode
        With the beginning of its text only.
    holds
        Whether the contents are those that it committed to.
    """

    episode: Episode
    holds: bool


#: Characters of a text that stay when it is weighed. Ours: more than most texts have, and 16 kB at most.
WEIGHED_CHARS = 4_096


def weighed(row: Episode | Break) -> Episode | Weighed | Break:
    """What verification needs of a row, in bounded memory."""
    if isinstance(row, Break) or row.content is None or len(row.content.text) <= WEIGHED_CHARS:
        return row
    beginning = replace(row.content, text=row.content.text[:WEIGHED_CHARS])
    return Weighed(replace(row, content=beginning), _commitment_holds(row))


@dataclass(frozen=True, slots=True)
class ChainReport:
    """Result of verifying a chain against itself and its head.

    Attributes
    ----------
    erased
        Positions whose content is gone as a deletion record says: gaps that verify.
    hashes
        The recorded hash by position, for comparing with checkpoints.
    """

    length: int
    head: str
    breaks: tuple[Break, ...]
    erased: tuple[int, ...]
    hashes: dict[int, str]

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong."""
        return not self.breaks


def verify_chain(
    rows: Iterable[Episode | Weighed | Break],
    head: Head,
    pair: Pair,
    deleted: Collection[int] = (),
    cleared: Collection[int] = (),
) -> ChainReport:
    """Recompute a pair's whole chain and name every break (EP-4).

    Parameters
    ----------
    rows
        Everything stored as the pair's episodes in the order in which the store keeps it: each row that can be read,
        and a break for what is wrong with a row in a way that only the store can see.
    head
        The stored head.
    deleted
        Positions that a deletion record covers (EP-8): only there may content be gone.
    cleared
        Those of them whose erasure was carried out: there content must be gone.

    Notes
    -----
    A row changed without a new hash is ``altered`` at its position; with a new hash it breaks the ``link`` of the row
    after it (or the head). A chain whose tail was cut together with its head, or that was rewritten throughout,
    verifies against itself: only checkpoints show that (EP-5).

    Work and memory grow with the rows that are stored, never with the positions that a row or the head claims.
    """
    breaks = _Breaks()
    gone: list[int] = []
    hashes: dict[int, str] = {}
    position, previous = 0, GENESIS_HASH
    for given in rows:
        if isinstance(given, Break):
            breaks.add(given)
            continue
        row, holds = (given.episode, given.holds) if isinstance(given, Weighed) else (given, None)
        breaks.add_missing(position + 1, row.position - 1)
        if row.position <= position:
            breaks.add(Break(row.position, BreakKind.POSITION))
        elif row.position == position + 1 and row.previous_hash != previous:
            breaks.add(Break(row.position, BreakKind.LINK))
        if row.position > head.length:
            breaks.add(Break(row.position, BreakKind.BEYOND_HEAD))
        for found in _own_breaks(row, pair, deleted, cleared, holds=holds):
            breaks.add(found)
        if row.content is None and row.position in deleted:
            gone.append(row.position)
        hashes[row.position] = row.hash
        position, previous = max(position, row.position), row.hash
    breaks.add_missing(position + 1, head.length)
    if position == head.length and previous != head.hash:
        breaks.add(Break(position, BreakKind.HEAD_HASH))
    return ChainReport(head.length, head.hash, breaks.named(), tuple(gone), hashes)


class _Breaks:
    """The first ``MAX_BREAKS`` breaks, and how many more there are."""

    def __init__(self) -> None:
        self._first: list[Break] = []
        self._more: Break | None = None

    def add(self, found: Break) -> None:
        if len(self._first) < MAX_BREAKS:
            self._first.append(found)
        else:
            rest = self._more or Break(found.position, BreakKind.MORE, count=0)
            self._more = replace(rest, count=rest.count + 1)

    def add_missing(self, first: int, last: int) -> None:
        if first <= last:
            self.add(Break(first, BreakKind.MISSING, count=last - first + 1))

    def named(self) -> tuple[Break, ...]:
        return (*self._first, *(() if self._more is None else (self._more,)))


def _own_breaks(
    episode: Episode, pair: Pair, deleted: Collection[int], cleared: Collection[int], *, holds: bool | None
) -> Iterator[Break]:
    if episode.pair != pair:
        yield Break(episode.position, BreakKind.FOREIGN)
    if not _hash_holds(episode):
        yield Break(episode.position, BreakKind.ALTERED)
    if episode.content is None:
        if episode.position not in deleted:
            yield Break(episode.position, BreakKind.CONTENT_MISSING)
        elif episode != erased(episode):
            # Left behind, the salt lets a short text be guessed, and a result tells: that is no erasure.
            yield Break(episode.position, BreakKind.CONTENT_ALTERED)
        return
    if episode.position in cleared:
        yield Break(episode.position, BreakKind.RESTORED)
    if not (_commitment_holds(episode) if holds is None else holds):
        yield Break(episode.position, BreakKind.CONTENT_ALTERED)


def _hash_holds(episode: Episode) -> bool:
    try:
        return episode.hash == episode_hash(episode)
    except ValueError:  # a value that has no canonical form was never hashed
        return False


def _commitment_holds(episode: Episode) -> bool:
    try:
        return committed(episode).commitment == episode.commitment
    except ValueError:  # the salt is missing or no hex, or the content has no canonical form
        return False
