"""Self-models as JSON values, and back."""

from __future__ import annotations

import dataclasses
from datetime import date, datetime
from typing import Any

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


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
