"""Checkpoints: signed roots that a cut or rewritten log cannot agree with (EP-5).

A checkpoint is a C2SP tlog-checkpoint (https://c2sp.org/tlog-checkpoint): a signed note of three lines, origin, tree
size and root. The tree is the Merkle tree of RFC 6962 over a pair's episodes (``merkle``): leaf n, counted from 0, is
the 32 bytes of the hash of the episode at position n + 1. Each of those hashes covers everything before it already;
the tree adds proofs that fit a letter.
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
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.merkle import HASH_BYTES, GrowingRoot, Tree, leaf_hash
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

_ORIGIN: Final = "anamnesis/log/"
_ORIGIN_DOMAIN: Final = b"anamnesis checkpoint origin v2\n"
_LENGTH: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed root kept where the application cannot overwrite it (EP-5).

    Attributes
    ----------
    length, root_hash
        Tree size and Merkle root (hex) that it is filed under; ``note`` must say the same.
    note
        C2SP tlog-checkpoint.
    """

    length: int
    root_hash: str
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
    root_hash
        Hex.
    """

    text: str
    origin: str
    length: int
    root_hash: str
    signatures: tuple[NoteSignature, ...]


def origin_of(pair: Pair) -> str:
    """Name a pair's log in its checkpoints: no two pairs share it, and it shows no name.

    Its last part is a SHA-256 of the pair's storage key, with a prefix of its own so that it equals no other hash of
    that key.
    """
    return _ORIGIN + hashlib.sha256(_ORIGIN_DOMAIN + pair.key.encode()).hexdigest()


def filing_name(pair: Pair) -> str:
    """Name a pair among stored checkpoints, which nobody can erase: the last part of its origin, 64 hex digits."""
    return origin_of(pair).removeprefix(_ORIGIN)


def leaf_of(episode_hash: str) -> bytes | None:
    """Return the leaf hash of an episode by its hash (hex, lower case); None for what is no SHA-256."""
    try:
        data = bytes.fromhex(episode_hash)
    except ValueError:
        return None
    return leaf_hash(data) if len(data) == HASH_BYTES and data.hex() == episode_hash else None


def roots_at(hashes: Mapping[int, str], lengths: Iterable[int]) -> dict[int, str]:
    """Compute the roots (hex) of the log at these lengths, all on one way through it.

    Parameters
    ----------
    hashes
        Hash (hex) by position, from 1.

    Returns
    -------
    dict
        Without the lengths that cannot be reached: a position on the way has no hash.
    """
    roots: dict[int, str] = {}
    growing = GrowingRoot()
    for length in sorted(set(lengths)):
        while growing.size < length:
            leaf = leaf_of(hashes.get(growing.size + 1, ""))
            if leaf is None:
                return roots
            growing.append(leaf)
        roots[length] = growing.root().hex()
    return roots


def tree_of(hashes: Iterable[str]) -> Tree:
    """Make the tree of a log's first hashes (hex), up to the first that is none."""
    leaves: list[bytes] = []
    for recorded in hashes:
        leaf = leaf_of(recorded)
        if leaf is None:
            break
        leaves.append(leaf)
    return Tree(leaves)


def note_text(pair: Pair, length: int, root_hash: str) -> str:
    """Write the text that is signed: origin, tree size in decimal, root in base64, a line each."""
    root = base64.b64encode(bytes.fromhex(root_hash)).decode()
    return f"{origin_of(pair)}\n{length}\n{root}\n"


def checkpoint_note(pair: Pair, length: int, root_hash: str, signer: NoteSigner) -> str:
    """Sign a root (hex) as a note.

    Raises
    ------
    ValueError
        If the signer's name cannot stand in a note: it is not empty, without white space and plus signs.
    """
    return signed(note_text(pair, length, root_hash), signer)


def checkpoint_of(pair: Pair, length: int, root_hash: str, signer: NoteSigner) -> Checkpoint:
    """Make the checkpoint of a root (hex); `ValueError` as for ``checkpoint_note``."""
    return Checkpoint(length, root_hash, checkpoint_note(pair, length, root_hash, signer))


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
    if len(root) != HASH_BYTES:
        raise ValueError("the third line is not a SHA-256")
    return Note(apart.text, lines[0], int(lines[1]), root.hex(), apart.signatures)


def verify_note(note: Note, keys: Sequence[NoteKey]) -> CheckpointBreakKind | None:
    """Check a checkpoint's signatures; None when it is to be believed, as for ``signed_notes.distrust``."""
    found = distrust(SignedText(note.text, note.signatures), keys)
    return None if found is None else CheckpointBreakKind(found)


def check_against(
    checkpoints: Iterable[Checkpoint], pair: Pair, hashes: Mapping[int, str], length: int, *keys: NoteKey
) -> list[Break]:
    """Compare a log with its checkpoints and list every disagreement (EP-5).

    Parameters
    ----------
    hashes
        Hash recorded at each position of the log (from 1).
    length
        Length of the log.
    keys
        Trusted keys: the one in use and those it replaced.

    Returns
    -------
    list
        By position, which is the checkpoint's length. ``truncated`` where a checkpoint is longer than the log,
        ``rewritten`` where the root at its length differs, ``unknown_position`` where a position up to it has no
        hash, so that there is no root to compare; and for checkpoints that are not to be believed
        ``bad_signature``, ``unknown_key``, ``foreign_origin``, ``malformed_checkpoint``, or
        ``mislabelled_checkpoint`` when it is filed under another length or root than its note states.
    """
    breaks: list[Break] = []
    genuine: list[Checkpoint] = []
    for checkpoint in checkpoints:
        kind = _distrust(checkpoint, pair, keys)
        if kind is None:
            genuine.append(checkpoint)
        else:
            breaks.append(Break(checkpoint.length, kind))
    roots = roots_at(hashes, [c.length for c in genuine if c.length <= length])
    for checkpoint in genuine:
        kind = _compared(checkpoint, roots, length)
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
    if (note.length, note.root_hash) != (checkpoint.length, checkpoint.root_hash):
        return CheckpointBreakKind.MISLABELLED
    return None


def _compared(checkpoint: Checkpoint, roots: Mapping[int, str], length: int) -> CheckpointBreakKind | None:
    if checkpoint.length > length:
        return CheckpointBreakKind.TRUNCATED
    root = roots.get(checkpoint.length)
    if root is None:
        return CheckpointBreakKind.UNKNOWN_POSITION
    return None if root == checkpoint.root_hash else CheckpointBreakKind.REWRITTEN
