"""`anamnesis chat` over the real handlers in process, with a model that says what it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from typer.testing import CliRunner, Result

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.tutoring.answers import AnswerFailed, Failing
from anamnesis_tools import chat_command
from anamnesis_tools.api_options import ApiOptions
from anamnesis_tools.chat_command import NOT_ANSWERED
from anamnesis_tools.cli import app
from support.api_in_process import InProcessClient, Place, place_in_process
from support.memory_answers import MemoryAnswerStore, ScriptedTutor


class WritingQueue:
    """A queue whose messages are done at once."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def send(self, pair: Pair, answer_id: str) -> None:
        self._place.app.write_answer(pair, answer_id)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """The handlers over stores in memory, one for all tests."""
    with place_in_process() as made:
        vars(made.app)["_answers"] = MemoryAnswerStore()
        yield made


@pytest.fixture
def tutor(place: Place, monkeypatch: pytest.MonkeyPatch) -> ScriptedTutor:
    """A model, and a client of the command's that asks the handlers."""
    model, use = ScriptedTutor(), vars(place.app)
    monkeypatch.setitem(use, "write_answer", replace(place.app.write_answer, model=model))
    queue = WritingQueue(place)
    monkeypatch.setitem(use, "start_answer", replace(place.app.start_answer, model="scripted", queue=queue))
    monkeypatch.setattr(ApiOptions, "client", lambda *_: InProcessClient(place))
    monkeypatch.setattr(chat_command, "_wait", lambda _: None)
    return model


def run(*more: str) -> Result:
    return CliRunner().invoke(app, ["chat", "biology", "What is osmosis?", *more])


def printed(result: Result) -> str:
    """What the command printed; the handlers, which run in its process here, print their metrics as well."""
    return "\n".join(line for line in result.stdout.splitlines() if not line.startswith('{"_aws"'))


def test_an_answer_is_printed_with_where_it_comes_from(place: Place, tutor: ScriptedTutor) -> None:
    """The answer is printed, then each claim with its source, then the stance; terminals take no orders (SV-8)."""
    chapter = b"# Osmosis\n\nOsmosis is the movement of water through a membrane.\n"
    InProcessClient(place).send_file("biology", "cells.md", chapter)
    tutor.scripts.append(
        ("Osmosis is the movement of water through a membrane.", "\n\n\x1b[2J\u202eIt was found in 1748.\n")
    )
    result = run()
    assert result.exit_code == 0, result.output
    assert "\x1b[2J" not in result.stdout
    assert "\u202e" not in result.stdout
    flat = " ".join(printed(result).split())
    assert flat.startswith("Osmosis is the movement of water through a membrane.")
    assert "cells.md, page 1" in flat
    assert "1748. │ nothing" in flat
    assert "scripted · answered, 50% of its claims traced" in flat


def test_json_has_everything(tutor: ScriptedTutor) -> None:
    """For programs there is the whole turn: question, block, passages, and the answer at its end (SV-8)."""
    tutor.scripts.append(("Water ", "moves."))
    result = run("--json", "--session", "s1")
    assert result.exit_code == 0, result.output
    told = json.loads(printed(result))
    assert (told["answer"]["status"], told["answer"]["text"]) == ("done", "Water moves.")
    assert {"question", "block", "passages", "model"} <= set(told)


def test_an_answer_that_another_writer_began_anew_is_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a writer left that died is not taken for the beginning of what the next one says (SV-14)."""
    looks = iter(
        [
            {"status": "writing", "text": "Osmosis is the mov", "chars": 18},
            {"status": "writing", "text": "", "chars": 0},
            {"status": "done", "text": "Water moves.", "chars": 12},
        ]
    )
    asked: list[int] = []
    monkeypatch.setattr(chat_command, "_wait", lambda _: None)
    monkeypatch.setattr(chat_command, "_look", lambda _api, _path, after: asked.append(after) or next(looks))
    client = InProcessClient.__new__(InProcessClient)
    monkeypatch.setattr(InProcessClient, "subject", lambda *_: "")
    said: list[str] = []
    ended = chat_command.follow(client, "biology", "a1", said.append)
    assert (ended["text"], asked) == ("Water moves.", [0, 18, 0])
    assert said == ["Osmosis is the mov", "\n", "Water moves."]


def test_a_model_that_fails_is_told(tutor: ScriptedTutor) -> None:
    """What was said so far is printed, the reason is told, and the exit code says that there is no answer (SV-8)."""
    tutor.scripts.append(("Half", AnswerFailed(Failing.REFUSED, "no")))
    result = run()
    assert (result.exit_code, printed(result).strip()) == (NOT_ANSWERED, "Half")
    assert "model-refused" in result.stderr


def test_without_a_model_it_says_so(
    place: Place, tutor: ScriptedTutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no model configured that is said, block and passages are shown, and nothing is answered (SV-8)."""
    monkeypatch.setitem(vars(place.app), "start_answer", replace(place.app.start_answer, model=None))
    result = run()
    assert result.exit_code == NOT_ANSWERED
    assert "No model is configured" in result.stderr
    assert "YOUR MEMORY OF THIS STUDENT" in result.stdout
    told = json.loads(printed(run("--json")))
    assert (told["status"], told["answer"]) == ("no-model", None)
