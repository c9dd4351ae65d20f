"""`anamnesis replay` on real queues and a real stream; the functions behind it are a list of what they were given."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import boto3
import botocore.exceptions
import pytest
from typer.testing import CliRunner

from anamnesis_tools.cli import app
from anamnesis_tools.replay import command, letters
from anamnesis_tools.replay.command import KEPT, through
from anamnesis_tools.replay.place import Place
from anamnesis_tools.replay.queues import QUEUES
from support.aws_stores import REGION
from support.emulated_aws import emulated_aws

_numbers = count(1)
WIKI = json.dumps({"tenant": "school", "student": "ana"})
ANSWER = json.dumps({"tenant": "school", "student": "ana", "subject": "biology", "answer": "9f86"})
NIGHT = '{"tenant": "school", "student": "ana", "subject": "biology", "night": "2026-07-03"}'
ARRIVED = {"Records": [{"s3": {"object": {"key": "uploads/school%23biology/01J0"}}}]}
SCHEDULED = {"detail-type": "Scheduled Event", "time": "2026-07-04T02:00:00Z"}
RECORD = {"requestContext": {"condition": "RetriesExhausted"}, "responsePayload": {"errorType": "Timeout"}}


class Functions:
    """Lambda, as far as a replay uses it: takes events, and answers what it was told to."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str, Any]] = []
        self.status = 202
        self.answers: list[Any] = []
        self.failure: str | None = None
        self.throttled = 0

    def invoke(self, *, FunctionName: str, InvocationType: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803
        if self.throttled:
            self.throttled -= 1
            error = {"Error": {"Code": "TooManyRequestsException", "Message": "…"}}
            raise botocore.exceptions.ClientError(error, "Invoke")  # type: ignore[arg-type]
        self.taken.append((FunctionName, InvocationType, json.loads(Payload)))
        if InvocationType == "Event":
            return {"StatusCode": self.status}
        answer = self.answers.pop(0) if self.answers else {"batchItemFailures": []}
        failed = {"FunctionError": "Unhandled"} if self.failure else {}
        said = {"errorType": self.failure, "errorMessage": "SECRET"} if self.failure else answer
        return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(said).encode()), **failed}


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> Functions:
    monkeypatch.setattr(letters, "_WAIT_SECONDS", 0)
    return Functions()


@pytest.fixture
def place(functions: Functions) -> Iterator[Place]:
    """A stack of real queues and a real stream."""
    with emulated_aws():
        # Names of its own: another emulation may be there already, and this one is then the same.
        number = next(_numbers)
        clients: dict[str, Any] = {"lambda": functions}
        for service in ("sqs", "dynamodb", "dynamodbstreams"):
            clients[service] = boto3.client(service, region_name=REGION)
        outputs = {output: output for output in ("ReadFileFunctionName", "IndexEpisodesFunctionName")}
        outputs["StartNightFunctionName"] = "StartNightFunctionName"
        for output in (
            "NightQueueUrl",
            "WikiQueueUrl",
            "AnswerQueueUrl",
            *(output for output, _ in QUEUES.values()),
        ):
            outputs[output] = clients["sqs"].create_queue(QueueName=f"{output}{number}")["QueueUrl"]
        outputs["Table"] = outputs["Stack"] = f"replayed{number}"
        yield Place("here", outputs, clients.__getitem__)


def fail(place: Place, queue: str, body: Any, **attributes: str) -> None:
    """Put a letter into a queue of failures."""
    told = {name: {"DataType": "String", "StringValue": value} for name, value in attributes.items()}
    text = body if isinstance(body, str) else json.dumps(body)
    url = place.output(QUEUES[queue][0])
    place.client("sqs").send_message(QueueUrl=url, MessageBody=text, MessageAttributes=told)


def run(place: Place, queue: str, *, dry_run: bool = False, limit: int = 100) -> list[command.Outcome]:
    return through(place, queue, limit=limit, dry_run=dry_run)


