"""Moto's transactions without its copies of whole tables.

Before a transaction moto copies every table that it names, once for each of its items, row by row, so as to have
something to go back to. A test that has a few thousand rows behind it pays seconds for each transaction. Here only the
rows that a transaction names are kept, at most a hundred, and put back when it fails. Everything else is moto's.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table


@contextmanager
def light_transactions() -> Iterator[None]:
    """Let transactions inside the block cost what they change, and not what the tables hold."""
    whole = DynamoDBBackend.transact_write_items

    def transact_write_items(backend: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
        before = [
            _row(table, *operation)
            for item in transact_items
            for operation in item.items()
            if (table := backend.tables.get(operation[1]["TableName"]))
        ]
        try:
            whole(backend, transact_items)
        except Exception:
            for rows, sort_key, row in before:
                if row is None:
                    rows.pop(sort_key, None)
                else:
                    rows[sort_key] = row
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DynamoDBBackend, "transact_write_items", transact_write_items)
        # The copy that moto makes of a table is the table, so that its going back changes nothing.
        patch.setattr(Table, "__deepcopy__", lambda table, _: table, raising=False)
        yield


def _row(table: Table, kind: str, operation: dict[str, Any]) -> tuple[Any, Any, Any]:
    """The rows beside the one that an operation names, its sort key, and a copy of it (None when there is none)."""
    assert table.stream_shard is None, "a stream would keep what a failed transaction wrote"
    key = operation["Item" if kind == "Put" else "Key"]
    rows = table.items[DynamoType(key[table.hash_key_attr])]
    sort_key = DynamoType(key[table.range_key_attr])
    return rows, sort_key, copy.deepcopy(rows.get(sort_key))
