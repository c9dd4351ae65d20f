"""Where wikis are kept, what writes them, and where evidence outside the log comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.connectors import Registered
from anamnesis.domain.wiki.evidence import ConnectorRecord, WikiEvidence
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import PageChange, Revision


class WikiRepository(Protocol):
    """Every student's wiki with its whole history, as git keeps it (WK-5, WK-6)."""

    def head(self, scope: StudentScope) -> Revision | None:
        """The current revision; None before the first compile."""

    def revision(self, scope: StudentScope, revision: str) -> Revision:
        """One revision.

        Raises
        ------
        NotFound
            If there is no such revision; ``revision`` may be a unique prefix of 7 digits or more.
        """

    def tree(self, scope: StudentScope, revision: str) -> Tree:
        """All files of a revision.

        Raises
        ------
        NotFound
            As for ``revision``.
        """

    def read(self, scope: StudentScope, revision: str, path: str) -> str:
        """One file of a revision.

        Raises
        ------
        NotFound
            If there is no such revision or file.
        """

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
        """Store a tree as a commit and move the head to it; everything that it needs is stored before the head moves.

        Raises
        ------
        HeadMoved
            If the head is no longer `expected`; nothing that a reader sees has changed then.
        """

    def log(self, scope: StudentScope, *, path: str | None, before: str | None, limit: int) -> list[Revision]:
        """Revisions, newest first, from the head or the parent of `before` on; with `path`, those that changed it."""

    def changes(self, scope: StudentScope, old: str | None, new: str) -> list[PageChange]:
        """What differs between two revisions, by path; `old` None stands for the empty tree."""

    def rewrite(self, scope: StudentScope, keeps: Callable[[str, str], bool]) -> None:
        """Take out of the whole history every file whose (path, text) `keeps` refuses, and remove its objects (EP-8).

        `keeps` is asked for every file of every revision, and for each commit's message with an empty path: a refused
        one is replaced by ``ERASED_MESSAGE``. Revisions from the first that differs on get new ids; those that are left
        without a change of files go, with the head when none is left. A writer that started from an old id is refused,
        and an old id leads to nothing. When nothing is refused, nothing changes.
        """

    def erase(self, scope: StudentScope) -> None:
        """Remove the whole wiki and its history; nothing happens when there is none."""

    def sweep(self, scope: StudentScope, *, until: datetime) -> None:
        """Remove what writers that died left behind before `until`, an hour ago or earlier; no reader sees it."""

    def advertise(self, scope: StudentScope, *, version: int = 0) -> bytes:
        """What git's smart HTTP protocol answers to ``GET info/refs?service=git-upload-pack``.

        Parameters
        ----------
        version
            Of the protocol that the client speaks (header ``Git-Protocol``): 2, or any other for the oldest.
        """

    def upload_pack(self, scope: StudentScope, request: bytes, *, version: int = 0) -> bytes:
        """What git's smart HTTP protocol answers to ``POST git-upload-pack``.

        Raises
        ------
        InvalidInput
            If the request is not of that protocol.
        """


class WikiWriter(Protocol):
    """Makes the staged tree of a compile (WD-3)."""

    @property
    def name(self) -> str:
        """Name and version."""

    def write(
        self, evidence: WikiEvidence, current: Tree, *, seconds_left: Callable[[], float] | None = None
    ) -> Tree:
        """The whole tree as it should be now; `current` is what stands, whose agents' notes are carried over.

        Parameters
        ----------
        seconds_left
            Until the compile, with its gates and its commit, must have ended; None when nothing bounds it.

        Raises
        ------
        ModelUnavailable
            If a model that it needs does not answer.
        """


class Connector(Protocol):
    """Evidence outside the log, read only (WD-6)."""

    @property
    def name(self) -> str:
        """As in ``connector://name/…``."""

    def fetch(self, path: str) -> ConnectorRecord:
        """One record as it is now.

        Raises
        ------
        NotFound
            If there is none.
        """

    def search(self, query: str, *, limit: int) -> list[ConnectorRecord]:
        """Records that hold the words of `query`, all records for an empty one, soonest first."""


class ConnectorStore(Protocol):
    """The connectors that tenants registered, with what they returned last."""

    def save(self, tenant: str, connector: Registered) -> None:
        """Keep a connector in place of one of the same name."""

    def all(self, tenant: str) -> list[Registered]:
        """Every connector of a tenant, by name."""

    def get(self, tenant: str, name: str) -> Registered | None:
        """One connector."""

    def remove(self, tenant: str, name: str) -> None:
        """Remove a connector; nothing happens when there is none."""


class WebPages(Protocol):
    """What URLs of the public Internet return."""

    def fetch(self, url: str, *, max_bytes: int) -> bytes:
        """What the URL returns.

        Raises
        ------
        InvalidInput
            If the URL is none that is fetched; names the field ``url``.
        TooLarge
            If there are more than `max_bytes`.
        """
