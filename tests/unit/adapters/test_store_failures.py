"""What each store makes of AWS's failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from botocore.exceptions import ConnectTimeoutError, NoCredentialsError, ReadTimeoutError

from anamnesis.domain.errors import (
    AnamnesisError,
    Busy,
    HeadMoved,
    IdempotencyConflict,
    NotFound,
    RevisionMoved,
    StoreUnavailable,
)
from anamnesis.domain.log.chain import EMPTY_HEAD
from anamnesis.domain.log.progress import Progress
from contracts.examples import (
    belief,
    chain_of,
    contribution,
    file_record,
    fresh_pair,
    fresh_scope,
    receipt_for,
)
from support.aws_faults import dynamodb_error, instead
from support.aws_stores import AwsStores

#: One episode: items are the episode, the head, the receipt, the day.
OK = "None"
FAILED = "ConditionalCheckFailed"
CONFLICT = "TransactionConflict"


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


def cancelled(*reasons: str) -> Any:
    return dynamodb_error("TransactionCanceledException", reasons=list(reasons))


@pytest.mark.parametrize(
    "reasons,meaning",
    [
        ((FAILED, FAILED, OK, OK), HeadMoved),
        ((OK, FAILED, OK, OK), HeadMoved),
        ((FAILED, FAILED, FAILED, OK), IdempotencyConflict),
        ((OK, OK, FAILED, OK), IdempotencyConflict),
        ((OK, CONFLICT, OK, OK), HeadMoved),
        ((CONFLICT, FAILED, OK, OK), HeadMoved),
        ((OK, OK, OK, CONFLICT), HeadMoved),
        ((OK, OK, OK, "ThrottlingError"), StoreUnavailable),
        ((OK, "ProvisionedThroughputExceeded", OK, OK), StoreUnavailable),
        ((OK, "ValidationError", OK, OK), StoreUnavailable),
        ((OK, "ItemCollectionSizeLimitExceeded", OK, OK), StoreUnavailable),
    ],
)
def test_a_cancelled_append_says_why(
    aws: AwsStores, reasons: tuple[str, ...], meaning: type[AnamnesisError]
) -> None:
    """Each reason for cancelling an append becomes the error that tells its caller what to do (EP-7)."""
    pair = fresh_pair()
    written = chain_of(pair, EMPTY_HEAD, ["one"])
    with (
        instead(aws.connection.client, "TransactWriteItems", cancelled(*reasons)),
        pytest.raises(meaning) as raised,
    ):
        aws.episode_log.append(pair, written, EMPTY_HEAD, receipt_for(written))
    assert type(raised.value) is meaning
    assert "SECRET" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_a_retried_append_is_the_same_request(aws: AwsStores) -> None:
    """When the answer to an append is lost, the SDK's retry carries the same token and so cannot write twice (EP-7)."""
    pair = fresh_pair()
    written = chain_of(pair, EMPTY_HEAD, ["one"])
    lost = ReadTimeoutError(endpoint_url="https://dynamodb")
    with instead(aws.connection.client, "TransactWriteItems", lost, None) as sent:
        aws.episode_log.append(pair, written, EMPTY_HEAD, receipt_for(written))
    tokens = [json.loads(body)["ClientRequestToken"] for body in sent]
    assert len(tokens) == 2
    assert tokens[0] == tokens[1]
    assert list(aws.episode_log.scan(pair)) == written


FAILURES: list[Callable[[], Any]] = [
    lambda: ReadTimeoutError(endpoint_url="https://dynamodb"),
    lambda: ConnectTimeoutError(endpoint_url="https://dynamodb"),
    NoCredentialsError,
    lambda: dynamodb_error("ProvisionedThroughputExceededException"),
    lambda: dynamodb_error("ThrottlingException"),
    lambda: dynamodb_error("InternalServerError", status=500),
    lambda: dynamodb_error("ResourceNotFoundException"),
    lambda: dynamodb_error("AccessDeniedException"),
    lambda: dynamodb_error("TransactionInProgressException"),
]


