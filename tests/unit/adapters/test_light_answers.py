"""The emulation's answers, made light, still are the whole ones."""

from __future__ import annotations

from typing import Any

import pytest
from moto import mock_aws

from anamnesis.adapters.aws_clients import aws_client
from support.aws_answers import light_answers
from support.aws_stores import REGION

ROW: dict[str, Any] = {
    "pk": {"S": "a"},
    "text": {"S": ""},
    "number": {"N": "1.5"},
    "bytes": {"B": b"\x00\xff"},
    "numbers": {"NS": ["1", "2"]},
    "words": {"SS": ["a", "b"]},
    "parts": {"BS": [b"\x00", b"\xff"]},
    "yes": {"BOOL": True},
    "no": {"BOOL": False},
    "nothing": {"NULL": True},
    "none": {"L": []},
    "empty": {"M": {}},
    "tree": {"M": {"S": {"L": [{"M": {"N": {"S": "x"}, "L": {"NULL": True}}}, {"N": "0"}]}}},
}


def answers() -> list[dict[str, Any]]:
    """What reading a row of every kind of value answers, in each way, without what names the request."""
    client = aws_client("dynamodb", region=REGION)
    name = [{"AttributeName": "pk", "KeyType": "HASH"}]
    kind = [{"AttributeName": "pk", "AttributeType": "S"}]
    client.create_table(
        TableName="t", KeySchema=name, AttributeDefinitions=kind, BillingMode="PAY_PER_REQUEST"
    )
    client.put_item(TableName="t", Item=ROW)
    key, value = {"pk": ROW["pk"]}, {":pk": ROW["pk"]}
    replies = [
        client.get_item(TableName="t", Key=key),
        client.get_item(TableName="t", Key={"pk": {"S": "nobody"}}),
        client.query(TableName="t", KeyConditionExpression="pk = :pk", ExpressionAttributeValues=value),
        client.scan(TableName="t", Limit=1),
        client.batch_get_item(RequestItems={"t": {"Keys": [key]}}),
        client.transact_get_items(TransactItems=[{"Get": {"TableName": "t", "Key": key}}]),
        client.put_item(TableName="t", Item=ROW, ReturnValues="ALL_OLD"),
    ]
    return [{part: held for part, held in reply.items() if part != "ResponseMetadata"} for reply in replies]


def test_a_light_answer_is_the_whole_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of every kind of value come back in every way as they do without what makes answers light (SV-4)."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        whole = answers()
    with mock_aws(), light_answers():
        assert answers() == whole
    assert whole[0]["Item"] == ROW
