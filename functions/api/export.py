"""Export everything that is kept of a student."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import PAGE_CHARS, SubjectExport, application
from anamnesis.domain.grounding.values import GroundingRecord
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import committed_record, hashed_record
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.tutoring.answers import AnswerState
from anamnesis.schemas.export import (
    AnswerExport,
    CitationCheckExport,
    EpisodeExport,
    ExportOut,
    GroundingExport,
    SubjectExportOut,
    TaughtExport,
)
from anamnesis.schemas.proofs import CommittedOut, HashedRecordOut
from api.beliefs import belief_out
from api.files import file_out
from api.nights import self_model_out
from callers import caller_of

router = APIGatewayHttpRouter()


@router.get("/v1/export", summary="Everything kept of a student", tags=["export"])
def export_memory(
    cursor: Annotated[str | None, Query(max_length=2_000)] = None,
    student: Annotated[str | None, Query()] = None,
) -> ExportOut:
    """Subject by subject: its episodes in order, what was made of them, answers that are not among them (yet).

    Checkpoints have a route of their own.
    """
    caller = caller_of(router.current_event)
    page = application().export_memory(caller.tenant, caller.whom(student), cursor=cursor)
    items: list[EpisodeExport | SubjectExportOut | AnswerExport] = [*map(episode_export, page.episodes)]
    if page.pair is not None:
        if page.rest is not None:
            items.append(subject_export(page.pair, page.rest))
        items += [answer_export(page.pair, answer) for answer in page.answers]
    return ExportOut(items=items, cursor=page.cursor)


def episode_export(episode: Episode) -> EpisodeExport:
    """The HTTP shape of an exported episode."""
    content = episode.content
    record = HashedRecordOut(**hashed_record(episode))
    if content is None:
        return EpisodeExport(record=record, content=None, text_chars=0, hash=episode.hash)
    shown = replace(episode, content=replace(content, text=content.text[:PAGE_CHARS]))
    return EpisodeExport(
        record=record,
        content=CommittedOut(salt=episode.salt or "", record=committed_record(shown)),
        text_chars=len(content.text),
        hash=episode.hash,
    )


def subject_export(pair: Pair, rest: SubjectExport) -> SubjectExportOut:
    """The HTTP shape of all but the episodes."""
    names = rest.layer.own_concepts
    return SubjectExportOut(
        subject=pair.subject,
        length=rest.head.length,
        head=rest.head.hash,
        beliefs=[belief_out(belief) for belief in rest.beliefs],
        taught=[
            TaughtExport(concept=key, name=names.get(key, key), note=note.note, episode_id=note.episode_id)
            for key, notes in sorted(rest.layer.taught.items())
            for note in notes
        ],
        confirmed=sorted(rest.layer.confirmed),
        files=[file_out(record, []) for record in rest.files],
        citation_checks=[
            CitationCheckExport(
                episode_id=check.episode_id,
                position=check.position,
                result=check.result.value,
                changed=list(check.changed),
                checked_on=check.checked_on,
            )
            for check in rest.checks
        ],
        groundings=[grounding_export(found) for found in rest.groundings],
        self_model=None if rest.self_model is None else self_model_out(rest.self_model),
        erasures=[erasure.note for erasure in rest.erasures],
    )


def answer_export(pair: Pair, answer: AnswerState) -> AnswerExport:
    """The HTTP shape of an answer that is not in the log."""
    return AnswerExport(
        answer_id=answer.id,
        subject=pair.subject,
        status=answer.status.value,
        reason=answer.reason,
        model=answer.model,
        question_id=answer.question_id,
        text=answer.text,
        expires_at=answer.expires_at,
    )


def grounding_export(found: GroundingRecord) -> GroundingExport:
    """The HTTP shape of what was found of an answer's claims."""
    return GroundingExport(
        episode_id=found.episode_id,
        position=found.position,
        question=found.question,
        stance=found.stance,
        grounded_share=found.grounded_share,
        says_missing=found.says_missing,
        sources=list(found.sources),
        grounded_at=found.grounded_at,
    )
