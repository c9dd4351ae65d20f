"""DynamoDB and S3 as far as a turn and a history need them, in this process, on one SQLite file.

Answers are put in where botocore would send a request: adapters, serialisation, retries and meters are the real ones,
and only the network and the service are left out. Queries walk an ordered index as DynamoDB's do, which emulators' do
not: theirs take time in the size of the whole partition, and that hides what a turn costs. Conditions of writes are
not checked: one writer fills a file, and then many processes may read it.
"""

from __future__ import annotations

import io
import json
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from botocore.awsrequest import AWSResponse

#: A host that resolves to nothing, so that a request that slipped through would fail. Plain HTTP: uploads of known
#: length then have their checksum in a header and no chunks.
ENDPOINT = "http://stand-in.invalid"
#: DynamoDB ends a page of a query here.
PAGE_BYTES = 1_000_000
UNIT_BYTES = 4_096
_SCHEMA = """
CREATE TABLE IF NOT EXISTS items (tab TEXT, pk TEXT, sk TEXT, item BLOB, PRIMARY KEY (tab, pk, sk)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (path TEXT PRIMARY KEY, data BLOB);
"""
_EQUALS = re.compile(r"(#\w+) = (:\w+)")
_BETWEEN = re.compile(r"(#\w+) BETWEEN (:\w+) AND (:\w+)")
_BEGINS = re.compile(r"begins_with \((#\w+), (:\w+)\)")
_ADDS, _SETS = re.compile(r"ADD (#\w+) (:\w+)"), re.compile(r"SET (#\w+) = (:\w+)")

Answer = tuple[int, bytes]


class _Raw(io.BytesIO):
    """A body as urllib3 hands it over."""

    def stream(self, amt: int = 65_536, **_: Any) -> Iterator[bytes]:
        while piece := self.read(amt):
            yield piece


