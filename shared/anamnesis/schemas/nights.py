"""A night run by hand, and what the nights found out."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import ConfigDict, Field

from anamnesis.domain.night.records import Verification
from anamnesis.schemas.values import Day, Reply, Request

#: Inside ``NightOut``, where ``date`` is a field.
DayOut = date


class RunNight(Request):
    """Which night to run: of the student's own day, as the offsets of their events tell it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"date": "2026-09-21"}]})

    date: Day


class BucketOut(Reply):
    """One bucket of the reliability curve."""

    lower: float
    upper: float
    count: int
    mean_predicted: float
    share_correct: float


class CalibrationOut(Reply):
    """Predicted mastery against outcomes."""

    predictions: int
    expected_calibration_error: float | None
    brier_score: float | None
    buckets: list[BucketOut]
    calibrated: bool


class SelfModelOut(Reply):
    """What the memory knows about its own reliability."""

    composed_on: date
    episodes: int
    first_occurred_at: datetime | None
    last_occurred_at: datetime | None
    checks: int
    checks_tied_to_nothing: int
    current_beliefs: int
    beliefs_to_confirm: int
    oldest_belief_days: int | None
    citations_holding: int
    citations_changed: int
    citations_unverifiable: int
    citations_unchecked: int
    chain_verified: bool | None
    calibration: CalibrationOut
    statements: list[str]
    intercept: float


class DecayOut(Reply):
    """A belief that is held with less confidence."""

    concept: str
    before: float
    after: float


class CitationsOut(Reply):
    """An answer whose citations are found otherwise than last time."""

    episode_id: str
    result: Verification
    changed: list[str]


class NightOut(Reply):
    """How a night left a pair, and what this run of it changed; a second run of the same night changes nothing."""

    date: date
    consolidation_id: str | None
    working_set_position: int
    checkpoint_length: int | None
    self_model: SelfModelOut
    days_consolidated: list[DayOut] = Field(description="The student's days that this run summed up")
    days_left: int = Field(description="Days that are over and not summed up yet; the next nights do")
    beliefs_decayed: int
    decayed: list[DecayOut]
    citations_checked: int
    citations_turned: list[CitationsOut] = Field(description="Of those, what is otherwise than last time")
    predictions_added: int = Field(description="Predicted checks that the calibration now counts besides")
    episodes_indexed: int
    vectors_made: int
    checkpointed: bool = Field(description="Whether a longer log was signed than ever before")
    statements_new: list[str]
    statements_gone: list[str]
