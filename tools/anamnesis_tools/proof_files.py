"""Check files of proofs and checkpoints without any stack (EP-5).

A file is what the API answered: the proof of an episode, or a list of checkpoints. Nothing in it is believed but what
can be computed and what a key has signed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from anamnesis.domain.log.checkpoints import Note, parse_note
from anamnesis.domain.log.proofs import (
    ListedCheckpoint,
    ProofBreakKind,
    check_episode,
    check_growth,
    hashes_of,
    parse_proof,
)
from anamnesis.domain.log.signed_notes import NoteKey, key_id

KEY_FROM_FILE: Final = "whose key signed it: the key came with the file, which anybody can write; name yours"
#: The file alone cannot tell an erasure from a text that its sender kept back.
NOT_SHOWN: Final = "what was said: it is not in the file (erased, or left out)"
SINCE: Final = "positions after {length}: they are newer than the latest checkpoint in the file"
LEFT_OUT: Final = "whether the list is whole: whoever made the file may have left checkpoints out"
NOTHING: Final = "anything: there is no checkpoint"

#: Members of either kind of file, of what was said, and of a listed checkpoint. A file with others is refused: somebody
#: who reads it would take them for proved as well.
_PROOF: Final = frozenset({"record", "content", "hash", "proof", "public_key"})
_LIST: Final = frozenset({"checkpoints", "following", "public_key"})
_CONTENT: Final = frozenset({"salt", "record"})
_CHECKPOINT: Final = frozenset({"length", "note", "consistency"})

#: A break by position (0 when none is known) and kind.
Found = tuple[int, str]


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """What checking a file found.

    Attributes
    ----------
    about
        ``episode`` or ``checkpoints``.
    facts
        What the file proves if nothing is wrong.
    not_checked
        In words.
    """

    about: str
    facts: Mapping[str, Any]
    breaks: tuple[Found, ...]
    not_checked: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Whether something was proved, and nothing is wrong."""
        return not self.breaks and "checkpoint" in self.facts

    def document(self) -> dict[str, Any]:
        """Return the verdict for programs."""
        return {
            "verified": self.verified,
            "about": self.about,
            **self.facts,
            "breaks": [{"position": position, "kind": kind} for position, kind in self.breaks],
            "not_checked": list(self.not_checked),
        }


def key_name_and_pem(document: Any) -> tuple[str, str] | None:
    """Return name and PEM of the key in a file; None when it has none."""
    key = document.get("public_key") if isinstance(document, dict) else None
    name, pem = (key.get("name"), key.get("pem")) if isinstance(key, dict) else (None, None)
    return (name, pem) if isinstance(name, str) and isinstance(pem, str) else None


def checked(document: Any, key: NoteKey, *, key_from_file: bool, origin: str | None = None) -> FileVerdict:
    """Check a file's JSON against a key.

    Parameters
    ----------
    origin
        Of the log that it has to be about; None for any.
    """
    unchecked = (KEY_FROM_FILE,) if key_from_file else ()
    facts = {"key": {"name": key.name, "id": key_id(key.public_key_der).hex()}}
    listed = isinstance(document, dict) and "checkpoints" in document and "proof" not in document
    about = "checkpoints" if listed else "episode"
    try:
        verdict = _checkpoints(document, key) if listed else _episode(document, key)
    except (KeyError, TypeError, ValueError, AttributeError):
        return FileVerdict(about, facts, ((0, ProofBreakKind.MALFORMED.value),), unchecked)
    breaks = verdict.breaks
    signed = verdict.facts.get("checkpoint")
    if origin is not None and signed is not None and signed["origin"] != origin:
        breaks = (*breaks, (signed["length"], ProofBreakKind.FOREIGN_ORIGIN.value))
    return FileVerdict(about, {**verdict.facts, **facts}, breaks, (*verdict.not_checked, *unchecked))


def _episode(document: Mapping[str, Any], key: NoteKey) -> FileVerdict:
    _only(document, _PROOF)
    record, stated, proof = _object(document["record"]), _text(document["hash"]), _text(document["proof"])
    sent = document["content"]
    content = None if sent is None else (_text(_only(sent, _CONTENT)["salt"]), _object(sent["record"]))
    note = parse_note(parse_proof(proof).note)
    position = record.get("position")
    at = position if isinstance(position, int) else 0
    facts = {
        "episode": record.get("id"),
        "position": position,
        "recorded_at": record.get("recorded_at"),
        "hash": stated,
        "erased": content is None,
        "checkpoint": _shown(note),
    }
    breaks = [(at, kind.value) for kind in check_episode(record, stated, content, proof, key)]
    return FileVerdict("episode", facts, tuple(breaks), (NOT_SHOWN,) if content is None else ())


def _checkpoints(document: Mapping[str, Any], key: NoteKey) -> FileVerdict:
    if not isinstance(_only(document, _LIST)["checkpoints"], list):
        raise TypeError("no list")
    listed = [
        ListedCheckpoint(
            _number(_only(sent, _CHECKPOINT)["length"]),
            _text(sent["note"]),
            None if sent["consistency"] is None else hashes_of(sent["consistency"]),
        )
        for sent in document["checkpoints"]
    ]
    if not listed:
        return FileVerdict("checkpoints", {"checkpoints": 0}, (), (NOTHING,))
    breaks = [(found.position, found.kind) for found in check_growth(listed, key)]
    last = listed[-1].length
    facts: dict[str, Any] = {"checkpoints": len(listed)}
    if not breaks:
        facts["checkpoint"] = _shown(parse_note(listed[-1].note))
    return FileVerdict("checkpoints", facts, tuple(breaks), (SINCE.format(length=last), LEFT_OUT))


def _shown(note: Note) -> dict[str, Any]:
    return {"origin": note.origin, "length": note.length, "root": note.root_hash}


def _only(value: Any, members: frozenset[str]) -> dict[str, Any]:
    found = _object(value)
    if not found.keys() <= members:
        raise ValueError("holds more than is proved")
    return found


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("no number")
    return value
