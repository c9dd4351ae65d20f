"""The hash chain of a pair's log: what is hashed, how, and how a break shows (EP-4, EP-5).

The hash of an episode is SHA-256 over the RFC 8785 canonical JSON of every immutable field, its position and the hash
before it. Text enters only as a commitment: SHA-256 over a random salt and the canonical JSON of the content. Erasing
content and salt together leaves the chain verifiable and the text beyond guessing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import rfc8785

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Episode, Head

#: What the first episode of every chain carries as its previous hash.
GENESIS_HASH = "0" * 64
EMPTY_HEAD = Head(length=0, hash=GENESIS_HASH)
#: Version of the hashed record's shape; a change of shape is a new number, never a silent difference.
RECORD_VERSION = 1


def canonical_hash(value: Any) -> str:
    """Hex SHA-256 of the RFC 8785 canonical JSON of `value` (JSON types only)."""
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC with microseconds, the one spelling of a time that is ever hashed or compared as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def commitment_to(content: Content, salt: str) -> str:
    """Hex SHA-256 over the salt's bytes and the canonical content.

    Parameters
    ----------
    salt
        16 bytes as hex; the binding is as strong as SHA-256, the hiding as strong as the salt is random.
    """
    record = {
        "summary": content.summary,
        "text": content.text,
        "topic": content.topic,
        "evaluation": content.evaluation,
    }
    return hashlib.sha256(bytes.fromhex(salt) + rfc8785.dumps(record)).hexdigest()


def hashed_record(episode: Episode) -> dict[str, Any]:
    """The JSON object whose canonical form is hashed: every immutable field but the hash itself."""
    outcome = episode.outcome
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
        "commitment": episode.commitment,
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


class BreakKind(StrEnum):
    """What is wrong at a position. Stable: clients may branch on it."""

    MISSING = "missing"
    ALTERED = "altered"
    CONTENT_ALTERED = "content_altered"
    LINK = "link"
    POSITION = "position"
    FOREIGN = "foreign"
    BEYOND_HEAD = "beyond_head"
    HEAD_HASH = "head_hash"


@dataclass(frozen=True, slots=True)
class Break:
    """Something wrong at one position of a chain."""

    position: int
    kind: str


@dataclass(frozen=True, slots=True)
class ChainReport:
    """Result of verifying a chain against itself and its head.

    Attributes
    ----------
    erased
        Positions whose content was erased: gaps that verify.
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


def verify_chain(episodes: Iterable[Episode], head: Head, pair: Pair) -> ChainReport:
    """Recompute a pair's whole chain and name every break (EP-4).

    Parameters
    ----------
    episodes
        All stored episodes of the pair in the order in which the store keeps them.
    head
        The stored head.

    Notes
    -----
    A row changed without a new hash is ``altered`` at its position; with a new hash it breaks the ``link`` of the row
    after it (or the head). A chain whose tail was cut together with its head, or that was rewritten throughout,
    verifies against itself: only checkpoints show that (EP-5).
    """
    breaks: list[Break] = []
    erased: list[int] = []
    hashes: dict[int, str] = {}
    position, previous = 0, GENESIS_HASH
    for episode in episodes:
        breaks.extend(Break(missing, BreakKind.MISSING) for missing in range(position + 1, episode.position))
        if episode.position <= position:
            breaks.append(Break(episode.position, BreakKind.POSITION))
        elif episode.position == position + 1 and episode.previous_hash != previous:
            breaks.append(Break(episode.position, BreakKind.LINK))
        breaks.extend(_own_breaks(episode, pair))
        if episode.position > head.length:
            breaks.append(Break(episode.position, BreakKind.BEYOND_HEAD))
        if episode.content is None:
            erased.append(episode.position)
        hashes[episode.position] = episode.hash
        position, previous = max(position, episode.position), episode.hash
    breaks.extend(Break(missing, BreakKind.MISSING) for missing in range(position + 1, head.length + 1))
    if position == head.length and previous != head.hash:
        breaks.append(Break(position, BreakKind.HEAD_HASH))
    return ChainReport(head.length, head.hash, tuple(breaks), tuple(erased), hashes)


def _own_breaks(episode: Episode, pair: Pair) -> Iterable[Break]:
    if episode.pair != pair:
        yield Break(episode.position, BreakKind.FOREIGN)
    if episode.hash != episode_hash(episode):
        yield Break(episode.position, BreakKind.ALTERED)
    if episode.content is not None and (
        episode.salt is None or commitment_to(episode.content, episode.salt) != episode.commitment
    ):
        yield Break(episode.position, BreakKind.CONTENT_ALTERED)
