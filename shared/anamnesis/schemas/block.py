"""The memory block of one chat turn."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from anamnesis.domain.block import MIN_BUDGET_TOKENS
from anamnesis.domain.log.episodes import MAX_TEXT_CHARS
from anamnesis.schemas.values import MAX_TIME_ZONE_CHARS, Moment, Reply, Request

#: What docs/limits.md states of a turn: characters, tokens and layers. Ours.
MAX_QUESTION_CHARS = MAX_TEXT_CHARS
MAX_BUDGET = 16_000
DEFAULT_BUDGET = 1_200
MAX_SWITCHED_OFF = 20
MAX_ASSESSMENT_CHARS = 100_000

LayerName = Annotated[str, StringConstraints(max_length=40)]


class AskBlock(Request):
    """What one chat turn asks for."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"question": "What did we cover in July?", "time_zone": "Europe/Madrid"}]
        }
    )

    question: Annotated[str, StringConstraints(max_length=MAX_QUESTION_CHARS)] = ""
    time_zone: Annotated[str, StringConstraints(max_length=MAX_TIME_ZONE_CHARS)] = "UTC"
    budget_tokens: Annotated[int, Field(ge=MIN_BUDGET_TOKENS, le=MAX_BUDGET, strict=True)] = DEFAULT_BUDGET
    assessment: Annotated[str, StringConstraints(max_length=MAX_ASSESSMENT_CHARS)] | None = Field(
        default=None, description="The prompt's own section of assessment results, to be tied to the block"
    )
    now: Moment | None = Field(default=None, description="Service role only: answer as of this time")
    switch_off: list[LayerName] = Field(
        default=[], max_length=MAX_SWITCHED_OFF, description="Service only: layers to leave out"
    )


class WindowOut(Reply):
    """A span of time, end exclusive."""

    start: datetime
    end: datetime
    phrase: str


class BlockOut(Reply):
    """The memory block of one turn and how it came about."""

    block: str | None = Field(description="Null when dropped: go on without it")
    bridged: str | None = Field(
        description="With an `assessment`: the block, a note that ties the two, and the section, in this order; "
        "one that only says that nothing is recorded is left out. `tokens` counts the block alone"
    )
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
