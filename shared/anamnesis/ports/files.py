"""Where uploads lie, and what reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


class ReadingParts(Protocol):
    """What was read of files so far whose reading takes more than one try; a night may remove what is an hour old."""

    def kept_part(self, scope: SubjectScope, file_id: str, part: str) -> bytes | None:
        """What was kept of a part, None when there is nothing."""

    def keep_part(self, scope: SubjectScope, file_id: str, part: str, data: bytes) -> None:
        """Keep what a part gave; `part` is a name in hexadecimal digits."""

    def drop_parts(self, scope: SubjectScope, file_id: str) -> None:
        """Remove all that is kept of a file; nothing happens when there is nothing."""


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """How a concept reader knows its time, and keeps what it has for the next try.

    Attributes
    ----------
    seconds_left
        Until the reading must have ended; infinite when nothing bounds it.
    kept, keep
        What an earlier try kept under a name of hexadecimal digits; keep it. Both may raise ``StoreUnavailable``.
    """

    seconds_left: Callable[[], float]
    kept: Callable[[str], bytes | None]
    keep: Callable[[str, bytes], None]


class ConceptReader(Protocol):
    """Finds the concepts that a document explains (CM-1); what it returns has passed the validator (CM-2)."""

    @property
    def name(self) -> str:
        """Name and version, kept with what it read."""

    def read(
        self, document: Document, *, file_name: str, progress: ReadingProgress | None = None
    ) -> Extraction:
        """At most ``MAX_CONCEPTS_PER_FILE`` concepts, ``MAX_TERMS_PER_FILE`` with its lists' entries; all or none.

        Raises
        ------
        ModelUnavailable
            Also when the time that `progress` has was too short; what was read by then is kept.
        """
