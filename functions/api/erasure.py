"""Erase an episode, a subject, or everything of a student."""

from __future__ import annotations

import time
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import Deadline, ErasureReport, application
from anamnesis.schemas.erasure import ErasureOut
from callers import caller_of, pair_of
from observability import metrics

router = APIGatewayHttpRouter()
Student = Annotated[str | None, Query()]
#: How long a request erases before it answers that it is not complete. The function is given 29 s, the gateway 30: the
#: rest is for the steps between two looks at the clock. Ours.
ERASING_SECONDS = 18.0


@router.delete("/v1/subjects/<subject>/episodes/<episode_id>", summary="Erase one episode", tags=["erasure"])
def erase_episode(
    subject: Annotated[str, Path()],
    episode_id: Annotated[str, Path(max_length=128)],
    student: Student = None,
) -> ErasureOut:
    """What it said goes from every store, and the summaries of its day with it; the chain shows the gap."""
    event = router.current_event
    pair, by = pair_of(event, subject, student), caller_of(event).role
    return _out(application().erase_memory.episode(pair, episode_id, by, _deadline()))


@router.delete("/v1/subjects/<subject>", summary="Erase a student's subject", tags=["erasure"])
def erase_subject(subject: Annotated[str, Path()], student: Student = None) -> ErasureOut:
    """Everything of one student in the subject, the files that they uploaded included; other students keep theirs."""
    event = router.current_event
    pair, by = pair_of(event, subject, student), caller_of(event).role
    return _out(application().erase_memory.subject(pair, by, _deadline()))


@router.delete("/v1/student", summary="Erase a student", tags=["erasure"])
def erase_student(student: Student = None) -> ErasureOut:
    """Everything of one student, in every subject."""
    caller = caller_of(router.current_event)
    whom = caller.whom(student)
    return _out(application().erase_memory.student(caller.tenant, whom, caller.role, _deadline()))


def _deadline() -> Deadline:
    return Deadline.after(ERASING_SECONDS, time.monotonic)


def _out(report: ErasureReport) -> ErasureOut:
    metrics.add_metric("EpisodesErased", MetricUnit.Count, report.episodes)
    return ErasureOut(episodes=report.episodes, files=report.files, complete=report.complete)
