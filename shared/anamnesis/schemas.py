"""The HTTP shapes of 04-service.md as pydantic models; the served OpenAPI document is generated from them.

Requests refuse unknown fields, so that a typo is named instead of ignored. Sizes stated here are enforced before any
store is touched.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
)

from anamnesis.domain.block import MIN_BUDGET_TOKENS
from anamnesis.domain.files import MAX_FILE_BYTES, FileStatus
from anamnesis.domain.log.episodes import MAX_BATCH, MAX_SUMMARY_CHARS, MAX_TEXT_CHARS, Kind

MAX_QUESTION_CHARS = MAX_TEXT_CHARS
MAX_TOPIC_CHARS = 2_000
MAX_EVALUATION_CHARS = 20_000
MAX_CITATIONS = 50
MAX_MEMORY_IDS = 200
MAX_BUDGET = 16_000
DEFAULT_BUDGET = 1_200

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[\x21-\x7e]+$")]
LanguageTag = Annotated[str, StringConstraints(max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")]
MediaType = Annotated[
    str, StringConstraints(max_length=127, pattern=r"^[\w.+-]+/[\w.+-]+(; ?charset=[\w-]+)?$")
]


def _written_out(value: object) -> object:
    """Refuse what is no text: a bare number would be read as seconds since 1970, which nobody means."""
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d(T|$)", value):
        raise ValueError("write it out as in RFC 3339, such as 2026-09-21T09:00:00+02:00")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_written_out, json_schema_input_type=str)]
Day = Annotated[date, BeforeValidator(_written_out, json_schema_input_type=str)]
Share = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]


class Request(BaseModel):
    """Base of every request body."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Reply(BaseModel):
    """Base of every response body."""

    model_config = ConfigDict(frozen=True)


class FieldProblem(Reply):
    """One offending input."""

    field: str
    detail: str


class Problem(Reply):
    """RFC 9457 problem details."""

    type: str = Field(description="Stable URN of the kind of problem")
    title: str
    status: int
    detail: str
    field: str | None = Field(default=None, description="Path of the offending input")
    errors: list[FieldProblem] | None = Field(default=None, description="Every offending input, when several")


class CitationIn(Request):
    """A file and page that an answer cited."""

    file_id: Identifier
    page: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class EpisodeIn(Request):
    """One event to record."""

    kind: Literal["question", "answer", "check", "quiz", "file", "taught"]
    occurred_at: Moment
    text: Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARS)]
    summary: Annotated[str, StringConstraints(max_length=MAX_SUMMARY_CHARS)] | None = None
    session_id: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    language: LanguageTag | None = None
    topic: Annotated[str, StringConstraints(max_length=MAX_TOPIC_CHARS)] | None = None
    evaluation: Annotated[str, StringConstraints(max_length=MAX_EVALUATION_CHARS)] | None = None
    correct: StrictBool | None = None
    score: Share | None = None
    evidence: Annotated[list[CitationIn], Field(max_length=MAX_CITATIONS)] = []
    memory_ids: Annotated[list[Identifier], Field(max_length=MAX_MEMORY_IDS)] = []


class RecordEpisodes(Request):
    """A batch, recorded whole or not at all, in this order."""

    episodes: Annotated[list[EpisodeIn], Field(min_length=1, max_length=MAX_BATCH)]


class RecordedEpisode(Reply):
    """Where an event stands in the chain."""

    id: str
    position: int
    hash: str
    kind: Kind
    concepts: list[str] = Field(description="Keys of the concepts it touches")
    salience: float


class RecordedEpisodes(Reply):
    """The batch as recorded; a retry under the same idempotency key gets the same answer."""

    episodes: list[RecordedEpisode]


class OutcomeOut(Reply):
    """Result of a check or quiz."""

    correct: bool
    score: float
    concept: str | None
    predicted: float | None


class CitationOut(Reply):
    """A citation, stamped with the file's SHA-256 as it was when recorded."""

    file_id: str
    page: int | None
    fingerprint: str


class AnnotationOut(Reply):
    """Something learned about an episode afterwards; the episode itself never changes."""

    kind: Literal["verification"]
    result: str
    changed: list[str]
    checked_on: date


class EpisodeOut(Reply):
    """An episode with its annotations."""

    id: str
    position: int
    kind: Kind
    occurred_at: datetime
    recorded_at: datetime
    summary: str | None
    text: str | None
    topic: str | None
    evaluation: str | None
    concepts: list[str]
    salience: float
    language: str
    session_id: str | None
    outcome: OutcomeOut | None
    evidence: list[CitationOut]
    memory_ids: list[str]
    about_record: bool
    previous_hash: str
    hash: str
    annotations: list[AnnotationOut]


