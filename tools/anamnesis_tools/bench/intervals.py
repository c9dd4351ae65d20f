"""Intervals and tests for shares and for paired differences, as evaluations print them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

#: Two-sided 95 % quantile of the normal distribution.
Z95 = 1.959964
#: Resamplings behind a bootstrap interval, the same seed every time.
RESAMPLED, SEED = 2_000, 1
#: Below it a difference is taken for real.
SIGNIFICANT = 0.05


def wilson(passed: int, asked: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927); (0, 1) when nothing was asked."""
    if asked == 0:
        return 0.0, 1.0
    share, square = passed / asked, Z95 * Z95
    middle = (share + square / (2 * asked)) / (1 + square / asked)
    half = Z95 * math.sqrt(share * (1 - share) / asked + square / (4 * asked * asked)) / (1 + square / asked)
    # At the ends the two terms cancel but for rounding.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How two runs differ on the same questions.

    Attributes
    ----------
    gained, lost
        Questions that only the second passes, and that only the first passes.
    difference
        Of the shares, second less first.
    low, high
        Its 95 % interval, by bootstrap over questions (Efron and Tibshirani 1993, ch. 13).
    p_value
        Of McNemar's exact test (1947): how likely so uneven a split of the changed questions is by chance.
    """

    gained: int
    lost: int
    difference: float
    low: float
    high: float
    p_value: float

    @property
    def exceeds_noise(self) -> bool:
        """Whether the difference is taken for real."""
        return self.p_value < SIGNIFICANT


def bootstrapped(differences: npt.NDArray[Any]) -> tuple[float, float, float]:
    """Return the mean of paired differences and its 95 % interval, by bootstrap (Efron and Tibshirani 1993, ch. 13).

    Parameters
    ----------
    differences
        Shape (n,), one for each question, at least one; the same ones always give the same interval.
    """
    picks = np.random.default_rng(SEED).integers(0, len(differences), (RESAMPLED, len(differences)))
    low, high = np.percentile(differences[picks].mean(axis=1), [2.5, 97.5])
    return float(differences.mean()), float(low), float(high)


def paired(first: Sequence[bool], second: Sequence[bool]) -> PairedDifference:
    """Compare two runs question by question.

    Raises
    ------
    ValueError
        If they are not of the same questions.
    """
    if len(first) != len(second):
        raise ValueError("paired runs have the same questions")
    differences = np.array(second, dtype=np.int64) - np.array(first, dtype=np.int64)
    gained, lost = int((differences > 0).sum()), int((differences < 0).sum())
    if not len(differences):
        return PairedDifference(0, 0, 0.0, 0.0, 0.0, 1.0)
    return PairedDifference(gained, lost, *bootstrapped(differences), mcnemar(gained, lost))


def mcnemar(gained: int, lost: int) -> float:
    """Return the two-sided exact p-value of a split of changed questions: a fair coin's, `gained` to `lost`."""
    changed = gained + lost
    if changed == 0:
        return 1.0
    tail = sum(math.comb(changed, few) for few in range(min(gained, lost) + 1))
    # Shifted as integers: two to the power of some thousands is no float.
    scaled = (2 * tail * 10**18) >> changed
    return min(1.0, scaled / 10**18)


def unpaired(passed: tuple[int, int], asked: tuple[int, int]) -> float:
    """Return the two-sided p-value of two shares of different questions (pooled z-test); 1 when nothing was asked."""
    if not all(asked):
        return 1.0
    pooled = sum(passed) / sum(asked)
    spread = math.sqrt(pooled * (1 - pooled) * sum(1 / n for n in asked))
    if spread == 0:
        return 1.0
    z = abs(passed[0] / asked[0] - passed[1] / asked[1]) / spread
    return math.erfc(z / math.sqrt(2))
