"""What is wrong is said in one shape, by name, over HTTP; and the description tells what there is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import requests

from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import School, event

SUBJECT = "biology"
OPEN = {"/v1/health", "/v1/openapi.json"}
NOT_FOR_STUDENTS = ("/v1/connectors", "/v1/wiki/compile")


@pytest.fixture(scope="module")
def school(stack: LocalStack) -> School:
    """A school for this module."""
    return School(stack)


@pytest.fixture(scope="module")
def token(stack: LocalStack, school: School) -> str:
    """A student's token."""
    return stack.token(school.tenant, "ana")


@pytest.fixture(scope="module")
def description(stack: LocalStack) -> dict[str, Any]:
    """The OpenAPI document, as anybody gets it."""
    reply = requests.get(f"{stack.api_url}/v1/openapi.json", timeout=35)
    reply.raise_for_status()
    document: dict[str, Any] = reply.json()
    return document


def sent(
    stack: LocalStack, token: str, method: str, path: str, body: Any = None, **headers: str
) -> requests.Response:
    """The raw reply to a request; a body that is no text or bytes is sent as JSON."""
    data = body if body is None or isinstance(body, (bytes, str)) else json.dumps(body)
    return requests.request(
        method,
        f"{stack.api_url}{path}",
        data=data.encode() if isinstance(data, str) else data,
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers,
        timeout=35,
    )


def problem(reply: requests.Response) -> dict[str, Any]:
    """The problem document of a reply; it must be one."""
    assert reply.headers["Content-Type"].startswith("application/problem+json")
    document: dict[str, Any] = reply.json()
    assert document["status"] == reply.status_code
    assert document["type"].startswith("urn:anamnesis:problem:")
    assert document["title"]
    assert document["detail"]
    return document


GOOD = event("question", "What is osmosis?")


@pytest.mark.parametrize(
    "body, field",
    [
        ({}, "episodes"),
        ({"episodes": []}, "episodes"),
        ({"episodes": [GOOD] * 51}, "episodes"),
        ({"episodes": [GOOD, GOOD | {"kind": "dream"}]}, "episodes[1].kind"),
        ({"episodes": [GOOD | {"kind": "consolidation"}]}, "episodes[0].kind"),
        ({"episodes": [GOOD | {"occurred_at": "2026-05-04T10:00:00"}]}, "episodes[0].occurred_at"),
        ({"episodes": [GOOD | {"occurred_at": "0001-01-01T00:00:00Z"}]}, "episodes[0].occurred_at"),
        ({"episodes": [GOOD | {"text": "x" * 1_000_001}]}, "episodes[0].text"),
        ({"episodes": [GOOD | {"text": " \n"}]}, "episodes[0].text"),
        ({"episodes": [GOOD | {"text": "\ud800"}]}, "episodes[0].text"),
        ({"episodes": [GOOD | {"text": 5}]}, "episodes[0].text"),
        ({"episodes": [GOOD | {"txt": "typo"}]}, "episodes[0].txt"),
        ({"episodes": [GOOD | {"correct": True}]}, "episodes[0].correct"),
        ({"episodes": [GOOD | {"kind": "quiz", "score": 1.5}]}, "episodes[0].score"),
        ({"episodes": [GOOD | {"kind": "quiz", "score": "NaN"}]}, "episodes[0].score"),
        ({"episodes": [GOOD | {"evidence": [{"file_id": "none"}]}]}, "episodes[0].evidence[0].file_id"),
        ({"episodes": [GOOD | {"language": "not a tag"}]}, "episodes[0].language"),
        ({"episodes": [GOOD | {"memory_ids": ["a\nb"]}]}, "episodes[0].memory_ids[0]"),
        ("not json", "body"),
        ('{"episodes": ', "body"),
        ("[" * 100_000, "body"),
    ],
)
def test_bad_episodes_are_refused_by_name(
    stack: LocalStack, token: str, school: School, body: Any, field: str
) -> None:
    """A batch that breaks a rule is a 422 that names the field, and nothing of it is written (SV-7)."""
    path = f"/v1/subjects/{SUBJECT}/episodes"
    reply = sent(stack, token, "POST", path, body, **{"Idempotency-Key": "bad"})
    assert reply.status_code == 422
    assert problem(reply)["field"] == field
    assert school.student("ana").call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 0


