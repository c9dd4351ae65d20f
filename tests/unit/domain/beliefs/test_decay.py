"""Decay of beliefs that no check touches."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.beliefs import Belief, ChangeReason
from anamnesis.domain.beliefs.decay import days_untouched, decayed
from anamnesis.domain.beliefs.revision import revise
from support.night_values import PAIR, T0, belief, check, day, night

ROW = belief()


def after(nights: list[int], row: Belief = ROW) -> Belief:
    """Run these nights over a row."""
    for number in nights:
        row = decayed(row, night(number)) or row
    return row


@pytest.mark.parametrize("number, steps", [(0, 0), (44, 0), (45, 1), (89, 1), (90, 2), (135, 3), (-10, 0)])
def test_fifteen_percent_for_each_45_days(number: int, steps: int) -> None:
    """A belief loses 15 % once for each full 45 days without a check and is marked to be confirmed (NI-1)."""
    row = after([number])
    assert row.confidence == pytest.approx(ROW.confidence * 0.85**steps)
    assert row.needs_confirmation == (steps > 0)
    assert [change.at for change in row.history[1:]] == [day(45 * n) for n in range(1, steps + 1)]
    assert all(
        change.reason is ChangeReason.DECAY and change.episode_id is None for change in row.history[1:]
    )


@given(st.lists(st.integers(0, 700), max_size=20))
def test_skipped_late_and_repeated_nights_end_alike(nights: list[int]) -> None:
    """Any nights, in any order and number, end as every night run once and in time up to the last (NI-2)."""
    in_time = after(list(range(45, max(nights, default=0) + 1)))
    assert after(nights) == in_time
    assert after(nights + nights) == in_time


def test_quiet_night_changes_nothing() -> None:
    """A night on which no step falls due gives nothing to write (NI-2)."""
    assert decayed(ROW, night(44)) is None
    assert decayed(after([50]), night(60)) is None


def test_check_starts_the_count_anew() -> None:
    """A check touches the belief: the 45 days count from it, late decay steps before it are not made up (NI-1)."""
    touched = revise(after([50]), check(2, correct=True, at=day(60)), new_id="b2", pair=PAIR).changed
    assert touched is not None
    assert decayed(touched, night(104)) is None
    again = decayed(touched, night(105))
    assert again is not None
    assert again.confidence == pytest.approx(touched.confidence * 0.85)
    assert days_untouched(again, night(105)) == 45


def test_superseded_row_stays_as_it_was() -> None:
    """A row that another superseded never decays (BE-2)."""
    assert decayed(replace(ROW, superseded_by="b2"), night(400)) is None


def test_claim_and_evidence_survive_decay() -> None:
    """Decay lowers a confidence and touches neither the claim nor the evidence (BE-2)."""
    row = after([500])
    assert replace(row, confidence=ROW.confidence, needs_confirmation=False, history=ROW.history) == ROW
    assert row.created_at == T0
