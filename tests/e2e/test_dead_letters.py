"""What fails for good on the deployed stack is kept, shown and put back: every way into a function, broken and mended.

The emulator retries invocations and messages as Lambda and SQS do. Of a stream's batches it knows one end only: they go
to their queue when their records are too old (on AWS also after their tries, halved until only what fails is left), and
it takes a partial answer for a whole one; what the indexing function answers is held to in `unit/functions`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.cli import app
from anamnesis_tools.replay.command import KEPT
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, check, event, eventually, offered, put

SUBJECT = "biology"
DAY, DAY_AFTER = "2028-03-06", "2028-03-07"
SCHEDULED = Path(__file__).parents[2] / "events" / "eventbridge_schedule.json"
ARRIVED = Path(__file__).parents[2] / "events" / "s3_object_created.json"
#: What the function cannot do without: a name that leads nowhere breaks it as a store that is down would.
NOWHERE = "nowhere-at-all"


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStack]:
    """A stack of this module's own, since its functions break; a message has one try, and records are old at once."""
    with LocalStack(tmp_path_factory.mktemp("mortal")) as stack:
        redrive = {"deadLetterTargetArn": queue_arn(stack, "NightFailuresUrl"), "maxReceiveCount": "1"}
        stack.client("sqs").set_queue_attributes(
            QueueUrl=stack.outputs["NightQueueUrl"],
            Attributes={"VisibilityTimeout": "10", "RedrivePolicy": json.dumps(redrive)},
        )
        lambdas = stack.client("lambda")
        for mapping in lambdas.list_event_source_mappings()["EventSourceMappings"]:
            if "/stream/" in mapping["EventSourceArn"]:
                lambdas.update_event_source_mapping(UUID=mapping["UUID"], MaximumRecordAgeInSeconds=1)
        yield stack


def queue_arn(stack: LocalStack, output: str) -> str:
    answer = stack.client("sqs").get_queue_attributes(
        QueueUrl=stack.outputs[output], AttributeNames=["QueueArn"]
    )
    return str(answer["Attributes"]["QueueArn"])


@contextmanager
def broken(stack: LocalStack, part: str, **environment: str) -> Iterator[None]:
    """Break the function whose name holds `part` by settings that lead nowhere, and mend it afterwards."""
    lambdas = stack.client("lambda")
    [name] = [f["FunctionName"] for f in lambdas.list_functions()["Functions"] if part in f["FunctionName"]]
    before = lambdas.get_function_configuration(FunctionName=name)["Environment"]
    changed = {"Variables": before["Variables"] | environment}
    lambdas.update_function_configuration(FunctionName=name, Environment=changed)
    try:
        yield
    finally:
        lambdas.update_function_configuration(FunctionName=name, Environment=before)


def replayed(stack: LocalStack, queue: str, *options: str) -> dict[str, Any]:
    """What `anamnesis replay` says of one queue, and its exit code."""
    command = ["replay", "--queue", queue, "--state", str(stack.state_dir), "--json", *options]
    result = CliRunner().invoke(app, command)
    return {**json.loads(result.stdout), "exit": result.exit_code}


def letters(stack: LocalStack, queue: str, count: int = 1) -> list[dict[str, Any]]:
    """The letters of a queue, once there are as many."""
    found = eventually(
        lambda: replayed(stack, queue, "--dry-run"), lambda seen: len(seen["letters"]) >= count, seconds=60
    )
    assert found["exit"] == 0
    assert len(found["letters"]) == count, found
    return list(found["letters"])


def kinds(client: ApiClient) -> list[str]:
    """Kinds of a log's episodes."""
    path = f"/v1/subjects/{SUBJECT}/episodes"
    return [e["kind"] for e in client.call("GET", path, params={"limit": 200})["episodes"]]


def vectors(stack: LocalStack, tenant: str) -> set[str]:
    """Sort keys of the vectors that a tenant's pairs have."""
    table = stack.outputs["RecordsTableName"]
    rows = stack.client("dynamodb").scan(TableName=table, ProjectionExpression="pk, sk")["Items"]
    mine = [row for row in rows if tenant.replace(" ", "%20") in row["pk"]["S"]]
    return {row["sk"]["S"] for row in mine if row["sk"]["S"].startswith("V")}


# ---------------------------------------------------------------------------------------- nights
def night_message(tenant: str, student: str = "ana") -> str:
    return json.dumps({"tenant": tenant, "student": student, "subject": SUBJECT, "night": DAY})


