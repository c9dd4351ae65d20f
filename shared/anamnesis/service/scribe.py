"""Turns drafts into episodes, in three steps by what each depends on, so that a moved head repeats only the last ones.

1. ``begin``: all that the draft itself says, identifier and salt included. Once per call: however often the head moves,
   an episode keeps its identifier, and with it the place of a long text.
2. ``name``: the concepts that it touches. Again when the student's own concepts have changed.
3. ``place``: what the episodes before it decide, and its place in the chain. For every head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from anamnesis.domain.beliefs.knowledge_tracing import Mastery, update
from anamnesis.domain.beliefs.proficiency import predict_outcome
from anamnesis.domain.beliefs.revision import mastery_of
from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import committed, linked
from anamnesis.domain.log.episodes import Citation, Content, Episode, Head, Kind, Outcome, salience_of
from anamnesis.domain.log.summaries import derived_summary
from anamnesis.domain.messages.intents import Intent, read_intent
from anamnesis.domain.messages.statements import taught_by
from anamnesis.domain.text.languages import detect_language
from anamnesis.ports import ConceptStore, IdSource
from anamnesis.service.antecedents import Antecedents
from anamnesis.service.drafts import Draft, recorded_kind, result_of
from anamnesis.service.tie_checks import concept_tested

#: Most concepts noted on one episode.
MAX_CONCEPTS = 40


@dataclass(frozen=True, slots=True)
class Scribe:
    """Begins the episodes of one call.

    Attributes
    ----------
    recorded_at
        When the call came; what its identifiers are stamped with.
    """

    pair: Pair
    subject_map: SubjectMap
    concepts: ConceptStore
    ids: IdSource
    recorded_at: datetime

    def begin(self, draft: Draft, field: str) -> Episode:
        """All of an episode but concepts, prediction, an answer's mark and its place in the chain.

        Raises
        ------
        InvalidInput
            If it cites a file or page that is not there; names it, below `field`.
        """
        kind = recorded_kind(draft)
        language = draft.language or detect_language("\n".join(filter(None, (draft.text, draft.topic))))
        outcome = None
        if kind in {Kind.CHECK, Kind.QUIZ}:
            correct, score = result_of(draft)
            outcome = Outcome(correct, score, None, None)
        summary = draft.summary or derived_summary(
            kind,
            draft.text,
            topic=draft.topic,
            correct=outcome.correct if outcome else None,
            score=outcome.score if outcome else None,
        )
        return Episode(
            id=self.ids.new_id(self.recorded_at),
            pair=self.pair,
            position=0,
            kind=kind,
            occurred_at=draft.occurred_at.astimezone(UTC),
            recorded_at=self.recorded_at,
            content=Content(summary, draft.text, topic=draft.topic, evaluation=draft.evaluation),
            salt=self.ids.new_salt(),
            commitment="",
            concepts=(),
            salience=salience_of(kind, correct=outcome.correct if outcome else None),
            language=language,
            session_id=draft.session_id,
            outcome=outcome,
            evidence=tuple(
                self._stamped(cited, f"{field}.evidence[{i}]") for i, cited in enumerate(draft.evidence)
            ),
            memory_ids=draft.memory_ids,
            about_record=kind is Kind.QUESTION and read_intent(draft.text).intent is Intent.HISTORY,
            previous_hash="",
            hash="",
            utc_offset_minutes=offset_minutes(draft.occurred_at),
        )

    def _stamped(self, cited: tuple[str, int | None], field: str) -> Citation:
        file_id, page = cited
        record = self.subject_map.files.get(file_id)
        if record is None or record.fingerprint is None:
            # The published map may be behind the file: the file's own record decides.
            record = self.concepts.get_file(self.pair.scope, file_id)
        if record is None:
            raise InvalidInput("no such file in this subject", field=f"{field}.file_id")
        if record.fingerprint is None:
            raise InvalidInput("this file's bytes have not arrived yet", field=f"{field}.file_id")
        if page is not None and record.pages and page > record.pages:
            raise InvalidInput(f"the file has {record.pages} pages", field=f"{field}.page")
        return Citation(file_id, page, record.fingerprint)


def offset_minutes(moment: datetime) -> int:
    """How far the clock of an aware `moment` is ahead of UTC, in whole minutes, as RFC 3339 writes it."""
    offset = moment.utcoffset()
    return 0 if offset is None else offset // timedelta(minutes=1)


def name(begun: Sequence[Episode], names: NameIndex) -> list[Episode]:
    """Copies of begun episodes with the concepts that they touch, and checks tied to the one that they test."""
    return [_named(episode, names) for episode in begun]


def place(named: Sequence[Episode], antecedents: Antecedents, head: Head) -> list[Episode]:
    """Copies of named episodes right behind `head`: predictions, marks, commitments and links filled in.

    Each sees the ones before it, in the log and in the batch.
    """
    beliefs = antecedents.beliefs or {}
    mastery: dict[str, Mastery] = {concept: mastery_of(belief) for concept, belief in beliefs.items()}
    asked, asked_last = dict(antecedents.asked or {}), antecedents.asked_last
    placed = []
    for episode in named:
        outcome, about_record = episode.outcome, episode.about_record
        if outcome is not None and outcome.concept is not None:
            before = mastery.pop(outcome.concept, None)
            at = episode.occurred_at
            predicted = predict_outcome(before, at, mastery.values(), intercept=antecedents.intercept)
            mastery[outcome.concept] = update(before, correct=outcome.correct, score=outcome.score, at=at)
            outcome = replace(outcome, predicted=predicted)
        if episode.kind is Kind.QUESTION:
            asked[episode.session_id] = asked_last = about_record
        elif episode.kind is Kind.ANSWER:
            # Without a session an answer belongs to whatever was asked last.
            session = episode.session_id
            about_record = asked_last if session is None else asked.get(session, False)
        placed.append(committed(replace(episode, outcome=outcome, about_record=about_record)))
    return linked(placed, head)


def _named(episode: Episode, names: NameIndex) -> Episode:
    content, outcome = episode.content, episode.outcome
    if content is None:
        raise ValueError("an erased episode names nothing")
    if outcome is not None:
        outcome = replace(outcome, concept=concept_tested(content, episode.language, names))
    return replace(episode, outcome=outcome, concepts=_touched(episode, content, outcome, names))


def _touched(
    episode: Episode, content: Content, outcome: Outcome | None, names: NameIndex
) -> tuple[str, ...]:
    text = "\n".join(filter(None, (content.topic, content.summary, content.text)))
    touched = list(names.named_in(text, episode.language))
    if outcome is not None and outcome.concept is not None:
        touched.insert(0, outcome.concept)
    if episode.kind is Kind.TAUGHT and not touched:
        teaching = taught_by(content.text, language=episode.language)
        touched.append(canonical_key(teaching.short_name if teaching else content.summary))
    return tuple(dict.fromkeys(touched))[:MAX_CONCEPTS]
