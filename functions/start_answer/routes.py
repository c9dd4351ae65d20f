"""POST …/answers: one turn of a chat with the configured model."""

from __future__ import annotations

import time
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Header, Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import DEADLINE_SECONDS, AnswerRequest, Deadline, StartedAnswer, application
from anamnesis.domain.log.episodes import checked_moment
from anamnesis.schemas.answers import AskTutor, EarlierTurnOut, PassageOut, StartedAnswerOut
from anamnesis.schemas.episodes import MAX_KEY_CHARS, RecordedEpisode
from callers import caller_of, subject_of
from observability import metrics
from read_block.routes import reply_of, zone_of

router = APIGatewayHttpRouter()


@router.post(
    "/v1/subjects/<subject>/answers",
    summary="Ask the tutor",
    tags=["turn"],
    responses={
        200: {"description": "No model is configured: the question is recorded, nothing is answered"},
        202: {"description": "The answer is being written"},
    },
)
def start_answer(
    subject: Annotated[str, Path()],
    body: AskTutor,
    idempotency_key: Annotated[str, Header(alias="Idempotency-Key", min_length=1, max_length=MAX_KEY_CHARS)],
    student: Annotated[str | None, Query()] = None,
) -> Response[StartedAnswerOut]:
    """The question is recorded, with the block and the passages that the model is shown; the answer follows.

    The same key with the same question begins nothing twice and gives the same answer. A teacher only looks.
    """
    caller = caller_of(router.current_event)
    caller.require_taking_part()
    deadline = Deadline.after(DEADLINE_SECONDS, time.monotonic)
    if body.occurred_at is not None:
        checked_moment(body.occurred_at, field="occurred_at")
    request = AnswerRequest(
        pair=caller.pair(subject_of(subject), student),
        question=body.question,
        zone=zone_of(body.time_zone),
        budget_tokens=body.budget_tokens,
        now=application().clock.now(),
        occurred_at=body.occurred_at,
        session_id=body.session_id,
        language=body.language,
    )
    use = application().start_answer
    started = use(request, idempotency_key, deadline=deadline)
    elapsed_ms = (DEADLINE_SECONDS - deadline.left()) * 1000
    metrics.add_metric("AnswersStarted", MetricUnit.Count, int(started.answer_id is not None))
    metrics.add_metric("EpisodesRecorded", MetricUnit.Count, 1)
    return Response(
        200 if started.answer_id is None else 202, "application/json", _out(started, use.model, elapsed_ms)
    )


def _out(started: StartedAnswer, model: str | None, elapsed_ms: float) -> StartedAnswerOut:
    asked = started.question
    return StartedAnswerOut(
        answer_id=started.answer_id,
        status="no-model" if started.answer_id is None else "waiting",
        model=model,
        question=RecordedEpisode(
            id=asked.id,
            position=asked.position,
            hash=asked.hash,
            kind=asked.kind,
            concepts=list(asked.concepts),
            salience=asked.salience,
        ),
        block=reply_of(started.block, elapsed_ms, None),
        passages=[
            PassageOut(kind=p.kind, id=p.id, name=p.name, page=p.page, at=p.at, text=p.text)
            for p in started.passages
        ],
        earlier=[EarlierTurnOut(question=turn.question, answer=turn.answer) for turn in started.earlier],
    )
