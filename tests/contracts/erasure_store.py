"""What every ``ErasureStore`` and every ``Roster`` promises."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import HeadMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, verify_chain
from anamnesis.domain.log.episodes import Episode, Head, erased
from anamnesis.domain.log.erasures import (
    SEALED,
    Erasure,
    ErasureRequest,
    ErasureScope,
    ErasureStage,
    PairRequest,
    Ranges,
)
from anamnesis.ports import EpisodeLog, ErasureStore, Roster
from contracts.examples import NOW, TEXTS, chain_of, fresh_pair, head_of, identifier, receipt_for

ASKED = ErasureRequest(ErasureScope.EPISODE, Role.STUDENT, NOW)


def record(pair: Pair, positions: Ranges = ((1, 1),), *, minutes: int = 0) -> Erasure:
    """A deletion record, as if signed."""
    request = replace(ASKED, at=NOW + timedelta(minutes=minutes))
    return Erasure(identifier(), pair, request, positions, note="signed\n\n— k AAAA\n", length=9)


class ErasureStoreContract:
    """Subclasses give the fixtures ``log`` and ``store`` over the same rows."""

    @pytest.fixture
    def pair(self) -> Pair:
        return fresh_pair()

    def write(
        self, log: EpisodeLog, pair: Pair, texts: Sequence[str], key: str | None = None
    ) -> list[Episode]:
        """Append a batch behind what is there."""
        head = log.head(pair)
        episodes = chain_of(pair, head, texts)
        log.append(pair, episodes, head, receipt_for(episodes, key))
        return episodes

    def test_keeps_records_and_their_stage(self, store: ErasureStore, log: EpisodeLog, pair: Pair) -> None:
        """Deletion records come back whole and oldest first; a stage only moves on (EP-8)."""
        assert store.all(pair) == []
        later, earlier = record(pair, ((2, 4), (9, 9)), minutes=5), record(pair)
        store.begin(later)
        store.begin(earlier)
        store.begin(earlier)
        assert store.all(pair) == [earlier, later]
        assert log.head(pair).erasures == 2
        first, second = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
        store.advance(earlier, ErasureStage.SWEPT, at=first)
        for stage in (ErasureStage.ERASED, ErasureStage.SWEPT):
            store.advance(earlier, stage, at=second)
        swept = replace(earlier, stage=ErasureStage.SWEPT, staged_at=first)
        assert store.all(pair) == [swept, later]
        assert store.all(fresh_pair()) == []

    def test_beginning_marks_the_pair_active(self, store: ErasureStore, log: EpisodeLog, pair: Pair) -> None:
        """The night of the day of a request comes by, even where nothing was recorded that day (SV-14)."""
        store.begin(record(pair))
        assert pair in list(log.active_pairs(NOW.date()))

    @pytest.mark.parametrize("length", [0, 1, 30])
    def test_a_tail_tells_whether_something_is_being_erased(
        self, store: ErasureStore, log: EpisodeLog, pair: Pair, length: int
    ) -> None:
        """What stands behind a position comes with whether an erasure is begun and not finished (EP-8, RC-1)."""
        written = self.write(log, pair, [*["text"] * (length - 1), "long " * 2_000]) if length else []
        one, two = record(pair), record(pair, minutes=1)
        cut = list(log.scan(pair, with_text=False))
        assert len(cut) == len(written)

        def told() -> set[bool]:
            found = set()
            for after, limit in (
                (0, 50),
                (0, length),
                (max(length - 1, 0), 5),
                (length, 5),
                (10**12, 1),
                (0, 0),
            ):
                tail, erasing = log.tail(pair, after=after, limit=limit)
                assert tail == cut[after : after + limit]
                found.add(erasing)
            return found

        assert told() == {False}
        for erasure in (one, two, one):
            store.begin(erasure)
            assert told() == {True}
        assert log.tail(fresh_pair(), after=0, limit=5) == ([], False)
        assert [e.position for e in log.latest(pair, 5)] == [e.position for e in written[::-1][:5]]
        assert list(log.rows(pair)) == written
        store.advance(one, ErasureStage.ERASED, at=NOW)
        assert told() == {True}
        for stage in (ErasureStage.ERASED, ErasureStage.SWEPT):
            store.advance(two, stage, at=NOW)
            assert told() == {False}

    def test_counting_alone_stops_what_was_prepared(
        self, store: ErasureStore, log: EpisodeLog, pair: Pair
    ) -> None:
        """Counted up without a record, of an empty log too, an append that was under way is refused (EP-8)."""
        for _ in range(2):
            head = log.head(pair)
            late = chain_of(pair, head, ["prepared"])
            store.count(pair)
            assert log.head(pair) == replace(head, erasures=head.erasures + 1)
            with pytest.raises(HeadMoved):
                log.append(pair, late, head, receipt_for(late))
            self.write(log, pair, ["looked again"])
        assert store.all(pair) == []

    def test_erasing_leaves_a_chain_that_verifies(
        self, store: ErasureStore, log: EpisodeLog, pair: Pair
    ) -> None:
        """Contents go, long texts included, and what stays verifies with the gaps shown (EP-8)."""
        written = self.write(log, pair, [*TEXTS, "long " * 2_000])
        last = written[-1].position
        store.erase(pair, [2, last, 99], {2: "a" * 64, last: "b" * 64})
        left = [erased(e) if e.position in {2, last} else e for e in written]
        assert list(log.scan(pair)) == left
        report = verify_chain(log.rows(pair), log.head(pair), pair, {2, last})
        assert (report.breaks, report.erased) == ((), (2, last))
        assert store.known(pair, ["a" * 64, "b" * 64, "c" * 64]) == {"a" * 64, "b" * 64}
        assert store.known(fresh_pair(), ["a" * 64]) == set()

    def test_erasing_counts_and_may_be_repeated(
        self, store: ErasureStore, log: EpisodeLog, pair: Pair
    ) -> None:
        """Every removal counts the log's erasures up, positions without a row do not, and the head stays (EP-8)."""
        written = self.write(log, pair, ["one", "two"])
        head = head_of(written)
        store.erase(pair, [7], {})
        assert log.head(pair) == head
        for times in (1, 2):
            store.erase(pair, [1, 2], {1: "d" * 64, 2: "d" * 64})
            assert log.head(pair) == replace(head, erasures=times)
        assert list(log.scan(pair)) == [erased(e) for e in written]

    def test_many_are_erased(self, store: ErasureStore, log: EpisodeLog, pair: Pair) -> None:
        """More episodes than one transaction takes are all erased, other pairs' none (EP-8)."""
        other = fresh_pair()
        for owner in (pair, other):
            for _ in range(3):
                self.write(log, owner, ["a question"] * 40)
        store.erase(pair, range(1, 121), {n: f"{n:064x}" for n in range(1, 121)})
        assert all(e.content is None for e in log.scan(pair))
        assert len(store.known(pair, [f"{n:064x}" for n in range(1, 121)])) == 120
        assert all(e.content is not None for e in log.scan(other))

    def test_an_append_from_before_an_erasure_is_refused(
        self, store: ErasureStore, log: EpisodeLog, pair: Pair
    ) -> None:
        """What was composed before an erasure began cannot be written after it without looking again (EP-8)."""
        head: Head = EMPTY_HEAD
        for texts in (["first"], ["second"], ["third"]):
            late = chain_of(pair, head, texts)
            store.begin(record(pair))
            with pytest.raises(HeadMoved):
                log.append(pair, late, head, receipt_for(late))
            head = log.head(pair)
            again = chain_of(pair, head, texts)
            log.append(pair, again, head, receipt_for(again))
            erasures, head = head.erasures, log.head(pair)
            assert (head.length, head.erasures) == (again[-1].position, erasures)
        assert verify_chain(log.rows(pair), log.head(pair), pair).verified

    def test_receipts_keep_only_where(self, store: ErasureStore, log: EpisodeLog, pair: Pair) -> None:
        """A receipt of an erased episode says where and no more what, but sealed; others stay as they are (EP-8)."""
        self.write(log, pair, ["one", "two"], "key of both")
        self.write(log, pair, ["three"], "another key")
        for _ in range(2):
            store.forget_receipts(pair, {2}, lambda request_hash: f"{SEALED}{request_hash[:4]}")
        receipt, untouched = log.receipt(pair, "key of both"), log.receipt(pair, "another key")
        assert receipt is not None
        assert untouched is not None
        assert (receipt.key, receipt.request_hash) == ("", f"{SEALED}efef")
        assert (receipt.first_position, receipt.last_position) == (1, 2)
        assert (untouched.key, untouched.request_hash) == ("another key", "ef" * 32)

    def test_sweeping_leaves_what_episodes_have(
        self, store: ErasureStore, log: EpisodeLog, pair: Pair
    ) -> None:
        """A sweep takes nothing from an episode that was not erased (EP-8)."""
        written = self.write(log, pair, ["long " * 2_000, "longer " * 2_000])
        store.erase(pair, [1], {})
        store.sweep(pair, {1}, until=NOW + timedelta(days=40_000))
        assert log.read(pair, [1, 2]) == [erased(written[0]), written[1]]


