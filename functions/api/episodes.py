"""Record and list episodes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Header, Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import PAGE_CHARS, Draft, application
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.grounding.values import GroundingRecord
from anamnesis.domain.log.episodes import MAX_TEXT_CHARS, Episode, Kind
from anamnesis.domain.night.records import CitationCheck
from anamnesis.schemas.episodes import (
    MAX_CURSOR_CHARS,
    MAX_KEY_CHARS,
    MAX_PAGE,
    OWN_KEYS,
    AnnotationOut,
    CitationOut,
    EpisodeIn,
    EpisodeOut,
    EpisodePage,
    OutcomeOut,
    RecordedEpisode,
    RecordedEpisodes,
    RecordEpisodes,
)
from anamnesis.schemas.values import Moment
from callers import pair_of
from observability import metrics

router = APIGatewayHttpRouter()
ROUTE = "/v1/subjects/<subject>/episodes"


@router.post(ROUTE, summary="Record what happened in a turn", tags=["episodes"])
def record_episodes(
    subject: Annotated[str, Path()],
    body: RecordEpisodes,
    idempotency_key: Annotated[str, Header(alias="Idempotency-Key", min_length=1, max_length=MAX_KEY_CHARS)],
    student: Annotated[str | None, Query()] = None,
) -> RecordedEpisodes:
    """All of the batch or nothing; the same key with the same batch gives the same answer and writes nothing."""
    if idempotency_key.startswith(OWN_KEYS):
        raise InvalidInput(
            f"keys that begin with {' or '.join(OWN_KEYS)} are the service's own", field="Idempotency-Key"
        )
    drafts = [draft_of(episode) for episode in body.episodes]
    recorded = application().append_episodes(
        pair_of(router.current_event, subject, student), idempotency_key, drafts
    )
    metrics.add_metric("EpisodesRecorded", MetricUnit.Count, len(recorded))
    return RecordedEpisodes(
        episodes=[
            RecordedEpisode(
                id=e.id,
                position=e.position,
                hash=e.hash,
                kind=e.kind,
                concepts=list(e.concepts),
                salience=e.salience,
            )
            for e in recorded
        ]
    )


@router.get(ROUTE, summary="Episodes of a time window, oldest first", tags=["episodes"])
def list_episodes(
    subject: Annotated[str, Path()],
    start: Annotated[Moment | None, Query(alias="from")] = None,
    end: Annotated[Moment | None, Query(alias="to")] = None,
    kind: Annotated[Kind | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=MAX_CURSOR_CHARS)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
    student: Annotated[str | None, Query()] = None,
) -> EpisodePage:
    """A page of episodes with ``from <= occurred_at < to`` and what became known of them later."""
    page = application().list_episodes(
        pair_of(router.current_event, subject, student),
        start=start,
        end=end,
        kind=kind,
        cursor=cursor,
        limit=limit,
    )
    return EpisodePage(
        episodes=[
            episode_out(
                e,
                page.checks.get(e.position),
                page.erased_on.get(e.position),
                page.groundings.get(e.position),
            )
            for e in page.episodes
        ],
        cursor=page.cursor,
    )


@router.get(f"{ROUTE}/<episode_id>", summary="One episode, and the rest of a long text", tags=["episodes"])
def get_episode(
    subject: Annotated[str, Path()],
    episode_id: Annotated[str, Path(max_length=128)],
    text_from: Annotated[int, Query(ge=0, le=MAX_TEXT_CHARS)] = 0,
    student: Annotated[str | None, Query()] = None,
) -> EpisodeOut:
    """An episode with its text from character `text_from` on."""
    page = application().list_episodes.one(pair_of(router.current_event, subject, student), episode_id)
    episode = page.episodes[0]
    checked, erased_on = page.checks.get(episode.position), page.erased_on.get(episode.position)
    grounded = page.groundings.get(episode.position)
    return episode_out(episode, checked, erased_on, grounded, text_from=text_from)


def draft_of(sent: EpisodeIn) -> Draft:
    """The use case's value of one sent event."""
    occurred_at: datetime = sent.occurred_at
    return Draft(
        kind=Kind(sent.kind),
        occurred_at=occurred_at,
        text=sent.text,
        summary=sent.summary,
        session_id=sent.session_id,
        language=sent.language,
        topic=sent.topic,
        evaluation=sent.evaluation,
        correct=sent.correct,
        score=sent.score,
        evidence=tuple((cited.file_id, cited.page) for cited in sent.evidence),
        memory_ids=tuple(sent.memory_ids),
    )


def episode_out(
    episode: Episode,
    check: CitationCheck | None,
    erased_on: date | None,
    grounded: GroundingRecord | None = None,
    *,
    text_from: int = 0,
) -> EpisodeOut:
    """The HTTP shape of an episode with its annotations."""
    content, outcome = episode.content, episode.outcome
    return EpisodeOut(
        id=episode.id,
        position=episode.position,
        kind=episode.kind,
        occurred_at=episode.occurred_at,
        recorded_at=episode.recorded_at,
        summary=content.summary if content else None,
        text=content.text[text_from : text_from + PAGE_CHARS] if content else None,
        text_chars=len(content.text) if content else 0,
        topic=content.topic if content else None,
        evaluation=content.evaluation if content else None,
        concepts=list(episode.concepts),
        salience=episode.salience,
        language=episode.language,
        session_id=episode.session_id,
        outcome=None
        if outcome is None
        else OutcomeOut(
            correct=outcome.correct, score=outcome.score, concept=outcome.concept, predicted=outcome.predicted
        ),
        evidence=[
            CitationOut(file_id=c.file_id, page=c.page, fingerprint=c.fingerprint) for c in episode.evidence
        ],
        memory_ids=list(episode.memory_ids),
        about_record=episode.about_record,
        previous_hash=episode.previous_hash,
        hash=episode.hash,
        annotations=_annotations(check, grounded, erased_on),
    )


def _annotations(
    check: CitationCheck | None, grounded: GroundingRecord | None, erased_on: date | None
) -> list[AnnotationOut]:
    annotations = []
    if check is not None:
        annotations.append(
            AnnotationOut(
                kind="verification",
                result=check.result.value,
                changed=list(check.changed),
                checked_on=check.checked_on,
            )
        )
    if grounded is not None:
        annotations.append(
            AnnotationOut(
                kind="grounding",
                result=grounded.stance.value,
                changed=[],
                checked_on=grounded.grounded_at.date(),
                grounded_share=round(grounded.grounded_share, 4),
            )
        )
    if erased_on is not None:
        annotations.append(AnnotationOut(kind="erasure", result="erased", changed=[], checked_on=erased_on))
    return annotations
