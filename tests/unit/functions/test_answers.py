"""A chat over HTTP: begun, written by the worker, looked at; what it costs, and who may."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.adapters.aws_clients import aws_client
from anamnesis.adapters.openai_tutor import OpenAiTutor
from anamnesis.adapters.sqs import SqsAnswerQueue, answer_message
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.tutoring.answers import MAX_ANSWER_CHARS
from support.aws_stores import REGION
from support.fake_tutor import FakeTutor, fake_tutor
from support.lambda_events import Answer, Api, LambdaContext, load_event, record
from support.wired_memory import CountingBackoff

SAID = "Water moves into the raisin through its skin."
TEACHER = {"cognito:groups": "[teacher]", "custom:student": None}
SERVICE = {"cognito:groups": "[service]", "custom:student": None}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that comes however busy the machine is: what becomes of late ones is tried elsewhere."""
    monkeypatch.setattr("start_answer.routes.DEADLINE_SECONDS", 60.0)


@pytest.fixture
def tutor(api: Api) -> Iterator[FakeTutor]:
    """The application with a model behind an endpoint, and with a queue."""
    app = bootstrap.application()
    client = aws_client("sqs", region=REGION)
    queue = SqsAnswerQueue(
        client, queue_url=client.create_queue(QueueName=f"answers-{api.tenant[7:]}")["QueueUrl"]
    )
    with fake_tutor() as fake:
        model = OpenAiTutor(fake.url, fake.model, backoff=CountingBackoff(), on_use=app.model_meter.add)
        app.__dict__["start_answer"] = replace(app.start_answer, model=fake.model, queue=queue)
        app.__dict__["write_answer"] = replace(app.write_answer, model=model)
        yield fake
    del app.__dict__["start_answer"], app.__dict__["write_answer"]


def start(api: Api, key: str = "k", **changes: Any) -> Answer:
    body = json.loads(load_event("http_start_answer")["body"]) | changes.pop("body", {})
    return api("http_start_answer", body=body, headers={"idempotency-key": key}, **changes)


def look(api: Api, answer_id: str, after: int = 0, **changes: Any) -> Answer:
    query = {"after": str(after), **changes.pop("query", {})}
    return api("http_read_answer", path=f"/v1/subjects/biology/answers/{answer_id}", query=query, **changes)


def deliver() -> Any:
    """Have the worker do what is queued."""
    from write_answer import app

    queue = bootstrap.application().start_answer.queue
    assert isinstance(queue, SqsAnswerQueue)
    client = queue._client
    [found] = client.receive_message(QueueUrl=queue._queue_url)["Messages"]
    client.delete_message(QueueUrl=queue._queue_url, ReceiptHandle=found["ReceiptHandle"])
    event = load_event("sqs_answer")
    event["Records"][0]["body"] = found["Body"]
    return app.handler(event, LambdaContext())


def metrics(out: str, name: str) -> list[float]:
    """Values of a metric in what the functions printed."""
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return [value for line in lines if name in line for value in line[name]]


def test_a_turn_with_a_model(api: Api, tutor: FakeTutor, capsys: pytest.CaptureFixture[str]) -> None:
    """A turn is accepted with its block, written behind it, looked at by parts until it is recorded (GR-2, GR-3)."""
    tutor.will_say("Water moves into ", "the raisin through its skin.")
    begun = start(api)
    assert (begun.status, begun.body["status"], begun.body["model"]) == (202, "waiting", tutor.model)
    assert begun.body["question"]["kind"] == "question"
    assert begun.body["block"]["block"]
    assert tutor.asked == []
    name = begun.body["answer_id"]
    waiting = look(api, name)
    assert (waiting.status, waiting.body["status"], waiting.body["text"]) == (200, "waiting", "")
    capsys.readouterr()
    assert deliver() == {"batchItemFailures": []}
    out = capsys.readouterr().out
    assert (metrics(out, "AnswersDone"), metrics(out, "AnswersFailed")) == ([1], [0])
    assert metrics(out, "ModelRequests") == [1]
    assert "raisin" not in out
    assert begun.body["block"]["block"] in tutor.prompt()["user"]
    done = look(api, name, after=6).body
    assert (done["status"], done["text"], done["chars"]) == ("done", SAID[6:], len(SAID))
    assert done["question_id"] == begun.body["question"]["id"]
    assert [claim["text"] for claim in done["grounding"]["claims"]] == [SAID]
    assert done["grounding"]["stance"] == "could_not"
    assert done["usage"]["output_tokens"] > 0
    listed = api("http_list_episodes", query={}).body["episodes"]
    assert [(e["kind"], e["text"]) for e in listed][-1] == ("answer", SAID)
    assert (listed[-1]["id"], listed[-1]["hash"]) == (done["answer"]["id"], done["answer"]["hash"])
    assert look(api, name, after=MAX_ANSWER_CHARS).body["text"] == ""
    assert start(api).body["answer_id"] == name


