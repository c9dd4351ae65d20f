"""What the nights found out: records that refer to episodes or pairs and never touch an episode (EP-3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Verification(StrEnum):
    """Result of looking a citation up (VE-1)."""

    HOLDS = "holds"
    CHANGED = "changed"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """What verifying an episode's citations found on a night.

    Attributes
    ----------
    changed
        Ids of cited files that were replaced or deleted since; empty unless the result is ``changed``.
    """

    episode_id: str
    position: int
    result: Verification
    changed: tuple[str, ...]
    checked_on: date


@dataclass(frozen=True, slots=True)
class ReliabilityBucket:
    """One bucket of the reliability curve: predictions in [lower, upper), their mean, the share that came true."""

    lower: float
    upper: float
    count: int
    mean_predicted: float
    share_correct: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Predicted mastery against outcomes (NI-3).

    Attributes
    ----------
    expected_calibration_error
        0–1, None without predictions.
    calibrated
        True from five predicted checks on (NI-3).
    """

    predictions: int
    expected_calibration_error: float | None
    brier_score: float | None
    buckets: tuple[ReliabilityBucket, ...]
    calibrated: bool


@dataclass(frozen=True, slots=True)
class SelfModel:
    """What the memory knows about its own reliability and limits (NI-4).

    Attributes
    ----------
    statements
        Sentences a tutor can use, the most important first.
    """

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
    calibration: Calibration
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NightReport:
    """What one night did for one pair; a second run of the same night reports the same state with nothing new."""

    night: date
    consolidation_id: str | None
    beliefs_decayed: int
    citations_checked: int
    working_set_position: int
    checkpoint_length: int | None
    self_model: SelfModel
