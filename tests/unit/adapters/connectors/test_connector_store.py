"""Connectors in memory and on moto."""

from __future__ import annotations

import pytest

from anamnesis.adapters.connectors.store import S3ConnectorStore
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.ports import ConnectorStore
from contracts.connector_store import SCHOOL, ConnectorStoreContract
from support.aws_stores import AwsStores
from support.memory_connectors import MemoryConnectorStore


class TestMemory(ConnectorStoreContract):
    @pytest.fixture
    def store(self) -> ConnectorStore:
        return MemoryConnectorStore()


class TestAws(ConnectorStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> ConnectorStore:
        return S3ConnectorStore(aws.content)

    def test_a_damaged_connector_is_a_failure_of_the_store(
        self, aws: AwsStores, store: ConnectorStore
    ) -> None:
        """An object that is no connector any more is not taken for one that is not there (SV-14)."""
        store.save("east", SCHOOL)
        [key] = aws.content.keys("connectors/east/")
        aws.content.put(key, b"{}")
        with pytest.raises(StoreUnavailable):
            store.get("east", "school")
