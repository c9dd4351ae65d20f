"""Checkpoints: signed heads that a cut or rewritten chain cannot agree with (EP-5).

A checkpoint is a C2SP signed note (https://c2sp.org/signed-note) whose text has the shape of a C2SP
tlog-checkpoint (https://c2sp.org/tlog-checkpoint): origin, length, hash. One thing differs, and the origin
says so with the word ``chain``: the third line is the chain's head hash, not the root of an RFC 6962 Merkle
tree. In a hash chain the head commits to every position before it, as a root does; it only gives no short
proofs, which nobody here asks for.

Signatures are ECDSA P-256 over SHA-256 (signature type 0x02 of signed notes), DER, for KMS signs those. As
the specification lays down for that type, the key id is the first four bytes of the SHA-256 of the DER public
key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import GENESIS_HASH, Break
from anamnesis.domain.log.episodes import Head

#: Largest note read, in characters, and most signatures in it; the specification wants at least 16 accepted.
MAX_NOTE_CHARS: Final = 100_000
MAX_SIGNATURES: Final = 16

_ORIGIN: Final = "anamnesis/chain/"
_ORIGIN_DOMAIN: Final = b"anamnesis checkpoint origin v1\n"
_KEY_ID_BYTES: Final = 4
_HASH_BYTES: Final = 32
_LENGTH: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_SIGNATURE_LINE: Final = re.compile(r"— (?P<name>[^\s+]+) (?P<signature>[A-Za-z0-9+/]+={0,2})")


class NoteKey(Protocol):
    """A key whose signatures are trusted; every ``ports.Signer`` is one."""

    @property
    def name(self) -> str:
        """Key name in signed notes."""

    @property
    def public_key_der(self) -> bytes:
        """SubjectPublicKeyInfo, DER."""

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's over `message`."""


class NoteSigner(NoteKey, Protocol):
    """A key that can sign; every ``ports.Signer`` is one."""

    def sign(self, message: bytes) -> bytes:
        """ECDSA P-256 signature over SHA-256 of `message`, DER."""


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
    BAD_SIGNATURE = "bad_signature"
    UNKNOWN_KEY = "unknown_key"
    FOREIGN_ORIGIN = "foreign_origin"
    MALFORMED = "malformed_checkpoint"
    MISLABELLED = "mislabelled_checkpoint"


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One signature line: key name, key id (4 bytes), and the signature as the algorithm gives it."""

    name: str
    key_id: bytes
    signature: bytes


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


def key_id(public_key_der: bytes) -> bytes:
    """Derive the key id (4 bytes) of an ECDSA key in signed notes from its SubjectPublicKeyInfo."""
    return hashlib.sha256(public_key_der).digest()[:_KEY_ID_BYTES]


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
    name = signer.name
    if not name or "+" in name or any(c.isspace() or ord(c) < 0x20 for c in name):
        raise ValueError("a key name is not empty and holds no white space, control character or plus sign")
    text = note_text(pair, head)
    signature = base64.b64encode(key_id(signer.public_key_der) + signer.sign(text.encode())).decode()
    return f"{text}\n— {name} {signature}\n"


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
    if len(note) > MAX_NOTE_CHARS or any(ord(c) < 0x20 and c != "\n" for c in note):
        raise ValueError("too long, or holds control characters")
    text, separator, signed = note.rpartition("\n\n")
    lines = text.split("\n")
    if not separator or not signed.endswith("\n") or len(lines) != 3 or not lines[0]:
        raise ValueError("not three lines of text, an empty line and signatures")
    signatures = tuple(map(_signature, signed[:-1].split("\n")))
    if len(signatures) > MAX_SIGNATURES:
        raise ValueError("too many signatures")
    if _LENGTH.fullmatch(lines[1]) is None:
        raise ValueError("the second line is not a length")
    root = _decoded(lines[2])
    if len(root) != _HASH_BYTES:
        raise ValueError("the third line is not a SHA-256")
    return Note(f"{text}\n", lines[0], int(lines[1]), root.hex(), signatures)


def _signature(line: str) -> NoteSignature:
    match = _SIGNATURE_LINE.fullmatch(line)
    if match is None:
        raise ValueError("not a signature line")
    decoded = _decoded(match["signature"])
    if len(decoded) <= _KEY_ID_BYTES:
        raise ValueError("an empty signature")
    return NoteSignature(match["name"], decoded[:_KEY_ID_BYTES], decoded[_KEY_ID_BYTES:])


def _decoded(value: str) -> bytes:
    """Decode base64 in its one canonical spelling, so that no note has two."""
    try:
        decoded = base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error
    if base64.b64encode(decoded).decode() != value:
        raise ValueError("not canonical base64")
    return decoded


def verify_note(note: Note, keys: Sequence[NoteKey]) -> CheckpointBreakKind | None:
    """Check a note's signatures as signed notes lay down; None when it is to be believed.

    Signatures of keys that are not trusted are ignored. One of a trusted key that does not verify condemns
    the note, and so does the lack of any.

    Parameters
    ----------
    keys
        Trusted keys: the one in use and those it replaced.
    """
    believed = False
    for signature in note.signatures:
        for key in keys:
            if (signature.name, signature.key_id) != (key.name, key_id(key.public_key_der)):
                continue
            if not key.verify(note.text.encode(), signature.signature):
                return CheckpointBreakKind.BAD_SIGNATURE
            believed = True
    return None if believed else CheckpointBreakKind.UNKNOWN_KEY


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
