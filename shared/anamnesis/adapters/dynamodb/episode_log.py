"""The append-only log of every pair on DynamoDB (EP-1 … EP-7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any

from pynamodb.exceptions import TransactWriteError

from anamnesis.adapters.dynamodb import activity
from anamnesis.adapters.dynamodb.connection import DynamoConnection, dynamodb_errors, get_row
from anamnesis.adapters.dynamodb.episode_rows import (
    PREFIX,
    breaks_beside,
    chars_of,
    read_row,
    row_of,
    text_object_key,
    text_object_of,
    well_filed,
)
from anamnesis.adapters.dynamodb.errors import CONDITION_FAILED, CONFLICT, cancellation_codes, unavailable
from anamnesis.adapters.dynamodb.head_rows import (
    ERASING,
    HEAD,
    NO_HEAD,
    head_of,
    receipt_of,
    receipt_row,
    receipt_sort_key,
    still,
)
from anamnesis.adapters.dynamodb.keys import LAST_POSITION, at_position, claimed_position
from anamnesis.adapters.dynamodb.models import ActivityRow, EpisodeRow, ErasingRow, HeadRow, ReceiptRow
from anamnesis.adapters.dynamodb.time_cursor import cursor_after, read_cursor
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.errors import HeadMoved, IdempotencyConflict
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, Break, timestamp
from anamnesis.domain.log.episodes import MAX_BATCH, AppendReceipt, Episode, Head, Kind

#: Days marked active inside the transaction. With MAX_BATCH episodes, the head and the receipt this stays under the
#: 100 items that DynamoDB allows; an import over more days marks the rest before, which is a harmless hint.
MAX_DAYS_IN_TRANSACTION = 40
#: Pages of 1 MB that one call of ``between`` reads at most while it looks for a rare kind.
MAX_PAGES_BETWEEN = 10
#: Rows of one page of ``scan``: about 1 MB when every row holds the longest text that a row may.
SCAN_PAGE = 200
#: Rows of a page of ``tail``, as many as a turn asks for at most.
TAIL_PAGE = 400
#: Characters of long texts in memory at once, unless one alone has more: 64 MB at most.
MAX_CHARS_AT_ONCE = 16_000_000


class DynamoEpisodeLog:
    """The port ``EpisodeLog`` on two tables and the content bucket; safe to use from many threads.

    Parameters
    ----------
    connection
        Where the tables are.
    episodes_table
        Episodes, heads and receipts, with the index ``by_time``.
    records_table
        Holds the activity of days.
    content
        Holds texts that are too long for a row. They are written before the transaction: an append that then fails
        leaves an object that nothing refers to, never an episode without its text.
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
        self._erasing = connection.bind(ErasingRow, episodes_table)
        self._activity = connection.bind(ActivityRow, records_table)
        self._content = content

    def head(self, pair: Pair) -> Head:
        """Return the current head; length 0 for a pair without episodes.

        A head that another hand made unreadable is ``NO_HEAD``: nothing verifies against it or can be appended to it.
        """
        try:
            row = get_row(self._heads, pair.key, HEAD)
            return EMPTY_HEAD if row is None else head_of(row)
        except (TypeError, ValueError):
            return NO_HEAD

    def receipt(self, pair: Pair, key: str) -> AppendReceipt | None:
        """Return what an earlier append under this idempotency key wrote.

        A receipt that another hand made unreadable comes back as one of no request.
        """
        try:
            row = get_row(self._receipts, pair.key, receipt_sort_key(key))
            return None if row is None else receipt_of(row)
        except (TypeError, ValueError):
            return AppendReceipt(key, "", 0, 0)

    def append(self, pair: Pair, episodes: Sequence[Episode], expected: Head, receipt: AppendReceipt) -> None:
        """Write all episodes, move the head and keep the receipt in one transaction, or nothing at all.

        Raises
        ------
        HeadMoved
            If the head is no longer `expected`, something was erased since, or another append to this pair is under
            way.
        IdempotencyConflict
            If a receipt under the same key exists already.
        StoreUnavailable
            If nothing can be said about the write until it is retried.
        ValueError
            If the episodes do not continue `expected`.
        """
        _check_continues(pair, episodes, expected)
        texts = {
            key: e.content.text.encode()
            for e in episodes
            if (key := text_object_key(e)) is not None and e.content
        }
        self._content.put_many(texts, media_type="text/plain; charset=utf-8")
        days = activity.activity_rows(pair, episodes, self._activity)
        self._connection.put_many(self._activity, days[MAX_DAYS_IN_TRANSACTION:])
        try:
            with self._connection.transaction() as transaction:
                for episode in episodes:
                    free = EpisodeRow.pk.does_not_exist()
                    transaction.save(row_of(episode, self._episodes), condition=free)
                last = episodes[-1]
                moved = self._heads(
                    pair.key, HEAD, length=last.position, hash=last.hash, erasures=expected.erasures or None
                )
                transaction.save(moved, condition=still(expected))
                transaction.save(
                    receipt_row(pair, receipt, self._receipts), condition=ReceiptRow.pk.does_not_exist()
                )
                for day in days[:MAX_DAYS_IN_TRANSACTION]:
                    transaction.save(day)
        except TransactWriteError as error:
            raise _append_error(error, count=len(episodes)) from None

    def read(self, pair: Pair, positions: Sequence[int], *, with_text: bool = True) -> list[Episode]:
        """Return the episodes at these positions, in the order asked, missing ones left out."""
        distinct = dict.fromkeys(p for p in positions if 0 < p <= LAST_POSITION)
        items = self._connection.get_many(
            self._episodes, [(pair.key, at_position(PREFIX, p)) for p in distinct]
        )
        found = {e.position: e for e in self._episodes_of(items, pair, with_text=with_text)}
        return [found[p] for p in positions if p in found]

    def scan(
        self, pair: Pair, *, after: int = 0, limit: int | None = None, with_text: bool = True
    ) -> Iterator[Episode]:
        """Yield the episodes from position ``after + 1`` on, in order, page by page.

        A row that cannot be read as an episode any more is left out; ``rows`` names it.
        """
        if after >= LAST_POSITION or limit == 0:
            return
        span = EpisodeRow.sk.between(at_position(PREFIX, after + 1), at_position(PREFIX, LAST_POSITION))
        left = limit
        pages = self._episodes.query(
            pair.key,
            span,
            consistent_read=True,
            page_size=SCAN_PAGE if left is None else min(left, SCAN_PAGE),
        ).page_iter
        for page in _pages(pages):
            rest = page
            while rest:
                part, rest = rest[:left], rest[len(rest) if left is None else left :]
                for episode in self._episodes_of(part, pair, with_text=with_text):
                    yield episode
                    if left is not None:
                        left -= 1
                if left == 0:
                    return

    def tail(self, pair: Pair, *, after: int, limit: int) -> tuple[list[Episode], bool]:
        """Return the first `limit` episodes behind `after`, long texts cut, and whether something is being erased.

        One request, while the episodes fit one page of 1 MB and there are fewer of them than `limit`.
        """
        first = at_position(PREFIX, min(after + 1, LAST_POSITION))
        pages = self._episodes.query(
            pair.key,
            EpisodeRow.sk.between(first, ERASING),
            consistent_read=True,
            # One more than are wanted, for the row behind the last of them.
            page_size=min(limit + 1, TAIL_PAGE),
        ).page_iter
        found: list[Episode] = []
        for page in _pages(pages):
            found += self._episodes_of([i for i in page if i["sk"]["S"] != ERASING], pair, with_text=False)
            if page and page[-1]["sk"]["S"] == ERASING:
                return found[:limit], "begun" in page[-1]
            if len(found) >= limit:
                row = get_row(self._erasing, pair.key, ERASING)
                return found[:limit], row is not None and bool(row.begun)
        return found[:limit], False

    def rows(self, pair: Pair) -> Iterator[Episode | Break]:
        """Yield every row whose key begins as an episode's does: the episode, or what is wrong with it, or both."""
        pages = self._episodes.query(
            pair.key, EpisodeRow.sk.startswith(PREFIX), consistent_read=True, page_size=SCAN_PAGE
        ).page_iter
        for items in _pages(pages):
            for item, row in self._each(items, pair, with_text=True):
                if isinstance(row, Episode):
                    yield from breaks_beside(item, row)
                yield row

    def position_of(self, pair: Pair, episode_id: str) -> int | None:
        """Return where the episode of this id stands, or None; looks through the log, for rare uses."""
        pages = self._episodes.query(
            pair.key,
            EpisodeRow.sk.startswith(PREFIX),
            filter_condition=EpisodeRow.id == episode_id,
            attributes_to_get=["sk"],
            consistent_read=True,
        ).page_iter
        positions = (claimed_position(item["sk"]["S"]) for page in _pages(pages) for item in page)
        return next((position for position in positions if position), None)

    def hashes(self, pair: Pair, *, last: int) -> Iterator[str]:
        """Yield the recorded hashes from position 1 to `last`; ends before a position without one.

        DynamoDB counts whole rows as read all the same, but sends hashes only.
        """
        if not 1 <= last <= LAST_POSITION:
            return
        pages = self._episodes.query(
            pair.key,
            EpisodeRow.sk.between(at_position(PREFIX, 1), at_position(PREFIX, last)),
            consistent_read=True,
            attributes_to_get=["sk", "hash"],
        ).page_iter
        expected = 1
        for page in _pages(pages):
            for item in page:
                recorded = item.get("hash", {}).get("S")
                if item["sk"]["S"] != at_position(PREFIX, expected) or recorded is None:
                    return
                yield recorded
                expected += 1

    def latest(self, pair: Pair, count: int, *, with_text: bool = False) -> list[Episode]:
        """Return the last `count` episodes by position, newest first; one request while they fit one page of 1 MB."""
        if count <= 0:
            return []
        pages = self._episodes.query(
            pair.key,
            EpisodeRow.sk.between(at_position(PREFIX, 1), at_position(PREFIX, LAST_POSITION)),
            consistent_read=True,
            scan_index_forward=False,
            page_size=count,
        ).page_iter
        found: list[Episode] = []
        for page in _pages(pages):
            found += self._episodes_of(page[: count - len(found)], pair, with_text=with_text)
            if len(found) >= count:
                break
        return found

    def between(
        self,
        pair: Pair,
        *,
        start: datetime | None,
        end: datetime | None,
        kind: Kind | None,
        cursor: str | None,
        limit: int,
        max_chars: int | None = None,
        with_text: bool = True,
    ) -> tuple[list[Episode], str | None]:
        """Return a page of episodes with ``start <= occurred_at < end``, oldest first, and the next page's cursor.

        While it looks for a rare kind it reads up to ``MAX_PAGES_BETWEEN`` MB, so that only a very long history gives
        a page with fewer than `limit` episodes and a cursor; each cursor stands further on than the one before.

        Raises
        ------
        InvalidInput
            If the cursor is not one that this method gave out for this pair and window (field ``cursor``).
        """
        # A bare time sorts before the same time with a position, so both bounds hold with BETWEEN: the first is
        # reached from below, the last never.
        first = timestamp(start) if start else "0000"
        last = timestamp(end) if end else "9999~"
        begin = None if cursor is None else read_cursor(cursor, pair, first=first, last=last)
        if first >= last:
            return [], None
        pages = self._episodes.by_time.query(
            pair.key,
            EpisodeRow.occurred.between(first, last),
            filter_condition=None if kind is None else EpisodeRow.kind == kind.value,
            consistent_read=True,
            last_evaluated_key=None if begin is None else _index_key(pair, begin),
            page_size=limit + 1 if kind is None else None,
        ).page_iter
        items: list[dict[str, Any]] = []
        following = None
        for number, page in enumerate(_pages(pages), start=1):
            # A row filed elsewhere than it belongs is verification's to name, and no place to go on from.
            items.extend(item for item in page if well_filed(item))
            if len(items) > limit:
                following = items[limit - 1]["occurred"]["S"]
                break
            reached = pages.last_evaluated_key
            if number >= MAX_PAGES_BETWEEN and reached is not None and well_filed(reached):
                following = reached["occurred"]["S"]
                break
        items = items[:limit]
        if max_chars is not None and (count := fitting(items, max_chars)) < len(items):
            items, following = items[:count], items[count - 1]["occurred"]["S"]
        found = list(self._episodes_of(items, pair, with_text=with_text))
        return found, None if following is None else cursor_after(pair, following)

    def active_pairs(self, day: date) -> Iterator[Pair]:
        """Yield every pair that an episode was recorded for on this UTC day, or whose day of an episode ended on it.

        Days are remembered for ``activity.KEPT_DAYS`` after the last append that touched them.
        """
        return activity.active_pairs(day, self._activity)

    def _episodes_of(
        self, items: Sequence[dict[str, Any]], pair: Pair, *, with_text: bool
    ) -> Iterator[Episode]:
        rows = (row for _, row in self._each(items, pair, with_text=with_text))
        return (row for row in rows if isinstance(row, Episode))

    def _each(
        self, items: Sequence[dict[str, Any]], pair: Pair, *, with_text: bool
    ) -> Iterator[tuple[dict[str, Any], Episode | Break]]:
        """Each item with what it is; long texts are loaded some at a time, so that few are in memory at once."""
        rest = list(items)
        while rest:
            count = fitting(rest, MAX_CHARS_AT_ONCE) if with_text else len(rest)
            part, rest = rest[:count], rest[count:]
            keys = [key for item in part if (key := text_object_of(item, pair))] if with_text else []
            texts = self._content.get_many(keys)
            yield from ((item, read_row(item, pair, texts)) for item in part)


