"""Checks, beliefs and teaching over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.cli import app
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, asked, check, event, given, lines_under

SUBJECT = "biology"


@pytest.fixture(scope="module")
def school(stack: LocalStack) -> School:
    """A school whose course file explains a few concepts."""
    school = School(stack)
    given(school.student("uploader"), SUBJECT, "cells.md", CELLS)
    return school


def beliefs(client: ApiClient, *, history: bool = False) -> list[dict[str, Any]]:
    """Current beliefs, or every row."""
    path, params = f"/v1/subjects/{SUBJECT}/beliefs", {"history": str(history).lower()}
    rows: list[dict[str, Any]] = client.call("GET", path, params=params)["beliefs"]
    return rows


def concept(client: ApiClient, key: str) -> dict[str, Any]:
    """A concept of the student's map."""
    found = client.call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"]
    return next(c for c in found if c["key"] == key)


def test_a_changed_mind_keeps_what_it_thought(school: School) -> None:
    """A failed check, then passed ones: a new row, the old as it was and pointing to it, both to be walked (BE-2)."""
    client = school.student("changes")
    failed = client.record(SUBJECT, "1", [check("osmosis", correct=False, at="2026-05-04T10:00:00Z")])
    (first,) = beliefs(client)
    assert (first["concept"], first["claim"]) == ("osmosis", "struggles with osmosis")
    assert first["evidence"] == [failed[0]["id"]]
    assert 0 < first["confidence"] <= 1
    assert first["created_at"] == "2026-05-04T10:00:00Z"
    passed = client.record(
        SUBJECT, "2", [check("osmosis", correct=True, at=f"2026-05-{day:02}T10:00:00Z") for day in (5, 6, 7)]
    )
    (now,) = beliefs(client)
    assert now["claim"] == "understands osmosis"
    assert set(now["evidence"]) <= {e["id"] for e in passed}
    rows = beliefs(client, history=True)
    walked = client.call("GET", f"/v1/subjects/{SUBJECT}/beliefs/{first['id']}/history")["beliefs"]
    assert walked == client.call("GET", f"/v1/subjects/{SUBJECT}/beliefs/{now['id']}/history")["beliefs"]
    assert [r["id"] for r in walked] == [r["id"] for r in rows] == [first["id"], now["id"]]
    assert rows[0]["superseded_by"] == now["id"]
    assert rows[1]["superseded_by"] is None
    assert {name: rows[0][name] for name in ("claim", "concept", "created_at")} == {
        name: first[name] for name in ("claim", "concept", "created_at")
    }
    block = asked(client, SUBJECT, "What did I get wrong?")["block"]
    believed = lines_under(block, "WHAT YOU CURRENTLY BELIEVE")
    assert [line for line in believed if "smosis" in line] == [
        f"- understands osmosis ({now['confidence']:.2f})"
    ]


def test_an_unknown_belief_has_no_history(school: School) -> None:
    """The history of a belief that another student holds, or nobody, is not found (SV-11)."""
    school.student("holder").record(SUBJECT, "1", [check("osmosis", correct=True)])
    (held,) = beliefs(school.student("holder"))
    for belief_id in (held["id"], "belief-none"):
        with pytest.raises(ApiProblem) as caught:
            school.student("looker").call("GET", f"/v1/subjects/{SUBJECT}/beliefs/{belief_id}/history")
        assert caught.value.status == 404


@pytest.mark.parametrize(
    "said",
    [
        "just ask me the questions",
        "can you quiz me on osmosis please?",
        "hazme preguntas sobre lo que quieras",
        "tanyakan saja pertanyaannya",
        "ok so um I don't know",
        "просто задавай мне вопросы",
        "我不知道你在问什么",
    ],
)
def test_an_utterance_never_becomes_a_belief(school: School, said: str) -> None:
    """A check whose topic is something said stays as evidence, counted, and no belief comes of it (BE-3)."""
    client = school.student(f"said {said}")
    recorded = client.record(SUBJECT, "1", [check(said, correct=True, evaluation="No topic given.")])
    assert beliefs(client, history=True) == []
    listed = client.call("GET", f"/v1/subjects/{SUBJECT}/episodes")["episodes"]
    assert [(e["id"], e["outcome"]["concept"]) for e in listed] == [(recorded[0]["id"], None)]


