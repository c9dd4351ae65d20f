"""A chat on the deployed service, with a model on loopback."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.chat_command import follow, start
from anamnesis_tools.cli import app
from anamnesis_tools.patience import patient
from anamnesis_tools.stack.local_stack import LocalStack
from support.fake_tutor import FakeTutor
from support.schools import CELLS, School, check, given

SUBJECT = "biology"
SAID = (
    "On 1 July you missed a check on osmosis. ",
    "Osmosis is the diffusion of water through a cell membrane.",
)
ASKED = "What did I get wrong about osmosis, and what is it?"


@pytest.fixture(scope="module")
def school(stack: LocalStack) -> School:
    """A school in which ana has a file and missed a check."""
    school = School(stack)
    ana = school.student()
    given(ana, SUBJECT, "cells.md", CELLS)
    ana.record(SUBJECT, "check", [check("osmosis", correct=False, at="2026-07-01T09:00:00Z")])
    return school


def told(ana: ApiClient) -> list[tuple[str, str]]:
    listed = ana.pages(ana.subject(SUBJECT, "episodes"), "episodes", {})
    return [(e["kind"], e["text"]) for e in listed]


def whole_turn(ana: ApiClient, tutor: FakeTutor) -> dict[str, Any]:
    """A begun turn whose block lacks nothing: on a busy machine one may go on without some source."""
    while True:
        tutor.forget()
        tutor.will_say(*SAID, held_after=1)
        begun = start(ana, SUBJECT, ASKED, time_zone="UTC", session_id="s1")
        if not begun["block"]["dropped"] and not begun["block"]["degraded"]:
            return begun
        tutor.release()
        follow(ana, SUBJECT, begun["answer_id"], lambda _: None)


def earlier(ana: ApiClient, tutor: FakeTutor, question: str) -> list[str]:
    """Ask one more question in the session, which nobody answers; what the model was told that was said before it."""
    tutor.will_say("\u200b")
    begun = start(ana, SUBJECT, question, time_zone="UTC", session_id="s1")
    assert follow(ana, SUBJECT, begun["answer_id"], lambda _: None)["reason"] == "empty"
    told_before = re.findall(
        r"^EARLIER \w+:\nFENCE (\w+)\n(.*?)\nFENCE \1$", tutor.prompt()["user"], re.M | re.S
    )
    return [text for _, text in told_before]


def test_an_answer_is_streamed_recorded_once_and_traced(
    stack: LocalStack, school: School, tutor: FakeTutor
) -> None:
    """An answer comes by parts, is recorded once, is told in the next turn, and goes with an erasure (GR-2, EP-8)."""
    ana = school.student()
    begun = whole_turn(ana, tutor)
    assert (begun["status"], begun["model"]) == ("waiting", tutor.model)
    seen: list[str] = []

    def hear(text: str) -> None:
        seen.append(text)
        if text:
            tutor.release()

    done = follow(ana, SUBJECT, begun["answer_id"], hear)
    assert (done["status"], done["text"]) == ("done", "".join(SAID)), done
    assert next(text for text in seen if text) == SAID[0].rstrip()
    assert begun["block"]["block"] in tutor.prompt()["user"]
    assert len(tutor.asked) == 1
    sources = [claim["source"] and claim["source"]["kind"] for claim in done["grounding"]["claims"]]
    assert sources == ["memory", "file"], done["grounding"]
    assert done["grounding"]["stance"] == "answered"
    assert told(ana)[-2:] == [("question", ASKED), ("answer", "".join(SAID))]
    assert earlier(ana, tutor, "Explain that again.")[-2:] == [ASKED, "".join(SAID)]
    path = ana.subject(SUBJECT, f"answers/{begun['answer_id']}")
    with pytest.raises(ApiProblem, match="404"):
        patient(lambda: school.student("ben").call("GET", path))
    patient(lambda: ana.call("DELETE", ana.subject(SUBJECT, f"episodes/{begun['question']['id']}")))
    with pytest.raises(ApiProblem, match="404"):
        patient(lambda: ana.call("GET", path))
    assert earlier(ana, tutor, "And now?") == ["Explain that again."]


def test_an_endpoint_that_is_down_leaves_the_question(
    stack: LocalStack, school: School, tutor: FakeTutor
) -> None:
    """When a model cannot be had the command says why and ends by its code; the log has the question alone (GR-3)."""
    tutor.forget()
    for _ in range(3):
        tutor.will_fail(503)
    options = ["--state", str(stack.state_dir), "--tenant", school.tenant, "--student", "cleo", "--json"]
    result = CliRunner().invoke(app, ["chat", SUBJECT, "Is anybody there?", *options])
    reply = json.loads(result.stdout)
    assert (result.exit_code, reply["answer"]["status"]) == (5, "failed"), result.output
    assert (reply["answer"]["reason"], reply["answer"]["text"]) == ("model-unavailable", "")
    assert told(school.student("cleo")) == [("question", "Is anybody there?")]
