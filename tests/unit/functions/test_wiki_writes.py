"""Compiling a wiki and writing pages of it, as the functions do, on moto."""

from __future__ import annotations

import json
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import StudentScope
from support.lambda_events import Answer, Api, LambdaContext, load_event

PAGE = "/v1/wiki/pages/knowledge/learnings/what-helps.md"


def compiled(api: Api) -> Answer:
    """Three events of Ana's, and a compile."""
    assert api("http_record_episodes").status == 200
    return api("http_compile_wiki")


def text(api: Api) -> str:
    """A page of an agent's that cites Ana's first turn."""
    page: str = json.loads(load_event("http_write_wiki_page")["body"])["text"]
    found = api("http_list_wiki_pages", query={"prefix": "sessions/"}).body["pages"]
    sources = next(p["front"]["sources"] for p in found if p["path"].endswith("summary.md"))
    session = next(source for source in sources if source.startswith("session://"))
    return page.replace("session://biology/s1", session)


def write(api: Api, page: str, base: str | None, **more: Any) -> Answer:
    return api("http_write_wiki_page", body={"base": base, "text": page}, **more)


def messages(event: dict[str, Any], api: Api) -> dict[str, Any]:
    for record in event["Records"]:
        record["body"] = json.dumps({**json.loads(record["body"]), "tenant": api.tenant})
    return event


def test_a_compile_makes_a_revision_once(api: Api) -> None:
    """A compile answers with the revision that it made, and none when there is nothing new (WD-1, SV-6)."""
    first = compiled(api)
    assert first.status == 200
    assert first.body["findings"] == []
    assert len(first.body["revision"]["id"]) == 40
    assert "knowledge/index.md" in first.body["written"]
    again = api("http_compile_wiki")
    assert (again.body["revision"], again.body["written"]) == (None, [])
    assert again.body["pages"] == first.body["pages"]
    [listed] = api("http_read_wiki_log", query={}).body["revisions"]
    assert listed == first.body["revision"]


@pytest.mark.parametrize("role", ["student", "teacher"])
def test_only_a_service_compiles(api: Api, role: str) -> None:
    """A student's or teacher's token may not ask for a compile (SV-11)."""
    claims = {"cognito:groups": f"[{role}]", "custom:student": "ana"}
    query = {} if role == "student" else {"student": "ana"}
    assert api("http_compile_wiki", claims=claims, query=query).problem == "forbidden"


def test_an_agent_s_page_is_written_once_and_conflicts_are_named(api: Api) -> None:
    """A page is written from the revision read; a stale write is a 409 that names revisions and page (WK-6, SV-7)."""
    base = compiled(api).body["revision"]["id"]
    page = text(api)
    first = write(api, page, base)
    assert first.status == 200, first.body
    assert (first.body["changed"], first.body["rebased"]) == (True, False)
    assert first.body["revision"]["parents"] == [base]
    assert write(api, page, base).body["changed"] is False
    read = api(
        "http_read_wiki_page", path=PAGE, query={"student": "ana"}, claims={"cognito:groups": "[service]"}
    )
    assert read.body["text"] == page
    refused = write(api, page.replace("Asked", "They asked"), base)
    assert (refused.status, refused.problem) == (409, "page-conflict")
    assert refused.body["base"] == base
    assert refused.body["current"] == first.body["revision"]["id"]
    assert refused.body["paths"] == ["knowledge/learnings/what-helps.md"]


def test_what_the_gates_refuse_is_told_by_finding(api: Api) -> None:
    """A page that breaks a rule is a 422 that names page, line and rule, and nothing of the text (WD-2, SV-7)."""
    base = compiled(api).body["revision"]["id"]
    page = text(api).replace("Asked about osmosis.", "<b>Xylophonic</b> quokkas.")
    refused = write(api, page, base)
    assert (refused.status, refused.problem, refused.body["field"]) == (422, "gate-refused", "text")
    assert "html" in {finding["rule"] for finding in refused.body["findings"]}
    assert (
        refused.body["findings"][0]["line"]
        == page.split("\n").index("- <b>Xylophonic</b> quokkas. [cite:1]") + 1
    )
    assert "ylophonic" not in json.dumps(refused.body)


def test_a_student_writes_in_no_other_wiki(api: Api) -> None:
    """A student's token names nobody, and its writes reach the student's own wiki (SV-11)."""
    base = compiled(api).body["revision"]["id"]
    claims = {"cognito:groups": "[student]", "custom:student": "ben"}
    assert write(api, text(api), base, claims=claims).problem == "forbidden"
    assert write(api, text(api), base, claims=claims, query={}).problem == "page-conflict"
    assert api.stores.wiki_repository.head(StudentScope(api.tenant, "ben")) is None


def test_the_queue_compiles(api: Api) -> None:
    """A message compiles its student's wiki; delivered again, or of nobody, it changes nothing (WD-1, NI-2)."""
    from compile_wiki import app

    api("http_record_episodes")
    event = messages(load_event("sqs_wiki"), api)
    for _ in range(2):
        assert app.handler(event, LambdaContext()) == {"batchItemFailures": []}
    assert len(api("http_read_wiki_log", query={}).body["revisions"]) == 1
    assert api.stores.wiki_repository.head(StudentScope(api.tenant, "ben")) is None


@pytest.mark.parametrize("body", ["", "null", "[]", "{}", '{"tenant": 5}', '{"student": "a/b"}', '"wiki"'])
def test_no_message_can_stop_the_queue(api: Api, body: str, caplog: pytest.LogCaptureFixture) -> None:
    """A message of wrong types or names fails alone, named in the log without its text (SV-14)."""
    from compile_wiki import app

    api("http_record_episodes")
    event = messages(load_event("sqs_wiki"), api)
    event["Records"][1]["body"] = body
    answer = app.handler(event, LambdaContext())
    assert answer == {"batchItemFailures": [{"itemIdentifier": event["Records"][1]["messageId"]}]}
    assert len(api("http_read_wiki_log", query={}).body["revisions"]) == 1
    [line] = [record for record in caplog.records if record.getMessage() == "compile_failed"]
    assert line.__dict__["message_id"] == event["Records"][1]["messageId"]


def test_a_compile_that_fails_is_delivered_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student whose compile fails is reported alone, so that the queue tries that one again (SV-14)."""
    from compile_wiki import app

    compile_wiki = bootstrap.application().compile_wiki

    def failing(scope: StudentScope, deadline: Any) -> Any:
        if scope.student == "ben":
            raise StoreUnavailable("down")
        return compile_wiki(scope, deadline)

    monkeypatch.setitem(bootstrap.application().__dict__, "compile_wiki", failing)
    event = messages(load_event("sqs_wiki"), api)
    answer = app.handler(event, LambdaContext())
    assert answer == {"batchItemFailures": [{"itemIdentifier": event["Records"][1]["messageId"]}]}