def test_the_evaluation_ties_a_check_whose_topic_is_a_sentence(school: School) -> None:
    """When the topic is a sentence, the concept that the tutor's evaluation names by its name is believed (BE-3)."""
    client = school.student("sentence")
    topic = "Which way does the water go when there is salt outside?"
    client.record(SUBJECT, "1", [check(topic, correct=True, evaluation="Osmosis was explained well.")])
    assert [b["claim"] for b in beliefs(client)] == ["understands osmosis"]


def test_a_topic_of_no_known_concept_is_no_belief(school: School) -> None:
    """A name that the map does not know ties to nothing, however alike it sounds (BE-3)."""
    client = school.student("unknown name")
    client.record(SUBJECT, "1", [check(topic, correct=True) for topic in ("osmolarity", "Xyz")])
    assert beliefs(client) == []


def test_mastery_is_predicted_before_each_check(school: School) -> None:
    """Each tied check keeps what was predicted before it, and results move the next prediction their way (BE-5)."""
    predicted = {}
    for name, correct in (("predicted well", True), ("predicted badly", False)):
        client = school.student(name)
        for day in range(1, 5):
            sent = check("diffusion", correct=correct, at=f"2026-05-{day:02}T10:00:00Z")
            client.record(SUBJECT, str(day), [sent])
        client.record(SUBJECT, "untied", [check("just ask me", correct=True, at="2026-05-10T10:00:00Z")])
        listed = client.call("GET", f"/v1/subjects/{SUBJECT}/episodes")["episodes"]
        *predicted[name], untied = [e["outcome"]["predicted"] for e in listed]
        assert untied is None
        assert all(0 < p < 1 for p in predicted[name])
    well, badly = predicted.values()
    assert well[0] == badly[0]
    assert well == sorted(well)
    assert all(up > down for up, down in zip(well[1:], badly[1:], strict=True))


def test_checks_of_one_batch_are_predicted_as_if_sent_one_by_one(school: School) -> None:
    """What is predicted and believed does not depend on how checks were put into batches (BE-5)."""
    results = (True, False, False, True, True)
    checks = [
        check("osmosis", correct=correct, at=f"2026-05-{day:02}T10:00:00Z")
        for day, correct in enumerate(results, start=1)
    ]
    together, apart = school.student("together"), school.student("apart")
    together.record(SUBJECT, "1", checks)
    for number, sent in enumerate(checks):
        apart.record(SUBJECT, str(number), [sent])

    def seen(client: ApiClient) -> Any:
        listed = client.call("GET", f"/v1/subjects/{SUBJECT}/episodes")["episodes"]
        rows = beliefs(client, history=True)
        return (
            [e["outcome"]["predicted"] for e in listed],
            [(b["claim"], b["confidence"], len(b["evidence"]), b["superseded_by"] is None) for b in rows],
        )

    assert seen(together) == seen(apart)


PLANTS = """# Plants

**Photosynthesis** is the process by which plants turn light into sugar.
"""


def test_beliefs_follow_todays_map_when_asked(stack: LocalStack) -> None:
    """Checks recorded before their file are believed after a re-derivation, and a deleted file's no longer (BE-4)."""
    school = School(stack)
    client = school.student()
    cells = given(school.student("uploader"), SUBJECT, "cells.md", CELLS)
    client.record(SUBJECT, "1", [check(topic, correct=True) for topic in ("osmosis", "photosynthesis")])
    log = client.call("GET", f"/v1/subjects/{SUBJECT}/episodes")
    (osmosis,) = beliefs(client)
    given(school.student("uploader"), SUBJECT, "plants.md", PLANTS)
    path = f"/v1/subjects/{SUBJECT}/beliefs/rederive"
    assert client.call("POST", path) == {"retired": 0, "made": 1, "unchanged": 1}
    assert school.teacher("ana").call("POST", path) == {"retired": 0, "made": 0, "unchanged": 2}
    assert [b["claim"] for b in beliefs(client)] == ["understands osmosis", "understands photosynthesis"]
    assert beliefs(client)[0] == osmosis
    assert concept(client, "photosynthesis")["readiness"] == 0.85
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/episodes") == log

    school.student("uploader").call("DELETE", f"/v1/subjects/{SUBJECT}/files/{cells['file_id']}")
    assert school.service().call("POST", path) == {"retired": 1, "made": 0, "unchanged": 1}
    assert [b["claim"] for b in beliefs(client)] == ["understands photosynthesis"]
    walked = client.call("GET", f"/v1/subjects/{SUBJECT}/beliefs/{osmosis['id']}/history")["beliefs"]
    assert walked == [osmosis | {"superseded_by": "retired"}]
    client.record(SUBJECT, "2", [check("photosynthesis", correct=True, at="2026-05-05T10:00:00Z")])
    (goes_on,) = beliefs(client)
    assert len(goes_on["evidence"]) == 2
    assert client.call("POST", path) == {"retired": 0, "made": 0, "unchanged": 1}


