"""Edit a stored episode behind the service's back, as somebody with access to the table could, and put it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from anamnesis_tools.stack.local_stack import LocalStack


@contextmanager
def edited_row(stack: LocalStack, tenant: str, student: str, subject: str, position: int) -> Iterator[None]:
    """Change the summary of one episode in the table for as long as the block runs."""
    client = stack.client("dynamodb")
    table = stack.outputs["EpisodesTableName"]
    key = {"pk": {"S": f"{tenant}#{student}#{subject}"}, "sk": {"S": f"E#{position:012d}"}}
    before = client.get_item(TableName=table, Key=key)["Item"]
    edited = {**before, "summary": {"S": before["summary"]["S"] + " (edited)"}}
    client.put_item(TableName=table, Item=edited)
    try:
        yield
    finally:
        client.put_item(TableName=table, Item=before)
