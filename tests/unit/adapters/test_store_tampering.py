"""Rows and objects that another hand changed."""

from __future__ import annotations

from typing import Any

import pytest

from anamnesis.adapters.array_bundle import pack
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, verify_chain
from anamnesis.domain.log.checkpoints import Checkpoint
from anamnesis.domain.log.episodes import Episode
from contracts.concept_store import subject_map
from contracts.examples import TEXTS, chain_of, fresh_pair, fresh_scope, receipt_for
from contracts.record_store import assert_same, segment
from support.aws_stores import AwsStores

#: Attributes of an episode row and a value of the right type that is not what was written.
EDITS: list[tuple[str, dict[str, Any]]] = [
    ("kind", {"S": "taught"}),
    ("kind", {"S": "no such kind"}),
    ("kind", {"N": "3"}),
    ("occurred", {"S": "2026-01-01T00:00:00.000000Z#000000000002"}),
    ("occurred", {"S": "yesterday"}),
    ("recorded_at", {"S": "2026-01-01T00:00:00.000000Z"}),
    ("id", {"S": "0" * 26}),
    ("summary", {"S": "Edited."}),
    ("text", {"S": "Edited."}),
    ("topic", {"S": "Edited."}),
    ("evaluation", {"S": "Edited."}),
    ("salt", {"S": "00" * 16}),
    ("commitment", {"S": "00" * 32}),
    ("concepts", {"S": '["edited"]'}),
    ("concepts", {"S": "no json"}),
    ("salience", {"S": "0.36"}),
    ("language", {"S": "xx"}),
    ("session_id", {"S": "another"}),
    ("outcome", {"S": '{"correct":true,"score":1.0,"concept":null,"predicted":null}'}),
    ("outcome", {"S": '{"wrong":1}'}),
    ("evidence", {"S": "[]"}),
    ("evidence", {"S": "[[1]]"}),
    ("evidence", {"S": "{}"}),
    ("memory_ids", {"S": "[]"}),
    ("about_record", {"BOOL": False}),
    ("previous_hash", {"S": "00" * 32}),
    ("hash", {"S": "00" * 32}),
]


@pytest.fixture
def pair() -> Pair:
    return fresh_pair()


@pytest.fixture
def written(aws: AwsStores, pair: Pair) -> list[Episode]:
    episodes = chain_of(pair, EMPTY_HEAD, [*TEXTS[:3], "long " * 2_000])
    aws.episode_log.append(pair, episodes, EMPTY_HEAD, receipt_for(episodes))
    return episodes


def breaks(aws: AwsStores, pair: Pair) -> set[int]:
    log = aws.episode_log
    return {found.position for found in verify_chain(log.scan(pair), log.head(pair), pair).breaks}


@pytest.mark.parametrize("name,value", EDITS)
def test_an_edited_row_is_found(
    aws: AwsStores, pair: Pair, written: list[Episode], name: str, value: dict[str, Any]
) -> None:
    """Whatever attribute of a row is edited, to a possible value or not, verification names its position (EP-4)."""
    assert breaks(aws, pair) == set()
    aws.dynamodb.update_item(
        TableName=f"{aws.prefix}-episodes",
        Key={"pk": {"S": pair.key}, "sk": {"S": "E#000000000002"}},
        UpdateExpression="SET #n = :v",
        ExpressionAttributeNames={"#n": name},
        ExpressionAttributeValues={":v": value},
    )
    assert 2 in breaks(aws, pair)
    aws.episode_log.latest(pair, 4)
    aws.episode_log.read(pair, [1, 2, 3])
    aws.episode_log.between(pair, start=None, end=None, kind=None, cursor=None, limit=9)


def test_a_removed_row_is_found(aws: AwsStores, pair: Pair, written: list[Episode]) -> None:
    """A row that is gone shows as a break at its position (EP-4)."""
    key = {"pk": {"S": pair.key}, "sk": {"S": "E#000000000002"}}
    aws.dynamodb.delete_item(TableName=f"{aws.prefix}-episodes", Key=key)
    assert 2 in breaks(aws, pair)


