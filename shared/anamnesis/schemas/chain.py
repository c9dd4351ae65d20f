"""Verification of the chain."""

from __future__ import annotations

from anamnesis.schemas.values import Reply


class BreakOut(Reply):
    """Something wrong with the chain; `count` says how many positions are missing, or breaks left out, from there."""

    position: int
    kind: str
    count: int = 1


class ChainOut(Reply):
    """Result of verifying the chain."""

    verified: bool
    length: int
    head: str
    checkpoints_checked: int
    breaks: list[BreakOut]
    erased: list[int]
    not_checked: list[str]
