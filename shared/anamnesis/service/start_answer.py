"""Begin one turn of a chat: read the block, record the question, and have the answer written (BL-3, RC-9, GR-2).

The same request under the same key begins nothing twice: it finds the question in the log, and the answer, with the
very block that it is written from, among those that are being written. Whatever step a call dies behind, the same
request goes on from there; an answer that has failed is written anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from anamnesis.domain.errors import Busy, ErasedBefore, IdempotencyConflict, InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import canonical_hash, timestamp
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.messages.intents import Intent
from anamnesis.domain.time_windows import TimeWindow
from anamnesis.domain.tutoring.answers import AnswerStatus, Asked, answer_id, answer_key, question_key
from anamnesis.domain.tutoring.conversation import EarlierTurn
from anamnesis.domain.tutoring.passages import Passage
from anamnesis.ports import AnswerQueue, AnswerStore, Clock, EpisodeLog
from anamnesis.service.append_episodes import AppendEpisodes
from anamnesis.service.deadline import Deadline
from anamnesis.service.drafts import Draft
from anamnesis.service.gather_conversation import GatherConversation
from anamnesis.service.gather_passages import GatherPassages
from anamnesis.service.read_block import BlockReply, BlockRequest, ReadBlock

#: Whose field an error of the question's draft is.
_FIELDS = {
    "episodes[0].text": "question",
    "episodes[0].occurred_at": "occurred_at",
    "episodes[0]": "question",
}


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """One turn.

    Attributes
    ----------
    occurred_at
        When it was asked, with the student's offset; None for now.
    now
        Aware; what the block is read as of.
    """

    pair: Pair
    question: str
    zone: ZoneInfo
    budget_tokens: int
    now: datetime
    occurred_at: datetime | None = None
    session_id: str | None = None
    language: str | None = None

    @property
    def hash(self) -> str:
        """Hex SHA-256 of what was sent, by which the same request is known again."""
        given = None if self.occurred_at is None else timestamp(self.occurred_at)
        return canonical_hash(
            [self.question, self.zone.key, self.budget_tokens, given, self.session_id, self.language]
        )


@dataclass(frozen=True, slots=True)
class StartedAnswer:
    """What a turn begins with.

    Attributes
    ----------
    answer_id
        Where the answer can be watched; None when no model is configured.
    earlier
        What the model is told of the turns before this one.
    """

    answer_id: str | None
    question: Episode
    block: BlockReply
    passages: tuple[Passage, ...]
    earlier: tuple[EarlierTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class StartAnswer:
    """The use case; call it with a request and its idempotency key.

    Parameters
    ----------
    model
        Name of the configured model; None when there is none, and then nothing is written.
    """

    log: EpisodeLog
    answers: AnswerStore
    queue: AnswerQueue
    read_block: ReadBlock
    passages: GatherPassages
    conversation: GatherConversation
    append: AppendEpisodes
    clock: Clock
    model: str | None

    def __call__(
        self, request: AnswerRequest, key: str, *, deadline: Deadline | None = None
    ) -> StartedAnswer:
        """Begin, or go on with, what the key begins.

        Parameters
        ----------
        deadline
            Of the block.

        Raises
        ------
        InvalidInput
            If the question says nothing, or happened outside the calendar.
        IdempotencyConflict
            If the key was used for another question, or its answer was recorded long ago.
        ErasedBefore
            If this very question was erased from the log.
        Busy
            If something was erased meanwhile: the same request begins anew, without it.
        """
        pair, name = request.pair, answer_id(request.pair, key)
        asked = self.answers.asked_answer(pair, name, at=self.clock.now()) if self.model else None
        if asked is not None:
            if asked.request != request.hash:
                raise _other_question()
            earlier = self._question(pair, key)
            question = self._record(request, key, earlier, asked.occurred_at, asked.memory_ids)
            return self._begun(pair, asked, question)
        earlier = self._earlier(pair, key)
        erasures = self.log.head(pair).erasures
        block = self.read_block(
            BlockRequest(pair, request.question, request.zone, request.budget_tokens, request.now),
            deadline=deadline,
        )
        passages = self.passages(pair, request.question, block)
        occurred_at = request.occurred_at or request.now.astimezone(request.zone)
        question = self._record(request, key, earlier, occurred_at, block.memory_ids)
        if self.model is None:
            return StartedAnswer(None, question, block, passages)
        asked = Asked(
            id=name,
            request=request.hash,
            model=self.model,
            question=request.question,
            question_id=question.id,
            question_position=question.position,
            occurred_at=question.local_occurred_at,
            asked_at=self.clock.now(),
            zone=request.zone.key,
            session_id=request.session_id,
            language=request.language,
            block=block_record(block),
            passages=passages,
            erasures=erasures,
            earlier=self.conversation(pair, request.session_id, question.position),
        )
        return self._begun(pair, asked, question)

    def _earlier(self, pair: Pair, key: str) -> Episode | None:
        """The question as an earlier call under this key has recorded it, whose answer is not in the log yet."""
        found = self._question(pair, key)
        if found and self.model and self.log.receipt(pair, answer_key(answer_id(pair, key))) is not None:
            raise IdempotencyConflict("this key's answer is in the log by now", field="Idempotency-Key")
        return found

    def _question(self, pair: Pair, key: str) -> Episode | None:
        receipt = self.log.receipt(pair, question_key(key))
        found = None if receipt is None else self.log.read(pair, [receipt.first_position], with_text=False)
        return found[0] if found and found[0].content is not None else None

    def _record(
        self,
        request: AnswerRequest,
        key: str,
        earlier: Episode | None,
        occurred_at: datetime,
        memory_ids: tuple[str, ...],
    ) -> Episode:
        """Record the question, as an earlier call did when there was one: its time and its block may be others."""
        draft = Draft(
            Kind.QUESTION,
            earlier.local_occurred_at if earlier and request.occurred_at is None else occurred_at,
            request.question,
            session_id=request.session_id,
            language=request.language,
            memory_ids=earlier.memory_ids if earlier else memory_ids,
        )
        try:
            [question] = self.append(request.pair, question_key(key), [draft])
        except IdempotencyConflict:
            # Perhaps of the same request at the same time, which read its block and its clock beside us.
            if earlier is not None or (found := self._question(request.pair, key)) is None:
                raise _other_question() from None
            return self._record(request, key, found, occurred_at, memory_ids)
        except (InvalidInput, ErasedBefore) as error:
            raise type(error)(error.detail, field=_FIELDS.get(error.field or "", error.field)) from None
        if question.content is None:
            raise ErasedBefore("this question was erased and is not answered again", field="question")
        return question

    def _begun(self, pair: Pair, asked: Asked, question: Episode) -> StartedAnswer:
        kept = self.answers.open_answer(pair, asked)
        if kept.request != asked.request:
            raise _other_question()
        if self.log.head(pair).erasures != kept.erasures:
            # Put there while an erasure cleared everything: that may be over by now, and would not come by again.
            self.answers.drop_answers(pair)
            raise Busy("something of this memory was erased meanwhile; send the same request again")
        state = self.answers.answer_state(pair, kept.id, at=self.clock.now())
        if state is not None and state.status is AnswerStatus.FAILED:
            # Whoever sends it again has seen it fail. Of two that do, or with a writer that has it again, one is heard.
            again = replace(
                state, status=AnswerStatus.WAITING, text="", reason=None, held_until=None, use=None
            )
            self.answers.save_answer(pair, again)
        self.queue.send(pair, kept.id)
        return StartedAnswer(kept.id, question, block_of_record(kept.block), kept.passages, kept.earlier)


def _other_question() -> IdempotencyConflict:
    return IdempotencyConflict("this key was used for another question", field="Idempotency-Key")


def block_record(reply: BlockReply) -> dict[str, Any]:
    """JSON form of a block's reply, of which ``block`` and ``memory_ids`` are what the model sees."""
    window = reply.window
    return {
        "block": reply.block,
        "memory_ids": list(reply.memory_ids),
        "positions": list(reply.positions),
        "tokens": reply.tokens,
        "intent": reply.intent.value,
        "window": None
        if window is None
        else [window.start.isoformat(), window.end.isoformat(), window.phrase, window.relative],
        "window_empty": reply.window_empty,
        "matched": reply.matched,
        "routed": list(reply.routed),
        "degraded": list(reply.degraded),
        "gate_dropped": reply.gate_dropped,
    }


def block_of_record(record: Any) -> BlockReply:
    """The reply behind ``block_record``."""
    window = record["window"]
    if window is not None:
        start, end, phrase, relative = window
        window = TimeWindow(datetime.fromisoformat(start), datetime.fromisoformat(end), phrase, relative)
    lists = {name: tuple(record[name]) for name in ("memory_ids", "positions", "routed", "degraded")}
    return BlockReply(**{**record, **lists, "intent": Intent(record["intent"]), "window": window})
