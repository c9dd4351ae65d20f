"""Look at an answer while the model writes it."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import application
from anamnesis.domain.tutoring.answers import MAX_ANSWER_CHARS
from anamnesis.schemas.answers import AnswerOut, RecordedAnswerOut, UsageOut
from anamnesis.schemas.grounding import TracedOut
from api.grounding import traced_fields
from callers import pair_of

router = APIGatewayHttpRouter()


@router.get("/v1/subjects/<subject>/answers/<answer_id>", summary="An answer so far", tags=["turn"])
def read_answer(
    subject: Annotated[str, Path()],
    answer_id: Annotated[str, Path(max_length=128)],
    after: Annotated[int, Query(ge=0, le=MAX_ANSWER_CHARS)] = 0,
    student: Annotated[str | None, Query()] = None,
) -> AnswerOut:
    """What the model has said from character `after` on; at its end where it stands in the log and comes from.

    `look_again_ms` says when to look again: longer, the longer it takes.

    It can be looked at for an hour, by whoever may see the student's record; then it is in the log alone. 404 as well
    from the moment that anything of the subject's record is erased: it may quote that.
    """
    state = application().read_answer(pair_of(router.current_event, subject, student), answer_id)
    recorded, use, again = state.recorded, state.use, state.look_again(application().clock.now())
    return AnswerOut(
        answer_id=state.id,
        status=state.status.value,
        model=state.model,
        text=state.text[after:],
        chars=len(state.text),
        reason=state.reason,
        question_id=state.question_id,
        answer=None
        if recorded is None
        else RecordedAnswerOut(id=recorded.id, position=recorded.position, hash=recorded.hash),
        grounding=None if state.grounding is None else TracedOut(**traced_fields(state.grounding)),
        usage=None
        if use is None
        else UsageOut(input_tokens=use.input_tokens, output_tokens=use.output_tokens),
        look_again_ms=None if again is None else round(again.total_seconds() * 1_000),
    )
