"""A night ends in a compiled wiki, which agents write to and erasing reaches: queue, function, routes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, check, event, eventually, given

SUBJECT = "biology"
CONCEPT = "/v1/wiki/pages/knowledge/concepts/biology/osmosis.md"
SECRET = "What would a xylophonic quokka know of osmosis?"


def revisions(client: ApiClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.call("GET", "/v1/wiki/log")["revisions"]
    return found


def everything(client: ApiClient) -> str:
    """Every page of every revision, and what was said of each."""
    told = []
    for revision in revisions(client):
        listed = client.call("GET", "/v1/wiki/pages", params={"rev": revision["id"], "limit": "500"})["pages"]
        told += [
            client.call("GET", f"/v1/wiki/pages/{page['path']}", params={"rev": revision["id"]})["text"]
            for page in listed
        ]
        told.append(revision["message"])
    return json.dumps(told, ensure_ascii=False)


def test_a_night_ends_in_a_wiki_that_agents_write_and_erasing_reaches(stack: LocalStack) -> None:
    """Behind a night its student's wiki is compiled; notes stay, a stale write conflicts, the erased goes (WD-1)."""
    school = School(stack)
    client, service = school.student(), school.service()
    given(client, SUBJECT, "cells.md", CELLS)
    client.record(
        SUBJECT,
        "turns",
        [
            event("question", "What is osmosis?", "2026-07-03T09:00:00Z", session_id="s1"),
            event("question", SECRET, "2026-07-03T09:01:00Z", session_id="s1"),
            check("Osmosis", correct=False, at="2026-07-03T09:02:00Z", session_id="s1"),
        ],
    )
    service.call("POST", f"/v1/subjects/{SUBJECT}/night", {"date": "2026-07-03"})
    [first] = eventually(lambda: revisions(client), bool)
    assert first["message"].startswith("First compile: ")
    page = client.call("GET", CONCEPT)["text"]
    assert "struggles with osmosis" in page.casefold()
    assert service.call("POST", "/v1/wiki/compile")["revision"] is None

    noted = page.replace(
        "## References", "## Notes\n\n- The check on osmosis was missed [cite:1]\n\n## References"
    )
    wrote = client.call("PUT", CONCEPT, {"base": first["id"], "text": noted})
    assert (wrote["changed"], wrote["rebased"]) == (True, False)
    with pytest.raises(ApiProblem) as stale:
        client.call("PUT", CONCEPT, {"base": first["id"], "text": noted.replace("missed", "failed")})
    assert stale.value.status == 409

    assert "xylophonic" in everything(client)
    listed = client.call("GET", f"/v1/subjects/{SUBJECT}/episodes")["episodes"]
    gone = next(e["id"] for e in listed if e["text"] == SECRET)
    assert client.call("DELETE", f"/v1/subjects/{SUBJECT}/episodes/{gone}")["complete"] is True
    left = everything(client)
    assert "xylophonic" not in left
    assert "The check on osmosis was missed" in client.call("GET", CONCEPT)["text"]
    assert "What is osmosis?" in left