class StandInStores:
    """Answers the requests of botocore clients that it is attached to; safe to use from many threads.

    Parameters
    ----------
    path
        The file; made when it is not there.
    request_ms
        How long each request waits besides, in milliseconds: the network and the service, when they are to count.
    """

    def __init__(self, path: Path, *, request_ms: float = 0.0) -> None:
        self._path = path
        self._request_seconds = request_ms / 1000
        self._local = threading.local()
        self._lock = threading.Lock()
        #: Processor time that answering took, in seconds.
        self.busy_seconds = 0.0
        #: Read units of DynamoDB: one for each begun 4,096 bytes that a consistent read looks at. Items are counted as
        #: JSON, which is longer than DynamoDB's own count by the marks of its types.
        self.read_units = 0
        self._database().executescript(_SCHEMA)
        self._operations: dict[str, Callable[[dict[str, Any]], Any]] = {
            "GetItem": self._get_item,
            "PutItem": self._put_item,
            "UpdateItem": self._update_item,
            "Query": self._query,
            "BatchGetItem": self._batch_get,
            "BatchWriteItem": self._batch_write,
            "TransactWriteItems": self._transact,
        }

    def attach(self, client: Any) -> None:
        """Answer what this botocore client sends from now on."""
        client.meta.events.register("before-send", self._answer)

    # ------------------------------------------------------------------ requests
    def _database(self) -> sqlite3.Connection:
        database: sqlite3.Connection | None = getattr(self._local, "database", None)
        if database is None:
            database = self._local.database = sqlite3.connect(self._path, timeout=60, isolation_level=None)
            # The file lasts as long as the measurement: nothing needs to survive a loss of power.
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=OFF")
        return database

    def _answer(self, request: Any, **_: Any) -> AWSResponse:
        begun = time.thread_time()
        target = request.headers.get("X-Amz-Target")
        status, body = self._dynamodb(target, request) if target else self._s3(request)
        raw, headers = _Raw(body), {"Content-Length": str(len(body))}
        with self._lock:
            self.busy_seconds += time.thread_time() - begun
        if self._request_seconds:
            time.sleep(self._request_seconds)
        return AWSResponse(request.url, status, headers, raw)

    def _dynamodb(self, target: Any, request: Any) -> Answer:
        name = (target.decode() if isinstance(target, bytes) else target).partition(".")[2]
        answer = self._operations[name](json.loads(request.body))
        return 200, answer if isinstance(answer, bytes) else json.dumps(answer).encode()

    def _s3(self, request: Any) -> Answer:
        path = unquote(urlsplit(request.url).path)
        database = self._database()
        if request.method == "PUT":
            body = request.body if isinstance(request.body, bytes | bytearray) else request.body.read()
            database.execute("REPLACE INTO objects VALUES (?, ?)", (path, bytes(body)))
            return 200, b""
        if request.method == "DELETE":
            database.execute("DELETE FROM objects WHERE path = ?", (path,))
            return 204, b""
        if request.method != "GET":
            raise NotImplementedError(request.method)
        row = database.execute("SELECT data FROM objects WHERE path = ?", (path,)).fetchone()
        if row is None:
            return 404, b"<Error><Code>NoSuchKey</Code><Message>none</Message></Error>"
        return 200, row[0]

    # ------------------------------------------------------------------ DynamoDB's operations
    def _stored(self, table: str, key: dict[str, Any]) -> bytes | None:
        row = (
            self._database()
            .execute(
                "SELECT item FROM items WHERE tab = ? AND pk = ? AND sk = ?",
                (table, key["pk"]["S"], key["sk"]["S"]),
            )
            .fetchone()
        )
        return None if row is None else row[0]

    def _put(self, table: str, items: list[dict[str, Any]]) -> None:
        self._database().executemany(
            "REPLACE INTO items VALUES (?, ?, ?, ?)",
            [
                (table, item["pk"]["S"], item["sk"]["S"], json.dumps(item, ensure_ascii=False).encode())
                for item in items
            ],
        )

    def _delete(self, table: str, keys: list[dict[str, Any]]) -> None:
        self._database().executemany(
            "DELETE FROM items WHERE tab = ? AND pk = ? AND sk = ?",
            [(table, key["pk"]["S"], key["sk"]["S"]) for key in keys],
        )

    def _read(self, size: int) -> None:
        with self._lock:
            self.read_units += max(1, -(-size // UNIT_BYTES))

    def _get_item(self, asked: dict[str, Any]) -> Any:
        stored = self._stored(asked["TableName"], asked["Key"])
        self._read(len(stored or b""))
        return {} if stored is None else b'{"Item":' + stored + b"}"

    def _put_item(self, asked: dict[str, Any]) -> Any:
        self._put(asked["TableName"], [asked["Item"]])
        return {}

    def _update_item(self, asked: dict[str, Any]) -> Any:
        names, values = asked["ExpressionAttributeNames"], asked["ExpressionAttributeValues"]
        stored = self._stored(asked["TableName"], asked["Key"])
        item = dict(asked["Key"]) if stored is None else json.loads(stored)
        for name, value in _SETS.findall(asked["UpdateExpression"]):
            item[names[name]] = values[value]
        for name, value in _ADDS.findall(asked["UpdateExpression"]):
            before = int(item.get(names[name], {"N": "0"})["N"])
            item[names[name]] = {"N": str(before + int(values[value]["N"]))}
        self._put(asked["TableName"], [item])
        return {"Attributes": item}

    def _query(self, asked: dict[str, Any]) -> Any:
        if "IndexName" in asked or "FilterExpression" in asked:
            raise NotImplementedError("a turn asks for neither")
        first, last = _bounds(asked)
        forward = asked.get("ScanIndexForward", True)
        if "ExclusiveStartKey" in asked:
            # The next key in order is this one with the smallest character behind it.
            reached = asked["ExclusiveStartKey"]["sk"]["S"]
            first, last = (reached + "\0", last) if forward else (first, reached)
        values = asked["ExpressionAttributeValues"]
        (pk,) = (
            values[value]["S"]
            for name, value in _EQUALS.findall(asked["KeyConditionExpression"])
            if asked["ExpressionAttributeNames"][name] == "pk"
        )
        below = "<=" if forward or "ExclusiveStartKey" not in asked else "<"
        rows = self._database().execute(
            f"SELECT sk, item FROM items WHERE tab = ? AND pk = ? AND sk >= ? AND sk {below} ? "  # noqa: S608
            f"ORDER BY sk {'ASC' if forward else 'DESC'} LIMIT ?",
            (asked["TableName"], pk, first, last, asked.get("Limit", -1)),
        )
        found: list[bytes] = []
        size, reached = 0, ""
        for key, item in rows:
            found.append(item)
            size, reached = size + len(item), key
            if size >= PAGE_BYTES:
                break
        self._read(size)
        page = b'{"Items":[' + b",".join(found) + b'],"Count":%d,"ScannedCount":%d' % ((len(found),) * 2)
        if size >= PAGE_BYTES or len(found) == asked.get("Limit"):
            page += b',"LastEvaluatedKey":' + json.dumps({"pk": {"S": pk}, "sk": {"S": reached}}).encode()
        return page + b"}"

    def _batch_get(self, asked: dict[str, Any]) -> Any:
        tables = []
        for table, wanted in asked["RequestItems"].items():
            found = [item for key in wanted["Keys"] if (item := self._stored(table, key)) is not None]
            for item in found:
                self._read(len(item))
            tables.append(json.dumps(table).encode() + b":[" + b",".join(found) + b"]")
        return b'{"Responses":{' + b",".join(tables) + b'},"UnprocessedKeys":{}}'

    def _batch_write(self, asked: dict[str, Any]) -> Any:
        for table, writes in asked["RequestItems"].items():
            self._put(table, [write["PutRequest"]["Item"] for write in writes if "PutRequest" in write])
            self._delete(
                table, [write["DeleteRequest"]["Key"] for write in writes if "DeleteRequest" in write]
            )
        return {"UnprocessedItems": {}}

    def _transact(self, asked: dict[str, Any]) -> Any:
        database = self._database()
        database.execute("BEGIN IMMEDIATE")
        for write in asked["TransactItems"]:
            if "Put" in write:
                self._put(write["Put"]["TableName"], [write["Put"]["Item"]])
            elif "Delete" in write:
                self._delete(write["Delete"]["TableName"], [write["Delete"]["Key"]])
            elif "Update" in write:
                self._update_item(write["Update"])
        database.execute("COMMIT")
        return {}


def _bounds(asked: dict[str, Any]) -> tuple[str, str]:
    """First and last sort key that a query's condition lets through."""
    condition, values = asked["KeyConditionExpression"], asked["ExpressionAttributeValues"]
    if between := _BETWEEN.search(condition):
        return values[between[2]]["S"], values[between[3]]["S"]
    if begins := _BEGINS.search(condition):
        prefix = values[begins[2]]["S"]
        return prefix, prefix + "\U0010ffff"
    return "", "\U0010ffff"
