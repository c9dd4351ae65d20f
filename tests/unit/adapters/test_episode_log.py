"""The episode log in memory and on moto."""

from __future__ import annotations

import pytest

from anamnesis.ports import EpisodeLog
from contracts.episode_log import ContendedEpisodeLogContract, EpisodeLogContract
from support.aws_stores import AwsStores
from support.memory_stores import MemoryEpisodeLog


class TestMemory(EpisodeLogContract):
    @pytest.fixture
    def log(self) -> EpisodeLog:
        return MemoryEpisodeLog()


class TestContendedMemory(ContendedEpisodeLogContract):
    @pytest.fixture
    def log(self) -> EpisodeLog:
        return MemoryEpisodeLog()


class TestDynamo(EpisodeLogContract):
    # moto copies a whole table for each item of a transaction; the emulator reads the long log.
    long = 30

    @pytest.fixture
    def log(self, aws: AwsStores) -> EpisodeLog:
        return aws.episode_log
