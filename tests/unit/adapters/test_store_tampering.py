"""Rows and objects that another hand changed."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from anamnesis.adapters.array_bundle import pack
from anamnesis.adapters.dynamodb.episode_rows import ERASABLE
from anamnesis.domain.errors import HeadMoved, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, verify_chain
from anamnesis.domain.log.checkpoints import Checkpoint, filing_name
from anamnesis.domain.log.episodes import AppendReceipt, Episode, erased
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
    return {found.position for found in verify_chain(log.rows(pair), log.head(pair), pair).breaks}


def named(aws: AwsStores, pair: Pair) -> set[tuple[int, str]]:
    log = aws.episode_log
    return {(b.position, b.kind) for b in verify_chain(log.rows(pair), log.head(pair), pair).breaks}


def stored(aws: AwsStores, pair: Pair, sk: str) -> dict[str, Any]:
    key = {"pk": {"S": pair.key}, "sk": {"S": sk}}
    return aws.dynamodb.get_item(TableName=f"{aws.prefix}-episodes", Key=key)["Item"]


def put(aws: AwsStores, item: dict[str, Any]) -> None:
    aws.dynamodb.put_item(TableName=f"{aws.prefix}-episodes", Item=item)


def every_reading(aws: AwsStores, pair: Pair) -> list[int]:
    """Positions that any way of reading the log gives back; pages by time are followed one episode at a time."""
    log = aws.episode_log
    found = [*log.scan(pair), *log.latest(pair, 9), *log.read(pair, range(-2, 12))]
    cursor = None
    for _ in range(30):
        page, cursor = log.between(pair, start=None, end=None, kind=None, cursor=cursor, limit=1)
        found += page
        if cursor is None:
            return sorted({e.position for e in found})
    raise AssertionError("the pages by time have no end")


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


@pytest.mark.parametrize(
    "sk, position",
    [
        ("E#000000000000", 0),
        ("E#-00000000001", 0),
        ("E#5", 5),
        ("E#zzz", 0),
        ("E#", 0),
        ("E#0000000000003", 0),
        ("E#00000000000٣", 0),
        ("E# 00000000003", 0),
        ("E#000000000003#", 0),
    ],
)
def test_a_row_at_no_position_is_named_and_never_read(
    aws: AwsStores, pair: Pair, written: list[Episode], sk: str, position: int
) -> None:
    """A forged row whose key is no position from 1 on is named, and no way of reading gives it back (EP-4)."""
    put(aws, {**stored(aws, pair, "E#000000000003"), "sk": {"S": sk}})
    assert named(aws, pair) == {(position, "malformed_row")}
    assert every_reading(aws, pair) == [1, 2, 3, 4]
    assert [e.position for e in aws.episode_log.latest(pair, 4)] == [4, 3, 2, 1]


def test_a_row_that_is_no_episodes_is_never_listed(
    aws: AwsStores, pair: Pair, written: list[Episode]
) -> None:
    """A row outside the log that the index by time holds all the same is not listed (EP-4)."""
    put(aws, {**stored(aws, pair, "E#000000000003"), "sk": {"S": "X#000000000003"}})
    page, _ = aws.episode_log.between(pair, start=None, end=None, kind=None, cursor=None, limit=9)
    assert sorted(e.position for e in page) == [1, 2, 3, 4]
    assert breaks(aws, pair) == set()


def test_an_unreadable_row_behind_the_head_is_named(
    aws: AwsStores, pair: Pair, written: list[Episode]
) -> None:
    """A row behind the end of the log is named even when nothing in it can be read (EP-4)."""
    put(aws, {"pk": {"S": pair.key}, "sk": {"S": "E#000000000009"}})
    assert named(aws, pair) == {(9, "malformed_row")}


@pytest.mark.parametrize(
    "respelled",
    [
        lambda occurred: occurred[:-1] + "9",
        lambda occurred: occurred.partition("#")[0],
        lambda occurred: occurred.replace("Z#", "+00:00#"),
        lambda occurred: occurred.replace("Z#", "Z#0"),
    ],
)
def test_a_row_filed_elsewhere_by_time_is_named(
    aws: AwsStores, pair: Pair, written: list[Episode], respelled: Any
) -> None:
    """A key of the index by time that was changed without the time is named, and listing it has an end (EP-4)."""
    item = stored(aws, pair, "E#000000000003")
    put(aws, {**item, "occurred": {"S": respelled(item["occurred"]["S"])}})
    assert named(aws, pair) == {(3, "index_altered")}
    assert every_reading(aws, pair) == [1, 2, 3, 4]
    page, _ = aws.episode_log.between(pair, start=None, end=None, kind=None, cursor=None, limit=9)
    assert sorted(e.position for e in page) == [1, 2, 4]


@pytest.mark.parametrize(
    "name, value",
    [
        ("evidence", '[["f",1,2]]'),
        ("evidence", '[["f",true,"x"]]'),
        ("evidence", '["abc"]'),
        ("evidence", '[["f",1,"\\ud800"]]'),
        ("evidence", "[" * 100_000),
        ("concepts", '"abc"'),
        ("concepts", "[1]"),
        ("memory_ids", '{"a":1}'),
        ("outcome", '{"correct":1,"score":1.0,"concept":null,"predicted":null}'),
        ("outcome", '{"correct":true,"score":"1","concept":null,"predicted":null}'),
        ("outcome", '{"correct":true,"score":1.0,"concept":5,"predicted":null}'),
        ("outcome", '{"correct":true,"score":1.0,"concept":null,"predicted":NaN}'),
        ("salience", "nan"),
        ("recorded_at", "2026-01-01T00:00:00"),
        ("recorded_at", "0001-01-01T00:00:00+14:00"),
        ("occurred", "2026-01-01T00:00:00#000000000002"),
    ],
)
def test_an_unreadable_row_is_left_out_and_named(
    aws: AwsStores, pair: Pair, written: list[Episode], name: str, value: str
) -> None:
    """A row with a value of the wrong shape is left out of every reading, ends none of them and is named (EP-4)."""
    put(aws, {**stored(aws, pair, "E#000000000002"), name: {"S": value}})
    assert {(2, "malformed_row"), (2, "missing")} <= named(aws, pair)
    assert every_reading(aws, pair) == [1, 3, 4]
    assert [e.position for e in aws.episode_log.scan(pair, limit=3)] == [1, 3, 4]


@pytest.mark.parametrize("salt", ["no hex", "", "é"])
def test_an_unusable_salt_is_named(aws: AwsStores, pair: Pair, written: list[Episode], salt: str) -> None:
    """A salt that is no hex does not verify and does not end verification (EP-4)."""
    put(aws, {**stored(aws, pair, "E#000000000002"), "salt": {"S": salt}})
    assert named(aws, pair) == {(2, "content_altered")}


@pytest.mark.parametrize(
    "changes",
    [
        {"length": {"S": "4"}},
        {"length": {"N": "3.5"}},
        {"length": {"N": "-1"}},
        {"length": {"N": str(10**12)}},
        {"length": {"NULL": True}},
        {"hash": {"N": "1"}},
        {"hash": {"NULL": True}},
    ],
)
def test_an_unreadable_head_is_named_and_not_appended_to(
    aws: AwsStores, pair: Pair, written: list[Episode], changes: dict[str, Any]
) -> None:
    """A head that cannot be one leaves every row beyond it, and nothing is appended to such a log (EP-4)."""
    put(aws, {**stored(aws, pair, "HEAD"), **changes})
    assert {(n, "beyond_head") for n in range(1, 5)} == named(aws, pair)
    head = aws.episode_log.head(pair)
    more = chain_of(pair, head, ["more"])
    with pytest.raises(HeadMoved):
        aws.episode_log.append(pair, more, head, receipt_for(more))


def test_an_unreadable_head_of_an_empty_log_is_named(aws: AwsStores, pair: Pair) -> None:
    """A head that cannot be one is a break even when there is no row (EP-4)."""
    put(aws, {"pk": {"S": pair.key}, "sk": {"S": "HEAD"}, "length": {"S": "x"}, "hash": {"S": "0" * 64}})
    assert named(aws, pair) == {(0, "head_hash")}


@pytest.mark.parametrize(
    "changes",
    [{"first_position": {"S": "1"}}, {"last_position": {"N": "1.5"}}, {"request_hash": {"NULL": True}}],
)
def test_an_unreadable_receipt_is_of_no_request(
    aws: AwsStores, pair: Pair, written: list[Episode], changes: dict[str, Any]
) -> None:
    """A receipt edited to what it cannot be answers for no request, and its key stays used (EP-7)."""
    more = chain_of(pair, aws.episode_log.head(pair), ["more"])
    receipt = receipt_for(more, "the key")
    aws.episode_log.append(pair, more, aws.episode_log.head(pair), receipt)
    sk = "RECEIPT#" + hashlib.sha256(b"the key").hexdigest()
    put(aws, {**stored(aws, pair, sk), **changes})
    assert aws.episode_log.receipt(pair, "the key") == AppendReceipt("the key", "", 0, 0)


def test_an_old_receipt_is_read(aws: AwsStores, pair: Pair, written: list[Episode]) -> None:
    """A receipt kept before receipts had hashes says what it says, and no more (EP-7)."""
    more = chain_of(pair, aws.episode_log.head(pair), ["more"])
    receipt = replace(receipt_for(more), first_hash=None, last_hash=None)
    aws.episode_log.append(pair, more, aws.episode_log.head(pair), receipt)
    sk = "RECEIPT#" + hashlib.sha256(receipt.key.encode()).hexdigest()
    assert "first_hash" not in stored(aws, pair, sk)
    assert aws.episode_log.receipt(pair, receipt.key) == receipt


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


def test_erased_content_verifies_only_with_its_record(
    aws: AwsStores, pair: Pair, written: list[Episode]
) -> None:
    """A row whose content and salt are gone verifies where a deletion record covers it, and nowhere else (EP-8)."""
    aws.dynamodb.update_item(
        TableName=f"{aws.prefix}-episodes",
        Key={"pk": {"S": pair.key}, "sk": {"S": "E#000000000002"}},
        UpdateExpression="REMOVE " + ", ".join(f"#a{n}" for n in range(len(ERASABLE))),
        ExpressionAttributeNames={f"#a{n}": a.attr_name for n, a in enumerate(ERASABLE)},
    )
    assert aws.episode_log.read(pair, [2]) == [erased(written[1])]
    assert named(aws, pair) == {(2, "content_missing")}
    log = aws.episode_log
    assert verify_chain(log.rows(pair), log.head(pair), pair, deleted={2}).verified


@pytest.mark.parametrize("gone", [["summary"], ["text"], ["topic"], ["summary", "text", "salt"], ["salt"]])
@pytest.mark.parametrize("deleted", [(), {2}])
def test_content_gone_in_part_is_named(
    aws: AwsStores, pair: Pair, written: list[Episode], gone: list[str], deleted: set[int]
) -> None:
    """What is left when only parts of the content were taken out is altered content, deleted or not (EP-8)."""
    item = stored(aws, pair, "E#000000000002")
    put(aws, {name: value for name, value in item.items() if name not in gone})
    log = aws.episode_log
    report = verify_chain(log.rows(pair), log.head(pair), pair, deleted=deleted)
    assert [(b.position, b.kind) for b in report.breaks] == [(2, "content_altered")]


def test_an_overwritten_checkpoint_is_still_seen(aws: AwsStores, pair: Pair) -> None:
    """A checkpoint hidden under a new version or a delete marker is listed all the same (EP-5)."""
    bucket = f"{aws.prefix}-checkpoints"
    true, false = Checkpoint(3, "a" * 64, "true note"), Checkpoint(3, "", "false note")
    aws.checkpoint_store.add(pair, true)
    [key] = [
        o["Key"] for o in aws.s3.list_objects_v2(Bucket=bucket, Prefix=f"{filing_name(pair)}/")["Contents"]
    ]
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
