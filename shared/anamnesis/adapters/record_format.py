"""Self-models and results of grounding as JSON values, and back."""

from __future__ import annotations

import dataclasses
from datetime import date, datetime
from typing import Any

from anamnesis.domain.grounding.values import GroundingRecord, Stance
from anamnesis.domain.night.records import Calibration, ReliabilityBucket, SelfModel


def self_model_to_json(self_model: SelfModel) -> dict[str, Any]:
    """Return a self-model as a JSON object."""
    value = dataclasses.asdict(self_model)
    value["composed_on"] = self_model.composed_on.isoformat()
    for name in ("first_occurred_at", "last_occurred_at"):
        value[name] = value[name].isoformat() if value[name] else None
    return value


def self_model_from_json(value: dict[str, Any]) -> SelfModel:
    """Return the self-model behind ``self_model_to_json``."""
    calibration = value["calibration"]
    buckets = tuple(ReliabilityBucket(**bucket) for bucket in calibration["buckets"])
    return SelfModel(
        **{
            **value,
            "composed_on": date.fromisoformat(value["composed_on"]),
            "first_occurred_at": _instant(value["first_occurred_at"]),
            "last_occurred_at": _instant(value["last_occurred_at"]),
            "calibration": Calibration(**{**calibration, "buckets": buckets}),
            "statements": tuple(value["statements"]),
        }
    )


def grounding_record_to_json(record: GroundingRecord) -> dict[str, Any]:
    """Return what was found of an answer as a JSON object, without what its row has already."""
    return {
        "question": record.question,
        "stance": record.stance.value,
        "claims": record.claims,
        "traced": record.traced,
        "says_missing": record.says_missing,
        "sources": list(record.sources),
    }


def grounding_record_from_json(
    value: dict[str, Any], *, episode_id: str, position: int, grounded_at: str
) -> GroundingRecord:
    """Return the result behind ``grounding_record_to_json``."""
    return GroundingRecord(
        episode_id=episode_id,
        position=position,
        question=value["question"],
        stance=Stance(value["stance"]),
        claims=value["claims"],
        traced=value["traced"],
        says_missing=value["says_missing"],
        sources=tuple(value["sources"]),
        grounded_at=datetime.fromisoformat(grounded_at),
    )


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
