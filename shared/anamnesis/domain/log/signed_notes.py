"""C2SP signed notes (https://c2sp.org/signed-note): a text, an empty line, and a line for each signature.

Signatures are ECDSA P-256 over SHA-256 (signature type 0x02 of signed notes), DER, for KMS signs those. As the
specification lays down for that type, the key id is the first four bytes of the SHA-256 of the DER public key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

#: Largest note read, in characters, and most signatures in it; the specification wants at least 16 accepted.
MAX_NOTE_CHARS: Final = 100_000
MAX_SIGNATURES: Final = 16

_KEY_ID_BYTES: Final = 4
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


class Distrust(StrEnum):
    """Why a note's signatures are not to be believed. Stable: they become kinds of breaks."""

    BAD_SIGNATURE = "bad_signature"
    UNKNOWN_KEY = "unknown_key"


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One signature line: key name, key id (4 bytes), and the signature as the algorithm gives it."""

    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class SignedText:
    """A note taken apart. Nothing in it is to be believed before ``distrust``.

    Attributes
    ----------
    text
        What was signed, its last newline included.
    """

    text: str
    signatures: tuple[NoteSignature, ...]


def key_id(public_key_der: bytes) -> bytes:
    """Derive the key id (4 bytes) of an ECDSA key in signed notes from its SubjectPublicKeyInfo."""
    return hashlib.sha256(public_key_der).digest()[:_KEY_ID_BYTES]


def signed(text: str, signer: NoteSigner) -> str:
    """Sign `text`, which ends with a newline, as a note.

    Raises
    ------
    ValueError
        If the signer's name cannot stand in a note: it is not empty, without white space and plus signs.
    """
    name = signer.name
    if not name or "+" in name or any(c.isspace() or ord(c) < 0x20 for c in name):
        raise ValueError("a key name is not empty and holds no white space, control character or plus sign")
    signature = base64.b64encode(key_id(signer.public_key_der) + signer.sign(text.encode())).decode()
    return f"{text}\n— {name} {signature}\n"


def opened(note: str) -> SignedText:
    """Take a note apart, strictly: what opens is what ``signed`` could have written.

    Raises
    ------
    ValueError
        If it is no signed note.
    """
    if len(note) > MAX_NOTE_CHARS or any(ord(c) < 0x20 and c != "\n" for c in note):
        raise ValueError("too long, or holds control characters")
    text, separator, lines = note.rpartition("\n\n")
    if not separator or not lines.endswith("\n") or not text:
        raise ValueError("not a text, an empty line and signatures")
    signatures = tuple(map(_signature, lines[:-1].split("\n")))
    if len(signatures) > MAX_SIGNATURES:
        raise ValueError("too many signatures")
    return SignedText(f"{text}\n", signatures)


def distrust(note: SignedText, keys: Sequence[NoteKey]) -> Distrust | None:
    """Check a note's signatures as signed notes lay down; None when it is to be believed.

    Signatures of keys that are not trusted are ignored. One of a trusted key that does not verify condemns the note,
    and so does the lack of any.

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
                return Distrust.BAD_SIGNATURE
            believed = True
    return None if believed else Distrust.UNKNOWN_KEY


def canonical_base64(value: str) -> bytes:
    """Decode base64 in its one canonical spelling, so that no note has two.

    Raises
    ------
    ValueError
        If it is not base64, or spelled another way.
    """
    try:
        decoded = base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error
    if base64.b64encode(decoded).decode() != value:
        raise ValueError("not canonical base64")
    return decoded


def _signature(line: str) -> NoteSignature:
    match = _SIGNATURE_LINE.fullmatch(line)
    if match is None:
        raise ValueError("not a signature line")
    decoded = canonical_base64(match["signature"])
    if len(decoded) <= _KEY_ID_BYTES:
        raise ValueError("an empty signature")
    return NoteSignature(match["name"], decoded[:_KEY_ID_BYTES], decoded[_KEY_ID_BYTES:])
