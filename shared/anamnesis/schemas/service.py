"""Liveness."""

from __future__ import annotations

from typing import Literal

from anamnesis.schemas.values import Reply


class HealthOut(Reply):
    """Liveness."""

    status: Literal["ok"]
    version: str