@pytest.mark.parametrize(
    "method, rest, body, field",
    [
        ("POST", "episodes", {"episodes": [GOOD]}, "Idempotency-Key"),
        ("POST", "block", {"question": "?", "budget_tokens": 499}, "budget_tokens"),
        ("POST", "block", {"question": "?", "budget_tokens": 10**9}, "budget_tokens"),
        ("POST", "block", {"question": "?", "time_zone": "Mars/Olympus"}, "time_zone"),
        ("POST", "block", {"question": "?", "time_zone": "../../etc/passwd"}, "time_zone"),
        ("POST", "block", {"question": "x" * 1_000_001}, "question"),
        ("POST", "files", {"name": "a/b.md", "media_type": "text/markdown", "bytes": 1}, "name"),
        ("POST", "files", {"name": "a.md", "media_type": "text", "bytes": 1}, "media_type"),
        ("POST", "files", {"name": "a.md", "media_type": "text/markdown", "bytes": 0}, "bytes"),
        ("POST", "files", {"name": "a.md", "media_type": "text/markdown", "bytes": 10**12}, "bytes"),
        ("POST", "night", {"date": "yesterday"}, "date"),
        ("GET", "episodes?from=yesterday", None, "from"),
        ("GET", "episodes?kind=dream", None, "kind"),
        ("GET", "episodes?limit=0", None, "limit"),
        ("GET", "episodes?cursor=garbage", None, "cursor"),
        ("GET", "beliefs?history=perhaps", None, "history"),
    ],
)
def test_bad_input_is_refused_by_name(
    stack: LocalStack, token: str, method: str, rest: str, body: Any, field: str
) -> None:
    """Whatever route is asked, bad input is a 422 problem that names the field (SV-7)."""
    reply = sent(stack, token, method, f"/v1/subjects/{SUBJECT}/{rest}", body)
    assert reply.status_code == 422, reply.text
    assert problem(reply)["field"] == field


@pytest.mark.parametrize("name", ["%00", "a%E2%80%AEb", "%20", "x" * 129, "a%2Fb"])
def test_no_subject_can_have_such_a_name(stack: LocalStack, token: str, name: str) -> None:
    """A subject whose name is empty, too long, no text or not to be seen is refused, never opened (SV-7)."""
    for method, rest, body in (("GET", "chain", None), ("POST", "block", {"question": "Hello"})):
        reply = sent(stack, token, method, f"/v1/subjects/{name}/{rest}", body)
        assert reply.status_code in {404, 422}, reply.text
        if reply.status_code == 422:
            assert problem(reply)["field"] == "subject"


def test_a_cursor_of_another_list_is_refused(stack: LocalStack, school: School) -> None:
    """A cursor that another student was given shows nothing of that student (SV-11)."""
    first, second = school.student("cursor 1"), school.student("cursor 2")
    path = f"/v1/subjects/{SUBJECT}/episodes"
    first.record(SUBJECT, "1", [event("question", f"The first student's question {n}") for n in range(4)])
    cursor = first.call("GET", path, params={"limit": 2})["cursor"]
    reply = sent(
        stack,
        stack.token(school.tenant, "cursor 2"),
        "GET",
        f"{path}?limit=2&cursor={requests.utils.quote(cursor)}",
    )
    assert "first student" not in reply.text
    assert second.call("GET", path)["episodes"] == []


def test_an_unknown_route_is_a_problem_too(stack: LocalStack, token: str) -> None:
    """A route that does not exist and a thing that does not exist are 404s (SV-7)."""
    assert sent(stack, token, "GET", "/v1/grades").status_code == 404
    assert sent(stack, token, "GET", "/v2/health").status_code == 404
    for missing in ("files/none", "beliefs/none/history", "self-model"):
        reply = sent(stack, token, "GET", f"/v1/subjects/{SUBJECT}/{missing}")
        assert reply.status_code == 404
        assert problem(reply)["type"] == "urn:anamnesis:problem:not-found"


