"""Answers that are being written as JSON values, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from anamnesis.domain.grounding.values import (
    ClaimSource,
    FileLine,
    GroundedClaim,
    Grounding,
    RecalledMemory,
    Shortfall,
)
from anamnesis.domain.tutoring.answers import Asked
from anamnesis.domain.tutoring.conversation import EarlierTurn
from anamnesis.domain.tutoring.passages import Passage


def asked_to_json(asked: Asked) -> dict[str, Any]:
    """Return the stored form of what is asked."""
    return asdict(asked) | {
        "occurred_at": asked.occurred_at.isoformat(),
        "asked_at": asked.asked_at.isoformat(),
        "block": dict(asked.block),
        "passages": [asdict(p) | {"at": None if p.at is None else p.at.isoformat()} for p in asked.passages],
    }


def asked_from_json(value: Mapping[str, Any]) -> Asked:
    """Return what is asked behind ``asked_to_json``."""
    passages = tuple(
        Passage(**p | {"at": None if p["at"] is None else datetime.fromisoformat(p["at"])})
        for p in value["passages"]
    )
    times = {name: datetime.fromisoformat(value[name]) for name in ("occurred_at", "asked_at")}
    # None in what was stored by a version that told of no earlier turns.
    earlier = tuple(EarlierTurn(**turn) for turn in value.get("earlier", ()))
    return Asked(**{**value, **times, "passages": passages, "earlier": earlier})


def grounding_to_json(grounding: Grounding) -> dict[str, Any]:
    """Return the stored form of a grounding, claims and all."""
    return {
        "says_missing": grounding.says_missing,
        "claims_not_searched": grounding.claims_not_searched,
        "files_not_searched": grounding.files_not_searched,
        "claims": [
            asdict(claim)
            | {
                "source": _source_to_json(claim.source),
                "also": [_source_to_json(each) for each in claim.also],
            }
            for claim in grounding.claims
        ],
    }


def grounding_from_json(value: Mapping[str, Any]) -> Grounding:
    """Return the grounding behind ``grounding_to_json``."""
    claims = (
        GroundedClaim(
            **claim
            | {
                "source": _source_from_json(claim["source"]),
                "problem": None if claim["problem"] is None else Shortfall(claim["problem"]),
                # Missing in what was stored by a version that gave each claim one source.
                "also": tuple(_source_from_json(each) for each in claim.get("also", ())),
            }
        )
        for claim in value["claims"]
    )
    # Missing in what was stored by a version that had no deadline.
    counts = (value.get(f"{what}_not_searched", 0) for what in ("claims", "files"))
    return Grounding(tuple(claims), value["says_missing"], *counts)


def _source_to_json(source: ClaimSource | None) -> dict[str, Any] | None:
    if isinstance(source, RecalledMemory):
        return asdict(source) | {"occurred_at": source.occurred_at.isoformat()}
    return None if source is None else asdict(source)


def _source_from_json(value: Mapping[str, Any] | None) -> ClaimSource | None:
    if value is None:
        return None
    if "occurred_at" in value:
        return RecalledMemory(**{**value, "occurred_at": datetime.fromisoformat(value["occurred_at"])})
    return FileLine(**value)
