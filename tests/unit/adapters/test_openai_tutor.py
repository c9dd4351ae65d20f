"""A tutor behind an OpenAI-compatible endpoint, well-behaved and hostile, over real sockets."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from anamnesis.adapters import openai_tutor
from anamnesis.adapters.openai_tutor import TRIES, OpenAiTutor
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.tutoring.answers import AnswerFailed, Failing
from anamnesis.domain.tutoring.prompt import TutorPrompt
from support.fake_tutor import chunk, event, fake_tutor
from support.raw_server import STREAM, raw_server
from support.wired_memory import CountingBackoff

PROMPT = TutorPrompt("Answer.", "QUESTION: why? 😀")
HALF = event(chunk({"content": "Half"}))
END = event(chunk({}, finish="stop"))


def model(url: str, **more: Any) -> OpenAiTutor:
    return OpenAiTutor(url, "a model", backoff=CountingBackoff(), **more)


def spoken(
    asked: OpenAiTutor, left: Callable[[], float] = lambda: 60.0
) -> tuple[list[str | ModelUse], Failing | None]:
    """What is said piece by piece until it ends or fails."""
    pieces: list[str | ModelUse] = []
    try:
        for piece in asked.spoken(PROMPT, seconds_left=left):
            pieces.append(piece)  # noqa: PERF402 - what came before a failure counts
    except AnswerFailed as error:
        return pieces, error.reason
    return pieces, None


def within(seconds: float) -> Callable[[], float]:
    """The time left of so many seconds from now."""
    end = time.monotonic() + seconds
    return lambda: end - time.monotonic()


def test_what_is_streamed_is_heard_as_it_comes() -> None:
    """Pieces come in order and then what they took; the prompt goes as system and user, with the key (GR-3)."""
    used: list[ModelUse] = []
    with fake_tutor() as fake:
        fake.will_say("Os", "mose 😀", "التناضح")
        found, failing = spoken(model(fake.url, key=lambda: "sk-1", on_use=used.append))
    assert (found[:3], failing) == (["Os", "mose 😀", "التناضح"], None)
    assert found[3:] == used
    assert (used[0].requests, used[0].output_tokens > 0) == (1, True)
    [body] = fake.asked
    assert fake.prompt() == {"system": "Answer.", "user": "QUESTION: why? 😀"}
    assert (body["model"], body["stream"]) == ("a model", True)
    assert fake.headers[0]["Authorization"] == "Bearer sk-1"


@pytest.mark.parametrize(
    "told, counted",
    [
        ({"prompt_tokens": 10**100, "completion_tokens": 7}, (0, 7)),
        ({"prompt_tokens": -5, "completion_tokens": True}, (0, 0)),
        ({"prompt_tokens": "12", "completion_tokens": 1.5}, (0, 0)),
    ],
)
def test_what_is_no_count_of_tokens_is_not_counted(told: dict[str, Any], counted: tuple[int, int]) -> None:
    """What an endpoint says that it took can be stored and added up, whatever it says (SV-12, SV-15)."""
    sent = event({**chunk({}, finish="stop"), "usage": told})
    with raw_server(STREAM, HALF, sent, b"data: [DONE]\n\n") as server:
        assert spoken(model(server.url)) == (["Half", ModelUse(1, *counted)], None)


def test_an_answer_may_be_left() -> None:
    """Who stops listening closes the connection, and the endpoint is not heard to its end (SV-14)."""
    with raw_server(STREAM, itertools.repeat(HALF)) as server:
        pieces = model(server.url).spoken(PROMPT, seconds_left=within(20))
        assert [next(pieces), next(pieces)] == ["Half", "Half"]
        pieces.close()


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_failures_that_pass_are_waited_for(status: int) -> None:
    """What may pass is tried again while nothing was said, some times (SV-14)."""
    with fake_tutor() as fake:
        fake.will_fail(status)
        fake.will_say("Yes.")
        found, failing = spoken(model(fake.url))
        assert (found[0], failing) == ("Yes.", None)
        for _ in range(TRIES):
            fake.will_fail(status)
        assert spoken(model(fake.url)) == ([], Failing.UNAVAILABLE)
        assert len(fake.asked) == 2 + TRIES


@pytest.mark.parametrize(
    "status, reason",
    [(400, Failing.REFUSED), (401, Failing.REFUSED), (404, Failing.REFUSED), (302, Failing.UNAVAILABLE)],
)
def test_what_is_refused_is_not_tried_again(status: int, reason: Failing) -> None:
    """A wrong key, model or request is told at once; a redirect is followed nowhere (SV-13, SV-14)."""
    with fake_tutor() as fake, fake_tutor() as elsewhere:
        fake.will_fail(status, b'{"error": {"message": "QUESTION: why?"}}', Location=elsewhere.url)
        assert spoken(model(fake.url)) == ([], reason)
        assert (len(fake.asked), elsewhere.asked) == (1, [])


def test_a_refused_key_is_fetched_anew_once() -> None:
    """A key that was rotated is read again, once an answer; one that stays wrong ends it (SV-14)."""
    keys = iter(["old", "new", "wrong", "wrong"])
    forgotten: list[int] = []
    with fake_tutor() as fake:
        fake.will_fail(401)
        fake.will_say("Yes.")
        asked = model(fake.url, key=lambda: next(keys), forget_key=lambda: forgotten.append(1))
        assert spoken(asked)[0][0] == "Yes."
        assert [headers["Authorization"] for headers in fake.headers] == ["Bearer old", "Bearer new"]
        fake.will_fail(403)
        fake.will_fail(403)
        assert spoken(asked) == ([], Failing.REFUSED)
    assert len(forgotten) == 2


def test_a_key_is_never_told() -> None:
    """A key that cannot be had, or cannot stand in a header, fails the answer without its text (SV-11)."""

    def down() -> str:
        raise StoreUnavailable("secretsmanager: down")

    with fake_tutor() as fake:
        assert spoken(model(fake.url, key=down)) == ([], Failing.UNAVAILABLE)
        with pytest.raises(AnswerFailed) as raised:
            list(model(fake.url, key=lambda: "sk\nX-Evil: 1").spoken(PROMPT, seconds_left=lambda: 60.0))
        assert raised.value.reason is Failing.REFUSED
        assert "Evil" not in str(raised.value)
        assert fake.asked == []


def _cut_anywhere(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


@pytest.mark.parametrize(
    "sent, said",
    [
        (_cut_anywhere(event(chunk({"content": "é😀"})) + END), ["é😀"]),
        ([HALF.replace(b"\n", b"\r\n"), END.replace(b"\n", b"\r")], ["Half"]),
        ([b": hello\n\n", b"event: x\nid: 7\n", HALF, b"\xff\xfe: what\n\n", END], ["Half"]),
        ([b'data: {"choices": []}\n\n', HALF, END], ["Half"]),
        ([b'data: {"choices":\ndata:  [{"delta": {"content": "Half"}}]}\n\n', END], ["Half"]),
        ([b'data: {"choices": [{"delta": {"content": "\\ud83d"}}]}\n\n', END], ["\ud83d"]),
        ([b'data: {"choices": [{"delta": {"content": 5}}, 7], "usage": "x"}\n\n', b"data: [DONE]\n\n"], []),
        ([HALF, b"data: [DONE]\n\n", HALF], ["Half"]),
    ],
    ids=[
        "byte by byte",
        "line ends",
        "comments",
        "no choice",
        "two lines",
        "half a pair",
        "other",
        "behind the end",
    ],
)
def test_streams_are_read_as_the_standard_says(sent: list[bytes], said: list[str]) -> None:
    """However events are cut, ended and adorned, what they say is heard once and whole (SV-14)."""
    with raw_server(STREAM, *sent) as server:
        assert spoken(model(server.url)) == (said, None)
        assert len(server.taken) == 1


@pytest.mark.parametrize(
    "sent, said, reason",
    [
        ([HALF], ["Half"], Failing.UNAVAILABLE),
        ([HALF, b"data: {not json\n\n"], ["Half"], Failing.UNAVAILABLE),
        ([HALF, b"data: " + b"[" * 100_000 + b"\n\n"], ["Half"], Failing.UNAVAILABLE),
        ([HALF, b'data: {"error": {"message": "QUESTION"}}\n\n'], ["Half"], Failing.UNAVAILABLE),
        ([HALF, event(chunk({}, finish="content_filter"))], ["Half"], Failing.REFUSED),
        ([HALF, itertools.repeat(b"data: " + b"x" * 60_000)], ["Half"], Failing.UNAVAILABLE),
        (
            [HALF, itertools.repeat((b"data: " + b"x" * 3_000 + b"\n") * 20)],
            ["Half"],
            Failing.UNAVAILABLE,
        ),
        ([HALF, itertools.repeat(b": " + b"x" * 3_000 + b"\n\n")], ["Half"], Failing.UNAVAILABLE),
    ],
    ids=[
        "cut",
        "no JSON",
        "nested",
        "error",
        "filtered",
        "endless line",
        "endless event",
        "endless comments",
    ],
)
def test_hostile_streams_end_by_a_word(sent: list[Any], said: list[str], reason: Failing) -> None:
    """A stream that breaks off, is nonsense or has no end is left, and told by a stable word (SV-12, SV-14)."""
    with raw_server(STREAM, *sent) as server:
        assert spoken(model(server.url), within(20)) == (said, reason)


@pytest.mark.parametrize(
    "sent",
    [
        [STREAM, HALF],
        [STREAM, HALF, *([b":\n\n", 0.1] * 100)],
        [b"HTTP/1.1 200 OK\r\nX-", *([b"y", 0.1] * 100)],
        [],
    ],
    ids=["silent", "drips events", "drips its head", "says nothing"],
)
def test_slow_endpoints_end_with_the_time(sent: list[Any]) -> None:
    """Silence and drips end when the time for the answer does, wherever the endpoint has come to (BL-3, SV-14)."""
    with raw_server(*sent, hangs=True) as server:
        began = time.monotonic()
        said, reason = spoken(model(server.url), within(0.6))
        assert reason is Failing.TOO_SLOW
        assert said in ([], ["Half"])
        assert time.monotonic() - began < 8


def test_an_endpoint_that_stays_open_behind_the_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that has ended is whole, whether or not the endpoint closes or says what it took (SV-14)."""
    monkeypatch.setattr(openai_tutor, "LINGER_SECONDS", 0.2)
    with raw_server(STREAM, HALF, END, hangs=True) as server:
        assert spoken(model(server.url), within(20)) == (["Half"], None)


@pytest.mark.parametrize(
    "head",
    [b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"\x00" * 9],
)
def test_what_is_no_stream_is_not_listened_to(head: bytes) -> None:
    """A server of something else is told apart before anything of it passes for an answer (SV-14)."""
    with raw_server(head, json.dumps({"choices": []}).encode()) as server:
        assert spoken(model(server.url), within(20)) == ([], Failing.UNAVAILABLE)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://example.org/v1",
        "http://10.0.0.1/v1",
        "ftp://127.0.0.1/",
        "https://user:pw@example.org/v1",
        "http://[::1",
        "//127.0.0.1/v1",
        "http://localhost.example.org/v1",
    ],
)
def test_words_go_unencrypted_to_this_machine_alone(url: str) -> None:
    """Plain HTTP, names and passwords in the address, and what is no address are refused; nothing is sent (SV-11)."""
    assert spoken(model(url)) == ([], Failing.UNAVAILABLE)


def test_nobody_there() -> None:
    """An endpoint that is dead is told so, after some tries (SV-14)."""
    with fake_tutor() as fake:
        url = fake.url
    assert spoken(model(url)) == ([], Failing.UNAVAILABLE)
