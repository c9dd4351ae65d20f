"""A tutor's model behind an OpenAI-compatible endpoint: chat completions, streamed, read without trust.

Python's own HTTP client carries it: it follows no redirect, takes no proxy from the environment and hands on bytes as
they come. An endpoint may be slow, break off, never end, send anything at all: each answer has its time, its bytes and
its longest event, and what goes wrong is told by a stable word, never by what the endpoint says of it.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final
from urllib.parse import urlsplit

from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.adapters.event_stream import EventTooLong, event_data
from anamnesis.adapters.tutor_tries import Passing, Spoken, spoken_with_tries, too_slow
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.tutoring.answers import MAX_ANSWER_CHARS, AnswerFailed, Failing
from anamnesis.domain.tutoring.prompt import TutorPrompt
from anamnesis.ports import Backoff

#: Longest wait for a connection, and longest silence, in seconds. Ours: models on a laptop read a prompt for a while.
CONNECT_SECONDS: Final = 3.0
SILENCE_SECONDS: Final = 45.0
#: How long what an answer took is waited for behind its end, in seconds.
LINGER_SECONDS: Final = 2.0
#: Most tokens of an answer that are asked for: four characters each in English.
MAX_TOKENS: Final = MAX_ANSWER_CHARS // 4
#: Longest event and most bytes of an answer: some hundred times those of real ones.
MAX_EVENT_BYTES: Final = 256_000
MAX_BYTES: Final = 8_000_000
#: Tries while nothing was said yet.
TRIES: Final = 3
_PIECE: Final = 65_536
#: Why an answer ended that an endpoint will not give, and the end of a stream that does not say why.
_FILTERED: Final = frozenset({"content_filter", "refusal"})
_DONE: Final[Mapping[str, Any]] = {"choices": [{"finish_reason": "stop"}]}
#: Statuses of failures that may pass.
_PASSING: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
#: Statuses that a changed key may mend.
_KEY: Final = frozenset({401, 403})


class _KeyRefused(Exception):
    """The endpoint does not take the key; the status."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where requests go."""

    host: str
    port: int | None
    path: str
    secure: bool


