"""What a wiki can do for an agent, and the values that it answers with (WU-2).

Two things answer so: the API (``api_wiki``) and a checkout on somebody's disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from anamnesis.domain.errors import AnamnesisError


class Refused(AnamnesisError):
    """A wiki cannot do what it was asked; ``field`` names the argument that is to blame."""


@dataclass(frozen=True, slots=True)
class PageText:
    """A page; `revision` is empty where nothing is committed."""

    path: str
    revision: str
    text: str


@dataclass(frozen=True, slots=True)
class PageName:
    """A page as a list has it."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class PageNames:
    """Pages by path; `cursor` asks for those after them, None on the last."""

    pages: tuple[PageName, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that a search found.

    Attributes
    ----------
    passages
        Its most telling lines: number (from 1) and text.
    """

    path: str
    title: str
    updated: str
    passages: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """What a citation stands on, in Markdown; `next_turn` is where a long session goes on, None at its end."""

    text: str
    next_turn: int | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a recall brought.

    Attributes
    ----------
    text
        A synthesis with citations, in Markdown.
    files
        Paths that hold what it stands on, best first.
    """

    text: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """A revision as a history tells of it; `at` is an RFC 3339 time."""

    id: str
    at: str
    author: str
    message: str


@dataclass(frozen=True, slots=True)
class Compared:
    """What changed, as a unified diff; what had no room is left out of it, and `paths` has all."""

    text: str
    paths: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Taught:
    """What became of a teaching: its episode's id and the kind it was recorded as; a question teaches nothing."""

    id: str
    kind: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a page that an agent wrote: the revision that has it, and whether that was made for it."""

    path: str
    revision: str
    changed: bool


class Wiki(Protocol):
    """One student's wiki, for whoever is asked about it. Everything may raise ``Refused``."""

    def index(self, budget_tokens: int) -> str:
        """What there is, within a budget (WU-1)."""

    def page(self, path: str, revision: str | None) -> PageText:
        """One page, as it is or as it was."""

    def pages(self, cursor: str | None, limit: int) -> PageNames:
        """All pages, in order of their paths."""

    def search(self, query: str, limit: int) -> tuple[FoundPage, ...]:
        """Pages that hold words, best first."""

    def follow(self, address: str, from_turn: int) -> Followed:
        """What stands at an address that a page's references name."""

    def recall(self, description: str, time_zone: str, limit: int) -> Recalled:
        """What the memory holds about something."""

    def history(self, path: str | None, limit: int) -> tuple[RevisionLine, ...]:
        """Revisions, newest first; with a path those that changed it."""

    def compare(self, old: str | None, new: str | None, path: str | None) -> Compared:
        """What changed between two revisions: by default the current one and the one before it."""

    def write(self, path: str, text: str, base: str) -> Written:
        """Write a page of the agent's own, or the notes of a compiled one, from the revision that was read (WK-6)."""

    def teach(self, subject: str, text: str) -> Taught:
        """Record that the student wants something remembered."""
