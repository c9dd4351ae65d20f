"""Checkpoints: signed heads that a cut or rewritten chain cannot agree with (EP-5).

A checkpoint is a C2SP signed note (https://c2sp.org/signed-note) whose text has the shape of a C2SP
tlog-checkpoint (https://c2sp.org/tlog-checkpoint): origin, length, hash. One thing differs, and the origin
says so with the word ``chain``: the third line is the chain's head hash, not the root of an RFC 6962 Merkle
tree. In a hash chain the head commits to every position before it, as a root does; it only gives no short
proofs, which nobody here asks for.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import GENESIS_HASH, Break
from anamnesis.domain.log.episodes import Head
from anamnesis.domain.log.signed_notes import (
    Distrust,
    NoteKey,
    NoteSignature,
    NoteSigner,
    SignedText,
    canonical_base64,
    distrust,
    opened,
    signed,
)

_ORIGIN: Final = "anamnesis/chain/"
_ORIGIN_DOMAIN: Final = b"anamnesis checkpoint origin v1\n"
_HASH_BYTES: Final = 32
_LENGTH: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed copy of a head kept where the application cannot overwrite it (EP-5): a C2SP signed note."""

    length: int
    head_hash: str
    note: str


class CheckpointBreakKind(StrEnum):
    """What a checkpoint shows to be wrong. Stable: clients may branch on it."""

    TRUNCATED = "truncated"
    REWRITTEN = "rewritten"
    UNKNOWN_POSITION = "unknown_position"
    BAD_SIGNATURE = Distrust.BAD_SIGNATURE.value
    UNKNOWN_KEY = Distrust.UNKNOWN_KEY.value
    FOREIGN_ORIGIN = "foreign_origin"
    MALFORMED = "malformed_checkpoint"
    MISLABELLED = "mislabelled_checkpoint"


@dataclass(frozen=True, slots=True)
class Note:
    """A checkpoint note taken apart. Nothing in it is to be believed before ``verify_note``.

    Attributes
    ----------
    text
        What was signed, its last newline included.
    head_hash
        Hex.
    """

    text: str
    origin: str
    length: int
    head_hash: str
    signatures: tuple[NoteSignature, ...]


def origin_of(pair: Pair) -> str:
    """Name a pair's chain in its checkpoints: no two pairs share it, and it shows no name.

    It is a SHA-256 of the pair's storage key, with a prefix of its own so that it equals no other hash of
    that key.
    """
    return _ORIGIN + hashlib.sha256(_ORIGIN_DOMAIN + pair.key.encode()).hexdigest()


def note_text(pair: Pair, head: Head) -> str:
    """Write the text that is signed: origin, length in decimal, head hash in base64, a line each."""
    root = base64.b64encode(bytes.fromhex(head.hash)).decode()
    return f"{origin_of(pair)}\n{head.length}\n{root}\n"


def checkpoint_note(pair: Pair, head: Head, signer: NoteSigner) -> str:
    """Sign a head as a note.

    Raises
    ------
    ValueError
        If the signer's name cannot stand in a note: it is not empty, without white space and plus signs.
    """
    return signed(note_text(pair, head), signer)


def checkpoint_of(pair: Pair, head: Head, signer: NoteSigner) -> Checkpoint:
    """Make the checkpoint of a head; `ValueError` as for ``checkpoint_note``."""
    return Checkpoint(head.length, head.hash, checkpoint_note(pair, head, signer))


def parse_note(note: str) -> Note:
    """Take a checkpoint note apart, strictly: what parses is what ``checkpoint_note`` could have written.

    Extension lines, which the specification allows and advises against, are refused: nothing of ours would
    check them.

    Raises
    ------
    ValueError
        If it is not a signed note around a checkpoint.
    """
    apart = opened(note)
    lines = apart.text.removesuffix("\n").split("\n")
    if len(lines) != 3 or not lines[0]:
        raise ValueError("not three lines of text")
    if _LENGTH.fullmatch(lines[1]) is None:
        raise ValueError("the second line is not a length")
    root = canonical_base64(lines[2])
    if len(root) != _HASH_BYTES:
        raise ValueError("the third line is not a SHA-256")
    return Note(apart.text, lines[0], int(lines[1]), root.hex(), apart.signatures)


def verify_note(note: Note, keys: Sequence[NoteKey]) -> CheckpointBreakKind | None:
    """Check a checkpoint's signatures; None when it is to be believed, as for ``signed_notes.distrust``."""
    found = distrust(SignedText(note.text, note.signatures), keys)
    return None if found is None else CheckpointBreakKind(found)


def check_against(
    checkpoints: Iterable[Checkpoint], pair: Pair, hashes: Mapping[int, str], length: int, *keys: NoteKey
) -> list[Break]:
    """Compare a chain with its checkpoints and list every disagreement (EP-5).

    Parameters
    ----------
    hashes
        Hash recorded at each position of the chain (from 1).
    length
        Length of the chain.
    keys
        Trusted keys: the one in use and those it replaced.

    Returns
    -------
    list
        By position, which is the checkpoint's length. ``truncated`` where a checkpoint is longer than the chain,
        ``rewritten`` where the hash at its position differs, ``unknown_position`` where the chain has no hash to
        compare; and for checkpoints that are not to be believed ``bad_signature``, ``unknown_key``,
        ``foreign_origin``, ``malformed_checkpoint``, or ``mislabelled_checkpoint`` when the record states another
        length or hash than its note.
    """
    breaks: list[Break] = []
    for checkpoint in checkpoints:
        kind = _distrust(checkpoint, pair, keys) or _compared(checkpoint, hashes, length)
        if kind is not None:
            breaks.append(Break(checkpoint.length, kind))
    return sorted(breaks, key=lambda found: (found.position, found.kind))


def believed(checkpoints: Iterable[Checkpoint], pair: Pair, *keys: NoteKey) -> list[Checkpoint]:
    """Keep the checkpoints whose notes are this pair's and signed by a trusted key, in the order given.

    Only these cover anything: what lies behind the longest of them, no checkpoint can vouch for.
    """
    return [checkpoint for checkpoint in checkpoints if _distrust(checkpoint, pair, keys) is None]


def _distrust(checkpoint: Checkpoint, pair: Pair, keys: Sequence[NoteKey]) -> CheckpointBreakKind | None:
    try:
        note = parse_note(checkpoint.note)
    except ValueError:
        return CheckpointBreakKind.MALFORMED
    distrust = verify_note(note, keys)
    if distrust is not None:
        return distrust
    if note.origin != origin_of(pair):
        return CheckpointBreakKind.FOREIGN_ORIGIN
    if (note.length, note.head_hash) != (checkpoint.length, checkpoint.head_hash):
        return CheckpointBreakKind.MISLABELLED
    return None


def _compared(checkpoint: Checkpoint, hashes: Mapping[int, str], length: int) -> CheckpointBreakKind | None:
    if checkpoint.length > length:
        return CheckpointBreakKind.TRUNCATED
    if checkpoint.length == 0:
        recorded: str | None = GENESIS_HASH
    else:
        recorded = hashes.get(checkpoint.length)
    if recorded is None:
        return CheckpointBreakKind.UNKNOWN_POSITION
    return None if recorded == checkpoint.head_hash else CheckpointBreakKind.REWRITTEN
