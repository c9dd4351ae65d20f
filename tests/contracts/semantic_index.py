"""What every ``SemanticIndex`` promises."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair
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

    def test_names_of_any_script_and_length_are_a_pair(self, index: SemanticIndex) -> None:
        """A pair's names may be of any script, hold any character and be long; each has its own neighbours (SV-11)."""
        names = (
            "a?b=c&d#e",
            '"quoted"\\',
            "%2F..",
            "学生🎓",
            "طالب",
            "נָ",
            "ไทย",
            "हिन्दी",
            "x" * 128,
            "*",
            "_all",
            "é" * 64,
        )
        start = fresh_pair()
        pairs = [Pair(start.tenant, name, start.student) for name in names]
        vectors = unit_vectors(len(pairs))
        for position, pair in enumerate(pairs, start=1):
            index.add(pair, {position: vectors[position - 1]})
        for position, pair in enumerate(pairs, start=1):
            found = index.neighbours(pair, vectors[0], 50, timeout_seconds=5)
            assert [each for each, _ in found] == [position]

    def test_more_than_there_are(self, index: SemanticIndex) -> None:
        """Asked for more neighbours than there are, all are answered; asked for none, none (RC-1)."""
        pair = fresh_pair()
        index.add(pair, dict(enumerate(unit_vectors(3), start=1)))
        query = unit_vectors(1, seed=3)[0]
        for count in (4, 100, 10_000, 1_000_000):
            found = index.neighbours(pair, query, count, timeout_seconds=5)
            assert sorted(position for position, _ in found) == [1, 2, 3]
        assert index.neighbours(pair, query, 0, timeout_seconds=5) == []

    def test_what_has_no_direction_is_near_nothing(self, index: SemanticIndex) -> None:
        """A vector of zeros is nobody's neighbour and has none, and takes no other down with it (RC-1, SV-14)."""
        pair = fresh_pair()
        near, zeros = unit_vectors(1)[0], np.zeros(DIMENSION, dtype=np.float32)
        index.add(pair, {1: zeros, 2: near, 3: near})
        index.add(pair, {3: zeros})
        assert [position for position, _ in index.neighbours(pair, near, 5, timeout_seconds=5)] == [2]
        assert index.neighbours(pair, zeros, 5, timeout_seconds=5) == []

    def test_a_bad_vector_does_not_keep_others_out(self, index: SemanticIndex) -> None:
        """What an index cannot take is reported, so that it is sent again, and all others are in (SV-14)."""
        pair = fresh_pair()
        vectors = dict(enumerate(unit_vectors(450), start=1))
        vectors |= {3: unit_vectors(1, DIMENSION + 1)[0], 4: np.full(DIMENSION, np.nan, dtype=np.float32)}
        with pytest.raises(StoreUnavailable):
            index.add(pair, vectors)
        found = index.neighbours(pair, vectors[1], 1_000, timeout_seconds=5)
        assert {position for position, _ in found} == set(vectors) - {3, 4}

    def test_many_threads_at_once(self, index: SemanticIndex) -> None:
        """64 threads that index, search and remove at once each see their own pair, whole (SV-5)."""

        def work(number: int) -> list[int]:
            pair, vectors = fresh_pair(), unit_vectors(6, seed=number + 1)
            index.add(pair, dict(enumerate(vectors, start=1)))
            index.remove(pair, [2, 5])
            return sorted(p for p, _ in index.neighbours(pair, vectors[0], 10, timeout_seconds=30))

        with ThreadPoolExecutor(64) as executor:
            assert list(executor.map(work, range(64))) == [[1, 3, 4, 6]] * 64
