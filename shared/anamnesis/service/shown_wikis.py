"""Wikis as readers may see them: not while something of theirs is being erased (EP-8).

A compiled page cannot be read past what is withheld, as a block can: a summary may tell it in other words, a clone of
the history holds all of it. So from the moment that an erasure has begun until it is done every reader of the student's
wiki, and whoever writes to it, is answered 503 with Retry-After. An erasure takes seconds, and one that was cut short
is finished by the night.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis.domain.errors import Unfinished
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import PageChange, Revision
from anamnesis.ports import EpisodeLog, Roster, WikiRepository
from anamnesis.service.withheld import Withheld


@dataclass(frozen=True, slots=True)
class ShownWikis:
    """The port ``WikiRepository`` for everything that answers somebody: each call asks first whether it may.

    Asked after reading, so that whatever had begun before is known then; one request for each subject, and one.
    """

    repository: WikiRepository
    roster: Roster
    episodes: EpisodeLog
    withheld: Withheld

    def check(self, scope: StudentScope) -> None:
        """Stop here while something of the student's is withheld.

        Raises
        ------
        Unfinished
            As said.
        """
        for pair in self.roster.pairs(scope.tenant, scope.student):
            if self.withheld.positions(pair, self.episodes.head(pair)):
                raise Unfinished(
                    "something of this student's is being erased; the wiki comes back without it"
                )

    def head(self, scope: StudentScope) -> Revision | None:
        """As of the repository."""
        found = self.repository.head(scope)
        self.check(scope)
        return found

    def revision(self, scope: StudentScope, revision: str) -> Revision:
        """As of the repository."""
        found = self.repository.revision(scope, revision)
        self.check(scope)
        return found

    def tree(self, scope: StudentScope, revision: str) -> Tree:
        """As of the repository."""
        found = self.repository.tree(scope, revision)
        self.check(scope)
        return found

    def read(self, scope: StudentScope, revision: str, path: str) -> str:
        """As of the repository."""
        found = self.repository.read(scope, revision, path)
        self.check(scope)
        return found

    def commit(
        self,
        scope: StudentScope,
        tree: Tree,
        *,
        parents: Sequence[Revision],
        expected: Revision | None,
        message: str,
        author: str,
        at: datetime,
    ) -> Revision:
        """As of the repository."""
        self.check(scope)
        return self.repository.commit(
            scope, tree, parents=parents, expected=expected, message=message, author=author, at=at
        )

    def log(self, scope: StudentScope, *, path: str | None, before: str | None, limit: int) -> list[Revision]:
        """As of the repository."""
        found = self.repository.log(scope, path=path, before=before, limit=limit)
        self.check(scope)
        return found

    def changes(self, scope: StudentScope, old: str | None, new: str) -> list[PageChange]:
        """As of the repository."""
        found = self.repository.changes(scope, old, new)
        self.check(scope)
        return found

    def rewrite(self, scope: StudentScope, keeps: Callable[[str, str], bool]) -> None:
        """As of the repository."""
        self.repository.rewrite(scope, keeps)

    def erase(self, scope: StudentScope) -> None:
        """As of the repository."""
        self.repository.erase(scope)

    def sweep(self, scope: StudentScope, *, until: datetime) -> None:
        """As of the repository."""
        self.repository.sweep(scope, until=until)

    def advertise(self, scope: StudentScope, *, version: int = 0) -> bytes:
        """As of the repository."""
        found = self.repository.advertise(scope, version=version)
        self.check(scope)
        return found

    def upload_pack(self, scope: StudentScope, request: bytes, *, version: int = 0) -> bytes:
        """As of the repository."""
        found = self.repository.upload_pack(scope, request, version=version)
        self.check(scope)
        return found
