"""What every ``SemanticIndex`` promises."""

from __future__ import annotations

import numpy as np
import pytest

from anamnesis.ports import SemanticIndex
from contracts.examples import fresh_pair, unit_vectors

DIMENSION = 8


class SemanticIndexContract:
    """Subclasses give the fixture ``index``, of 8 dimensions."""

    def test_finds_the_nearest(self, index: SemanticIndex) -> None:
        """The nearest episodes come first, each with its cosine (RC-1)."""
        pair = fresh_pair()
        assert index.neighbours(pair, unit_vectors(1)[0], 3, timeout_seconds=5) == []
        vectors = unit_vectors(300)
        index.add(pair, dict(enumerate(vectors, start=1)))
        query = unit_vectors(1, seed=3)[0]
        cosines = vectors @ query
        found = index.neighbours(pair, query, 5, timeout_seconds=5)
        assert [position for position, _ in found] == [int(n) + 1 for n in np.argsort(-cosines)[:5]]
        assert [cosine for _, cosine in found] == pytest.approx(sorted(cosines)[:-6:-1], abs=1e-5)

    def test_the_same_position_again_replaces(self, index: SemanticIndex) -> None:
        """An event that arrives twice leaves one episode (SV-14)."""
        pair = fresh_pair()
        first, second = unit_vectors(2)
        index.add(pair, {1: first})
        index.add(pair, {1: second})
        index.add(pair, {})
        [(position, cosine)] = index.neighbours(pair, second, 5, timeout_seconds=5)
        assert (position, cosine) == (1, pytest.approx(1, abs=1e-5))

    def test_pairs_do_not_meet(self, index: SemanticIndex) -> None:
        """Another student's episode is no neighbour, however near it is (SV-11)."""
        pair, other = fresh_pair(), fresh_pair()
        near, far = unit_vectors(2)
        index.add(other, dict.fromkeys(range(1, 50), near))
        index.add(pair, {7: far})
        assert [position for position, _ in index.neighbours(pair, near, 3, timeout_seconds=5)] == [7]

    def test_what_is_removed_is_found_no_more(self, index: SemanticIndex) -> None:
        """An erased episode is no neighbour any more; removing it again, or one never indexed, is nothing (EP-8)."""
        pair, other = fresh_pair(), fresh_pair()
        index.remove(pair, [1])
        near, far = unit_vectors(2)
        index.add(pair, {1: near, 2: far})
        index.add(other, {1: near})
        index.remove(pair, [1, 3])
        index.remove(pair, [1])
        assert [position for position, _ in index.neighbours(pair, near, 3, timeout_seconds=5)] == [2]
        assert [position for position, _ in index.neighbours(other, near, 3, timeout_seconds=5)] == [1]
