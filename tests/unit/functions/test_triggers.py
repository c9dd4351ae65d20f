"""The functions behind triggers: uploads, the schedule and the night's queue."""

from __future__ import annotations

import copy
import importlib
import json
import traceback
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote_plus

import pytest

from anamnesis import bootstrap
from anamnesis.domain.errors import InvalidInput, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from support.lambda_events import Api, LambdaContext, load_event
from support.memory_platform import SteppingClock

CHAPTER = b"""# Cells

## Osmosis

**Osmosis** is the movement of water through a membrane from a dilute to a concentrated solution.

## Diffusion

**Diffusion** is the spreading of particles from where they are many to where they are few.
"""


def offered(api: Api, data: bytes, subject: str = "biology", **more: Any) -> tuple[str, str]:
    """Offer a file over HTTP and put its bytes where the ticket says; return id and object key."""
    body = {"name": "cells.md", "media_type": "text/markdown", "bytes": len(data), **more}
    answer = api("http_offer_file", body=body, path=f"/v1/subjects/{subject}/files")
    assert answer.status == 200, answer
    upload = answer.body["upload"]
    assert upload["method"] == "PUT"
    assert {name.lower() for name in upload["headers"]} >= {"content-type"}
    scope = Pair(api.tenant, "ana", subject).scope
    key = f"uploads/{scope.key}/{answer.body['file_id']}"
    api.stores.s3.put_object(Bucket="functions-files", Key=key, Body=data)
    return answer.body["file_id"], key


def arrived(*keys: str) -> dict[str, Any]:
    """The S3 event of these objects, keys encoded as S3 encodes them."""
    event = load_event("s3_object_created")
    (record,) = event["Records"]
    event["Records"] = [copy.deepcopy(record) for _ in keys]
    for sent, key in zip(event["Records"], keys, strict=True):
        sent["s3"]["object"]["key"] = quote_plus(key, safe="/")
    return event


def read(event: dict[str, Any]) -> None:
    from read_file import app

    app.handler(event, LambdaContext())


# ---------------------------------------------------------------------------------------- files
@pytest.mark.parametrize("subject", ["biology", "生物学 & co", "100% cells+"])
def test_an_upload_ends_in_the_map(api: Api, subject: str) -> None:
    """Offer, upload and S3's event, its key encoded, end in a read file and its concepts on the map (CM-1, SV-1)."""
    file_id, key = offered(api, CHAPTER, subject)
    path = f"/v1/subjects/{subject.replace('%', '%25')}"
    assert api("http_get_file", path=f"{path}/files/{file_id}").body["status"] == "waiting"
    for _ in range(2):
        read(arrived(key))
    file = api("http_get_file", path=f"{path}/files/{file_id}").body
    assert (file["status"], file["reason"]) == ("read", None)
    assert file["pages"] >= 1
    assert "osmosis" in file["concepts"]
    concepts = {c["key"]: c for c in api("http_get_map", path=f"{path}/map").body["concepts"]}
    assert concepts["osmosis"]["sources"] == [
        {"file_id": file_id, "pages": [2]}
    ]  # a section counts as a page
    assert concepts["osmosis"]["readiness"] == 0.6
    order = api("http_get_teaching_order", path=f"{path}/teaching-order").body["layers"]
    assert {key for layer in order for key in layer} == set(concepts)
    logged = api("http_list_episodes", path=f"{path}/episodes", query={}).body["episodes"]
    assert [e["kind"] for e in logged] == ["file"]
    gone = api("http_delete_file", path=f"{path}/files/{file_id}")
    assert gone.body["deleted_at"]
    assert api("http_get_map", path=f"{path}/map").body["concepts"] == []


def test_a_poisoned_file_is_refused_not_retried(api: Api) -> None:
    """A file that cannot be read ends as refused with a reason for its owner, and its event is done with (SV-14)."""
    file_id, key = offered(api, b"%PDF-1.7\n" + bytes(500), media_type="application/pdf", name="x.pdf")
    read(arrived(key))
    file = api("http_get_file", path=f"/v1/subjects/biology/files/{file_id}").body
    assert (file["status"], bool(file["reason"]), bool(file["detail"])) == ("refused", True, True)


