"""Proofs for people without access to the log: that an episode is in it, and that it only ever grew (EP-5).

The proof of an episode has the form of a C2SP tlog-proof (https://c2sp.org/tlog-proof): the place of its leaf, the
inclusion proof of RFC 6962 and the checkpoint, whose signature is all that has to be trusted. Together with the
episode's hashed record, and the committed record and its salt while they are not erased, it can be checked with
nothing but SHA-256, RFC 8785 and ECDSA.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import Break, BreakKind, canonical_hash, commitment_to
from anamnesis.domain.log.checkpoints import (
    CheckpointBreakKind,
    Note,
    leaf_of,
    origin_of,
    parse_note,
    verify_note,
)
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.log.merkle import EMPTY_ROOT, HASH_BYTES, verify_consistency, verify_inclusion
from anamnesis.domain.log.signed_notes import NoteKey, canonical_base64, key_id

#: First line of a tlog-proof.
HEADER: Final = "c2sp.org/tlog-proof@v1"
#: What signs checkpoints, in words; the key's "signature type" in C2SP signed notes is 0x02.
ALGORITHM: Final = "ECDSA P-256 over SHA-256, DER"

_INDEX: Final = re.compile(r"index (0|[1-9][0-9]{0,18})", re.ASCII)
#: Longest path of an inclusion proof: one step for each bit of an index.
_MAX_STEPS: Final = 64
#: Characters in a line of PEM (RFC 7468, section 2).
_PEM_LINE: Final = 64


@dataclass(frozen=True, slots=True)
class PublicKey:
    """What checks a log's signatures.

    Attributes
    ----------
    name, id
        As signature lines of notes have them; the id in hex.
    pem
        SubjectPublicKeyInfo.
    """

    name: str
    id: str
    algorithm: str
    pem: str


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """That a leaf stands in a signed tree.

    Attributes
    ----------
    index
        Of the leaf, from 0: one less than the episode's position.
    path
        Hashes from the leaf's sibling up.
    note
        The checkpoint.
    """

    index: int
    path: tuple[bytes, ...]
    note: str


@dataclass(frozen=True, slots=True)
class EpisodeProof:
    """An episode as it is stored, the proof that its hash is in the log, and the key that signed it."""

    episode: Episode
    inclusion: InclusionProof
    key: PublicKey


@dataclass(frozen=True, slots=True)
class ListedCheckpoint:
    """A checkpoint in a list from the shortest to the longest.

    Attributes
    ----------
    length
        As it is filed.
    consistency
        Proof that the log grew from the checkpoint before it in the list (or from nothing) to this one; None where the
        log as it is now gives none.
    """

    length: int
    note: str
    consistency: tuple[bytes, ...] | None


class ProofBreakKind(StrEnum):
    """What is wrong with a proof. Stable: programs may branch on it.

    ``altered`` is a record that is not what was hashed, ``content_altered`` content that is not what was committed to,
    ``not_included`` a hash that does not lead to the signed root, ``inconsistent`` a checkpoint that does not begin
    with the one before it, ``unproved`` one without a proof of that.
    """

    MALFORMED = "malformed_proof"
    ALTERED = BreakKind.ALTERED.value
    CONTENT_ALTERED = BreakKind.CONTENT_ALTERED.value
    POSITION = BreakKind.POSITION.value
    NOT_INCLUDED = "not_included"
    MALFORMED_CHECKPOINT = CheckpointBreakKind.MALFORMED.value
    BAD_SIGNATURE = CheckpointBreakKind.BAD_SIGNATURE.value
    UNKNOWN_KEY = CheckpointBreakKind.UNKNOWN_KEY.value
    FOREIGN_ORIGIN = CheckpointBreakKind.FOREIGN_ORIGIN.value
    MISLABELLED = CheckpointBreakKind.MISLABELLED.value
    INCONSISTENT = "inconsistent"
    UNPROVED = "unproved"


def proof_text(proof: InclusionProof) -> str:
    """Write a proof as a C2SP tlog-proof."""
    path = "".join(f"{base64.b64encode(step).decode()}\n" for step in proof.path)
    return f"{HEADER}\nindex {proof.index}\n{path}\n{proof.note}"


def parse_proof(text: str) -> InclusionProof:
    """Take a C2SP tlog-proof apart, strictly: what parses is what ``proof_text`` could have written.

    Extra data, which the specification allows, is refused: nothing of ours would check it.

    Raises
    ------
    ValueError
        If it is none.
    """
    head, separator, note = text.partition("\n\n")
    header, index, *path = [*head.split("\n"), ""]
    match = _INDEX.fullmatch(index)
    if not separator or header != HEADER or match is None or len(path) > _MAX_STEPS + 1:
        raise ValueError("not a tlog-proof")
    return InclusionProof(int(match[1]), hashes_of(path[:-1]), note)


def hashes_of(encoded: Sequence[str]) -> tuple[bytes, ...]:
    """Decode hashes in base64.

    Raises
    ------
    ValueError
        If one is none.
    """
    decoded = tuple(map(canonical_base64, encoded))
    if any(len(value) != HASH_BYTES for value in decoded):
        raise ValueError("not a SHA-256")
    return decoded


def public_key_of(key: NoteKey) -> PublicKey:
    """Write a key down for whoever checks its signatures."""
    encoded = base64.b64encode(key.public_key_der).decode()
    lines = [encoded[at : at + _PEM_LINE] for at in range(0, len(encoded), _PEM_LINE)]
    pem = "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""])
    return PublicKey(key.name, key_id(key.public_key_der).hex(), ALGORITHM, pem)


def check_episode(
    record: Mapping[str, Any],
    episode_hash: str,
    content: tuple[str, Mapping[str, Any]] | None,
    proof: str,
    *keys: NoteKey,
) -> list[ProofBreakKind]:
    """Check the proof of an episode and list everything that is wrong with it.

    Parameters
    ----------
    record
        Its hashed record (``chain.hashed_record``).
    episode_hash
        Its hash (hex) as stated.
    content
        Salt and committed record (``chain.committed_record``); None when the episode is erased, and what was said
        cannot be checked any more.
    proof
        A C2SP tlog-proof.
    keys
        Trusted keys.

    Notes
    -----
    Nothing is believed on its word: the hash is computed from the record, the root from the hash and the path, and the
    log's origin from the names in the record.
    """
    try:
        found = parse_proof(proof)
        note = parse_note(found.note)
    except ValueError:
        return [ProofBreakKind.MALFORMED]
    breaks: list[ProofBreakKind] = []
    distrust = verify_note(note, keys)
    if distrust is not None:
        breaks.append(ProofBreakKind(distrust))
    if note.origin != _origin_claimed(record):
        breaks.append(ProofBreakKind.FOREIGN_ORIGIN)
    if record.get("position") != found.index + 1:
        breaks.append(ProofBreakKind.POSITION)
    if not _hashed(record, episode_hash):
        breaks.append(ProofBreakKind.ALTERED)
    if not _included(episode_hash, found, note):
        breaks.append(ProofBreakKind.NOT_INCLUDED)
    if content is not None and not _committed(record, *content):
        breaks.append(ProofBreakKind.CONTENT_ALTERED)
    return breaks


def check_growth(listed: Sequence[ListedCheckpoint], *keys: NoteKey) -> list[Break]:
    """Check that each of a log's checkpoints only grew out of the one before it.

    Parameters
    ----------
    listed
        Of one log, from the shortest to the longest.
    keys
        Trusted keys.

    Returns
    -------
    list
        By position, which is the checkpoint's length.
    """
    breaks: list[Break] = []
    origin: str | None = None
    length, root = 0, EMPTY_ROOT
    for checkpoint in listed:
        try:
            note = parse_note(checkpoint.note)
        except ValueError:
            breaks.append(Break(checkpoint.length, ProofBreakKind.MALFORMED_CHECKPOINT))
            continue
        kind: str | None = verify_note(note, keys)
        if kind is None and origin not in {None, note.origin}:
            kind = ProofBreakKind.FOREIGN_ORIGIN
        if kind is None and note.length != checkpoint.length:
            kind = ProofBreakKind.MISLABELLED
        if kind is None:
            found = bytes.fromhex(note.root_hash)
            kind = _grown(length, note.length, root, found, checkpoint.consistency)
            origin, length, root = note.origin, note.length, found
        if kind is not None:
            breaks.append(Break(checkpoint.length, kind))
    return breaks


def _grown(
    first: int, second: int, first_root: bytes, second_root: bytes, proof: tuple[bytes, ...] | None
) -> ProofBreakKind | None:
    if proof is None:
        return ProofBreakKind.UNPROVED
    grown = verify_consistency(first, second, first_root, second_root, proof)
    return None if grown else ProofBreakKind.INCONSISTENT


def _origin_claimed(record: Mapping[str, Any]) -> str | None:
    try:
        return origin_of(Pair(record["tenant"], record["student"], record["subject"]))
    except (KeyError, TypeError, AttributeError, InvalidInput):
        return None


def _hashed(record: Mapping[str, Any], episode_hash: str) -> bool:
    try:
        return canonical_hash(dict(record)) == episode_hash
    except (ValueError, RecursionError):  # a value without a canonical form was never hashed
        return False


def _included(episode_hash: str, proof: InclusionProof, note: Note) -> bool:
    leaf, root = leaf_of(episode_hash), bytes.fromhex(note.root_hash)
    return leaf is not None and verify_inclusion(leaf, proof.index, note.length, proof.path, root)


def _committed(record: Mapping[str, Any], salt: str, content: Mapping[str, Any]) -> bool:
    try:
        return commitment_to(dict(content), salt) == record.get("commitment")
    except (ValueError, RecursionError):
        return False
