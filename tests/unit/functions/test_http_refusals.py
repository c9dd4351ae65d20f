"""The HTTP functions: every refusal is a problem document that names the field."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.domain import errors
from support.lambda_events import Api, load_event, record

RECORD = "http_record_episodes"
BODY = json.loads(load_event(RECORD)["body"])
QUESTION = BODY["episodes"][0]
SUBJECT = "/v1/subjects/biology"
SERVICE = {"cognito:groups": "[service]", "custom:student": None}
TEACHER = {"cognito:groups": "[teacher]", "custom:student": None}


# ---------------------------------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    "change, field",
    [
        ({"kind": "consolidation"}, "kind"),
        ({"kind": None}, "kind"),
        ({"occurred_at": "2026-07-03T09:00:00"}, "occurred_at"),
        ({"occurred_at": "yesterday"}, "occurred_at"),
        ({"occurred_at": "9999-12-31T23:59:59-12:00"}, "occurred_at"),
        ({"text": 7}, "text"),
        ({"text": "x" * 1_000_001}, "text"),
        ({"text": "\ud800"}, "text"),
        ({"text": ""}, "text"),
        ({"summary": "x" * 301}, "summary"),
        ({"session_id": ""}, "session_id"),
        ({"language": "english please"}, "language"),
        ({"topic": "x" * 2_001}, "topic"),
        ({"correct": True}, "correct"),
        ({"score": 2}, "score"),
        ({"score": float("nan")}, "score"),
        ({"evidence": [{"file_id": "nothing"}]}, "evidence[0].file_id"),
        ({"evidence": [{"file_id": "a", "page": 0}]}, "evidence[0].page"),
        ({"evidence": [{"page": 1}]}, "evidence[0].file_id"),
        ({"evidence": "a"}, "evidence"),
        ({"memory_ids": ["a"] * 201}, "memory_ids"),
        ({"memory_ids": ["x" * 129]}, "memory_ids[0]"),
        ({"memory_ids": [["a"]]}, "memory_ids[0]"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_bad_events_are_named(api: Api, change: dict[str, Any], field: str) -> None:
    """An event that breaks a rule is refused by the path of the field in the batch, and nothing is written (SV-7)."""
    answer = record(api, QUESTION, {**QUESTION, **change})
    assert (answer.status, answer.problem) == (422, "invalid-input")
    assert answer.body["field"] == f"episodes[1].{field}"
    assert api("http_verify_chain").body["length"] == 0


@pytest.mark.parametrize(
    "body, field",
    [
        ('{"episodes": [', "body"),
        ("", "body"),
        ("null", "body"),
        ("[]", "body"),
        ('"text"', "body"),
        ("7", "body"),
        ("[" * 100_000, "body"),
        ("9" * 5_000, "body"),
        ("{}", "episodes"),
        ('{"episodes": []}', "episodes"),
        ('{"episodes": {}}', "episodes"),
        ('{"episodes": [1]}', "episodes[0]"),
        (json.dumps({"episodes": [QUESTION] * 51}), "episodes"),
    ],
)
def test_bad_bodies_are_named(api: Api, body: str, field: str) -> None:
    """A body that is no JSON, no object or no batch is refused by name (SV-7)."""
    answer = api(RECORD, body=body)
    assert (answer.status, answer.problem, answer.body["field"]) == (422, "invalid-input", field)


@pytest.mark.parametrize(
    "name, body, field",
    [
        ("http_read_block", {"question": "x" * 1_000_001}, "question"),
        ("http_read_block", {"question": "\udfff"}, "question"),
        ("http_read_block", {"time_zone": "Mars/Olympus"}, "time_zone"),
        ("http_read_block", {"time_zone": "../../etc/passwd"}, "time_zone"),
        ("http_read_block", {"time_zone": ""}, "time_zone"),
        ("http_read_block", {"time_zone": "Europe"}, "time_zone"),
        ("http_read_block", {"time_zone": "UTC\x00"}, "time_zone"),
        ("http_read_block", {"budget_tokens": 10}, "budget_tokens"),
        ("http_read_block", {"budget_tokens": 10**30}, "budget_tokens"),
        ("http_read_block", {"budget_tokens": "many"}, "budget_tokens"),
        ("http_read_block_ablation", {"switch_off": ["everything"]}, "switch_off"),
        ("http_read_block_ablation", {"now": "2026-07-04T09:00:00"}, "now"),
        ("http_run_night", {"date": "3 July"}, "date"),
        ("http_run_night", {}, "date"),
        ("http_offer_file", {"name": "a/b", "media_type": "text/plain", "bytes": 1}, "name"),
        ("http_offer_file", {"name": "", "media_type": "text/plain", "bytes": 1}, "name"),
        ("http_offer_file", {"name": "a", "media_type": "text", "bytes": 1}, "media_type"),
        ("http_offer_file", {"name": "a", "media_type": "text/plain", "bytes": 0}, "bytes"),
        ("http_offer_file", {"name": "a", "media_type": "text/plain", "bytes": 60_000_000}, "bytes"),
    ],
)
def test_bad_requests_are_named(api: Api, name: str, body: dict[str, Any], field: str) -> None:
    """Requests of the other routes that break a rule are refused by the name of the field (SV-7, SV-12)."""
    answer = api(name, body=body)
    assert (answer.status, answer.problem, answer.body["field"]) == (422, "invalid-input", field)


@pytest.mark.parametrize(
    "time_zone", ["America/Argentina/Buenos_Aires", "Asia/Kathmandu", "Etc/GMT+12", "UTC"]
)
def test_time_zones_of_the_world(api: Api, time_zone: str) -> None:
    """Every IANA zone is known, on systems without a zone database too (RC-5)."""
    assert api("http_read_block", body={"question": "", "time_zone": time_zone}).status == 200


def test_a_missing_key_is_named(api: Api) -> None:
    """Recording without an idempotency key is refused by the header's name (EP-7)."""
    event = api.event(RECORD)
    del event["headers"]["idempotency-key"]
    answer = api.send(event)
    assert (answer.status, answer.body["field"]) == (422, "Idempotency-Key")
    long = record(api, QUESTION, key="k" * 257)
    assert (long.status, long.body["field"]) == (422, "Idempotency-Key")


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "application/xml",
        "image/png",
        "application/jsonp",
        "application/json-patch+json",
        "application/json; charset=utf-16",
        "application/json; version=1; charset=latin1",
        "application/json, text/html",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "nonsense",
    ],
)
def test_bodies_are_json(api: Api, media_type: str) -> None:
    """A body of another type is refused as such (SV-7)."""
    answer = api(RECORD, headers={"content-type": media_type})
    assert (answer.status, answer.problem, answer.body["field"]) == (415, "not-json", "Content-Type")


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json; charset=utf-8",
        "Application/JSON;charset=UTF-8",
        "application/json",
        "application/json; charset=us-ascii",
        "application/json;",
        "application/json;odata.metadata=minimal; charset=utf-8",
        'application/json; profile="https://example.org/a b"',
        "",
    ],
)
def test_json_bodies_are_taken(api: Api, media_type: str) -> None:
    """JSON is taken with any parameters that leave it UTF-8, and as Base64 when the gateway sends it so (SV-6)."""
    assert api(RECORD, headers={"content-type": media_type}).status == 200
    event = api.event(RECORD)
    event["body"] = base64.b64encode(event["body"].encode()).decode()
    event["isBase64Encoded"] = True
    assert api.send(event).status == 200


