"""Decay: a belief that no check has touched for long is held with less confidence (NI-1, NI-2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from anamnesis.domain.beliefs import Belief, ChangeReason, ConfidenceChange

#: A belief decays once for each of these without a check, in days (NI-1).
DECAY_INTERVAL_DAYS: Final = 45
#: What is left of the confidence after one step: it loses 15 % (NI-1).
DECAY_FACTOR: Final = 0.85


def days_untouched(belief: Belief, on: date) -> int:
    """Count whole days from the belief's last check to `on`, by UTC date; 0 when the check is later."""
    touched = _last_check(belief)[1].at if belief.history else belief.created_at
    return max(0, (on - touched.date()).days)


def decayed(belief: Belief, night: date) -> Belief | None:
    """Return the belief as of a night, or None when that night changes nothing.

    Each step is entered in the history at the moment it fell due, a whole number of intervals after the last
    check, so that late or skipped nights give the same rows as nights run in time, and the same night again
    gives nothing.

    Parameters
    ----------
    night
        The UTC date that the night closes; steps that fall due on it count.
    """
    if belief.superseded_by is not None or not belief.history:
        return None
    index, check = _last_check(belief)
    due = days_untouched(belief, night) // DECAY_INTERVAL_DAYS
    applied = len(belief.history) - 1 - index
    if due <= applied:
        return None
    confidence = belief.confidence
    steps: list[ConfidenceChange] = []
    for count in range(applied + 1, due + 1):
        confidence *= DECAY_FACTOR
        at = check.at + timedelta(days=count * DECAY_INTERVAL_DAYS)
        steps.append(ConfidenceChange(at, confidence, ChangeReason.DECAY, None))
    return replace(belief, confidence=confidence, needs_confirmation=True, history=(*belief.history, *steps))


def _last_check(belief: Belief) -> tuple[int, ConfidenceChange]:
    """Find index and entry of the last check; the first entry when a row was made without any."""
    for index in range(len(belief.history) - 1, -1, -1):
        if belief.history[index].reason is ChangeReason.CHECK:
            return index, belief.history[index]
    return 0, belief.history[0]
