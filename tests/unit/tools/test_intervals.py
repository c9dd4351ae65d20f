"""Intervals and paired tests, against scipy's."""

from __future__ import annotations

import pytest
from scipy import stats

from anamnesis_tools.bench.intervals import mcnemar, paired, unpaired, wilson


@pytest.mark.parametrize("passed,asked", [(0, 1), (1, 1), (0, 32), (5, 32), (24, 32), (32, 32), (380, 420)])
def test_wilson_is_wilsons(passed: int, asked: int) -> None:
    """The interval of a share is Wilson's at 95 % (EV-3)."""
    expected = stats.binomtest(passed, asked).proportion_ci(method="wilson")
    assert wilson(passed, asked) == pytest.approx((expected.low, expected.high), abs=1e-6)


def test_nothing_asked_says_nothing() -> None:
    """Without questions an interval is all of 0 to 1, and no difference exceeds noise (EV-3)."""
    assert wilson(0, 0) == (0.0, 1.0)
    assert not paired([], []).exceeds_noise
    assert unpaired((0, 1), (0, 2)) == 1.0


@pytest.mark.parametrize("gained,lost", [(0, 0), (1, 0), (5, 5), (6, 0), (12, 3), (3, 12), (900, 1_100)])
def test_mcnemar_is_the_exact_test(gained: int, lost: int) -> None:
    """The paired test is McNemar's, exact on the changed questions however many these are (EV-5)."""
    expected = stats.binomtest(gained, gained + lost, 0.5).pvalue if gained + lost else 1.0
    assert mcnemar(gained, lost) == pytest.approx(expected, rel=1e-9)


def test_a_paired_difference_sees_what_shares_hide() -> None:
    """Only questions that changed count: eight gained and none lost exceed noise, eight and eight do not (EV-6)."""
    first = [True] * 40 + [False] * 10
    better = [True] * 48 + [False] * 2
    other = [False] * 8 + [True] * 40 + [False] * 2
    gain = paired(first, better)
    assert (gain.gained, gain.lost, gain.exceeds_noise) == (8, 0, True)
    assert gain.low <= gain.difference <= gain.high
    swap = paired(first, other)
    assert (swap.gained, swap.lost, swap.exceeds_noise) == (8, 8, False)


def test_runs_of_other_questions_are_not_paired() -> None:
    """Two runs are paired only when they are as long as each other (EV-6)."""
    with pytest.raises(ValueError, match="same questions"):
        paired([True], [True, False])


def test_unpaired_shares_are_compared_by_their_pooled_spread() -> None:
    """Shares of different questions are told apart when they are further apart than chance (EV-6)."""
    assert unpaired((90, 50), (100, 100)) < 0.001
    assert unpaired((90, 89), (100, 100)) > 0.5
