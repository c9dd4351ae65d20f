"""The wiki's repository in memory and on moto."""

from __future__ import annotations

import pytest

from anamnesis.ports import WikiRepository
from contracts.wiki_repository import WikiRepositoryContract
from support.aws_stores import AwsStores
from support.memory_wiki import MemoryWikiRepository


class TestMemory(WikiRepositoryContract):
    @pytest.fixture
    def store(self) -> WikiRepository:
        return MemoryWikiRepository()


class TestGit(WikiRepositoryContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> WikiRepository:
        return aws.wiki_repository
