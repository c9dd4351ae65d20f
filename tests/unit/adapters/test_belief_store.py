"""The belief store in memory and on moto."""

from __future__ import annotations

import pytest

from anamnesis.ports import BeliefStore
from contracts.belief_store import BeliefStoreContract, ContendedBeliefStoreContract
from support.aws_stores import AwsStores
from support.memory_stores import MemoryBeliefStore


class TestMemory(BeliefStoreContract):
    @pytest.fixture
    def store(self) -> BeliefStore:
        return MemoryBeliefStore()


class TestContendedMemory(ContendedBeliefStoreContract):
    @pytest.fixture
    def store(self) -> BeliefStore:
        return MemoryBeliefStore()


class TestAws(BeliefStoreContract):
    # moto copies a whole table for each item of a transaction: few rows, in transactions of fewer.
    many = 12

    @pytest.fixture
    def store(self, aws: AwsStores, monkeypatch: pytest.MonkeyPatch) -> BeliefStore:
        monkeypatch.setattr("anamnesis.adapters.dynamodb.belief_store.ROWS_IN_TRANSACTION", 5)
        return aws.belief_store
