"""What a memory block is made of, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.log.episodes import Kind, Outcome
from anamnesis.domain.messages.intents import Intent, RecordFocus


@dataclass(frozen=True, slots=True)
class Memory:
    """A recalled episode in words.

    Attributes
    ----------
    occurred_at
        Aware.
    summary
        Content in the student's language; it is contained before it enters the block.
    repeats
        How many more identical episodes it stands for (RC-4).
    repeated_from, repeated_to
        When the first and the last of all these happened, aware; None where it stands for itself alone.
    text, evaluation
        Content: what was said in full, or its beginning, and what the tutor said of a check's answer; may be empty.
    changed_files
        Name of each cited file that is not what it was, and "replaced" or "deleted" (RC-8).
    """

    id: str
    position: int
    occurred_at: datetime
    kind: Kind
    summary: str
    language: str
    outcome: Outcome | None
    repeats: int
    changed_files: tuple[tuple[str, str], ...] = ()
    repeated_from: datetime | None = None
    repeated_to: datetime | None = None
    text: str = ""
    evaluation: str = ""


@dataclass(frozen=True, slots=True)
class BlockWindow:
    """The span of time asked about (RC-5).

    Attributes
    ----------
    start, end
        Aware datetimes; `end` is exclusive.
    phrase
        The student's words for it.
    empty
        Whether nothing at all happened in it.
    """

    start: datetime
    end: datetime
    phrase: str
    empty: bool


@dataclass(frozen=True, slots=True)
class BlockMaterial:
    """Everything that one turn found.

    Attributes
    ----------
    memories
        Best first; the block shows them oldest first.
    beliefs
        Current ones, most wanted first.
    map_lines
        The map's heading and then one line for each concept, most wanted first (CM-10); empty without a map.
    matched
        False when the question is about something and nothing in the record matches it (RC-3).
    has_record
        Whether the pair has any episode at all of which anything is kept.
    had_record
        Whether it had one of which nothing is kept, erased as it was: "there was no session" would be untrue of it.
    checks_tied_to_nothing
        Recorded checks that are tied to no concept (BE-6).
    limits
        The self-model's statements, most important first (NI-4).
    zone
        The student's time zone; all dates are shown in it.
    now
        Aware.
    focus
        Which part of the record a question about it is after; None for an ordinary one.
    names_concepts
        Whether the question was routed to any concept; else the map's lines are about nothing that it asks.
    """

    intent: Intent
    memories: tuple[Memory, ...]
    beliefs: tuple[Belief, ...]
    map_lines: tuple[str, ...]
    window: BlockWindow | None
    matched: bool
    has_record: bool
    checks_tied_to_nothing: int
    limits: tuple[str, ...]
    zone: ZoneInfo
    now: datetime
    focus: RecordFocus | None = None
    names_concepts: bool = True
    had_record: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many lines did not fit into the budget."""

    memories: int = 0
    beliefs: int = 0
    map_lines: int = 0
    limits: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A composed block.

    Attributes
    ----------
    tokens
        ``estimate_tokens(text)``, at most the budget.
    memory_ids
        The memories whose lines stand in `text`, in the order of the text (RC-9).
    """

    text: str
    tokens: int
    memory_ids: tuple[str, ...]
    dropped: LeftOut
