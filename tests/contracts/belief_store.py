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
from anamnesis.domain.log.progress import Progress
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
        assert (store.projected_to(pair), store.current(pair), store.history(pair)) == (Progress(), [], [])
        assert store.get(pair, "nothing") is None

    def test_gives_back_every_field_exactly(self, store: BeliefStore, pair: Pair) -> None:
        """A belief comes back equal in every field, its dated history included (BE-1)."""
        decay = ConfidenceChange(NOW + timedelta(days=45), 1e-9, ChangeReason.DECAY, None)
        row = belief(pair, "細胞質 #1")
        row = replace(row, history=(*row.history, decay), needs_confirmation=True, confidence=1.0)
        store.save(pair, inserted=[row], changed=[], projected_to=Progress(3), expected=Progress())
        assert store.get(pair, row.id) == row
        assert store.current(pair) == store.history(pair) == [row]
        assert store.projected_to(pair) == Progress(3)

    def test_supersedes_without_forgetting(self, store: BeliefStore, pair: Pair) -> None:
        """A changed mind is a new row that the old one points to, and only the new one is current (BE-2)."""
        old = belief(pair, "osmosis", claim=Claim.STRUGGLES_WITH)
        store.save(pair, inserted=[old], changed=[], projected_to=Progress(1), expected=Progress())
        new = replace(belief(pair, "osmosis"), created_at=NOW + timedelta(days=1))
        retired = replace(old, superseded_by=new.id)
        store.save(
            pair,
            inserted=[new],
            changed=[retired],
            projected_to=Progress(2),
            expected=store.projected_to(pair),
        )
        assert store.current(pair) == [new]
        assert store.history(pair) == [retired, new]
        assert store.get(pair, old.id) == retired

    def test_current_is_by_concept(self, store: BeliefStore, pair: Pair) -> None:
        """Current beliefs come in the order of their concepts' keys (BE-2)."""
        rows = [belief(pair, key) for key in ("osmosis", "cytoplasm", "細胞", "atom")]
        store.save(pair, inserted=rows, changed=[], projected_to=Progress(1), expected=Progress())
        assert [row.concept for row in store.current(pair)] == ["atom", "cytoplasm", "osmosis", "細胞"]
        assert [row.id for row in store.history(pair)] == sorted(row.id for row in rows)

    def test_refuses_an_outrun_writer(self, store: BeliefStore, pair: Pair) -> None:
        """A save from a projection that moved changes nothing (BE-2)."""
        first = belief(pair, "osmosis")
        store.save(pair, inserted=[first], changed=[], projected_to=Progress(5, 1), expected=Progress())
        late = [belief(pair, "atom")]
        for expected in (
            Progress(),
            Progress(4, 1, revision=1),
            Progress(6, 1, revision=1),
            Progress(5, 0, revision=1),
            Progress(5, 2, revision=1),
            Progress(5, 1, revision=2),
        ):
            with pytest.raises(RevisionMoved):
                store.save(
                    pair,
                    inserted=late,
                    changed=[replace(first, superseded_by=late[0].id)],
                    projected_to=Progress(7),
                    expected=expected,
                )
        assert (store.history(pair), store.projected_to(pair)) == ([first], Progress(5, 1))

    def test_saving_again_changes_nothing(self, store: BeliefStore, pair: Pair) -> None:
        """A retry of a save that went through is no error and no second row (NI-2)."""
        old = belief(pair, "osmosis", claim=Claim.STRUGGLES_WITH)
        store.save(pair, inserted=[old], changed=[], projected_to=Progress(1), expected=Progress())
        new = belief(pair, "osmosis")
        retired = replace(old, superseded_by=new.id)
        before = store.projected_to(pair)
        for _ in range(3):
            store.save(pair, inserted=[new], changed=[retired], projected_to=Progress(2), expected=before)
            assert store.projected_to(pair).revision == 2
        assert store.history(pair) == [retired, new]
        assert store.current(pair) == [new]

    def test_a_row_keeps_its_claim(self, store: BeliefStore, pair: Pair) -> None:
        """No save can turn a row into another claim or make one out of nothing (BE-2)."""
        row = belief(pair, "osmosis")
        store.save(pair, inserted=[row], changed=[], projected_to=Progress(1), expected=Progress())
        turned = [replace(row, claim=Claim.STRUGGLES_WITH), replace(row, concept="atom")]
        now = store.projected_to(pair)
        for bad in (*turned, belief(pair, "unknown")):
            with pytest.raises(RevisionMoved):
                store.save(pair, inserted=[], changed=[bad], projected_to=Progress(2), expected=now)
        for bad in turned:
            with pytest.raises(RevisionMoved):
                store.save(pair, inserted=[bad], changed=[], projected_to=Progress(2), expected=now)
        assert (store.history(pair), store.projected_to(pair)) == ([row], Progress(1))

    def test_decay_moves_no_projection(self, store: BeliefStore, pair: Pair) -> None:
        """A confidence can change without a new episode (NI-1)."""
        row = belief(pair, "osmosis")
        store.save(pair, inserted=[row], changed=[], projected_to=Progress(4), expected=Progress())
        decayed = replace(row, confidence=0.1, needs_confirmation=True)
        store.save(
            pair, inserted=[], changed=[decayed], projected_to=Progress(4), expected=store.projected_to(pair)
        )
        assert store.current(pair) == [decayed]

    def test_can_only_move_the_projection(self, store: BeliefStore, pair: Pair) -> None:
        """Episodes without consequences are projected as well (BE-3)."""
        store.save(pair, inserted=[], changed=[], projected_to=Progress(9), expected=Progress())
        assert (store.projected_to(pair), store.history(pair)) == (Progress(9), [])

    def test_takes_many_rows(self, store: BeliefStore, pair: Pair) -> None:
        """Re-deriving hundreds of beliefs stores them all, and again changes nothing (NI-2)."""
        rows = [belief(pair, f"concept {n:03}") for n in range(self.many)]
        for _ in range(2):
            store.save(pair, inserted=rows, changed=[], projected_to=Progress(1), expected=Progress())
        following = [replace(belief(pair, row.concept), created_at=NOW + timedelta(days=1)) for row in rows]
        retired = [replace(row, superseded_by=new.id) for row, new in zip(rows, following, strict=True)]
        store.save(
            pair,
            inserted=following,
            changed=retired,
            projected_to=Progress(2),
            expected=store.projected_to(pair),
        )
        assert store.current(pair) == following
        assert store.history(pair) == retired + following
        with pytest.raises(RevisionMoved):
            store.save(
                pair, inserted=[], changed=rows, projected_to=Progress(3), expected=Progress(1, revision=1)
            )
        assert store.current(pair) == following

    def test_gives_back_what_was_covered(self, store: BeliefStore, pair: Pair) -> None:
        """How far a projection has come is stored whole, and every save counts it up (EP-8, NI-2)."""
        steps = [Progress(3), Progress(3, 1), Progress(3, 1, tied_anew=True), Progress(7, 4, tied_anew=True)]
        for number, step in enumerate([*steps, steps[-1]], start=1):
            before = store.projected_to(pair)
            rows = [belief(pair, f"concept {number}")]
            store.save(pair, inserted=rows, changed=[], projected_to=step, expected=before)
            after = store.projected_to(pair)
            assert (after, after.tied_anew, after.revision) == (step, step.tied_anew, number)

    def test_the_same_place_again_is_no_licence(self, store: BeliefStore, pair: Pair) -> None:
        """Who read before somebody else saved without moving the projection may not save over that (BE-2, NI-1)."""
        row = belief(pair, "osmosis", claim=Claim.STRUGGLES_WITH)
        store.save(pair, inserted=[row], changed=[], projected_to=Progress(4), expected=Progress())
        read = store.projected_to(pair)
        new = belief(pair, "osmosis")
        retired = replace(row, superseded_by=new.id)
        store.save(pair, inserted=[new], changed=[retired], projected_to=Progress(4), expected=read)
        decayed = replace(row, confidence=0.1, needs_confirmation=True)
        with pytest.raises(RevisionMoved):
            store.save(pair, inserted=[], changed=[decayed], projected_to=Progress(4), expected=read)
        assert store.current(pair) == [new]
        assert store.get(pair, row.id) == retired

    def test_removes_rows(self, store: BeliefStore, pair: Pair) -> None:
        """Rows that the law wants gone are gone from every list, current or not, and again changes nothing (EP-8)."""
        rows = [belief(pair, f"concept {n}") for n in range(4)]
        rows[1] = replace(rows[1], superseded_by=rows[2].id)
        store.save(pair, inserted=rows, changed=[], projected_to=Progress(4), expected=Progress())
        before = store.projected_to(pair)
        new = belief(pair, "concept 0")
        turned = replace(rows[3], superseded_by=new.id)
        gone = [rows[0].id, rows[1].id, "belief-unknown"]
        for _ in range(2):
            store.save(
                pair,
                inserted=[new],
                changed=[turned],
                removed=gone,
                projected_to=Progress(4, 1),
                expected=before,
            )
            assert {row.id for row in store.history(pair)} == {rows[2].id, turned.id, new.id}
            assert {row.id for row in store.current(pair)} == {rows[2].id, new.id}
            assert store.get(pair, rows[0].id) is None
        assert store.projected_to(pair) == Progress(4, 1)

    def test_removes_and_replaces_many(self, store: BeliefStore, pair: Pair) -> None:
        """Hundreds of rows and their successors change places, and the superseded ones among them go too (EP-8)."""
        rows = [belief(pair, f"concept {n % self.many:03}") for n in range(2 * self.many)]
        old, current = rows[: self.many], rows[self.many :]
        old = [replace(row, superseded_by=after.id) for row, after in zip(old, current, strict=True)]
        store.save(pair, inserted=[*old, *current], changed=[], projected_to=Progress(9), expected=Progress())
        before = store.projected_to(pair)
        new = [belief(pair, row.concept) for row in current]
        turned = [replace(row, superseded_by=after.id) for row, after in zip(old, new, strict=True)]
        gone = [row.id for row in current]
        for _ in range(2):
            store.save(
                pair,
                inserted=new,
                changed=turned,
                removed=gone,
                projected_to=Progress(9, 1),
                expected=before,
            )
        assert store.current(pair) == new
        assert {row.id for row in store.history(pair)} == {row.id for row in (*turned, *new)}
        assert store.projected_to(pair) == Progress(9, 1)

    def test_keeps_years_of_history(self, store: BeliefStore, pair: Pair) -> None:
        """Thousands of dated steps and their evidence fit one row (BE-2)."""
        steps = tuple(
            ConfidenceChange(NOW + timedelta(hours=n), n / 5_000, ChangeReason.CHECK, f"{n:026d}")
            for n in range(5_000)
        )
        row = replace(
            belief(pair, "osmosis"), history=steps, evidence=tuple(f"{n:026d}" for n in range(5_000))
        )
        store.save(pair, inserted=[row], changed=[], projected_to=Progress(1), expected=Progress())
        assert store.current(pair) == [row]

    def test_pairs_do_not_meet(self, store: BeliefStore, pair: Pair) -> None:
        """One student's beliefs are no other's (SV-11)."""
        store.save(
            pair,
            inserted=[belief(pair, "osmosis")],
            changed=[],
            projected_to=Progress(1),
            expected=Progress(),
        )
        other = Pair(pair.tenant, pair.student, "other subject")
        assert (store.history(other), store.current(other), store.projected_to(other)) == ([], [], Progress())


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
                store.save(
                    pair, inserted=rows, changed=[], projected_to=Progress(writer + 1), expected=Progress()
                )
            except RevisionMoved:
                return []
            return rows

        with ThreadPoolExecutor(8) as threads:
            outcomes = list(threads.map(save, range(8)))
        winners = [rows for rows in outcomes if rows]
        assert len(winners) == 1
        assert store.history(pair) == winners[0]
        assert store.projected_to(pair) == Progress(outcomes.index(winners[0]) + 1)