class OpenAiTutor:
    """The port ``TutorModel``; safe to use from many threads.

    Parameters
    ----------
    url
        Base address, such as ``https://api.openai.com/v1``; requests go to ``{url}/chat/completions``. Plain HTTP is
        for this machine alone.
    model
        Its name there.
    key
        The key that requests are authorised by, None for none; asked for each request.
    forget_key
        Called when a key was refused, once an answer: the next request may have another. None where there is one only.
    backoff
        Waits between tries.
    on_use
        Told what every answered request took.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: Callable[[], str | None] = lambda: None,
        forget_key: Callable[[], None] | None = None,
        backoff: Backoff | None = None,
        on_use: Callable[[ModelUse], None] = lambda _use: None,
    ) -> None:
        self._place = _place(url)
        self._model = model
        self._key = key
        self._forget_key = forget_key
        self._backoff = backoff or JitteredBackoff(base_seconds=0.5, cap_seconds=5.0)
        self._on_use = on_use

    def spoken(self, prompt: TutorPrompt, *, seconds_left: Callable[[], float]) -> Spoken:
        """What the model says, piece by piece, and what that took of it once it says so.

        Raises
        ------
        AnswerFailed
            If it cannot be had, refuses, breaks off or takes longer than there is time.
        """
        if self._place is None:
            raise AnswerFailed(
                Failing.UNAVAILABLE, "the tutor's URL must be https://…, or http://… on this machine"
            )
        place, attempts = self._place, count(1)

        def asked() -> Spoken:
            return spoken_with_tries(
                lambda: self._once(place, prompt, seconds_left),
                attempts=attempts,
                most=TRIES,
                seconds_left=seconds_left,
                backoff=self._backoff,
                whose="the endpoint",
            )

        try:
            try:
                yield from asked()
            except _KeyRefused:
                if self._forget_key is None:
                    raise
                self._forget_key()
                yield from asked()
        except _KeyRefused as refused:
            raise AnswerFailed(Failing.REFUSED, f"the endpoint: status {refused}") from None

    def _once(self, place: _Place, prompt: TutorPrompt, seconds_left: Callable[[], float]) -> Spoken:
        with _connected(place, seconds_left) as (connection, opened):
            try:
                response = self._asked(connection, place.path, prompt)
            except AnswerFailed:
                if seconds_left() > 0:
                    raise
                # A connection that was cut in the midst of its head looks like one with another head.
                raise Passing("the time is over") from None
            yield from self._heard(_bytes(response, seconds_left), opened)

    def _asked(
        self, connection: http.client.HTTPConnection, path: str, prompt: TutorPrompt
    ) -> http.client.HTTPResponse:
        body = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.message},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            # Of the two names the one that all of OpenAI's models take; servers that do not know it are cut off here.
            "max_completion_tokens": MAX_TOKENS,
        }
        headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream",
            "Accept-Encoding": "identity",
        }
        try:
            key = self._key()
        except StoreUnavailable:
            raise Passing("the key's store does not answer") from None
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        try:
            connection.request("POST", path, json.dumps(body).encode(), headers)
        except ValueError:
            # Not what it says: that quotes the key.
            raise AnswerFailed(Failing.REFUSED, "the key cannot stand in a header") from None
        response = connection.getresponse()
        if response.status in _PASSING:
            raise Passing(f"status {response.status}")
        if response.status in _KEY:
            raise _KeyRefused(response.status)
        if 400 <= response.status < 500:
            raise AnswerFailed(Failing.REFUSED, f"the endpoint: status {response.status}")
        if response.status != 200 or response.headers.get_content_type() != "text/event-stream":
            raise AnswerFailed(Failing.UNAVAILABLE, f"the endpoint sends no stream: status {response.status}")
        return response

    def _heard(self, pieces: Iterator[bytes], opened: socket.socket) -> Spoken:
        """What the events of a stream say."""
        ended, took = False, None
        try:
            for chunk in _chunks(pieces):
                text, finish = _choice(chunk)
                if text:
                    yield text
                if finish in _FILTERED:
                    raise AnswerFailed(Failing.REFUSED, "the endpoint filtered the answer")
                # Some tell what an answer takes with each chunk.
                took = _use(chunk.get("usage")) or took
                if finish is not None:
                    ended = True
                    opened.settimeout(LINGER_SECONDS)
        except (OSError, http.client.HTTPException):
            # Behind the end of the answer nothing is missing but what it took.
            if not ended:
                raise
        finally:
            if took is not None:
                self._on_use(took)
        if not ended:
            raise Passing("the stream broke off")
        if took is not None:
            yield took


@contextmanager
def _connected(
    place: _Place, seconds_left: Callable[[], float]
) -> Iterator[tuple[http.client.HTTPConnection, socket.socket]]:
    """A connection and its socket, which is cut when the time is over, whatever it is waited for then."""
    if seconds_left() <= 0:
        raise too_slow()
    if place.secure:
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            place.host, place.port, timeout=CONNECT_SECONDS, context=ssl.create_default_context()
        )
    else:
        connection = http.client.HTTPConnection(place.host, place.port, timeout=CONNECT_SECONDS)
    guard: threading.Timer | None = None
    try:
        connection.connect()
        opened = connection.sock
        opened.settimeout(SILENCE_SECONDS)
        guard = threading.Timer(seconds_left(), _cut, [opened])
        guard.daemon = True
        guard.start()
        yield connection, opened
    except (OSError, http.client.HTTPException) as error:
        raise Passing(type(error).__name__) from None
    finally:
        if guard is not None:
            guard.cancel()
        connection.close()


def _place(url: str) -> _Place | None:
    """Where requests go; None for no address that a student's words may be sent to."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    secure = parts.scheme == "https"
    if not host or not (secure or (parts.scheme == "http" and _is_here(host))) or parts.username is not None:
        return None
    path = f"{parts.path.rstrip('/')}/chat/completions" + (f"?{parts.query}" if parts.query else "")
    return _Place(host, port, path, secure)


def _is_here(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _cut(opened: socket.socket) -> None:
    """End whatever waits for a socket; of a secured one the plain end, since another thread is inside the other."""
    with suppress(OSError):
        socket.socket.shutdown(opened, socket.SHUT_RDWR)


def _bytes(response: http.client.HTTPResponse, seconds_left: Callable[[], float]) -> Iterator[bytes]:
    read = 0
    while piece := response.read1(_PIECE):
        if seconds_left() <= 0:
            raise too_slow()
        read += len(piece)
        if read > MAX_BYTES:
            raise AnswerFailed(Failing.UNAVAILABLE, "the endpoint sends without end")
        yield piece


def _chunks(pieces: Iterator[bytes]) -> Iterator[Mapping[str, Any]]:
    """The chunks of a stream until its end."""
    try:
        for data in event_data(pieces, max_bytes=MAX_EVENT_BYTES):
            if data.strip() == "[DONE]":
                yield _DONE
                return
            yield _object(data)
    except EventTooLong:
        raise AnswerFailed(Failing.UNAVAILABLE, "the endpoint sends events without end") from None


def _object(data: str) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise AnswerFailed(Failing.UNAVAILABLE, "the endpoint sends what is no completion")
    if value.get("error"):
        raise Passing("an error in the stream")
    return value


def _choice(chunk: Mapping[str, Any]) -> tuple[str, str | None]:
    """What a chunk adds to the first answer, and why that ended."""
    choices = chunk.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        return "", None
    delta = first.get("delta")
    text = delta.get("content") if isinstance(delta, dict) else None
    finish = first.get("finish_reason")
    return text if isinstance(text, str) else "", finish if isinstance(finish, str) else None


def _use(usage: Any) -> ModelUse | None:
    if not isinstance(usage, dict):
        return None
    return ModelUse.as_told(usage.get("prompt_tokens"), usage.get("completion_tokens"))
