"""Run a night by hand, and what the nights found out: self-model and calibration."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import Deadline, application
from anamnesis.domain.night.records import Calibration, SelfModel
from anamnesis.schemas.nights import (
    BucketOut,
    CalibrationOut,
    CitationsOut,
    DecayOut,
    NightOut,
    RunNight,
    SelfModelOut,
)
from callers import caller_of, pair_of
from night_log import log_night

router = APIGatewayHttpRouter()
Student = Annotated[str | None, Query()]
#: From when on a request's night begins no further step. The function is given 29 s, the gateway 30: the rest is for
#: the longest of them, loading and verifying a log of 20,000 episodes. Ours.
NIGHT_SECONDS = 15.0


@router.post("/v1/subjects/<subject>/night", summary="Run one pair's night (service role)", tags=["night"])
def run_night(subject: Annotated[str, Path()], body: RunNight, student: Student = None) -> NightOut:
    """The same cycle as the schedule runs, for one of the student's days; running it again changes nothing.

    503 ``unfinished`` when a long log takes more time than a request has: the same one again goes on.
    """
    deadline = Deadline.after(NIGHT_SECONDS, time.monotonic)
    caller_of(router.current_event).require_service("night")
    report = application().run_night(pair_of(router.current_event, subject, student), body.date, deadline)
    log_night(report)
    changes = report.changes
    return NightOut(
        date=report.night,
        consolidation_id=report.consolidation_id,
        working_set_position=report.working_set_position,
        checkpoint_length=report.checkpoint_length,
        self_model=self_model_out(report.self_model),
        days_consolidated=list(changes.consolidated),
        days_left=changes.days_left,
        beliefs_decayed=len(changes.decayed),
        decayed=[DecayOut(concept=d.concept_name, before=d.before, after=d.after) for d in changes.decayed],
        citations_checked=changes.citations_checked,
        citations_turned=[
            CitationsOut(episode_id=c.episode_id, result=c.result, changed=list(c.changed))
            for c in changes.citations_turned
        ],
        predictions_added=changes.predictions_added,
        episodes_indexed=changes.indexed,
        vectors_made=changes.vectors_made,
        checkpointed=changes.checkpointed,
        statements_new=list(changes.statements_new),
        statements_gone=list(changes.statements_gone),
    )


@router.get(
    "/v1/subjects/<subject>/self-model", summary="What the memory knows of its limits", tags=["night"]
)
def get_self_model(subject: Annotated[str, Path()], student: Student = None) -> SelfModelOut:
    """As composed by the latest night; 404 before the first."""
    return self_model_out(application().get_self_model(pair_of(router.current_event, subject, student)))


@router.get("/v1/subjects/<subject>/calibration", summary="Predictions against outcomes", tags=["night"])
def get_calibration(subject: Annotated[str, Path()], student: Student = None) -> CalibrationOut:
    """As measured by the latest night; 404 before the first."""
    self_model = application().get_self_model(pair_of(router.current_event, subject, student))
    return calibration_out(self_model.calibration)


def calibration_out(calibration: Calibration) -> CalibrationOut:
    """The HTTP shape of a calibration."""
    return CalibrationOut(
        predictions=calibration.predictions,
        expected_calibration_error=calibration.expected_calibration_error,
        brier_score=calibration.brier_score,
        buckets=[BucketOut(**asdict(bucket)) for bucket in calibration.buckets],
        calibrated=calibration.calibrated,
    )


def self_model_out(self_model: SelfModel) -> SelfModelOut:
    """The HTTP shape of a self-model."""
    flat = {name: getattr(self_model, name) for name in SelfModelOut.model_fields if name != "calibration"}
    return SelfModelOut(
        **{**flat, "statements": list(self_model.statements)},
        calibration=calibration_out(self_model.calibration),
    )
