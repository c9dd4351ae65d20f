"""The demo's students: what happened on which day, as batches for the API.

Lessons and calendar are data beside this file; the same files give the same story every time. Days lie in one summer
with an empty August; the second student works in the same subject and must never show up in the first one's memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
COURSE = HERE / "course"
SUBJECT = "biology"
#: The command line's own default, so that its examples need no option.
TENANT = "demo"
FIRST, SECOND = "ana", "ben"
#: What the tutor says to the questions that come again and again.
AGAIN = {
    "What is a cell?": "The smallest unit of life that can keep itself alive and make a copy of itself.",
    "What is osmosis?": "Water moving through a membrane towards the side with more dissolved substance.",
}
#: Course file that the lessons of a language cite.
FILE_OF = {"en": "cell-biology.md", "es": "fotosintesis.pdf"}


@dataclass(frozen=True, slots=True)
class Batch:
    """The episodes of one day, recorded under one idempotency key."""

    day: date
    key: str
    episodes: list[dict[str, Any]]


class Day:
    """Collects a day's episodes a few minutes apart."""

    def __init__(self, day: date) -> None:
        self.day = day
        self._at = datetime.combine(day, time(14, 30), tzinfo=UTC)
        self.episodes: list[dict[str, Any]] = []

    def add(self, kind: str, text: str, language: str, **more: Any) -> None:
        """Add an episode three minutes after the one before."""
        self._at += timedelta(minutes=3)
        self.episodes.append(
            {
                "kind": kind,
                "occurred_at": self._at.isoformat(),
                "text": text,
                "language": language,
                "session_id": f"session-{self.day.isoformat()}",
                **more,
            }
        )


def asked_on() -> datetime:
    """The moment at which the demo asks for blocks."""
    calendar = json.loads((HERE / "calendar.json").read_text(encoding="utf-8"))
    return datetime.combine(date.fromisoformat(calendar["asked_on"]), time(8), tzinfo=UTC)


def first_student(files: dict[str, str]) -> Iterator[Batch]:
    """A summer of work: questions, answers that cite pages, checks, quizzes, teachings, in two languages.

    Parameters
    ----------
    files
        File id by name of the course files, for citations.
    """
    lessons = json.loads((HERE / "lessons.json").read_text(encoding="utf-8"))
    for entry in json.loads((HERE / "calendar.json").read_text(encoding="utf-8"))["days"]:
        day = Day(date.fromisoformat(entry["date"]))
        for number, passed in zip(entry.get("lessons", ()), entry.get("passed", ()), strict=True):
            _lesson(day, lessons[number], files, passed=passed)
        if "again" in entry:
            day.add("question", entry["again"], "en")
            day.add("answer", AGAIN[entry["again"]], "en")
        if "taught" in entry:
            day.add("taught", entry["taught"], "es" if entry["taught"].startswith("Recuerda") else "en")
        if "quiz" in entry:
            topic, score, evaluation = entry["quiz"]
            day.add("quiz", f"Quiz: {topic}", "en", topic=topic, score=score, evaluation=evaluation)
        if "said" in entry:
            day.add(
                "check", entry["said"], "en", topic=entry["said"], correct=False, evaluation="No topic given."
            )
        yield Batch(day.day, f"demo-{FIRST}-{day.day.isoformat()}", day.episodes)


def second_student() -> Iterator[Batch]:
    """Another student of the same subject, with words of his own that would be easy to recognise."""
    for number, animal in enumerate(("axolotl", "tardigrade", "narwhal", "axolotl"), start=1):
        day = Day(date(2026, 7, 1) + timedelta(days=7 * number))
        day.add("question", f"Does an {animal} do osmosis through its skin?", "en")
        day.add("answer", f"An {animal} does, like every animal with wet skin.", "en")
        day.add("check", f"Osmosis in the {animal}", "en", topic="osmosis", correct=number % 2 == 0)
        day.add("taught", f"Remember that in my notes the cell membrane is the {animal} coat.", "en")
        yield Batch(day.day, f"demo-{SECOND}-{day.day.isoformat()}", day.episodes)


def _lesson(day: Day, lesson: dict[str, Any], files: dict[str, str], *, passed: bool) -> None:
    language, topic = lesson["language"], lesson["topic"]
    evidence = [{"file_id": files[FILE_OF[language]], "page": lesson["page"]}]
    for question, answer in lesson["turns"]:
        day.add("question", question, language)
        day.add("answer", answer, language, evidence=evidence)
    question, evaluation = lesson["check"]
    day.add(
        "check", question, language, topic=topic, correct=passed, evaluation=evaluation if not passed else ""
    )
