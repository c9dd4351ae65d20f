"""What every ``EpisodeLog`` promises."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.errors import HeadMoved, IdempotencyConflict, InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, linked, verify_chain
from anamnesis.domain.log.episodes import MAX_BATCH, Episode, Kind
from anamnesis.ports import EpisodeLog
from contracts.examples import NOW, TEXTS, chain_of, episode, fresh_pair, head_of, receipt_for

WRITERS = 16
APPENDS_EACH = 3


class EpisodeLogContract:
    """Subclasses give the fixture ``log``."""

    #: Episodes of the long log; more than two pages of the real adapter.
    long = 420

    @pytest.fixture
    def pair(self) -> Pair:
        return fresh_pair()

    def test_starts_empty(self, log: EpisodeLog, pair: Pair) -> None:
        """A pair without episodes has the empty head and nothing to read (EP-4)."""
        assert log.head(pair) == EMPTY_HEAD
        assert (list(log.scan(pair)), log.latest(pair, 5), log.read(pair, [1])) == ([], [], [])
        assert log.between(pair, start=None, end=None, kind=None, cursor=None, limit=5) == ([], None)
        assert list(log.rows(pair)) == []
        assert log.receipt(pair, "never used") is None

    def test_gives_back_every_field_exactly(self, log: EpisodeLog, pair: Pair) -> None:
        """What was appended comes back equal in every field, so that its hash still verifies, in any script (EP-2)."""
        written = chain_of(pair, EMPTY_HEAD, TEXTS)
        written[-1:] = linked(
            [replace(episode(pair, "¿sí?", number=9, kind=Kind.CHECK))], head_of(written[:-1])
        )
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))
        assert list(log.scan(pair)) == written
        assert log.head(pair) == head_of(written)
        assert verify_chain(log.rows(pair), log.head(pair), pair).breaks == ()

    def test_gives_the_hashes_alone(self, log: EpisodeLog, pair: Pair) -> None:
        """The hashes come in order and no further than asked, over as many pages as it takes (EP-5)."""
        assert list(log.hashes(pair, last=5)) == []
        head, written = EMPTY_HEAD, list[Episode]()
        for part in range(3):
            more = chain_of(pair, head, [f"text {part} {n}" for n in range(MAX_BATCH)])
            log.append(pair, more, head, receipt_for(more, f"key {part}"))
            written, head = [*written, *more], head_of(more)
        assert list(log.hashes(pair, last=10**11)) == [e.hash for e in written]
        assert list(log.hashes(pair, last=3)) == [e.hash for e in written[:3]]
        assert list(log.hashes(pair, last=0)) == list(log.hashes(pair, last=-1)) == []

    def test_a_page_ends_before_it_grows_too_large(self, log: EpisodeLog, pair: Pair) -> None:
        """A page holds no more characters than asked for, one episode at least, and the next goes on there (SV-12)."""
        written = chain_of(pair, EMPTY_HEAD, ["a" * 3_000, "b" * 9_000, "c" * 3_000, "d", "e" * 20_000])
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))
        pages, cursor = [], None
        while True:
            page, cursor = log.between(
                pair, start=None, end=None, kind=None, cursor=cursor, limit=9, max_chars=10_000
            )
            pages.append([e.position for e in page])
            if cursor is None:
                break
        assert pages == [[1], [2], [3, 4], [5]]
        [first, *_], _ = log.between(
            pair, start=None, end=None, kind=None, cursor=None, limit=9, with_text=False
        )
        assert first.position == 1

    def test_keeps_a_million_characters(self, log: EpisodeLog, pair: Pair) -> None:
        """A text of a million characters comes back whole, or as its beginning when that is enough (EP-2)."""
        text = "ñandú 浸透 " * 111_111
        written = chain_of(pair, EMPTY_HEAD, [text, "short"])
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))
        assert log.read(pair, [1, 2]) == written
        [short, beginning] = log.latest(pair, 2)
        assert short == written[1]
        assert beginning.content is not None
        assert text.startswith(beginning.content.text)
        assert 100 <= len(beginning.content.text) <= 1_000
        assert next(log.scan(pair, with_text=False)) == beginning

    def test_refuses_a_stale_head(self, log: EpisodeLog, pair: Pair) -> None:
        """An append from a head that moved writes nothing at all (EP-7)."""
        first = chain_of(pair, EMPTY_HEAD, ["one", "two"])
        log.append(pair, first, EMPTY_HEAD, receipt_for(first))
        late = chain_of(pair, EMPTY_HEAD, ["late", "later", "latest"])
        with pytest.raises(HeadMoved):
            log.append(pair, late, EMPTY_HEAD, receipt_for(late, "late key"))
        assert list(log.scan(pair)) == first
        assert log.receipt(pair, "late key") is None

    def test_refuses_another_hash_at_the_same_length(self, log: EpisodeLog, pair: Pair) -> None:
        """A head of the right length and another hash is another chain's head (EP-4)."""
        first = chain_of(pair, EMPTY_HEAD, ["one"])
        log.append(pair, first, EMPTY_HEAD, receipt_for(first))
        other = replace(head_of(first), hash="0" * 64)
        following = chain_of(pair, other, ["two"])
        with pytest.raises(HeadMoved):
            log.append(pair, following, other, receipt_for(following))
        assert log.head(pair) == head_of(first)

    def test_keeps_a_key_for_good(self, log: EpisodeLog, pair: Pair) -> None:
        """A used idempotency key is told apart from a moved head, and its receipt says what was written (EP-7)."""
        first = chain_of(pair, EMPTY_HEAD, ["one"])
        receipt = receipt_for(first, "clé " + "🔑" * 300)
        log.append(pair, first, EMPTY_HEAD, receipt)
        assert log.receipt(pair, receipt.key) == receipt
        again = chain_of(pair, head_of(first), ["two"])
        for episodes, expected in ((first, EMPTY_HEAD), (again, head_of(first))):
            with pytest.raises(IdempotencyConflict):
                log.append(pair, episodes, expected, receipt)
        assert list(log.scan(pair)) == first
        assert log.receipt(fresh_pair(), receipt.key) is None

    def test_takes_a_full_batch_over_many_days(self, log: EpisodeLog, pair: Pair) -> None:
        """The largest batch goes in at once, even when each episode happened on a day of its own (EP-7)."""
        spread = [
            episode(pair, f"text {n} " + "x" * 4_000, number=n, days_ago=n * 3) for n in range(MAX_BATCH)
        ]
        written = linked(spread, EMPTY_HEAD)
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))
        assert log.head(pair).length == MAX_BATCH
        for n in (0, 1, MAX_BATCH - 1):
            assert pair in set(log.active_pairs((NOW - timedelta(days=n * 3)).date()))

    def test_reads_by_position(self, log: EpisodeLog, pair: Pair) -> None:
        """Reading keeps the order asked for and leaves out what is not there (EP-2)."""
        written = chain_of(pair, EMPTY_HEAD, [f"text {n}" for n in range(5)])
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))
        assert log.read(pair, [4, 99, 1, 0, -3, 4]) == [written[3], written[0], written[3]]
        assert log.read(pair, []) == []

    def test_pages_through_a_long_log(self, log: EpisodeLog, pair: Pair) -> None:
        """A scan gives every episode once and in order from any position, across pages (EP-4)."""
        n = self.long
        written = _fill(log, pair, n)
        assert [e.position for e in log.scan(pair)] == list(range(1, n + 1))
        assert list(log.rows(pair)) == written
        assert list(log.scan(pair, after=n // 2, limit=n // 4)) == written[n // 2 : n // 2 + n // 4]
        assert list(log.scan(pair, after=n)) == []
        assert list(log.scan(pair, limit=0)) == []
        assert log.latest(pair, n - 5) == written[:4:-1]
        assert log.read(pair, range(1, n + 1)) == written

    def test_owners_do_not_meet(self, log: EpisodeLog) -> None:
        """Pairs whose names only differ in what keys are made of keep separate logs (SV-11)."""
        pairs = [Pair("a", "b#c", "d"), Pair("a#b", "c", "d"), Pair("a", "b", "c#d"), Pair("a", "b%23c", "d")]
        for pair in pairs:
            one = chain_of(pair, EMPTY_HEAD, [pair.student])
            log.append(pair, one, EMPTY_HEAD, receipt_for(one, "the same key"))
            assert list(log.scan(pair)) == one

    def test_finds_episodes_by_time(self, log: EpisodeLog, pair: Pair) -> None:
        """A window holds its first instant and not its last, oldest first, whatever the order of appending (RC-5)."""
        at = [5, 1, 3, 3, 0.5]
        written = linked([episode(pair, f"{n}", number=n, days_ago=d) for n, d in enumerate(at)], EMPTY_HEAD)
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))

        def found(start: float | None, end: float | None) -> list[int]:
            bounds = [None if d is None else NOW - timedelta(days=d) for d in (start, end)]
            page, cursor = log.between(pair, start=bounds[0], end=bounds[1], kind=None, cursor=None, limit=50)
            assert cursor is None
            return [e.position for e in page]

        assert found(None, None) == [1, 3, 4, 2, 5]
        assert found(3, 1) == [3, 4]
        assert found(3, 0.5) == [3, 4, 2]
        assert found(5, 3) == [1]
        assert found(4, None) == [3, 4, 2, 5]
        assert found(1, 1) == found(1, 3) == []

    def test_window_takes_any_zone(self, log: EpisodeLog, pair: Pair) -> None:
        """Bounds in another zone mean the same instants (RC-5)."""
        written = chain_of(pair, EMPTY_HEAD, ["x"])
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))
        there = NOW.astimezone(ZoneInfo("Asia/Kolkata"))
        assert log.between(pair, start=there, end=None, kind=None, cursor=None, limit=5)[0] == written
        assert log.between(pair, start=None, end=there, kind=None, cursor=None, limit=5)[0] == []

    @pytest.mark.parametrize("kind", [None, Kind.CHECK])
    def test_pages_by_time(self, log: EpisodeLog, pair: Pair, kind: Kind | None) -> None:
        """Following cursors gives each episode of the kind once and full pages until the end (SV-6)."""
        kinds = [Kind.CHECK if n % 5 == 0 else Kind.ANSWER for n in range(45)]
        placed = linked(
            [episode(pair, "t", number=n, kind=k, days_ago=n % 7) for n, k in enumerate(kinds)], EMPTY_HEAD
        )
        log.append(pair, placed, EMPTY_HEAD, receipt_for(placed))
        wanted = sorted(
            (e for e in placed if kind in {None, e.kind}), key=lambda e: (e.occurred_at, e.position)
        )
        found: list[Episode] = []
        sizes: list[int] = []
        cursor: str | None = None
        while True:
            page, cursor = log.between(pair, start=None, end=None, kind=kind, cursor=cursor, limit=4)
            found += page
            sizes.append(len(page))
            if cursor is None:
                break
        assert found == wanted
        assert set(sizes[:-1]) == {4}
        assert 1 <= sizes[-1] <= 4

    def test_refuses_foreign_cursors(self, log: EpisodeLog, pair: Pair) -> None:
        """A cursor of another pair, of another window or of nobody is refused by name (SV-7)."""
        other = fresh_pair()
        for owner in (pair, other):
            written = chain_of(owner, EMPTY_HEAD, ["a", "b", "c"])
            log.append(owner, written, EMPTY_HEAD, receipt_for(written))
        _, cursor = log.between(other, start=None, end=None, kind=None, cursor=None, limit=1)
        assert cursor
        hostile = [
            cursor,
            cursor[:-3],
            "",
            "e30",
            "[]",
            "null",
            "é",
            "MQ==",
            "A" * 100_000,
            "W" * 401,
            "-_-_",
        ]
        for bad in hostile:
            with pytest.raises(InvalidInput) as refused:
                log.between(pair, start=None, end=None, kind=None, cursor=bad, limit=1)
            assert refused.value.field == "cursor"
        with pytest.raises(InvalidInput):
            log.between(other, start=NOW + timedelta(days=1), end=None, kind=None, cursor=cursor, limit=1)

    def test_knows_who_was_active(self, log: EpisodeLog, pair: Pair) -> None:
        """A pair is active on the UTC days its episodes were recorded on and happened on, and on no other (NI-1)."""
        written = chain_of(pair, EMPTY_HEAD, ["old"], days_ago=100)
        log.append(pair, written, EMPTY_HEAD, receipt_for(written))
        happened = (NOW - timedelta(days=100)).date()
        for day, active in ((NOW.date(), True), (happened, True), (date(2026, 5, 1), False)):
            assert (pair in list(log.active_pairs(day))) is active

    @pytest.mark.parametrize("ahead, later", [(14 * 60, 0), (0, 0), (-11 * 60, 1)])
    def test_knows_when_a_students_day_is_over(
        self, log: EpisodeLog, pair: Pair, ahead: int, later: int
    ) -> None:
        """A student's day counts as active on the UTC day by whose end it is over where it happened (NI-1)."""
        [told] = chain_of(pair, EMPTY_HEAD, ["old"], days_ago=100)
        [told] = linked([replace(told, utc_offset_minutes=ahead)], EMPTY_HEAD)
        log.append(pair, [told], EMPTY_HEAD, receipt_for([told]))
        assert log.read(pair, [1]) == [told]
        days = [told.day + timedelta(days=n) for n in (-1, 0, 1, 2)]
        active = [day for day in days if pair in list(log.active_pairs(day))]
        assert active == [told.day + timedelta(days=later)]

    def test_refuses_what_does_not_follow(self, log: EpisodeLog, pair: Pair) -> None:
        """An append that would leave a gap, is empty or is too large is a mistake of the program (EP-4)."""
        gap = chain_of(pair, EMPTY_HEAD, ["one", "two"])[1:]
        many = chain_of(pair, EMPTY_HEAD, ["x"] * (MAX_BATCH + 1))
        foreign = chain_of(fresh_pair(), EMPTY_HEAD, ["one"])
        for episodes in (gap, [], many, foreign):
            with pytest.raises(ValueError, match=r"append|continue"):
                log.append(pair, episodes, EMPTY_HEAD, receipt_for(gap))
        assert log.head(pair) == EMPTY_HEAD


