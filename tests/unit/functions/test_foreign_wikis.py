"""Every route of wikis, git and connectors against callers to whom a wiki is none of their business."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest
from moto.core.botocore_stubber import BotocoreStubber

from anamnesis import bootstrap
from anamnesis.domain.identifiers import StudentScope
from support.lambda_events import Api, load_event, record

SECRET = "Quokkasaurus"
CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTAMP:20260701T000000Z\r\n"
    f"DTSTART:20260714T080000Z\r\nSUMMARY:{SECRET} exam\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
#: Events about one student's wiki; ``{student}`` in a path stands where git names the student.
WIKI = (
    "http_read_wiki_index", "http_list_wiki_pages", "http_read_wiki_page", "http_read_wiki_log", "http_read_wiki_diff",
    "http_follow_wiki_evidence", "http_search_wiki", "http_start_wiki", "http_recall_wiki", "http_write_wiki_page",
    "http_git_references", "http_git_upload_pack",
)  # fmt: skip
CONNECTORS = (
    "http_list_connectors",
    "http_search_connector",
    "http_register_connector",
    "http_remove_connector",
)
STUDENT = {"cognito:groups": "[student]"}
TEACHER = {"cognito:groups": "[teacher]", "custom:student": None}
SERVICE = {"cognito:groups": "[service]", "custom:student": None}


@pytest.fixture
def victim(api: Api) -> StudentScope:
    """Ana's wiki, which tells a secret, and a calendar of her school's."""
    for number, text in enumerate((f"Remember that {SECRET} is our name for osmosis.", "What is osmosis?")):
        told = {
            "kind": "question",
            "text": text,
            "occurred_at": f"2026-07-0{number + 1}T09:00:00+00:00",
            "session_id": "s1",
        }
        assert record(api, told, key=f"k{number}").status == 200
    assert api("http_register_connector", body={"text": CALENDAR}, claims=TEACHER).status == 200
    scope = StudentScope(api.tenant, "ana")
    assert bootstrap.application().compile_wiki(scope).revision is not None
    return scope


def ask(api: Api, name: str, *, student: str | None, claims: dict[str, Any]) -> dict[str, Any]:
    """The raw answer to an event in another caller's name, who names a student or none."""
    event = load_event(name)
    query = {k: v for k, v in (event.get("queryStringParameters") or {}).items() if k != "student"}
    path = event["rawPath"]
    if student is not None and path.startswith("/v1/wiki/git/"):
        path = path.replace("/v1/wiki/git/", f"/v1/wiki/git/{quote(student, safe='')}/")
    elif student is not None:
        query["student"] = student
    if name == "http_follow_wiki_evidence":
        query["address"] = "session://biology/s1"
    asked = api.event(name, path=path, query=query, claims=claims)
    asked["requestContext"]["requestId"] = "the-same"
    return api.raw(asked)


def shown(answer: dict[str, Any]) -> str:
    """What a caller sees of an answer, without what differs from one request to the next."""
    body = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27,}", "id", str(answer.get("body")))
    return json.dumps([answer["statusCode"], sorted((answer.get("headers") or {}).items()), body])


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Requests to stores meanwhile."""
    made: list[str] = []
    process = BotocoreStubber.process_request

    def counting(self: Any, request: Any) -> Any:
        made.append(request.method)
        return process(self, request)

    with monkeypatch.context() as patched:
        patched.setattr(BotocoreStubber, "process_request", counting)
        yield made


@pytest.mark.parametrize("name", WIKI)
def test_a_classmate_gets_nothing_of_a_wiki(api: Api, victim: StudentScope, name: str) -> None:
    """A student who names another is refused, there or not, and unnamed sees their own (SV-11)."""
    mine = {**STUDENT, "custom:student": "mallory"}
    named = ask(api, name, student="ana", claims=mine)
    assert named["statusCode"] == 403
    assert shown(named).replace("ana", "zoe") == shown(ask(api, name, student="zoe", claims=mine)).replace(
        "ana", "zoe"
    )
    own = ask(api, name, student=None, claims=mine)
    other = ask(api, name, student=None, claims={**STUDENT, "custom:student": "nobody"})
    assert shown(own) == shown(other)
    assert SECRET not in shown(own) + shown(named)


@pytest.mark.parametrize("role", [TEACHER, SERVICE], ids=["teacher", "service"])
@pytest.mark.parametrize("name", WIKI)
def test_another_school_cannot_tell_that_there_is_a_wiki(
    api: Api, victim: StudentScope, monkeypatch: pytest.MonkeyPatch, name: str, role: dict[str, Any]
) -> None:
    """Of one's name another tenant's teacher learns nothing: no word, no existence, no count of requests (SV-11)."""
    claims = {**role, "custom:tenant": "elsewhere"}
    ask(api, name, student="warm", claims=claims)
    answers = []
    for student in ("ana", "nob"):
        with counted(monkeypatch) as made:
            answers.append((shown(ask(api, name, student=student, claims=claims)), len(made)))
    assert answers[0] == answers[1]
    assert SECRET not in answers[0][0]


@pytest.mark.parametrize("name", WIKI)
def test_teachers_and_services_name_whom_they_mean(api: Api, victim: StudentScope, name: str) -> None:
    """A teacher's or service's token that names nobody is refused by that field, and one that does reads (SV-11)."""
    for role in (TEACHER, SERVICE):
        unnamed = ask(api, name, student=None, claims=role)
        assert unnamed["statusCode"] in {403, 422}
        assert SECRET not in shown(unnamed)
        named = ask(api, name, student="ana", claims=role)
        assert named["statusCode"] not in {401, 403}, shown(named)


@pytest.mark.parametrize("name", CONNECTORS)
def test_connectors_are_their_schools(api: Api, victim: StudentScope, name: str) -> None:
    """Students have none of these routes, and another tenant's teacher finds and removes nothing (SV-11)."""
    for student in ("ana", "mallory"):
        refused = ask(api, name, student=None, claims={**STUDENT, "custom:student": student})
        assert refused["statusCode"] == 403
        assert SECRET not in shown(refused)
    elsewhere = ask(api, name, student=None, claims={**TEACHER, "custom:tenant": "elsewhere"})
    assert SECRET not in shown(elsewhere)
    [left] = api("http_list_connectors", claims=TEACHER).body["connectors"]
    assert left["name"] == "school"


def test_every_route_of_wikis_and_connectors_is_tried() -> None:
    """The tables above name every event of these routes that the folder has, but the service's compile (SV-11)."""
    from support.lambda_events import EVENTS

    found = {path.stem for path in EVENTS.glob("http_*.json") if re.search("wiki|git_|connector", path.stem)}
    assert found == {*WIKI, *CONNECTORS, "http_compile_wiki"}