class EpisodePage(Reply):
    """Episodes of a time window, oldest first; `cursor` asks for the next page, null on the last."""

    episodes: list[EpisodeOut]
    cursor: str | None


class AskBlock(Request):
    """What one chat turn asks for."""

    question: Annotated[str, StringConstraints(max_length=MAX_QUESTION_CHARS)] = ""
    time_zone: Annotated[str, StringConstraints(max_length=64)] = "UTC"
    budget_tokens: Annotated[int, Field(ge=MIN_BUDGET_TOKENS, le=MAX_BUDGET)] = DEFAULT_BUDGET
    now: Moment | None = Field(default=None, description="Service role only: answer as of this time")
    switch_off: list[str] = Field(default=[], max_length=20, description="Service only: layers to leave out")


class WindowOut(Reply):
    """A span of time, end exclusive."""

    start: datetime
    end: datetime
    phrase: str


class BlockOut(Reply):
    """The memory block of one turn and how it came about."""

    block: str | None = Field(description="Null when dropped: go on without it")
    memory_ids: list[str] = Field(description="Store these on the answer")
    tokens: int = Field(description="Upper estimate of the block's tokens; never above budget_tokens")
    intent: Literal["ordinary", "history", "none"]
    window: WindowOut | None
    window_empty: bool
    matched: bool
    routed: list[str]
    degraded: list[str] = Field(description="Sources left out because they were late or failed")
    dropped: bool
    elapsed_ms: float


class OfferFile(Request):
    """A file about to be uploaded."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f/\\]+$")]
    media_type: MediaType
    bytes: Annotated[int, Field(ge=1, le=MAX_FILE_BYTES)]


class UploadOut(Reply):
    """Send exactly the announced bytes there, with these headers."""

    url: str
    method: str
    headers: dict[str, str]
    expires_at: datetime


class OfferedFile(Reply):
    """A place for the file's bytes."""

    file_id: str
    upload: UploadOut


class FileOut(Reply):
    """Where a file stands."""

    file_id: str
    name: str
    media_type: str
    bytes: int
    status: FileStatus
    reason: str | None = Field(description="Stable code, when refused")
    detail: str | None = Field(description="What can be done about it, when refused")
    pages: int
    language: str | None
    fingerprint: str | None
    concepts: list[str] = Field(description="Keys of the concepts it explains")
    created_at: datetime
    replaced_by: str | None
    deleted_at: datetime | None


class FileList(Reply):
    """Every file of the subject, oldest first."""

    files: list[FileOut]


class SourceOut(Reply):
    """A file that explains a concept, and where."""

    file_id: str
    pages: list[int]


class ConceptOut(Reply):
    """A node of the map, with this student's own layer over it."""

    key: str
    name: str
    aliases: list[str]
    gist: str
    definition: str
    builds_on: list[str]
    assumed: list[str]
    readiness: float = Field(description="How well the MATERIAL covers it; never the student's mastery")
    centrality: float
    sources: list[SourceOut]
    taught: list[str]


class MapOut(Reply):
    """The subject's concept map."""

    revision: int
    concepts: list[ConceptOut]
    readiness: float
    cycles: list[list[str]]


class TeachingOrderOut(Reply):
    """Layers of concept keys, prerequisites first, hubs first within a layer."""

    layers: list[list[str]]


class ConfidenceOut(Reply):
    """One dated step of a belief's confidence."""

    at: datetime
    confidence: float
    reason: str
    episode_id: str | None


class BeliefOut(Reply):
    """One row of the belief store."""

    id: str
    concept: str
    claim: str
    confidence: float
    needs_confirmation: bool
    evidence: list[str]
    created_at: datetime
    superseded_by: str | None
    history: list[ConfidenceOut]


class BeliefList(Reply):
    """Beliefs, current ones unless history was asked for; and what could not become one."""

    beliefs: list[BeliefOut]


class BreakOut(Reply):
    """Something wrong with the chain; `count` says how many positions are missing, or breaks left out, from there."""

    position: int
    kind: str
    count: int = 1


class ChainOut(Reply):
    """Result of verifying the chain."""

    verified: bool
    length: int
    head: str
    checkpoints_checked: int
    breaks: list[BreakOut]
    erased: list[int]
    not_checked: list[str]


class RunNight(Request):
    """Which night to run."""

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


class HealthOut(Reply):
    """Liveness."""

    status: Literal["ok"]
    version: str
