"""Deletion records, and the removal of contents from the log itself, on the episodes' table and the content bucket."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pynamodb.exceptions import TransactWriteError
from pynamodb.expressions.update import Action
from pynamodb.transactions import TransactWrite

from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.adapters.dynamodb import activity
from anamnesis.adapters.dynamodb.attributes import instant_of
from anamnesis.adapters.dynamodb.connection import (
    DynamoConnection,
    dynamodb_errors,
    get_row,
    raw_items,
    update_if,
)
from anamnesis.adapters.dynamodb.episode_rows import ERASABLE, PREFIX, text_object_of_id, texts_of
from anamnesis.adapters.dynamodb.errors import CONDITION_FAILED, CONFLICT, cancellation_codes, unavailable
from anamnesis.adapters.dynamodb.head_rows import ERASING, HEAD, RECEIPT
from anamnesis.adapters.dynamodb.keys import at_position
from anamnesis.adapters.dynamodb.models import (
    ActivityRow,
    EpisodeRow,
    ErasedEventRow,
    ErasingRow,
    ErasureRow,
    HeadRow,
    ReceiptRow,
)
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.access import Role
from anamnesis.domain.errors import Busy
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import MAX_BATCH
from anamnesis.domain.log.erasures import (
    SEALED,
    Erasure,
    ErasureRequest,
    ErasureScope,
    ErasureStage,
    read_ranges,
    spelled,
    stages_before,
)

RECORD = "ERASURE#"
GONE = "GONE#"
#: Episodes erased in one transaction: two items each and the head, of the 100 that DynamoDB allows.
ERASED_AT_ONCE = 45
#: Receipts changed in one transaction, which is not for their sake: a batch can only put and delete.
UPDATED_AT_ONCE = 100
#: Tries against writers of the same log, every one of which moves the head.
MAX_TRIES = 40
#: Stands for the time of a record that cannot be read.
UNREADABLE_TIME = datetime(1970, 1, 1, tzinfo=UTC)
_BACKOFF = JitteredBackoff()


class DynamoErasureStore:
    """The port ``ErasureStore``; safe to use from many threads.

    Parameters
    ----------
    connection
        Where the tables are.
    episodes_table
        Holds the log, its head and receipts, and the deletion records beside them.
    records_table
        Holds the activity of days.
    content
        Holds texts that are too long for a row.
    """

    def __init__(
        self,
        connection: DynamoConnection,
        *,
        episodes_table: str,
        records_table: str,
        content: ContentObjects,
    ) -> None:
        self._connection = connection
        self._episodes = connection.bind(EpisodeRow, episodes_table)
        self._heads = connection.bind(HeadRow, episodes_table)
        self._receipts = connection.bind(ReceiptRow, episodes_table)
        self._records = connection.bind(ErasureRow, episodes_table)
        self._erasing = connection.bind(ErasingRow, episodes_table)
        self._events = connection.bind(ErasedEventRow, episodes_table)
        self._activity = connection.bind(ActivityRow, records_table)
        self._content = content

    def begin(self, erasure: Erasure) -> None:
        """Keep a signed deletion record and count the log's erasures up, in one transaction.

        Marks the pair active on the day of the request, so that the night comes by. The same id again changes nothing.
        """
        pair, key = erasure.pair, RECORD + erasure.id
        with dynamodb_errors():
            activity.day_row(pair, erasure.request.at, self._activity).save()

        def write(transaction: TransactWrite) -> None:
            transaction.save(self._record_row(erasure), condition=ErasureRow.pk.does_not_exist())
            transaction.update(self._erasing(pair.key, ERASING), actions=[ErasingRow.begun.add({erasure.id})])
            self._count(pair, transaction)

        self._until_done(write, done=lambda: get_row(self._records, pair.key, key) is not None)

    def all(self, pair: Pair) -> list[Erasure]:
        """Return every deletion record, oldest first; one that another hand made unreadable has an empty note."""
        rows = self._records.query(pair.key, ErasureRow.sk.startswith(RECORD), consistent_read=True)
        found = [_erasure_of(item, pair) for item in raw_items(rows)]
        return sorted(found, key=lambda erasure: (erasure.request.at, erasure.id))

    def count(self, pair: Pair) -> None:
        """Count the log's erasures up: whatever was prepared before is refused, or looked at once more."""
        self._until_done(lambda transaction: self._count(pair, transaction), done=lambda: False)

    def advance(self, erasure: Erasure, stage: ErasureStage, *, at: datetime) -> None:
        """Note how far an erasure has come, and when; it never goes back."""
        row = self._records(erasure.pair.key, RECORD + erasure.id)
        moved = [ErasureRow.stage.set(stage.value), ErasureRow.staged_at.set(at)]
        update_if(row, moved, ErasureRow.stage.is_in(*stages_before(stage)))
        # After the stage: a process that dies in between leaves readers looking for what is withheld in vain.
        erasing = self._erasing(erasure.pair.key, ERASING)
        update_if(erasing, [ErasingRow.begun.delete({erasure.id})], ErasingRow.begun.contains(erasure.id))

    def erase(self, pair: Pair, positions: Sequence[int], digests: Mapping[int, str]) -> None:
        """Remove the contents of the episodes at these positions, long texts included, and keep their digests.

        Each episode's contents go in the transaction that keeps its digest and counts the log's erasures up. Positions
        without a row change nothing; a row that is no episode any more has no digest and goes all the same.
        """
        for start in range(0, len(positions), ERASED_AT_ONCE):
            some = list(positions[start : start + ERASED_AT_ONCE])
            ids = self._ids(pair, some)
            if not ids:
                continue

            def write(transaction: TransactWrite, ids: Mapping[int, str] = ids) -> None:
                for position in ids:
                    transaction.update(
                        self._episodes(pair.key, at_position(PREFIX, position)),
                        actions=[attribute.remove() for attribute in ERASABLE],
                        condition=EpisodeRow.pk.exists(),
                    )
                # The same event may stand at several positions; a transaction takes an item once.
                events = {digests[position]: position for position in ids if position in digests}
                for digest, position in events.items():
                    transaction.save(self._events(pair.key, GONE + digest, position=position))
                self._count(pair, transaction)

            self._until_done(write, done=lambda: False)
            # Named by what stays of the row, so that a run after a crash right here still finds them.
            self._content.delete_many(text_object_of_id(pair, episode_id) for episode_id in ids.values())

    def known(self, pair: Pair, digests: Collection[str]) -> set[str]:
        """Return those of `digests` that belong to erased episodes of this pair."""
        keys = [(pair.key, GONE + digest) for digest in dict.fromkeys(digests)]
        found = self._connection.get_many(self._events, keys)
        return {item["sk"]["S"].removeprefix(GONE) for item in found}

    def forget_receipts(self, pair: Pair, positions: Collection[int], seal: Callable[[str], str]) -> None:
        """Remove from the receipts of these positions' appends what tells about the request: its key and its hash.

        In the hash's place stands what `seal` makes of it; a hash that is sealed already stays.
        """
        rows = self._receipts.query(pair.key, ReceiptRow.sk.startswith(RECEIPT), consistent_read=True)
        told = [
            (item["sk"]["S"], request_hash)
            for item in raw_items(rows)
            if (request_hash := _open_hash(item)) or item.get("key", {}).get("S")
            if any(position in positions for position in _span(item))
        ]
        for start in range(0, len(told), UPDATED_AT_ONCE):

            def write(
                transaction: TransactWrite, some: Sequence[tuple[str, str]] = told[start:][:UPDATED_AT_ONCE]
            ) -> None:
                for sort_key, request_hash in some:
                    forgotten: list[Action] = [ReceiptRow.key.set("")]
                    if request_hash:
                        forgotten.append(ReceiptRow.request_hash.set(seal(request_hash)))
                    transaction.update(self._receipts(pair.key, sort_key), actions=forgotten)

            self._until_done(write, done=lambda: False)

    def sweep(self, pair: Pair, positions: Collection[int], *, until: datetime) -> None:
        """Remove long texts that belong to no episode: of these positions, and all written before `until`."""
        gone = self._ids(pair, sorted(positions))
        self._content.delete_many(text_object_of_id(pair, episode_id) for episode_id in gone.values())
        old = set(self._content.keys(texts_of(pair), until=until))
        if not old:
            return
        # What was stored before `until` had its row long before now: an append lasts seconds.
        rows = self._episodes.query(
            pair.key,
            EpisodeRow.sk.startswith(PREFIX),
            filter_condition=EpisodeRow.text_object.exists(),
            attributes_to_get=["text_object"],
            consistent_read=True,
        )
        self._content.delete_many(old - {item["text_object"]["S"] for item in raw_items(rows)})

    def _ids(self, pair: Pair, positions: Sequence[int]) -> dict[int, str]:
        """Episode ids by position, of those that have a row."""
        keys = {at_position(PREFIX, p): p for p in positions}
        items = self._connection.get_many(self._episodes, [(pair.key, key) for key in keys])
        return {keys[item["sk"]["S"]]: item.get("id", {}).get("S", "") for item in items}

    def _count(self, pair: Pair, transaction: TransactWrite) -> None:
        transaction.update(self._heads(pair.key, HEAD), actions=[HeadRow.erasures.add(1)])

    def _record_row(self, erasure: Erasure) -> ErasureRow:
        return self._records(
            erasure.pair.key,
            RECORD + erasure.id,
            requested_at=erasure.request.at,
            scope=erasure.request.scope.value,
            by=erasure.request.by.value,
            positions=spelled(erasure.positions),
            note=erasure.note,
            length=erasure.length,
            stage=erasure.stage.value,
            staged_at=erasure.staged_at,
        )

    def _until_done(self, write: Callable[[TransactWrite], None], *, done: Callable[[], bool]) -> None:
        """Send a transaction until it is through, or `done` says that it was before."""
        for attempt in range(1, MAX_TRIES + 1):
            try:
                with self._connection.transaction() as transaction:
                    write(transaction)
            except TransactWriteError as error:
                codes = cancellation_codes(error)
                if CONDITION_FAILED in codes and done():
                    return
                if CONFLICT not in codes and CONDITION_FAILED not in codes:
                    raise unavailable(error) from None
                _BACKOFF.pause(attempt)
            else:
                return
        raise Busy("too many writers at once on this log; send the same request again")


