"""A night run by hand, and what the nights found out."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import ConfigDict

from anamnesis.schemas.values import Day, Reply, Request


class RunNight(Request):
    """Which night to run."""

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


class NightOut(Reply):
    """What a night did for a pair."""

    date: date
    consolidation_id: str | None
    beliefs_decayed: int
    citations_checked: int
    working_set_position: int
    checkpoint_length: int | None
    self_model: SelfModelOut
