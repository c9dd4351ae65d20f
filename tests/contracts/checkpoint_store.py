"""What every ``CheckpointStore`` promises."""

from __future__ import annotations

from dataclasses import replace

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import Checkpoint
from anamnesis.ports import CheckpointStore
from contracts.examples import fresh_pair


def checkpoint(length: int, digit: str = "a") -> Checkpoint:
    """A checkpoint of a log of this length."""
    return Checkpoint(length, digit * 64, f"note of {length}\n— schlüssel {digit}\n")


class CheckpointStoreContract:
    """Subclasses give the fixture ``store``."""

    def test_keeps_every_checkpoint(self, store: CheckpointStore) -> None:
        """Checkpoints come back as signed, shortest log first (EP-5)."""
        pair = fresh_pair()
        assert store.all(pair) == []
        for length in (12, 3, 100):
            store.add(pair, checkpoint(length))
        assert store.all(pair) == [checkpoint(3), checkpoint(12), checkpoint(100)]

    def test_adding_again_changes_nothing(self, store: CheckpointStore) -> None:
        """The same root signed a second time keeps its first note (NI-2)."""
        pair = fresh_pair()
        store.add(pair, checkpoint(3))
        store.add(pair, checkpoint(3))
        store.add(pair, replace(checkpoint(3), note="signed anew"))
        assert store.all(pair) == [checkpoint(3)]

    def test_contradicting_roots_both_stay(self, store: CheckpointStore) -> None:
        """Two roots of one length are both kept: one of them proves a rewrite (EP-5)."""
        pair = fresh_pair()
        store.add(pair, checkpoint(3, "a"))
        store.add(pair, checkpoint(3, "b"))
        assert store.all(pair) == [checkpoint(3, "a"), checkpoint(3, "b")]

    def test_pairs_do_not_meet(self, store: CheckpointStore) -> None:
        """A pair whose name begins with another's sees none of its checkpoints (SV-11)."""
        pair = fresh_pair()
        store.add(pair, checkpoint(3))
        assert store.all(Pair(pair.tenant, pair.student, pair.subject[:-1])) == []
        assert store.all(Pair(pair.tenant, pair.student, pair.subject + "2")) == []

    def test_gives_checkpoints_page_by_page(self, store: CheckpointStore) -> None:
        """Checkpoints are read on from any length, and those of one length are never parted (EP-5)."""
        pair = fresh_pair()
        kept = [checkpoint(2), checkpoint(3, "a"), checkpoint(3, "b"), checkpoint(10)]
        for one in reversed(kept):
            store.add(pair, one)
        assert store.after(pair, 0, limit=9) == kept
        assert store.after(pair, 0, limit=1) == kept[:1]
        assert store.after(pair, 0, limit=2) == store.after(pair, 0, limit=3) == kept[:3]
        assert store.after(pair, 2, limit=1) == kept[1:3]
        assert store.after(pair, 3, limit=1) == store.after(pair, 9, limit=5) == kept[3:]
        assert store.after(pair, 10, limit=5) == store.after(pair, 0, limit=0) == []

    def test_gives_the_newest_first(self, store: CheckpointStore) -> None:
        """The checkpoint of the longest log comes first, and every other follows when asked for (EP-5)."""
        pair = fresh_pair()
        assert list(store.newest(pair)) == []
        for length in (12, 3, 100):
            store.add(pair, checkpoint(length))
        newest = store.newest(pair)
        assert next(newest) == checkpoint(100)
        assert list(newest) == [checkpoint(12), checkpoint(3)]
