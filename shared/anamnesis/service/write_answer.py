"""Write an answer: ask the model, keep what it says as it comes, record it, trace its claims (GR-1 … GR-3, RC-9).

The message that asks for it may come twice, and a writer may die at any step. One writer at a time has an answer, and a
message that finds it in another's hands comes again later. A model is asked again only when a writer died before the
model had ended: what it said to its end is recorded by whoever comes for it next.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from anamnesis.domain.concepts import ModelUse
from anamnesis.domain.errors import Busy, ErasedBefore, InvalidInput, NotFound, StoreUnavailable
from anamnesis.domain.grounding.values import FileLine, Grounding
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Head, Kind
from anamnesis.domain.text.containment import contained
from anamnesis.domain.text.fences import joined_halves
from anamnesis.domain.tutoring.answers import (
    GIVEN_UP,
    HELD,
    MAX_ANSWER_CHARS,
    AnswerFailed,
    AnswerState,
    AnswerStatus,
    Asked,
    Failing,
    RecordedAnswer,
    answer_key,
)
from anamnesis.domain.tutoring.prompt import tutor_prompt
from anamnesis.ports import AnswerStore, Clock, EpisodeLog, IdSource, TutorModel
from anamnesis.service.append_episodes import AppendEpisodes
from anamnesis.service.deadline import Deadline
from anamnesis.service.drafts import Draft
from anamnesis.service.ground_answer import TRACE_SECONDS, GroundAnswer

#: How long a model may take for an answer, in seconds. The function is given 90, of which the rest is for recording,
#: and half of that for tracing its claims (``TRACE_SECONDS``).
WRITE_SECONDS = 60.0
#: How long after it was asked for an answer is recorded before it is traced, and is done in between. Ours: the message
#: comes again every three minutes, so that one writer has tried the other way once more, and another one is to come.
RECORDED_FIRST = timedelta(minutes=5)
#: What is said is stored so often at most, in seconds. Ours: who looks does so as often.
KEEP_SECONDS = 0.4
#: Pages that an answer cites at most; an episode takes 50.
MAX_CITED = 20


class Outcome(StrEnum):
    """What became of a message."""

    DONE = "done"
    FAILED = "failed"
    GONE = "gone"
    """There is no such answer, any more: it was erased, or has expired."""
    OVER = "over"
    """It had come to its end before."""


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """What was done.

    Attributes
    ----------
    first_seconds
        Until the model's first words; None when it said nothing here.
    detail
        Of a model that failed here: what was wrong, for the operator's log; it holds nothing of what was said.
    """

    outcome: Outcome
    reason: Failing | None = None
    first_seconds: float | None = None
    detail: str | None = None


class _NotOurs(Exception):
    """The answer was dropped, or is another writer's."""


class _MemoryChanged(Exception):
    """Something was erased since the block was read: the answer may quote it."""


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """The use case; call it with an answer that was started."""

    log: EpisodeLog
    answers: AnswerStore
    model: TutorModel | None
    append: AppendEpisodes
    ground: GroundAnswer
    clock: Clock
    ids: IdSource
    monotonic: Callable[[], float]

    def __call__(self, pair: Pair, answer: str, *, deadline: Deadline | None = None) -> WrittenAnswer:
        """Bring an answer to its end.

        Raises
        ------
        Busy
            If somebody else writes it: should that one die, the message must come again.
        StoreUnavailable
            If a store fails: the message must come again.
        """
        at = self.clock.now()
        state = self.answers.claim_answer(pair, answer, writer=self.ids.new_id(at), at=at, until=at + HELD)
        asked = None if state is None else self.answers.asked_answer(pair, answer, at=at)
        if state is None or asked is None:
            return self._not_ours(pair, answer)
        run = _Run(self, pair, asked, deadline or Deadline.after(WRITE_SECONDS, self.monotonic))
        if state.status is not AnswerStatus.WRITTEN:
            ended = run.write(state, at)
        else:
            ended = run.record(state) if at < asked.asked_at + RECORDED_FIRST else run.record_first(state)
        # Nobody has it in hand any more: nothing more comes of it.
        if ended is None or not self.answers.save_answer(pair, replace(ended, held_until=None)):
            return WrittenAnswer(Outcome.GONE, None, run.first_seconds)
        outcome = Outcome.DONE if ended.status is AnswerStatus.DONE else Outcome.FAILED
        return WrittenAnswer(outcome, ended.reason, run.first_seconds, run.detail)

    def _not_ours(self, pair: Pair, answer: str) -> WrittenAnswer:
        state = self.answers.answer_state(pair, answer, at=self.clock.now())
        if state is None:
            return WrittenAnswer(Outcome.GONE)
        if state.status.is_final:
            return WrittenAnswer(Outcome.OVER, state.reason)
        raise Busy("somebody else writes this answer")


