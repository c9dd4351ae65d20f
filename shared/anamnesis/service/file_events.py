"""Write a `file` episode when a file arrives, is replaced or is deleted (EP-1)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from anamnesis.domain.errors import NotFound
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Head, Kind
from anamnesis.ports import ConceptStore
from anamnesis.service.append_episodes import AppendEpisodes, Draft

#: What is told of a file.
EVENTS = ("arrived", "replaced", "deleted")


@dataclass(frozen=True, slots=True)
class RecordFileEvent:
    """Appends to the uploader's log; the idempotency key is the event, so that a repeated trigger adds nothing."""

    append: AppendEpisodes
    concepts: ConceptStore

    def arrived(self, record: FileRecord) -> None:
        """The file was read or refused."""
        if record.status is FileStatus.READ:
            pages = "page" if record.pages == 1 else "pages"
            text = f"The file {record.name} arrived and was read ({record.pages} {pages})."
        else:
            text = f"The file {record.name} arrived and could not be read: {record.detail}"
        self._append(record, "arrived", record.created_at, text)

    def replaced(self, old: FileRecord, *, at: datetime) -> None:
        """A newer file, offered at `at`, took this one's place."""
        self._append(
            old, "replaced", at, f"The file {old.name} was replaced by a newer one of the same name."
        )

    def deleted(self, record: FileRecord) -> None:
        """The file was deleted."""
        self._append(
            record, "deleted", record.deleted_at or record.created_at, f"The file {record.name} was deleted."
        )

    def _append(self, record: FileRecord, event: str, at: datetime, text: str) -> None:
        # Nothing here depends on when this runs: a second trigger makes the same request under the same key.
        pair = Pair(record.scope.tenant, record.uploaded_by, record.scope.subject)
        evidence = ((record.id, None),) if record.fingerprint is not None else ()
        draft = Draft(Kind.FILE, at, text, topic=record.name, language="en", evidence=evidence)

        def recheck(_: Head) -> None:
            stored = self.concepts.get_file(record.scope, record.id)
            if stored is None or stored.erased:
                raise NotFound("the file was erased meanwhile")

        with suppress(NotFound):
            self.append(pair, event_key(record.id, event), [draft], recheck=recheck)


def event_key(file_id: str, event: str) -> str:
    """The idempotency key under which an event of a file is recorded."""
    return f"file:{file_id}:{event}"


def event_keys(file_id: str) -> Iterator[str]:
    """Every key under which something may be recorded about a file."""
    return (event_key(file_id, event) for event in EVENTS)
