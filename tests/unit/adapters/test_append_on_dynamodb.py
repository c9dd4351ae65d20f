"""The whole append on DynamoDB and S3: many writers, answers that are lost, long texts."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from botocore.exceptions import ReadTimeoutError

from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.domain.log.chain import verify_chain
from contracts.examples import fresh_pair
from support.aws_faults import dynamodb_error, instead
from support.aws_stores import AwsStores
from support.wired_memory import Memory, answer, check, question

WRITERS, BATCHES_EACH = 8, 3
LONG = "What is osmosis? " * 600


@pytest.fixture
def memory(aws: AwsStores) -> Memory:
    """The use cases on the real stores, waiting for real."""
    memory = Memory(
        replace={
            "log": lambda _: aws.episode_log,
            "beliefs": lambda _: aws.belief_store,
            "concepts": lambda _: aws.concept_store,
        }
    )
    waiting = JitteredBackoff(base_seconds=0.005, cap_seconds=0.5)
    memory.project = replace(memory.project, backoff=waiting)
    memory.append = replace(memory.append, project=memory.project, backoff=waiting, monotonic=time.monotonic)
    return memory


def test_many_writers_make_one_chain_on_dynamodb(aws: AwsStores, memory: Memory) -> None:
    """Eight writers on one DynamoDB head, requests sent twice: one chain, each episode once, no error (EP-7)."""
    pair = fresh_pair()
    gate = threading.Barrier(WRITERS)

    def write(writer: int) -> list[tuple[str, str]]:
        gate.wait()
        said = []
        for number in range(BATCHES_EACH):
            # Two neighbours send the same request, at about the same time.
            key = f"{writer // 2} {number}"
            drafts = [question(f"Question {key}?"), check(correct=bool(writer % 4 < 2))]
            said += [(key, episode.id) for episode in memory.append(pair, key, drafts)]
        return said

    with ThreadPoolExecutor(WRITERS) as threads:
        said = [one for written in threads.map(write, range(WRITERS)) for one in written]
    log = list(aws.episode_log.scan(pair))
    assert len(log) == WRITERS // 2 * BATCHES_EACH * 2
    assert {episode.id for episode in log} == {episode_id for _, episode_id in said}
    assert len(set(said)) == len(log)
    assert verify_chain(aws.episode_log.rows(pair), aws.episode_log.head(pair), pair).verified
    memory.project(pair)
    assert aws.belief_store.projected_to(pair).position == len(log)


@pytest.mark.parametrize(
    "outcomes",
    [
        ["TransactionConflict"] * 3,
        ["ThrottlingError", "ProvisionedThroughputExceeded", "TransactionConflict", "ThrottlingError"],
    ],
)
def test_a_busy_table_is_not_the_callers_business(
    aws: AwsStores, memory: Memory, outcomes: list[str]
) -> None:
    """Conflicts and throttling inside a transaction are tried again until it goes through (EP-7)."""
    pair = fresh_pair()
    cancelled = [
        dynamodb_error("TransactionCanceledException", reasons=["None", code, "None", "None"])
        for code in outcomes
    ]
    with instead(aws.connection.client, "TransactWriteItems", *cancelled) as sent:
        said = memory.append(pair, "turn", [question()])
    assert len(sent) > len(outcomes)
    assert [e.id for e in aws.episode_log.scan(pair)] == [e.id for e in said]


@pytest.mark.parametrize(
    "code",
    [
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "TransactionInProgressException",
        "InternalServerError",
    ],
)
def test_a_failing_service_is_not_the_callers_business(
    aws: AwsStores, memory: Memory, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """A table that refuses for longer than the SDK tries is tried again with the same episodes (EP-7, SV-14)."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    pair = fresh_pair()
    status = 500 if code == "InternalServerError" else 400
    refusals = [dynamodb_error(code, status=status) for _ in range(4)]
    with instead(aws.connection.client, "TransactWriteItems", *refusals):
        said = memory.append(pair, "turn", [question()])
    assert [e.id for e in aws.episode_log.scan(pair)] == [e.id for e in said]


def test_a_long_text_tried_again_leaves_one_object(
    aws: AwsStores, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long text whose append is tried again, conflicts and lost answers included, is one object in the end (EP-7)."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    pair = fresh_pair()
    conflict = dynamodb_error(
        "TransactionCanceledException", reasons=["None", "TransactionConflict", "None", "None", "None"]
    )
    lost = [ReadTimeoutError(endpoint_url="https://dynamodb") for _ in range(3)]
    with instead(aws.connection.client, "TransactWriteItems", conflict, *lost, conflict):
        said = memory.append(pair, "turn", [question(LONG), answer()])
    kept = aws.s3.list_objects_v2(Bucket=f"{aws.prefix}-content", Prefix=f"texts/{pair.key}/")
    assert kept["KeyCount"] == 1
    (first, _) = aws.episode_log.scan(pair)
    assert first.content is not None
    assert first.content.text == LONG
    assert first.id == said[0].id
