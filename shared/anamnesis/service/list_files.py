"""Look course files up, as the published map shows them (SV-6, CM-8)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.errors import NotFound
from anamnesis.domain.files import FileRecord, FileStatus, as_of
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import Clock, ConceptStore
from anamnesis.service.map_cache import MapCache


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
