"""Read an uploaded file into its subject's map, once for the same bytes (CM-1, CM-3, CM-8)."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, replace

import numpy as np

from anamnesis.domain.concepts import Contribution
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.errors import FileRefused, NotFound, TooLarge
from anamnesis.domain.files import MAX_FILE_BYTES, FileRecord, FileStatus, RefusalReason
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.domain.passages import concept_passage
from anamnesis.ports import ConceptReader, ConceptStore, Embedder, FileReader, UploadArea
from anamnesis.service.file_events import RecordFileEvent
from anamnesis.service.publish_map import PublishMap

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The use case; call it with the key of an object that arrived.

    Every step may be repeated: a duplicate trigger or a crash between two steps ends in the same state.
    """

    concepts: ConceptStore
    uploads: UploadArea
    file_reader: FileReader
    concept_reader: ConceptReader
    embedder: Embedder
    publish: PublishMap
    record_event: RecordFileEvent

    def __call__(self, object_key: str) -> FileRecord | None:
        """Read the object, or find that it was read before.

        Returns
        -------
        FileRecord or None
            The file's new state; None when the object belongs to no file (it was never offered, or is gone again).
        """
        scope, file_id = self.uploads.locate(object_key)
        record = self.concepts.get_file(scope, file_id)
        if record is None or record.deleted_at is not None:
            logger.warning("upload_without_file")
            return None
        if record.status is FileStatus.WAITING:
            record = replace(record, status=FileStatus.READING)
            self.concepts.update_file(record)
        if record.status is FileStatus.READING:
            record = self._settle(scope, record)
            if record is None or record.deleted_at is not None:
                return None
        if record.status is FileStatus.READ:
            self._replace_earlier(record)
        self.publish(scope)
        self.record_event.arrived(record)
        return record

    def _settle(self, scope: SubjectScope, record: FileRecord) -> FileRecord | None:
        """Bring a file from reading to read or refused."""
        try:
            data = self.uploads.fetch(scope, record.id, max_bytes=MAX_FILE_BYTES)
            record = replace(record, fingerprint=hashlib.sha256(data).hexdigest())
            return self._read(scope, record, data)
        except NotFound:
            logger.warning("upload_vanished")
            return None
        except TooLarge:
            return self._refuse(
                record,
                RefusalReason.TOO_LARGE,
                f"Files may have {MAX_FILE_BYTES // 2**20} MB; upload it in parts.",
            )
        except FileRefused as refusal:
            return self._refuse(record, refusal.reason, refusal.detail)

    def _refuse(self, record: FileRecord, reason: str, detail: str) -> FileRecord:
        refused = self._still(replace(record, status=FileStatus.REFUSED, reason=reason, detail=detail))
        self.concepts.update_file(refused)
        return refused

    def _read(self, scope: SubjectScope, record: FileRecord, data: bytes) -> FileRecord:
        fingerprint = record.fingerprint or ""
        known = self.concepts.extraction_of(scope, fingerprint)
        if known is not None and known.embedder == self.embedder.name:
            # The same bytes were read before: no second pass, only this file's name beside the first one's.
            twin = self._twin_pages(scope, fingerprint)
            read = self._still(
                replace(record, status=FileStatus.READ, pages=twin, language=known.extraction.language)
            )
            self.concepts.save_contribution(scope, replace(known, file_id=record.id), read)
            return read
        document = self.file_reader.read(data, declared_media_type=record.media_type)
        extraction = self.concept_reader.read(document, file_name=record.name)
        texts = [concept_passage(concept) for concept in extraction.concepts]
        vectors = (
            self.embedder.embed_passages(texts)
            if texts
            else np.zeros((0, self.embedder.dimension), dtype=np.float32)
        )
        contribution = Contribution(
            file_id=record.id,
            fingerprint=fingerprint,
            extraction=extraction,
            keys=tuple(canonical_key(concept.name) for concept in extraction.concepts),
            vectors=vectors,
            embedder=self.embedder.name,
        )
        self.concepts.save_pages(scope, fingerprint, document.pages)
        read = self._still(
            replace(
                record,
                status=FileStatus.READ,
                media_type=document.media_type,
                pages=len(document.pages),
                language=extraction.language,
            )
        )
        self.concepts.save_contribution(scope, contribution, read)
        return read

    def _still(self, record: FileRecord) -> FileRecord:
        """`record` with what became of the file while it was being read, which takes minutes for a large one."""
        stored = self.concepts.get_file(record.scope, record.id)
        if stored is None:
            return record
        return replace(record, replaced_by=stored.replaced_by, deleted_at=stored.deleted_at)

    def _twin_pages(self, scope: SubjectScope, fingerprint: str) -> int:
        return len(self.concepts.load_pages(scope, fingerprint))

    def _replace_earlier(self, record: FileRecord) -> None:
        """An upload of the same name by the same person takes the place of the earlier ones."""
        for old in self.concepts.files(record.scope):
            same_place = (old.name, old.uploaded_by) == (record.name, record.uploaded_by)
            # Ids are ordered by time: of two uploads at once the later offered one stays.
            if not same_place or old.id >= record.id or old.deleted_at is not None:
                continue
            if old.replaced_by is None:
                self.concepts.update_file(replace(old, replaced_by=record.id))
            # Told apart from the update, so that a run after a crash between the two still tells it.
            if old.replaced_by in {None, record.id} and old.fingerprint not in {None, record.fingerprint}:
                self.record_event.replaced(old, at=record.created_at)
