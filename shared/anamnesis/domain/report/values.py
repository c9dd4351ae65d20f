"""What is in a report, as values: facts only, in no language and no form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Generic, TypeVar

from anamnesis.domain.beliefs import Claim, ConfidenceChange
from anamnesis.domain.files import FileStatus
from anamnesis.domain.grounding.values import Stance
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.night.records import Calibration, SelfModel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cut(Generic[T]):
    """The part of a list that is shown, and how many more there are."""

    shown: tuple[T, ...]
    left_out: int = 0

    @property
    def total(self) -> int:
        """How many there are in all."""
        return len(self.shown) + self.left_out


@dataclass(frozen=True, slots=True)
class ToldEpisode:
    """An episode behind something that is believed.

    Attributes
    ----------
    position
        0 when the log has no such episode that can be read.
    summary
        None when it was erased or cannot be read.
    topic
        What a check or quiz is on, where its summary says no more than that and the result; else None.
    correct, score
        None for what is no check or quiz; the score is 0–1.
    """

    episode_id: str
    position: int
    at: datetime | None
    kind: Kind | None
    summary: str | None
    topic: str | None
    correct: bool | None
    score: float | None


@dataclass(frozen=True, slots=True)
class Stage:
    """One row of a chain of supersession: what was believed from when on, and because of what.

    Attributes
    ----------
    confidence
        0–1, the last that the row had.
    steps
        Every confidence it had, oldest first.
    because
        The check that made the row, None when it cannot be told.
    evidence
        The latest episodes behind the row, newest first.
    decays
        How often it lost confidence because no check came for long.
    """

    claim: Claim
    since: datetime
    confidence: float
    steps: tuple[ConfidenceChange, ...]
    because: ToldEpisode | None
    evidence: Cut[ToldEpisode]
    decays: int


@dataclass(frozen=True, slots=True)
class ToldBelief:
    """What is believed now on one concept, and the chain that led there, oldest stage first.

    Attributes
    ----------
    last_check
        When the last check came in; None when none is noted.
    """

    belief_id: str
    concept: str
    name: str
    claim: Claim
    confidence: float
    needs_confirmation: bool
    since: datetime
    last_check: datetime | None
    stages: Cut[Stage]


@dataclass(frozen=True, slots=True)
class BeliefsNow:
    """Beliefs that nothing supersedes.

    Attributes
    ----------
    standings
        Struggles first, then by confidence; of more than are shown the latest checked ones.
    understood, struggling, to_confirm
        Counts over all of them.
    changes_of_mind
        Rows that another claim superseded, over all of them.
    """

    standings: Cut[ToldBelief]
    understood: int
    struggling: int
    to_confirm: int
    changes_of_mind: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that the files could not answer, by the stance of its answer (GR-3)."""

    question: str | None
    at: datetime
    stance: Stance


@dataclass(frozen=True, slots=True)
class TracedAnswers:
    """What tracing answers found.

    Attributes
    ----------
    traced
        Answers whose claims were traced; 0 says that none was, not that all were grounded.
    """

    traced: int
    unanswered: Cut[Unanswered]


@dataclass(frozen=True, slots=True)
class Checks:
    """Checks and quizzes.

    Attributes
    ----------
    recorded, passed
        Counts of what is not erased.
    tied_to_nothing
        How many are behind no belief, because no concept of the map could be told from them (BE-6).
    examples
        The latest of those.
    """

    recorded: int
    passed: int
    tied_to_nothing: int
    examples: Cut[ToldEpisode]


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A cited file that is not what it was.

    Attributes
    ----------
    name
        Empty when the file's name is not kept any more.
    deleted
        Whether it was deleted; otherwise it was replaced.
    answers
        How many answers cite it.
    """

    file_id: str
    name: str
    deleted: bool
    replaced_by: str | None
    answers: int


@dataclass(frozen=True, slots=True)
class Citations:
    """What looking citations up found (VE-1); `unverifiable` and `unchecked` are None before the first night."""

    holding: int
    changed: int
    unverifiable: int | None
    unchecked: int
    files: Cut[ChangedFile]
    last_checked: date | None


@dataclass(frozen=True, slots=True)
class Week:
    """What one week held; `monday` is its first day in the report's time zone."""

    monday: date
    turns: int
    passed: int
    missed: int


@dataclass(frozen=True, slots=True)
class Month:
    """What one month held.

    Attributes
    ----------
    first
        Its first day.
    days
        Days with work.
    concepts
        Names, those touched most often first.
    """

    first: date
    days: int
    questions: int
    passed: int
    missed: int
    taught: int
    concepts: Cut[str]


@dataclass(frozen=True, slots=True)
class Activity:
    """Work by week and month, oldest first; of a long history the latest of each."""

    weeks: Cut[Week]
    months: Cut[Month]
    days: int
    turns: int


@dataclass(frozen=True, slots=True)
class WeakHub:
    """A concept that others build on and no file explains."""

    name: str
    builds_on_it: int


@dataclass(frozen=True, slots=True)
class Band:
    """How many concepts have one of the four readinesses."""

    readiness: float
    concepts: int


@dataclass(frozen=True, slots=True)
class FileCount:
    """How many current files have a status."""

    status: FileStatus
    files: int


@dataclass(frozen=True, slots=True)
class Material:
    """How well the material covers the subject (CM-6). Never the student's mastery.

    Attributes
    ----------
    bands
        All four, the best first.
    """

    readiness: float
    concepts: int
    bands: tuple[Band, ...]
    unexplained: Cut[WeakHub]
    cycles: int
    files: tuple[FileCount, ...]


class CheckedWhen(StrEnum):
    """When the chain was verified."""

    NOW = "now"
    NIGHT = "night"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class NotChecked:
    """What verification could not check: a stable code with its positions; without a code in words."""

    code: str | None
    first: int = 0
    last: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """The state of the log.

    Attributes
    ----------
    verified
        None when it was never checked.
    when, night
        Whether it was verified for this report or by a night, and which.
    checkpoints
        Signed checkpoints that it was held against; None when the night did so, which keeps no count.
    breaks
        None when they are not known: a night keeps only that there are some.
    erased
        Positions whose contents were erased.
    """

    verified: bool | None
    when: CheckedWhen
    night: date | None
    length: int
    checkpoints: int | None
    breaks: Cut[Break] | None
    not_checked: tuple[NotChecked, ...]
    erasures: int
    erased: int


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report says.

    Attributes
    ----------
    episodes
        Those that are not erased, without what nights wrote.
    first_at, last_at
        When the first and the last of them happened; None when there is none.
    misconceptions
        Of the current struggles the newest first, each with its evidence.
    self_model
        As the latest night composed it; None before the first.
    """

    tenant: str
    student: str
    subject: str
    composed_at: datetime
    time_zone: str
    episodes: int
    first_at: datetime | None
    last_at: datetime | None
    beliefs: BeliefsNow
    misconceptions: Cut[ToldBelief]
    traced: TracedAnswers
    checks: Checks
    citations: Citations
    calibration: Calibration | None
    activity: Activity
    material: Material
    chain: Chain
    self_model: SelfModel | None

    @property
    def empty(self) -> bool:
        """Whether nothing was ever recorded, or nothing is left."""
        return self.episodes == 0
