"""What every ``BeliefStore`` promises."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.errors import RevisionMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import BeliefStore
from contracts.examples import NOW, belief, fresh_pair


class BeliefStoreContract:
    """Subclasses give the fixture ``store``."""

    #: More rows than fit two transactions of the real adapter.
    many = 120

    @pytest.fixture
    def pair(self) -> Pair:
        return fresh_pair()

    def test_starts_empty(self, store: BeliefStore, pair: Pair) -> None:
        """A pair without checks has no beliefs and is projected up to nothing (BE-1)."""
        assert (store.projected_to(pair), store.current(pair), store.history(pair)) == (0, [], [])
        assert store.get(pair, "nothing") is None

    def test_gives_back_every_field_exactly(self, store: BeliefStore, pair: Pair) -> None:
        """A belief comes back equal in every field, its dated history included (BE-1)."""
        decay = ConfidenceChange(NOW + timedelta(days=45), 1e-9, ChangeReason.DECAY, None)
        row = belief(pair, "細胞質 #1")
        row = replace(row, history=(*row.history, decay), needs_confirmation=True, confidence=1.0)
        store.save(pair, inserted=[row], changed=[], projected_to=3, expected=0)
        assert store.get(pair, row.id) == row
        assert store.current(pair) == store.history(pair) == [row]
        assert store.projected_to(pair) == 3

    def test_supersedes_without_forgetting(self, store: BeliefStore, pair: Pair) -> None:
        """A changed mind is a new row that the old one points to, and only the new one is current (BE-2)."""
        old = belief(pair, "osmosis", claim=Claim.STRUGGLES_WITH)
        store.save(pair, inserted=[old], changed=[], projected_to=1, expected=0)
        new = replace(belief(pair, "osmosis"), created_at=NOW + timedelta(days=1))
        retired = replace(old, superseded_by=new.id)
        store.save(pair, inserted=[new], changed=[retired], projected_to=2, expected=1)
        assert store.current(pair) == [new]
        assert store.history(pair) == [retired, new]
        assert store.get(pair, old.id) == retired

    def test_current_is_by_concept(self, store: BeliefStore, pair: Pair) -> None:
        """Current beliefs come in the order of their concepts' keys (BE-2)."""
        rows = [belief(pair, key) for key in ("osmosis", "cytoplasm", "細胞", "atom")]
        store.save(pair, inserted=rows, changed=[], projected_to=1, expected=0)
        assert [row.concept for row in store.current(pair)] == ["atom", "cytoplasm", "osmosis", "細胞"]
        assert [row.id for row in store.history(pair)] == sorted(row.id for row in rows)

    def test_refuses_an_outrun_writer(self, store: BeliefStore, pair: Pair) -> None:
        """A save from a projection that moved changes nothing (BE-2)."""
        first = belief(pair, "osmosis")
        store.save(pair, inserted=[first], changed=[], projected_to=5, expected=0)
        late = [belief(pair, "atom")]
        for expected in (0, 4, 6):
            with pytest.raises(RevisionMoved):
                store.save(
                    pair,
                    inserted=late,
                    changed=[replace(first, superseded_by=late[0].id)],
                    projected_to=7,
                    expected=expected,
                )
        assert (store.history(pair), store.projected_to(pair)) == ([first], 5)

    def test_saving_again_changes_nothing(self, store: BeliefStore, pair: Pair) -> None:
        """A retry of a save that went through is no error and no second row (NI-2)."""
        old = belief(pair, "osmosis", claim=Claim.STRUGGLES_WITH)
        store.save(pair, inserted=[old], changed=[], projected_to=1, expected=0)
        new = belief(pair, "osmosis")
        retired = replace(old, superseded_by=new.id)
        for _ in range(3):
            store.save(pair, inserted=[new], changed=[retired], projected_to=2, expected=1)
        assert store.history(pair) == [retired, new]
        assert store.current(pair) == [new]

    def test_a_row_keeps_its_claim(self, store: BeliefStore, pair: Pair) -> None:
        """No save can turn a row into another claim or make one out of nothing (BE-2)."""
        row = belief(pair, "osmosis")
        store.save(pair, inserted=[row], changed=[], projected_to=1, expected=0)
        turned = [replace(row, claim=Claim.STRUGGLES_WITH), replace(row, concept="atom")]
        for bad in (*turned, belief(pair, "unknown")):
            with pytest.raises(RevisionMoved):
                store.save(pair, inserted=[], changed=[bad], projected_to=2, expected=1)
        for bad in turned:
            with pytest.raises(RevisionMoved):
                store.save(pair, inserted=[bad], changed=[], projected_to=2, expected=1)
        assert (store.history(pair), store.projected_to(pair)) == ([row], 1)

    def test_decay_moves_no_projection(self, store: BeliefStore, pair: Pair) -> None:
        """A confidence can change without a new episode (NI-1)."""
        row = belief(pair, "osmosis")
        store.save(pair, inserted=[row], changed=[], projected_to=4, expected=0)
        decayed = replace(row, confidence=0.1, needs_confirmation=True)
        store.save(pair, inserted=[], changed=[decayed], projected_to=4, expected=4)
        assert store.current(pair) == [decayed]

    def test_can_only_move_the_projection(self, store: BeliefStore, pair: Pair) -> None:
        """Episodes without consequences are projected as well (BE-3)."""
        store.save(pair, inserted=[], changed=[], projected_to=9, expected=0)
        assert (store.projected_to(pair), store.history(pair)) == (9, [])

    def test_takes_many_rows(self, store: BeliefStore, pair: Pair) -> None:
        """Re-deriving hundreds of beliefs stores them all, and again changes nothing (NI-2)."""
        rows = [belief(pair, f"concept {n:03}") for n in range(self.many)]
        for _ in range(2):
            store.save(pair, inserted=rows, changed=[], projected_to=1, expected=0)
        following = [replace(belief(pair, row.concept), created_at=NOW + timedelta(days=1)) for row in rows]
        retired = [replace(row, superseded_by=new.id) for row, new in zip(rows, following, strict=True)]
        store.save(pair, inserted=following, changed=retired, projected_to=2, expected=1)
        assert store.current(pair) == following
        assert store.history(pair) == retired + following
        with pytest.raises(RevisionMoved):
            store.save(pair, inserted=[], changed=rows, projected_to=3, expected=1)
        assert store.current(pair) == following

    def test_keeps_years_of_history(self, store: BeliefStore, pair: Pair) -> None:
        """Thousands of dated steps and their evidence fit one row (BE-2)."""
        steps = tuple(
            ConfidenceChange(NOW + timedelta(hours=n), n / 5_000, ChangeReason.CHECK, f"{n:026d}")
            for n in range(5_000)
        )
        row = replace(
            belief(pair, "osmosis"), history=steps, evidence=tuple(f"{n:026d}" for n in range(5_000))
        )
        store.save(pair, inserted=[row], changed=[], projected_to=1, expected=0)
        assert store.current(pair) == [row]

    def test_pairs_do_not_meet(self, store: BeliefStore, pair: Pair) -> None:
        """One student's beliefs are no other's (SV-11)."""
        store.save(pair, inserted=[belief(pair, "osmosis")], changed=[], projected_to=1, expected=0)
        other = Pair(pair.tenant, pair.student, "other subject")
        assert (store.history(other), store.current(other), store.projected_to(other)) == ([], [], 0)


class ContendedBeliefStoreContract:
    """What holds when many save at once; subclasses give the fixture ``store``."""

    def test_one_writer_wins(self, store: BeliefStore) -> None:
        """Of many projections of the same checks at once exactly one is stored (BE-2)."""
        pair = fresh_pair()
        gate = threading.Barrier(8)

        def save(writer: int) -> list[Belief]:
            rows = [belief(pair, f"concept {n}") for n in range(3)]
            gate.wait()
            try:
                store.save(pair, inserted=rows, changed=[], projected_to=writer + 1, expected=0)
            except RevisionMoved:
                return []
            return rows

        with ThreadPoolExecutor(8) as threads:
            outcomes = list(threads.map(save, range(8)))
        winners = [rows for rows in outcomes if rows]
        assert len(winners) == 1
        assert store.history(pair) == winners[0]
        assert store.projected_to(pair) == outcomes.index(winners[0]) + 1
