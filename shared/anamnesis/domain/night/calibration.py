"""Calibration: predicted mastery against what then happened (NI-3)."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum
from typing import Final

from anamnesis.domain.night.records import Calibration, ReliabilityBucket

#: Number of equal-width buckets of the reliability curve. Guo et al., "On calibration of modern neural
#: networks", ICML 2017, use such buckets for the expected calibration error; ten of them are common.
BUCKETS: Final = 10
#: Predicted checks from which the memory may call itself calibrated (NI-3).
MIN_PREDICTIONS: Final = 5


def calibrate(outcomes: Iterable[tuple[float, bool]]) -> Calibration:
    """Work out the reliability curve, expected calibration error and Brier score of predictions.

    Parameters
    ----------
    outcomes
        Predicted probability of passing (0–1) and whether the check was passed, in any order.

    Returns
    -------
    Calibration
        Only buckets that hold predictions are listed, lowest first; 1.0 belongs to the last bucket. The
        expected calibration error is the mean over predictions of |share correct - mean predicted| of their
        bucket (Guo et al. 2017, eq. 3); the Brier score is the mean squared error (Brier 1950).

    Raises
    ------
    ValueError
        If a prediction lies outside 0–1 or is not a number.
    """
    members: list[list[tuple[float, bool]]] = [[] for _ in range(BUCKETS)]
    for predicted, correct in outcomes:
        if not 0.0 <= predicted <= 1.0:
            raise ValueError("a prediction lies within 0 and 1")
        members[min(int(predicted * BUCKETS), BUCKETS - 1)].append((predicted, correct))
    total = sum(map(len, members))
    buckets = tuple(_bucket(number, held) for number, held in enumerate(members) if held)
    if not total:
        return Calibration(0, None, None, (), calibrated=False)
    error = fsum(b.count * abs(b.share_correct - b.mean_predicted) for b in buckets) / total
    brier = fsum((predicted - correct) ** 2 for held in members for predicted, correct in held) / total
    return Calibration(total, error, brier, buckets, calibrated=total >= MIN_PREDICTIONS)


def _bucket(number: int, held: list[tuple[float, bool]]) -> ReliabilityBucket:
    return ReliabilityBucket(
        lower=number / BUCKETS,
        upper=(number + 1) / BUCKETS,
        count=len(held),
        mean_predicted=fsum(predicted for predicted, _ in held) / len(held),
        share_correct=sum(correct for _, correct in held) / len(held),
    )