def left(place: Place, queue: str) -> list[str]:
    """Bodies of the letters that can be seen in a queue, and stay there."""
    return [outcome.letter.body for outcome in run(place, queue, dry_run=True)]


def queued(place: Place) -> list[str]:
    """Bodies on the night's queue."""
    sqs, url = place.client("sqs"), place.output("NightQueueUrl")
    return [m["Body"] for m in sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])]


# ---------------------------------------------------------------------------------------- listing
def test_a_dry_run_leaves_everything(place: Place, functions: Functions) -> None:
    """Listing names each letter by ids, says why it failed where that is known, and changes nothing (SV-14)."""
    fail(place, "night", NIGHT)
    fail(place, "files", {**RECORD, "requestPayload": ARRIVED})
    fail(place, "start-night", SCHEDULED, ERROR_CODE="Lambda.ServiceException")
    fail(place, "wiki", WIKI)
    fail(place, "answers", ANSWER)
    for _ in range(2):
        found = {name: run(place, name, dry_run=True) for name in QUEUES}
        assert {name: [o.became for o in outcomes] for name, outcomes in found.items()} == {
            "night": ["waiting"],
            "files": ["waiting"],
            "index": [],
            "start-night": ["waiting"],
            "wiki": ["waiting"],
            "answers": ["waiting"],
        }
    abouts = {name: outcomes[0].about for name, outcomes in found.items() if outcomes}
    assert abouts["night"] == json.loads(NIGHT)
    assert abouts["wiki"] == json.loads(WIKI)
    assert abouts["answers"] == json.loads(ANSWER)
    assert abouts["files"] == {"files": [{"tenant": "school", "subject": "biology", "file_id": "01J0"}]}
    assert abouts["start-night"] == {"scheduled": "2026-07-04T02:00:00Z"}
    reasons = {name: command.why(outcomes[0].letter) for name, outcomes in found.items() if outcomes}
    assert reasons == {
        "night": None,
        "files": "RetriesExhausted: Timeout",
        "start-night": "Lambda.ServiceException",
        "wiki": None,
        "answers": None,
    }
    assert (functions.taken, queued(place)) == ([], [])


# ---------------------------------------------------------------------------------------- putting back
def test_nights_go_back_to_their_queue(place: Place) -> None:
    """A night's message is queued as it was and leaves the dead letters; one that says no night stays (SV-14)."""
    for body in ("not json", NIGHT, "[]", '{"tenant": 5}'):
        fail(place, "night", body)
    outcomes = run(place, "night")
    assert sorted(outcome.became for outcome in outcomes) == ["kept", "kept", "kept", "replayed"]
    assert queued(place) == [NIGHT]
    assert sorted(left(place, "night")) == ["[]", "not json", '{"tenant": 5}']
    assert [outcome.became for outcome in run(place, "night")] == ["kept"] * 3
    assert queued(place) == []


@pytest.mark.parametrize(
    "body, attributes",
    [
        ({**RECORD, "requestPayload": SCHEDULED}, {}),
        (SCHEDULED, {"ERROR_CODE": "AccessDenied"}),
        ({"FunctionName": "f", "Payload": json.dumps(SCHEDULED)}, {"ERROR_CODE": "AccessDenied"}),
        ("{}", {"SCHEDULED_TIME": "2026-07-04T02:00:00Z"}),
    ],
)
def test_a_dispatch_keeps_its_date(
    place: Place, functions: Functions, body: Any, attributes: dict[str, str]
) -> None:
    """The schedule's event is found however it was kept, and given back with the time it was for (SV-14)."""
    fail(place, "start-night", body, **attributes)
    fail(place, "start-night", {"time": 5})
    assert sorted(outcome.became for outcome in run(place, "start-night")) == ["kept", "replayed"]
    assert functions.taken == [("StartNightFunctionName", "Event", SCHEDULED)]
    assert left(place, "start-night") == ['{"time": 5}']


