"""``WikiRepository`` in memory: commits by the hash of all that they hold, as git keeps them."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from anamnesis.domain.errors import HeadMoved, InvalidInput, NotFound
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.revisions import ERASED_MESSAGE, PageChange, Revision

#: Fewest digits that a revision may be named by.
MIN_PREFIX = 7


@dataclass(frozen=True)
class Stored:
    """A commit with its files."""

    revision: Revision
    tree: dict[str, str]


class MemoryWikiRepository:
    """``WikiRepository`` in memory; it speaks no git, so that nobody can clone it."""

    def __init__(self) -> None:
        self.commits: dict[StudentScope, dict[str, Stored]] = {}
        self.heads: dict[StudentScope, Revision] = {}
        self._lock = threading.Lock()

    def head(self, scope: StudentScope) -> Revision | None:
        return self.heads.get(scope)

    def revision(self, scope: StudentScope, revision: str) -> Revision:
        return self._stored(scope, revision).revision

    def tree(self, scope: StudentScope, revision: str) -> Tree:
        return dict(self._stored(scope, revision).tree)

    def read(self, scope: StudentScope, revision: str, path: str) -> str:
        text = self._stored(scope, revision).tree.get(path)
        if text is None:
            raise NotFound("no such page in this revision", field="path")
        return text

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
        made = _stored(dict(tree), [p.id for p in parents], author, at, message)
        with self._lock:
            if self.heads.get(scope) != expected:
                raise HeadMoved("another writer committed first")
            self.commits.setdefault(scope, {})[made.revision.id] = made
            self.heads[scope] = made.revision
        return made.revision

    def log(self, scope: StudentScope, *, path: str | None, before: str | None, limit: int) -> list[Revision]:
        head = self.heads.get(scope)
        if before is not None:
            start = list(self._stored(scope, before).revision.parents)
        else:
            start = [] if head is None else [head.id]
        found = []
        for stored in self._from(scope, start):
            if path is None or self._changed(scope, stored, path):
                found.append(stored.revision)
            if len(found) == limit:
                break
        return found

    def changes(self, scope: StudentScope, old: str | None, new: str) -> list[PageChange]:
        before = {} if old is None else self._stored(scope, old).tree
        after = self._stored(scope, new).tree
        return [
            PageChange(path, before.get(path), after.get(path))
            for path in sorted(before.keys() | after.keys())
            if before.get(path) != after.get(path)
        ]

    def rewrite(self, scope: StudentScope, keeps: Callable[[str, str], bool]) -> None:
        while True:
            head = self.heads.get(scope)
            if head is None:
                return
            oldest_first = list(self._from(scope, [head.id]))[::-1]
            made: dict[str, Stored] = {}
            became: dict[str, list[str]] = {}
            for stored in oldest_first:
                old = stored.revision
                tree = {path: text for path, text in stored.tree.items() if keeps(path, text)}
                message = old.message if keeps("", old.message) else ERASED_MESSAGE
                parents = list(dict.fromkeys(new for p in old.parents for new in became[p]))
                before = [self.commits[scope][p].tree for p in old.parents] or [{}]
                if stored.tree not in before and len(parents) < 2 and tree == _tree_of(made, parents):
                    became[old.id] = parents
                    continue
                new = _stored(tree, parents, old.author, old.at, message)
                made[new.revision.id] = new
                became[old.id] = [new.revision.id]
            with self._lock:
                if self.heads.get(scope) != head:
                    continue
                self.commits[scope] = made
                if became[head.id]:
                    self.heads[scope] = made[became[head.id][0]].revision
                else:
                    del self.heads[scope]
                return

    def erase(self, scope: StudentScope) -> None:
        with self._lock:
            self.commits.pop(scope, None)
            self.heads.pop(scope, None)

    def sweep(self, scope: StudentScope, *, until: datetime) -> None:
        """Nothing is left behind here."""

    def advertise(self, scope: StudentScope, *, version: int = 0) -> bytes:
        raise InvalidInput("kept in memory, not in git")

    def upload_pack(self, scope: StudentScope, request: bytes, *, version: int = 0) -> bytes:
        raise InvalidInput("kept in memory, not in git")

    def everything(self, scope: StudentScope) -> str:
        """All that is kept of a wiki, as one text: what must not hold what was erased."""
        return json.dumps(
            [[s.revision.message, s.tree] for s in self.commits.get(scope, {}).values()], ensure_ascii=False
        )

    # ------------------------------------------------------------------ parts
    def _stored(self, scope: StudentScope, revision: str) -> Stored:
        commits = self.commits.get(scope, {})
        found = [stored for id_, stored in commits.items() if id_.startswith(revision)]
        if len(revision) < MIN_PREFIX or len(found) != 1:
            raise NotFound("no such revision", field="revision")
        return found[0]

    def _from(self, scope: StudentScope, start: Sequence[str]) -> Iterator[Stored]:
        """Commits that can be reached, each before its parents."""
        commits = self.commits.get(scope, {})
        seen: set[str] = set()
        ordered: list[Stored] = []
        stack = [(id_, False) for id_ in reversed(start)]
        while stack:
            id_, done = stack.pop()
            if done:
                ordered.append(commits[id_])
            elif id_ not in seen:
                seen.add(id_)
                stack.append((id_, True))
                stack.extend((parent, False) for parent in commits[id_].revision.parents)
        return reversed(ordered)

    def _changed(self, scope: StudentScope, stored: Stored, path: str) -> bool:
        parents = [self.commits[scope][id_].tree for id_ in stored.revision.parents] or [{}]
        return all(tree.get(path) != stored.tree.get(path) for tree in parents)


def _tree_of(made: dict[str, Stored], parents: Sequence[str]) -> dict[str, str]:
    return made[parents[0]].tree if parents else {}


def _stored(tree: dict[str, str], parents: Sequence[str], author: str, at: datetime, message: str) -> Stored:
    at = at.astimezone(UTC).replace(microsecond=0)
    told = [sorted(tree.items()), list(parents), author, at.isoformat(), message]
    id_ = hashlib.sha1(json.dumps(told).encode(), usedforsecurity=False).hexdigest()
    return Stored(Revision(id_, tuple(parents), author, at, message), tree)