def test_poisoned_messages_are_kept_and_block_no_night(mortal: LocalStack) -> None:
    """Messages that say no night are kept after their tries, while the nights between them run (SV-14)."""
    school = School(mortal)
    client = school.student()
    client.record(SUBJECT, "1", [event("question", "Why?", f"{DAY}T10:00:00Z")])
    poison = ["not json", "[]", '{"tenant": 5, "student": "ana", "subject": "b", "night": "2028-03-06"}']
    for body in [
        *poison[:2],
        night_message(school.tenant),
        *poison[2:],
        night_message(school.tenant, "nobody"),
    ]:
        mortal.client("sqs").send_message(QueueUrl=mortal.outputs["NightQueueUrl"], MessageBody=body)
    assert eventually(lambda: kinds(client), lambda seen: "consolidation" in seen)
    assert all(letter["about"] == {} for letter in letters(mortal, "night", len(poison)))
    tried = replayed(mortal, "night")
    assert (tried["exit"], tried["replayed"], tried["kept"]) == (KEPT, 0, len(poison))
    assert len(letters(mortal, "night", len(poison))) == len(poison)
    assert kinds(client).count("consolidation") == 1
    mortal.client("sqs").purge_queue(QueueUrl=mortal.outputs["NightFailuresUrl"])


def test_a_failed_night_is_run_when_it_is_replayed(mortal: LocalStack) -> None:
    """A failed night names its pair and runs when it is replayed, once when it is replayed twice (SV-14, NI-2)."""
    school = School(mortal)
    client = school.student()
    client.record(SUBJECT, "1", [event("question", "Why?", f"{DAY}T10:00:00Z")])
    sqs, queue = mortal.client("sqs"), mortal.outputs["NightQueueUrl"]
    with broken(mortal, "RunNight", ANAMNESIS_BELIEFS_TABLE=NOWHERE):
        sqs.send_message(QueueUrl=queue, MessageBody=night_message(school.tenant))
        [letter] = letters(mortal, "night")
    named = {"tenant": school.tenant, "student": "ana", "subject": SUBJECT, "night": DAY}
    assert (letter["about"], letter["outcome"]) == (named, "waiting")
    assert "consolidation" not in kinds(client)
    for _ in range(2):
        answer = replayed(mortal, "night")
        assert (answer["exit"], answer["replayed"], answer["kept"]) == (0, 1, 0)
        assert (
            eventually(lambda: kinds(client), lambda seen: "consolidation" in seen).count("consolidation")
            == 1
        )
        # The same letter again, as of a replay that died before it had deleted it.
        sqs.send_message(
            QueueUrl=mortal.outputs["NightFailuresUrl"], MessageBody=night_message(school.tenant)
        )
    assert kinds(client).count("consolidation") == 1
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["verified"]
    sqs.purge_queue(QueueUrl=mortal.outputs["NightFailuresUrl"])


# ---------------------------------------------------------------------------------------- the dispatcher
def test_a_night_that_did_not_start_keeps_its_date(mortal: LocalStack) -> None:
    """A dispatcher that failed is given the schedule's own event again, and so the right night's pairs run (SV-14)."""
    school = School(mortal)
    client = school.student()
    client.record(SUBJECT, "1", [event("question", "Why?", f"{DAY}T10:00:00Z")])
    scheduled = json.loads(SCHEDULED.read_text(encoding="utf-8")) | {"time": f"{DAY_AFTER}T02:00:00Z"}
    with broken(mortal, "StartNight", ANAMNESIS_RECORDS_TABLE=NOWHERE):
        mortal.client("lambda").invoke(
            FunctionName=mortal.outputs["StartNightFunctionName"],
            InvocationType="Event",
            Payload=json.dumps(scheduled).encode(),
        )
        [letter] = letters(mortal, "start-night")
    assert letter["about"] == {"scheduled": f"{DAY_AFTER}T02:00:00Z"}
    assert letter["why"].startswith("RetriesExhausted: ")
    assert replayed(mortal, "start-night")["replayed"] == 1
    assert eventually(lambda: kinds(client), lambda seen: "consolidation" in seen).count("consolidation") == 1
    assert replayed(mortal, "start-night")["letters"] == []


# ---------------------------------------------------------------------------------------- files
def test_a_file_that_could_not_be_read_is_read_when_it_is_replayed(mortal: LocalStack) -> None:
    """A failed reading names its file, is done when it is replayed, and a repeated event adds nothing (SV-14, CM-1)."""
    client = School(mortal).student()
    data = CELLS.encode()
    with broken(mortal, "ReadFile", ANAMNESIS_CONCEPTS_TABLE=NOWHERE):
        offer = offered(client, SUBJECT, "cells.md", data)
        put(offer["upload"], data).raise_for_status()
        [letter] = letters(mortal, "files")
    assert [file["file_id"] for file in letter["about"]["files"]] == [offer["file_id"]]
    assert letter["why"].startswith("RetriesExhausted: ")
    assert replayed(mortal, "files")["replayed"] == 1
    file = client.wait_until_read(SUBJECT, offer["file_id"], seconds=60)
    # The log is told of a file after its record is: whoever asks in between sees one without the other.
    assert (file["status"], eventually(lambda: kinds(client), bool)) == ("read", ["file"])
    before = client.call("GET", f"/v1/subjects/{SUBJECT}/map")
    again = json.loads(ARRIVED.read_text(encoding="utf-8"))
    key = offer["upload"]["url"].split("?")[0].partition(mortal.outputs["FilesBucketName"] + "/")[2]
    again["Records"][0]["s3"]["object"]["key"] = key
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda _: invoked(mortal, "ReadFileFunctionName", again), range(3)))
    assert answers == [None, None, None]
    assert kinds(client) == ["file"]
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/map") == before


