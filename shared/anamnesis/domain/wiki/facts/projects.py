"""Goals under way: an exam, an essay, a piece of work, with their dates as they moved (WK-1, WD-5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from anamnesis.domain.wiki.facts.coming_days import coming_days
from anamnesis.domain.wiki.facts.cues import FactCues, cues_for
from anamnesis.domain.wiki.facts.said import Said

#: A goal of the same kind that is named so long after the last one's date is another one. Ours.
AFTERWARDS = timedelta(days=10)
#: One without a date is another one after half a year of silence. Ours.
FORGOTTEN = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date that a goal was given, and the sentence that gave it."""

    first: date
    last: date
    said: Said


@dataclass(slots=True)
class Project:
    """A goal.

    Attributes
    ----------
    kind
        As in the tables: ``exam``, ``essay``, ``homework``, ``project``, ``contest``.
    word
        What the student first called it.
    number
        From 1, of its kind in its subject.
    said
        Every sentence about it, oldest first.
    dates
        The dates that it was given, in the order in which they were said; the last one stands.
    """

    subject: str
    kind: str
    word: str
    number: int
    said: list[Said] = field(default_factory=list)
    dates: list[Dated] = field(default_factory=list)

    @property
    def current(self) -> Dated | None:
        """The date that stands."""
        return self.dates[-1] if self.dates else None

    def is_over_at(self, said: Said) -> bool:
        """Whether a sentence comes too late to be about this one."""
        if self.current is not None:
            return said.at.date() > self.current.last + AFTERWARDS
        return said.at - self.said[-1].at > FORGOTTEN


def find_projects(sentences: Iterable[Said]) -> list[Project]:
    """The student's goals in the order in which they first came up.

    A sentence is about a goal when it names one and says that it is the student's own, or when.

    Parameters
    ----------
    sentences
        Of one subject, in the order in which they were said.
    """
    found: list[Project] = []
    latest: dict[str, Project] = {}
    for said in sentences:
        named = _named(said)
        if named is None:
            continue
        kind, word, days = named
        project = latest.get(kind)
        if project is None or project.is_over_at(said):
            number = 1 if project is None else project.number + 1
            project = latest[kind] = Project(said.subject, kind, word, number)
            found.append(project)
        project.said.append(said)
        if days is not None and (
            project.current is None or days != (project.current.first, project.current.last)
        ):
            project.dates.append(Dated(*days, said))
    return found


def _named(said: Said) -> tuple[str, str, tuple[date, date] | None] | None:
    for cues in cues_for(said.text, said.language):
        for kind, pattern in cues.goals:
            if not (word := pattern.search(said.fold.text)):
                continue
            days = coming_days(said, cues)
            if not _is_goal(word[0], said, cues, dated=days is not None):
                continue
            return kind, said.fold.quote(*word.span()), days
    return None


def _is_goal(word: str, said: Said, cues: FactCues, *, dated: bool) -> bool:
    """Whether a sentence with a word for a goal speaks of one of the student's.

    A word that mostly means something else in a subject (a test of a hypothesis, a competition of species) is one where
    a day is told, and not asked for, or where the student is at work on it.
    """
    text = said.fold.text
    if cues.weak.fullmatch(word) is None:
        return dated or cues.mine.search(text) is not None
    if dated and (not said.asks or cues.mine.search(text) is not None):
        return True
    return cues.doing.search(text) is not None
