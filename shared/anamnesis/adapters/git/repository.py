"""The port ``WikiRepository``: git in the content bucket."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import dropwhile, islice
from typing import Final, TypeVar

from anamnesis.adapters.git.histories import newest_first, that_changed
from anamnesis.adapters.git.manifest import (
    Manifest,
    PackRecord,
    head_key,
    load,
    map_key,
    owner_prefix,
    pack_key,
    replace_by,
)
from anamnesis.adapters.git.objects import (
    BLOB,
    GitObject,
    commit_object,
    name_of,
    object_id,
    revision_of,
    tree_objects,
)
from anamnesis.adapters.git.packs import WrittenPack, written
from anamnesis.adapters.git.rewriting import Rewriting
from anamnesis.adapters.git.snapshots import PackCache, Snapshot
from anamnesis.adapters.git.upload_pack import UploadPack
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.errors import HeadMoved, InvalidInput, NotFound, StoreUnavailable
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.wiki.pages import Tree, checked_path
from anamnesis.domain.wiki.revisions import PageChange, Revision
from anamnesis.ports import IdSource

#: Most packs of a wiki. A cold read takes a request for each: one more makes some of them into one. Ours.
MAX_PACKS: Final = 12
#: Packs that are left at most when some are made into one. Ours.
KEPT_PACKS: Final = 4
#: Tries of what somebody else's change to the packs, not to the head, came between.
MAX_TRIES: Final = 8
#: Largest answer to git, in bytes. Lambda takes replies of 6,291,556 bytes, and bytes travel as base64, four for three.
MAX_ANSWER_BYTES: Final = 4_600_000
#: How long a signed address of a pack holds. Git begins to fetch it at once. Ours.
SIGNED_SECONDS: Final = 300
_MEDIA_TYPE: Final = "application/x-git-packed-objects"
T = TypeVar("T")


class GitWikiRepository:
    """Packs that never change, and one object that says which of them count and what the head is.

    A commit stores a pack of what is new and then replaces that object if it is still the one that it began with, so
    that whatever dies in between leaves objects that nothing lists (``sweep``). Safe to use from many threads.

    Parameters
    ----------
    content
        The content bucket.
    ids
        Where the names of packs come from.
    cache
        What this process keeps of packs.
    most_answer_bytes
        Largest answer to a client of git.
    """

    def __init__(
        self,
        content: ContentObjects,
        ids: IdSource,
        cache: PackCache | None = None,
        *,
        most_answer_bytes: int = MAX_ANSWER_BYTES,
    ) -> None:
        self._content = content
        self._ids = ids
        self._cache = cache or PackCache()
        self._most_answer_bytes = most_answer_bytes

    # ------------------------------------------------------------------ reading
    def head(self, scope: StudentScope) -> Revision | None:
        """The current revision; None before the first compile."""

        def found(snapshot: Snapshot) -> Revision | None:
            head = snapshot.manifest.head
            return None if head is None else revision_of(head, snapshot.commit(head))

        return self._reading(scope, found)

    def revision(self, scope: StudentScope, revision: str) -> Revision:
        """One revision."""

        def found(snapshot: Snapshot) -> Revision:
            commit = snapshot.resolve(revision)
            return revision_of(commit, snapshot.commit(commit))

        return self._reading(scope, found)

    def tree(self, scope: StudentScope, revision: str) -> Tree:
        """All files of a revision."""

        def found(snapshot: Snapshot) -> Tree:
            files = dict(snapshot.files(snapshot.root(snapshot.resolve(revision))))
            snapshot.fetch(bytes.fromhex(blob) for blob in files.values())
            return {path: snapshot.text(blob) for path, blob in files.items()}

        return self._reading(scope, found)

    def read(self, scope: StudentScope, revision: str, path: str) -> str:
        """One file of a revision."""

        def found(snapshot: Snapshot) -> str:
            entry = snapshot.entry(snapshot.root(snapshot.resolve(revision)), path)
            if entry is None or entry.is_folder:
                raise NotFound("there is no such page in this revision", field="path")
            return snapshot.text(entry.id)

        return self._reading(scope, found)

    def log(self, scope: StudentScope, *, path: str | None, before: str | None, limit: int) -> list[Revision]:
        """Revisions, newest first."""

        def found(snapshot: Snapshot) -> list[Revision]:
            after = None if before is None else snapshot.resolve(before)
            if snapshot.manifest.head is None:
                return []
            commits = newest_first(snapshot, snapshot.manifest.head)
            if after is not None:
                commits = islice(dropwhile(lambda commit: commit != after, commits), 1, None)
            if path is not None:
                commits = that_changed(snapshot, commits, path)
            return [revision_of(commit, snapshot.commit(commit)) for commit in islice(commits, limit)]

        return self._reading(scope, found)

    def changes(self, scope: StudentScope, old: str | None, new: str) -> list[PageChange]:
        """What differs between two revisions, by path."""

        def found(snapshot: Snapshot) -> list[PageChange]:
            before = None if old is None else snapshot.root(snapshot.resolve(old))
            changed = sorted(snapshot.changed(before, snapshot.root(snapshot.resolve(new))))
            snapshot.fetch(bytes.fromhex(blob) for _, *blobs in changed for blob in blobs if blob)
            return [
                PageChange(path, one and snapshot.text(one), other and snapshot.text(other))
                for path, one, other in changed
            ]

        return self._reading(scope, found)

    def advertise(self, scope: StudentScope, *, version: int = 0) -> bytes:
        """What git's smart HTTP protocol answers to ``GET info/refs?service=git-upload-pack``."""
        return self._reading(scope, lambda snapshot: self._serving(snapshot).advertisement(version=version))

    def upload_pack(self, scope: StudentScope, request: bytes, *, version: int = 0) -> bytes:
        """What git's smart HTTP protocol answers to ``POST git-upload-pack``.

        Raises
        ------
        InvalidInput
            If the request is not of that protocol.
        """
        return self._reading(scope, lambda snapshot: self._serving(snapshot).answer(request, version=version))

    def _serving(self, snapshot: Snapshot) -> UploadPack:
        def address_of(pack: PackRecord) -> str:
            return self._content.signed_url(pack_key(snapshot.scope, pack.name), seconds=SIGNED_SECONDS)

        return UploadPack(snapshot, self._most_answer_bytes, address_of)

    def _reading(self, scope: StudentScope, act: Callable[[Snapshot], T]) -> T:
        """What `act` makes of the current state; once more when its packs were replaced meanwhile."""
        manifest = load(self._content, scope)
        while True:
            try:
                return act(Snapshot(self._content, scope, manifest, self._cache))
            except StoreUnavailable:
                now = load(self._content, scope)
                if now.tag == manifest.tag:
                    raise
                manifest = now

    # ------------------------------------------------------------------ writing
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
        """Store a tree as a commit and move the head to it.

        Raises
        ------
        HeadMoved
            If the head is not `expected` any more.
        InvalidInput
            If a path or a text cannot be kept in git, or `parents` leave out `expected`, so that history would be lost.
        """
        blobs = {path: _blob(path, text) for path, text in tree.items()}
        folders = list(tree_objects({path: blob.id.hex() for path, blob in blobs.items()}))
        commit, revision = commit_object(
            folders[-1].id.hex(), [parent.id for parent in parents], author=author, at=at, message=message
        )
        objects = [commit, *folders, *blobs.values()]

        manifest = load(self._content, scope)
        for _ in range(MAX_TRIES):
            if manifest.head != (expected and expected.id):
                raise HeadMoved("another writer committed first")
            if manifest.head is not None and manifest.head not in {parent.id for parent in parents}:
                raise InvalidInput("a commit must build on the head", field="parents")
            snapshot = Snapshot(self._content, scope, manifest, self._cache)
            if any(bytes.fromhex(parent.id) not in snapshot for parent in parents):
                raise HeadMoved("a parent is not in the history any more")
            new = {item.id: item for item in objects if item.id not in snapshot}
            merged = _to_merge(manifest.packs)
            older = [
                item
                for record, map_ in islice(snapshot.maps(), merged)
                for item in map_.objects_in(snapshot.whole(record))
            ]
            record = self._store(scope, written([*new.values(), *older]))
            kept = manifest.packs[: len(manifest.packs) - merged]
            then = manifest.with_head(revision.id, [*kept, record])
            now = self._move(scope, then, [record])
            if now is None:
                self._delete(scope, manifest.packs[len(kept) :])
                return revision
            manifest = now
        raise StoreUnavailable("git: the packs of a wiki change all the time")

    def rewrite(self, scope: StudentScope, keeps: Callable[[str, str], bool]) -> None:
        """Take out of the whole history every file whose (path, text) `keeps` refuses, and remove its objects."""
        for _ in range(MAX_TRIES):
            manifest = load(self._content, scope)
            if manifest.head is None:
                return
            snapshot = Snapshot(self._content, scope, manifest, self._cache)
            rewriting = Rewriting(snapshot, keeps)
            head = rewriting.head(manifest.head)
            if head == manifest.head:
                return
            made = [] if head is None else [self._store(scope, written(rewriting.objects(head)))]
            if self._move(scope, manifest.with_head(head, made), made) is None:
                self._delete(scope, manifest.packs)
                return
        raise StoreUnavailable("git: the head of a wiki moves all the time")

    def erase(self, scope: StudentScope) -> None:
        """Remove the whole wiki and its history; nothing happens when there is none."""
        self._content.delete(head_key(scope))
        self._content.delete_many(self._content.keys(owner_prefix(scope)))

    def sweep(self, scope: StudentScope, *, until: datetime) -> None:
        """Remove packs written before `until` that do not count: what a writer that died left behind."""
        old = list(self._content.keys(f"{owner_prefix(scope)}packs/", until=until))
        if not old:
            return
        # Read after the keys were listed: what counts by now was written before, and what counts later is newer.
        listed = {pack.name for pack in load(self._content, scope).packs}
        self._content.delete_many(key for key in old if _pack_name(key) not in listed)

    # ------------------------------------------------------------------ parts
    def _store(self, scope: StudentScope, pack: WrittenPack) -> PackRecord:
        record = PackRecord(
            name=self._ids.new_salt(),
            checksum=hashlib.sha1(pack.pack[:-20], usedforsecurity=False).hexdigest(),
            map_hash=hashlib.sha256(pack.map).hexdigest(),
            pack_bytes=len(pack.pack),
            objects=pack.objects,
        )
        self._content.put_many(
            {pack_key(scope, record.name): pack.pack, map_key(scope, record.name): pack.map},
            media_type=_MEDIA_TYPE,
        )
        return record

    def _move(self, scope: StudentScope, then: Manifest, ours: Sequence[PackRecord]) -> Manifest | None:
        """Make `then` the state; the state that somebody else made meanwhile when that fails."""
        if replace_by(self._content, scope, then):
            return None
        now = load(self._content, scope)
        if set(ours) <= set(now.packs) if ours else now == replace(then, tag=now.tag):
            # It was stored, and the answer to the try that stored it was lost.
            return None
        self._delete(scope, ours)
        return now

    def _delete(self, scope: StudentScope, packs: Iterable[PackRecord]) -> None:
        keys = [make(scope, pack.name) for pack in packs for make in (pack_key, map_key)]
        if keys:
            self._content.delete_many(keys)


def _blob(path: str, text: str) -> GitObject:
    checked_path(path, field=path)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise InvalidInput("holds what UTF-8 cannot say", field=path) from None
    return GitObject(object_id(BLOB, data), BLOB, name_of(path), data)


def _pack_name(key: str) -> str:
    return key.rpartition("/")[2].partition(".")[0]


def _to_merge(packs: Sequence[PackRecord]) -> int:
    """How many of the newest packs are made into one with what is new.

    Packs are merged while the next older one is less than twice as big as all that is merged, so that a byte is written
    again no oftener than the logarithm of the number of commits.
    """
    if len(packs) < MAX_PACKS:
        return 0
    merged = size = 0
    for pack in reversed(packs):
        if len(packs) - merged < KEPT_PACKS and pack.pack_bytes > 2 * size:
            break
        merged, size = merged + 1, size + pack.pack_bytes
    return merged