@pytest.mark.parametrize("failure", FAILURES)
def test_every_failure_is_one_of_ours(aws: AwsStores, failure: Callable[[], Any]) -> None:
    """Throttling, time-outs and refusals of every store call become one error that quotes no data (SV-14)."""
    pair, scope = fresh_pair(), fresh_scope()
    written = chain_of(pair, EMPTY_HEAD, ["one"])
    record = file_record(scope)
    log, beliefs, concepts, records = aws.episode_log, aws.belief_store, aws.concept_store, aws.record_store
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("GetItem", lambda: log.head(pair)),
        ("GetItem", lambda: log.receipt(pair, "k")),
        ("BatchGetItem", lambda: log.read(pair, [1])),
        ("Query", lambda: list(log.scan(pair))),
        ("Query", lambda: log.latest(pair, 3)),
        ("Query", lambda: log.between(pair, start=None, end=None, kind=None, cursor=None, limit=3)),
        ("Query", lambda: list(log.active_pairs(written[0].recorded_at.date()))),
        ("TransactWriteItems", lambda: log.append(pair, written, EMPTY_HEAD, receipt_for(written))),
        ("Query", lambda: beliefs.current(pair)),
        (
            "TransactWriteItems",
            lambda: beliefs.save(
                pair, inserted=[belief(pair, "k")], changed=[], projected_to=Progress(1), expected=Progress()
            ),
        ),
        ("PutItem", lambda: concepts.add_file(record)),
        ("Query", lambda: concepts.files(scope)),
        (
            "TransactWriteItems",
            lambda: concepts.save_contribution(scope, contribution(record), record, expected=record),
        ),
        ("GetItem", lambda: concepts.load_map(scope)),
        ("BatchWriteItem", lambda: records.save_vectors(pair, {1: np.zeros(3, np.int8)}, "m")),
        ("Query", lambda: records.vectors(pair, "m")),
        ("GetItem", lambda: records.working_set(pair)),
    ]
    for operation, call in calls:
        outcomes = [failure() for _ in range(10)]
        with instead(aws.connection.client, operation, *outcomes), pytest.raises(StoreUnavailable) as raised:
            call()
        assert "SECRET" not in str(raised.value)
        assert raised.value.__cause__ is None


@pytest.mark.parametrize("code", ["SlowDown", "InternalError", "AccessDenied", "NoSuchBucket"])
def test_failures_of_s3_are_ours(aws: AwsStores, code: str) -> None:
    """S3's failures become one error as well, and a missing object is not one of them (SV-14)."""
    assert aws.content.get("nothing") is None
    bad = f"<Error><Code>{code}</Code><Message>SECRET</Message></Error>"
    for operation, call in (
        ("GetObject", lambda: aws.content.get("key")),
        ("PutObject", lambda: aws.content.put("key", b"x")),
        ("DeleteObject", lambda: aws.content.delete("key")),
        ("ListObjectVersions", lambda: aws.checkpoint_store.all(fresh_pair())),
    ):
        outcomes = [xml_answer(bad) for _ in range(10)]
        with instead(aws.s3, operation, *outcomes), pytest.raises(StoreUnavailable) as raised:
            call()
        assert str(raised.value) == f"s3: {code}"


def xml_answer(body: str) -> Any:
    response = dynamodb_error("x", status=503)
    response.raw = type(response.raw)(body.encode())
    return response


def test_a_failed_upload_of_text_appends_nothing(aws: AwsStores) -> None:
    """When a long text cannot be stored, its episode is not appended either (SV-14)."""
    pair = fresh_pair()
    written = chain_of(pair, EMPTY_HEAD, ["x" * 10_000])
    failures = [xml_answer("<Error><Code>SlowDown</Code></Error>") for _ in range(10)]
    with instead(aws.s3, "PutObject", *failures), pytest.raises(StoreUnavailable):
        aws.episode_log.append(pair, written, EMPTY_HEAD, receipt_for(written))
    assert aws.episode_log.head(pair) == EMPTY_HEAD


def unprocessed(aws: AwsStores, kind: str, table: str, keys: list[dict[str, Any]]) -> Any:
    from support.aws_faults import answer

    if kind == "UnprocessedKeys":
        return answer(200, {"Responses": {}, kind: {f"{aws.prefix}-{table}": {"Keys": keys}}})
    return answer(200, {kind: {f"{aws.prefix}-{table}": [{"PutRequest": {"Item": key}} for key in keys]}})