def test_an_object_that_is_not_ours_is_kept(mortal: LocalStack) -> None:
    """An object under a key that no offer made ends as a dead letter, which no replay hands on (SV-14)."""
    bucket = mortal.outputs["FilesBucketName"]
    mortal.client("s3").put_object(Bucket=bucket, Key="uploads/school%23biology/not-ours", Body=b"x")
    for _ in range(2):
        [letter] = letters(mortal, "files")
        assert letter["about"]["files"]
        assert replayed(mortal, "files")["kept"] == 1
    mortal.client("s3").delete_object(Bucket=bucket, Key="uploads/school%23biology/not-ours")
    letters(mortal, "files")
    mortal.client("sqs").purge_queue(QueueUrl=mortal.outputs["FileFailuresUrl"])


def given_up(stack: LocalStack, records: int) -> list[dict[str, Any]]:
    """Letters of the index, once they tell of as many records: a busy stream hands them over in several batches."""
    return list(
        eventually(
            lambda: replayed(stack, "index", "--dry-run")["letters"],
            lambda found: sum(letter["about"]["records"] for letter in found) >= records,
        )
    )


def invoked(stack: LocalStack, function: str, sent: dict[str, Any]) -> Any:
    reply = stack.client("lambda").invoke(
        FunctionName=stack.outputs[function], Payload=json.dumps(sent).encode()
    )
    answer = json.loads(reply["Payload"].read())
    assert "FunctionError" not in reply, answer
    return answer


# ---------------------------------------------------------------------------------------- the stream
def test_episodes_that_were_not_indexed_are_indexed_when_they_are_replayed(mortal: LocalStack) -> None:
    """A batch that was given up names its episodes, which are indexed from the stream when it is replayed (SV-14)."""
    school = School(mortal)
    client = school.student()
    with broken(mortal, "IndexEpisodes", ANAMNESIS_EPISODES_TABLE=NOWHERE):
        client.record(SUBJECT, "1", [event("question", f"Why {n}?") for n in range(3)])
        client.record(SUBJECT, "2", [check("osmosis", correct=True)])
        seen = given_up(mortal, records=4)
    pairs = [pair for letter in seen for pair in letter["about"]["pairs"]]
    assert {(pair["tenant"], pair["student"]) for pair in pairs} == {(school.tenant, "ana")}
    assert sorted(p for pair in pairs for p in pair["positions"]) == [1, 2, 3, 4]
    assert vectors(mortal, school.tenant) == set()
    assert replayed(mortal, "index")["kept"] == 0
    assert len(vectors(mortal, school.tenant)) == 4
    assert replayed(mortal, "index")["letters"] == []


def test_episodes_whose_records_are_gone_are_found_by_their_time(mortal: LocalStack) -> None:
    """When the stream has the records no more, what was recorded around their arrival is indexed again (SV-14)."""
    school = School(mortal)
    client = school.student()
    with broken(mortal, "IndexEpisodes", ANAMNESIS_EPISODES_TABLE=NOWHERE):
        client.record(SUBJECT, "1", [event("question", f"Why {n}?") for n in range(3)])
        given_up(mortal, records=3)
    sqs, queue = mortal.client("sqs"), mortal.outputs["IndexFailuresUrl"]
    bodies = []
    while messages := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
        for message in messages:
            bodies.append(json.loads(message["Body"]))
            sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
    told = [body["DDBStreamBatchInfo"] for body in bodies]
    trimmed = bodies[0]
    trimmed["DDBStreamBatchInfo"] |= {
        "batchSize": sum(info["batchSize"] for info in told),
        "approximateArrivalOfFirstRecord": min(i["approximateArrivalOfFirstRecord"] for i in told),
        "approximateArrivalOfLastRecord": max(i["approximateArrivalOfLastRecord"] for i in told),
        "startSequenceNumber": "1".zfill(30),
        "endSequenceNumber": "2".zfill(30),
    }
    sqs.send_message(QueueUrl=queue, MessageBody=json.dumps(trimmed))
    assert vectors(mortal, school.tenant) == set()
    [letter] = letters(mortal, "index")
    assert letter["about"]["in_stream"] is False
    [done] = replayed(mortal, "index")["letters"]
    assert done["outcome"] == "replayed"
    assert "no longer in the stream" in done["detail"]
    assert len(vectors(mortal, school.tenant)) == 3
