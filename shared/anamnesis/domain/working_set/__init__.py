"""The working set: a pair's whole history as arrays that one turn scores."""

from anamnesis.domain.working_set.values import (
    KIND_CODES,
    KIND_ORDER,
    Postings,
    Segment,
)

__all__ = [
    "KIND_CODES",
    "KIND_ORDER",
    "Postings",
    "Segment",
]
