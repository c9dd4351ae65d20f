"""A small Bedrock Converse server on loopback, for tests of the reader that talks to it with the real SDK."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

#: An answer: a Converse response, an error as (status, code, message), or a function of the request to one of them.
Answer = dict[str, Any] | tuple[int, str, str] | Callable[[dict[str, Any]], Any]


@dataclass
class BedrockFake:
    """Answers each call with the next scripted answer, the last one again and again; keeps what it was asked."""

    answers: list[Answer]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    models: list[str] = field(default_factory=list)

    def next_answer(self, request: dict[str, Any]) -> Any:
        """Take the next answer off the script."""
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        return answer(request) if callable(answer) else answer


def tool_call(
    concepts: Any, *, tokens: tuple[int, int] = (100, 50), name: str = "record_concepts"
) -> dict[str, Any]:
    """A Converse response that calls the tool with these concepts."""
    use = {"toolUseId": "tooluse_1", "name": name, "input": {"concepts": concepts}}
    return response([{"toolUse": use}], stop="tool_use", tokens=tokens)


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


@contextmanager
def bedrock_fake(*answers: Answer) -> Iterator[BedrockFake]:
    """Serve the script on a free loopback port until the block ends."""
    fake = BedrockFake(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fake.requests.append(request)
            fake.models.append(unquote(self.path.split("/")[2]))
            answer = fake.next_answer(request)
            if isinstance(answer, tuple):
                self._reply(answer[0], {"message": answer[2]}, error=answer[1])
            else:
                self._reply(200, answer)

        def _reply(self, status: int, body: dict[str, Any], *, error: str | None = None) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if error:
                self.send_header("x-amzn-ErrorType", error)
            self.end_headers()
            self.wfile.write(data)

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
