"""Histories of every kind of material, the same for the same seed and folder.

A history is a script, which is units of work in their order (an exchange, a lesson with its check, a few trials of a
log, a dialogue), spread over a calendar. What was said and answered is real wherever the folder has it; whether a check
on a book's term is passed is drawn, with a share of its own for each term that rises as it comes again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from anamnesis.bootstrap import Draft
from anamnesis_tools.bench.histories.calendar import calendar
from anamnesis_tools.bench.histories.material import Material
from anamnesis_tools.bench.histories.scripts import Said, Unit, book_script, maths_script, practice_script
from anamnesis_tools.bench.histories.values import CourseFile, History

#: Histories by default: ten learners of the log, twenty students of books, fifteen of own courses, five of dialogues.
HISTORIES = 50
#: Where students of a language live.
ZONES = {
    "en": "America/Chicago",
    "es": "Europe/Madrid",
    "pl": "Europe/Warsaw",
    "id": "Asia/Jakarta",
    "hi": "Asia/Kolkata",
    "ar": "Africa/Cairo",
}
#: Kinds in the order in which they take turns, so that the first few histories already have every language.
TURNS = (
    "practice", "en:biology", "es:statistics", "pl:psychology", "own:id", "own:hi", "own:ar", "practice",
    "en:economics", "maths",
)  # fmt: skip
#: Episodes of a history.
FEWEST, MOST = 40, 400
#: Of so many histories one is sparse: a few dozen episodes over as many months as the others.
SPARSE_EVERY = 4
_SPARSE_MOST = 64
#: Episodes on a day of work.
_EPISODES_A_DAY = (4, 16)


@dataclass(frozen=True, slots=True)
class _Plan:
    language: str
    subject: str
    files: tuple[CourseFile, ...]
    script: list[Unit]


def generated(folder: Path, *, count: int = HISTORIES, seed: int = 1) -> list[History]:
    """Generate `count` histories out of a data folder.

    Parameters
    ----------
    folder
        Laid out as ``material`` says; only what the chosen kinds need is read.
    seed
        Another one makes other histories of the same material.

    Raises
    ------
    FileNotFoundError
        If the folder lacks a part that is needed.
    """
    material = Material(folder)
    learners = sorted(material.practice)
    histories, practised = [], 0
    for number in range(count):
        kind = TURNS[number % len(TURNS)]
        chance = random.Random(f"{seed}:{number}")  # noqa: S311 the same every time
        length = _length(chance, number)
        if kind == "practice":
            learner = learners[practised % len(learners)]
            practised += 1
            trials = material.practice[learner]
            plan = _Plan(
                "en",
                "samples-en",
                (material.handout,),
                practice_script(chance, trials, material.chats, length),
            )
        elif kind == "maths":
            plan = _Plan(
                "en", "maths-en", (), maths_script(chance, material.dialogues, material.chats, length)
            )
        else:
            course = material.course(kind)
            plan = _Plan(course.language, course.subject, course.files, book_script(chance, course, length))
        histories.append(_history(chance, f"student-{number:03d}", plan))
    return histories


def _length(chance: random.Random, number: int) -> int:
    if number % SPARSE_EVERY == SPARSE_EVERY - 1:
        return chance.randint(FEWEST, _SPARSE_MOST)
    # As many short ones as long ones: evenly spread in their logarithm.
    longer: float = (MOST / _SPARSE_MOST) ** chance.random()
    return round(_SPARSE_MOST * longer)


def _history(chance: random.Random, name: str, plan: _Plan) -> History:
    zone = ZoneInfo(ZONES[plan.language])
    episodes = sum(len(unit) for unit in plan.script)
    days = max(4, episodes // chance.randint(*_EPISODES_A_DAY))
    when = calendar(chance, days, zone)
    told: list[tuple[Said, Draft]] = []
    for day, (start, units) in enumerate(
        zip(when.starts(chance), _spread(plan.script, len(when.days)), strict=True)
    ):
        told += _day(start, units, f"{name}-{day}", plan.language)
    return History(
        name=name,
        subject=plan.subject,
        language=plan.language,
        zone=str(zone),
        asked_at=when.asked_at,
        events=tuple(event for _, event in told),
        files=plan.files,
        told_about={number: said.about for number, (said, _) in enumerate(told) if said.about},
    )


def _spread(script: Sequence[Unit], days: int) -> Iterator[Sequence[Unit]]:
    """Cut a script into as many parts as there are days, in order; a day may stay empty when units are few."""
    for day in range(days):
        yield script[len(script) * day // days : len(script) * (day + 1) // days]


def _day(start: datetime, units: Sequence[Unit], session: str, language: str) -> Iterator[tuple[Said, Draft]]:
    at = start
    for unit in units:
        for said in unit:
            yield said, _draft(said, at, session, language)
            at += timedelta(minutes=2)


def _draft(said: Said, at: datetime, session: str, language: str) -> Draft:
    return Draft(
        kind=said.kind,
        occurred_at=at,
        text=said.text,
        session_id=session,
        language=language,
        topic=said.topic,
        evaluation=said.evaluation,
        correct=said.correct,
        score=said.score,
        evidence=tuple((name, None) for name in said.cites),
    )
