"""The wiki's repository in memory."""

from __future__ import annotations

import pytest

from anamnesis.ports import WikiRepository
from contracts.wiki_repository import WikiRepositoryContract
from support.memory_wiki import MemoryWikiRepository


class TestMemory(WikiRepositoryContract):
    @pytest.fixture
    def store(self) -> WikiRepository:
        return MemoryWikiRepository()
