"""The subjects to choose from."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import application
from anamnesis.schemas.subjects import SubjectList
from callers import student_of

router = APIGatewayHttpRouter()


@router.get("/v1/subjects", summary="A student's subjects", tags=["service"])
def list_subjects(student: Annotated[str | None, Query()] = None) -> SubjectList:
    """Those in which anything was recorded or uploaded in the student's name."""
    return SubjectList(subjects=application().list_subjects(student_of(router.current_event, student)))
