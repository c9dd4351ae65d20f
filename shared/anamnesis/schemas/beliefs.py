"""What is believed of a student."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from anamnesis.domain.beliefs import Claim
from anamnesis.schemas.values import Reply


class ConfidenceOut(Reply):
    """One dated step of a belief's confidence."""

    at: datetime
    confidence: float
    reason: str
    episode_id: str | None


class BeliefOut(Reply):
    """One row of the belief store.

    `superseded_by` is the id of the row that took its place; ``retired`` when none did, because no check is tied to its
    concept any more.
    """

    id: str
    concept: str = Field(description="Its key on the map")
    concept_name: str
    verb: Claim = Field(description="What is believed of the student and the concept; stable")
    claim: str = Field(description="Both in English words")
    confidence: float
    needs_confirmation: bool
    evidence: list[str]
    created_at: datetime
    superseded_by: str | None
    history: list[ConfidenceOut]


class RederivedOut(Reply):
    """How many beliefs were retired, how many were made, and how many say already what today's rules make of them."""

    retired: int
    made: int
    unchanged: int


class BeliefList(Reply):
    """Beliefs, current ones unless history was asked for; and what could not become one."""

    beliefs: list[BeliefOut]