def test_unprocessed_keys_are_asked_for_again(aws: AwsStores) -> None:
    """Keys that a throttled batch read leaves out are read by the next try, or reported, never lost (SV-14)."""
    pair = fresh_pair()
    written = chain_of(pair, EMPTY_HEAD, ["one"])
    aws.episode_log.append(pair, written, EMPTY_HEAD, receipt_for(written))
    keys = [{"pk": {"S": pair.key}, "sk": {"S": "E#000000000001"}}]
    left = [unprocessed(aws, "UnprocessedKeys", "episodes", keys) for _ in range(9)]
    with instead(aws.connection.client, "BatchGetItem", *left[:2]):
        assert aws.episode_log.read(pair, [1]) == written
    with instead(aws.connection.client, "BatchGetItem", *left[2:]), pytest.raises(StoreUnavailable):
        aws.episode_log.read(pair, [1])


def test_unprocessed_items_are_written_again(aws: AwsStores) -> None:
    """Items that a throttled batch write leaves out are written by the next try, or reported, never lost (SV-14)."""
    pair = fresh_pair()
    vector = np.arange(3, dtype=np.int8)
    item = {
        "pk": {"S": pair.key},
        "sk": {"S": "V#000000000001"},
        "vector": {"B": "AAEC"},
        "embedder": {"S": "m"},
    }
    left = [unprocessed(aws, "UnprocessedItems", "records", [item]) for _ in range(9)]
    with instead(aws.connection.client, "BatchWriteItem", *left[:2]) as sent:
        aws.record_store.save_vectors(pair, {1: vector}, "m")
    assert len(sent) == 3
    assert np.array_equal(aws.record_store.vectors(pair, "m")[1], vector)
    with instead(aws.connection.client, "BatchWriteItem", *left[2:]), pytest.raises(StoreUnavailable):
        aws.record_store.save_vectors(pair, {1: vector}, "m")


def test_conflicting_file_changes_are_retried(aws: AwsStores) -> None:
    """Two files read at once conflict on the revision; that is retried, and given up by name, never shown (SV-14)."""
    scope = fresh_scope()
    record = file_record(scope)
    aws.concept_store.add_file(record)
    conflict = [cancelled(OK, CONFLICT) for _ in range(9)]
    with instead(aws.connection.client, "TransactWriteItems", *conflict[:3]):
        assert aws.concept_store.update_file(record, expected=record) == 1
    with instead(aws.connection.client, "TransactWriteItems", *conflict[3:]), pytest.raises(Busy):
        aws.concept_store.update_file(record, expected=record)
    with (
        instead(aws.connection.client, "TransactWriteItems", cancelled(FAILED, CONFLICT)),
        pytest.raises(RevisionMoved),
    ):
        aws.concept_store.update_file(record, expected=record)
    with (
        instead(aws.connection.client, "TransactWriteItems", cancelled(FAILED, CONFLICT)),
        pytest.raises(NotFound),
    ):
        aws.concept_store.update_file(file_record(scope), expected=record)


def test_conflicting_beliefs_are_re_read(aws: AwsStores) -> None:
    """A save of beliefs that meets another one under way is told to read again (BE-2)."""
    pair = fresh_pair()
    with (
        instead(aws.connection.client, "TransactWriteItems", cancelled(OK, OK, CONFLICT)),
        pytest.raises(RevisionMoved),
    ):
        aws.belief_store.save(
            pair, inserted=[belief(pair, "k")], changed=[], projected_to=Progress(1), expected=Progress()
        )


def test_litter_is_no_failure(aws: AwsStores) -> None:
    """A working set is published even when the one before it cannot be removed (NI-2)."""
    from contracts.record_store import assert_same, segment

    pair = fresh_pair()
    aws.record_store.save_working_set(pair, segment(3))
    failures = [xml_answer("<Error><Code>AccessDenied</Code></Error>") for _ in range(3)]
    with instead(aws.s3, "DeleteObject", *failures):
        aws.record_store.save_working_set(pair, segment(4))
    assert_same(aws.record_store.working_set(pair), segment(4))
