"""Where uploads lie, and what reads them."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from anamnesis.domain.concepts import Extraction
from anamnesis.domain.files import Document, FileRecord, UploadTicket
from anamnesis.domain.identifiers import SubjectScope


class UploadArea(Protocol):
    """Where callers put file bytes."""

    def ticket(self, record: FileRecord, *, expires_at: datetime) -> UploadTicket:
        """Permission to upload exactly ``record.declared_bytes`` bytes for this file."""

    def locate(self, object_key: str) -> tuple[SubjectScope, str]:
        """Scope and file id of an object that arrived.

        Raises
        ------
        InvalidInput
            If the key is not one that ``ticket`` made.
        """

    def fetch(self, scope: SubjectScope, file_id: str, *, max_bytes: int) -> bytes:
        """The uploaded bytes.

        Raises
        ------
        NotFound
            If nothing was uploaded.
        TooLarge
            If there are more than `max_bytes`; they are not downloaded.
        """

    def delete(self, scope: SubjectScope, file_id: str) -> None:
        """Remove the bytes; nothing happens when there are none."""


class FileReader(Protocol):
    """Turns bytes into pages of text."""

    def read(self, data: bytes, *, declared_media_type: str) -> Document:
        """Decide the type by content and read it.

        Raises
        ------
        FileRefused
            With a stable reason.
        """


class ConceptReader(Protocol):
    """Finds the concepts that a document explains (CM-1); what it returns has passed the validator (CM-2)."""

    @property
    def name(self) -> str:
        """Name and version, kept with what it read."""

    def read(self, document: Document, *, file_name: str) -> Extraction:
        """At most ``MAX_CONCEPTS_PER_FILE`` concepts."""