class ContendedErasureStoreContract(ErasureStoreContract):
    """For stores whose transactions are atomic among threads, which those of moto in process are not."""

    def test_appends_and_erasures_at_once(self, store: ErasureStore, log: EpisodeLog, pair: Pair) -> None:
        """Writers and erasers at once lose neither an episode nor an erasure (EP-7, EP-8)."""
        self.write(log, pair, ["to erase"] * 10)
        barrier = threading.Barrier(6)

        def append(number: int) -> None:
            barrier.wait()
            while True:
                try:
                    self.write(log, pair, [f"new {number}"])
                except HeadMoved:
                    continue
                return

        def erase(number: int) -> None:
            barrier.wait()
            store.erase(pair, [number], {number: f"{number:064x}"})

        with ThreadPoolExecutor(6) as threads:
            tasks = [threads.submit(append, n) for n in range(3)]
            tasks += [threads.submit(erase, n) for n in range(1, 4)]
            for task in tasks:
                task.result()
        head = log.head(pair)
        assert (head.length, head.erasures) == (13, 3)
        assert verify_chain(log.rows(pair), head, pair, {1, 2, 3}).breaks == ()
        assert [e.position for e in log.scan(pair) if e.content is None] == [1, 2, 3]


class RosterContract:
    """Subclasses give the fixture ``roster`` and the log whose active days it marks."""

    def test_knows_a_students_subjects(self, roster: Roster, log: EpisodeLog) -> None:
        """Every pair noted for a student is found, once, and nobody else's (EP-8, SV-11)."""
        one = fresh_pair()
        two = replace(one, subject="another: sub/ject".replace("/", "#"))
        near = replace(one, student=one.student + "0")
        for pair in (one, two, near, two):
            roster.note(pair)
        assert roster.pairs(one.tenant, one.student) == sorted([one, two], key=lambda pair: pair.subject)
        assert roster.pairs(one.tenant, "nobody") == []
        assert roster.requested(one) is None

    def test_remembers_a_request_until_it_is_done(self, roster: Roster, log: EpisodeLog) -> None:
        """A request stays until it is done, the same one does not begin anew, and a later one does (EP-8)."""
        pair = fresh_pair()
        asked = PairRequest(replace(ASKED, scope=ErasureScope.STUDENT), length=7, files=("one", "two"))
        roster.request(pair, asked)
        assert roster.pairs(pair.tenant, pair.student) == [pair]
        assert roster.requested(pair) == asked
        assert pair in list(log.active_pairs(NOW.date()))
        first, second = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
        roster.advance(pair, asked.request, ErasureStage.ERASED, at=first)
        roster.advance(pair, asked.request, ErasureStage.ERASED, at=second)
        roster.request(pair, asked)
        roster.note(pair)
        assert roster.requested(pair) == replace(asked, stage=ErasureStage.ERASED, staged_at=first)
        later = PairRequest(replace(ASKED, at=NOW + timedelta(seconds=1)), length=9)
        roster.request(pair, later)
        roster.advance(pair, asked.request, ErasureStage.SWEPT, at=second)
        assert roster.requested(pair) == later

    def test_a_pair_is_visited_again(self, roster: Roster, log: EpisodeLog) -> None:
        """A pair that needs another night gets one, though nothing was recorded (EP-8)."""
        pair = fresh_pair()
        roster.revisit(pair, NOW + timedelta(days=3))
        assert pair in list(log.active_pairs((NOW + timedelta(days=3)).date()))
