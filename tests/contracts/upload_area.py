"""What every ``UploadArea`` promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from anamnesis.domain.errors import InvalidInput, NotFound, TooLarge
from anamnesis.domain.files import UploadTicket
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import UploadArea
from contracts.examples import NOW, file_record, fresh_scope

#: Sends bytes as a caller with a ticket does, and returns the key of the object that arrived.
Upload = Callable[[UploadTicket, bytes], str]


class UploadAreaContract:
    """Subclasses give the fixtures ``area`` and ``upload``."""

    @pytest.mark.parametrize("subject", ["biology", "生物学 & co", "a#b%2F+c d", "é" * 64, "...", "uploads"])
    def test_finds_what_was_uploaded(self, area: UploadArea, upload: Upload, subject: str) -> None:
        """The bytes that a ticket's holder sends are found by the key they arrived under, whatever the names (CM-1)."""
        record = file_record(SubjectScope("école #1", subject))
        ticket = area.ticket(record, expires_at=NOW + timedelta(minutes=15))
        assert (ticket.file, ticket.method) == (record, "PUT")
        assert ticket.headers == {"Content-Type": record.media_type, "Content-Length": "5"}
        key = upload(ticket, b"%PDF-")
        assert area.locate(key) == (record.scope, record.id)
        assert area.fetch(record.scope, record.id, max_bytes=5) == b"%PDF-"

    def test_does_not_download_too_much(self, area: UploadArea, upload: Upload) -> None:
        """An upload beyond the limit is refused (SV-12)."""
        record = file_record(fresh_scope())
        upload(area.ticket(record, expires_at=NOW + timedelta(minutes=15)), b"12345")
        with pytest.raises(TooLarge):
            area.fetch(record.scope, record.id, max_bytes=4)

    def test_deletes(self, area: UploadArea, upload: Upload) -> None:
        """Deleted bytes are gone, and deleting nothing is no error (CM-8)."""
        record = file_record(fresh_scope())
        upload(area.ticket(record, expires_at=NOW + timedelta(minutes=15)), b"12345")
        for _ in range(2):
            area.delete(record.scope, record.id)
            with pytest.raises(NotFound):
                area.fetch(record.scope, record.id, max_bytes=9)

    def test_nothing_uploaded(self, area: UploadArea) -> None:
        """A ticket that nobody used leads to nothing (SV-7)."""
        record = replace(file_record(fresh_scope()), declared_bytes=0)
        area.ticket(record, expires_at=NOW + timedelta(minutes=15))
        with pytest.raises(NotFound):
            area.fetch(record.scope, record.id, max_bytes=9)

    @pytest.mark.parametrize(
        "key",
        [
            "",
            "uploads",
            "uploads/",
            "uploads/a/b",
            "uploads/a#b",
            "uploads/a#b/",
            "uploads/#b/0",
            "uploads/a#b/é",
            "other/a#b/0",
            "/uploads/a#b/0",
            "uploads/a#b/0/1",
            "uploads/a#b/../0",
            "uploads/a#b#c/0",
            "uploads/a b#c/0",
            "uploads/%61#b/0",
            "uploads/a#b%2f/0",
            "uploads/a#%00/0",
            "uploads/a#%FF/0",
            "uploads/a#b/" + "0" * 65,
        ],
    )
    def test_refuses_foreign_keys(self, area: UploadArea, key: str) -> None:
        """A key that no ticket made names nobody's file (SV-11)."""
        with pytest.raises(InvalidInput) as refused:
            area.locate(key)
        assert refused.value.field == "object_key"