class ContendedEpisodeLogContract:
    """What holds when many write at once; subclasses give the fixture ``log``.

    Apart, because moto's transactions are not isolated from each other.
    """

    @pytest.fixture
    def pair(self) -> Pair:
        return fresh_pair()

    def test_many_writers_make_one_chain(self, log: EpisodeLog, pair: Pair) -> None:
        """Sixteen writers at once give one unbroken chain that lacks nothing and doubles nothing (EP-7)."""
        outcomes: Counter[str] = Counter()
        gate = threading.Barrier(WRITERS)

        def write(writer: int) -> None:
            gate.wait()
            for number in range(APPENDS_EACH):
                text = f"writer {writer} number {number}"
                for _ in range(400):
                    head = log.head(pair)
                    following = chain_of(pair, head, [text, text + " again"])
                    try:
                        log.append(pair, following, head, receipt_for(following, text))
                    except HeadMoved:
                        outcomes["moved"] += 1
                        threading.Event().wait(0.001 * writer)
                        continue
                    break
                else:
                    outcomes["starved"] += 1

        with ThreadPoolExecutor(WRITERS) as threads:
            list(threads.map(write, range(WRITERS)))
        written = list(log.scan(pair))
        assert outcomes["starved"] == 0
        assert verify_chain(written, log.head(pair), pair).breaks == ()
        texts = Counter(e.content.text for e in written if e.content)
        assert len(texts) == len(written) == WRITERS * APPENDS_EACH * 2
        assert set(texts.values()) == {1}

    def test_one_key_wins_once(self, log: EpisodeLog, pair: Pair) -> None:
        """Of many retries of one request at once exactly one writes, and all others learn that it did (EP-7)."""
        gate = threading.Barrier(8)

        def write(_: int) -> str:
            gate.wait()
            for _ in range(200):
                head = log.head(pair)
                one = chain_of(pair, head, ["once"])
                try:
                    log.append(pair, one, head, receipt_for(one, "one key"))
                except HeadMoved:
                    continue
                except IdempotencyConflict:
                    return "conflict"
                return "written"
            return "starved"

        with ThreadPoolExecutor(8) as threads:
            outcomes = Counter(threads.map(write, range(8)))
        assert outcomes == {"written": 1, "conflict": 7}
        assert log.head(pair).length == 1


def _fill(log: EpisodeLog, pair: Pair, length: int) -> list[Episode]:
    written: list[Episode] = []
    head = EMPTY_HEAD
    while len(written) < length:
        batch = chain_of(
            pair, head, [f"text {len(written) + n}" for n in range(min(MAX_BATCH, length - len(written)))]
        )
        log.append(pair, batch, head, receipt_for(batch))
        written += batch
        head = head_of(batch)
    return written
