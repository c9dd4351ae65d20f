"""A small Bedrock Converse server on loopback, for tests of the reader that talks to it with the real SDK."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote


@dataclass(frozen=True)
class Raw:
    """An answer that is no JSON, or a connection that breaks: the bytes are sent as they are, None closes it."""

    body: bytes | None
    status: int = 200
    content_type: str = "application/json"


@dataclass(frozen=True)
class Slow:
    """An answer that takes its time."""

    answer: Any
    seconds: float


#: An answer: a Converse response, an error as (status, code, message), or a function of the request to one of them.
Answer = dict[str, Any] | tuple[int, str, str] | Raw | Slow | Callable[[dict[str, Any]], Any]


@dataclass
class BedrockFake:
    """Answers each call with the next scripted answer, the last one again and again; keeps what it was asked."""

    answers: list[Answer]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    #: Most calls that were being answered at the same time.
    most_at_once: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next_answer(self, request: dict[str, Any], model: str) -> Any:
        """Take the next answer off the script."""
        with self._lock:
            self.requests.append(request)
            self.models.append(model)
            answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            answer = answer(request) if callable(answer) else answer
            if isinstance(answer, Slow):
                time.sleep(answer.seconds)
                answer = answer.answer
            return answer
        finally:
            with self._lock:
                self._now -= 1


def tool_call(
    concepts: Any,
    *,
    tokens: tuple[int, int] = (100, 50),
    name: str = "record_concepts",
    stop: str = "tool_use",
) -> dict[str, Any]:
    """A Converse response that calls the tool with these concepts."""
    return tool_input({"concepts": concepts}, tokens=tokens, name=name, stop=stop)


def tool_input(
    given: Any, *, tokens: tuple[int, int] = (100, 50), name: str = "record_concepts", stop: str = "tool_use"
) -> dict[str, Any]:
    """A Converse response that calls the tool with any input at all."""
    use = {"toolUseId": "tooluse_1", "name": name, "input": given}
    return response([{"toolUse": use}], stop=stop, tokens=tokens)


def response(
    content: list[Any], *, stop: str = "end_turn", tokens: tuple[int, int] = (100, 50)
) -> dict[str, Any]:
    """A Converse response with this content."""
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": stop,
        "usage": {"inputTokens": tokens[0], "outputTokens": tokens[1], "totalTokens": sum(tokens)},
        "metrics": {"latencyMs": 1},
    }


def asked(request: dict[str, Any]) -> str:
    """The text that a request begins with: the task and the fenced material."""
    return str(request["messages"][0]["content"][0]["text"])


def pages_shown(request: dict[str, Any]) -> list[int]:
    """Numbers of the page marks in a request."""
    return [
        int(number) for number in re.findall(r"^\[page (\d+) [0-9a-f]{24}\]$", asked(request), re.MULTILINE)
    ]


def corrected(request: dict[str, Any]) -> str:
    """What a request says of the answer before it, "" in the first one."""
    if len(request["messages"]) < 3:
        return ""
    block = request["messages"][-1]["content"][0]
    return str(block["toolResult"]["content"][0]["text"] if "toolResult" in block else block["text"])


@contextmanager
def bedrock_fake(*answers: Answer) -> Iterator[BedrockFake]:
    """Serve the script on a free loopback port until the block ends."""
    fake = BedrockFake(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = fake.next_answer(request, unquote(self.path.split("/")[2]))
            if isinstance(answer, Raw):
                self._raw(answer)
            elif isinstance(answer, tuple):
                self._reply(answer[0], {"message": answer[2]}, error=answer[1])
            else:
                self._reply(200, answer)

        def _raw(self, answer: Raw) -> None:
            if answer.body is None:
                self.close_connection = True
                return
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def _reply(self, status: int, body: dict[str, Any], *, error: str | None = None) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if error:
                self.send_header("x-amzn-ErrorType", error)
            self.end_headers()
            try:
                self.wfile.write(data)
            except OSError:
                self.close_connection = True  # the client has gone

        def log_message(self, *_: Any) -> None:
            """Keep test output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
