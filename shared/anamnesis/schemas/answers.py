"""One turn of a chat: a question to the configured model, and its answer as it is written."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from anamnesis.domain.block import MIN_BUDGET_TOKENS
from anamnesis.domain.tutoring.answers import MAX_QUESTION_CHARS, Failing
from anamnesis.schemas.block import DEFAULT_BUDGET, MAX_BUDGET, BlockOut
from anamnesis.schemas.episodes import MAX_SESSION_CHARS, RecordedEpisode
from anamnesis.schemas.grounding import TracedOut
from anamnesis.schemas.values import MAX_TIME_ZONE_CHARS, LanguageTag, Moment, Reply, Request


class AskTutor(Request):
    """A question for the tutor."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"question": "Why does a raisin swell in water?", "time_zone": "UTC"}]
        }
    )

    question: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUESTION_CHARS)]
    time_zone: Annotated[str, StringConstraints(max_length=MAX_TIME_ZONE_CHARS)] = "UTC"
    session_id: Annotated[str, StringConstraints(min_length=1, max_length=MAX_SESSION_CHARS)] | None = Field(
        default=None, description="The conversation, whose last turns the model is told; without one, none"
    )
    occurred_at: Moment | None = Field(default=None, description="When it was asked; now by default")
    budget_tokens: Annotated[int, Field(ge=MIN_BUDGET_TOKENS, le=MAX_BUDGET, strict=True)] = DEFAULT_BUDGET
    language: LanguageTag | None = None


class PassageOut(Reply):
    """A piece of a file's page, or of an episode, that the model was shown."""

    kind: Literal["file", "episode"]
    id: str
    name: str = Field(description="The file's name, or what kind of episode it is")
    page: int | None
    at: datetime | None = Field(description="When an episode happened")
    text: str


class EarlierTurnOut(Reply):
    """A turn of the same conversation, as the model is told it: without its middle where it is long."""

    question: str
    answer: str | None


class StartedAnswerOut(Reply):
    """What a turn begins with: all of it is there at once but the answer."""

    answer_id: str | None = Field(description="Where the answer is looked at; null without a model")
    status: Literal["waiting", "no-model"]
    model: str | None
    question: RecordedEpisode
    block: BlockOut = Field(description="The very block that the model sees")
    passages: list[PassageOut]
    earlier: list[EarlierTurnOut] = Field(
        description="What the model is told of the turns before, oldest first"
    )


class RecordedAnswerOut(Reply):
    """Where the answer stands in the chain."""

    id: str
    position: int
    hash: str


class UsageOut(Reply):
    """What the model says that it took."""

    input_tokens: int
    output_tokens: int


class AnswerOut(Reply):
    """How far an answer has come; looked at until there is nothing more to wait for."""

    answer_id: str
    status: Literal["waiting", "writing", "done", "failed"]
    model: str
    text: str = Field(description="From character `after` on")
    chars: int = Field(description="Characters so far: what to ask for the next time")
    reason: Failing | None = Field(description="Why there is no answer")
    question_id: str
    answer: RecordedAnswerOut | None = Field(description="The recorded answer")
    grounding: TracedOut | None
    usage: UsageOut | None
    look_again_ms: int | None = Field(
        description="Milliseconds to wait before the next look, 500 to 2,500; null when nothing more comes of it"
    )
