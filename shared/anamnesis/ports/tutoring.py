"""The model that answers students, and the answers that it is writing."""

from __future__ import annotations

from collections.abc import Callable, Generator
from datetime import datetime
from typing import Protocol

from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.tutoring.answers import AnswerState, Asked
from anamnesis.domain.tutoring.prompt import TutorPrompt


class TutorModel(Protocol):
    """A language model that answers students."""

    def spoken(
        self, prompt: TutorPrompt, *, seconds_left: Callable[[], float]
    ) -> Generator[str | ModelUse, None, None]:
        """What the model says, piece by piece, and what that took of it once it says so.

        It may be left in the midst; its connection is then closed.

        Raises
        ------
        AnswerFailed
            If it cannot be had, refuses, breaks off or takes longer than there is time; the pieces before are all that
            there is.
        """


class AnswerStore(Protocol):
    """Answers until they are recorded, and shortly after; they expire, and nothing of them is part of the log."""

    def open_answer(self, pair: Pair, asked: Asked) -> Asked:
        """Keep what is asked and an answer that nobody writes yet; return what is kept.

        What was kept before under this id stays, and is returned, unless it has expired by ``asked.asked_at``.
        """

    def asked_answer(self, pair: Pair, answer_id: str, *, at: datetime) -> Asked | None:
        """What was asked; None when there is nothing, or it has expired by then."""

    def answer_state(self, pair: Pair, answer_id: str, *, at: datetime) -> AnswerState | None:
        """How far an answer has come; None when there is none, or it has expired by then."""

    def all_answers(self, pair: Pair, *, at: datetime) -> list[AnswerState]:
        """How far each of a pair's answers has come that has not expired by then, by id."""

    def claim_answer(
        self, pair: Pair, answer_id: str, *, writer: str, at: datetime, until: datetime
    ) -> AnswerState | None:
        """Take an answer for a writer, who has it for itself until then.

        Returns
        -------
        AnswerState or None
            As it is now, with the status that it had; None when there is none, it has expired, is at its end, or is
            another's still.
        """

    def save_answer(self, pair: Pair, state: AnswerState) -> bool:
        """Store how far an answer has come; False, and nothing changes, when it is not its writer's any more, or gone.

        Nothing comes back that was dropped.
        """

    def drop_answers(self, pair: Pair) -> None:
        """Remove all of a pair's answers; nothing happens when there are none."""


class AnswerQueue(Protocol):
    """Has answers written."""

    def send(self, pair: Pair, answer_id: str) -> None:
        """Queue one message; an answer may be queued twice, since only one writer gets it."""
