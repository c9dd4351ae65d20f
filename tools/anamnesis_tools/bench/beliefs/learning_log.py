"""Logs of practice: who answered what, when, and whether it was right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

#: So many that what is fitted to some can be tried on others.
FEWEST_LEARNERS = 2
#: What an event's outcome says; a trial of study has none and is no answer.
OUTCOMES = {"CORRECT": True, "INCORRECT": False}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: to which knowledge component, when, and whether it was right."""

    component: str
    at: datetime
    correct: bool


@dataclass(frozen=True, slots=True)
class Learner:
    """One learner's answers, oldest first."""

    name: str
    answers: tuple[Answer, ...]


def learners(file: Path) -> list[Learner]:
    """Read a file of ``[{"student", "events": [{"time", "kc", "outcome"}]}]``.

    Raises
    ------
    typer.BadParameter
        If the file is none of that shape.
    """
    try:
        group = [_learner(entry) for entry in json.loads(file.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise typer.BadParameter(f"{file}: no learning log: {error!r}", param_hint="FILE") from error
    if len(group) < FEWEST_LEARNERS:
        raise typer.BadParameter(f"{file}: fewer than {FEWEST_LEARNERS} learners", param_hint="FILE")
    return group


def _learner(entry: dict[str, Any]) -> Learner:
    answers = [
        Answer(event["kc"], _aware(datetime.fromisoformat(event["time"])), OUTCOMES[event["outcome"]])
        for event in entry["events"]
        if event["outcome"] in OUTCOMES
    ]
    return Learner(entry["student"], tuple(sorted(answers, key=lambda answer: answer.at)))


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
