"""Erasure through the functions, on real adapters: what was said is looked for in everything that is stored."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date

import pytest

from anamnesis import bootstrap
from support.aws_stores import AwsStores
from support.erased_schools import DAY, WORDS, School, Schools, running_schools
from support.lambda_events import record
from support.wired_memory import HashEmbedder


@pytest.fixture
def schools(stack: tuple[AwsStores, HashEmbedder], monkeypatch: pytest.MonkeyPatch) -> Iterator[Schools]:
    with running_schools(stack, monkeypatch) as running:
        yield running


@pytest.mark.parametrize(
    "script, scope", [*((script, "subject") for script in WORDS), ("Latin", "student"), ("Latin", "episode")]
)
def test_nothing_is_found_in_any_store(
    schools: Schools, script: str, scope: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Erased text is in no row, object, version, message, index document or log line, hashed or packed (EP-8)."""
    ana = schools.make(script)
    caplog.set_level(logging.INFO)
    ana.live()
    before = ana.search()
    assert {place.split()[0] for place in before.found} >= {
        "functions-episodes", "functions-beliefs", "functions-concepts", "functions-content", "functions-files",
    }  # fmt: skip
    assert ana.words in ana.ask()
    if scope == "episode":
        assert ana.api("http_delete_file", path=f"{ana.path}/files/{ana.file}").status == 200
        ana.erase("episode")
        # The file itself is another matter: its record keeps a name until the subject is erased.
        about_file = ("FILE#", "CONTRIB#", " maps/")
        left = [place for place in ana.search().found if not any(part in place for part in about_file)]
        assert not left, "\n".join([*left, *(repr(e)[:300] for e in ana.listed())])
        ana.erase("subject")
        assert ana.search().found == []
        return
    ana.erase(scope)
    after = ana.search()
    assert after.found == []
    assert before.counts["rows"] > 30
    assert min(before.counts[kind] for kind in ("objects", "documents")) > 5
    assert ana.vectors() == set()
    assert ana.words not in ana.ask()
    ana.clock.advance(days=1)
    ana.night(date.fromisoformat(DAY))
    assert ana.search().found == []
    assert not any(ana.words in repr(line.__dict__) for line in caplog.records)


def everything_again(ana: School) -> None:
    """Whatever may still come in about an erased memory, in the worst order."""
    ana.upload()
    for _ in range(2):
        ana.arrived()
    ana.streamed("MODIFY", "INSERT", "INSERT")
    for day in ("2026-07-04", DAY):
        ana.night(date.fromisoformat(day))
    assert ana.api("http_rederive_beliefs", path=f"{ana.path}/beliefs/rederive").status == 200
    again = bootstrap.application().index_again
    again(ana.pair, ana.clock.now(), ana.clock.now())


@pytest.mark.parametrize("warm", [True, False])
@pytest.mark.parametrize("scope", ["episode", "subject", "student"])
def test_nothing_brings_it_back(schools: Schools, scope: str, warm: bool) -> None:
    """Imports, retries, nights, late events and uploads bring nothing back, warm or cold (EP-8, SV-14)."""
    ana = schools.make("Latin")
    if scope != "episode":
        ana.offer()
        ana.upload()
        ana.arrived()
    first = ana.record_day().body["episodes"]
    ana.streamed("INSERT")
    ana.night(date.fromisoformat(DAY))
    assert ana.words in ana.ask()
    ana.erase(scope)
    assert ana.search().found == []
    if not warm:
        schools.fresh()
    retry = ana.record_day()
    assert retry.status == 200
    assert [(e["id"], e["hash"]) for e in retry.body["episodes"]] == [(e["id"], e["hash"]) for e in first]
    assert ana.words not in repr(retry.body)
    for index, event in enumerate(ana.day):
        changed = event | {"session_id": "another", "summary": "told otherwise"}
        fresh = {"kind": "question", "occurred_at": f"{DAY}T10:00:00Z", "text": f"What is new, {index}?"}
        answer = record(ana.api, fresh, changed, key=f"again {index}", path=f"{ana.path}/episodes")
        assert (answer.status, answer.problem, answer.body["field"]) == (409, "erased", "episodes[1]"), answer
    length = ana.api.stores.episode_log.head(ana.pair).length
    if scope == "episode":
        ana.file_key = f"uploads/{ana.pair.scope.key}/01J0000000000000000000NONE"
    everything_again(ana)
    assert ana.search().found == []
    assert ana.vectors() <= {
        f"{kind} {n}" for kind in ("row", "document") for n in range(length + 1, length + 9)
    }
    for _ in range(2):
        assert ana.words not in ana.ask()
    ana.clock.advance(days=1)
    ana.night(date.fromisoformat(DAY))
    assert ana.search().found == []
    verdict = ana.api("http_verify_chain", path=f"{ana.path}/chain").body
    assert verdict["breaks"] == []
