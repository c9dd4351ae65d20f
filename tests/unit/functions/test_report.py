"""The report over HTTP: three forms of one thing, for those who may read it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from anamnesis import bootstrap
from support.http_bridge import writes_in
from support.lambda_events import Api, load_event, record

QUESTION = json.loads(load_event("http_record_episodes")["body"])["episodes"][0]
TEACHER = {"cognito:groups": "[teacher]", "custom:student": None}
CHECK = {"kind": "check", "occurred_at": "2026-07-03T09:00:00Z", "text": "Explain", "correct": False}


def sent(api: Api, **changes: Any) -> dict[str, Any]:
    """The raw answer, whose body need not be JSON."""
    return api.raw(api.event("http_get_report", **changes))


def test_a_report_is_json_unless_asked_otherwise(api: Api) -> None:
    """The report comes as JSON with every section, and an empty history gives one that says so (SV-6, BE-6)."""
    empty = api("http_get_report")
    assert (empty.status, empty.body["episodes"], empty.body["first_at"]) == (200, 0, None)
    record(api, QUESTION, {**CHECK, "topic": "zebras"})
    report = api("http_get_report").body
    assert (report["student"], report["subject"], report["episodes"]) == ("ana", "biology", 2)
    assert (report["checks"]["recorded"], report["checks"]["tied_to_nothing"]) == (1, 1)
    assert report["checks"]["examples"]["shown"][0]["summary"] == "Check on zebras: wrong"
    assert (report["chain"]["verified"], report["chain"]["when"]) == (True, "now")
    assert set(report) >= {
        *("beliefs", "misconceptions", "traced", "citations", "calibration", "activity", "material"),
        *("self_model", "composed_at", "time_zone"),
    }


@pytest.mark.parametrize(
    "accept, query, media",
    [
        (None, {}, "application/json"),
        ("*/*", {}, "application/json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", {}, "text/html"),
        ("text/markdown", {}, "text/markdown"),
        ("text/markdown;q=0.4, application/json;q=0.3", {}, "text/markdown"),
        ("text/html;q=0, */*", {}, "application/json"),
        ("text/*", {}, "text/markdown"),
        ("image/png", {}, "application/json"),
        ("text/html", {"format": "json"}, "application/json"),
        ("application/json", {"format": "html"}, "text/html"),
        ("application/json", {"format": "markdown"}, "text/markdown"),
    ],
)
def test_the_form_is_negotiated(api: Api, accept: str | None, query: dict[str, str], media: str) -> None:
    """`format` decides, else what Accept likes best, else JSON; caches are told what it depends on (SV-6)."""
    event = api.event("http_get_report", query=query)
    event["headers"].pop("accept")
    if accept is not None:
        event["headers"]["accept"] = accept
    answer = api.raw(event)
    assert answer["statusCode"] == 200
    assert answer["headers"]["Content-Type"].partition(";")[0] == media
    assert "Accept" in answer["headers"]["Vary"]
    assert answer["headers"]["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "accepted, query, language",
    [
        (None, {}, "en"),
        ("es-MX,es;q=0.9,en;q=0.5", {}, "es"),
        ("fr, de;q=0.9, hi;q=0.2", {}, "hi"),
        ("in-ID", {}, "id"),
        ("tlh", {}, "en"),
        ("es", {"lang": "ar"}, "ar"),
    ],
)
def test_the_language_is_negotiated(
    api: Api, accepted: str | None, query: dict[str, str], language: str
) -> None:
    """`lang` decides, else what Accept-Language likes best of ours, else English; the reply names it (SV-6)."""
    headers = {} if accepted is None else {"accept-language": accepted}
    answer = sent(api, query={"format": "html", **query}, headers=headers)
    assert answer["headers"]["Content-Language"] == language
    direction = "rtl" if language == "ar" else "ltr"
    assert f'<html lang="{language}" dir="{direction}">' in answer["body"]


@pytest.mark.parametrize(
    "query, field",
    [
        ({"format": "pdf"}, "format"),
        ({"lang": "tlh"}, "lang"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"student": "ben"}, "student"),
    ],
)
def test_what_cannot_be_reported_is_refused(api: Api, query: dict[str, str], field: str) -> None:
    """An unknown form, language or zone is refused by its name, and so is another student (SV-7, SV-11)."""
    answer = api("http_get_report", query=query)
    assert (answer.status, answer.body["field"]) == (403 if field == "student" else 422, field)


def test_a_page_may_do_nothing(api: Api) -> None:
    """The page's reply forbids scripts, frames, forms and every request, in header and page alike (SV-13)."""
    record(api, {**CHECK, "topic": "<script>alert(1)</script>"})
    answer = sent(api, query={"format": "html"})
    policy = answer["headers"]["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'none'" in policy
    assert policy.partition("; frame-ancestors")[0].replace("'", "'") in answer["body"].replace("&#x27;", "'")
    assert answer["headers"]["X-Content-Type-Options"] == "nosniff"
    assert "<script" not in answer["body"]
    assert "&lt;script&gt;" in answer["body"]


def test_teachers_read_and_students_read_their_own(api: Api) -> None:
    """A teacher reads the report of the student it names, a student its own and no other's (SV-11)."""
    record(api, {**CHECK, "topic": "zebras"})
    assert api("http_get_report", claims=TEACHER, query={"student": "ana"}).body["episodes"] == 1
    assert api("http_get_report", claims=TEACHER, query={"student": "ben"}).body["episodes"] == 0
    assert api("http_get_report", claims=TEACHER).status == 422
    assert api("http_get_report", claims={"custom:student": "ben"}).body["episodes"] == 0
    assert api("http_get_report", query={"student": "ana"}).status == 403


def test_requests_do_not_grow_with_the_history(api: Api) -> None:
    """Three times the history takes a report one page of the log more at most, and it changes no store (SV-12)."""
    meter = bootstrap.application().metered()
    batch = [QUESTION, {**CHECK, "topic": "osmosis"}, {**CHECK, "topic": "zebras"}] * 15

    def requests_now() -> int:
        api("http_get_report")
        with meter.measure() as measured:
            assert api("http_get_report").status == 200
        # The tenant's requests are counted in leases of ten, by an update that is no part of the report.
        writes = writes_in(measured)
        assert set(writes) <= {"dynamodb.UpdateItem"}
        return sum(t.requests for name, t in measured.by_operation.items() if name not in writes)

    record(api, *batch, key="a")
    few = requests_now()
    for key in ("b", "c"):
        record(api, *batch, key=key)
    assert requests_now() <= few + 1
    assert few <= 30


def test_the_description_knows_three_forms(api: Api) -> None:
    """The served description lists the three media types and every parameter of the route (SV-6)."""
    document = api("http_get_openapi").body
    operation = document["paths"]["/v1/subjects/{subject}/report"]["get"]
    content = operation["responses"]["200"]["content"]
    assert set(content) == {"application/json", "text/markdown", "text/html"}
    assert content["application/json"]["schema"]["$ref"].endswith("/ReportOut")
    assert {p["name"] for p in operation["parameters"]} == {
        *("subject", "student", "format", "lang", "time_zone"),
    }
