"""DynamoDB, S3 and a queue as far as turns, histories and nights need them, in this process, on one SQLite file.

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
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from botocore.awsrequest import AWSResponse

#: A host that resolves to nothing, so that a request that slipped through would fail. Plain HTTP: uploads of known
#: length then have their checksum in a header and no chunks.
ENDPOINT = "http://stand-in.invalid"
#: DynamoDB ends a page of a query here.
PAGE_BYTES = 1_000_000
UNIT_BYTES, WRITE_UNIT_BYTES = 4_096, 1_024
_SCHEMA = """
CREATE TABLE IF NOT EXISTS items (tab TEXT, pk TEXT, sk TEXT, item BLOB, PRIMARY KEY (tab, pk, sk)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS by_time (tab TEXT, pk TEXT, occurred TEXT, sk TEXT, PRIMARY KEY (tab, pk, occurred))
 WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (path TEXT PRIMARY KEY, data BLOB, metadata TEXT);
"""
_METADATA = "x-amz-meta-"
_EQUALS = re.compile(r"(#\w+) = (:\w+)")
_BETWEEN = re.compile(r"(#\w+) BETWEEN (:\w+) AND (:\w+)")
_BEGINS = re.compile(r"begins_with \((#\w+), (:\w+)\)")
_ADDS, _SETS = re.compile(r"ADD (#\w+) (:\w+)"), re.compile(r"SET (#\w+) = (:\w+)")

Answer = tuple[int, bytes, Mapping[str, str]]


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
        #: Write units: one for each begun 1,024 bytes of an item, again for a secondary index, twice in transactions.
        self.write_units = 0
        #: Messages queued and not taken yet.
        self.queued: list[str] = []
        self._database().executescript(_SCHEMA)
        self._operations: dict[str, Callable[[dict[str, Any]], Any]] = {
            "GetItem": self._get_item,
            "PutItem": self._put_item,
            "UpdateItem": self._update_item,
            "Query": self._query,
            "BatchGetItem": self._batch_get,
            "BatchWriteItem": self._batch_write,
            "TransactWriteItems": self._transact,
            "SendMessageBatch": self._send_messages,
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
        status, body, more = self._json_service(target, request) if target else self._s3(request)
        raw, headers = _Raw(body), {"Content-Length": str(len(body)), **more}
        with self._lock:
            self.busy_seconds += time.thread_time() - begun
        if self._request_seconds:
            time.sleep(self._request_seconds)
        return AWSResponse(request.url, status, headers, raw)

    def _json_service(self, target: Any, request: Any) -> Answer:
        name = (target.decode() if isinstance(target, bytes) else target).partition(".")[2]
        answer = self._operations[name](json.loads(request.body))
        return 200, answer if isinstance(answer, bytes) else json.dumps(answer).encode(), {}

    def _s3(self, request: Any) -> Answer:
        asked = urlsplit(request.url)
        path, query = unquote(asked.path), parse_qs(asked.query, keep_blank_values=True)
        database = self._database()
        if request.method == "PUT":
            body = request.body if isinstance(request.body, bytes | bytearray) else request.body.read()
            headers = {name.lower(): _text(value) for name, value in request.headers.items()}
            metadata = {name: value for name, value in headers.items() if name.startswith(_METADATA)}
            database.execute(
                "REPLACE INTO objects VALUES (?, ?, ?)", (path, bytes(body), json.dumps(metadata))
            )
            return 200, b"", {}
        if request.method == "DELETE":
            database.execute("DELETE FROM objects WHERE path = ?", (path,))
            return 204, b"", {}
        if request.method != "GET":
            raise NotImplementedError(request.method)
        if "prefix" in query:
            return 200, self._listing(path, query), {}
        row = database.execute("SELECT data, metadata FROM objects WHERE path = ?", (path,)).fetchone()
        if row is None:
            return 404, b"<Error><Code>NoSuchKey</Code><Message>none</Message></Error>", {}
        return 200, row[0], json.loads(row[1])

    def _listing(self, bucket: str, query: Mapping[str, list[str]]) -> bytes:
        """Up to 1,000 keys with a prefix, or their versions, of which there is one each."""
        prefix, start = query["prefix"][0], f"{bucket}/"
        limit = int(query.get("max-keys", ["1000"])[0])
        rows = self._database().execute(
            "SELECT path FROM objects WHERE path >= ? AND path < ? ORDER BY path LIMIT ?",
            (start + prefix, start + prefix + "\U0010ffff", limit),
        )
        keys = [escape(path.removeprefix(start)) for (path,) in rows]
        if "versions" in query:
            told = "".join(f"<Version><Key>{k}</Key><VersionId>1</VersionId></Version>" for k in keys)
            return f"<ListVersionsResult>{told}<IsTruncated>false</IsTruncated></ListVersionsResult>".encode()
        told = "".join(f"<Contents><Key>{k}</Key></Contents>" for k in keys)
        told += f"<KeyCount>{len(keys)}</KeyCount><IsTruncated>false</IsTruncated>"
        return f"<ListBucketResult>{told}</ListBucketResult>".encode()

    # ------------------------------------------------------------------ the queue
    def _send_messages(self, asked: dict[str, Any]) -> Any:
        with self._lock:
            self.queued += [entry["MessageBody"] for entry in asked["Entries"]]
        sent = [{"Id": entry["Id"], "MessageId": entry["Id"]} for entry in asked["Entries"]]
        return {"Successful": sent, "Failed": []}

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

    def _put(self, table: str, items: list[dict[str, Any]], *, times: int = 1) -> None:
        rows = [
            (table, item["pk"]["S"], item["sk"]["S"], json.dumps(item, ensure_ascii=False).encode())
            for item in items
        ]
        timed = [
            (table, item["pk"]["S"], item["occurred"]["S"], item["sk"]["S"])
            for item in items
            if "occurred" in item
        ]
        self._database().executemany("REPLACE INTO items VALUES (?, ?, ?, ?)", rows)
        self._database().executemany("REPLACE INTO by_time VALUES (?, ?, ?, ?)", timed)
        sizes = [len(row[3]) for row in rows]
        sizes += [len(row[3]) for row, item in zip(rows, items, strict=True) if "occurred" in item]
        self._wrote(sizes, times=times)

    def _wrote(self, sizes: list[int], *, times: int = 1) -> None:
        with self._lock:
            self.write_units += times * sum(max(1, -(-size // WRITE_UNIT_BYTES)) for size in sizes)

    def _delete(self, table: str, keys: list[dict[str, Any]]) -> None:
        self._wrote([0] * len(keys))
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

    def _update_item(self, asked: dict[str, Any], *, times: int = 1) -> Any:
        names, values = asked["ExpressionAttributeNames"], asked["ExpressionAttributeValues"]
        stored = self._stored(asked["TableName"], asked["Key"])
        item = dict(asked["Key"]) if stored is None else json.loads(stored)
        for name, value in _SETS.findall(asked["UpdateExpression"]):
            item[names[name]] = values[value]
        for name, value in _ADDS.findall(asked["UpdateExpression"]):
            before = int(item.get(names[name], {"N": "0"})["N"])
            item[names[name]] = {"N": str(before + int(values[value]["N"]))}
        self._put(asked["TableName"], [item], times=times)
        return {"Attributes": item}

    def _query(self, asked: dict[str, Any]) -> Any:
        if "FilterExpression" in asked:
            raise NotImplementedError("neither a turn nor a night asks for one")
        # An index by time orders the same items by another attribute.
        order = "occurred" if "IndexName" in asked else "sk"
        first, last = _bounds(asked)
        forward = asked.get("ScanIndexForward", True)
        if "ExclusiveStartKey" in asked:
            # The next key in order is this one with the smallest character behind it.
            reached = asked["ExclusiveStartKey"][order]["S"]
            first, last = (reached + "\0", last) if forward else (first, reached)
        values = asked["ExpressionAttributeValues"]
        (pk,) = (
            values[value]["S"]
            for name, value in _EQUALS.findall(asked["KeyConditionExpression"])
            if asked["ExpressionAttributeNames"][name] == "pk"
        )
        below = "<=" if forward or "ExclusiveStartKey" not in asked else "<"
        source = "items" if order == "sk" else "by_time NATURAL JOIN items"
        rows = self._database().execute(
            f"SELECT sk, {order}, item FROM {source} "  # noqa: S608 our own names
            f"WHERE tab = ? AND pk = ? AND {order} >= ? AND {order} {below} ? "
            f"ORDER BY {order} {'ASC' if forward else 'DESC'} LIMIT ?",
            (asked["TableName"], pk, first, last, asked.get("Limit", -1)),
        )
        found: list[bytes] = []
        size, at = 0, {}
        for key, reached, item in rows:
            found.append(item)
            size, at = size + len(item), {"pk": {"S": pk}, "sk": {"S": key}, order: {"S": reached}}
            if size >= PAGE_BYTES:
                break
        self._read(size)
        page = b'{"Items":[' + b",".join(found) + b'],"Count":%d,"ScannedCount":%d' % ((len(found),) * 2)
        if size >= PAGE_BYTES or len(found) == asked.get("Limit"):
            page += b',"LastEvaluatedKey":' + json.dumps(at).encode()
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
                self._put(write["Put"]["TableName"], [write["Put"]["Item"]], times=2)
            elif "Delete" in write:
                self._delete(write["Delete"]["TableName"], [write["Delete"]["Key"]])
            elif "Update" in write:
                self._update_item(write["Update"], times=2)
        database.execute("COMMIT")
        return {}


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _bounds(asked: dict[str, Any]) -> tuple[str, str]:
    """First and last sort key that a query's condition lets through."""
    condition, values = asked["KeyConditionExpression"], asked["ExpressionAttributeValues"]
    if between := _BETWEEN.search(condition):
        return values[between[2]]["S"], values[between[3]]["S"]
    if begins := _BEGINS.search(condition):
        prefix = values[begins[2]]["S"]
        return prefix, prefix + "\U0010ffff"
    return "", "\U0010ffff"
