"""Calibration of predicted mastery."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.night.calibration import calibrate

OUTCOMES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def test_worked_numbers() -> None:
    """Buckets, expected calibration error and Brier score of five predictions are those worked by hand (NI-3)."""
    result = calibrate([(0.1, False), (0.15, True), (0.8, True), (0.85, True), (1.0, False)])
    assert [(b.lower, b.upper, b.count) for b in result.buckets] == [
        (0.1, 0.2, 2),
        (0.8, 0.9, 2),
        (0.9, 1.0, 1),
    ]
    assert [b.mean_predicted for b in result.buckets] == pytest.approx([0.125, 0.825, 1.0])
    assert [b.share_correct for b in result.buckets] == pytest.approx([0.5, 1.0, 0.0])
    # (2*|.5-.125| + 2*|1-.825| + 1*|0-1|) / 5 and (.01 + .7225 + .04 + .0225 + 1) / 5
    assert result.expected_calibration_error == pytest.approx(0.42)
    assert result.brier_score == pytest.approx(0.359)


def test_nothing_predicted() -> None:
    """Without predictions there is no error to state and nothing is called calibrated (NI-3)."""
    result = calibrate([])
    assert (result.predictions, result.expected_calibration_error, result.brier_score) == (0, None, None)
    assert (result.buckets, result.calibrated) == ((), False)


@pytest.mark.parametrize("count, calibrated", [(1, False), (4, False), (5, True), (50, True)])
def test_calibrated_from_five_predictions_on(count: int, calibrated: bool) -> None:
    """The word calibrated is claimed from five predicted checks on, never before (NI-3)."""
    assert calibrate([(0.7, True)] * count).calibrated is calibrated


@given(OUTCOMES)
def test_every_prediction_is_in_one_bucket(outcomes: list[tuple[float, bool]]) -> None:
    """The buckets hold every prediction exactly once, within their bounds, and errors stay within 0–1 (NI-3)."""
    result = calibrate(outcomes)
    assert sum(b.count for b in result.buckets) == result.predictions == len(outcomes)
    for bucket in result.buckets:
        assert bucket.lower - 1e-9 <= bucket.mean_predicted <= bucket.upper + 1e-9
    if outcomes:
        assert result.expected_calibration_error is not None
        assert 0 <= result.expected_calibration_error <= 1


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_order_does_not_count(outcomes: list[tuple[float, bool]], rng: random.Random) -> None:
    """The same predictions in another order give the very same numbers (NI-2)."""
    shuffled = list(outcomes)
    rng.shuffle(shuffled)
    assert calibrate(shuffled) == calibrate(outcomes)


@pytest.mark.parametrize("predicted", [-0.01, 1.01, math.nan, math.inf])
def test_impossible_predictions_are_refused(predicted: float) -> None:
    """A prediction outside 0–1 is an error, never a bucket (NI-3)."""
    with pytest.raises(ValueError, match="prediction"):
        calibrate([(predicted, True)])