def test_a_letter_leaves_only_when_it_was_accepted(place: Place, functions: Functions) -> None:
    """What Lambda does not take, or throttles, stays; the other letters are replayed, and later it is too (SV-14)."""
    fail(place, "files", {**RECORD, "requestPayload": ARRIVED})
    functions.status = 500
    assert [outcome.became for outcome in run(place, "files")] == ["kept"]
    functions.status, functions.throttled = 202, 1
    fail(place, "files", {**RECORD, "requestPayload": ARRIVED})
    outcomes = run(place, "files")
    assert [outcome.became for outcome in outcomes] == ["kept", "replayed"]
    assert outcomes[0].detail == "Invoke was refused: TooManyRequestsException"
    assert len(left(place, "files")) == 1
    assert [outcome.became for outcome in run(place, "files")] == ["replayed"]
    assert [event for _, _, event in functions.taken[1:]] == [ARRIVED, ARRIVED]
    assert left(place, "files") == []


def test_a_replay_that_dies_loses_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the replay dies between handing on and deleting, the letter is still there for the next one (SV-14)."""
    fail(place, "night", NIGHT)

    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(letters, "delete", die)
        with pytest.raises(KeyboardInterrupt):
            run(place, "night")
    assert queued(place) == [NIGHT]
    assert left(place, "night") == [NIGHT]


def test_what_fails_again_at_once_is_met_once(place: Place, functions: Functions) -> None:
    """A letter that comes back while the replay runs is left to the next one, so that a replay ends (SV-14)."""
    fail(place, "files", {**RECORD, "requestPayload": ARRIVED})
    taken = functions.invoke

    def fails_again(**asked: Any) -> dict[str, Any]:
        fail(place, "files", {**RECORD, "requestPayload": ARRIVED})
        return taken(**asked)

    functions.invoke = fails_again  # type: ignore[method-assign]
    assert len(run(place, "files")) == 1
    assert len(left(place, "files")) == 1


@pytest.mark.parametrize(
    "queue, body",
    [
        *((queue, body) for queue in QUEUES for body in ("[" * 5_000, " ", "[]", '{"time": 1}')),
        ("start-night", json.dumps({**SCHEDULED, "time": "9999-99-99T00:00:00Z"})),
        ("start-night", json.dumps({**SCHEDULED, "time": "0001-01-01T00:00:00Z"})),
        ("files", json.dumps({"requestPayload": {"Records": [{"s3": {"object": {"key": "../../x"}}}]}})),
        ("files", json.dumps({"requestPayload": {"Records": []}})),
    ],
)
def test_what_nothing_can_come_of_is_kept_until_it_is_discarded(
    place: Place, functions: Functions, queue: str, body: str
) -> None:
    """A letter that nothing can come of stays, stops no other, and goes when it is discarded by its id (SV-14)."""
    fail(place, queue, body)
    fail(place, "night", NIGHT)
    became = [outcome.became for name in QUEUES for outcome in run(place, name)]
    assert sorted(became) == ["kept", "replayed"]
    assert (queued(place), functions.taken) == ([NIGHT], [])
    fail(place, "night", NIGHT)
    [poison] = [
        outcome.letter.id for outcome in run(place, queue, dry_run=True) if outcome.letter.body == body
    ]
    gone = through(place, queue, limit=10, dry_run=False, discard=frozenset([poison]))
    assert [(outcome.letter.id, outcome.became) for outcome in gone] == [(poison, "discarded")]
    assert [text for name in QUEUES for text in left(place, name)] == [NIGHT]


def test_a_limit_takes_some(place: Place) -> None:
    """A limit bounds what one call takes in hand, and the rest waits (SV-14)."""
    for _ in range(12):
        fail(place, "night", NIGHT)
    assert len(run(place, "night", limit=11)) == 11
    assert len(left(place, "night")) == 1


# ---------------------------------------------------------------------------------------- the stream
def streamed(place: Place, *rows: tuple[str, str]) -> dict[str, Any]:
    """What Lambda keeps of a batch of these rows (partition and sort key), on a real stream."""
    keys = [("pk", "HASH"), ("sk", "RANGE")]
    table = place.client("dynamodb").create_table(
        TableName=place.output("Table"),
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name, _ in keys],
        KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in keys],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    )["TableDescription"]
    for partition, sort in rows:
        item = {"pk": {"S": partition}, "sk": {"S": sort}, "text": {"S": "SECRET"}}
        place.client("dynamodb").put_item(TableName=place.output("Table"), Item=item)
    streams, arn = place.client("dynamodbstreams"), table["LatestStreamArn"]
    [shard] = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    iterator = streams.get_shard_iterator(
        StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
    )["ShardIterator"]
    numbers = [
        record["dynamodb"]["SequenceNumber"]
        for record in streams.get_records(ShardIterator=iterator)["Records"]
    ]
    return {
        "requestContext": {"condition": "RetryAttemptsExhausted"},
        "DDBStreamBatchInfo": {
            "streamArn": arn,
            "shardId": shard["ShardId"],
            "startSequenceNumber": numbers[0],
            "endSequenceNumber": numbers[-2],
            "approximateArrivalOfFirstRecord": "2026-07-03T09:00:00Z",
            "approximateArrivalOfLastRecord": "2026-07-03T09:05:00Z",
            "batchSize": len(numbers) - 1,
        },
    }


ROWS = [
    ("school#ana#biology", "E#000000000001"),
    ("school#ana#biology", "H"),
    ("school#ben#biology", "E#000000000007"),
    ("school#eve#biology", "E#000000000009"),  # behind the batch
]


def test_a_batch_is_indexed_from_the_stream(place: Place, functions: Functions) -> None:
    """A batch that was given up is read from the stream, named, and indexed without a word of its rows (SV-14)."""
    fail(place, "index", streamed(place, *ROWS))
    [listed] = run(place, "index", dry_run=True)
    named = [(pair["student"], pair["positions"]) for pair in listed.about["pairs"]]
    assert named == [("ana", [1]), ("ben", [7])]
    functions.answers = [{"batchItemFailures": [{"itemIdentifier": "1"}]}]
    [kept] = run(place, "index")
    assert (kept.became, kept.detail) == ("kept", "1 of 3 records failed again")
    functions.failure = "BatchProcessingError"
    [kept] = run(place, "index")
    assert (kept.became, kept.detail) == ("kept", "the function failed again: BatchProcessingError")
    functions.failure = None
    assert [outcome.became for outcome in run(place, "index")] == ["replayed"]
    assert left(place, "index") == []
    name, how, event = functions.taken[-1]
    assert (name, how) == ("IndexEpisodesFunctionName", "RequestResponse")
    keys = [(r["dynamodb"]["Keys"]["pk"]["S"], r["dynamodb"]["Keys"]["sk"]["S"]) for r in event["Records"]]
    assert keys == ROWS[:3]
    assert "SECRET" not in json.dumps(event)


def test_records_that_are_gone_are_found_by_their_time(place: Place, functions: Functions) -> None:
    """When the stream is gone, every pair of that time is indexed again, chunk by chunk, and it is said (SV-14)."""
    letter = streamed(place, *ROWS)
    place.client("dynamodb").delete_table(TableName=place.output("Table"))
    fail(place, "index", letter)
    [listed] = run(place, "index", dry_run=True)
    assert listed.about["in_stream"] is False
    pairs = [{"tenant": "school", "student": name, "subject": "biology"} for name in ("ana", "ben")]
    functions.answers = [
        {"pairs": pairs},
        {"indexed": 64, "after": 64},
        {"indexed": 3, "after": None},
        {"indexed": 1, "after": None},
    ]
    [done] = run(place, "index")
    assert done.became == "replayed"
    assert "the 68 episodes that 2 pairs" in (done.detail or "")
    span = {"start": "2026-07-03T09:00:00+00:00", "end": "2026-07-03T09:05:00+00:00"}
    assert [event["index_again"] for _, _, event in functions.taken] == [
        span,
        {**span, "pair": pairs[0], "after": 0},
        {**span, "pair": pairs[0], "after": 64},
        {**span, "pair": pairs[1], "after": 0},
    ]


@pytest.mark.parametrize(
    "change", [{"startSequenceNumber": "1"}, {"endSequenceNumber": "x"}, {"streamArn": 5}]
)
def test_a_forged_batch_stays(place: Place, functions: Functions, change: dict[str, Any]) -> None:
    """A letter that describes no batch stays and keeps no other from being replayed (SV-14)."""
    letter = streamed(place, *ROWS)
    forged = {**letter, "DDBStreamBatchInfo": letter["DDBStreamBatchInfo"] | change}
    for body in (forged, "{}", letter):
        fail(place, "index", body)
    assert sorted(outcome.became for outcome in run(place, "index")) == ["kept", "kept", "replayed"]
    assert len(functions.taken) == 1


# ---------------------------------------------------------------------------------------- the command
def test_a_stack_on_aws_is_found_by_its_name(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stack's name the operator's own credentials and the stack's outputs are used (SV-8, SV-14)."""
    monkeypatch.setenv("AWS_REGION", REGION)
    outputs = {name: {"Value": value} for name, value in place.outputs.items()}
    template = {"Resources": {"Q": {"Type": "AWS::SQS::Queue"}}, "Outputs": outputs}
    boto3.client("cloudformation", region_name=REGION).create_stack(
        StackName=place.output("Stack"), TemplateBody=json.dumps(template)
    )
    for body in (NIGHT, "poison"):
        fail(place, "night", body)
    result = CliRunner().invoke(app, ["replay", "--stack-name", place.output("Stack"), "--json"])
    said = json.loads(result.stdout)
    assert (result.exit_code, said["replayed"], said["kept"]) == (KEPT, 1, 1)
    others = dict.fromkeys(set(QUEUES) - {"night"}, 0)
    assert said["waiting"] == {"night": 2, **others}
    assert queued(place) == [NIGHT]
    shown = CliRunner().invoke(app, ["replay", "--stack-name", place.output("Stack"), "--dry-run"])
    assert shown.exit_code == 0
    assert "cannot be understood" in " ".join(shown.stdout.split())
    missing = CliRunner().invoke(app, ["replay", "--stack-name", "elsewhere", "--json"])
    assert (missing.exit_code, json.loads(missing.stdout)["error"]["type"]) == (1, "ReplayFailed")


