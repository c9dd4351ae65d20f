"""Delete a course file and what was read out of it (SV-6, CM-8, RC-8)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.errors import Forbidden, NotFound
from anamnesis.domain.files import FileRecord
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import Clock, ConceptStore, UploadArea
from anamnesis.service.file_changes import change_file, drop_pages
from anamnesis.service.file_events import RecordFileEvent
from anamnesis.service.publish_map import PublishMap


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
