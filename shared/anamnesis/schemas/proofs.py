"""Checkpoints, and proofs that anybody can check without this service."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from anamnesis.schemas.values import Reply


class PublicKeyOut(Reply):
    """The key that signs checkpoints; trust it from elsewhere, not from the proof that it comes with."""

    name: str = Field(description="As in the notes' signature lines")
    id: str = Field(description="First four bytes of the SHA-256 of the DER public key, in hex")
    algorithm: str
    pem: str


class CheckpointOut(Reply):
    """A checkpoint, and the proof that the log grew into it from the one before."""

    length: int
    note: str = Field(description="C2SP tlog-checkpoint")
    consistency: list[str] | None = Field(
        description="RFC 9162 consistency proof, base64, from the checkpoint before this one in the list (from `after` "
        "for the first, from the empty log at its beginning); null for a checkpoint that cannot be trusted and for one "
        "that is longer than the log"
    )


class CheckpointList(Reply):
    """A page of checkpoints, shortest log first."""

    checkpoints: list[CheckpointOut]
    following: int | None = Field(description="`after` of the next page; null at the end")
    public_key: PublicKeyOut


class HashedRecordOut(Reply):
    """What an episode's hash covers; all that stays of it once it is erased."""

    version: int
    id: str
    tenant: str
    student: str
    subject: str
    position: int
    kind: str
    occurred_at: str
    recorded_at: str
    utc_offset_minutes: int = Field(description="How far the caller's clock was ahead of UTC")
    commitment: str = Field(description="SHA-256 of the salt and the canonical content, in hex")
    previous_hash: str


class CommittedOut(Reply):
    """What an episode commits to."""

    salt: str = Field(description="In hex")
    record: dict[str, Any]


class ProofOut(Reply):
    """An episode, and the proof that it is in its log; `anamnesis verify --proof` checks it offline."""

    record: HashedRecordOut
    content: CommittedOut | None = Field(description="Null once erased")
    hash: str = Field(description="SHA-256 of the canonical record (RFC 8785), in hex")
    proof: str = Field(
        description="C2SP tlog-proof: its place, the path to the root, and the signed checkpoint"
    )
    public_key: PublicKeyOut