def test_what_is_no_json_is_refused(stack: LocalStack, token: str) -> None:
    """A body of another type is refused as such (SV-7)."""
    reply = sent(
        stack, token, "POST", f"/v1/subjects/{SUBJECT}/block", "question=hi", **{"Content-Type": "text/plain"}
    )
    assert reply.status_code in {415, 422}
    assert problem(reply)["field"] in {"Content-Type", "body"}


@pytest.mark.parametrize("rest", ["block", "episodes"])
def test_six_megabytes_are_refused(stack: LocalStack, token: str, school: School, rest: str) -> None:
    """A body beyond what one request may hold is a clear 4xx and writes nothing (SV-12)."""
    text = "x" * 6_500_000
    body = {"question": text} if rest == "block" else {"episodes": [GOOD | {"text": text}]}
    reply = sent(stack, token, "POST", f"/v1/subjects/{SUBJECT}/{rest}", body, **{"Idempotency-Key": "big"})
    assert 400 <= reply.status_code < 500, reply.text[:300]
    assert len(reply.content) < 10_000
    assert school.student("ana").call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 0


def test_the_description_needs_no_token_and_is_whole(description: dict[str, Any]) -> None:
    """The OpenAPI document is served to anybody and names every route of the contract that runs (SV-6)."""
    assert description["openapi"].startswith("3.")
    routes = {
        re.sub(r"[{<]\w+[}>]", "{}", path): {method.upper() for method in operations}
        for path, operations in description["paths"].items()
    }
    for path, methods in {
        "block": {"POST"},
        "episodes": {"GET", "POST"},
        "files": {"GET", "POST"},
        "files/{}": {"GET", "DELETE"},
        "map": {"GET"},
        "teaching-order": {"GET"},
        "beliefs": {"GET"},
        "beliefs/{}/history": {"GET"},
        "self-model": {"GET"},
        "calibration": {"GET"},
        "chain": {"GET"},
        "night": {"POST"},
    }.items():
        assert routes[f"/v1/subjects/{{}}/{path}"] >= methods, path
    for path, operations in description["paths"].items():
        for operation in operations.values():
            assert operation["security"] == ([] if path in OPEN else [{"token": []}])


def test_every_described_route_is_there(stack: LocalStack, token: str, description: dict[str, Any]) -> None:
    """Each path of the description answers its methods as a route that exists, and only with a token (SV-6)."""
    seen = 0
    for path, operations in description["paths"].items():
        concrete = re.sub(r"[{<]\w+[}>]", "nothing-yet", path)
        for method in operations:
            reply = sent(stack, token, method.upper(), concrete, {} if method == "post" else None)
            assert reply.status_code not in {405, 500, 501, 502}, (method, path, reply.text)
            assert reply.status_code != 403 or path.startswith(NOT_FOR_STUDENTS), (method, path, reply.text)
            if reply.status_code == 404:
                assert problem(reply)["type"] == "urn:anamnesis:problem:not-found", (method, path)
            refused = requests.request(method, f"{stack.api_url}{concrete}", timeout=35)
            assert (refused.status_code == 401) is (path not in OPEN), (method, path)
            seen += 1
    assert seen >= 15


def test_replies_are_as_described(stack: LocalStack, token: str, description: dict[str, Any]) -> None:
    """What a route answers has the fields that the description requires of it (SV-6)."""
    schemas = description["components"]["schemas"]
    for rest in ("episodes", "files", "map", "teaching-order", "beliefs", "chain"):
        operation = description["paths"][
            next(
                p
                for p in description["paths"]
                if re.sub(r"[{<]\w+[}>]", "{}", p) == f"/v1/subjects/{{}}/{rest}"
            )
        ]["get"]
        reference = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        schema = schemas[reference.rpartition("/")[2]]
        reply = sent(stack, token, "GET", f"/v1/subjects/{SUBJECT}/{rest}").json()
        assert set(schema["required"]) <= set(reply) <= set(schema["properties"]), rest
