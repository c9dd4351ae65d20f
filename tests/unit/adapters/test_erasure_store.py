"""Deletion records, the removal of contents, and the roster, in memory and on moto."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from anamnesis.domain.log.chain import EMPTY_HEAD
from anamnesis.domain.log.erasures import ErasureStage
from anamnesis.ports import EpisodeLog, ErasureStore, Roster
from contracts.erasure_store import (
    ContendedErasureStoreContract,
    ErasureStoreContract,
    RosterContract,
    record,
)
from contracts.examples import chain_of, fresh_pair, receipt_for
from support.aws_stores import AwsStores
from support.memory_stores import MemoryEpisodeLog, MemoryErasureStore, MemoryRoster


class TestMemory(ContendedErasureStoreContract):
    @pytest.fixture
    def log(self) -> EpisodeLog:
        return MemoryEpisodeLog()

    @pytest.fixture
    def store(self, log: MemoryEpisodeLog) -> ErasureStore:
        return MemoryErasureStore(log)


class TestMemoryRoster(RosterContract):
    @pytest.fixture
    def log(self) -> EpisodeLog:
        return MemoryEpisodeLog()

    @pytest.fixture
    def roster(self, log: MemoryEpisodeLog) -> Roster:
        return MemoryRoster(log)


class TestAws(ErasureStoreContract):
    @pytest.fixture
    def log(self, aws: AwsStores) -> EpisodeLog:
        return aws.episode_log

    @pytest.fixture
    def store(self, aws: AwsStores) -> ErasureStore:
        return aws.erasure_store


class TestAwsRoster(RosterContract):
    @pytest.fixture
    def log(self, aws: AwsStores) -> EpisodeLog:
        return aws.episode_log

    @pytest.fixture
    def roster(self, aws: AwsStores) -> Roster:
        return aws.roster


def test_texts_that_no_episode_has_are_swept(aws: AwsStores) -> None:
    """A long text whose append failed, or whose row was erased just before a crash, does not stay (EP-8)."""
    pair = fresh_pair()
    episodes = chain_of(pair, EMPTY_HEAD, ["kept " * 2_000, "erased " * 2_000])
    aws.episode_log.append(pair, episodes, EMPTY_HEAD, receipt_for(episodes))
    stray, back = f"texts/{pair.key}/stray", f"texts/{pair.key}/{episodes[1].id}"
    aws.erasure_store.erase(pair, [2], {})
    for key in (stray, back):
        aws.content.put(key, b"left behind")
    aws.erasure_store.sweep(pair, {2}, until=datetime.now(UTC) - timedelta(hours=1))
    assert set(aws.content.keys(f"texts/{pair.key}/")) == {stray, f"texts/{pair.key}/{episodes[0].id}"}
    aws.erasure_store.sweep(pair, set(), until=datetime.now(UTC) + timedelta(hours=1))
    assert set(aws.content.keys(f"texts/{pair.key}/")) == {f"texts/{pair.key}/{episodes[0].id}"}


@pytest.mark.parametrize("attribute", ["requested_at", "scope", "by", "positions", "note", "stage"])
def test_a_record_that_cannot_be_read_covers_nothing(aws: AwsStores, attribute: str) -> None:
    """A deletion record that another hand changed never ends reading, and says nothing is erased (EP-5)."""
    pair = fresh_pair()
    erasure = record(pair)
    aws.erasure_store.begin(erasure)
    aws.dynamodb.update_item(
        TableName=f"{aws.prefix}-episodes",
        Key={"pk": {"S": pair.key}, "sk": {"S": f"ERASURE#{erasure.id}"}},
        UpdateExpression="REMOVE #a",
        ExpressionAttributeNames={"#a": attribute},
    )
    [read] = aws.erasure_store.all(pair)
    assert (read.id, read.positions, read.note) == (erasure.id, (), "")
    assert read.stage is ErasureStage.SWEPT
