"""How a student fares elsewhere, as evidence on the concept that is checked."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.beliefs.knowledge_tracing import Mastery, predict, update
from anamnesis.domain.beliefs.proficiency import (
    LATEST_CHECKS,
    LEVEL,
    predict_outcome,
    proficiency,
    student_intercept,
)
from anamnesis.domain.beliefs.revision import CheckResult

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


def result(concept: str, correct: bool, at: datetime) -> CheckResult:
    return CheckResult("", at, concept, concept, correct, float(correct))


def checks(passed: list[bool], *, concepts: int = 15, seed: int = 0) -> list[CheckResult]:
    """Checks two days apart, each of one of some concepts."""
    rng = random.Random(seed)
    return [
        result(f"c{rng.randrange(concepts)}", correct, T0 + timedelta(days=2 * i))
        for i, correct in enumerate(passed)
    ]


def surprise(tried: list[CheckResult], *, nightly: bool) -> float:
    """How far predictions are from the share of passed checks, with what each night learned or without it."""
    states: dict[str, Mastery] = {}
    predicted = []
    for i, check in enumerate(tried):
        intercept = student_intercept(tried[:i]) if nightly else 0.0
        before = states.pop(check.concept, None)
        predicted.append(predict_outcome(before, check.occurred_at, states.values(), intercept=intercept))
        states[check.concept] = update(before, correct=check.correct, score=check.score, at=check.occurred_at)
    return abs(fmean(predicted) - fmean(check.correct for check in tried))


@pytest.mark.parametrize("rate", [0.3, 0.5, 0.67, 0.85])
def test_a_student_whom_the_model_misjudges_is_learned(rate: float) -> None:
    """Of a student who passes another share of spaced checks than the model expects, it is told less wrongly (BE-5)."""
    for seed in range(5):
        rng = random.Random(seed)
        tried = checks([rng.random() < rate for _ in range(40)], seed=seed)
        assert surprise(tried, nightly=True) < 0.8 * surprise(tried, nightly=False)


def test_the_intercept_has_the_sign_of_the_surprise() -> None:
    """No checks are no evidence; passing more than expected raises the intercept, passing less lowers it (BE-5)."""
    assert student_intercept([]) == 0.0
    assert student_intercept(checks([True] * 10)) > 0.5
    steady = [result("c", True, T0 + timedelta(seconds=i)) for i in range(30)]
    assert student_intercept(
        [*steady, *(result("c", False, T0 + timedelta(minutes=1)) for _ in range(5))]
    ) < (student_intercept(steady))


def test_the_latest_checks_decide() -> None:
    """What is worked out each night is bounded, however many checks there are (BE-5, NI-1)."""
    late = checks([True, False] * (LATEST_CHECKS // 2))
    assert student_intercept([*checks([False] * 300), *late]) == student_intercept(late)


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=60), st.integers(0, 9))
def test_predictions_with_an_intercept_are_probabilities(passed: list[bool], seed: int) -> None:
    """Whatever happened, a prediction lies between 0 and 1, and the same checks give the same intercept (BE-5)."""
    tried = checks(passed, seed=seed)
    intercept = student_intercept(tried)
    assert intercept == student_intercept(iter(tried))
    assert 0.0 < predict_outcome(None, T0, [], intercept=intercept) < 1.0
