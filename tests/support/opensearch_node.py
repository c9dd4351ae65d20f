"""What the semantic index uses of OpenSearch, as a node on loopback that searches exactly and refuses anything else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np


class Node(ThreadingHTTPServer):
    """A node; searches wait for `released`, everything is answered with the status `broken` or the bytes `garbage`."""

    #: Connections that wait to be accepted: as many threads as a test may start at once.
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.indices: dict[str, dict[str, Any]] = {}
        self.aliases: dict[str, str] = {}
        self.documents: dict[tuple[str, str, str], dict[str, Any]] = {}
        self.released = threading.Event()
        self.released.set()
        self.broken: int | None = None
        self.garbage: bytes | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def create(self, index: str, body: dict[str, Any]) -> tuple[int, Any]:
        if index in self.indices:
            return 400, {"error": {"type": "resource_already_exists_exception"}, "status": 400}
        method = body["mappings"]["properties"]["vector"]["method"]
        assert (method["name"], method["engine"], method["space_type"]) == ("hnsw", "lucene", "cosinesimil")
        assert body["settings"]["index"]["knn"] is True
        self.indices[index] = body["mappings"]["properties"]
        self.aliases |= dict.fromkeys(body["aliases"], index)
        return 200, {"acknowledged": True}

    def bulk(self, lines: list[dict[str, Any]]) -> tuple[int, Any]:
        items = []
        rest = iter(lines)
        for action in rest:
            [(act, target)] = action.items()
            index = self.aliases.get(target["_index"], target["_index"])
            place = (index, target["routing"], target["_id"])
            if act == "delete":
                items.append({act: {"status": 200 if self.documents.pop(place, None) else 404}})
                continue
            assert act == "index"
            document = next(rest)
            if target["_index"] not in self.aliases:
                items.append({act: {"status": 404}})
                continue
            mapping = self.indices[index]
            assert set(document) == set(mapping)
            fits = len(document["vector"]) == mapping["vector"]["dimension"] and any(document["vector"])
            if fits:
                self.documents[place] = document
            items.append({act: {"status": 201 if fits else 400}})
        failed = any(status["status"] >= 400 for item in items for status in item.values())
        return 200, {"errors": failed, "items": items}

    def search(self, name: str, routing: str, body: dict[str, Any]) -> tuple[int, Any]:
        index = self.aliases.get(name)
        if index is None:
            return 404, {"error": {"type": "index_not_found_exception"}, "status": 404}
        assert body["_source"] is False
        assert body["docvalue_fields"] == ["position"]
        knn = body["query"]["knn"]["vector"]
        query = np.array(knn["vector"])
        shard = [d for (i, r, _), d in self.documents.items() if (i, r) == (index, routing)]
        matching = [d for d in shard if d["pair"] == knn["filter"]["term"]["pair"]]
        cosines = [float(np.dot(d["vector"], query) / np.linalg.norm(query)) for d in matching]
        hits = sorted(zip(cosines, matching, strict=True), key=lambda hit: -hit[0])[
            : min(knn["k"], body["size"])
        ]
        found = [{"_score": (1 + cosine) / 2, "fields": {"position": [d["position"]]}} for cosine, d in hits]
        return 200, {"hits": {"hits": found}}


class _Handler(BaseHTTPRequestHandler):
    server: Node

    def do_PUT(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        node = self.server
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = url.path.strip("/").split("/")
        if node.broken is not None:
            status, answer = node.broken, {"error": {"type": "SECRET"}, "status": node.broken}
        elif self.command == "HEAD":
            assert parts[0] == "_alias"
            status, answer = (200 if parts[1] in node.aliases else 404), {}
        elif self.command == "GET":
            assert parts[0].endswith("-*")
            status, answer = 200, {name: {} for name in node.indices if name.startswith(parts[0][:-1])}
        elif self.command == "PUT":
            status, answer = node.create(parts[0], json.loads(data))
        elif parts[-1] == "_bulk":
            assert query["require_alias"] == ["true"]
            status, answer = node.bulk([json.loads(line) for line in data.splitlines()])
        else:
            node.released.wait(10)
            status, answer = node.search(parts[0], query["routing"][0], json.loads(data))
        body = json.dumps(answer).encode() if node.garbage is None else node.garbage
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def running_node() -> Iterator[Node]:
    """A node in a thread of its own, ended with the block."""
    node = Node()
    thread = threading.Thread(target=node.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield node
    finally:
        node.released.set()
        node.shutdown()
        thread.join()
        node.server_close()
