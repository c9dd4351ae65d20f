"""Beliefs: what the tutor thinks of a student on a concept, with its whole history (BE-1, BE-2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from anamnesis.domain.identifiers import Pair


class Claim(StrEnum):
    """What is believed."""

    UNDERSTANDS = "understands"
    STRUGGLES_WITH = "struggles with"


class ChangeReason(StrEnum):
    """Why a confidence changed."""

    CHECK = "check"
    DECAY = "decay"


@dataclass(frozen=True, slots=True)
class ConfidenceChange:
    """One dated step of a belief's confidence; `episode_id` is the check behind it, None for decay."""

    at: datetime
    confidence: float
    reason: ChangeReason
    episode_id: str | None


@dataclass(frozen=True, slots=True)
class Belief:
    """One row of the belief store. Its claim never changes; a change of mind is a new row (BE-2).

    Attributes
    ----------
    concept, concept_name
        Canonical key, and the name to show.
    confidence
        0–1, from the knowledge-tracing model, lowered by decay.
    needs_confirmation
        True once decayed, until the next check.
    evidence
        Ids of the episodes behind it, oldest first.
    history
        Every confidence it had, oldest first.
    superseded_by
        Id of the row that replaced it, None while current.
    """

    id: str
    pair: Pair
    concept: str
    concept_name: str
    claim: Claim
    confidence: float
    needs_confirmation: bool
    evidence: tuple[str, ...]
    created_at: datetime
    history: tuple[ConfidenceChange, ...]
    superseded_by: str | None = None

    @property
    def sentence(self) -> str:
        """The claim in words, such as "struggles with osmosis" (BE-1)."""
        return f"{self.claim.value} {self.concept_name}"
