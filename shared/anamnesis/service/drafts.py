"""What callers hand in to be recorded: events as they describe them, and what is refused at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.log.chain import timestamp
from anamnesis.domain.log.episodes import PASS_SCORE, Kind, checked_moment
from anamnesis.domain.messages.statements import taught_by
from anamnesis.domain.messages.teachings import read_teaching
from anamnesis.domain.text.containment import contained


@dataclass(frozen=True, slots=True)
class Draft:
    """An event as its caller describes it; sizes and types are checked already."""

    kind: Kind
    occurred_at: datetime
    text: str
    summary: str | None = None
    session_id: str | None = None
    language: str | None = None
    topic: str | None = None
    evaluation: str | None = None
    correct: bool | None = None
    score: float | None = None
    evidence: tuple[tuple[str, int | None], ...] = ()
    memory_ids: tuple[str, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """JSON form, for the request hash behind an idempotency key."""
        return {
            "kind": self.kind.value,
            "occurred_at": timestamp(self.occurred_at),
            "text": self.text,
            "summary": self.summary,
            "session_id": self.session_id,
            "language": self.language,
            "topic": self.topic,
            "evaluation": self.evaluation,
            "correct": self.correct,
            "score": self.score,
            "evidence": [list(cited) for cited in self.evidence],
            "memory_ids": list(self.memory_ids),
        }


def recorded_kind(draft: Draft) -> Kind:
    """The kind an event is recorded as: between question and taught, the words decide (TE-1, TE-3).

    A message that teaches in so many words is `taught` even when its caller filed it as a question. One filed as
    taught that asks, or that negates or quotes a teaching, is a `question`: such sentences never teach.
    """
    if draft.kind is Kind.QUESTION and read_teaching(draft.text, language=draft.language) is not None:
        return Kind.TAUGHT
    if draft.kind is Kind.TAUGHT and taught_by(draft.text, language=draft.language) is None:
        return Kind.QUESTION
    return draft.kind


def result_of(draft: Draft) -> tuple[bool, float]:
    """Whether a check or quiz was passed, and its score (0–1); one gives the other when only one was sent."""
    score = draft.score if draft.score is not None else float(bool(draft.correct))
    correct = draft.correct if draft.correct is not None else score >= PASS_SCORE
    return correct, score


def check_draft(draft: Draft, field: str) -> None:
    """Refuse a draft that contradicts itself or says nothing.

    Raises
    ------
    InvalidInput
        Names the part, below `field`.
    """
    checked_moment(draft.occurred_at, field=f"{field}.occurred_at")
    if draft.kind in {Kind.CHECK, Kind.QUIZ}:
        if draft.correct is None and draft.score is None:
            raise InvalidInput("a check or quiz needs correct or score", field=f"{field}.correct")
        correct, score = result_of(draft)
        if correct != (score >= PASS_SCORE):
            raise InvalidInput(
                f"contradicts correct: a score of {PASS_SCORE} or more passes", field=f"{field}.score"
            )
    elif draft.correct is not None or draft.score is not None:
        part = "correct" if draft.correct is not None else "score"
        raise InvalidInput("only checks and quizzes have a result", field=f"{field}.{part}")
    # White space, controls and invisible characters say nothing; the beginning of a long text tells.
    if not any(part and contained(part, max_chars=100) for part in (draft.text, draft.summary, draft.topic)):
        raise InvalidInput("must say something in text, summary or topic", field=f"{field}.text")
