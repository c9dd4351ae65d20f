"""Beliefs that take several transactions to store: cut in between, contended, and over rows of an older form."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.beliefs.rederivation import RETIRED
from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.errors import RevisionMoved, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.progress import Progress
from contracts.examples import belief, fresh_pair
from support.aws_faults import dynamodb_error, instead
from support.aws_stores import AwsStores
from support.memory_stores import MemoryErasureStore
from support.wired_memory import NOW, Memory, check

#: Rows in one transaction here.
FEW = 3
NAMES = ("Osmosis", "Cytoplasm", "Mitochondria", "Ribosome", "Nucleus")
FILE = "\n".join(f"{name}: {name} is a part of the matter." for name in NAMES).encode()


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anamnesis.adapters.dynamodb.belief_store.ROWS_IN_TRANSACTION", FEW)


def with_beliefs(aws: AwsStores, pair: Pair) -> Memory:
    """Each concept believed because of two checks, the first of which is erased; nothing is rebuilt yet."""
    memory = Memory(replace={"beliefs": lambda _: aws.belief_store})
    memory.add_file(FILE, pair=pair)
    first = memory.say(*[check(name, correct=False) for name in NAMES], pair=pair)
    memory.say(*[check(name, at=NOW + timedelta(days=1)) for name in NAMES], pair=pair)
    MemoryErasureStore(memory.raw_log).erase(pair, [e.position for e in first[:4]], {})
    return memory


def told(rows: list[Belief]) -> list[tuple[object, ...]]:
    """What rows say and what the one after them says, without ids: those differ with the episodes'."""
    said = {row.id: (row.concept, row.claim.value, len(row.evidence)) for row in rows}
    return sorted((*said[row.id], str(said.get(row.superseded_by or "", row.superseded_by))) for row in rows)


def test_a_rebuild_cut_at_any_transaction_is_taken_up(aws: AwsStores) -> None:
    """Wherever many rows are cut off, no concept has two beliefs, and the next call ends as without (EP-8, SV-14)."""
    whole = with_beliefs(aws, pair := fresh_pair())
    with instead(aws.connection.client, "TransactWriteItems") as sent:
        whole.project(pair)
    expected, transactions = told(aws.belief_store.history(pair)), len(sent)
    covered = aws.belief_store.projected_to(pair)
    assert transactions > FEW
    for cut in range(transactions):
        memory = with_beliefs(aws, pair := fresh_pair())
        failure = dynamodb_error("ValidationException")
        with instead(aws.connection.client, "TransactWriteItems", *[None] * cut, failure):
            assert not memory.project.quietly(pair)
        standing = [row.concept for row in aws.belief_store.current(pair)]
        assert len(standing) == len(set(standing)), cut
        assert aws.belief_store.projected_to(pair).erasures == 0
        memory.fresh()
        memory.project(pair)
        assert told(aws.belief_store.history(pair)) == expected, cut
        assert aws.belief_store.projected_to(pair) == covered, cut


def test_nobody_saves_between_two_parts(aws: AwsStores) -> None:
    """Who has read before the first of several transactions can store nothing after it (BE-2)."""
    pair, store = fresh_pair(), aws.belief_store
    rows = [belief(pair, f"concept {n}") for n in range(3 * FEW)]
    failure = dynamodb_error("ValidationException")
    with (
        instead(aws.connection.client, "TransactWriteItems", None, failure),
        pytest.raises(StoreUnavailable),
    ):
        store.save(pair, inserted=rows, changed=[], projected_to=Progress(5), expected=Progress())
    assert store.projected_to(pair) == Progress()
    for late in ([belief(pair, "concept 0")], rows):
        with pytest.raises(RevisionMoved):
            store.save(pair, inserted=late, changed=[], projected_to=Progress(5), expected=Progress())
    assert len(store.current(pair)) == FEW
    store.save(pair, inserted=rows, changed=[], projected_to=Progress(5), expected=store.projected_to(pair))
    assert store.history(pair) == sorted(rows, key=lambda row: (row.created_at, row.id))


def test_rows_of_one_concept_change_together(aws: AwsStores) -> None:
    """A row that goes and the one that comes share a transaction, however many others there are (BE-2, EP-8)."""
    pair, store = fresh_pair(), aws.belief_store
    old = [belief(pair, f"concept {n}") for n in range(5)]
    store.save(pair, inserted=old, changed=[], projected_to=Progress(5), expected=Progress())
    new = [belief(pair, row.concept) for row in old]
    failure = dynamodb_error("ValidationException")
    read = store.projected_to(pair)
    with (
        instead(aws.connection.client, "TransactWriteItems", None, None, failure),
        pytest.raises(StoreUnavailable),
    ):
        store.save(
            pair,
            inserted=new,
            changed=[],
            removed=[row.id for row in old],
            projected_to=Progress(5, 1),
            expected=read,
        )
    current = store.current(pair)
    assert [row.concept for row in current] == [row.concept for row in old]
    assert {row.id for row in current} == {*(r.id for r in new[:2]), *(r.id for r in old[2:])}


def test_old_rows_count_as_nothing_erased(aws: AwsStores) -> None:
    """Projections stored when they stated a position only are read as such and go on from there (EP-8)."""
    pair = fresh_pair()
    row = {"pk": {"S": pair.key}, "sk": {"S": "PROJECTION"}, "position": {"N": "7"}}
    aws.dynamodb.put_item(TableName=f"{aws.prefix}-beliefs", Item=row)
    assert aws.belief_store.projected_to(pair) == Progress(7)
    aws.belief_store.save(pair, inserted=[], changed=[], projected_to=Progress(8), expected=Progress(7))
    assert aws.belief_store.projected_to(pair).revision == 1

    layer = StudentLayer(confirmed=frozenset({"a"}))
    aws.concept_store.save_layer(pair, layer, projected_to=Progress(7), expected=Progress())
    names = {"#e": "erasures", "#r": "revision", "#t": "tied_anew"}
    aws.dynamodb.update_item(
        TableName=f"{aws.prefix}-concepts",
        Key={"pk": {"S": pair.key}, "sk": {"S": "LAYER"}},
        UpdateExpression="REMOVE #e, #r, #t",
        ExpressionAttributeNames=names,
    )
    assert aws.concept_store.layer_position(pair) == Progress(7)
    aws.concept_store.save_layer(pair, layer, projected_to=Progress(8), expected=Progress(7))
    assert aws.concept_store.layer_position(pair) == Progress(8)


def test_a_marker_is_stored_like_any_pointer(aws: AwsStores) -> None:
    """A row that nothing took the place of is not current, and says so (BE-4)."""
    pair, store = fresh_pair(), aws.belief_store
    row = replace(belief(pair, "osmosis"), superseded_by=RETIRED)
    store.save(pair, inserted=[row], changed=[], projected_to=Progress(1), expected=Progress())
    assert (store.current(pair), store.history(pair)) == ([], [row])
