"""Search, the files of a new session and recall, as the functions answer them, on moto."""

from __future__ import annotations

from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.domain.identifiers import StudentScope
from support.lambda_events import Answer, Api, record

_WHEN = "2026-07-0{}T09:00:00+00:00"


def asked(text: str, day: int, session: str) -> dict[str, Any]:
    """Make a question of one day."""
    return {"kind": "question", "text": text, "occurred_at": _WHEN.format(day), "session_id": session}


@pytest.fixture
def compiled(api: Api) -> Api:
    """A student with three sessions in a wiki."""
    told = record(
        api,
        asked("Why does a raisin swell in water?", 1, "s1"),
        asked("I prefer short answers.", 2, "s2"),
        asked("Why do glaciers carve valleys?", 3, "s3"),
    )
    assert told.status == 200
    report = bootstrap.application().compile_wiki(StudentScope(api.tenant, "ana"))
    assert report.revision is not None
    return api


def post(api: Api, name: str, **body: Any) -> Answer:
    return api(f"http_{name}", body=body)


def test_before_the_first_night_nothing_is_found(api: Api) -> None:
    """Without a wiki search and start files are not found, and a recall says that there is no record (WU-3, BL-6)."""
    assert post(api, "search_wiki", query="water").problem == "not-found"
    assert post(api, "start_wiki").problem == "not-found"
    answer = post(api, "recall_wiki", description="water")
    assert answer.status == 200
    assert (answer.body["matched"], answer.body["memory_ids"], answer.body["files"]) == (False, [], [])
    assert "no record" in answer.body["synthesis"]


def test_search_names_pages_and_lines(compiled: Api) -> None:
    """A search names the pages that hold the words, with the lines that do (WU-2)."""
    hits = post(compiled, "search_wiki", query="raisins in water").body["hits"]
    assert hits
    assert all("raisin" in passage["text"] for hit in hits[:1] for passage in hit["passages"])
    only = post(compiled, "search_wiki", query="raisins in water", levels=["sessions"]).body["hits"]
    assert only
    assert all(hit["path"].startswith("sessions/") for hit in only)


def test_a_session_starts_with_the_index_and_preferences(compiled: Api) -> None:
    """The first files are the index and what is preferred; asking again brings none (WU-3, WD-7)."""
    first = post(compiled, "start_wiki").body
    paths = [file["path"] for file in first["files"]]
    assert paths[0] == "knowledge/index.md"
    assert "knowledge/learnings/preferences.md" in paths[:4]
    have = {file["path"]: file["fingerprint"] for file in first["files"]}
    again = post(compiled, "start_wiki", have=have).body
    assert again["files"] == []
    assert sorted(again["unchanged"]) == sorted(paths)


def test_recall_brings_the_records_as_files(compiled: Api) -> None:
    """A recall cites what it says, and hands out the transcripts that hold it at their stable paths (WU-3, RC-9)."""
    answer = post(compiled, "recall_wiki", description="raisin in water").body
    assert answer["matched"]
    [found] = [one for one in answer["recalled"] if one["path"] and "s1" in one["path"]]
    assert "raisin" in answer["synthesis"]
    assert "[cite:1]" in answer["synthesis"]
    files = {file["path"]: file["text"] for file in answer["files"]}
    line = files[found["path"]].split("\n")[found["line"] - 1]
    assert found["address"] in line
    assert found["id"] in answer["memory_ids"]
    have = {file["path"]: file["fingerprint"] for file in answer["files"]}
    assert post(compiled, "recall_wiki", description="raisin in water", have=have).body["files"] == []


def test_nobody_finds_anothers_wiki(compiled: Api) -> None:
    """Another student, and the same name at another school, find nothing of it (SV-11)."""
    for claims in ({"custom:student": "ana2"}, {"custom:tenant": "elsewhere"}):
        assert compiled("http_search_wiki", claims=claims, body={"query": "raisin"}).problem == "not-found"
        recalled = compiled("http_recall_wiki", claims=claims, body={"description": "raisin"}).body
        assert recalled["memory_ids"] == []


@pytest.mark.parametrize(
    "name, body, field",
    [
        ("search_wiki", {"query": ""}, "query"),
        ("search_wiki", {"query": "x", "levels": ["attic"]}, "levels"),
        ("search_wiki", {"query": "x", "limit": 0}, "limit"),
        ("start_wiki", {"max_bytes": -1}, "max_bytes"),
        ("start_wiki", {"have": {"a.md": "nothing"}}, "have"),
        ("recall_wiki", {"description": "x" * 5_000}, "description"),
        ("recall_wiki", {"description": "x", "time_zone": "Mars/Olympus"}, "time_zone"),
        ("recall_wiki", {}, "description"),
    ],
)
def test_bad_input_names_its_field(api: Api, name: str, body: dict[str, Any], field: str) -> None:
    """What breaks a rule is refused with the name of the field (SV-7)."""
    answer = post(api, name, **body)
    assert 400 <= answer.status < 500
    assert field in str(answer.body)
