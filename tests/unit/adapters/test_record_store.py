"""The record store in memory and on moto."""

from __future__ import annotations

import pytest

from anamnesis.ports import RecordStore
from contracts.record_store import ContendedRecordStoreContract, RecordStoreContract
from support.aws_stores import AwsStores
from support.memory_stores import MemoryRecordStore


class TestMemory(RecordStoreContract):
    @pytest.fixture
    def store(self) -> RecordStore:
        return MemoryRecordStore()


class TestContendedMemory(ContendedRecordStoreContract):
    @pytest.fixture
    def store(self) -> RecordStore:
        return MemoryRecordStore()


class TestAws(RecordStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> RecordStore:
        return aws.record_store
