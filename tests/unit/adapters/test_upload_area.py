"""The upload area in memory and on moto."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from anamnesis.domain.files import UploadTicket
from anamnesis.ports import UploadArea
from contracts.examples import NOW, file_record, fresh_scope
from contracts.upload_area import Upload, UploadAreaContract
from support.aws_stores import AwsStores
from support.memory_platform import MemoryUploadArea


class TestMemory(UploadAreaContract):
    @pytest.fixture
    def area(self) -> UploadArea:
        return MemoryUploadArea()

    @pytest.fixture
    def upload(self, area: MemoryUploadArea) -> Upload:
        return area.put


class TestS3(UploadAreaContract):
    @pytest.fixture
    def area(self, aws: AwsStores) -> UploadArea:
        return aws.upload_area

    @pytest.fixture
    def upload(self, aws: AwsStores) -> Upload:
        def put(ticket: UploadTicket, data: bytes) -> str:
            key = unquote(urlsplit(ticket.url).path.lstrip("/"))
            aws.s3.put_object(Bucket=f"{aws.prefix}-files", Key=key, Body=data)
            return key

        return put

    def test_the_ticket_is_bound_to_size_and_type(self, aws: AwsStores, area: UploadArea) -> None:
        """Length, type and time limit are part of what is signed, on the host of the bucket's region (SV-12)."""
        ticket = area.ticket(
            file_record(fresh_scope()), expires_at=NOW.replace(microsecond=0) + timedelta(minutes=15)
        )
        url = urlsplit(ticket.url)
        query = parse_qs(url.query)
        assert query["X-Amz-SignedHeaders"] == ["content-length;content-type;host"]
        assert 900 <= int(query["X-Amz-Expires"][0]) <= 900 + 31 * 60
        assert url.hostname == f"{aws.prefix}-files.s3.eu-west-1.amazonaws.com"