def fitting(items: Sequence[dict[str, Any]], max_chars: int) -> int:
    """How many of `items`, from the first, have no more characters together than that; at least one."""
    total = 0
    for count, item in enumerate(items):
        total += chars_of(item)
        if total > max_chars and count:
            return count
    return len(items)


def _pages(pages: Iterator[Any]) -> Iterator[list[dict[str, Any]]]:
    with dynamodb_errors():
        for page in pages:
            yield page["Items"]


def _index_key(pair: Pair, occurred: str) -> dict[str, dict[str, Any]]:
    position = occurred.partition("#")[2]
    return {"pk": {"S": pair.key}, "sk": {"S": PREFIX + position}, "occurred": {"S": occurred}}


def _check_continues(pair: Pair, episodes: Sequence[Episode], expected: Head) -> None:
    if not 1 <= len(episodes) <= MAX_BATCH:
        raise ValueError(f"an append takes 1 to {MAX_BATCH} episodes")
    head = expected
    for episode in episodes:
        if (episode.pair, episode.position, episode.previous_hash) != (pair, head.length + 1, head.hash):
            raise ValueError("the episodes do not continue the expected head")
        head = Head(length=episode.position, hash=episode.hash)


def _append_error(error: TransactWriteError, *, count: int) -> Exception:
    """Say what a cancelled append means; items are `count` episodes, the head, the receipt, the days.

    A used key comes first: after the first append under a key its retry finds both the head moved and the receipt.
    A conflict with a transaction under way wrote nothing and is what a moved head is a moment later (EP-7).
    """
    codes = cancellation_codes(error)
    if codes[count + 1 : count + 2] == [CONDITION_FAILED]:
        return IdempotencyConflict("the idempotency key has a receipt already")
    if CONDITION_FAILED in codes or CONFLICT in codes:
        return HeadMoved("another writer appended first")
    return unavailable(error)
