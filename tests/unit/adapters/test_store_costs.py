"""What each call of a turn costs, in requests and bytes: constant, whatever the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from anamnesis.adapters.request_meter import Traffic
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD
from anamnesis.domain.log.progress import Progress
from contracts.concept_store import subject_map
from contracts.examples import belief, chain_of, fresh_pair, head_of, receipt_for
from contracts.record_store import segment
from support.aws_stores import AwsStores


def spent(aws: AwsStores, call: Callable[[], Any]) -> dict[str, int]:
    """Requests of a call by operation."""
    with aws.meter.measure() as measured:
        call()
    return {operation: traffic.requests for operation, traffic in measured.by_operation.items()}


@pytest.fixture
def pair() -> Pair:
    return fresh_pair()


def test_an_append_is_one_request(aws: AwsStores, pair: Pair) -> None:
    """An append costs one transaction, and one object for each long text (EP-7)."""
    short = chain_of(pair, EMPTY_HEAD, ["a", "b"])
    assert spent(aws, lambda: aws.episode_log.append(pair, short, EMPTY_HEAD, receipt_for(short))) == {
        "dynamodb.TransactWriteItems": 1
    }
    head = head_of(short)
    long = chain_of(pair, head, ["x" * 5_000, "y", "z" * 5_000])
    assert spent(aws, lambda: aws.episode_log.append(pair, long, head, receipt_for(long))) == {
        "dynamodb.TransactWriteItems": 1,
        "s3.PutObject": 2,
    }


def test_reading_episodes_without_long_texts_asks_s3_for_nothing(aws: AwsStores, pair: Pair) -> None:
    """Latest episodes, and a hundred by position, cost one request; each long text one more, if asked for (RC-1)."""
    head = EMPTY_HEAD
    for letter in "ab":
        written = chain_of(pair, head, [letter * 5_000, *("y" for _ in range(30))])
        aws.episode_log.append(pair, written, head, receipt_for(written))
        head = head_of(written)
    log = aws.episode_log
    assert spent(aws, lambda: log.latest(pair, 40)) == {"dynamodb.Query": 1}
    assert spent(aws, lambda: log.read(pair, range(1, 63), with_text=False)) == {"dynamodb.BatchGetItem": 1}
    assert spent(aws, lambda: list(log.scan(pair, after=20, with_text=False))) == {"dynamodb.Query": 1}
    assert spent(aws, lambda: log.read(pair, range(1, 63))) == {"dynamodb.BatchGetItem": 1, "s3.GetObject": 2}
    assert (
        spent(aws, lambda: log.head(pair))
        == spent(aws, lambda: log.receipt(pair, "k"))
        == {"dynamodb.GetItem": 1}
    )


def test_current_beliefs_cost_the_same_after_many_changes(aws: AwsStores, pair: Pair) -> None:
    """Reading current beliefs costs one request of the same size, however many rows were superseded (BE-2)."""
    store = aws.belief_store
    old = belief(pair, "osmosis")
    store.save(pair, inserted=[old], changed=[], projected_to=Progress(1), expected=Progress())
    with aws.meter.measure() as before:
        store.current(pair)
    for position in range(1, 12):
        new = belief(pair, "osmosis")
        changed = [replace(row, superseded_by=new.id) for row in store.current(pair)]
        store.save(
            pair,
            inserted=[new],
            changed=changed,
            projected_to=Progress(position + 1),
            expected=store.projected_to(pair),
        )
    with aws.meter.measure() as after:
        assert len(store.current(pair)) == 1
    assert len(store.history(pair)) == 12
    assert before.total == after.total
    assert after.total.requests == 1


def test_known_objects_cost_one_small_read(aws: AwsStores, pair: Pair) -> None:
    """A map or a working set that did not change costs one read below a kilobyte (RC-1)."""
    aws.record_store.save_working_set(pair, segment(500))
    aws.concept_store.save_map(pair.scope, subject_map(pair.scope, 10_000 + len(pair.key), concepts=200))
    known_set = aws.record_store.working_set(pair)
    known_map = aws.concept_store.load_map(pair.scope)
    for call in (
        lambda: aws.record_store.working_set(pair, known=known_set),
        lambda: aws.concept_store.load_map(pair.scope, known=known_map),
    ):
        with aws.meter.measure() as measured:
            call()
        [(operation, traffic)] = measured.by_operation.items()
        assert operation == "dynamodb.GetItem"
        assert traffic.requests == 1
        assert traffic.received_bytes < 1_000
    assert spent(aws, lambda: aws.record_store.working_set(pair)) == {
        "dynamodb.GetItem": 1,
        "s3.GetObject": 1,
    }


def test_replaced_objects_do_not_pile_up(aws: AwsStores, pair: Pair) -> None:
    """Publishing a working set again leaves one object of it, and so does a map (SV-5)."""
    for rows in (1, 2, 3, 3):
        aws.record_store.save_working_set(pair, segment(rows))
    found = aws.s3.list_objects_v2(Bucket=f"{aws.prefix}-content", Prefix=f"working-sets/{pair.key}/")
    assert found["KeyCount"] == 1


def test_keys_fit_for_the_longest_names(aws: AwsStores) -> None:
    """The longest names in the widest script still give keys that DynamoDB and S3 accept (SV-12)."""
    pair = Pair("ж" * 32, "ж" * 64, "ж" * 64)
    written = chain_of(pair, EMPTY_HEAD, ["x" * 5_000])
    aws.episode_log.append(pair, written, EMPTY_HEAD, receipt_for(written))
    aws.record_store.save_working_set(pair, segment(2))
    for listed in aws.s3.list_objects_v2(Bucket=f"{aws.prefix}-content")["Contents"]:
        assert len(listed["Key"].encode()) <= 1_024
    assert list(aws.episode_log.scan(pair)) == written


def test_the_meter_counts_bodies(aws: AwsStores) -> None:
    """The meter counts each request and the sizes of both bodies, streamed ones included (SV-15)."""
    with aws.meter.measure() as measured:
        aws.content.put("metered", b"x" * 12_345)
        aws.content.get("metered")
    assert measured.by_operation["s3.PutObject"].sent_bytes == 12_345
    assert measured.by_operation["s3.GetObject"].received_bytes == 12_345
    assert measured.total.requests == 2
    with aws.meter.measure() as nothing:
        pass
    assert nothing.total == Traffic()
