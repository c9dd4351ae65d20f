"""The history of a checkout: revisions, pages as they were, what changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dulwich.diff_tree import tree_changes
from dulwich.errors import NotGitRepository
from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.repo import Repo

from anamnesis.agents.wiki import Compared, Refused, RevisionLine
from anamnesis.domain.wiki.diffs import unified
from anamnesis.domain.wiki.revisions import PageChange

#: Most characters of a diff that are made; an answer has room for fewer.
MAX_DIFF_CHARS: Final = 400_000
_HEX: Final = 40


class GitHistory:
    """Git's history of a folder, where it is a repository.

    Parameters
    ----------
    folder
        Of the work tree.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def head(self) -> str:
        """Id of the current revision, empty where there is none."""
        try:
            with self._repository() as repo:
                return repo.head().decode()
        except (Refused, KeyError):
            return ""

    def read(self, path: str, revision: str) -> str:
        """A page as it was at a revision."""
        with self._repository() as repo:
            commit = self._commit(repo, revision, "revision")
            try:
                _, name = repo[commit.tree].lookup_path(repo.__getitem__, path.encode())  # type: ignore[attr-defined]
            except (KeyError, ValueError):
                raise Refused("there is no such page in this revision", field="path") from None
            return _text(repo, name) or ""

    def log(self, path: str | None, limit: int) -> tuple[RevisionLine, ...]:
        """Revisions, newest first; with a path those that changed it."""
        with self._repository() as repo:
            try:
                walk = repo.get_walker(paths=None if path is None else [path.encode()], max_entries=limit)
                return tuple(_line(entry.commit) for entry in walk)
            except KeyError:
                return ()

    def compare(self, old: str | None, new: str | None, path: str | None) -> Compared:
        """What changed between two revisions."""
        with self._repository() as repo:
            then = self._commit(repo, new, "new")
            first = old if old is not None else next((parent.decode() for parent in then.parents), None)
            before = None if first is None else self._commit(repo, first, "old")
            changes = list(_changes(repo, before, then, path))
        diff = unified(changes, most_chars=MAX_DIFF_CHARS)
        return Compared(diff.text, tuple(change.path for change in changes), diff.whole)

    def _repository(self) -> Repo:
        try:
            return Repo(self._folder)
        except NotGitRepository:
            raise Refused(
                "this folder has no history: `anamnesis wiki checkout` makes one that has"
            ) from None

    def _commit(self, repo: Repo, revision: str | None, argument: str) -> Commit:
        try:
            if revision is None:
                found = [repo.head()]
            elif len(revision) == _HEX:
                found = [ObjectID(revision.encode())]
            else:
                found = list(repo.object_store.iter_prefix(revision.encode()))
            commits = [obj for name in set(found) if isinstance(obj := repo[name], Commit)]
        except (KeyError, ValueError):
            commits = []
        if len(commits) != 1:
            raise Refused("there is no such revision; `history` lists them", field=argument)
        return commits[0]


def _changes(repo: Repo, old: Commit | None, new: Commit, path: str | None) -> Iterator[PageChange]:
    differing = tree_changes(repo.object_store, None if old is None else old.tree, new.tree)
    for change in differing:
        before, after = change.old, change.new
        name = ((after and after.path) or (before and before.path) or b"").decode(errors="replace")
        if path is None or name == path or name.startswith(f"{path}/"):
            yield PageChange(
                name,
                None if before is None or before.sha is None else _text(repo, before.sha),
                None if after is None or after.sha is None else _text(repo, after.sha),
            )


def _text(repo: Repo, name: ObjectID) -> str | None:
    found = repo[name]
    if isinstance(found, Tree):
        raise Refused("this is a folder", field="path")
    return found.data.decode(errors="replace") if isinstance(found, Blob) else None


def _line(commit: Commit) -> RevisionLine:
    at = datetime.fromtimestamp(commit.commit_time, UTC).isoformat().replace("+00:00", "Z")
    author = commit.author.decode(errors="replace").partition(" <")[0]
    return RevisionLine(commit.id.decode(), at, author, commit.message.decode(errors="replace"))
