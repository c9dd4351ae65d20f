"""Git's objects as values: what is in a pack, and how trees and commits are read and made."""

from __future__ import annotations

import hashlib
import re
import stat
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from dulwich.errors import ObjectFormatException
from dulwich.objects import Blob, Commit, ObjectID, Tree

from anamnesis.domain.errors import InvalidInput, StoreUnavailable
from anamnesis.domain.wiki.revisions import Revision

COMMIT: Final = Commit.type_num
TREE: Final = Tree.type_num
BLOB: Final = Blob.type_num
ID_BYTES: Final = 20
_NAMES: Final = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob"}
_FOLDER: Final = stat.S_IFDIR
_FILE: Final = stat.S_IFREG | 0o644
_FOLDER_MODE: Final = b"40000"
_ENTRY: Final = re.compile(rb"([0-7]{5,6}) ([^\0/]+)\0(.{20})", re.DOTALL)
_LINKS: Final = re.compile(
    rb"tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author [^\n]*\ncommitter [^\n]*> (\d+) [+-]\d{4}\n"
)


@dataclass(frozen=True, slots=True)
class GitObject:
    """One object as it goes into a pack.

    Attributes
    ----------
    id
        The 20 bytes of its SHA-1.
    name
        CRC-32 of its path, by which versions of one file or folder stand together; 0 for commits.
    deflated
        Its data as compressed before, None when it is still to do.
    """

    id: bytes
    kind: int
    name: int
    data: bytes
    deflated: bytes | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in a tree; `id` in hex."""

    id: str
    is_folder: bool


def object_id(kind: int, data: bytes) -> bytes:
    """The 20 bytes by which git knows an object."""
    header = b"%s %d\0" % (_NAMES[kind], len(data))
    return hashlib.sha1(header + data, usedforsecurity=False).digest()


def name_of(path: str) -> int:
    """What a path is known by inside a pack."""
    return zlib.crc32(path.encode())


def commit_object(
    tree: str, parents: Iterable[str], *, author: str, at: datetime, message: str
) -> tuple[GitObject, Revision]:
    """The commit, and what it says.

    Raises
    ------
    InvalidInput
        If the author has no name that git can keep.
    """
    commit = Commit()
    commit.tree = ObjectID(tree.encode())
    commit.parents = [ObjectID(parent.encode()) for parent in parents]
    commit.author = commit.committer = _identity(author)
    commit.author_time = commit.commit_time = int(at.timestamp())
    commit.author_timezone = commit.commit_timezone = 0
    commit.encoding = None
    commit.message = message.replace("\0", "").encode(errors="replace")
    data = commit.as_raw_string()
    made = GitObject(object_id(COMMIT, data), COMMIT, 0, data)
    return made, revision_of(made.id.hex(), data)


def _identity(author: str) -> bytes:
    kept = "".join(" " if c in "<>\n\0" else c for c in author).strip()
    if not kept:
        raise InvalidInput("must be a name", field="author")
    # Git wants an address; an empty one is one.
    return f"{kept} <>".encode(errors="replace")


def revision_of(commit_id: str, data: bytes) -> Revision:
    """What a commit says."""
    commit = commit_of(data)
    name = commit.author.decode("utf-8", "replace").rpartition(" <")[0]
    return Revision(
        id=commit_id,
        parents=tuple(parent.decode() for parent in commit.parents),
        author=name,
        at=datetime.fromtimestamp(commit.commit_time, UTC),
        message=commit.message.decode("utf-8", "replace"),
    )


def commit_of(data: bytes) -> Commit:
    """A commit's parts.

    Raises
    ------
    StoreUnavailable
        If it is none.
    """
    try:
        commit = Commit.from_string(data)
        commit.check()
    except (ObjectFormatException, ValueError, TypeError):
        raise StoreUnavailable("git: a commit cannot be read") from None
    return commit


@dataclass(frozen=True, slots=True)
class Links:
    """What leads from a commit to other objects, ids in hex; `time` in seconds since 1970."""

    tree: str
    parents: tuple[str, ...]
    time: int


def links_of(commit: bytes) -> Links:
    """What a commit leads to, without reading the rest of it."""
    found = _LINKS.match(commit)
    if found is None:
        raise StoreUnavailable("git: a commit cannot be read")
    parents = tuple(line[7:].decode() for line in found[2].splitlines())
    return Links(found[1].decode(), parents, int(found[3]))


def entries_of(tree: bytes) -> dict[str, Entry]:
    """What is in a folder, by name."""
    return {
        name.decode(): Entry(id_.hex(), is_folder=mode == _FOLDER_MODE) for mode, name, id_ in _entries(tree)
    }


def entry_of(tree: bytes, name: str) -> Entry | None:
    """One of what is in a folder; faster than to read all of it."""
    wanted = name.encode()
    for mode, found, id_ in _entries(tree):
        if found == wanted:
            return Entry(id_.hex(), is_folder=mode == _FOLDER_MODE)
    return None


def _entries(tree: bytes) -> list[tuple[bytes, bytes, bytes]]:
    found = _ENTRY.findall(tree)
    if sum(len(mode) + len(name) + 2 + ID_BYTES for mode, name, _ in found) != len(tree):
        raise StoreUnavailable("git: a tree cannot be read")
    return found


def tree_object(path: str, entries: Mapping[str, Entry]) -> GitObject:
    """The folder at a path."""
    tree = Tree()
    for name, entry in entries.items():
        tree.add(name.encode(), _FOLDER if entry.is_folder else _FILE, ObjectID(entry.id.encode()))
    data = tree.as_raw_string()
    return GitObject(object_id(TREE, data), TREE, name_of(f"{path}/"), data)


def tree_objects(files: Mapping[str, str]) -> Iterator[GitObject]:
    """Every folder of files that are given as hex ids of their blobs by path, deepest first, so that the root is last.

    Raises
    ------
    InvalidInput
        If a path is a file and a folder at once; names it.
    """
    folders: dict[str, dict[str, Entry]] = {"": {}}
    for path, blob in files.items():
        folder, _, name = path.rpartition("/")
        above = folder
        while above not in folders:
            folders[above] = {}
            above = above.rpartition("/")[0]
        folders[folder][name] = Entry(blob, is_folder=False)
    for path in files:
        if path in folders:
            raise InvalidInput("is a file and a folder at once", field=path)
    for path in sorted(folders, key=lambda path: (path == "", -path.count("/"), path)):
        made = tree_object(path, folders[path])
        if path:
            above, _, name = path.rpartition("/")
            folders[above][name] = Entry(made.id.hex(), is_folder=True)
        yield made