def test_a_wiki_that_was_not_compiled_is_queued_again(place: Place) -> None:
    """A student's message goes back to the wikis' queue as it was; what names no student stays (SV-14, WD-1)."""
    for body in (WIKI, "poison", '{"tenant": "school"}', '{"tenant": "", "student": "ana"}'):
        fail(place, "wiki", body)
    assert sorted(outcome.became for outcome in run(place, "wiki")) == ["kept", "kept", "kept", "replayed"]
    sqs, url = place.client("sqs"), place.output("WikiQueueUrl")
    assert [m["Body"] for m in sqs.receive_message(QueueUrl=url)["Messages"]] == [WIKI]
    assert len(left(place, "wiki")) == 3


def test_an_answer_that_was_not_written_is_queued_again(place: Place) -> None:
    """An answer's message goes back to the answers' queue as it was; what names no answer stays (SV-14)."""
    for body in (ANSWER, "poison", WIKI, '{"tenant": "", "student": "ana", "subject": "b", "answer": "9f"}'):
        fail(place, "answers", body)
    became = sorted(outcome.became for outcome in run(place, "answers"))
    assert became == ["kept", "kept", "kept", "replayed"]
    sqs, url = place.client("sqs"), place.output("AnswerQueueUrl")
    assert [m["Body"] for m in sqs.receive_message(QueueUrl=url)["Messages"]] == [ANSWER]
    assert len(left(place, "answers")) == 3
