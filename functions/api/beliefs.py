"""Beliefs and their history."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import application
from anamnesis.domain.beliefs import Belief
from anamnesis.schemas.beliefs import BeliefList, BeliefOut, ConfidenceOut, RederivedOut
from callers import pair_of

router = APIGatewayHttpRouter()
ROUTE = "/v1/subjects/<subject>/beliefs"
Student = Annotated[str | None, Query()]


@router.get(ROUTE, summary="What the tutor believes of this student", tags=["beliefs"])
def list_beliefs(
    subject: Annotated[str, Path()], history: Annotated[bool, Query()] = False, student: Student = None
) -> BeliefList:
    """Current beliefs; with ``history=true`` every row that ever was, oldest first."""
    beliefs = application().list_beliefs(pair_of(router.current_event, subject, student), history=history)
    return BeliefList(beliefs=[belief_out(belief) for belief in beliefs])


@router.get(f"{ROUTE}/<belief_id>/history", summary="How one belief came about", tags=["beliefs"])
def get_belief_history(
    subject: Annotated[str, Path()], belief_id: Annotated[str, Path(max_length=128)], student: Student = None
) -> BeliefList:
    """The chain of rows on the same concept, oldest first: what was believed, when it changed, and because of what."""
    beliefs = application().list_beliefs.chain_of(pair_of(router.current_event, subject, student), belief_id)
    return BeliefList(beliefs=[belief_out(belief) for belief in beliefs])


@router.post(f"{ROUTE}/rederive", summary="Derive the beliefs by today's rules", tags=["beliefs"])
def rederive_beliefs(subject: Annotated[str, Path()], student: Student = None) -> RederivedOut:
    """Replay the recorded checks by today's map, names and rules, and retire the beliefs that these would not make.

    No episode is touched and no row is deleted. The same call again changes nothing. Whoever may record a student's
    checks may ask for it, since nothing comes of it that the checks do not say. It reads the student's whole log of the
    subject.
    """
    derived = application().rederive_beliefs(pair_of(router.current_event, subject, student))
    return RederivedOut(retired=derived.retired, made=derived.made, unchanged=derived.unchanged)


def belief_out(belief: Belief) -> BeliefOut:
    """The HTTP shape of a belief."""
    return BeliefOut(
        id=belief.id,
        concept=belief.concept,
        concept_name=belief.concept_name,
        verb=belief.claim,
        claim=belief.sentence,
        confidence=belief.confidence,
        needs_confirmation=belief.needs_confirmation,
        evidence=list(belief.evidence),
        created_at=belief.created_at,
        superseded_by=belief.superseded_by,
        history=[
            ConfidenceOut(at=c.at, confidence=c.confidence, reason=c.reason.value, episode_id=c.episode_id)
            for c in belief.history
        ],
    )
