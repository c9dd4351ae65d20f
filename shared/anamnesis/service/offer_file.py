"""Make a place for a course file to be uploaded to (SV-6)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.file_names import is_file_name
from anamnesis.domain.files import FileRecord, UploadTicket
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import Clock, ConceptStore, IdSource, Roster, UploadArea

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
