"""Answers that are being written, on the records' table: two rows each, which DynamoDB removes when they expire.

What is asked is written once and is large; how far the answer has come is written every half second, and DynamoDB
charges a write by the size of its row.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any

from anamnesis.adapters.answer_format import (
    asked_from_json,
    asked_to_json,
    grounding_from_json,
    grounding_to_json,
)
from anamnesis.adapters.dynamodb.attributes import PackedJsonAttribute
from anamnesis.adapters.dynamodb.connection import DynamoConnection, get_row, put_if, raw_items, update_if
from anamnesis.adapters.dynamodb.models import AnswerRow, AskedRow
from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.grounding.values import Grounding
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.tutoring.answers import (
    AnswerState,
    AnswerStatus,
    Asked,
    Failing,
    RecordedAnswer,
    opened,
)

ANSWER = "ANSWER#"
_ASKED = "#ASKED"
#: Most bytes that a grounding takes of a row, deflated. A row has 400 kB (409,600 bytes), of which an answer's text
#: takes 64,000 at most, of four bytes a character, and all else less than 1,000. Ours: what is left, with a margin.
MAX_GROUNDING_BYTES = 320_000
#: Lengths that quotes are cut to, in characters, when they take more: the last leaves the claims alone. Ours.
SHORTER_QUOTES = (150, 60, 0)
_PACKED = PackedJsonAttribute()


class DynamoAnswerStore:
    """The port ``AnswerStore``; safe to use from many threads.

    Parameters
    ----------
    connection, table
        Where the rows are.
    """

    def __init__(self, connection: DynamoConnection, *, table: str) -> None:
        self._connection = connection
        self._answers = connection.bind(AnswerRow, table)
        self._asked = connection.bind(AskedRow, table)

    def open_answer(self, pair: Pair, asked: Asked) -> Asked:
        """Keep what is asked and an answer that nobody writes yet; return what is kept.

        What was kept before under this id stays, and is returned, unless it has expired by ``asked.asked_at``.
        """
        at = _seconds(asked.asked_at)
        row = self._asked(
            pair.key,
            f"{ANSWER}{asked.id}{_ASKED}",
            asked=asked_to_json(asked),
            expires_at=_seconds(asked.expires_at),
        )
        # First, so that whoever finds the answer finds what it answers.
        first = put_if(row, AskedRow.pk.does_not_exist() | (AskedRow.expires_at <= at))
        kept = asked if first else self.asked_answer(pair, asked.id, at=asked.asked_at) or asked
        put_if(self._row(pair, opened(kept)), AnswerRow.pk.does_not_exist() | (AnswerRow.expires_at <= at))
        return kept

    def asked_answer(self, pair: Pair, answer_id: str, *, at: datetime) -> Asked | None:
        """Return what was asked; None when there is nothing, or it has expired by then."""
        row = get_row(self._asked, pair.key, f"{ANSWER}{answer_id}{_ASKED}")
        return None if row is None or row.expires_at <= at.timestamp() else asked_from_json(row.asked)

    def answer_state(self, pair: Pair, answer_id: str, *, at: datetime) -> AnswerState | None:
        """Return how far an answer has come; None when there is none, or it has expired by then."""
        row = get_row(self._answers, pair.key, ANSWER + answer_id)
        return None if row is None or row.expires_at <= at.timestamp() else _state_of(row)

    def all_answers(self, pair: Pair, *, at: datetime) -> list[AnswerState]:
        """Return how far each of a pair's answers has come that has not expired by then, by id."""
        rows = self._answers.query(
            pair.key,
            AnswerRow.sk.startswith(ANSWER),
            filter_condition=AnswerRow.status.exists() & (AnswerRow.expires_at > int(at.timestamp())),
            consistent_read=True,
        )
        return [_state_of(row) for row in rows]

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
        row = self._answers(pair.key, ANSWER + answer_id)
        open_ = (AnswerRow.status == status.value for status in AnswerStatus if not status.is_final)
        taken = update_if(
            row,
            [AnswerRow.writer.set(writer), AnswerRow.held_until.set(until)],
            AnswerRow.pk.exists()
            & (AnswerRow.expires_at > int(at.timestamp()))
            & reduce(or_, open_)
            # Of our own: a request that botocore sent twice.
            & (
                AnswerRow.held_until.does_not_exist()
                | (AnswerRow.held_until <= at)
                | (AnswerRow.writer == writer)
            ),
        )
        return _state_of(row) if taken else None

    def save_answer(self, pair: Pair, state: AnswerState) -> bool:
        """Store how far an answer has come; False, and nothing changes, when it is not its writer's any more, or gone.

        Nothing comes back that was dropped.
        """
        return put_if(self._row(pair, state), AnswerRow.pk.exists() & (AnswerRow.writer == state.writer))

    def drop_answers(self, pair: Pair) -> None:
        """Remove all of a pair's answers; nothing happens when there are none."""
        rows = self._answers.query(
            pair.key, AnswerRow.sk.startswith(ANSWER), attributes_to_get=["sk"], consistent_read=True
        )
        keys = [(pair.key, str(item["sk"]["S"])) for item in raw_items(rows)]
        self._connection.delete_many(self._answers, keys)

    def _row(self, pair: Pair, state: AnswerState) -> AnswerRow:
        return self._answers(
            pair.key,
            ANSWER + state.id,
            status=state.status.value,
            model=state.model,
            question_id=state.question_id,
            erasures=state.erasures,
            text=state.text,
            writer=state.writer or None,
            held_until=state.held_until,
            reason=None if state.reason is None else state.reason.value,
            recorded=None if state.recorded is None else asdict(state.recorded),
            grounding=None if state.grounding is None else _fitting(state.grounding),
            use=None if state.use is None else asdict(state.use),
            expires_at=_seconds(state.expires_at),
        )


def _fitting(grounding: Grounding) -> dict[str, Any]:
    """The stored form of a grounding, its quotes as long as a row has room for: all can be read where they stand."""
    stored = grounding_to_json(grounding)
    for chars in SHORTER_QUOTES:
        if len(_PACKED.serialize(stored)) <= MAX_GROUNDING_BYTES:
            break
        stored = grounding_to_json(grounding.with_quotes(chars))
    return stored


def _seconds(at: datetime) -> int:
    return int(at.timestamp())


def _state_of(row: AnswerRow) -> AnswerState:
    def read(stored: Any, made: Any) -> Any:
        return None if stored is None else made(stored)

    return AnswerState(
        id=row.sk.removeprefix(ANSWER),
        model=row.model,
        question_id=row.question_id,
        erasures=int(row.erasures),
        expires_at=datetime.fromtimestamp(int(row.expires_at), UTC),
        status=AnswerStatus(row.status),
        text=row.text,
        writer=row.writer or "",
        held_until=row.held_until,
        reason=read(row.reason, Failing),
        recorded=read(row.recorded, lambda found: RecordedAnswer(**found)),
        grounding=read(row.grounding, grounding_from_json),
        use=read(row.use, lambda found: ModelUse(**found)),
    )
