"""Read an uploaded file into its subject's map, once for the same bytes (CM-1, CM-3, CM-8)."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anamnesis.domain.concepts import Contribution, Extraction
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.embedded_texts import concept_passage
from anamnesis.domain.errors import FileRefused, NotFound, TooLarge
from anamnesis.domain.files import (
    MAX_FILE_BYTES,
    MAX_RUNS,
    FileRecord,
    FileStatus,
    Page,
    RefusalReason,
    begun,
    given_up,
)
from anamnesis.domain.reading.shortcomings import shortcoming
from anamnesis.ports import (
    Clock,
    ConceptReader,
    ConceptStore,
    Embedder,
    FileReader,
    ReadingParts,
    ReadingProgress,
    UploadArea,
)
from anamnesis.service.deadline import Deadline
from anamnesis.service.file_changes import change_file, drop_pages
from anamnesis.service.file_events import RecordFileEvent
from anamnesis.service.publish_map import PublishMap

logger = logging.getLogger(__name__)

#: What comes after the concepts are read takes: vectors of sixty passages, the map, an episode; and as much again.
SETTLING_SECONDS = 30.0


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
    reading_parts: ReadingParts
    clock: Clock

    def __call__(self, object_key: str, *, deadline: Deadline | None = None) -> FileRecord | None:
        """Read the object, or find that it was read before.

        Parameters
        ----------
        deadline
            When the run ends, whatever it is doing then; None for never.

        Raises
        ------
        ModelUnavailable
            If the concepts could not be read, or not in time. Nothing of the file is on the map then; the next run goes
            on with what this one kept, and after the last run the file is refused as ``unfinished``.

        Returns
        -------
        FileRecord or None
            The file's new state; None when the object belongs to no file (it was never offered, or is gone again).
        """
        scope, file_id = self.uploads.locate(object_key)
        record = self.concepts.get_file(scope, file_id)
        if record is None:
            logger.warning("upload_without_file")
            self.uploads.delete(scope, file_id)
            return None
        pages: Sequence[Page] = ()
        now = self.clock.now()
        try:
            record = change_file(self.concepts, record, lambda stored: begun(stored, now))
            if record.status is FileStatus.READING and record.deleted_at is None:
                record, pages = self._settle(record, deadline or Deadline.never())
            if record.status is FileStatus.READ and record.deleted_at is None:
                record = self._keep_pages(record, pages)
        except NotFound:
            logger.warning("upload_vanished")
            return None
        except Exception:
            if record.runs >= MAX_RUNS:
                # The dead letter is kept: a replay begins again. Should this fail too, time tells (``as_of``).
                change_file(self.concepts, record, given_up)
            raise
        if record.status is FileStatus.READ and not record.erased:
            # Also of one that was deleted since: what it replaced does not come back, whichever step was first.
            self._replace_earlier(record)
        if record.deleted_at is not None:
            self._discard(record)
            self.publish(scope)
            return None
        self.publish(scope)
        self.record_event.arrived(record)
        return record

    def _settle(self, record: FileRecord, deadline: Deadline) -> tuple[FileRecord, Sequence[Page]]:
        """Bring a file from reading to read or refused; return what became of it, and its pages if it was parsed."""
        refused = replace(record, status=FileStatus.REFUSED)
        try:
            data = self.uploads.fetch(record.scope, record.id, max_bytes=MAX_FILE_BYTES)
            refused = replace(refused, fingerprint=hashlib.sha256(data).hexdigest())
            return self._read(replace(record, fingerprint=refused.fingerprint), data, record, deadline)
        except TooLarge:
            advice = f"Files may have {MAX_FILE_BYTES // 2**20} MB; upload it in parts."
            refused = replace(refused, reason=RefusalReason.TOO_LARGE, detail=advice)
        except FileRefused as refusal:
            refused = replace(refused, reason=refusal.reason, detail=refusal.detail)
        return change_file(self.concepts, record, _settled(refused)), ()

    def _read(
        self, read: FileRecord, data: bytes, before: FileRecord, deadline: Deadline
    ) -> tuple[FileRecord, Sequence[Page]]:
        """Find out what the bytes say, and store it with the file unless that was deleted meanwhile."""
        scope, fingerprint = read.scope, read.fingerprint or ""
        known = self.concepts.extraction_of(scope, fingerprint)
        pages: Sequence[Page]
        parts: set[str] = set()
        if known is not None and known.embedder == self.embedder.name:
            # The same bytes were read before: no second pass, only this file's name beside the first one's. Their
            # page texts went if every file of these bytes was deleted.
            pages = self.concepts.load_pages(scope, fingerprint)
            if not pages:
                pages = self.file_reader.read(data, declared_media_type=read.media_type).pages
            contribution = replace(known, file_id=read.id)
            read = self._lacking_as_its_twin(read)
        else:
            document = self.file_reader.read(data, declared_media_type=read.media_type)
            pages, read = document.pages, replace(read, media_type=document.media_type)
            extraction = self.concept_reader.read(
                document, file_name=read.name, progress=self._progress(read, deadline, parts)
            )
            contribution = self._contribution(read, extraction)
            reason, detail = shortcoming(len(extraction.concepts), document.pictures)
            read = replace(read, reason=reason, detail=detail)
        read = replace(
            read, status=FileStatus.READ, pages=len(pages), language=contribution.extraction.language
        )
        # Reading takes minutes for a large file: what others did to it meanwhile stays.
        settled = change_file(self.concepts, before, _settled(read), contribution=contribution)
        if parts:
            self.reading_parts.drop_parts(scope, read.id)
        return settled, pages

    def _lacking_as_its_twin(self, read: FileRecord) -> FileRecord:
        """Return a file with what another one of the same bytes was found to lack."""
        for twin in self.concepts.files(read.scope):
            if twin.status is FileStatus.READ and twin.fingerprint == read.fingerprint and not twin.erased:
                return replace(read, reason=twin.reason, detail=twin.detail)
        return read

    def _progress(self, record: FileRecord, deadline: Deadline, parts: set[str]) -> ReadingProgress:
        """What the reader is handed; `parts` gets the names that it asks for."""
        scope, file_id = record.scope, record.id

        def kept(part: str) -> bytes | None:
            parts.add(part)
            return self.reading_parts.kept_part(scope, file_id, part)

        return ReadingProgress(
            seconds_left=lambda: deadline.left(reserve=SETTLING_SECONDS),
            kept=kept,
            keep=lambda part, data: self.reading_parts.keep_part(scope, file_id, part, data),
        )

    def _contribution(self, record: FileRecord, extraction: Extraction) -> Contribution:
        texts = [concept_passage(concept) for concept in extraction.concepts]
        vectors = (
            self.embedder.embed_passages(texts)
            if texts
            else np.zeros((0, self.embedder.dimension), dtype=np.float32)
        )
        return Contribution(
            file_id=record.id,
            fingerprint=record.fingerprint or "",
            extraction=extraction,
            keys=tuple(canonical_key(concept.name) for concept in extraction.concepts),
            vectors=vectors,
            embedder=self.embedder.name,
        )

    def _keep_pages(self, record: FileRecord, pages: Sequence[Page]) -> FileRecord:
        """Keep a read file's page texts, and return the file as it is afterwards.

        They follow the record, so that whoever deletes the file knows which to remove; and since a deletion may have
        removed them before they were kept, the file is looked at once more.
        """
        scope, fingerprint = record.scope, record.fingerprint or ""
        if not self.concepts.load_pages(scope, fingerprint):
            pages = pages or self._pages_again(record)
            if pages:
                self.concepts.save_pages(scope, fingerprint, pages)
        stored = self.concepts.get_file(scope, record.id)
        if stored is None:
            raise NotFound("no such file in this subject")
        return stored

    def _pages_again(self, record: FileRecord) -> Sequence[Page]:
        """The pages of a file that an earlier run read before it died; empty when its bytes are no longer there."""
        try:
            data = self.uploads.fetch(record.scope, record.id, max_bytes=MAX_FILE_BYTES)
            if hashlib.sha256(data).hexdigest() != record.fingerprint:
                return ()
            return self.file_reader.read(data, declared_media_type=record.media_type).pages
        except (NotFound, TooLarge, FileRefused):
            return ()

    def _discard(self, record: FileRecord) -> None:
        """Remove what arrived, or was read, of a deleted file: its upload permission may outlive it by minutes."""
        logger.warning("upload_of_deleted_file")
        self.uploads.delete(record.scope, record.id)
        drop_pages(self.concepts, record.scope, record.fingerprint)

    def _replace_earlier(self, record: FileRecord) -> None:
        """An upload of the same name by the same person takes the place of the earlier ones."""
        for earlier in self.concepts.files(record.scope):
            same_place = (earlier.name, earlier.uploaded_by) == (record.name, record.uploaded_by)
            # Ids are ordered by time: of two uploads at once the later offered one stays.
            if not same_place or earlier.id >= record.id:
                continue
            old = change_file(self.concepts, earlier, _replaced_by(record.id))
            if old.deleted_at is not None:
                continue
            # Told apart from the update, so that a run after a crash between the two still tells it.
            if old.replaced_by == record.id and old.fingerprint not in {None, record.fingerprint}:
                self.record_event.replaced(old, at=record.created_at)


def _settled(outcome: FileRecord) -> Callable[[FileRecord], FileRecord]:
    """The decision to give a file this outcome, unless it was deleted or another run settled it first."""

    def decide(stored: FileRecord) -> FileRecord:
        if stored.status is not FileStatus.READING or stored.deleted_at is not None:
            return stored
        return replace(outcome, replaced_by=stored.replaced_by, runs=0, begun_at=None)

    return decide


def _replaced_by(file_id: str) -> Callable[[FileRecord], FileRecord]:
    return lambda stored: replace(stored, replaced_by=file_id) if stored.current else stored
