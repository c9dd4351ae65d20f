"""Files that are deleted, replaced and read at the same time, on moto."""

from __future__ import annotations

import pytest

from anamnesis.ports import ConceptStore
from contracts.file_races import FileRacesContract
from support.aws_stores import AwsStores


class TestAws(FileRacesContract):
    #: What is decided by the store; every other boundary is met in memory, at a hundredth of the time.
    methods = frozenset({"update_file", "save_contribution", "save_pages", "delete_pages"})

    @pytest.fixture
    def store(self, aws: AwsStores) -> ConceptStore:
        return aws.concept_store
