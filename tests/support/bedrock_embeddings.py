"""A small fake of Bedrock's InvokeModel for embedding models, spoken to over real HTTP on loopback."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

import numpy as np

DIMENSION = 1024


class EmbeddingFake:
    """What the fake was asked, and how it shall misbehave.

    Attributes
    ----------
    requests
        (model id, body) of every call.
    fault
        None, or one of: ``throttle``, ``denied``, ``slow``, ``cut``, ``no-json``, ``no-vector``, ``short-vector``,
        ``zeros``, ``nan``, ``words``.
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any]] = []
        self.fault: str | None = None
        self.url = ""

    def vectors(self, texts: list[str]) -> list[list[float]]:
        """Directions that depend on the text, of a length that is not 1."""
        if self.fault == "short-vector":
            return [[0.5] * (DIMENSION - 1) for _ in texts]
        if self.fault == "zeros":
            return [[0.0] * DIMENSION for _ in texts]
        if self.fault == "nan":
            return [[float("nan")] * DIMENSION for _ in texts]
        seeds = [int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) for text in texts]
        return [(3 * np.random.default_rng(seed).normal(size=DIMENSION)).tolist() for seed in seeds]

    def answer(self, model_id: str, body: Any) -> Any:
        """The response body of one model."""
        if self.fault == "no-vector":
            return {"message": "sorry"}
        if "titan" in model_id:
            found: Any = self.vectors([body["inputText"]])[0]
            return {"embedding": "three" if self.fault == "words" else found, "inputTextTokenCount": 3}
        found = self.vectors(body["texts"])
        return {"embeddings": "three" if self.fault == "words" else found, "id": "1", "texts": body["texts"]}


class _Handler(BaseHTTPRequestHandler):
    fake: EmbeddingFake

    def do_POST(self) -> None:
        model_id = unquote(self.path).removeprefix("/model/").removesuffix("/invoke")
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.fake.requests.append((model_id, body))
        if self.fake.fault == "slow":
            time.sleep(1.0)
        if self.fake.fault in {"throttle", "denied"}:
            code = "ThrottlingException" if self.fake.fault == "throttle" else "AccessDeniedException"
            self._send(429 if self.fake.fault == "throttle" else 403, {"message": "no"}, errortype=code)
            return
        self._send(200, self.fake.answer(model_id, body))

    def _send(self, status: int, value: Any, *, errortype: str | None = None) -> None:
        data = b"<html>" if self.fake.fault == "no-json" else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data) + (100 if self.fake.fault == "cut" else 0)))
        if errortype:
            self.send_header("x-amzn-errortype", errortype)
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of callers that hung up: some tests do."""


@contextmanager
def embedding_fake() -> Iterator[EmbeddingFake]:
    """Run the fake on a free loopback port."""
    fake = EmbeddingFake()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"fake": fake}))
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
