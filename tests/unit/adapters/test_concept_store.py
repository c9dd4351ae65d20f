"""The concept store in memory and on moto."""

from __future__ import annotations

import pytest

from anamnesis.ports import ConceptStore
from contracts.concept_store import ConceptStoreContract, ContendedConceptStoreContract
from support.aws_stores import AwsStores
from support.memory_stores import MemoryConceptStore


class TestMemory(ConceptStoreContract):
    @pytest.fixture
    def store(self) -> ConceptStore:
        return MemoryConceptStore()


class TestContendedMemory(ContendedConceptStoreContract):
    @pytest.fixture
    def store(self) -> ConceptStore:
        return MemoryConceptStore()


class TestAws(ConceptStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> ConceptStore:
        return aws.concept_store
