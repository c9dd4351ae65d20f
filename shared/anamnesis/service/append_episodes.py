"""Record a batch of events: all of it or nothing, once per idempotency key (EP-1 … EP-7, BE-5, RC-6, TE-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.beliefs.knowledge_tracing import Mastery, predict, update
from anamnesis.domain.beliefs.revision import mastery_of, tie_to_concept
from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.errors import (
    Busy,
    HeadMoved,
    IdempotencyConflict,
    InvalidInput,
    StoreUnavailable,
)
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import canonical_hash, committed, linked, timestamp
from anamnesis.domain.log.episodes import (
    MAX_BATCH,
    PASS_SCORE,
    AppendReceipt,
    Citation,
    Content,
    Episode,
    Head,
    Kind,
    Outcome,
    checked_moment,
    salience_of,
)
from anamnesis.domain.log.summaries import derived_summary
from anamnesis.domain.messages.intents import Intent, read_intent
from anamnesis.domain.messages.statements import taught_by
from anamnesis.domain.messages.teachings import read_teaching, reads_like_utterance
from anamnesis.domain.text.containment import contained
from anamnesis.domain.text.languages import detect_language
from anamnesis.ports import Backoff, BeliefStore, Clock, ConceptStore, EpisodeLog, IdSource
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_log import ProjectLog

#: Tries before giving up on a contended head; with the back-off's cap this stays within an API call's time.
MAX_TRIES = 24
#: Most concepts noted on one episode.
MAX_CONCEPTS = 40
#: How many earlier episodes are searched for the question that an answer answers, other sessions' included.
LOOK_BACK = 100


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


@dataclass(frozen=True, slots=True)
class AppendEpisodes:
    """The use case; call it with a pair, an idempotency key and drafts."""

    log: EpisodeLog
    concepts: ConceptStore
    beliefs: BeliefStore
    maps: MapCache
    project: ProjectLog
    clock: Clock
    ids: IdSource
    backoff: Backoff

    def __call__(self, pair: Pair, key: str, drafts: Sequence[Draft]) -> list[Episode]:
        """Append `drafts` in order and project what follows from them.

        Returns
        -------
        list of Episode
            As stored; on a retry under the same key, as stored the first time.

        Raises
        ------
        InvalidInput
            If a draft contradicts itself or cites a file or page that is not there; nothing is written.
        IdempotencyConflict
            If the key was used for a different batch.
        Busy
            If other writers kept winning; nothing is written.
        """
        for index, draft in enumerate(drafts):
            _check(draft, f"episodes[{index}]")
        request_hash = canonical_hash([draft.as_record() for draft in drafts])
        for attempt in range(1, MAX_TRIES + 1):
            receipt = self.log.receipt(pair, key)
            if receipt is not None:
                return self._earlier(pair, receipt, request_hash, drafts)
            try:
                return self._append_once(pair, key, request_hash, drafts)
            except (HeadMoved, IdempotencyConflict):
                self.backoff.pause(attempt)
            except StoreUnavailable:
                # The write may have happened: only the receipt can tell, so look again before giving up.
                if attempt == MAX_TRIES:
                    raise
                self.backoff.pause(attempt)
        raise Busy("too many writers at once on this log; send the same request again")

    def _earlier(
        self, pair: Pair, receipt: AppendReceipt, request_hash: str, drafts: Sequence[Draft]
    ) -> list[Episode]:
        if receipt.request_hash != request_hash:
            raise IdempotencyConflict("this key was used for a different batch", field="Idempotency-Key")
        positions = range(receipt.first_position, receipt.last_position + 1)
        # An edited receipt may claim any span; no batch was ever longer than this.
        episodes = self.log.read(pair, positions, with_text=False) if len(positions) <= MAX_BATCH else []
        times = [episode.occurred_at for episode in episodes]
        if not receipt.vouches_for(episodes) or times != [draft.occurred_at for draft in drafts]:
            raise IdempotencyConflict(
                "what was recorded under this key is not there any more as it was recorded",
                field="Idempotency-Key",
            )
        self.project.quietly(pair)
        return episodes

    def _append_once(self, pair: Pair, key: str, request_hash: str, drafts: Sequence[Draft]) -> list[Episode]:
        if any(draft.kind in {Kind.CHECK, Kind.QUIZ} for draft in drafts):
            # Predictions rest on beliefs; bring them up to the log first.
            self.project.quietly(pair)
        head = self.log.head(pair)
        scribe = Scribe(
            pair=pair,
            subject_map=self.maps.load(pair.scope),
            layer=self.concepts.layer(pair),
            beliefs={belief.concept: belief for belief in self._beliefs_for(pair, drafts)},
            recent=self._recent(pair, head, drafts),
            concepts=self.concepts,
            ids=self.ids,
            recorded_at=self.clock.now(),
        )
        unlinked = [scribe.write(draft, f"episodes[{index}]") for index, draft in enumerate(drafts)]
        episodes = linked(unlinked, head)
        first, last = episodes[0], episodes[-1]
        receipt = AppendReceipt(key, request_hash, first.position, last.position, first.hash, last.hash)
        self.log.append(pair, episodes, head, receipt)
        self.project.quietly(pair)
        return episodes

    def _beliefs_for(self, pair: Pair, drafts: Sequence[Draft]) -> list[Belief]:
        if any(draft.kind in {Kind.CHECK, Kind.QUIZ} for draft in drafts):
            return self.beliefs.current(pair)
        return []

    def _recent(self, pair: Pair, head: Head, drafts: Sequence[Draft]) -> list[Episode]:
        if head.length and _answers_an_earlier_question(drafts):
            return self.log.latest(pair, LOOK_BACK)
        return []


class Scribe:
    """Turns drafts into unlinked episodes, in order; each one sees the ones written before it in the batch."""

    def __init__(
        self,
        *,
        pair: Pair,
        subject_map: SubjectMap,
        layer: StudentLayer,
        beliefs: dict[str, Belief],
        recent: Sequence[Episode],
        concepts: ConceptStore,
        ids: IdSource,
        recorded_at: datetime,
    ) -> None:
        self._pair = pair
        self._map = subject_map
        self._names = NameIndex(subject_map, layer)
        self._mastery: dict[str, Mastery | None] = {key: mastery_of(b) for key, b in beliefs.items()}
        self._concepts = concepts
        self._ids = ids
        self._recorded_at = recorded_at
        # The latest question of each session, oldest first, so that a later one overwrites.
        self._asked_about_record = {
            episode.session_id: episode.about_record
            for episode in reversed(recent)
            if episode.kind is Kind.QUESTION
        }

        self._latest_about_record = next((e.about_record for e in recent if e.kind is Kind.QUESTION), False)

    def write(self, draft: Draft, field: str) -> Episode:
        """One episode without its place in the chain."""
        kind = recorded_kind(draft)
        text_of_all = "\n".join(filter(None, (draft.text, draft.topic)))
        language = draft.language or detect_language(text_of_all)
        outcome = self._outcome(draft, kind, language)
        content = Content(
            summary=draft.summary
            or derived_summary(
                kind,
                draft.text,
                topic=draft.topic,
                correct=outcome.correct if outcome else None,
                score=outcome.score if outcome else None,
            ),
            text=draft.text,
            topic=draft.topic,
            evaluation=draft.evaluation,
        )
        episode = Episode(
            id=self._ids.new_id(self._recorded_at),
            pair=self._pair,
            position=0,
            kind=kind,
            occurred_at=draft.occurred_at.astimezone(UTC),
            recorded_at=self._recorded_at,
            content=content,
            salt=self._ids.new_salt(),
            commitment="",
            concepts=self._touched(kind, content, outcome, language),
            salience=salience_of(kind, correct=outcome.correct if outcome else None),
            language=language,
            session_id=draft.session_id,
            outcome=outcome,
            evidence=tuple(
                self._stamped(cited, f"{field}.evidence[{i}]") for i, cited in enumerate(draft.evidence)
            ),
            memory_ids=draft.memory_ids,
            about_record=self._about_record(kind, draft),
            previous_hash="",
            hash="",
        )
        return committed(episode)

    def _about_record(self, kind: Kind, draft: Draft) -> bool:
        if kind is Kind.QUESTION:
            about = read_intent(draft.text).intent is Intent.HISTORY
            self._asked_about_record[draft.session_id] = about
            self._latest_about_record = about
            return about
        if draft.session_id is None:
            # Without a session an answer belongs to whatever was asked last.
            return kind is Kind.ANSWER and self._latest_about_record
        return kind is Kind.ANSWER and self._asked_about_record.get(draft.session_id, False)

    def _outcome(self, draft: Draft, kind: Kind, language: str) -> Outcome | None:
        if kind not in {Kind.CHECK, Kind.QUIZ}:
            return None
        correct, score = result_of(draft)
        concept = tie_to_concept(
            draft.topic if draft.topic is not None else draft.text,
            draft.evaluation,
            exact=self._names.exact,
            named_in=lambda text: self._names.named_in(text, language),
            reads_like_utterance=reads_like_utterance,
        )
        if concept is None:
            return Outcome(correct, score, None, None)
        before = self._mastery.get(concept)
        predicted = predict(before, draft.occurred_at)
        self._mastery[concept] = update(before, correct=correct, score=score, at=draft.occurred_at)
        return Outcome(correct, score, concept, predicted)

    def _touched(
        self, kind: Kind, content: Content, outcome: Outcome | None, language: str
    ) -> tuple[str, ...]:
        text = "\n".join(filter(None, (content.topic, content.summary, content.text)))
        touched = list(self._names.named_in(text, language))
        if outcome is not None and outcome.concept is not None:
            touched.insert(0, outcome.concept)
        if kind is Kind.TAUGHT and not touched:
            teaching = taught_by(content.text, language=language)
            touched.append(canonical_key(teaching.short_name if teaching else content.summary))
        return tuple(dict.fromkeys(touched))[:MAX_CONCEPTS]

    def _stamped(self, cited: tuple[str, int | None], field: str) -> Citation:
        file_id, page = cited
        record = self._map.files.get(file_id)
        if record is None or record.fingerprint is None:
            # The published map may be behind the file: the file's own record decides.
            record = self._concepts.get_file(self._pair.scope, file_id)
        if record is None:
            raise InvalidInput("no such file in this subject", field=f"{field}.file_id")
        if record.fingerprint is None:
            raise InvalidInput("this file's bytes have not arrived yet", field=f"{field}.file_id")
        if page is not None and record.pages and page > record.pages:
            raise InvalidInput(f"the file has {record.pages} pages", field=f"{field}.page")
        return Citation(file_id, page, record.fingerprint)


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


def _answers_an_earlier_question(drafts: Sequence[Draft]) -> bool:
    """Whether an answer in the batch has no question of its session before it there."""
    asked: set[str | None] = set()
    for draft in drafts:
        if draft.kind is Kind.QUESTION:
            asked |= {draft.session_id, None}
        elif draft.kind is Kind.ANSWER and draft.session_id not in asked:
            return True
    return False


def result_of(draft: Draft) -> tuple[bool, float]:
    """Whether a check or quiz was passed, and its score (0–1); one gives the other when only one was sent."""
    score = draft.score if draft.score is not None else float(bool(draft.correct))
    correct = draft.correct if draft.correct is not None else score >= PASS_SCORE
    return correct, score


def _check(draft: Draft, field: str) -> None:
    checked_moment(draft.occurred_at, field=f"{field}.occurred_at")
    if draft.kind in {Kind.CHECK, Kind.QUIZ}:
        if draft.correct is None and draft.score is None:
            raise InvalidInput("a check or quiz needs correct or score", field=f"{field}.correct")
    elif draft.correct is not None or draft.score is not None:
        raise InvalidInput("only checks and quizzes have a result", field=f"{field}.correct")
    # White space, controls and invisible characters say nothing; the beginning of a long text tells.
    if not any(part and contained(part, max_chars=100) for part in (draft.text, draft.summary, draft.topic)):
        raise InvalidInput("must say something in text, summary or topic", field=f"{field}.text")
