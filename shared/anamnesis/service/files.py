"""A course file's life around its reading: offered, listed, deleted (SV-6, CM-8)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.errors import Forbidden, InvalidInput, NotFound
from anamnesis.domain.file_names import is_file_name
from anamnesis.domain.files import FileRecord, FileStatus, UploadTicket, as_of
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.ports import Clock, ConceptStore, IdSource, Roster, UploadArea
from anamnesis.service.file_changes import change_file, drop_pages
from anamnesis.service.file_events import RecordFileEvent
from anamnesis.service.map_cache import MapCache
from anamnesis.service.publish_map import PublishMap

#: How long an upload permission lasts.
TICKET_LIFE = timedelta(minutes=15)
#: Tries to make a file's id the latest of its place, each twice as far ahead of the clock: the last one is 99 days.
ID_TRIES = 34


@dataclass(frozen=True, slots=True)
class OfferFile:
    """Make a place for a file's bytes."""

    concepts: ConceptStore
    roster: Roster
    uploads: UploadArea
    clock: Clock
    ids: IdSource

    def __call__(self, pair: Pair, *, name: str, media_type: str, size: int) -> UploadTicket:
        """A file record in status ``waiting`` and permission to send exactly `size` bytes.

        Raises
        ------
        InvalidInput
            If the name shows nothing, or holds characters that do not show (field ``name``).
        """
        if not is_file_name(name):
            raise InvalidInput(
                "a file's name has a letter, digit or symbol, and no control or invisible character",
                field="name",
            )
        now = self.clock.now()
        # One spelling of a name, so that uploading it again replaces the earlier file on every system.
        name = unicodedata.normalize("NFC", name)
        record = FileRecord(
            id=self._latest_id(pair, name, now),
            scope=pair.scope,
            name=name,
            media_type=media_type,
            declared_bytes=size,
            uploaded_by=pair.student,
            created_at=now,
        )
        self.roster.note(pair)
        self.concepts.add_file(record)
        return self.uploads.ticket(record, expires_at=now + TICKET_LIFE)

    def _latest_id(self, pair: Pair, name: str, now: datetime) -> str:
        """An id after those of all files that this one may replace: the later id stays (`ReadFile`).

        The clocks of two processes may be apart by hours, and two ids of one millisecond are in no order, so the clock
        alone does not say which of two uploads was offered later.
        """
        place = (name, pair.student)
        earlier = max(
            (file.id for file in self.concepts.files(pair.scope) if (file.name, file.uploaded_by) == place),
            default="",
        )
        file_id = self.ids.new_id(now)
        for doublings in range(ID_TRIES):
            if file_id > earlier:
                break
            file_id = self.ids.new_id(now + timedelta(milliseconds=2**doublings))
        return file_id


@dataclass(frozen=True, slots=True)
class ListFiles:
    """Look files up. A file counts as read once the published map holds what it says.

    One whose reading was killed again and again counts as given up from when no run follows any more.
    """

    concepts: ConceptStore
    maps: MapCache
    clock: Clock

    def all(self, scope: SubjectScope) -> list[FileRecord]:
        """Every file of the subject, oldest first, replaced and deleted ones included."""
        subject_map = self.maps.load(scope)
        now = self.clock.now()
        return [_as_published(as_of(record, now), subject_map) for record in self.concepts.files(scope)]

    def one(self, scope: SubjectScope, file_id: str) -> FileRecord:
        """One file.

        Raises
        ------
        NotFound
            If the subject has no such file.
        """
        record = self.concepts.get_file(scope, file_id)
        if record is None:
            raise NotFound("no such file in this subject", field="file_id")
        return _as_published(as_of(record, self.clock.now()), self.maps.load(scope))


def _as_published(record: FileRecord, subject_map: SubjectMap) -> FileRecord:
    published = subject_map.files.get(record.id)
    if record.status is FileStatus.READ and (published is None or published.status is not FileStatus.READ):
        return replace(record, status=FileStatus.READING)
    return record


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """Delete a file: its bytes, page texts and part of the map go, citations are labelled from then on (RC-8)."""

    concepts: ConceptStore
    uploads: UploadArea
    publish: PublishMap
    record_event: RecordFileEvent
    clock: Clock

    def __call__(self, caller: Caller, pair: Pair, file_id: str) -> FileRecord:
        """Mark the file deleted and renew the map; deleting twice changes nothing.

        Raises
        ------
        NotFound
            If the subject has no such file.
        Forbidden
            If a student deletes a file that somebody else uploaded.
        """
        record = self.concepts.get_file(pair.scope, file_id)
        if record is None:
            raise NotFound("no such file in this subject", field="file_id")
        if caller.role is Role.STUDENT and record.uploaded_by != caller.student:
            raise Forbidden("only who uploaded a file, a teacher or a service may delete it", field="file_id")
        now = self.clock.now()
        record = change_file(
            self.concepts,
            record,
            lambda stored: stored if stored.deleted_at is not None else replace(stored, deleted_at=now),
        )
        # Each step may be repeated after a crash between them.
        self.uploads.delete(pair.scope, file_id)
        drop_pages(self.concepts, pair.scope, record.fingerprint)
        self.publish(pair.scope)
        self.record_event.deleted(record)
        return record
