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
    intercept
        By how much the student fares better than knowledge tracing expects, in log-odds: added to what it predicts.
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
    intercept: float = 0.0


@dataclass(frozen=True, slots=True)
class Decay:
    """A belief that a night holds with less confidence (0–1) than before."""

    concept_name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class NightChanges:
    """What one run of a night changed; a second run of the same night changes nothing (NI-2).

    Attributes
    ----------
    consolidated
        The student's days that it summed up.
    days_left
        Days of work that are over and not summed up yet: the next nights go on.
    citations_checked
        Answers whose citations it looked up.
    citations_turned
        Those of them that are found otherwise than they were last time.
    predictions_added
        Predicted checks that its calibration counts and the latest self-model before did not; negative after erasures.
    indexed, vectors_made
        Episodes that joined the working set, and vectors that were made for it.
    checkpointed
        Whether it signed a longer log than any checkpoint before.
    statements_new, statements_gone
        What the self-model says now and did not say before, and the other way round.
    """

    consolidated: tuple[date, ...] = ()
    days_left: int = 0
    decayed: tuple[Decay, ...] = ()
    citations_checked: int = 0
    citations_turned: tuple[CitationCheck, ...] = ()
    predictions_added: int = 0
    indexed: int = 0
    vectors_made: int = 0
    checkpointed: bool = False
    statements_new: tuple[str, ...] = ()
    statements_gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NightReport:
    """How one night left a pair, and what this run of it changed.

    Attributes
    ----------
    consolidation_id
        The consolidation of the night's own day, whichever run wrote it; None for a quiet day.
    """

    night: date
    consolidation_id: str | None
    working_set_position: int
    checkpoint_length: int | None
    self_model: SelfModel
    changes: NightChanges
