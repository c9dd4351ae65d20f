"""The wiki's worker Lambda with a language model: what it took, an outage, and erasing that waits for none (WD-3)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.bootstrap import Settings
from support.bedrock_converse import BedrockFake, bedrock_fake
from support.bedrock_wiki import page_of, sentence, wiki_writer, writes
from support.lambda_events import Api, LambdaContext, load_event


def quoting(request: dict[str, Any]) -> dict[str, Any]:
    """A model that writes a sentence of the first address that it is shown."""
    shown = request["messages"][0]["content"][0]["text"]
    where = shown.partition("[evidence ")[2].partition(" ")[0]
    return writes(page_of(request), sentence("The student said “Remember that”.", where))


TAUGHT = {
    "episodes": [
        {
            "kind": "taught",
            "occurred_at": "2026-07-03T11:00:00+02:00",
            "text": "Remember that Lunar tides are pulled by the moon.",
            "session_id": "s1",
        }
    ]
}


@pytest.fixture
def fake(api: Api) -> Iterator[BedrockFake]:
    """The application with a wiki writer on a model."""
    application = bootstrap.application()
    with bedrock_fake(quoting) as served:
        application.__dict__["compile_wiki"] = replace(
            application.compile_wiki, writer=wiki_writer(served, on_use=application.model_meter.add)
        )
        yield served
    del application.__dict__["compile_wiki"]


def run(api: Api) -> Any:
    """Compile the wiki of the student, as the queue has it done."""
    from compile_wiki import app

    event = load_event("sqs_wiki")
    (record,) = event["Records"][:1]
    record["body"] = json.dumps({**json.loads(record["body"]), "tenant": api.tenant})
    return app.handler({"Records": [record]}, LambdaContext())


def metrics(out: str, name: str) -> list[float]:
    """Values of a metric in what the function printed."""
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return [value for line in lines if name in line for value in line[name]]


def test_a_compile_tells_what_it_took_of_a_model(
    api: Api, fake: BedrockFake, capsys: pytest.CaptureFixture[str]
) -> None:
    """A compile's requests and tokens are among the metrics, a second one takes none, and no log holds text (WD-3)."""
    api("http_record_episodes", body=TAUGHT)
    capsys.readouterr()
    assert run(api) == {"batchItemFailures": []}
    out = capsys.readouterr().out
    asked = len(fake.requests)
    assert asked > 0
    assert metrics(out, "ModelRequests") == [asked]
    assert metrics(out, "ModelInputTokens") == [100 * asked]
    assert "Remember" not in out
    run(api)
    assert len(fake.requests) == asked
    page = api("http_read_wiki_page", path=f"/v1/wiki/pages/{page_of(fake.requests[0])}", query={}).body
    assert "## Current synthesis" in page["text"]
    assert metrics(capsys.readouterr().out, "ModelRequests") == []


def test_a_model_that_is_down_keeps_no_wiki_from_being_compiled(api: Api, fake: BedrockFake) -> None:
    """With the model down the queue's message is done with, and the wiki stands without sentences of it (WD-3)."""
    api("http_record_episodes", body=TAUGHT)
    fake.answers = [(503, "ServiceUnavailableException", "down")]
    assert run(api) == {"batchItemFailures": []}
    pages = api("http_list_wiki_pages", query={}).body["pages"]
    assert any(page["path"].startswith("knowledge/concepts/") for page in pages)


@pytest.mark.parametrize("chosen", ["deterministic", "bedrock:some.model-v1:0"])
def test_the_setting_chooses_the_writer(api: Api, chosen: str) -> None:
    """The wiki's writer is the one that the setting names, erasing keeps its pages and asks no model (WD-3, EP-8)."""
    settings = replace(Settings.from_environment(), wiki_writer=chosen)
    application = bootstrap.Application(settings)
    names = {
        compile_.writer.name for compile_ in (application.compile_wiki, application._compile_without_asking)
    }
    _, _, model = chosen.partition(":")
    assert names == {f"bedrock-wiki-1:{model}" if model else "deterministic/1"}
    assert application.compile_wiki.fallback is not None
