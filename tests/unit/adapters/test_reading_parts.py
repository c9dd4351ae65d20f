"""Kept parts of readings in memory and on moto."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from anamnesis.domain.identifiers import Pair
from anamnesis.ports import ReadingParts
from contracts.reading_parts import HERE, ReadingPartsContract
from support.aws_stores import AwsStores
from support.memory_platform import MemoryReadingParts


class TestMemory(ReadingPartsContract):
    @pytest.fixture
    def store(self) -> ReadingParts:
        return MemoryReadingParts()


class TestAws(ReadingPartsContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> ReadingParts:
        return aws.reading_parts

    def test_a_reading_given_up_leaves_nothing(self, aws: AwsStores) -> None:
        """What a reading that was never finished left behind goes with the night's sweep of its subject (EP-8)."""
        aws.reading_parts.keep_part(HERE, "F1", "ab", b"one")
        pair = Pair(HERE.tenant, "ana", HERE.subject)
        aws.concept_store.sweep(pair, until=datetime.now(UTC) - timedelta(hours=1))
        assert aws.reading_parts.kept_part(HERE, "F1", "ab") == b"one"
        aws.concept_store.sweep(pair, until=datetime.now(UTC) + timedelta(hours=1))
        assert aws.reading_parts.kept_part(HERE, "F1", "ab") is None