def test_an_event_that_fails_is_kept(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error while reading is raised, so that Lambda retries the event and then keeps it as a dead letter (SV-14)."""
    with pytest.raises(InvalidInput):
        read(load_event("s3_object_created") | {"Records": arrived("elsewhere/x")["Records"]})

    def down(_: str, **_more: Any) -> None:
        raise StoreUnavailable("down")

    _, key = offered(api, CHAPTER)
    monkeypatch.setitem(bootstrap.application().__dict__, "read_file", down)
    with pytest.raises(StoreUnavailable):
        read(arrived(key))


def test_a_poisoned_object_does_not_block_the_others(api: Api) -> None:
    """An event of several objects reads those behind one that fails, and fails for that one (SV-14)."""
    file_id, key = offered(api, CHAPTER)
    for _ in range(2):
        with pytest.raises(InvalidInput):
            read(arrived("uploads/elsewhere", key, f"uploads/{api.tenant}/x"))
    assert api("http_get_file", path=f"/v1/subjects/biology/files/{file_id}").body["status"] == "read"
    assert [e["kind"] for e in api("http_list_episodes", query={}).body["episodes"]] == ["file"]


def test_events_of_two_uploads_of_one_name_may_swap(api: Api) -> None:
    """The later offered file stays when its event comes first, twice, or together with the earlier one's (SV-14)."""
    (first, first_key), (second, second_key) = offered(api, CHAPTER), offered(api, CHAPTER + b"\nMore.\n")
    for event in (
        arrived(second_key),
        arrived(first_key),
        arrived(second_key),
        arrived(first_key, second_key),
    ):
        read(event)
    files = {f["file_id"]: f for f in api("http_list_files").body["files"]}
    assert (files[first]["replaced_by"], files[second]["replaced_by"]) == (second, None)
    logged = api("http_list_episodes", query={}).body["episodes"]
    assert len(logged) == 3  # two arrived, one replaced


@pytest.mark.parametrize(
    "name, scope",
    [
        ("s3_object_created", ("school", "biology")),
        ("s3_object_created_encoded_key", ("école #1", "生物学 & co")),
    ],
)
def test_the_sample_events_name_their_file(
    api: Api, monkeypatch: pytest.MonkeyPatch, name: str, scope: tuple[str, str]
) -> None:
    """The key in S3's event is decoded exactly once before it names tenant and subject (SV-11)."""
    seen = []

    def look(key: str, **_more: Any) -> None:
        seen.append(bootstrap.application()._uploads.locate(key))

    monkeypatch.setitem(bootstrap.application().__dict__, "read_file", look)
    read(load_event(name))
    assert [(s.tenant, s.subject, file) for s, file in seen] == [(*scope, "01J00000000000000000000000")]


# ---------------------------------------------------------------------------------------- the night
def messages(api: Api) -> list[dict[str, Any]]:
    """Messages of the tenant on the night's queue."""
    found: list[dict[str, Any]] = []
    application = bootstrap.application()
    client, url = application.start_night.queue._client, application._settings.night_queue_url
    while batch := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        for message in batch:
            client.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            found.append(json.loads(message["Body"]))
    return [message for message in found if message["tenant"] == api.tenant]


def test_the_schedule_queues_the_day_that_ended(api: Api) -> None:
    """The schedule's event queues one message for each pair that was active on the day before its time (NI-1, SV-5)."""
    from start_night import app

    api("http_record_episodes")
    messages(api)
    answer = app.handler(load_event("eventbridge_schedule"), LambdaContext())
    assert answer["queued"] >= 1
    assert messages(api) == [
        {"tenant": api.tenant, "student": "ana", "subject": "biology", "night": "2026-07-03"}
    ]


@pytest.mark.parametrize("off", [-11, 11, 60])
def test_the_day_comes_from_the_schedule(api: Api, monkeypatch: pytest.MonkeyPatch, off: float) -> None:
    """A dispatcher that is late, or whose clock is hours off, queues the day of the schedule's event (NI-1, SV-14)."""
    from start_night import app

    api("http_record_episodes")
    messages(api)
    monkeypatch.setattr(
        bootstrap.application(), "clock", SteppingClock(datetime.now(UTC) + timedelta(hours=off))
    )
    app.handler(load_event("eventbridge_schedule"), LambdaContext())
    assert [message["night"] for message in messages(api)] == ["2026-07-03"]


def nights(api: Api, name: str) -> dict[str, Any]:
    event = load_event(name)
    for record in event["Records"]:
        if record["body"].startswith("{"):
            record["body"] = json.dumps({**json.loads(record["body"]), "tenant": api.tenant})
    return event


def test_the_queue_runs_the_night(api: Api) -> None:
    """A message runs its pair's night; delivered again it changes nothing (NI-1, NI-2)."""
    from run_night import app

    api("http_record_episodes")
    event = nights(api, "sqs_night")
    for _ in range(2):
        assert app.handler(event, LambdaContext()) == {"batchItemFailures": []}
    kinds = [e["kind"] for e in api("http_list_episodes", query={}).body["episodes"]]
    assert kinds.count("consolidation") == 1
    assert api("http_get_self_model").body["composed_on"] == "2026-07-03"


def test_a_broken_message_fails_alone(api: Api) -> None:
    """A message that cannot be understood is reported alone, and the others' nights are run (SV-14)."""
    from run_night import app

    api("http_record_episodes")
    event = nights(api, "sqs_night_partly_broken")
    answer = app.handler(event, LambdaContext())
    assert answer == {"batchItemFailures": [{"itemIdentifier": event["Records"][1]["messageId"]}]}
    assert api("http_get_self_model").status == 200


@pytest.mark.parametrize(
    "body",
    [
        "",
        "null",
        "[]",
        '"night"',
        "{}",
        '{"tenant": 5}',
        '{"night": 20260703}',
        '{"night": null}',
        '{"night": "yesterday"}',
        '{"night": "9999-12-31"}',
        '{"student": "a/b"}',
        '{"subject": ["biology"]}',
    ],
)
def test_no_message_can_stop_the_queue(api: Api, body: str, caplog: pytest.LogCaptureFixture) -> None:
    """A message of wrong types or names fails alone, named in the log without its text, and stops no night (SV-14)."""
    from run_night import app

    api("http_record_episodes")
    event = nights(api, "sqs_night")
    named = json.loads(event["Records"][1]["body"])
    changed = json.loads(body) if body else None
    event["Records"][1]["body"] = (
        json.dumps(named | changed) if isinstance(changed, dict) and changed else body
    )
    answer = app.handler(event, LambdaContext())
    assert answer == {"batchItemFailures": [{"itemIdentifier": event["Records"][1]["messageId"]}]}
    assert api("http_get_self_model").status == 200
    [line] = [record for record in caplog.records if record.getMessage() == "night_failed"]
    assert line.__dict__["message_id"] == event["Records"][1]["messageId"]


QUOTED = "my xylophonic quokka"


@pytest.mark.parametrize(
    "function", ["run_night", "compile_wiki", "index_episodes", "read_file", "start_night"]
)
def test_a_failure_of_everything_quotes_nothing(
    api: Api, function: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """When all of an event fails, neither the log nor what is raised holds any error's message (SV-11, SV-15)."""

    def fail(*_: Any, **_more: Any) -> None:
        try:
            raise ValueError(QUOTED)
        except ValueError as error:
            raise KeyError(QUOTED) from error

    monkeypatch.setitem(bootstrap.application().__dict__, function, fail)
    event = {
        "run_night": lambda: nights(api, "sqs_night"),
        "compile_wiki": lambda: nights(api, "sqs_wiki"),
        "start_night": lambda: load_event("eventbridge_schedule"),
        "read_file": lambda: arrived(offered(api, CHAPTER)[1]),
        "index_episodes": lambda: load_event("dynamodb_stream_episodes"),
    }[function]()
    if function == "index_episodes":
        event["Records"] = event["Records"][:1]
    app = importlib.import_module(f"{function}.app")
    with pytest.raises(Exception) as raised:  # noqa: PT011 whatever it is, as Lambda would log it
        app.handler(event, LambdaContext())
    assert QUOTED not in "".join(traceback.format_exception(raised.value))
    assert not any(QUOTED in repr(line.__dict__) for line in caplog.records)


def test_a_night_of_nobody_changes_nothing(api: Api) -> None:
    """A message for a pair that has nothing is done with, and leaves no row and no checkpoint (SV-14, EP-8)."""
    from run_night import app

    event = nights(api, "sqs_night")
    assert api("http_get_self_model").status == 404
    assert app.handler(event, LambdaContext()) == {"batchItemFailures": []}
    assert api("http_list_episodes", query={}).body["episodes"] == []
    assert api("http_get_self_model").status == 404
    assert api.stores.checkpoint_store.all(Pair(api.tenant, "ana", "biology")) == []
