"""Connectors as the functions answer them, on moto, and what a wiki makes of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.connectors import MAX_CONNECTORS
from support.lambda_events import Answer, Api, record

EVENT = "BEGIN:VEVENT\r\nUID:exam-1@s\r\nDTSTART:{}T080000Z\r\nSUMMARY:{}\r\nEND:VEVENT\r\n"
PAGE = "knowledge/projects/calendar-school.md"


def calendar(day: str = "20260714", title: str = "Biology exam") -> str:
    """Make a calendar of one event."""
    return (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\n"
        + EVENT.format(day, title)
        + "END:VCALENDAR\r\n"
    )


def register(api: Api, name: str = "school", **body: Any) -> Answer:
    return api("http_register_connector", path=f"/v1/connectors/{name}", body={"text": calendar()} | body)


def compiled(api: Api) -> dict[str, str]:
    """Compile Ana's wiki and return its files."""
    scope = StudentScope(api.tenant, "ana")
    report = bootstrap.application().compile_wiki(scope)
    assert report.findings == ()
    wikis = bootstrap.application()._wikis
    head = wikis.head(scope)
    assert head is not None
    return dict(wikis.tree(scope, head.id))


def test_a_registered_calendar_stands_in_wikis_with_citations(api: Api) -> None:
    """A teacher's calendar is on a page of every student's wiki, each event cited by its address (WD-6)."""
    told = record(
        api,
        {"kind": "question", "text": "When is my exam?", "occurred_at": "2026-07-01T09:00:00+00:00"},
    )
    assert told.status == 200
    assert register(api).body["records"] == 1
    page = compiled(api)[PAGE]
    assert "2026-07-14: “Biology exam” [cite:1]" in page
    assert "connector://school/exam-1@s/20260714T080000Z".replace("@", "%40") in page
    before = compiled(api)
    assert compiled(api) == before
    register(api, text=calendar("20260720"))
    assert "2026-07-20" in compiled(api)[PAGE]
    assert api("http_remove_connector").status == 204
    assert PAGE not in compiled(api)


def follow(api: Api, address: str, **claims: Any) -> Answer:
    return api("http_read_wiki_log", path="/v1/wiki/evidence", query={"address": address}, claims=claims)


def test_a_citation_of_an_event_leads_to_it(api: Api) -> None:
    """The address under which a page cites an event is followed to what the calendar said of it (WK-3, WD-6)."""
    record(api, {"kind": "question", "text": "When?", "occurred_at": "2026-07-01T09:00:00+00:00"})
    register(api, subject="biology")
    [address] = re.findall(r"`(connector://[^`]+)`", compiled(api)[PAGE])
    found = follow(api, address)
    assert found.status == 200
    assert found.body["record"]["title"] == "Biology exam"
    assert len(found.body["record"]["fingerprint"]) == 64
    gone = follow(api, address.replace("20260714", "20260715"))
    assert (gone.status, gone.body["field"]) == (404, "address")
    register(api, subject="art")
    assert follow(api, address).status == 404
    assert follow(api, address, **{"custom:tenant": "elsewhere"}).status == 404


def test_another_subjects_calendar_is_not_shown(api: Api) -> None:
    """A calendar for one subject is no evidence for students of others (WD-6)."""
    record(api, {"kind": "question", "text": "Why?", "occurred_at": "2026-07-01T09:00:00+00:00"})
    register(api, subject="art")
    assert PAGE not in compiled(api)
    register(api, subject="biology")
    assert PAGE in compiled(api)


def test_connectors_are_listed_searched_and_forgotten(api: Api) -> None:
    """What was registered is listed, its records found by their words, and gone when it is forgotten (WD-6)."""
    assert api("http_list_connectors").body == {"connectors": []}
    register(api)
    [listed] = api("http_list_connectors").body["connectors"]
    assert (listed["name"], listed["kind"], listed["url"]) == ("school", "icalendar", None)
    [found] = api("http_search_connector").body["records"]
    assert found["title"] == "Biology exam"
    assert api("http_search_connector", query={"query": "chemistry"}).body["records"] == []
    assert api("http_remove_connector").status == 204
    assert api("http_search_connector").problem == "not-found"


def test_students_have_nothing_to_do_with_connectors(api: Api) -> None:
    """A student's token can neither see nor change what everybody's wiki is made of (SV-11)."""
    claims = {"cognito:groups": "[student]", "custom:student": "ana"}
    for name in ("list", "register", "search", "remove"):
        event = f"http_{name}_connector{'s' if name == 'list' else ''}"
        assert api(event, claims=claims).status == 403


def test_another_tenant_sees_none_of_it(api: Api) -> None:
    """Connectors belong to their tenant alone (SV-11)."""
    register(api)
    assert api("http_list_connectors", claims={"custom:tenant": "elsewhere"}).body == {"connectors": []}


@pytest.mark.parametrize(
    "name, body, field",
    [
        ("School", {}, "name"),
        ("-", {}, "name"),
        ("school", {"text": "no calendar"}, "text"),
        ("school", {"text": None}, "url"),
        ("school", {"url": "https://example.org/a.ics"}, "url"),
        ("school", {"text": None, "url": "http://example.org/a.ics"}, "url"),
        ("school", {"text": None, "url": "https://127.0.0.1/a.ics"}, "url"),
        ("school", {"text": None, "url": "https://169.254.169.254/latest/meta-data"}, "url"),
        ("school", {"kind": "telepathy"}, "kind"),
        ("school", {"subject": "a/b"}, "subject"),
    ],
)
def test_bad_input_names_its_field(api: Api, name: str, body: dict[str, Any], field: str) -> None:
    """What cannot be read, fetched or named is refused now with its field, and nothing is kept (SV-7, SV-13)."""
    answer = register(api, name, **body)
    assert 400 <= answer.status < 500
    assert field in str(answer.body)
    assert api("http_list_connectors").body == {"connectors": []}


def test_a_tenant_has_so_many_connectors_at_most(api: Api) -> None:
    """One more connector than a tenant may have is refused, one in place of another is not (SV-12)."""
    for number in range(MAX_CONNECTORS):
        assert register(api, f"c{number}").status == 200
    assert register(api, "one-more").status == 413
    assert register(api, "c1").status == 200
