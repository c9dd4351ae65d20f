"""Compose a report out of what the stores hold: pure, the same material gives the same report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.concepts.readiness import CONFIRMED, EXPLAINED, NAMED, TAUGHT
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.grounding.values import GroundingRecord, Stance
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.log.summaries import derived_summary, first_sentence
from anamnesis.domain.night.records import CitationCheck, SelfModel, Verification
from anamnesis.domain.report.activity import CheckPlaces, activity_of, citing_answers, span_of
from anamnesis.domain.report.beliefs import Chosen, beliefs_now
from anamnesis.domain.report.cuts import first_of
from anamnesis.domain.report.values import (
    Band,
    Chain,
    ChangedFile,
    Checks,
    Citations,
    FileCount,
    Material,
    Report,
    ToldEpisode,
    TracedAnswers,
    Unanswered,
    WeakHub,
)
from anamnesis.domain.text.one_line import one_line
from anamnesis.domain.working_set import Segment

#: Checks tied to nothing, questions, changed files and concepts that are told one by one. Ours.
MAX_UNTIED: Final = 20
MAX_UNANSWERED: Final = 30
#: Longest quoted summary or question and longest topic, in characters. JSON may spell one in 12 bytes, and a reply has
#: 6 MB: all that a report quotes then takes half of that.
MAX_QUOTED_CHARS: Final = 160
MAX_TOPIC_CHARS: Final = 80
MAX_CHANGED_FILES: Final = 20
MAX_UNEXPLAINED: Final = 8
#: Bands of readiness, the best first.
BANDS: Final = (TAUGHT, CONFIRMED, EXPLAINED, NAMED)


@dataclass(frozen=True, slots=True)
class ReportMaterial:
    """What a report is made from.

    Attributes
    ----------
    segments
        The pair's whole log as columns, without what is withheld.
    episodes
        Those that the report quotes, as far as they can be read, without what is withheld.
    checks
        All checks and quizzes, and where they stand.
    untied
        Positions of those behind no belief, the latest first.
    subject_map
        Under the student's own layer.
    groundings
        What was found of answers' claims, by position.
    readiness, readiness_of
        Of the subject, and by key of each concept.
    """

    pair: Pair
    composed_at: datetime
    zone: tzinfo
    time_zone: str
    segments: Sequence[Segment]
    chosen: Chosen
    episodes: Iterable[Episode]
    checks: CheckPlaces
    untied: Sequence[int]
    citation_checks: Sequence[CitationCheck]
    subject_map: SubjectMap
    readiness: float
    readiness_of: Mapping[str, float]
    self_model: SelfModel | None
    groundings: Sequence[GroundingRecord]
    chain: Chain


def compose(material: ReportMaterial) -> Report:
    """Compose the report."""
    by_id = {episode.id: episode for episode in material.episodes}
    by_position = {episode.position: episode for episode in by_id.values()}

    def evidence(episode_id: str) -> ToldEpisode:
        episode = by_id.get(episode_id)
        return (
            ToldEpisode(episode_id, 0, None, None, None, None, None, None)
            if episode is None
            else evidence_of(episode)
        )

    beliefs, misconceptions = beliefs_now(material.chosen, evidence)
    count, first, last = span_of(material.segments)
    names = {row.concept: row.concept_name for row in material.chosen.rows}
    names |= {concept.key: concept.name for concept in material.subject_map.concepts}
    untied = [evidence_of(by_position[p]) for p in material.untied[:MAX_UNTIED] if p in by_position]
    model = material.self_model
    return Report(
        tenant=material.pair.tenant,
        student=material.pair.student,
        subject=material.pair.subject,
        composed_at=material.composed_at,
        time_zone=material.time_zone,
        episodes=count,
        first_at=first,
        last_at=last,
        beliefs=beliefs,
        misconceptions=misconceptions,
        traced=_traced(material, by_position),
        checks=Checks(
            recorded=material.checks.recorded,
            passed=material.checks.passed,
            tied_to_nothing=len(material.untied),
            examples=first_of(untied, MAX_UNTIED, len(material.untied)),
        ),
        citations=_citations(material),
        calibration=None if model is None else model.calibration,
        activity=activity_of(material.segments, names, material.zone),
        material=_material(material),
        chain=material.chain,
        self_model=model,
    )


def evidence_of(episode: Episode) -> ToldEpisode:
    """An episode as evidence; of an erased one nothing but that it was there."""
    content, outcome = episode.content, episode.outcome
    return ToldEpisode(
        episode_id=episode.id,
        position=episode.position,
        at=episode.occurred_at,
        kind=episode.kind,
        summary=None if content is None else one_line(content.summary, most=MAX_QUOTED_CHARS),
        topic=_topic(episode),
        correct=None if outcome is None else outcome.correct,
        score=None if outcome is None else outcome.score,
    )


def _topic(episode: Episode) -> str | None:
    """What a check is on, where nobody wrote a summary of it: the derived one is English whatever the report is."""
    content, outcome = episode.content, episode.outcome
    if content is None or outcome is None:
        return None
    derived = derived_summary(
        episode.kind, content.text, topic=content.topic, correct=outcome.correct, score=outcome.score
    )
    if content.summary != derived:
        return None
    return one_line(first_sentence(content.topic or content.text), most=MAX_TOPIC_CHARS)


def lacking(groundings: Iterable[GroundingRecord]) -> list[GroundingRecord]:
    """The answers that did not, or only in part, answer a question that is known, the latest first (GR-3)."""
    found = [g for g in groundings if g.stance is not Stance.ANSWERED and g.question is not None]
    return sorted(found, key=lambda g: g.position, reverse=True)


def _traced(material: ReportMaterial, by_position: Mapping[int, Episode]) -> TracedAnswers:
    unanswered = lacking(material.groundings)
    told: list[Unanswered] = []
    for found in unanswered[:MAX_UNANSWERED]:
        question = by_position.get(found.question or 0)
        content = None if question is None else question.content
        said = None if content is None else one_line(content.summary, most=MAX_QUOTED_CHARS)
        at = found.grounded_at if question is None else question.occurred_at
        told.append(Unanswered(said, at, found.stance))
    return TracedAnswers(len(material.groundings), first_of(told, MAX_UNANSWERED, len(unanswered)))


def _citations(material: ReportMaterial) -> Citations:
    checks, files, model = material.citation_checks, material.subject_map.files, material.self_model
    results = Counter(check.result for check in checks)
    answers = Counter(found for check in checks for found in check.changed)
    changed = sorted(answers, key=lambda found: (-answers[found], found))
    citing = citing_answers(material.segments)
    holding, gone = results[Verification.HOLDS], results[Verification.CHANGED]
    return Citations(
        holding=holding,
        changed=gone,
        unverifiable=None if model is None else model.citations_unverifiable,
        unchecked=max(0, citing - holding - gone),
        files=first_of(
            [_changed_file(found, files, answers[found]) for found in changed[:MAX_CHANGED_FILES]],
            MAX_CHANGED_FILES,
            len(changed),
        ),
        last_checked=max((check.checked_on for check in checks), default=None),
    )


def _changed_file(file_id: str, files: Mapping[str, FileRecord], answers: int) -> ChangedFile:
    record = files.get(file_id)
    successor = None if record is None or record.replaced_by is None else files.get(record.replaced_by)
    return ChangedFile(
        file_id=file_id,
        name="" if record is None else record.name,
        deleted=record is None or record.replaced_by is None or _ends_deleted(record, files),
        replaced_by=None if successor is None else successor.name,
        answers=answers,
    )


def _ends_deleted(record: FileRecord, files: Mapping[str, FileRecord]) -> bool:
    """Whether what a file was replaced by is deleted by now; a circle of replacements has no end."""
    seen: set[str] = set()
    found: FileRecord | None = record
    while found is not None and found.replaced_by is not None and found.id not in seen:
        seen.add(found.id)
        found = files.get(found.replaced_by)
    return found is None or found.deleted_at is not None


def _material(material: ReportMaterial) -> Material:
    concepts = material.subject_map.concepts
    stands_on = Counter(key for concept in concepts for key in concept.builds_on)
    bands = Counter(material.readiness_of.values())
    unexplained = sorted(
        (c for c in concepts if material.readiness_of.get(c.key) == NAMED),
        key=lambda c: (-stands_on[c.key], -c.centrality, c.key),
    )
    files = [record for record in material.subject_map.files.values() if record.current and not record.erased]
    statuses = Counter(record.status for record in files)
    return Material(
        readiness=material.readiness,
        concepts=len(concepts),
        bands=tuple(Band(band, bands[band]) for band in BANDS),
        unexplained=first_of([WeakHub(c.name, stands_on[c.key]) for c in unexplained], MAX_UNEXPLAINED),
        cycles=len(material.subject_map.cycles),
        files=tuple(FileCount(status, count) for status in FileStatus if (count := statuses[status])),
    )
