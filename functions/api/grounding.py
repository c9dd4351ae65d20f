"""Grounding of an answer."""

from __future__ import annotations

import time
from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import TRACE_SECONDS, Deadline, application
from anamnesis.domain.grounding.values import (
    ClaimSource,
    FileLine,
    GroundedClaim,
    Grounding,
    RecalledMemory,
)
from anamnesis.schemas.grounding import ClaimOut, FileSourceOut, GroundingIn, GroundingOut, MemorySourceOut
from callers import pair_of
from observability import metrics
from read_block.routes import zone_of

router = APIGatewayHttpRouter()


@router.post(
    "/v1/subjects/<subject>/grounding", summary="Where an answer's claims come from", tags=["grounding"]
)
def ground_answer(
    subject: Annotated[str, Path()], body: GroundingIn, student: Annotated[str | None, Query()] = None
) -> GroundingOut:
    """Each claim with the line of a file or the recalled memory that it comes from, and the answer's stance.

    No model is called. With `episode_id` what is found is kept beside that answer, as an annotation of its episode; the
    same again changes nothing. Memory ids that this student's log does not know count for nothing.
    """
    found = application().ground_answer(
        pair_of(router.current_event, subject, student),
        body.answer,
        memory_ids=body.memory_ids,
        episode_id=body.episode_id,
        zone=None if body.time_zone is None else zone_of(body.time_zone),
        deadline=Deadline.after(TRACE_SECONDS, time.monotonic),
    )
    grounding = found.grounding
    metrics.add_metric("ClaimsTraced", MetricUnit.Count, grounding.traced)
    metrics.add_metric("ClaimsUntraced", MetricUnit.Count, len(grounding.claims) - grounding.traced)
    return GroundingOut(**traced_fields(grounding), stored=found.stored)


def traced_fields(found: Grounding) -> dict[str, Any]:
    """The fields of a ``TracedOut``."""
    return {
        "claims": [claim_out(claim) for claim in found.claims],
        "grounded_share": round(found.grounded_share, 4),
        "mostly_ungrounded": found.mostly_ungrounded,
        "stance": found.stance,
        "says_missing": found.says_missing,
        "claims_not_searched": found.claims_not_searched,
        "files_not_searched": found.files_not_searched,
    }


def claim_out(claim: GroundedClaim) -> ClaimOut:
    """The HTTP shape of a claim."""
    return ClaimOut(
        text=claim.text,
        source=source_out(claim.source),
        score=round(claim.score, 3),
        problem=claim.problem,
        also=[memory_out(memory) for memory in claim.also],
        start=claim.start,
        end=claim.end,
    )


def source_out(source: ClaimSource | None) -> FileSourceOut | MemorySourceOut | None:
    """The HTTP shape of a source."""
    if source is None:
        return None
    if isinstance(source, FileLine):
        return FileSourceOut(
            file_id=source.file_id,
            file=source.file_name,
            page=source.page,
            line=source.line,
            quote=source.quote,
            same_language=source.same_language,
        )
    return memory_out(source)


def memory_out(source: RecalledMemory) -> MemorySourceOut:
    """The HTTP shape of a memory."""
    return MemorySourceOut(
        kind="belief" if source.belief_id else "memory",
        episode_id=source.episode_id or None,
        belief_id=source.belief_id,
        memory=source.kind,
        occurred_at=source.occurred_at,
        quote=source.quote,
    )
