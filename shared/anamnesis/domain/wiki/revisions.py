"""Revisions of a wiki and what changed between them (WK-5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from anamnesis.domain.wiki.pages import Tree

#: Author of what a compile commits.
COMPILER: Final = "Anamnesis"
#: Stands for the message of a commit that named what was erased since (EP-8).
ERASED_MESSAGE: Final = "A revision that named what was erased since"


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit.

    Attributes
    ----------
    id
        Hex SHA-1 of git's commit object, 40 digits.
    parents
        Ids of those it was made from; none for the first.
    at
        Aware, in UTC, to the second.
    message
        Its first line says what changed, the rest is the changelog entry.
    """

    id: str
    parents: tuple[str, ...]
    author: str
    at: datetime
    message: str


@dataclass(frozen=True, slots=True)
class PageChange:
    """One file that differs between two revisions; `before` or `after` is None where it did not exist."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class TreeDelta:
    """What to write and what to remove to make one tree of another."""

    written: Mapping[str, str]
    removed: frozenset[str]

    def __bool__(self) -> bool:
        """Whether there is any difference."""
        return bool(self.written or self.removed)


def delta(before: Tree, after: Tree) -> TreeDelta:
    """What makes `after` of `before`."""
    return TreeDelta(
        {path: text for path, text in after.items() if before.get(path) != text},
        frozenset(before.keys() - after.keys()),
    )