@pytest.mark.parametrize("data", [b"edited", b"\xff\xfe", b""])
def test_an_edited_long_text_is_found(
    aws: AwsStores, pair: Pair, written: list[Episode], data: bytes
) -> None:
    """A long text edited in its bucket, or removed from it, breaks the chain at its episode (EP-4)."""
    [listed] = aws.s3.list_objects_v2(Bucket=f"{aws.prefix}-content", Prefix=f"texts/{pair.key}/")["Contents"]
    aws.content.put(listed["Key"], data)
    assert breaks(aws, pair) == {4}
    aws.content.delete(listed["Key"])
    assert breaks(aws, pair) == {4}


def test_a_row_cannot_name_anothers_text(aws: AwsStores, pair: Pair, written: list[Episode]) -> None:
    """A row edited to point at another student's text brings back its own beginning instead (SV-11)."""
    other = fresh_pair()
    theirs = chain_of(other, EMPTY_HEAD, ["theirs " * 2_000])
    aws.episode_log.append(other, theirs, EMPTY_HEAD, receipt_for(theirs))
    [listed] = aws.s3.list_objects_v2(Bucket=f"{aws.prefix}-content", Prefix=f"texts/{other.key}/")[
        "Contents"
    ]
    aws.dynamodb.update_item(
        TableName=f"{aws.prefix}-episodes",
        Key={"pk": {"S": pair.key}, "sk": {"S": "E#000000000004"}},
        UpdateExpression="SET text_object = :v",
        ExpressionAttributeValues={":v": {"S": listed["Key"]}},
    )
    [read] = aws.episode_log.read(pair, [4])
    assert read.content is not None
    assert read.content.text == ("long " * 2_000)[:500]
    assert breaks(aws, pair) == {4}


def test_erased_content_still_verifies(aws: AwsStores, pair: Pair, written: list[Episode]) -> None:
    """A row whose content and salt are gone is an episode without content, and its chain verifies (EP-8)."""
    aws.dynamodb.update_item(
        TableName=f"{aws.prefix}-episodes",
        Key={"pk": {"S": pair.key}, "sk": {"S": "E#000000000002"}},
        UpdateExpression="REMOVE summary, #t, topic, evaluation, salt",
        ExpressionAttributeNames={"#t": "text"},
    )
    [erased] = aws.episode_log.read(pair, [2])
    assert (erased.content, erased.salt) == (None, None)
    assert breaks(aws, pair) == set()


def test_an_overwritten_checkpoint_is_still_seen(aws: AwsStores, pair: Pair) -> None:
    """A checkpoint hidden under a new version or a delete marker is listed all the same (EP-5)."""
    bucket = f"{aws.prefix}-checkpoints"
    true, false = Checkpoint(3, "a" * 64, "true note"), Checkpoint(3, "", "false note")
    aws.checkpoint_store.add(pair, true)
    [key] = [o["Key"] for o in aws.s3.list_objects_v2(Bucket=bucket, Prefix=f"{pair.key}/")["Contents"]]
    aws.s3.put_object(Bucket=bucket, Key=key, Body=b"false note")
    assert aws.checkpoint_store.all(pair) == [false, true]
    aws.s3.delete_object(Bucket=bucket, Key=key)
    assert aws.checkpoint_store.all(pair) == [false, true]


def test_a_damaged_working_set_is_none(aws: AwsStores, pair: Pair) -> None:
    """A working set whose object was damaged or removed is as if there were none, and the next one heals it (NI-2)."""
    store = aws.record_store
    store.save_working_set(pair, segment(3))
    [listed] = aws.s3.list_objects_v2(Bucket=f"{aws.prefix}-content", Prefix=f"working-sets/{pair.key}/")[
        "Contents"
    ]
    aws.content.put(listed["Key"], b"damaged")
    assert store.working_set(pair) is None
    aws.content.delete(listed["Key"])
    assert store.working_set(pair) is None
    store.save_working_set(pair, segment(3))
    assert_same(store.working_set(pair), segment(3))


def test_a_damaged_map_is_an_error(aws: AwsStores) -> None:
    """A map whose object was damaged is an error of ours, never an empty map (SV-14)."""
    scope = fresh_scope()
    aws.concept_store.save_map(scope, subject_map(scope, 1))
    [listed] = aws.s3.list_objects_v2(Bucket=f"{aws.prefix}-content", Prefix=f"maps/{scope.key}/")["Contents"]
    for damaged in (b"damaged", pack({}, {}), pack([], {})):
        aws.content.put(listed["Key"], damaged)
        with pytest.raises(StoreUnavailable):
            aws.concept_store.load_map(scope)
