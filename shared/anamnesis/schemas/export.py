"""The export of all that is kept of a student."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from anamnesis.domain.grounding.values import Stance
from anamnesis.domain.tutoring.answers import Failing
from anamnesis.schemas.beliefs import BeliefOut
from anamnesis.schemas.files import FileOut
from anamnesis.schemas.nights import SelfModelOut
from anamnesis.schemas.proofs import CommittedOut, HashedRecordOut
from anamnesis.schemas.values import Reply


class EpisodeExport(Reply):
    """An episode as it stands in the chain: `record` gives its hash, `content` the commitment in it."""

    type: Literal["episode"] = "episode"
    record: HashedRecordOut
    content: CommittedOut | None = Field(description="Null once erased")
    text_chars: int = Field(
        description="Characters of the whole text; when `content` has fewer, the episode's own route has the rest"
    )
    hash: str


class TaughtExport(Reply):
    """What the student taught about a concept."""

    concept: str
    name: str
    note: str
    episode_id: str


class CitationCheckExport(Reply):
    """The latest look-up of an episode's citations."""

    episode_id: str
    position: int
    result: str
    changed: list[str]
    checked_on: date


class GroundingExport(Reply):
    """What was found of an answer's claims."""

    episode_id: str
    position: int
    question: int | None = Field(description="Position of the question that it answers")
    stance: Stance
    grounded_share: float
    says_missing: bool
    sources: list[str] = Field(
        description="For each claim `file:ID:PAGE:LINE`, `episode:ID`, `belief:ID`, or empty without a source"
    )
    grounded_at: datetime


class SubjectExportOut(Reply):
    """What is kept of the student in a subject besides the episodes; it follows the last of them."""

    type: Literal["subject"] = "subject"
    subject: str
    length: int
    head: str
    beliefs: list[BeliefOut]
    taught: list[TaughtExport]
    confirmed: list[str] = Field(description="Keys of concepts that a passed check confirmed")
    files: list[FileOut]
    citation_checks: list[CitationCheckExport]
    groundings: list[GroundingExport]
    self_model: SelfModelOut | None
    erasures: list[str] = Field(description="Signed deletion records")


class AnswerExport(Reply):
    """An answer that is not in the log, or not yet: it is kept for an hour.

    Beside it are kept, as long, excerpts of the episodes and files that the model was shown.
    """

    type: Literal["answer"] = "answer"
    answer_id: str
    subject: str
    status: Literal["waiting", "writing", "failed"]
    reason: Failing | None = Field(description="Why there is no answer")
    model: str
    question_id: str = Field(description="The recorded question")
    text: str = Field(description="What the model has said so far")
    expires_at: datetime


class ExportOut(Reply):
    """A page of the export; `cursor` asks for the next one, null on the last."""

    items: list[EpisodeExport | SubjectExportOut | AnswerExport]
    cursor: str | None
