"""How a student fares elsewhere, as evidence on the concept that is checked."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.beliefs.knowledge_tracing import Mastery, predict
from anamnesis.domain.beliefs.proficiency import LEVEL, predict_outcome, proficiency

T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
KNOWN = st.lists(st.floats(0, 1), max_size=60)


def states(known: list[float]) -> list[Mastery]:
    return [Mastery(value, T0) for value in known]


@pytest.mark.parametrize("state", [None, Mastery(0.8, T0), Mastery(0.0, T0), Mastery(1.0, T0)])
def test_without_other_concepts_the_concept_decides(state: Mastery | None) -> None:
    """The first concept of a subject is predicted by knowledge tracing alone, and so is an average student's (BE-5)."""
    assert predict_outcome(state, T0, []) == pytest.approx(predict(state, T0))
    assert predict_outcome(state, T0, states([LEVEL] * 9)) == pytest.approx(predict(state, T0))


def test_who_fares_well_elsewhere_is_expected_to_here() -> None:
    """Predictions rise with what is known elsewhere, the more so the more is known of it (BE-5)."""
    predicted = [predict_outcome(None, T0, states(known)) for known in ([0.1] * 9, [0.1], [0.9], [0.9] * 9)]
    assert predicted == sorted(predicted)
    assert predicted[0] < predict(None, T0) < predicted[-1]


@given(KNOWN, st.floats(0, 1), st.randoms())
def test_predictions_are_probabilities_in_any_order(
    known: list[float], own: float, rng: random.Random
) -> None:
    """A prediction lies between 0 and 1 and does not depend on the order in which beliefs are read (BE-5)."""
    shuffled = states(known)
    rng.shuffle(shuffled)
    predicted = predict_outcome(Mastery(own, T0), T0, shuffled)
    assert 0.0 < predicted < 1.0
    assert predicted == predict_outcome(Mastery(own, T0), T0, states(known))
    assert proficiency(shuffled) == proficiency(states(known))
