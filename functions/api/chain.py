"""Chain verification."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import application
from anamnesis.schemas.chain import BreakOut, ChainOut
from callers import pair_of
from observability import metrics

router = APIGatewayHttpRouter()


@router.get("/v1/subjects/<subject>/chain", summary="Verify the log", tags=["chain"])
def verify_chain(subject: Annotated[str, Path()], student: Annotated[str | None, Query()] = None) -> ChainOut:
    """Recompute every hash, compare with the signed checkpoints, and say what could not be checked."""
    verdict = application().verify_chain(pair_of(router.current_event, subject, student))
    metrics.add_metric("ChainBreaks", MetricUnit.Count, len(verdict.breaks))
    return ChainOut(
        verified=verdict.verified,
        length=verdict.report.length,
        head=verdict.report.head,
        checkpoints_checked=verdict.checkpoints_checked,
        breaks=[BreakOut(position=b.position, kind=b.kind, count=b.count) for b in verdict.breaks],
        erased=list(verdict.report.erased),
        not_checked=list(verdict.not_checked),
    )
