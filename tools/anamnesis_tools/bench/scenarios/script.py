"""The data model of a scenario: what happens and what is asked; what must have come of it is in ``expected``.

A scenario names what it speaks of by handles (``as: july-3``): of episodes and of files. The player puts the ids that
the service gave in their place, so that nothing is judged by how an answer is worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, StringConstraints, Tag
from pydantic import model_validator as checked

from anamnesis.schemas.values import Day, Moment
from anamnesis_tools.bench.scenarios.expected import (
    BeliefsExpected,
    BlockExpected,
    ChainExpected,
    EpisodesExpected,
    FileExpected,
    Handle,
    MapExpected,
    Part,
    Refusal,
    Text,
)

Requirement = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}-\d+$")]

#: Kinds of events that a caller may record, each a field of ``Event`` that holds the text.
KINDS = ("question", "answer", "check", "quiz", "taught")
#: Most events that one line may stand for. Ours.
MAX_TIMES = 10_000


class Event(Part):
    """One event, or `times` of them, each `every` later.

    In the text of repeated ones ``{n}`` counts from 0, and a name of `words` in braces goes through that list.

    Attributes
    ----------
    cites
        Handles of files, each with ``:PAGE`` if a page is meant.
    uses
        Handles of memories that an answer was given from.
    """

    question: str | None = None
    answer: str | None = None
    check: str | None = None
    quiz: str | None = None
    taught: str | None = None
    at: Moment
    handle: Handle | None = Field(default=None, alias="as")
    summary: str | None = None
    topic: str | None = None
    evaluation: str | None = None
    correct: bool | None = None
    score: float | None = None
    session: str | None = None
    language: str | None = None
    cites: list[str] = Field(default=[])
    uses: list[Handle] = Field(default=[])
    times: int = Field(default=1, ge=1, le=MAX_TIMES)
    every: timedelta = timedelta(days=1)
    words: dict[str, Annotated[list[str], Field(min_length=1)]] = Field(default={})

    @checked(mode="after")
    def _one_kind(self) -> Event:
        if len([kind for kind in KINDS if getattr(self, kind) is not None]) != 1:
            raise ValueError(f"an event is one of {', '.join(KINDS)}")
        return self

    @property
    def kind(self) -> str:
        """Which of the kinds it is."""
        return next(kind for kind in KINDS if getattr(self, kind) is not None)

    def said(self) -> Iterator[tuple[datetime, str]]:
        """When and what, of each of its `times`."""
        text: str = getattr(self, self.kind)
        for n in range(self.times):
            filled = text
            if self.times > 1:
                filled = filled.replace("{n}", str(n))
                for name, words in self.words.items():
                    filled = filled.replace(f"{{{name}}}", words[n % len(words)])
            yield self.at + n * self.every, filled


class Step(Part):
    """Base of every step: whose it is, if not the scenario's own student and subject."""

    student: Handle | None = None
    subject: Text | None = None

    def makes(self) -> set[str]:
        """Handles that it gives."""
        return set()

    def names(self) -> set[str]:
        """Handles that it speaks of."""
        return set()


class RecordStep(Step):
    """Record events, in batches as long as the service takes.

    Attributes
    ----------
    key
        Idempotency key of the (single) batch; a fresh one when None.
    kinds
        As what each event must be recorded, when that is not free.
    """

    record: list[Event] = Field(min_length=1)
    key: Text | None = None
    kinds: list[Literal["question", "answer", "check", "quiz", "taught"]] | None = None
    refused: Refusal | None = None

    def makes(self) -> set[str]:
        """Handles of its events."""
        return {event.handle for event in self.record if event.handle}

    def names(self) -> set[str]:
        """Files that its events cite, and memories that they use."""
        cited = {cite.partition(":")[0] for event in self.record for cite in event.cites}
        return cited | {used for event in self.record for used in event.uses}


class UploadStep(Step):
    """Upload a file and wait until it is read or refused."""

    upload: Text
    text: Text
    handle: Handle = Field(alias="as")
    status: Literal["read", "refused"] = "read"
    reason: str | None = None

    def makes(self) -> set[str]:
        """The file's handle."""
        return {self.handle}


class DeleteFileStep(Step):
    """Delete a file."""

    delete_file: Handle

    def names(self) -> set[str]:
        """The file."""
        return {self.delete_file}


class EraseStep(Step):
    """Erase an episode: the `nth` of the handle's, from 1."""

    erase: Handle
    nth: int = Field(default=1, ge=1)

    def names(self) -> set[str]:
        """The episode."""
        return {self.erase}


class EraseSubjectStep(Step):
    """Erase all of a student's subject."""

    erase_subject: Literal[True]


class NightStep(Step):
    """Run nights, one after the other."""

    night: Annotated[list[Day], BeforeValidator(lambda value: value if isinstance(value, list) else [value])]


