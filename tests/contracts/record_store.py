"""What every ``RecordStore`` promises."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from anamnesis.domain.grounding.values import GroundingRecord, Stance
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.night.records import (
    Calibration,
    CitationCheck,
    ReliabilityBucket,
    SelfModel,
    Verification,
)
from anamnesis.domain.working_set import Postings, Segment
from anamnesis.ports import RecordStore
from contracts.examples import NOW, fresh_pair

NIGHT = date(2026, 7, 3)


def postings(terms: int, rows: int) -> Postings:
    """An inverted index with one row for each term."""
    return Postings(
        np.arange(terms, dtype=np.uint64) + np.uint64(2**63),
        np.arange(terms + 1, dtype=np.int64),
        (np.arange(terms, dtype=np.uint32) % max(rows, 1)).astype(np.uint32),
        np.ones(terms, dtype=np.uint16),
    )


def segment(rows: int, *, first: int = 1, seed: int = 1) -> Segment:
    """A working set of this many rows."""
    rng = np.random.default_rng(seed)
    return Segment(
        first_position=first,
        ids=np.array([f"{n:026d}" for n in range(rows)], dtype="S26"),
        occurred=rng.integers(0, 2**40, rows),
        kinds=rng.integers(0, 7, rows).astype(np.uint8),
        salience=rng.random(rows).astype(np.float32),
        outcome=rng.integers(-1, 2, rows).astype(np.int8),
        about_record=rng.random(rows) < 0.5,
        cites=rng.random(rows) < 0.5,
        folds=rng.integers(0, 2**63, rows).astype(np.uint64),
        lengths=rng.integers(0, 99, rows).astype(np.uint32),
        asking=rng.integers(0, 101, rows).astype(np.uint8),
        term_postings=postings(rows * 2, rows),
        concept_postings=postings(rows, rows),
        vectors=rng.integers(-127, 128, (rows, 16)).astype(np.int8),
        embedder="modèle",
    )


def assert_same(a: Segment | None, b: Segment) -> None:
    """Both have the same columns, types included, whatever they are known by."""
    assert a is not None
    assert (a.first_position, a.last_position, a.embedder) == (b.first_position, b.last_position, b.embedder)
    for owner, names in (
        (
            lambda s: s,
            ("ids", "occurred", "kinds", "salience", "outcome", "about_record", "cites", "folds", "lengths"),
        ),
        (lambda s: s, ("vectors",)),
        (lambda s: s.term_postings, ("terms", "offsets", "rows", "counts")),
        (lambda s: s.concept_postings, ("terms", "offsets", "rows", "counts")),
    ):
        for name in names:
            left, right = getattr(owner(a), name), getattr(owner(b), name)
            assert left.dtype == right.dtype
            assert left.shape == right.shape
            assert np.array_equal(left, right)


def self_model(night: date) -> SelfModel:
    """A self-model with every field filled."""
    bucket = ReliabilityBucket(0.1, 0.2, 3, 1 / 7, 2 / 7)
    return SelfModel(
        composed_on=night,
        episodes=7,
        first_occurred_at=NOW,
        last_occurred_at=None,
        checks=3,
        checks_tied_to_nothing=1,
        current_beliefs=2,
        beliefs_to_confirm=1,
        oldest_belief_days=None,
        citations_holding=1,
        citations_changed=0,
        citations_unverifiable=2,
        citations_unchecked=4,
        chain_verified=None,
        calibration=Calibration(5, 0.1, None, (bucket,), calibrated=True),
        statements=("I cannot verify conversations.", "信頼度"),
        intercept=-0.25,
    )


class RecordStoreContract:
    """Subclasses give the fixture ``store``."""

    @pytest.fixture
    def pair(self) -> Pair:
        return fresh_pair()

    def test_starts_empty(self, store: RecordStore, pair: Pair) -> None:
        """A pair without nights has no records (NI-1)."""
        assert (store.vectors(pair, "m"), store.citation_checks(pair)) == ({}, [])
        assert store.working_set(pair) is store.self_model(pair) is None

    def test_keeps_vectors(self, store: RecordStore, pair: Pair) -> None:
        """Vectors come back by position and only to the model that made them (RC-1)."""
        rng = np.random.default_rng(2)
        vectors = {n: rng.integers(-127, 128, 384).astype(np.int8) for n in range(1, 61)}
        store.save_vectors(pair, vectors, "m")
        store.save_vectors(pair, {70: vectors[1]}, "other")
        store.save_vectors(pair, {2: vectors[3]}, "m")
        found = store.vectors(pair, "m")
        assert list(found) == list(range(1, 61))
        assert found[1].dtype == np.int8
        assert np.array_equal(found[60], vectors[60])
        assert np.array_equal(found[2], vectors[3])
        assert list(store.vectors(pair, "m", after=57)) == [58, 59, 60]
        assert list(store.vectors(pair, "m", after=9, up_to=11)) == [10, 11]
        assert store.vectors(pair, "m", after=60) == store.vectors(pair, "m", after=5, up_to=5) == {}
        assert list(store.vectors(pair, "other")) == [70]

    @pytest.mark.parametrize("rows", [0, 1, 50])
    def test_keeps_a_working_set(self, store: RecordStore, pair: Pair, rows: int) -> None:
        """A working set comes back with every column as it was (NI-1)."""
        written = segment(rows)
        store.save_working_set(pair, written)
        assert_same(store.working_set(pair), written)

    def test_a_known_working_set_is_not_loaded_again(self, store: RecordStore, pair: Pair) -> None:
        """Who holds the published working set gets it back; who holds another gets the published one (RC-1)."""
        store.save_working_set(pair, segment(5))
        known = store.working_set(pair)
        assert known is not None
        assert store.working_set(pair, known=known) is known
        assert_same(store.working_set(pair, known=segment(5, seed=9)), segment(5))
        store.save_working_set(pair, segment(5, seed=2))
        renewed = store.working_set(pair, known=known)
        assert renewed is not known
        assert_same(renewed, segment(5, seed=2))

    def test_a_working_set_never_shrinks(self, store: RecordStore, pair: Pair) -> None:
        """A working set that covers less than the published one is ignored (NI-2)."""
        store.save_working_set(pair, segment(9))
        store.save_working_set(pair, segment(8))
        assert_same(store.working_set(pair), segment(9))
        store.save_working_set(pair, segment(10))
        assert_same(store.working_set(pair), segment(10))

    def test_keeps_the_latest_citation_check(self, store: RecordStore, pair: Pair) -> None:
        """Each episode keeps its latest look-up, whatever order nights run in (VE-1)."""
        checks = [CitationCheck(f"e{n}", n, Verification.HOLDS, (), NIGHT) for n in range(1, 40)]
        store.save_citation_checks(pair, checks)
        store.save_citation_checks(pair, checks)
        late = CitationCheck("e2", 2, Verification.CHANGED, ("f1", "f2"), NIGHT.replace(day=9))
        early = CitationCheck("e3", 3, Verification.UNVERIFIABLE, (), NIGHT.replace(day=1))
        same_day = CitationCheck("e4", 4, Verification.CHANGED, ("f",), NIGHT)
        store.save_citation_checks(pair, [late, early, same_day])
        store.save_citation_checks(pair, [])
        expected = [late if c.position == 2 else same_day if c.position == 4 else c for c in checks]
        assert store.citation_checks(pair) == expected

    def test_keeps_the_latest_self_model(self, store: RecordStore, pair: Pair) -> None:
        """The self-model comes back as composed, and a late run of an earlier night does not replace it (NI-2)."""
        newest = self_model(NIGHT)
        store.save_self_model(pair, newest)
        store.save_self_model(pair, self_model(NIGHT.replace(day=1)))
        assert store.self_model(pair) == newest
        again = replace(newest, episodes=99)
        store.save_self_model(pair, again)
        assert store.self_model(pair) == again

    def test_pairs_do_not_meet(self, store: RecordStore, pair: Pair) -> None:
        """One student's records are no other's (SV-11)."""
        store.save_vectors(pair, {1: np.zeros(3, np.int8)}, "m")
        store.save_working_set(pair, segment(1))
        other = fresh_pair()
        assert (store.vectors(other, "m"), store.working_set(other)) == ({}, None)

    def test_a_working_set_that_saw_more_erasures_wins(self, store: RecordStore) -> None:
        """A set made before an erasure never takes the place of one made after it, however far it reaches (EP-8)."""
        pair = fresh_pair()
        assert store.save_working_set(pair, segment(5))
        after = replace(segment(3), erasures=1)
        assert store.save_working_set(pair, after)
        assert not store.save_working_set(pair, segment(9))
        assert_same(store.working_set(pair), after)
        assert getattr(store.working_set(pair), "erasures", None) == 1
        store.sweep_working_sets(pair)
        assert_same(store.working_set(pair), after)

    def test_keeps_what_grounding_found(self, store: RecordStore, pair: Pair) -> None:
        """The latest grounding of each answer is kept; the same found again, later, changes nothing (GR-3)."""
        first = GroundingRecord(
            "e2", 2, 1, Stance.PARTIAL, 3, 1, False, ("file:f:1:2", "", "episode:e1"), NOW
        )
        other = replace(
            first, episode_id="e9", position=9, question=None, stance=Stance.COULD_NOT, sources=()
        )
        for record in (other, first, replace(first, grounded_at=NOW + timedelta(days=1))):
            store.save_grounding(pair, record)
        assert store.groundings(pair) == [first, other]
        changed = replace(first, stance=Stance.ANSWERED, traced=3, grounded_at=NOW + timedelta(days=2))
        store.save_grounding(pair, changed)
        assert store.groundings(pair) == [changed, other]
        assert store.groundings(fresh_pair()) == []

    def test_forgets_the_grounding_of_erased_answers(self, store: RecordStore, pair: Pair) -> None:
        """What was found of an erased answer goes, others' stays, and a second time is nothing (EP-8)."""
        records = [
            GroundingRecord(f"e{n}", n, None, Stance.ANSWERED, 1, 1, False, ("",), NOW) for n in (1, 2)
        ]
        for record in records:
            store.save_grounding(pair, record)
        for _ in range(2):
            store.delete_groundings(pair, [2, 3])
        assert store.groundings(pair) == records[:1]

    def test_forgets_what_is_known_of_erased_episodes(self, store: RecordStore) -> None:
        """Vectors and looked-up citations of erased episodes go, others' stay, and a second time is nothing (EP-8)."""
        pair, other = fresh_pair(), fresh_pair()
        vectors = {n: np.full(4, n, dtype=np.int8) for n in range(1, 60)}
        checks = [CitationCheck(f"e{n}", n, Verification.HOLDS, (), NIGHT) for n in (1, 2)]
        for owner in (pair, other):
            store.save_vectors(owner, vectors, "m")
            store.save_citation_checks(owner, checks)
        for _ in range(2):
            store.delete_vectors(pair, range(2, 60))
            store.delete_citation_checks(pair, [2, 3])
        assert list(store.vectors(pair, "m")) == [1]
        assert [check.position for check in store.citation_checks(pair)] == [1]
        assert (len(store.vectors(other, "m")), len(store.citation_checks(other))) == (59, 2)

    def test_forgets_a_self_model(self, store: RecordStore) -> None:
        """A self-model that was removed is gone until the next night (EP-8)."""
        pair = fresh_pair()
        store.delete_self_model(pair)
        store.save_self_model(pair, self_model(NIGHT))
        store.delete_self_model(pair)
        assert store.self_model(pair) is None


class ContendedRecordStoreContract:
    """What holds when many publish at once; subclasses give the fixture ``store``."""

    def test_the_longest_working_set_wins(self, store: RecordStore) -> None:
        """Of working sets published at once the one that covers most stands at the end, and can be loaded (NI-2)."""
        pair = fresh_pair()
        gate = threading.Barrier(8)

        def publish(rows: int) -> None:
            gate.wait()
            store.save_working_set(pair, segment(rows))
            assert store.working_set(pair) is not None

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(publish, range(1, 9)))
        assert_same(store.working_set(pair), segment(8))
