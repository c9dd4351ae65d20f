"""Look at an answer while it is being written, and at what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.errors import NotFound
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.tutoring.answers import AnswerState
from anamnesis.ports import AnswerStore, Clock, EpisodeLog


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The use case; call it with an answer's id."""

    answers: AnswerStore
    log: EpisodeLog
    clock: Clock

    def __call__(self, pair: Pair, answer_id: str) -> AnswerState:
        """How far the answer has come; one that nobody brings to its end any more has failed.

        Raises
        ------
        NotFound
            If this pair has no such answer, it has expired, or something of the log was erased since it was begun: it
            may quote that.
        """
        now = self.clock.now()
        state = self.answers.answer_state(pair, answer_id, at=now)
        if state is None or self.log.head(pair).erasures != state.erasures:
            raise NotFound("no such answer", field="answer_id")
        return state.seen(now)