@pytest.mark.parametrize("form", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_forms_are_no_json(api: Api, form: str) -> None:
    """A form is refused with a 4xx problem (SV-7)."""
    answer = api(RECORD, headers={"content-type": form}, body="episodes=1")
    assert (answer.status, answer.problem) in {(415, "not-json"), (422, "invalid-input")}


@pytest.mark.parametrize(
    "raw, field",
    [
        (
            b'{"episodes": [{"kind": "question", "occurred_at": "2026-07-03T09:00:00Z", "text": "\xff"}]}',
            "episodes[0].text",
        ),
        (b"\xff\xfe", "body"),
    ],
)
def test_bytes_that_are_no_text(api: Api, raw: bytes, field: str) -> None:
    """A body that is no UTF-8 is refused by the field that holds the stray bytes (SV-7)."""
    event = api.event(RECORD)
    event["body"], event["isBase64Encoded"] = base64.b64encode(raw).decode(), True
    answer = api.send(event)
    assert (answer.status, answer.body["field"]) == (422, field)
    event["body"] = "no base64!"
    assert api.send(event).status == 422


def test_strange_but_legal_text_is_kept(api: Api) -> None:
    """NUL, bidi marks, emoji sequences and any script come back as they were sent (EP-2)."""
    texts = ["a\x00b", "x\u202ey", "👩‍🔬", "ما هي الخاصية الأسموزية؟", "परासरण क्या है?", "\ufeff1", "a\u2028b"]
    assert record(api, *[{**QUESTION, "text": text} for text in texts]).status == 200
    listed = api("http_list_episodes", query={}).body["episodes"]
    assert [e["text"] for e in listed] == texts
    assert api("http_record_episodes_in_many_scripts").status == 200


def test_a_flood_of_mistakes_gets_a_short_answer(api: Api) -> None:
    """The answer to a request with very many mistakes is short and lists the first ones (SV-12)."""
    wrong = {**QUESTION, "memory_ids": [""] * 200, "x" * 100_000: 1}
    answer = record(api, *[wrong] * 50)
    assert answer.status == 422
    assert len(json.dumps(answer.body)) < 10_000
    assert 1 < len(answer.body["errors"]) <= 20


@pytest.mark.parametrize(
    "method, path",
    [("GET", f"{SUBJECT}/grades"), ("DELETE", f"{SUBJECT}/chain/x"), ("POST", "/v1/grades"), ("GET", "/")],
)
def test_unknown_routes_are_problems_too(api: Api, method: str, path: str) -> None:
    """An unknown route is answered by a problem document (SV-7)."""
    answer = api("http_unknown_route", method=method, path=path)
    assert (answer.status, answer.problem) == (404, "no-such-route")


@pytest.mark.parametrize(
    "method, path, allowed",
    [
        ("DELETE", f"{SUBJECT}/chain", "GET"),
        ("POST", f"{SUBJECT}/map", "GET"),
        ("PUT", f"{SUBJECT}/episodes", "GET, POST"),
        ("PATCH", f"{SUBJECT}/files/1", "DELETE, GET"),
    ],
)
def test_unknown_methods_are_problems_too(api: Api, method: str, path: str, allowed: str) -> None:
    """A path's unknown method is answered by a problem document, and by those that it knows (SV-7)."""
    answer = api("http_unknown_route", method=method, path=path, query={"surprise": "1"})
    assert (answer.status, answer.problem, answer.headers["Allow"]) == (405, "method-not-allowed", allowed)


@pytest.mark.parametrize(
    "error, status, kind",
    [
        (errors.InvalidInput("d", field="f"), 422, "invalid-input"),
        (errors.TooLarge("d", field="f"), 413, "too-large"),
        (errors.NotFound("d", field="f"), 404, "not-found"),
        (errors.Forbidden("d", field="f"), 403, "forbidden"),
        (errors.IdempotencyConflict("d", field="f"), 409, "idempotency-conflict"),
        (errors.Busy("d"), 503, "busy"),
        (errors.HeadMoved("d"), 503, "busy"),
        (errors.RevisionMoved("d"), 503, "busy"),
        (errors.StoreUnavailable("d"), 503, "unavailable"),
        (errors.ModelUnavailable("d"), 503, "unavailable"),
        (KeyError("SECRET student text"), 500, "internal"),
    ],
)
def test_every_error_has_its_problem(
    api: Api,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    status: int,
    kind: str,
) -> None:
    """Each error is one stable type and status; what may be tried again says so, and no message leaks (SV-7, SV-11)."""

    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setitem(bootstrap.application().__dict__, "verify_chain", fail)
    answer = api("http_verify_chain")
    assert (answer.status, answer.problem) == (status, kind)
    assert answer.body.get("field") == getattr(error, "field", None)
    assert ("Retry-After" in answer.headers) is (status == 503)
    assert "SECRET" not in json.dumps(answer.body)
    assert "SECRET" not in capsys.readouterr().out


def test_logs_carry_no_student_text(api: Api, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing that a student writes, rightly or wrongly, gets into the logs (SV-11)."""
    secret = {**QUESTION, "text": "SECRETTEXT", "topic": "SECRETTOPIC", "summary": "SECRETSUMMARY"}
    record(api, secret)
    record(api, {**secret, "surprise": "SECRET"}, key="2")
    record(api, {**secret, "occurred_at": "SECRET"}, key="3")
    api("http_read_block", body={"question": "SECRETQUESTION"})
    api("http_read_block", body={"question": 7, "SECRET": "SECRET"})
    api(RECORD, body="{SECRET")
    out = capsys.readouterr()
    assert "SECRET" not in out.out + out.err
    assert "EpisodesRecorded" in out.out
    assert "BlockLatency" in out.out
