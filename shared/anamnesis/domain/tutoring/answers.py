"""An answer that a model writes: what it was asked, how far it has come, how it ended.

It lives outside the log only until it is recorded; what it was asked and its text expire soon after.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import ModelUnavailable
from anamnesis.domain.grounding.values import Grounding
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.tutoring.conversation import EarlierTurn
from anamnesis.domain.tutoring.passages import Passage

#: Longest question of a turn and longest answer, in characters. Ours: some 5,000 and 4,000 tokens; an answer and what
#: was asked must each fit a row of 400 kB in any script.
MAX_QUESTION_CHARS: Final = 20_000
MAX_ANSWER_CHARS: Final = 16_000
#: How long an answer can be looked at after it was asked for; from then on there is only what was recorded. Ours.
KEPT: Final = timedelta(hours=1)
#: How long a writer has an answer for itself: longer than the function lives that writes it (90 s), so that no two ever
#: write the same one.
HELD: Final = timedelta(seconds=100)
#: When an answer is given up that nobody has brought to its end: nobody waits for it any more. Ours.
GIVEN_UP: Final = timedelta(minutes=10)
#: What who looks at an answer is told to wait: an eighth of the time that has passed since it was asked for, between
#: what a writer stores (some 0.4 s) and what still reads as being written. Ours: an answer of ten seconds is looked at
#: 16 times, one of a minute 38 times.
LOOKS_FOR_ITS_AGE: Final = 8
QUICKEST_LOOKS: Final = timedelta(seconds=0.5)
SLOWEST_LOOKS: Final = timedelta(seconds=2.5)


class AnswerStatus(StrEnum):
    """How far an answer has come."""

    WAITING = "waiting"
    """Nobody writes it yet."""
    WRITING = "writing"
    """The model is asked, or speaks."""
    WRITTEN = "written"
    """The model has ended; the answer is not in the log yet."""
    DONE = "done"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """Whether it stays as it is."""
        return self in {AnswerStatus.DONE, AnswerStatus.FAILED}


class Failing(StrEnum):
    """Why there is no answer; stable words of the interface."""

    UNAVAILABLE = "model-unavailable"
    REFUSED = "model-refused"
    TOO_SLOW = "too-slow"
    EMPTY = "empty"
    INTERRUPTED = "interrupted"


class AnswerFailed(ModelUnavailable):
    """The model gives no answer.

    Parameters
    ----------
    detail
        What was wrong, in words that hold nothing of what was sent or answered.
    """

    def __init__(self, reason: Failing, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model is asked, and what its answer is recorded with; never changed.

    Attributes
    ----------
    request
        Hex SHA-256 of the request, by which the same one is known again.
    model
        Its name, as the configuration has it.
    question_id, question_position
        The recorded question.
    occurred_at, asked_at
        When it was asked by the student's clock, with its offset, and by ours.
    zone
        IANA name of the student's time zone.
    block
        The reply of the block's use case as JSON: what the model sees of the memory, and how that came about.
    erasures
        Steps of erasure of the log when the block was read. What was made before a later one may hold what is gone.
    earlier
        The last turns of its conversation, oldest first, as the model is told them.
    """

    id: str
    request: str
    model: str
    question: str
    question_id: str
    question_position: int
    occurred_at: datetime
    asked_at: datetime
    zone: str
    session_id: str | None
    language: str | None
    block: Mapping[str, Any]
    passages: tuple[Passage, ...]
    erasures: int
    earlier: tuple[EarlierTurn, ...] = ()

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """Ids of the memories in the block."""
        return tuple(self.block["memory_ids"])

    @property
    def expires_at(self) -> datetime:
        """From when on it is not kept."""
        return self.asked_at + KEPT


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """Where an answer stands in the log."""

    id: str
    position: int
    hash: str


@dataclass(frozen=True, slots=True)
class AnswerState:
    """How far an answer has come.

    Attributes
    ----------
    text
        What the model has said so far.
    writer
        Who writes it; empty while nobody does.
    held_until
        Until when nobody else may.
    reason
        Of a failed one.
    recorded, grounding
        Of one that is done.
    use
        What the model took, once it has said so.
    """

    id: str
    model: str
    question_id: str
    erasures: int
    expires_at: datetime
    status: AnswerStatus = AnswerStatus.WAITING
    text: str = ""
    writer: str = ""
    held_until: datetime | None = None
    reason: Failing | None = None
    recorded: RecordedAnswer | None = None
    grounding: Grounding | None = None
    use: ModelUse | None = None

    def may_be_claimed(self, at: datetime) -> bool:
        """Whether a writer may take it: it is not at its end, and whoever had it is not alive any more."""
        return not self.status.is_final and (self.held_until is None or self.held_until <= at)

    def given_up(self, at: datetime) -> bool:
        """Whether nobody brings it to its end any more."""
        return self.may_be_claimed(at) and self.expires_at - KEPT + GIVEN_UP <= at

    def look_again(self, at: datetime) -> timedelta | None:
        """How long who looks may wait before the next look; None when nothing more comes of it.

        The longer it has taken, the longer: each look counts among the requests of a tenant, and a class looks at once.
        """
        tracing = self.grounding is None and self.held_until is not None and self.held_until > at
        if self.status is AnswerStatus.FAILED or (self.status is AnswerStatus.DONE and not tracing):
            return None
        return min(SLOWEST_LOOKS, max(QUICKEST_LOOKS, (at - (self.expires_at - KEPT)) / LOOKS_FOR_ITS_AGE))

    def seen(self, at: datetime) -> AnswerState:
        """As who looks sees it: one that is given up has failed, and that one is not in the log yet concerns nobody."""
        if self.given_up(at):
            return replace(self, status=AnswerStatus.FAILED, reason=Failing.INTERRUPTED)
        return replace(self, status=AnswerStatus.WRITING) if self.status is AnswerStatus.WRITTEN else self


def opened(asked: Asked) -> AnswerState:
    """An answer that nobody writes yet."""
    return AnswerState(asked.id, asked.model, asked.question_id, asked.erasures, asked.expires_at)


def answer_id(pair: Pair, key: str) -> str:
    """The answer that a request under an idempotency key starts: 32 hexadecimal digits, the same every time."""
    return hashlib.sha256(f"{pair.key}\x00{key}".encode("utf-8", "replace")).hexdigest()[:32]


def question_key(key: str) -> str:
    """The idempotency key under which the question of such a request is recorded."""
    return f"answer:{key}:question"


def answer_key(answer: str) -> str:
    """The idempotency key under which an answer is recorded."""
    return f"answer:{answer}"