def test_without_a_model_it_says_so(api: Api) -> None:
    """With no model configured the reply says so at once, and the question is in the log once (GR-3)."""
    for _ in range(2):
        reply = start(api)
        assert (reply.status, reply.body["status"]) == (200, "no-model")
        assert (reply.body["answer_id"], reply.body["model"]) == (None, None)
        assert reply.body["block"]["block"]
    listed = api("http_list_episodes", query={}).body["episodes"]
    assert [e["kind"] for e in listed] == ["question"]


def test_a_dead_endpoint_is_told(api: Api, tutor: FakeTutor, capsys: pytest.CaptureFixture[str]) -> None:
    """An endpoint that answers nothing ends the answer by a stable word, and only the question is recorded (GR-3)."""
    tutor.close()
    name = start(api).body["answer_id"]
    assert deliver() == {"batchItemFailures": []}
    failed = look(api, name).body
    assert (failed["status"], failed["reason"], failed["answer"]) == ("failed", "model-unavailable", None)
    out = capsys.readouterr().out
    assert metrics(out, "AnswersFailed") == [1]
    assert "the endpoint: ConnectionRefusedError" in out
    assert "raisin" not in out
    assert [e["kind"] for e in api("http_list_episodes", query={}).body["episodes"]] == ["question"]
    [kept] = [item for item in api("http_export").body["items"] if item["type"] == "answer"]
    assert (kept["answer_id"], kept["status"], kept["reason"]) == (name, "failed", failed["reason"])
    assert (kept["subject"], kept["question_id"]) == ("biology", failed["question_id"])


def test_who_may_ask(api: Api, tutor: FakeTutor) -> None:
    """A teacher looks and does not ask; a service asks for a student; a student only for themselves (SV-11)."""
    asked = start(api, claims=TEACHER, query={"student": "ana"})
    assert (asked.status, asked.problem) == (403, "forbidden")
    assert api("http_list_episodes", query={}).body["episodes"] == []
    mine = start(api, claims=SERVICE, query={"student": "ana"})
    assert mine.status == 202
    name = mine.body["answer_id"]
    assert look(api, name).status == 200
    assert look(api, name, claims=TEACHER, query={"student": "ana"}).status == 200
    assert start(api, key="other", query={"student": "ana"}).status == 403


def test_an_answer_of_somebody_else_is_no_answer(api: Api, tutor: FakeTutor) -> None:
    """Another's answer looks as one that never was, to students, subjects and tenants alike (SV-11)."""
    name = start(api).body["answer_id"]
    missing = look(api, "0" * 32)
    assert (missing.status, missing.problem) == (404, "not-found")
    others = (
        look(api, name, claims={"custom:student": "ben"}),
        look(Api(f"{api.tenant} 2", api.stores, api.embedder), name),
        api("http_read_answer", path=f"/v1/subjects/art/answers/{name}", query={}),
        look(api, name, claims=TEACHER, query={"student": "ben"}),
    )
    assert [(reply.status, reply.body) for reply in others] == [(404, missing.body)] * len(others)


@pytest.mark.parametrize(
    "body, field",
    [
        ({"question": ""}, "question"),
        ({"question": " \u200b"}, "question"),
        ({"question": 5}, "question"),
        ({"time_zone": "Mars/Base"}, "time_zone"),
        ({"occurred_at": "yesterday"}, "occurred_at"),
        ({"occurred_at": "1800-01-01T00:00:00Z"}, "occurred_at"),
        ({"budget_tokens": 1}, "budget_tokens"),
        ({"session_id": ""}, "session_id"),
        ({"now": "2026-07-01T00:00:00Z"}, "now"),
    ],
)
def test_bad_input_is_refused_by_name(api: Api, tutor: FakeTutor, body: dict[str, Any], field: str) -> None:
    """What breaks a rule is refused by the name of its field; nothing is recorded and no model is asked (SV-7)."""
    reply = start(api, body=body)
    assert (reply.status, reply.body["field"]) == (422, field)
    assert api("http_list_episodes", query={}).body["episodes"] == []
    assert tutor.asked == []


