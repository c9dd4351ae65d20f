"""The request counter in memory and on moto."""

from __future__ import annotations

from datetime import timedelta

import pytest

from anamnesis.ports import RequestCounter
from contracts.request_counter import MINUTE, RequestCounterContract
from support.aws_stores import AwsStores
from support.memory_platform import MemoryRequestCounter


class TestMemory(RequestCounterContract):
    @pytest.fixture
    def store(self) -> RequestCounter:
        return MemoryRequestCounter()


class TestAws(RequestCounterContract):
    @pytest.fixture
    def store(self, aws: AwsStores) -> RequestCounter:
        return aws.request_counter

    def test_a_count_is_one_small_row_that_goes_by_itself(self, aws: AwsStores) -> None:
        """A count costs one request, and expires a day later (SV-12)."""
        with aws.meter.measure() as measured:
            aws.request_counter.add("a#b", MINUTE, 10)
        assert {name: t.requests for name, t in measured.by_operation.items()} == {"dynamodb.UpdateItem": 1}
        [row] = aws.dynamodb.query(
            TableName=f"{aws.prefix}-records",
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": "#REQUESTS#a%23b"}},
        )["Items"]
        assert int(row["expires_at"]["N"]) == int((MINUTE + timedelta(days=1)).timestamp())
