"""Answers that are being written, in memory and on moto."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anamnesis.adapters.answer_format import asked_from_json, asked_to_json
from anamnesis.adapters.dynamodb.answer_store import DynamoAnswerStore
from anamnesis.ports import AnswerStore
from contracts.answer_store import AT, AnswerStoreContract, asked
from support.aws_stores import AwsStores
from support.memory_answers import MemoryAnswerStore
from support.wired_memory import ANA


class TestMemory(AnswerStoreContract):
    @pytest.fixture
    def store(self) -> AnswerStore:
        return MemoryAnswerStore()


class TestAws(AnswerStoreContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> AnswerStore:
        return DynamoAnswerStore(aws.connection, table=f"{aws.prefix}-records")

    def test_writing_does_not_touch_what_was_asked(self, aws: AwsStores, store: AnswerStore) -> None:
        """A piece of an answer costs one write of its own small row, and both rows go by themselves (SV-12)."""
        pair = replace(ANA, tenant="costs of an answer")
        with aws.meter.measure() as opening:
            store.open_answer(pair, asked())
        state = store.claim_answer(pair, "a" * 32, writer="w", at=AT, until=AT)
        assert state is not None
        with aws.meter.measure() as writing:
            store.save_answer(pair, replace(state, text="Osmosis"))
        assert {name: t.requests for name, t in opening.by_operation.items()} == {"dynamodb.PutItem": 2}
        assert {name: t.requests for name, t in writing.by_operation.items()} == {"dynamodb.PutItem": 1}
        rows = aws.dynamodb.query(
            TableName=f"{aws.prefix}-records",
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": pair.key}},
        )["Items"]
        expires = int(asked().expires_at.timestamp())
        assert [int(row["expires_at"]["N"]) for row in rows] == [expires, expires]
        assert "asked" not in rows[0]


def test_what_was_asked_before_a_deployment_is_read() -> None:
    """What a version stored that told of no earlier turns is answered without any (SV-14)."""
    stored = asked_to_json(asked())
    del stored["earlier"]
    assert asked_from_json(stored) == asked(earlier=())