class RederiveStep(Step):
    """Replay the recorded checks by today's rules."""

    rederive: Literal[True]


class AskStep(Step):
    """Ask for a turn's block, in each of the wordings given.

    Attributes
    ----------
    legacy_section
        An "assessment results" section of the prompt that the block comes into (BL-7).
    """

    ask: Annotated[list[str], BeforeValidator(lambda value: value if isinstance(value, list) else [value])]
    now: Moment | None = None
    time_zone: str | None = None
    budget_tokens: int | None = None
    switch_off: list[str] = Field(default=[])
    legacy_section: str | None = None
    expect: BlockExpected = BlockExpected()

    def names(self) -> set[str]:
        """Memories that must be there, or must not."""
        of = self.expect
        return {*of.in_block, *of.not_in_block, *(of.only or ()), *of.lines}


class BeliefsStep(Step):
    """Look at what is believed."""

    beliefs: BeliefsExpected

    def names(self) -> set[str]:
        """Episodes that beliefs rest on."""
        expected = (*self.beliefs.current, *self.beliefs.superseded)
        return {handle for belief in expected for handle in belief.because}


class MapStep(Step):
    """Look at the map."""

    map: MapExpected

    def names(self) -> set[str]:
        """Files that explain concepts."""
        return {handle for handles in self.map.sources.values() for handle in handles}


class FilesStep(Step):
    """Look at files."""

    files: dict[Handle, FileExpected]

    def names(self) -> set[str]:
        """The files, and those in their place."""
        successors = {file.replaced_by for file in self.files.values() if file.replaced_by}
        return set(self.files) | (successors - {"nothing"})


class EpisodesStep(Step):
    """List episodes."""

    episodes: EpisodesExpected

    def names(self) -> set[str]:
        """Episodes that must be listed."""
        return set(self.episodes.are)


class ChainStep(Step):
    """Verify the log."""

    chain: ChainExpected


#: Steps by the field that names them.
STEPS: dict[str, type[Step]] = {
    "record": RecordStep,
    "upload": UploadStep,
    "delete_file": DeleteFileStep,
    "erase": EraseStep,
    "erase_subject": EraseSubjectStep,
    "night": NightStep,
    "rederive": RederiveStep,
    "ask": AskStep,
    "beliefs": BeliefsStep,
    "map": MapStep,
    "files": FilesStep,
    "episodes": EpisodesStep,
    "chain": ChainStep,
}


def _named(step: Any) -> str | None:
    """The step that a mapping is, by the first field that names one."""
    if isinstance(step, dict):
        return next((name for name in step if name in STEPS), None)
    return next((name for name, kind in STEPS.items() if isinstance(step, kind)), None)


AnyStep = Annotated[
    Annotated[RecordStep, Tag("record")]
    | Annotated[UploadStep, Tag("upload")]
    | Annotated[DeleteFileStep, Tag("delete_file")]
    | Annotated[EraseStep, Tag("erase")]
    | Annotated[EraseSubjectStep, Tag("erase_subject")]
    | Annotated[NightStep, Tag("night")]
    | Annotated[RederiveStep, Tag("rederive")]
    | Annotated[AskStep, Tag("ask")]
    | Annotated[BeliefsStep, Tag("beliefs")]
    | Annotated[MapStep, Tag("map")]
    | Annotated[FilesStep, Tag("files")]
    | Annotated[EpisodesStep, Tag("episodes")]
    | Annotated[ChainStep, Tag("chain")],
    Discriminator(
        _named,
        custom_error_type="step",
        custom_error_message="a step is one of " + ", ".join(STEPS),
    ),
]


class Scenario(Part):
    """One scripted history.

    Attributes
    ----------
    harm
        What a user suffers when this goes wrong.
    known_failing
        Why it fails today; None when it must pass. One that passes in spite of it is a failure of the run.
    now, time_zone
        Of every turn that names none.
    """

    harm: Text
    requirements: list[Requirement] = Field(min_length=1)
    known_failing: Text | None = None
    student: Handle = "ana"
    subject: Text = "biology"
    now: Moment = datetime.fromisoformat("2026-09-21T08:00:00+00:00")
    time_zone: str = "UTC"
    steps: list[AnyStep] = Field(min_length=1)

    @checked(mode="after")
    def _handles_are_made_first(self) -> Scenario:
        made: set[str] = set()
        for number, step in enumerate(self.steps):
            for handle in sorted(step.names() - made):
                raise ValueError(f"steps.{number}: no step before it makes {handle!r}")
            made |= step.makes()
        if not any(isinstance(step, JUDGED) for step in self.steps):
            raise ValueError("steps: none of them judges anything")
        return self


#: Steps that judge what they see.
JUDGED = (AskStep, BeliefsStep, MapStep, FilesStep, EpisodesStep, ChainStep)
