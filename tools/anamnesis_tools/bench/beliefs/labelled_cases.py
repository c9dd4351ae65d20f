"""Labelled cases in the three parts that a set is worked on, held out and written late in, scored by group.

They lie beside this file in ``labels``: one part that the tables were worked on with, one held out until its first
figures were taken, and one written after the tables were mended and measured before anything was mended by it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, Protocol, TypeVar

PARTS = ("open", "held", "late")


class Case(Protocol):
    """A case knows the part that it is of."""

    @property
    def half(self) -> str:
        """One of ``PARTS``."""


C = TypeVar("C", bound=Case)
S = TypeVar("S")


def languages(labels: str) -> list[dict[str, Any]]:
    """The labels of each language of a set: its code, and a list of cases for each part."""
    text = (files(__package__) / "labels" / f"{labels}.toml").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = tomllib.loads(text)["language"]
    return found


def scored(cases: Sequence[C], by: str, score: Callable[[str, Sequence[C]], S]) -> dict[str, list[S]]:
    """For each part the score of each group by an attribute, in the order met, and of all together."""
    parts = {part: [case for case in cases if case.half == part] for part in PARTS}
    return {part: _by_group(found, by, score) for part, found in parts.items()}


def share(part: int, whole: int) -> str:
    """Three digits of a share; a dash where there is nothing to share."""
    return f"{part / whole:.3f}" if whole else "-"


def _by_group(cases: Sequence[C], by: str, score: Callable[[str, Sequence[C]], S]) -> list[S]:
    groups = dict.fromkeys(getattr(case, by) for case in cases)
    return [
        *(score(group, [case for case in cases if getattr(case, by) == group]) for group in groups),
        score("all", cases),
    ]
