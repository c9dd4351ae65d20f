"""Read a wiki: its index, pages, history and what changed (WU-1, WU-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from anamnesis.domain.cursors import decoded, encoded
from anamnesis.domain.errors import InvalidInput, NotFound
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.text.tokens import estimate_tokens
from anamnesis.domain.wiki.diffs import Diff, unified
from anamnesis.domain.wiki.page_format import ReadPage, read
from anamnesis.domain.wiki.revisions import PageChange, Revision
from anamnesis.domain.wiki.writing.index_within import index_within
from anamnesis.ports import WikiRepository

#: Callers may name a path from the root of the git tree or from the folder that the tree is called (WK-1).
ROOT: Final = "memory/"
#: Most characters of a diff in one reply: a reply of Lambda has 6 MiB, and JSON spells a character in up to 12 bytes.
MAX_DIFF_CHARS: Final = 400_000
#: Characters of a page that are looked at for its front matter.
_HEAD_CHARS: Final = 8_000


@dataclass(frozen=True, slots=True)
class WikiIndex:
    """An index within a budget, of a revision, and how many tokens it takes."""

    revision: Revision
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class WikiPage:
    """A page of a revision, as text and taken apart."""

    revision: Revision
    path: str
    text: str
    page: ReadPage


@dataclass(frozen=True, slots=True)
class ListedPage:
    """What a list says of a page; `front` is empty where it has no front matter."""

    path: str
    size_bytes: int
    title: str
    front: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PageList:
    """Pages by path; `cursor` asks for those after them, None on the last."""

    revision: Revision
    pages: tuple[ListedPage, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class WikiLog:
    """Revisions, newest first; `cursor` asks for older ones, None on the last."""

    revisions: tuple[Revision, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class WikiDiff:
    """What changed from one revision to another; `old` None stands for an empty wiki."""

    old: Revision | None
    new: Revision
    changes: tuple[PageChange, ...]
    diff: Diff


@dataclass(frozen=True, slots=True)
class ReadWiki:
    """The use case; ask it for an index, a page, a list, the history or a diff."""

    repository: WikiRepository

    def index(self, scope: StudentScope, *, budget_tokens: int) -> WikiIndex:
        """What there is, within a budget, for an agent's first message (WU-1).

        Raises
        ------
        NotFound
            If there is no wiki yet.
        InvalidInput
            If the budget is too small for any index.
        """
        revision = self._revision(scope, None)
        text = index_within(self.repository.tree(scope, revision.id), budget_tokens)
        return WikiIndex(revision, text, estimate_tokens(text))

    def page(self, scope: StudentScope, path: str, *, rev: str | None) -> WikiPage:
        """One page, of the current revision or another one.

        Raises
        ------
        NotFound
            If there is no wiki yet, no such revision or no such page in it; names which.
        """
        revision = self._revision(scope, rev)
        path = path.removeprefix(ROOT)
        text = self.repository.read(scope, revision.id, path)
        return WikiPage(revision, path, text, read(path, text))

    def pages(
        self, scope: StudentScope, *, prefix: str, rev: str | None, cursor: str | None, limit: int
    ) -> PageList:
        """Pages whose paths begin so, in order of their paths.

        Raises
        ------
        NotFound
            As for ``page``.
        InvalidInput
            If the cursor is none that this gave.
        """
        after = "" if cursor is None else _text_in(cursor)
        revision = self._revision(scope, rev)
        prefix = prefix.removeprefix(ROOT)
        tree = self.repository.tree(scope, revision.id)
        paths = sorted(path for path in tree if path.startswith(prefix) and path > after)
        more = len(paths) > limit
        return PageList(
            revision,
            tuple(_listed(path, tree[path]) for path in paths[:limit]),
            encoded(paths[limit - 1]) if more else None,
        )

    def log(self, scope: StudentScope, *, path: str | None, cursor: str | None, limit: int) -> WikiLog:
        """The history, of one page or folder or of all.

        Raises
        ------
        InvalidInput
            If the cursor is none that this gave, or its revision is gone with an erasure.
        """
        before = None if cursor is None else _text_in(cursor)
        path = None if path is None else path.removeprefix(ROOT).rstrip("/")
        try:
            found = self.repository.log(scope, path=path, before=before, limit=limit + 1)
        except NotFound:
            raise InvalidInput("is not a cursor of this history", field="cursor") from None
        more = len(found) > limit
        return WikiLog(tuple(found[:limit]), encoded(found[limit - 1].id) if more else None)

    def diff(self, scope: StudentScope, *, old: str | None, new: str | None, path: str | None) -> WikiDiff:
        """What changed between two revisions, of one page or folder or of all.

        Parameters
        ----------
        old
            By default the one before `new`; what the first revision is compared with is an empty wiki.
        new
            By default the current one.

        Raises
        ------
        NotFound
            If there is no wiki yet, or no such revision; names which.
        """
        then = self._revision(scope, new, field="to")
        if old is None:
            before = self._revision(scope, then.parents[0]) if then.parents else None
        else:
            before = self._revision(scope, old, field="from")
        changes = self.repository.changes(scope, None if before is None else before.id, then.id)
        if path is not None:
            wanted = path.removeprefix(ROOT).rstrip("/")
            changes = [c for c in changes if c.path == wanted or c.path.startswith(f"{wanted}/")]
        return WikiDiff(before, then, tuple(changes), unified(changes, most_chars=MAX_DIFF_CHARS))

    def _revision(self, scope: StudentScope, rev: str | None, *, field: str = "rev") -> Revision:
        if rev is not None:
            try:
                return self.repository.revision(scope, rev)
            except NotFound as error:
                raise NotFound(error.detail, field=field) from None
        head = self.repository.head(scope)
        if head is None:
            raise NotFound("there is no wiki yet: the night compiles it")
        return head


def _listed(path: str, text: str) -> ListedPage:
    page = read(path, text[:_HEAD_CHARS])
    return ListedPage(path, len(text.encode()), page.title, page.front or {})


def _text_in(cursor: str) -> str:
    try:
        value = decoded(cursor)
    except ValueError:
        value = None
    if not isinstance(value, str):
        raise InvalidInput("is not a cursor that this route gave", field="cursor")
    return value
