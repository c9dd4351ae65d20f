"""Files that are deleted, replaced and read at the same time, in memory."""

from __future__ import annotations

import pytest

from anamnesis.ports import ConceptStore
from contracts.file_races import FileRacesContract
from support.memory_stores import MemoryConceptStore


class TestMemory(FileRacesContract):
    @pytest.fixture
    def store(self) -> ConceptStore:
        return MemoryConceptStore()
