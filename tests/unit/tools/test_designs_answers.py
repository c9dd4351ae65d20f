"""The grader of answers: a model behind an endpoint, here a small server of ours, and its words held to the record."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.bench.command import app
from anamnesis_tools.bench.designs.answering import (
    INSTRUCTION,
    AnswererFailed,
    BedrockAnswerer,
    OpenAiAnswerer,
    answer_passes,
    grader,
)
from anamnesis_tools.bench.designs.prompts import Prompt
from anamnesis_tools.bench.designs.questions import Category, Item, Question
from support.bench_material import write_material


class Model(ThreadingHTTPServer):
    """An endpoint of chat completions that gives what it is told to, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Any = {"choices": [{"message": {"content": "{}"}}]}
        self.status = 200
        self.asked: list[tuple[str, dict[str, Any], str | None]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body, self.headers["Authorization"]))
        told = json.dumps(self.server.answer).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_: Any) -> None:
        """Stay silent."""


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def question(*items: Item, **more: Any) -> Question:
    category = more.pop("category", Category.WRONG)
    needed = more.pop("needed", len(items))
    return Question("s", category, "What did I get wrong?", "en", items, needed, **more)


PROMPT = Prompt("You are a tutor.\n\nMEMORY", "What did I get wrong?", frozenset(), (), 0.0)
OSMOSIS, CELL = Item(spoken=("osmosis",)), Item(spoken=("cell membrane",))


def test_an_endpoint_is_sent_the_prompt_and_its_words_are_graded(model: Model) -> None:
    """The whole prompt and the same instruction go to the endpoint, and its answer is held to the record (EV-3)."""
    said = json.dumps({"answer": "You missed osmosis.", "names": ["cell membranes"], "record": None})
    model.answer = {"choices": [{"message": {"content": f"```json\n{said}\n```"}}]}
    grade = grader(OpenAiAnswerer(model.url, "a-model", "secret"))
    assert grade(question(OSMOSIS, CELL), PROMPT)
    assert not grade(question(OSMOSIS, Item(spoken=("diffusion",))), PROMPT)
    path, body, key = model.asked[0]
    assert (path, body["model"], key) == ("/v1/chat/completions", "a-model", "Bearer secret")
    assert body["messages"][0]["content"] == f"{PROMPT.whole}\n\n{INSTRUCTION}"
    assert body["temperature"] == 0


@pytest.mark.parametrize(
    "reply,passed",
    [
        ('{"answer": "I have no record of May.", "record": false}', True),
        ('{"answer": "In May we did osmosis.", "record": true}', False),
        ('{"answer": "I have no record of May."}', False),
        ("no record", False),
        ("", False),
    ],
)
def test_an_empty_month_is_passed_by_saying_so(reply: str, passed: bool) -> None:
    """An answer about an empty month passes only when it claims no record of it (EV-3, BL-6)."""
    assert answer_passes(question(category=Category.EMPTY, nothing=True), reply) is passed


@pytest.mark.parametrize(
    "reply,understood,passed",
    [
        ('{"understands": true}', True, True),
        ('{"understands": true}', False, False),
        ('{"understands": false}', False, True),
        ('{"understands": null}', False, False),
        ('{"understands": "yes"}', True, False),
    ],
)
def test_a_belief_is_passed_by_the_right_verdict(reply: str, understood: bool, passed: bool) -> None:
    """An answer about one topic passes only with what the latest checks say of it (EV-3, BE-1)."""
    asked = question(CELL, category=Category.BELIEVED, understood=understood)
    assert answer_passes(asked, reply) is passed


def test_plain_words_are_an_answer_too() -> None:
    """A model that gives no JSON is graded by its words, and so many things as needed must be said (EV-3)."""
    assert answer_passes(question(OSMOSIS, CELL, needed=1), "It was osmosis.")
    assert not answer_passes(question(OSMOSIS, CELL), "It was osmosis.")
    assert not answer_passes(question(OSMOSIS), "x" * 1_000_000)
    long = Item(spoken=("The variance is the mean of the squared differences from the mean",))
    assert answer_passes(question(long), "Squared differences, and their mean, is what variance is.")
    assert not answer_passes(question(long), "The mean.")


@pytest.mark.parametrize("answer", [{}, {"choices": []}, {"choices": [{"message": {}}]}, []])
def test_another_form_of_reply_is_a_failure(model: Model, answer: Any) -> None:
    """A reply that is no chat completion ends the run and is not graded as a wrong answer (EV-3)."""
    model.answer = answer
    with pytest.raises(AnswererFailed):
        OpenAiAnswerer(model.url, "m")("?")


def test_a_refusal_says_no_word_of_the_prompt(model: Model) -> None:
    """An endpoint that refuses ends the run with its reason, without the prompt (EV-3)."""
    model.status = 401
    with pytest.raises(AnswererFailed) as failure:
        OpenAiAnswerer(model.url, "m")("secret words")
    assert "secret words" not in str(failure.value)


class Converse:
    """A client of Bedrock's runtime."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def converse(self, **request: Any) -> dict[str, Any]:
        self.asked.append(request)
        return {"output": {"message": {"content": [{"text": '{"answer": '}, {"text": '"osmosis"}'}]}}}


def test_a_model_on_bedrock_answers_alike() -> None:
    """Bedrock's converse is asked with the same prompt, and its parts are one answer (EV-3)."""
    client = Converse()
    assert grader(BedrockAnswerer(client, "m"))(question(OSMOSIS), PROMPT)
    assert client.asked[0]["messages"][0]["content"][0]["text"].startswith(PROMPT.whole)


def test_no_prompt_leaves_without_being_told_to(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an endpoint named nothing is sent, and an endpoint without a model is refused (EV-3, SV-15)."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("ANAMNESIS_ANSWERS_KEY", "set")
    folder = str(write_material(tmp_path))
    refused = CliRunner().invoke(app, ["designs", folder, "--answers-url", model.url])
    assert refused.exit_code == 2
    for command in ("designs", "ablation"):
        nothing = CliRunner().invoke(app, [command, folder, "--histories", "0"])
        assert nothing.exit_code == 2
    assert model.asked == []
