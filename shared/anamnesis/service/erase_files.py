"""Erase the files that a student uploaded to a subject: bytes, page texts, readings, and what names them (EP-8)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from anamnesis.domain.errors import Busy, RevisionMoved
from anamnesis.domain.files import FileRecord, erased_file, forgotten_file
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.erasures import PairRequest
from anamnesis.ports import ConceptStore, UploadArea
from anamnesis.service.file_changes import TRIES, drop_pages
from anamnesis.service.publish_map import PublishMap


@dataclass(frozen=True, slots=True)
class EraseFiles:
    """The part of an erasure that is about files; every method may be called again at any time."""

    concepts: ConceptStore
    uploads: UploadArea
    publish: PublishMap

    def erase(self, pair: Pair, asked: PairRequest) -> list[FileRecord]:
        """Erase the files that the request is about; return what stays of them."""
        erased_now = [self._erase_file(record, asked.request.at) for record in self._files_of(pair, asked)]
        self._discard(pair, erased_now)
        if erased_now:
            self.publish(pair.scope)
        return erased_now

    def sweep(self, pair: Pair, asked: PairRequest, *, forget: bool) -> None:
        """Remove what arrived, or was read, of erased files since; at last forget which bytes they had."""
        files = self._files_of(pair, asked)
        self._discard(pair, files)
        if not forget:
            return
        known = [record for record in files if record.fingerprint is not None]
        for record in known:
            with suppress(RevisionMoved):  # by another night, which forgets the same
                self.concepts.erase_file(forgotten_file(record), expected=record)
        if known:
            self.publish(pair.scope)

    def _files_of(self, pair: Pair, asked: PairRequest) -> list[FileRecord]:
        return [record for record in self.concepts.files(pair.scope) if record.id in asked.files]

    def _discard(self, pair: Pair, files: Sequence[FileRecord]) -> None:
        for record in files:
            self.uploads.delete(pair.scope, record.id)
            drop_pages(self.concepts, pair.scope, record.fingerprint)

    def _erase_file(self, record: FileRecord, at: datetime) -> FileRecord:
        for _ in range(TRIES):
            gone = erased_file(record, at)
            if gone == record:
                return record
            try:
                self.concepts.erase_file(gone, expected=record)
            except RevisionMoved:
                stored = self.concepts.get_file(record.scope, record.id)
                record = stored if stored is not None else gone
            else:
                return gone
        raise Busy("the file keeps changing")
