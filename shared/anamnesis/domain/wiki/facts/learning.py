"""Recurring mistakes and what worked, from checks alone, so that no language is needed (WK-1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from anamnesis.domain.log.episodes import Episode, Kind

#: Missed so often, a check's concept is a recurring mistake. Ours.
MIN_MISSED = 2
_BETWEEN = frozenset({Kind.QUESTION, Kind.ANSWER, Kind.TAUGHT})


@dataclass(frozen=True, slots=True)
class Mistake:
    """A concept whose checks were missed again and again; `passed` are those after the last missed one."""

    concept: str
    missed: tuple[Episode, ...]
    passed: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A concept that was missed and then passed, and the work on it in between."""

    concept: str
    missed: Episode
    passed: Episode
    between: tuple[Episode, ...]


def find_mistakes(episodes: Iterable[Episode]) -> list[Mistake]:
    """Concepts missed ``MIN_MISSED`` times or more, the latest missed first."""
    found = []
    for concept, checks in _checks(episodes).items():
        missed = [e for e in checks if e.outcome is not None and not e.outcome.correct]
        if len(missed) < MIN_MISSED:
            continue
        last = missed[-1]
        after = checks[checks.index(last) + 1 :]
        found.append(Mistake(concept, tuple(missed), tuple(after)))
    return sorted(found, key=lambda m: (-m.missed[-1].occurred_at.timestamp(), m.concept))


def find_lessons(episodes: Iterable[Episode]) -> list[Lesson]:
    """For each concept the latest passed check after a missed one, where work lies between, newest first."""
    kept = list(episodes)
    touching: dict[str, list[Episode]] = defaultdict(list)
    for episode in kept:
        if episode.kind in _BETWEEN and episode.content is not None and not episode.about_record:
            for concept in episode.concepts:
                touching[concept].append(episode)
    found = []
    for concept, checks in _checks(kept).items():
        for before, after in reversed(list(pairwise(checks))):
            if (
                before.outcome is None
                or after.outcome is None
                or before.outcome.correct
                or not after.outcome.correct
            ):
                continue
            between = [
                e for e in touching[concept] if before.occurred_at <= e.occurred_at <= after.occurred_at
            ]
            if between:
                found.append(Lesson(concept, before, after, tuple(_in_order(between))))
                break
    return sorted(found, key=lambda lesson: (-lesson.passed.occurred_at.timestamp(), lesson.concept))


def _checks(episodes: Iterable[Episode]) -> dict[str, list[Episode]]:
    """Checks that are tied to a concept and still say something, by concept, oldest first."""
    by_concept: dict[str, list[Episode]] = defaultdict(list)
    for episode in _in_order(episodes):
        if episode.content is not None and episode.outcome is not None and episode.outcome.concept:
            by_concept[episode.outcome.concept].append(episode)
    return by_concept


def _in_order(episodes: Iterable[Episode]) -> list[Episode]:
    return sorted(episodes, key=lambda e: (e.occurred_at, e.position))
