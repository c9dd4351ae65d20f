"""POST …/block: one turn's memory block."""

from __future__ import annotations

import time
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import (
    DEADLINE_SECONDS,
    LAYERS,
    BlockReply,
    BlockRequest,
    Deadline,
    application,
)
from anamnesis.domain.access import Caller
from anamnesis.domain.block import bridge_assessment
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.log.episodes import checked_moment
from anamnesis.schemas.block import AskBlock, BlockOut, WindowOut
from callers import caller_of, subject_of
from observability import metrics

#: Files of the time-zone database that name no zone of anybody's.
_NOT_PLACES = frozenset({"Factory", "localtime", "posixrules"})

router = APIGatewayHttpRouter()


@router.post("/v1/subjects/<subject>/block", summary="The memory block of one chat turn", tags=["turn"])
def read_block(
    subject: Annotated[str, Path()], body: AskBlock, student: Annotated[str | None, Query()] = None
) -> BlockOut:
    """One ordered block of text within the token budget, or null when it could not be had in time."""
    deadline = Deadline.after(DEADLINE_SECONDS, time.monotonic)
    request = request_of(caller_of(router.current_event), subject, student, body)
    reply = application().read_block(request, deadline=deadline)
    elapsed_ms = (DEADLINE_SECONDS - deadline.left()) * 1000
    metrics.add_metric("BlockLatency", MetricUnit.Milliseconds, elapsed_ms)
    metrics.add_metric("BlocksDropped", MetricUnit.Count, int(reply.dropped))
    metrics.add_metric("DegradedSources", MetricUnit.Count, len(reply.degraded))
    metrics.add_metric("GateDrops", MetricUnit.Count, reply.gate_dropped)
    bridged = None if body.assessment is None else bridge_assessment(body.assessment, reply.block)
    return reply_of(reply, elapsed_ms, bridged)


def request_of(caller: Caller, subject: str, student: str | None, body: AskBlock) -> BlockRequest:
    """The use case's request.

    Raises
    ------
    InvalidInput
        If the time zone or a layer is unknown.
    Forbidden
        If anyone but a service sets the time or switches layers off.
    """
    if body.now is not None:
        caller.require_service("now")
        checked_moment(body.now, field="now")
    if body.switch_off:
        caller.require_service("switch_off")
    if unknown := sorted(set(body.switch_off) - LAYERS):
        raise InvalidInput(
            f"no such layer: {unknown[0]}; there are {', '.join(sorted(LAYERS))}", field="switch_off"
        )
    return BlockRequest(
        pair=caller.pair(subject_of(subject), student),
        question=body.question,
        zone=zone_of(body.time_zone),
        budget_tokens=body.budget_tokens,
        now=body.now or application().clock.now(),
        switch_off=frozenset(body.switch_off),
    )


def zone_of(name: str) -> ZoneInfo:
    """The IANA time zone of that name.

    Raises
    ------
    InvalidInput
        If there is none.
    """
    if name in _NOT_PLACES:
        raise InvalidInput("no such IANA time zone", field="time_zone")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput("no such IANA time zone", field="time_zone") from None


def reply_of(reply: BlockReply, elapsed_ms: float, bridged: str | None) -> BlockOut:
    """The HTTP shape of a reply."""
    window = reply.window
    return BlockOut(
        block=reply.block,
        bridged=bridged,
        memory_ids=list(reply.memory_ids),
        tokens=reply.tokens,
        intent=reply.intent.value,
        window=None
        if window is None
        else WindowOut(start=window.start, end=window.end, phrase=window.phrase),
        window_empty=reply.window_empty,
        matched=reply.matched,
        routed=list(reply.routed),
        degraded=list(reply.degraded),
        dropped=reply.dropped,
        elapsed_ms=round(elapsed_ms, 1),
    )
