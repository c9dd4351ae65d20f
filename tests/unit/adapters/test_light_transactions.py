"""The emulation's transactions, made light, still are all or nothing."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from contracts.examples import fresh_pair
from support.aws_stores import AwsStores


def rows(aws: AwsStores) -> list[Any]:
    """All rows of the table that these tests use, in order of their keys."""
    items = aws.dynamodb.scan(TableName=f"{aws.prefix}-records", ConsistentRead=True)["Items"]
    return sorted(items, key=lambda item: (item["pk"]["S"], item["sk"]["S"]))


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("place", range(4))
def test_a_transaction_that_fails_changes_nothing(aws: AwsStores, place: int, holds: bool) -> None:
    """Rows put, put over, updated and deleted are as before when one condition fails, wherever it stands (EP-7)."""
    table, pk = f"{aws.prefix}-records", {"S": fresh_pair().key}

    def key(sort: str) -> dict[str, Any]:
        return {"pk": pk, "sk": {"S": sort}}

    for sort in ("over", "updated", "deleted", "beside"):
        aws.dynamodb.put_item(TableName=table, Item={**key(sort), "said": {"L": [{"S": "before"}]}})
    before = rows(aws)
    new = {"said": {"L": [{"S": "after"}]}}
    writes: list[dict[str, Any]] = [
        {"Put": {"TableName": table, "Item": {**key("new"), **new}}},
        {"Put": {"TableName": table, "Item": {**key("over"), **new}}},
        {
            "Update": {
                "TableName": table,
                "Key": key("updated"),
                "UpdateExpression": "SET said[0] = :said",
                "ExpressionAttributeValues": {":said": {"S": "after"}},
            }
        },
        {"Delete": {"TableName": table, "Key": key("deleted")}},
    ]
    condition = f"attribute_{'exists' if holds else 'not_exists'}(pk)"
    check = {"TableName": table, "Key": key("beside"), "ConditionExpression": condition}
    writes.insert(place, {"ConditionCheck": check})
    if holds:
        aws.dynamodb.transact_write_items(TransactItems=writes)
        changed = {row["sk"]["S"]: row for row in rows(aws) if row["pk"] == pk}
        assert set(changed) == {"new", "over", "updated", "beside"}
        assert [sort for sort, row in changed.items() if row["said"] == {"L": [{"S": "before"}]}] == [
            "beside"
        ]
        return
    with pytest.raises(ClientError, match="TransactionCanceled"):
        aws.dynamodb.transact_write_items(TransactItems=writes)
    assert rows(aws) == before
