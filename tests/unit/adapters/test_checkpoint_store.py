"""The checkpoint store in memory and on moto."""

from __future__ import annotations

import pytest

from anamnesis.ports import CheckpointStore
from contracts.checkpoint_store import CheckpointStoreContract
from support.aws_stores import AwsStores
from support.memory_platform import MemoryCheckpointStore


class TestMemory(CheckpointStoreContract):
    @pytest.fixture
    def store(self) -> CheckpointStore:
        return MemoryCheckpointStore()


class TestAws(CheckpointStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> CheckpointStore:
        return aws.checkpoint_store
