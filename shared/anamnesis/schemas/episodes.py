"""Recording and listing episodes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StrictBool, StringConstraints

from anamnesis.domain.log.episodes import MAX_BATCH, MAX_SUMMARY_CHARS, MAX_TEXT_CHARS, Kind
from anamnesis.schemas.values import Identifier, LanguageTag, Moment, Reply, Request, Share

#: What docs/limits.md states of an episode and of a page of them: characters and numbers of items. Ours.
MAX_TOPIC_CHARS = 2_000
MAX_EVALUATION_CHARS = 20_000
MAX_CITATIONS = 50
MAX_PAGE_NUMBER = 1_000_000
MAX_MEMORY_IDS = 200
MAX_SESSION_CHARS = 200
MAX_KEY_CHARS = 256
#: What the keys begin with under which the service itself records: nobody may stand where it will look.
OWN_KEYS = ("answer:", "file:")
MAX_CURSOR_CHARS = 2_000
MAX_PAGE = 200


class CitationIn(Request):
    """A file and page that an answer cited."""

    file_id: Identifier
    page: Annotated[int, Field(ge=1, le=MAX_PAGE_NUMBER, strict=True)] | None = None


class EpisodeIn(Request):
    """One event to record."""

    kind: Literal["question", "answer", "check", "quiz", "file", "taught"]
    occurred_at: Moment
    text: Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARS)]
    summary: Annotated[str, StringConstraints(max_length=MAX_SUMMARY_CHARS)] | None = None
    session_id: Annotated[str, StringConstraints(min_length=1, max_length=MAX_SESSION_CHARS)] | None = None
    language: LanguageTag | None = None
    topic: Annotated[str, StringConstraints(max_length=MAX_TOPIC_CHARS)] | None = None
    evaluation: Annotated[str, StringConstraints(max_length=MAX_EVALUATION_CHARS)] | None = None
    correct: StrictBool | None = None
    score: Share | None = None
    evidence: list[CitationIn] = Field(default=[], max_length=MAX_CITATIONS)
    memory_ids: list[Identifier] = Field(default=[], max_length=MAX_MEMORY_IDS)


class RecordEpisodes(Request):
    """A batch, recorded whole or not at all, in this order."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "episodes": [
                        {
                            "kind": "check",
                            "occurred_at": "2026-09-21T09:00:00+02:00",
                            "text": "What does osmosis move?",
                            "topic": "osmosis",
                            "correct": True,
                        }
                    ]
                }
            ]
        }
    )

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
    """Something that became known about an episode afterwards.

    ``verification``: whether the files that it cites are still as they were; ``grounding``: an answer's stance, by
    where its claims come from; ``erasure``: that its contents are gone.
    """

    kind: Literal["verification", "grounding", "erasure"]
    result: str
    changed: list[str]
    checked_on: date = Field(description="Day of the look-up, or of the request that erased it")
    grounded_share: float | None = Field(default=None, description="Of a grounding: share of traced claims")


class EpisodeOut(Reply):
    """An episode with its annotations; of an erased one its kind and times are left."""

    id: str
    position: int
    kind: Kind
    occurred_at: datetime
    recorded_at: datetime
    summary: str | None
    text: str | None = Field(description="The text, or the part of a long one that this reply has room for")
    text_chars: int = Field(
        description="Characters of the whole text; `text_from` of one episode's route goes on"
    )
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
