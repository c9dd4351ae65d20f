"""The reader Lambda with a language model: its deadline, going on after it, and what it took (CM-1, SV-15)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

import pytest

from anamnesis import bootstrap
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import ModelUnavailable
from anamnesis.domain.identifiers import Pair
from support.bedrock_converse import BedrockFake, bedrock_fake, pages_shown, tool_call
from support.bedrock_reading import item, reader
from support.lambda_events import Api, LambdaContext, load_event

CHAPTER = "\n\n".join(
    f"## Idea {a}\n\nThe idea {a} is explained here. " + "Words. " * 200 for a in "abcdefgh"
).encode()


class Context(LambdaContext):
    """Lambda's context with some time left."""

    def __init__(self, seconds: int) -> None:
        self._left = seconds * 1_000

    def get_remaining_time_in_millis(self) -> int:
        return self._left


@pytest.fixture
def fake(api: Api) -> Iterator[BedrockFake]:
    """The application with a reader on a model that knows one idea for each section."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        return tool_call(
            [item(f"Idea {'abcdefgh'[page - 1]}", pages=[page]) for page in pages_shown(request)]
        )

    application = bootstrap.application()
    kept = {name: application.__dict__.pop(name, None) for name in ("_concept_reader", "read_file")}
    with bedrock_fake(answer) as served:
        application.__dict__["_concept_reader"] = reader(
            served, part_bytes=4_000, overlap_bytes=0, on_use=application.model_meter.add
        )
        yield served
    del application.__dict__["_concept_reader"], application.__dict__["read_file"]
    application.__dict__.update({name: value for name, value in kept.items() if value is not None})


def metrics(out: str, name: str) -> list[float]:
    """Values of a metric in what the functions printed."""
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return [value for line in lines if name in line for value in line[name]]


def test_a_reading_cut_short_goes_on_and_tells_what_it_took(
    api: Api, fake: BedrockFake, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file whose time is too short stays unread and off the map, the next run reads it; both count tokens (CM-1)."""
    from read_file import app

    body = {"name": "ideas.md", "media_type": "text/markdown", "bytes": len(CHAPTER)}
    offered = api("http_offer_file", body=body, path="/v1/subjects/modelled/files").body
    scope = Pair(api.tenant, "ana", "modelled").scope
    key = f"uploads/{scope.key}/{offered['file_id']}"
    api.stores.s3.put_object(Bucket="functions-files", Key=key, Body=CHAPTER)
    event = load_event("s3_object_created")
    event["Records"][0]["s3"]["object"]["key"] = quote_plus(key, safe="/")
    with pytest.raises(ModelUnavailable, match="parts are read: the time for reading is over"):
        app.handler(event, Context(20))
    status = f"/v1/subjects/modelled/files/{offered['file_id']}"
    assert api("http_get_file", path=status).body["status"] == "reading"
    assert api("http_get_map", path="/v1/subjects/modelled/map").body["concepts"] == []
    assert not fake.requests
    capsys.readouterr()
    app.handler(event, Context(300))
    assert api("http_get_file", path=status).body["status"] == "read"
    out = capsys.readouterr().out
    asked = len(fake.requests)
    assert asked > 1
    assert metrics(out, "ModelRequests") == [asked]
    assert metrics(out, "ModelInputTokens") == [100 * asked]
    assert metrics(out, "ModelOutputTokens") == [50 * asked]
    (stored,) = api.stores.concept_store.contributions(scope)
    assert stored.extraction.use == ModelUse(asked, 100 * asked, 50 * asked)
    assert len(stored.extraction.concepts) == 8
    # Nothing of the parts is left beside it.
    assert not list(api.stores.content.keys(f"contributions/{scope.key}/{offered['file_id']}/part-"))
    assert "explained here" not in out


def test_a_failed_reading_counts_what_it_took(
    api: Api, fake: BedrockFake, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tokens of a reading that failed are counted with the run that paid for them (SV-15)."""
    from read_file.objects import read_one

    application = bootstrap.application()
    application.model_meter.add(ModelUse(2, 30, 4))

    def down(_: str, **_more: Any) -> None:
        raise ModelUnavailable("down")

    application.__dict__["read_file"] = down
    from observability import metrics as counted

    with pytest.raises(ModelUnavailable):
        read_one("any", bootstrap.Deadline.never())
    counted.flush_metrics()
    out = capsys.readouterr().out
    assert (metrics(out, "ModelRequests"), metrics(out, "ModelInputTokens")) == ([2], [30])
    assert application.model_meter.taken() == ModelUse()