def _open_hash(item: Mapping[str, Any]) -> str:
    """The request's hash of a raw receipt; empty when it has none, or is sealed already."""
    found = str(item.get("request_hash", {}).get("S", ""))
    return "" if found.startswith(SEALED) else found


def _span(item: Mapping[str, Any]) -> range:
    """Positions that a raw receipt tells of; none when another hand made it unreadable."""
    try:
        first, last = (int(item[name]["N"]) for name in ("first_position", "last_position"))
    except (KeyError, ValueError):
        return range(0)
    # No batch was ever longer, whatever an edited receipt says.
    return range(first, min(last, first + MAX_BATCH - 1) + 1)


def _instant(text: str) -> datetime:
    at = instant_of(text)
    if at.tzinfo is None:
        raise ValueError("no instant without a zone")
    return at


def _erasure_of(item: Mapping[str, Any], pair: Pair) -> Erasure:
    """The record of a raw item; one that cannot be read covers nothing and is signed by nobody."""
    erasure_id = item["sk"]["S"].removeprefix(RECORD)
    try:
        request = ErasureRequest(
            ErasureScope(item["scope"]["S"]), Role(item["by"]["S"]), _instant(item["requested_at"]["S"])
        )
        positions, stage = read_ranges(item["positions"]["S"]), ErasureStage(item["stage"]["S"])
        staged_at = _instant(item["staged_at"]["S"]) if "staged_at" in item else None
        note, length = item["note"]["S"], int(item["length"]["N"])
        return Erasure(erasure_id, pair, request, positions, note, length, stage, staged_at)
    except (KeyError, ValueError):
        request = ErasureRequest(ErasureScope.EPISODE, Role.SERVICE, UNREADABLE_TIME)
        return Erasure(erasure_id, pair, request, (), stage=ErasureStage.SWEPT)
