"""The report on a student, for programs; ``domain.report`` writes the same for people."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Generic, TypeVar

from anamnesis.schemas.chain import BreakOut
from anamnesis.schemas.nights import CalibrationOut
from anamnesis.schemas.values import Reply

T = TypeVar("T")


class ReportFormat(StrEnum):
    """Forms of a report."""

    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


class ReportLanguage(StrEnum):
    """Languages that a report is written in; what people said stays in theirs."""

    ARABIC = "ar"
    ENGLISH = "en"
    SPANISH = "es"
    HINDI = "hi"
    INDONESIAN = "id"


class Shown(Reply, Generic[T]):
    """The part of a list that is shown, and how many more there are."""

    shown: list[T]
    left_out: int


class EvidenceOut(Reply):
    """An episode behind something; without a summary it was erased, at position 0 it cannot be read."""

    episode_id: str
    position: int
    at: datetime | None
    kind: str | None
    summary: str | None
    topic: str | None
    correct: bool | None
    score: float | None


class StepOut(Reply):
    """One dated step of a confidence."""

    at: datetime
    confidence: float
    reason: str
    episode_id: str | None


class StageOut(Reply):
    """What was believed from when on, and because of which episodes; the latest evidence comes first."""

    claim: str
    since: datetime
    confidence: float
    steps: list[StepOut]
    because: EvidenceOut | None
    evidence: Shown[EvidenceOut]
    decays: int


class StandingOut(Reply):
    """What is believed now of one concept, and the chain that led there, oldest stage first."""

    belief_id: str
    concept: str
    name: str
    claim: str
    confidence: float
    needs_confirmation: bool
    since: datetime
    last_check: datetime | None
    stages: Shown[StageOut]


class BeliefsNowOut(Reply):
    """Beliefs that nothing supersedes; counts are over all of them."""

    standings: Shown[StandingOut]
    understood: int
    struggling: int
    to_confirm: int
    changes_of_mind: int


class UnansweredOut(Reply):
    """A question that the files could not answer; without its words it was erased or never recorded."""

    question: str | None
    at: datetime
    stance: str


class TracedAnswersOut(Reply):
    """What tracing answers found; with `traced` 0 none was, and nothing can be said."""

    traced: int
    unanswered: Shown[UnansweredOut]


class ReportedChecksOut(Reply):
    """Checks and quizzes, and how many of them are tied to no concept of the map."""

    recorded: int
    passed: int
    tied_to_nothing: int
    examples: Shown[EvidenceOut]


class ChangedFileOut(Reply):
    """A cited file that was replaced or deleted since."""

    file_id: str
    name: str
    deleted: bool
    replaced_by: str | None
    answers: int


class CitationsOut(Reply):
    """What looking citations up found; `unverifiable` is null before the first night."""

    holding: int
    changed: int
    unverifiable: int | None
    unchecked: int
    files: Shown[ChangedFileOut]
    last_checked: date | None


class WeekOut(Reply):
    """One week's work."""

    monday: date
    turns: int
    passed: int
    missed: int


class MonthOut(Reply):
    """One month's work; `concepts` are names, those touched most often first."""

    first: date
    days: int
    questions: int
    passed: int
    missed: int
    taught: int
    concepts: Shown[str]


class ActivityOut(Reply):
    """Work by week and month, oldest first."""

    weeks: Shown[WeekOut]
    months: Shown[MonthOut]
    days: int
    turns: int


class BandOut(Reply):
    """How many concepts have a readiness."""

    readiness: float
    concepts: int


class FileCountOut(Reply):
    """How many current files have a status."""

    status: str
    files: int


class WeakHubOut(Reply):
    """A concept that no file explains, and how many build on it."""

    name: str
    builds_on_it: int


class MaterialOut(Reply):
    """How well the material covers the subject; never the student's mastery."""

    readiness: float
    concepts: int
    bands: list[BandOut]
    unexplained: Shown[WeakHubOut]
    cycles: int
    files: list[FileCountOut]


class NotCheckedOut(Reply):
    """What verification could not check."""

    code: str | None
    first: int
    last: int
    text: str


class ReportedChainOut(Reply):
    """The state of the log; `when` says whether it was verified now, by the night of `night`, or never.

    `breaks` is null when only a night knows that there are some: `GET …/chain` names them.
    """

    verified: bool | None
    when: str
    night: date | None
    length: int
    checkpoints: int | None
    breaks: Shown[BreakOut] | None
    not_checked: list[NotCheckedOut]
    erasures: int
    erased: int


class LimitsOut(Reply):
    """What the memory knows of its own limits, as the night of that day composed it."""

    composed_on: date
    statements: list[str]


class ReportOut(Reply):
    """A report on one student in one subject."""

    student: str
    subject: str
    composed_at: datetime
    time_zone: str
    episodes: int
    first_at: datetime | None
    last_at: datetime | None
    beliefs: BeliefsNowOut
    misconceptions: Shown[StandingOut]
    traced: TracedAnswersOut
    checks: ReportedChecksOut
    citations: CitationsOut
    calibration: CalibrationOut | None
    activity: ActivityOut
    material: MaterialOut
    chain: ReportedChainOut
    self_model: LimitsOut | None
