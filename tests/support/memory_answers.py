"""Answers that are being written, their queue, and a model that says what it is told, in memory."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import replace
from datetime import datetime

from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.tutoring.answers import AnswerFailed, AnswerState, Asked, Failing, opened
from anamnesis.domain.tutoring.prompt import TutorPrompt


class MemoryAnswerStore:
    """``AnswerStore`` in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.asked: dict[tuple[Pair, str], Asked] = {}
        self.states: dict[tuple[Pair, str], AnswerState] = {}

    def open_answer(self, pair: Pair, asked: Asked) -> Asked:
        with self._lock:
            kept = self.asked_answer(pair, asked.id, at=asked.asked_at) or asked
            self.asked[pair, asked.id] = kept
            if self.answer_state(pair, asked.id, at=asked.asked_at) is None:
                self.states[pair, asked.id] = opened(kept)
            return kept

    def asked_answer(self, pair: Pair, answer_id: str, *, at: datetime) -> Asked | None:
        asked = self.asked.get((pair, answer_id))
        return None if asked is None or asked.expires_at <= at else asked

    def answer_state(self, pair: Pair, answer_id: str, *, at: datetime) -> AnswerState | None:
        state = self.states.get((pair, answer_id))
        return None if state is None or state.expires_at <= at else state

    def all_answers(self, pair: Pair, *, at: datetime) -> list[AnswerState]:
        kept = sorted(name for whose, name in self.states if whose == pair)
        return [state for name in kept if (state := self.answer_state(pair, name, at=at)) is not None]

    def claim_answer(
        self, pair: Pair, answer_id: str, *, writer: str, at: datetime, until: datetime
    ) -> AnswerState | None:
        with self._lock:
            state = self.answer_state(pair, answer_id, at=at)
            if state is None or not (
                state.may_be_claimed(at) or (state.writer == writer and not state.status.is_final)
            ):
                return None
            self.states[pair, answer_id] = replace(state, writer=writer, held_until=until)
            return self.states[pair, answer_id]

    def save_answer(self, pair: Pair, state: AnswerState) -> bool:
        with self._lock:
            stored = self.states.get((pair, state.id))
            if stored is None or stored.writer != state.writer:
                return False
            self.states[pair, state.id] = state
            return True

    def drop_answers(self, pair: Pair) -> None:
        with self._lock:
            for kept in (self.asked, self.states):
                for key in [key for key in kept if key[0] == pair]:
                    del kept[key]


class MemoryAnswerQueue:
    """``AnswerQueue`` in memory."""

    def __init__(self) -> None:
        self.sent: list[tuple[Pair, str]] = []

    def send(self, pair: Pair, answer_id: str) -> None:
        self.sent.append((pair, answer_id))


class ScriptedTutor:
    """A ``TutorModel`` that says what it is told, one script an answer, and keeps what it was asked.

    A script's parts are said in order; an error among them is raised, a function called.
    """

    def __init__(self, *scripts: tuple[str | AnswerFailed | Callable[[], object], ...]) -> None:
        self.scripts = deque(scripts)
        self.asked: list[TutorPrompt] = []
        self.left = 0

    def spoken(
        self, prompt: TutorPrompt, *, seconds_left: Callable[[], float]
    ) -> Generator[str | ModelUse, None, None]:
        if seconds_left() <= 0:
            raise AnswerFailed(Failing.TOO_SLOW, "no time")
        self.asked.append(prompt)
        said = self.scripts.popleft() if self.scripts else ("Osmosis is the movement of water.",)
        try:
            for part in said:
                if isinstance(part, AnswerFailed):
                    raise part
                if isinstance(part, str):
                    yield part
                else:
                    part()
            yield ModelUse(1, 100, 20)
        except GeneratorExit:
            self.left += 1
            raise
