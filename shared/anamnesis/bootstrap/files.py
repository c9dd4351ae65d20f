"""Use cases on course files and on the map that is made of them."""

from __future__ import annotations

from functools import cached_property

from anamnesis.adapters.s3.reading_parts import S3ReadingParts
from anamnesis.bootstrap.log import LogUseCases
from anamnesis.service.delete_file import DeleteFile
from anamnesis.service.file_events import RecordFileEvent
from anamnesis.service.list_files import ListFiles
from anamnesis.service.offer_file import OfferFile
from anamnesis.service.read_file import ReadFile
from anamnesis.service.view_map import ViewMap


class FileUseCases(LogUseCases):
    """Files, and the map."""

    @cached_property
    def offer_file(self) -> OfferFile:
        """A place to upload a file to."""
        return OfferFile(self._concepts, self._roster, self._uploads, self.clock, self._ids)

    @cached_property
    def list_files(self) -> ListFiles:
        """Where files stand."""
        return ListFiles(self._concepts, self._maps, self.clock)

    @cached_property
    def delete_file(self) -> DeleteFile:
        """Delete a file."""
        return DeleteFile(self._concepts, self._uploads, self._publish, self._record_file_event, self.clock)

    @cached_property
    def read_file(self) -> ReadFile:
        """Read an uploaded file into the map."""
        from anamnesis.adapters.file_reader import ContentFileReader

        return ReadFile(
            concepts=self._concepts,
            uploads=self._uploads,
            file_reader=ContentFileReader(),
            concept_reader=self._concept_reader,
            embedder=self.embedder,
            publish=self._publish,
            record_event=self._record_file_event,
            reading_parts=S3ReadingParts(self._content),
            clock=self.clock,
        )

    @cached_property
    def view_map(self) -> ViewMap:
        """The map as one student sees it."""
        return ViewMap(self._concepts, self._maps, self._project)

    @cached_property
    def _record_file_event(self) -> RecordFileEvent:
        return RecordFileEvent(self.append_episodes, self._concepts)
