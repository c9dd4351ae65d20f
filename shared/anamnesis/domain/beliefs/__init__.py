"""Beliefs: what the tutor thinks of a student on a concept, and how checks and time change it."""

from anamnesis.domain.beliefs.values import (
    Belief,
    ChangeReason,
    Claim,
    ConfidenceChange,
)

__all__ = [
    "Belief",
    "ChangeReason",
    "Claim",
    "ConfidenceChange",
]