class _Run:
    """One answer in its writer's hands."""

    def __init__(self, use: WriteAnswer, pair: Pair, asked: Asked, deadline: Deadline) -> None:
        self.first_seconds: float | None = None
        self.detail: str | None = None
        self._text = ""
        self._took: ModelUse | None = None
        self._use = use
        self._pair = pair
        self._asked = asked
        self._deadline = deadline
        self._zone = ZoneInfo(asked.zone)

    def write(self, state: AnswerState, at: datetime) -> AnswerState | None:
        """Ask the model and record what it says; return the answer at its end, None when it is not ours any more."""
        if self._asked.asked_at + GIVEN_UP <= at:
            return replace(state, status=AnswerStatus.FAILED, reason=Failing.INTERRUPTED)
        said = self._speak(state)
        return said if said is None or said.status.is_final else self.record(said)

    def _speak(self, state: AnswerState) -> AnswerState | None:
        state = replace(state, status=AnswerStatus.WRITING, text="")
        failing: Failing | None = None
        try:
            self._keep(state)
            self._listen(state)
        except AnswerFailed as error:
            failing, self.detail = error.reason, error.detail
        except _NotOurs:
            return None
        said = _shown(self._text)
        # White space, controls and invisible characters say nothing.
        if failing is None and not contained(said, max_chars=100):
            failing = Failing.EMPTY
        if failing is not None:
            return replace(state, status=AnswerStatus.FAILED, reason=failing, text=said, use=self._took)
        written = replace(state, status=AnswerStatus.WRITTEN, text=said, use=self._took)
        return written if self._use.answers.save_answer(self._pair, written) else None

    def _listen(self, state: AnswerState) -> None:
        """Take what the model says as it comes."""
        if self._use.model is None:
            raise AnswerFailed(Failing.UNAVAILABLE, "no model is configured any more")
        began = kept = self._use.monotonic()
        asked = self._asked
        prompt = tutor_prompt(asked.question, asked.block["block"], asked.passages, asked.earlier)
        with closing(self._use.model.spoken(prompt, seconds_left=self._deadline.left)) as pieces:
            for piece in pieces:
                if isinstance(piece, ModelUse):
                    self._took = piece
                    continue
                self._text += piece
                now = self._use.monotonic()
                if self.first_seconds is None:
                    self.first_seconds = now - began
                elif now - kept < KEEP_SECONDS and len(self._text) < MAX_ANSWER_CHARS:
                    continue
                kept = now
                # A store that fails is asked again with what is said next.
                with suppress(StoreUnavailable):
                    # Of a character that comes in two halves nothing is shown before both are there.
                    whole = self._text[:-1] if "\ud800" <= self._text[-1:] <= "\udbff" else self._text
                    self._keep(replace(state, text=_shown(whole)))
                if len(self._text) >= MAX_ANSWER_CHARS:
                    return

    def record(self, state: AnswerState) -> AnswerState | None:
        """Put the answer into the log and trace its claims; None when something was erased since it was begun."""
        try:
            episode = self._recorded()
            if episode is not None:
                grounding = self._ground(state.text, episode.id)
            else:
                grounding = self._ground(state.text, None)
                episode = self._append(state.text, grounding)
                if grounding is not None:
                    self._use.ground.keep(self._pair, episode, grounding)
        except (_MemoryChanged, ErasedBefore, NotFound):
            return None
        return replace(_done(state, episode), grounding=grounding)

    def record_first(self, state: AnswerState) -> AnswerState | None:
        """Put the answer into the log before its claims are traced, without the pages that it cites.

        For one that writers before this one left: perhaps it was tracing that they died of, and an answer that is whole
        is never lost for it.
        """
        try:
            episode = self._recorded() or self._append(state.text, None)
            done = _done(state, episode)
            if not self._use.answers.save_answer(self._pair, done):
                return None
            return replace(done, grounding=self._ground(state.text, episode.id))
        except (_MemoryChanged, ErasedBefore, NotFound):
            return None

    def _keep(self, state: AnswerState) -> None:
        if not self._use.answers.save_answer(self._pair, state):
            raise _NotOurs

    def _recorded(self) -> Episode | None:
        """The answer's episode, when a writer before this one got as far."""
        receipt = self._use.log.receipt(self._pair, answer_key(self._asked.id))
        if receipt is None:
            return None
        found = self._use.log.read(self._pair, [receipt.first_position], with_text=False)
        if not found or found[0].content is None:
            raise _MemoryChanged
        return found[0]

    def _append(self, text: str, grounding: Grounding | None) -> Episode:
        asked = self._asked
        cited = dict.fromkeys(
            (claim.source.file_id, claim.source.page)
            for claim in (() if grounding is None else grounding.claims)
            if isinstance(claim.source, FileLine)
        )
        draft = Draft(
            Kind.ANSWER,
            # The turn's instant: a writer that comes after another one sends the same event.
            asked.occurred_at,
            text,
            session_id=asked.session_id,
            language=asked.language,
            evidence=tuple(cited)[:MAX_CITED],
            memory_ids=asked.memory_ids,
        )

        def recheck(head: Head) -> None:
            if head.erasures != asked.erasures:
                raise _MemoryChanged

        key = answer_key(asked.id)
        try:
            [episode] = self._use.append(self._pair, key, [draft], recheck=recheck)
        except InvalidInput:
            # A file that it cites is gone, or is another by now.
            [episode] = self._use.append(self._pair, key, [replace(draft, evidence=())], recheck=recheck)
        return episode

    def _ground(self, text: str, episode_id: str | None) -> Grounding | None:
        """Where its claims come from; None of one with more than are traced, or where there was no time for any."""
        with suppress(InvalidInput):
            found = self._use.ground(
                self._pair,
                text,
                memory_ids=self._asked.memory_ids,
                episode_id=episode_id,
                zone=self._zone,
                deadline=Deadline.after(TRACE_SECONDS, self._use.monotonic),
            ).grounding
            return found if found.claims or not found.claims_not_searched else None
        return None


def _done(state: AnswerState, episode: Episode) -> AnswerState:
    return replace(
        state,
        status=AnswerStatus.DONE,
        recorded=RecordedAnswer(episode.id, episode.position, episode.hash),
    )


def _shown(text: str) -> str:
    """What of a text can be stored: at most ``MAX_ANSWER_CHARS``, halves of character pairs joined or replaced.

    Of a text that goes on it is the beginning of what will be shown of it later, so that whoever has read so far reads
    on from there: white space around the text is not counted, neither before it nor, while it may end there, behind it.
    """
    return joined_halves(text).lstrip()[:MAX_ANSWER_CHARS].rstrip()
