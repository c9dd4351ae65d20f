"""Grounding of an answer: where each of its claims comes from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from anamnesis.domain.grounding.values import MAX_ANSWER_CHARS, Shortfall, Stance
from anamnesis.schemas.episodes import MAX_MEMORY_IDS
from anamnesis.schemas.values import MAX_TIME_ZONE_CHARS, Identifier, Reply, Request

#: Of both kinds of sources.
QUOTE = "The beginning of what it says; `…` at its end where a long answer had no room for more, or for any"


class GroundingIn(Request):
    """An answer, and the memories that were in the block when it was given."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"answer": "Osmosis is the movement of water.", "memory_ids": [], "time_zone": "UTC"}
            ]
        }
    )

    answer: Annotated[str, StringConstraints(max_length=MAX_ANSWER_CHARS)]
    memory_ids: list[Identifier] = Field(default=[], max_length=MAX_MEMORY_IDS)
    episode_id: Identifier | None = Field(
        default=None, description="The answer as it was recorded; what is found is then kept beside it"
    )
    time_zone: Annotated[str, StringConstraints(max_length=MAX_TIME_ZONE_CHARS)] | None = Field(
        default=None, description="The student's; without it days may begin up to 14 hours earlier or later"
    )


class FileSourceOut(Reply):
    """A line of a file's page."""

    kind: Literal["file"] = "file"
    file_id: str
    file: str = Field(description="Its name")
    page: int
    line: int
    quote: str = Field(description=QUOTE)
    same_language: bool = Field(
        description="False: only names, numbers, signs and cognates of the two languages were compared"
    )


class MemorySourceOut(Reply):
    """A recalled memory, or what is believed of the student."""

    kind: Literal["memory", "belief"]
    episode_id: str | None = Field(description="Of a belief the newest episode behind it")
    belief_id: str | None
    memory: str = Field(description="What kind of episode it is, or `belief`")
    occurred_at: datetime
    quote: str = Field(description=QUOTE)


class ClaimOut(Reply):
    """A sentence that claims something; without a source `problem` says what the nearest one lacks."""

    text: str
    source: FileSourceOut | MemorySourceOut | None
    score: float = Field(description="0 to 1: how much of it the source says; below 0.5 there is no source")
    problem: Shortfall | None
    also: list[MemorySourceOut] = Field(
        description="Of a claim that names several times, the memories of the other ones"
    )
    start: int = Field(description="Where it stands in the answer, in characters")
    end: int


class TracedOut(Reply):
    """Where an answer's claims come from, and its stance."""

    claims: list[ClaimOut] = Field(description="Those that were looked for")
    grounded_share: float = Field(description="Share of these with a source; 1 when there are none")
    mostly_ungrounded: bool = Field(description="Something is claimed, and less than half of it has a source")
    stance: Stance
    says_missing: bool = Field(
        description="The answer says that the files or the memory do not hold something"
    )

    claims_not_searched: int = Field(
        description="Further claims, for which there was no time; then the stance is `answered` only if that is certain"
    )
    files_not_searched: int = Field(
        description="Files that there is no room or time for; claims without a source may stand in one of them"
    )


class GroundingOut(TracedOut):
    """Where an answer's claims come from, and whether that is kept beside it."""

    stored: bool = Field(description="False without an `episode_id`, or with claims that were not looked for")
