"""A history without some of its files (EP-8, WD-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from dulwich.objects import ObjectID

from anamnesis.adapters.git.histories import newest_first
from anamnesis.adapters.git.objects import (
    BLOB,
    COMMIT,
    Entry,
    GitObject,
    commit_of,
    entries_of,
    name_of,
    object_id,
    tree_object,
)
from anamnesis.adapters.git.snapshots import Snapshot
from anamnesis.domain.wiki.revisions import ERASED_MESSAGE

#: The tree that holds nothing.
_EMPTY = tree_object("", {})


class Rewriting:
    """Commits, folders and files as they are without what is refused.

    Parameters
    ----------
    snapshot
        The history as it is.
    keeps
        Asked for (path, text) of every file of every revision once, and for ("", message) of every commit.
    """

    def __init__(self, snapshot: Snapshot, keeps: Callable[[str, str], bool]) -> None:
        self._snapshot = snapshot
        self._keeps = keeps
        self._kept: dict[tuple[str, str], bool] = {}
        self._trees: dict[tuple[str, str], str] = {}
        self._made: dict[str, GitObject] = {_EMPTY.id.hex(): _EMPTY}

    def head(self, head: str) -> str | None:
        """The commit that stands for `head`: itself when nothing is refused, None when nothing is left."""
        self._fetch_everything()
        became: dict[str, tuple[str, ...]] = {}
        for old in reversed(list(newest_first(self._snapshot, head))):
            links = self._snapshot.links(old)
            tree = self._tree(links.tree, "")
            parents = tuple(dict.fromkeys(chain.from_iterable(became[parent] for parent in links.parents)))
            before = {self._snapshot.root(parent) for parent in links.parents} or {_EMPTY.id.hex()}
            now = self._root(parents[0]) if parents else _EMPTY.id.hex()
            message_is_kept = self._asked("", _message(self._snapshot.commit(old)), old)
            if links.tree not in before and len(parents) < 2 and tree == now:
                became[old] = parents
            elif message_is_kept and (tree, parents) == (links.tree, links.parents):
                became[old] = (old,)
            else:
                became[old] = (self._commit(old, tree, parents, message_is_kept=message_is_kept),)
        return next(iter(became[head]), None)

    def objects(self, head: str) -> Iterator[GitObject]:
        """Everything that the new head needs, newest first."""
        todo, order = [head], []
        seen = {head}
        while todo:
            commit = todo.pop()
            order.append(commit)
            for parent in commit_of(self._data(commit)).parents:
                if (parent_id := parent.decode()) not in seen:
                    seen.add(parent_id)
                    todo.append(parent_id)
        for commit in order:
            data = self._data(commit)
            yield GitObject(bytes.fromhex(commit), COMMIT, 0, data)
            yield from self._below(commit_of(data).tree.decode(), "", seen)

    def _below(self, tree: str, path: str, seen: set[str]) -> Iterator[GitObject]:
        if tree in seen:
            return
        seen.add(tree)
        entries = entries_of(self._data(tree))
        yield tree_object(path, entries)
        for name, entry in entries.items():
            inside = f"{path}/{name}" if path else name
            if entry.is_folder:
                yield from self._below(entry.id, inside, seen)
            elif entry.id not in seen:
                seen.add(entry.id)
                yield GitObject(bytes.fromhex(entry.id), BLOB, name_of(inside), self._data(entry.id))

    def _fetch_everything(self) -> None:
        self._snapshot.fetch(
            id_
            for _, map_ in self._snapshot.maps()
            for id_, kind in zip(map_.ids, map_.kinds, strict=True)
            if kind == BLOB
        )

    def _data(self, id_: str) -> bytes:
        made = self._made.get(id_)
        return self._snapshot.get(bytes.fromhex(id_))[1] if made is None else made.data

    def _root(self, commit: str) -> str:
        return str(commit_of(self._data(commit)).tree.decode())

    def _asked(self, path: str, text: str, id_: str) -> bool:
        if (path, id_) not in self._kept:
            self._kept[path, id_] = self._keeps(path, text)
        return self._kept[path, id_]

    def _tree(self, tree: str, path: str) -> str:
        """Hex id of a folder without what is refused in it; that of the empty tree when nothing is left."""
        if (tree, path) not in self._trees:
            kept: dict[str, Entry] = {}
            entries = self._snapshot.folder(tree)
            for name, entry in entries.items():
                inside = f"{path}/{name}" if path else name
                if entry.is_folder:
                    folder = self._tree(entry.id, inside)
                    if folder != _EMPTY.id.hex():
                        kept[name] = Entry(folder, is_folder=True)
                elif self._asked(inside, self._snapshot.text(entry.id), entry.id):
                    kept[name] = entry
            if kept == entries:
                self._trees[tree, path] = tree
            else:
                made = tree_object(path, kept)
                self._made[made.id.hex()] = made
                self._trees[tree, path] = made.id.hex()
        return self._trees[tree, path]

    def _commit(self, old: str, tree: str, parents: tuple[str, ...], *, message_is_kept: bool) -> str:
        commit = commit_of(self._snapshot.commit(old))
        commit.tree = ObjectID(tree.encode())
        commit.parents = [ObjectID(parent.encode()) for parent in parents]
        if not message_is_kept:
            commit.message = ERASED_MESSAGE.encode()
        data = commit.as_raw_string()
        id_ = object_id(COMMIT, data)
        self._made[id_.hex()] = GitObject(id_, COMMIT, 0, data)
        return id_.hex()


def _message(commit: bytes) -> str:
    return str(commit_of(commit).message.decode("utf-8", "replace"))