def test_looking_beyond_and_before_is_refused(api: Api, tutor: FakeTutor) -> None:
    """``after`` is a place in an answer: below zero or beyond the longest one it is refused (SV-7)."""
    name = start(api).body["answer_id"]
    for after in ("-1", str(MAX_ANSWER_CHARS + 1), "x"):
        assert look(api, name, query={"after": after}).body["field"] == "after"


def test_a_turn_costs_few_requests(api: Api, tutor: FakeTutor) -> None:
    """Requests of a begun, a looked-at and a written answer are few, and no more after a long history (SV-12)."""

    def costs(key: str, session: str | None = "s1") -> tuple[int, int, int]:
        tutor.will_say("Water ", "moves.")
        app = bootstrap.application()
        body = {"occurred_at": f"2026-07-03T10:00:0{key}Z", "session_id": session}
        with app.metered().measure() as starting:
            name = start(api, key=key, body=body).body["answer_id"]
        with app.metered().measure() as writing:
            deliver()
        with app.metered().measure() as looking:
            look(api, name)
        return starting.total.requests, writing.total.requests, looking.total.requests

    costs("0")
    few = costs("1")
    at = "2026-07-01T09:00:00Z"
    said = [
        {"kind": "question", "occurred_at": at, "text": f"Why {n}?", "session_id": "s1"} for n in range(50)
    ]
    assert record(api, *said).status == 200
    many = costs("2")
    # As docs/tutor.md has them: two more for the turns before it than without a session, one for a session's first.
    assert few == many == (33, 33, 2), (few, many)
    assert (costs("3", "s2")[0], costs("4", None)[0]) == (32, 31)


def test_a_store_that_is_down_has_the_message_come_again(
    api: Api, tutor: FakeTutor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A message whose answer could not be stored is reported, and nothing of the answer is in the log lines (SV-14)."""
    from write_answer import app

    name = start(api).body["answer_id"]

    def down(*_: Any, **_more: Any) -> None:
        raise StoreUnavailable("dynamodb: down")

    monkeypatch.setattr(type(bootstrap.application()._answers), "claim_answer", down)
    event = load_event("sqs_answer")
    body = {"tenant": api.tenant, "student": "ana", "subject": "biology", "answer": name}
    good, bad = event["Records"][0] | {"body": json.dumps(body)}, event["Records"][0] | {"messageId": "2"}
    with pytest.raises(Exception, match="BatchProcessingError"):
        app.handler({"Records": [good, bad | {"body": "not json raisin"}]}, LambdaContext())
    assert not any("raisin" in repr(line.__dict__) for line in caplog.records)


def test_a_message_names_pair_and_answer(api: Api, tutor: FakeTutor) -> None:
    """What is queued is who and which answer, in any script, and nothing of what was asked (EP-8, SV-11)."""
    queue = bootstrap.application().start_answer.queue
    name = start(api, claims={"custom:student": "学生 é"}).body["answer_id"]
    assert isinstance(queue, SqsAnswerQueue)
    [found] = queue._client.receive_message(QueueUrl=queue._queue_url)["Messages"]
    pair, answer = answer_message(found["Body"])
    assert (pair.tenant, pair.student, pair.subject, answer) == (api.tenant, "学生 é", "biology", name)
    assert "raisin" not in found["Body"]
    for broken in ("", "[" * 5_000, "{}", '{"tenant": 1}', '{"tenant": "", "student": "a", "subject": "b"}'):
        with pytest.raises(Exception):  # noqa: B017, PT011 - whatever Python makes of it
            answer_message(broken)


@pytest.mark.parametrize(
    "chosen, kind, name",
    [
        ({"tutor": "none"}, "NoneType", None),
        ({"tutor": "bedrock:eu.a-model-1:0"}, "BedrockTutor", "eu.a-model-1:0"),
        ({"tutor": "openai:a/model:7b", "tutor_url": "https://example.org/v1"}, "OpenAiTutor", "a/model:7b"),
        (
            {"tutor": "openai:m", "tutor_url": "https://example.org/v1", "tutor_key_arn": "arn:aws:x"},
            "OpenAiTutor",
            "m",
        ),
    ],
    ids=["none", "bedrock", "openai", "openai with a key"],
)
def test_the_setting_chooses_the_tutor(api: Api, chosen: dict[str, str], kind: str, name: str | None) -> None:
    """Who answers is as configured, by the name that replies give; nobody is asked while it is chosen (SV-4)."""
    app = bootstrap.Application(replace(bootstrap.Settings.from_environment(), **chosen))
    assert type(app.write_answer.model).__name__ == kind
    assert app.start_answer.model == name
