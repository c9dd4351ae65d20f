"""The four designs: what enters a tutor's prompt besides the passages that the same retrieval found (EV-3).

``plain`` adds nothing, ``window`` the last twenty turns, ``episodes`` ranked recall alone, ``full`` the whole block.
The latter two are one use case with layers switched off, and whatever is added has the same token budget.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from zoneinfo import ZoneInfo

from anamnesis.domain.block.lines import memory_line
from anamnesis.domain.block.material import Memory
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.schemas.block import DEFAULT_BUDGET
from anamnesis_tools.bench.designs.file_search import FileSearch, Passage, shown
from anamnesis_tools.bench.designs.recording import Recorded, RecordingApplication

#: Tokens of what a design adds, and of the passages that all have: what a turn has by default, and as much again.
MEMORY_TOKENS = FILE_TOKENS = DEFAULT_BUDGET
TURNS = 20


class Design(StrEnum):
    """What enters the prompt."""

    PLAIN = "plain"
    WINDOW = "window"
    EPISODES = "episodes"
    FULL = "full"


#: What ranked recall alone goes without.
ALONE = frozenset({"map", "beliefs", "self_model", "routing"})
#: Layers that are off, for the designs that are a block.
SWITCHED_OFF: Mapping[Design, frozenset[str]] = {Design.EPISODES: ALONE, Design.FULL: frozenset()}

_INTRODUCTION = "You are a tutor. Answer the student's question in the student's language."
_FILES = "PASSAGES OF THE COURSE FILES:"
_NO_FILES = "The course files hold nothing about this."
_TURNS = "THE LAST TURNS WITH THIS STUDENT (oldest first):"
_QUESTION = "THE STUDENT ASKS: "


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt and where its parts come from.

    Attributes
    ----------
    text
        Without the question, which proves nothing.
    question
        As the last line has it.
    episode_ids
        Episodes that stand in it.
    passages
        Passages of the files that stand in it.
    milliseconds
        What making the design's own part took, its question's vector being known.
    """

    text: str
    question: str
    episode_ids: frozenset[str]
    passages: tuple[Passage, ...]
    milliseconds: float

    @property
    def whole(self) -> str:
        """What a model is sent."""
        return f"{self.text}\n\n{_QUESTION}{self.question}"

    @property
    def tokens(self) -> int:
        """Of the whole."""
        return estimate_tokens(self.whole)


@dataclass(frozen=True, slots=True)
class PromptMaker:
    """Makes every design's prompt for a history's questions."""

    application: RecordingApplication
    recorded: Recorded
    files: FileSearch
    memory_tokens: int = MEMORY_TOKENS
    file_tokens: int = FILE_TOKENS
    _found: dict[str, tuple[Passage, ...]] = field(default_factory=dict)

    def made(self, design: Design, question: str) -> Prompt:
        """Return the prompt of a design."""
        return self._made(question, *self._part(design, question))

    def without(self, question: str, switch_off: frozenset[str]) -> Prompt:
        """Return the full design's prompt without some layers (EV-5)."""
        return self._made(question, *self._block(question, switch_off))

    def _made(self, question: str, part: str, ids: frozenset[str], ms: float) -> Prompt:
        if question not in self._found:
            self._found[question] = tuple(self.files.find(question, self.file_tokens))
        passages = self._found[question]
        found = [_FILES, *map(shown, passages)] if passages else [_NO_FILES]
        text = "\n\n".join(filter(None, [_INTRODUCTION, "\n".join(found), part]))
        return Prompt(text, question, ids, passages, ms)

    def _part(self, design: Design, question: str) -> tuple[str, frozenset[str], float]:
        if design is Design.PLAIN:
            return "", frozenset(), 0.0
        if design is Design.WINDOW:
            started = time.perf_counter()
            text, ids = self._window()
            return text, ids, (time.perf_counter() - started) * 1_000
        return self._block(question, SWITCHED_OFF[design])

    def _block(self, question: str, switch_off: frozenset[str]) -> tuple[str, frozenset[str], float]:
        # A turn embeds its question once; here several designs ask the same one, and none is to pay for the others.
        self.application.embedder.embed_query(question)
        started = time.perf_counter()
        reply = self.application.block(self.recorded, question, self.memory_tokens, switch_off)
        return reply.block or "", frozenset(reply.memory_ids), (time.perf_counter() - started) * 1_000

    def _window(self) -> tuple[str, frozenset[str]]:
        """Return the last turns, as many of the latest of them as fit."""
        left = self.memory_tokens - estimate_tokens(_TURNS) - 1
        kept: list[tuple[Episode, str]] = []
        for episode, line in self._last_turns():
            cost = estimate_tokens(line) + 1
            if cost > left:
                break
            left -= cost
            kept.append((episode, line))
        lines = [line for _, line in reversed(kept)]
        return "\n".join([_TURNS, *lines]), frozenset(episode.id for episode, _ in kept)

    def _last_turns(self) -> Iterator[tuple[Episode, str]]:
        """Yield the last turns, latest first, as the block tells memories, but by 300 characters of their text."""
        history = self.recorded.history
        zone = ZoneInfo(history.zone)
        told: Sequence[tuple[Episode, str]] = [
            (episode, event.text)
            for episode, event in zip(self.recorded.episodes, history.events, strict=True)
        ]
        for episode, text in reversed(told[-TURNS:]):
            memory = Memory(
                id=episode.id,
                position=episode.position,
                occurred_at=episode.occurred_at,
                kind=episode.kind,
                summary=" ".join(text.split()),
                language=episode.language,
                outcome=episode.outcome,
                repeats=0,
            )
            yield episode, memory_line(memory, zone=zone, now=history.asked_at).text
