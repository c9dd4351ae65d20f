"""A model server of the OpenAI-compatible kind on loopback, which says what a test tells it.

    with fake_tutor() as tutor:                       # listens on a port of its own until the block ends
        tutor.will_say("Osmosis moves ", "water.")    # the next request gets this, piece by piece; then nothing is left
        …                                             # Tutor=openai, TutorModel=tutor.model, TutorUrl=tutor.url

What is told is used up one request each, in order; a request for which nothing is left is answered ``UNTOLD``.

- ``will_say(*pieces, held_after=n)`` stops behind its first n pieces until ``tutor.release()``: so a page can be looked
  at in the midst of an answer, without waiting for a clock. ``pause_seconds`` waits between pieces instead.
- ``will_answer(made)`` has its pieces made of the request: ``made(body) -> iterable of str``.
- ``will_fail(status)`` answers an error; ``will_break_off(*pieces)`` closes the connection in the midst;
  ``will_send(*raw)`` sends bytes as they are, as a stream of events (hostile ones too).
- ``tutor.asked`` holds every request's body as it came, ``tutor.headers`` the headers, ``tutor.prompt(i)`` the system's
  and the user's text of one.

Nothing of it outlives the block: the threads are daemons, held answers are let go, the port is closed.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "fake-tutor"
#: What a request is answered for which nothing was told.
UNTOLD = "Nobody told this model what to say."
#: Longest that a held answer waits, in seconds: a test that fails must not keep a worker.
HELD_SECONDS = 60.0

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """What one request is answered."""

    pieces: Callable[[Body], Iterable[str]] | None = None
    raw: tuple[bytes, ...] = ()
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    ends: bool = True
    held_after: int | None = None
    pause_seconds: float = 0.0


class FakeTutor:
    """The model's side, as a test sees it; see the module."""

    model = MODEL

    def __init__(self) -> None:
        self.asked: list[Body] = []
        self.headers: list[Mapping[str, str]] = []
        self._told: deque[Told] = deque()
        self._lock = threading.Lock()
        self._release = threading.Event()
        self._closing = threading.Event()
        tutor = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                with suppress(ConnectionError, BrokenPipeError):
                    tutor._answer(self)
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """What ``TutorUrl`` is set to: requests go to ``{url}/chat/completions``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    # ------------------------------------------------------------------ what it is told
    def will_say(self, *pieces: str, held_after: int | None = None, pause_seconds: float = 0.0) -> None:
        self._tell(Told(lambda _body: pieces, held_after=held_after, pause_seconds=pause_seconds))

    def will_answer(self, made: Callable[[Body], Iterable[str]]) -> None:
        self._tell(Told(made))

    def will_fail(self, status: int = 503, body: bytes = b"", **headers: str) -> None:
        self._tell(Told(status=status, body=body, headers=tuple(headers.items())))

    def will_break_off(self, *pieces: str) -> None:
        self._tell(Told(lambda _body: pieces, ends=False))

    def will_send(self, *raw: bytes) -> None:
        self._tell(Told(raw=raw))

    def release(self) -> None:
        """Let every held answer go on, those that are told later too."""
        self._release.set()

    def forget(self) -> None:
        """Forget what it was told and asked; later answers may be held again."""
        with self._lock:
            self._told.clear()
            self.asked.clear()
            self.headers.clear()
        self._release.clear()

    def prompt(self, at: int = -1) -> dict[str, str]:
        """The texts of one request by role."""
        return {message["role"]: message["content"] for message in self.asked[at]["messages"]}

    def close(self) -> None:
        self._closing.set()
        self._release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    # ------------------------------------------------------------------ what it does
    def _tell(self, told: Told) -> None:
        with self._lock:
            self._told.append(told)

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        data = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        body: Body = json.loads(data)
        with self._lock:
            self.asked.append(body)
            self.headers.append(dict(request.headers))
            told = self._told.popleft() if self._told else Told(lambda _body: (UNTOLD,))
        if told.status != 200:
            request.send_response(told.status)
            for name, value in told.headers:
                request.send_header(name.replace("_", "-"), value)
            request.send_header("Content-Length", str(len(told.body)))
            request.send_header("Connection", "close")
            request.end_headers()
            request.wfile.write(told.body)
            return
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        for piece in told.raw if told.pieces is None else self._events(body, told):
            if self._closing.is_set():
                return
            request.wfile.write(piece)
            request.wfile.flush()

    def _events(self, body: Body, told: Told) -> Iterator[bytes]:
        assert told.pieces is not None
        said = 0
        yield event(chunk({"role": "assistant", "content": ""}))
        for count, piece in enumerate(told.pieces(body)):
            if told.held_after == count:
                self._release.wait(HELD_SECONDS)
            elif told.pause_seconds and count:
                time.sleep(told.pause_seconds)
            said += len(piece)
            yield event(chunk({"content": piece}))
        if not told.ends:
            return
        yield event(chunk({}, finish="stop"))
        if (body.get("stream_options") or {}).get("include_usage"):
            given = sum(len(message["content"]) for message in body["messages"])
            usage = {"prompt_tokens": given // 4, "completion_tokens": max(1, said // 4)}
            yield event({**chunk({}), "choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"


def chunk(delta: Mapping[str, Any], *, finish: str | None = None) -> dict[str, Any]:
    """One chunk of a streamed chat completion."""
    choice = {"index": 0, "delta": dict(delta), "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": MODEL, "choices": [choice]}


def event(value: Any) -> bytes:
    """A value as a server-sent event."""
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


@contextmanager
def fake_tutor() -> Iterator[FakeTutor]:
    """A fake model that listens while the block runs."""
    tutor = FakeTutor()
    try:
        yield tutor
    finally:
        tutor.close()
