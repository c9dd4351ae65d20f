"""Lessons, printed chapters and course texts with the ideas each one defines, from ``extraction_*.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lesson:
    """A text and what a reader must find in it."""

    language: str
    concepts: tuple[str, ...]
    text: str


def _lessons(kind: str) -> tuple[Lesson, ...]:
    raw = tomllib.loads((Path(__file__).parent / f"extraction_{kind}.toml").read_text(encoding="utf-8"))
    return tuple(
        Lesson(entry["language"], tuple(entry["concepts"]), entry["text"].strip() + "\n")
        for entry in raw[kind]
    )


LESSONS = _lessons("lessons")
CHAPTERS = _lessons("chapters")
COURSES = _lessons("courses")
