"""Knowledge tracing: the equations of the paper, forgetting, and what may never happen."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.beliefs.knowledge_tracing import (
    FITTED,
    Mastery,
    Parameters,
    predict,
    probability_known,
    update,
)

T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
#: Corbett & Anderson's model (no forgetting) with round parameters, worked by hand from their equations.
ROUND = Parameters(prior=0.5, learn=0.4, guess=0.2, slip=0.2)
DAYS = st.floats(0, 4000, allow_nan=False)
STEPS = st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.floats(-400, 400)), max_size=12)


def known_after(outcomes: list[bool], parameters: Parameters, gap_days: float = 0.0) -> float:
    """Trace outcomes and give P(known)."""
    state, at = None, T0
    for correct in outcomes:
        state = update(state, correct=correct, score=float(correct), at=at, parameters=parameters)
        at += timedelta(days=gap_days)
    assert state is not None
    return state.known


@pytest.mark.parametrize(
    "outcomes, known",
    [
        # P(L1|right) = .5*.8/(.5*.8+.5*.2) = .8, then .8 + .2*.4; P(L1|wrong) = .2, then .2 + .8*.4.
        ([True], 0.88),
        ([False], 0.52),
        # From .88: right .704/(.704+.024) = .967033, wrong .176/(.176+.096) = .647059.
        ([True, True], 0.9802197802),
        ([True, False], 0.7882352941),
        # From .52: right .416/(.416+.096) = .8125; wrong .104/(.104+.384) = .213115.
        ([False, True], 0.8875),
        ([False, False], 0.5278688525),
    ],
)
def test_equations_of_the_paper(outcomes: list[bool], known: float) -> None:
    """P(known) after one and two checks is what Corbett and Anderson's equations give by hand (BE-5)."""
    assert known_after(outcomes, ROUND) == pytest.approx(known, abs=1e-9)


def test_prediction_is_of_the_outcome() -> None:
    """What is predicted is that the check is passed, knowing it or guessing, not that it is known (BE-5)."""
    assert predict(None, T0, parameters=ROUND) == pytest.approx(0.5 * 0.8 + 0.5 * 0.2)
    assert predict(Mastery(0.88, T0), T0, parameters=ROUND) == pytest.approx(0.88 * 0.8 + 0.12 * 0.2)
    assert predict(Mastery(1.0, T0), T0) == pytest.approx(1 - FITTED.slip)


def test_forgetting_follows_the_power_law_down_to_the_prior() -> None:
    """What was gained above the prior is kept by a share (1 + t/tau)^-b of the time elapsed (BE-5)."""
    parameters = replace(ROUND, prior=0.1, forgetting_exponent=0.5, forgetting_scale_days=1.0)
    state = Mastery(0.9, T0)
    assert probability_known(state, T0 + timedelta(days=3), parameters=parameters) == pytest.approx(0.5)
    assert probability_known(state, T0 + timedelta(days=99), parameters=parameters) == pytest.approx(0.18)
    below = Mastery(0.05, T0)
    assert probability_known(below, T0 + timedelta(days=99), parameters=parameters) == pytest.approx(0.05)


def test_first_check_decides_the_first_claim() -> None:
    """After one passed check "known" is the likelier state, after one missed check it is not (BE-1)."""
    assert known_after([True], FITTED) >= 0.5 > known_after([False], FITTED)


def test_time_out_of_order_counts_as_no_time() -> None:
    """A check dated before the latest one forgets nothing and moves no clock back (BE-5)."""
    state = Mastery(0.8, T0)
    assert predict(state, T0 - timedelta(days=200)) == predict(state, T0)
    late = update(state, correct=True, score=1.0, at=T0 - timedelta(days=200))
    assert late == update(state, correct=True, score=1.0, at=T0)


@given(STEPS)
def test_probabilities_stay_probabilities(steps: list[tuple[bool, float, float]]) -> None:
    """No sequence of outcomes, scores and times takes P(known) or a prediction out of its range (BE-5)."""
    state = None
    for correct, score, days in steps:
        at = T0 + timedelta(days=days)
        assert FITTED.guess - 1e-12 <= predict(state, at) <= 1 - FITTED.slip + 1e-12
        state = update(state, correct=correct, score=score, at=at)
        assert 0.0 <= state.known <= 1.0


@given(st.floats(0, 1), DAYS, st.floats(0, 1), st.floats(0, 1))
def test_evidence_points_its_way(known: float, days: float, first: float, second: float) -> None:
    """A pass leaves no less known than a miss, and a better score no less than a worse one (BE-5)."""
    state, at = Mastery(known, T0), T0 + timedelta(days=days)
    low, high = sorted((first, second))
    for correct in (True, False):
        worse = update(state, correct=correct, score=low, at=at).known
        better = update(state, correct=correct, score=high, at=at).known
        assert worse <= better + 1e-12
    passed = update(state, correct=True, score=low, at=at).known
    missed = update(state, correct=False, score=high, at=at).known
    before = probability_known(state, at)
    assert missed <= before + (1 - before) * FITTED.learn + 1e-12
    assert passed >= before - 1e-12
    assert passed >= missed - 1e-12


@given(st.floats(0, 1), DAYS, DAYS)
def test_more_time_forgets_more(known: float, one: float, other: float) -> None:
    """The longer ago the last check, the less is still known above the prior (BE-5)."""
    state = Mastery(known, T0)
    sooner, later = sorted((one, other))
    assert probability_known(state, T0 + timedelta(days=later)) <= probability_known(
        state, T0 + timedelta(days=sooner)
    )


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_impossible_scores_are_refused(score: float) -> None:
    """A score outside 0–1 is an error, never silently evidence (BE-5)."""
    with pytest.raises(ValueError, match="score"):
        update(None, correct=True, score=score, at=T0)


@pytest.mark.parametrize(
    "changes",
    [
        {"prior": 1.2},
        {"learn": -0.1},
        {"guess": 0.0},
        {"slip": 0.0},
        {"guess": 0.6, "slip": 0.5},
        {"forgetting_exponent": -1.0},
        {"forgetting_scale_days": 0.0},
    ],
)
def test_degenerate_parameters_are_refused(changes: dict[str, float]) -> None:
    """Parameters under which a pass would speak against knowing are refused (BE-5)."""
    with pytest.raises(ValueError, match=r"prior|guess|forgetting"):
        replace(ROUND, **changes)