def test_the_command_derives_beliefs(stack: LocalStack) -> None:
    """`anamnesis rederive` derives a student's beliefs and says what changed, for people and programs (SV-8)."""
    school = School(stack)
    given(school.student("uploader"), SUBJECT, "cells.md", CELLS)
    school.student("ana").record(SUBJECT, "1", [check("osmosis", correct=True)])
    call = ["rederive", SUBJECT, "--api-url", stack.api_url]
    student = [*call, "--token", stack.token(school.tenant, "ana")]
    teacher = [*call, "--student", "ana", "--token", stack.token(school.tenant, None, "teacher")]
    for command in (student, teacher):
        done = CliRunner().invoke(app, [*command, "--json"])
        assert json.loads(done.stdout) == {"retired": 0, "made": 0, "unchanged": 1}
    told = CliRunner().invoke(app, student)
    assert (told.exit_code, told.stdout) == (0, "0 beliefs retired, 0 made, 1 unchanged.\n")


def test_teaching_shows_in_this_students_map_and_block(school: School) -> None:
    """A taught note stands on its concept, raises it to 1.0 and shows in the block, for this student only (TE-1)."""
    client, other = school.student("teaches"), school.student("does not teach")
    sent = event("question", "Remember that in our class we call osmosis the water walk.")
    recorded = client.record(SUBJECT, "1", [sent])
    assert recorded[0]["kind"] == "taught"
    assert recorded[0]["concepts"] == ["osmosis"]
    mine, theirs = concept(client, "osmosis"), concept(other, "osmosis")
    assert (mine["readiness"], mine["taught"]) == (1.0, ["in our class we call osmosis the water walk"])
    assert (theirs["readiness"], theirs["taught"]) == (0.6, [])
    block = asked(client, SUBJECT, "What is osmosis?")["block"]
    assert "[taught: in our class we call osmosis the water walk]" in lines_under(block, "SUBJECT MAP")[0]
    assert "the student taught you: " in block
    assert "water walk" not in asked(other, SUBJECT, "What is osmosis?")["block"]


def test_teaching_about_nothing_known_makes_a_short_concept(school: School) -> None:
    """A teaching that names no known concept makes one under a short name, in this student's layer (TE-2)."""
    client, other = school.student("names anew"), school.student("names nothing")
    before = {c["key"] for c in client.call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"]}
    said = (
        "Recuerda que el examen final de la semana que viene entra todo lo que vimos de volcanes submarinos."
    )
    client.record(SUBJECT, "1", [event("taught", said, language="es")])
    added = [
        c for c in client.call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"] if c["key"] not in before
    ]
    assert len(added) == 1
    assert len(added[0]["name"].split()) <= 5
    assert (added[0]["readiness"], added[0]["sources"]) == (1.0, [])
    seen = {c["key"] for c in other.call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"]}
    assert seen == before


@pytest.mark.parametrize(
    "asked_",
    [
        "Do you remember that we call osmosis the water walk?",
        "Remember that osmosis thing?",
        "What is osmosis?",
        "¿Recuerdas que llamamos caminata del agua a la ósmosis?",
        "Apakah kamu ingat bahwa osmosis adalah jalan air?",
    ],
)
@pytest.mark.parametrize("kind", ["question", "taught"])
def test_questions_never_teach(school: School, asked_: str, kind: str) -> None:
    """A question adds no note and no concept, even when its caller filed it as a teaching (TE-3)."""
    client = school.student(f"asks {asked_} as {kind}")
    recorded = client.record(SUBJECT, "1", [event(kind, asked_)])
    assert recorded[0]["kind"] == "question"
    assert not any(c["taught"] for c in client.call("GET", f"/v1/subjects/{SUBJECT}/map")["concepts"])
