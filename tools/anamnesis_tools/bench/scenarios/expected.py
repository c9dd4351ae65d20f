"""What must have come of a scenario's steps; what is not named is free."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from anamnesis.schemas.values import Moment

Handle = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=60)]
Text = Annotated[str, StringConstraints(min_length=1)]


class Part(BaseModel):
    """Base of every part: what a scenario says beyond these fields is a mistake, and named."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Refusal(Part):
    """A problem document that must come: its status, and the field that it names."""

    status: int = Field(ge=400, le=599)
    field: str | None = None


class Window(Part):
    """A span of time, end exclusive; compared as moments, not as texts."""

    start: Moment
    end: Moment


class Count(Part):
    """How many there are."""

    exactly: int | None = None
    at_least: int | None = None
    at_most: int | None = None


Statement = Literal["asking", "no_record", "no_record_for_window", "only_window", "nothing_matches"]


class BlockExpected(Part):
    """What a turn's reply must be; what is not named is free.

    Attributes
    ----------
    in_block, not_in_block
        Handles of which something is among `memory_ids`, and nothing. A handle of repeated events stands for all of
        them.
    only
        Handles of which alone something is among them, and of each something.
    says, says_not
        The block's own statements about the record (`anamnesis.domain.block.wording`), and not what content says.
    lines
        By handle, words that the line of that memory has: its label, its repeats.
    believes, believes_not
        Beginnings of lines below the block's beliefs, such as ``struggles with osmosis``.
    contains, lacks
        Anywhere in the block.
    legacy
        What becomes of the step's `legacy_section`: ``dropped``, or ``after`` the block and a note.
    """

    refused: Refusal | None = None
    intent: Literal["ordinary", "history", "none"] | None = None
    window: Window | Literal["none"] | None = None
    window_empty: bool | None = None
    matched: bool | None = None
    in_block: list[Handle] = []
    not_in_block: list[Handle] = []
    only: list[Handle] | None = None
    memories: Count | None = None
    routed: list[str] = []
    routed_not: list[str] = []
    says: list[Statement] = []
    says_not: list[Statement] = []
    lines: dict[Handle, list[Text]] = {}
    believes: list[Text] = []
    believes_not: list[Text] = []
    contains: list[Text] = []
    lacks: list[Text] = []
    legacy: Literal["dropped", "after"] | None = None


class BeliefExpected(Part):
    """A belief that must be there; `because` are episodes that it rests on, each of them."""

    claim: Text
    concept: Text
    because: list[Handle] = []
    needs_confirmation: bool | None = None


class BeliefsExpected(Part):
    """Beliefs that are current, those that were once and are superseded, and concepts that nothing is believed of."""

    current: list[BeliefExpected] = []
    superseded: list[BeliefExpected] = []
    none_about: list[Text] = []
    count: int | None = None


class MapExpected(Part):
    """Keys of concepts of the map; what was taught of them, by the first words of a note; which files explain them."""

    has: list[Text] = []
    lacks: list[Text] = []
    taught: dict[Text, list[Text]] = {}
    not_taught: list[Text] = []
    sources: dict[Text, list[Handle]] = {}


class FileExpected(Part):
    """Where a file stands."""

    status: Literal["waiting", "reading", "read", "refused"] | None = None
    replaced_by: Handle | Literal["nothing"] | None = None
    deleted: bool | None = None


class EpisodesExpected(Part):
    """A listing, page by page: exactly the episodes of these handles, each once, oldest first."""

    start: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="to")
    kind: str | None = None
    limit: int = 50
    are: list[Handle]
    pages: int | None = None


class ChainExpected(Part):
    """What verifying the log must find."""

    verified: bool = True
    length: int | None = None
    erased: int | None = None
