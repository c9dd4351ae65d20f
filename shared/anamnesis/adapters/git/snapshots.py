"""One state of a wiki, read as far as it is needed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anamnesis.adapters.git.manifest import Manifest, PackRecord, map_key, pack_key
from anamnesis.adapters.git.objects import BLOB, COMMIT, TREE, Entry, Links, entries_of, entry_of, links_of
from anamnesis.adapters.git.packs import PackMap
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.domain.errors import NotFound, StoreUnavailable
from anamnesis.domain.identifiers import StudentScope
from anamnesis.recently_used import RecentlyUsed

#: What a warm process keeps of packs, in bytes: some hundred wikis' maps, or a dozen big wikis. Ours: a tenth of the
#: memory of the function that answers routes, once for maps and once for packs.
CACHED_BYTES: Final = 96 * 1024 * 1024
#: Files that one call fetches one by one, in two rounds of requests; packs that more are wanted of come whole. Ours.
MAX_SINGLE_READS: Final = 32
#: A unique prefix of a revision has at least so many digits, as git shows by default.
MIN_PREFIX: Final = 7
_WHOLE_ID: Final = re.compile(r"[0-9a-f]{40}")


class PackCache:
    """What a warm process keeps of packs, which never change. Safe in many threads."""

    def __init__(self, most: int = CACHED_BYTES) -> None:
        self.maps: RecentlyUsed[str, PackMap] = RecentlyUsed(most, lambda kept: kept.weight)
        self.packs: RecentlyUsed[str, bytes] = RecentlyUsed(most, len)


@dataclass(frozen=True, slots=True)
class _Place:
    record: PackRecord
    map: PackMap
    index: int


class Snapshot:
    """The objects of a wiki as one manifest lists them. For one call of one thread.

    Parameters
    ----------
    content, scope, manifest
        Where, whose, and which state.
    cache
        What the process keeps of packs.

    Raises
    ------
    StoreUnavailable
        If a pack or its map is not there, or is not what was stored.
    """

    def __init__(
        self, content: ContentObjects, scope: StudentScope, manifest: Manifest, cache: PackCache
    ) -> None:
        self._content = content
        self.scope = scope
        self._cache = cache
        self.manifest = manifest
        self._maps = self._load_maps(manifest.packs)
        self._read: dict[bytes, bytes] = {}
        self._folders: dict[str, dict[str, Entry]] = {}
        self._links: dict[str, Links] = {}

    # ------------------------------------------------------------------ objects
    def __contains__(self, id_: bytes) -> bool:
        return self._place(id_) is not None

    def get(self, id_: bytes) -> tuple[int, bytes]:
        """Kind and data of an object by the 20 bytes of its id."""
        place = self._place(id_)
        if place is None:
            raise StoreUnavailable("git: an object is missing")
        kind = place.map.kinds[place.index]
        if id_ not in self._read:
            if kind == BLOB:
                self.fetch([id_])
            else:
                place.map.structure_object(place.index, self._read)
        return kind, self._read[id_]

    def fetch(self, ids: Iterable[bytes]) -> None:
        """Read many files at once: a request for each pack, or for each file where they are few."""
        wanted: dict[str, list[_Place]] = {}
        for id_ in dict.fromkeys(ids):
            if id_ in self._read:
                continue
            place = self._place(id_)
            if place is None:
                raise StoreUnavailable("git: an object is missing")
            wanted.setdefault(place.record.name, []).append(place)
        single: list[_Place] = []
        for places in sorted(wanted.values(), key=len):
            pack = self._cache.packs.get(places[0].record.name)
            if pack is None and len(single) + len(places) <= MAX_SINGLE_READS:
                single.extend(places)
                continue
            pack = pack or self.whole(places[0].record)
            for place in places:
                place.map.object_in(pack, 0, place.index, self._read)
        self._fetch_single(single)

    def _fetch_single(self, places: Sequence[_Place]) -> None:
        spans = [place.map.span(place.index) for place in places]
        parts = self._content.get_ranges(
            [
                (pack_key(self.scope, place.record.name), start, end - start)
                for place, (start, end) in zip(places, spans, strict=True)
            ]
        )
        for place, (start, _), part in zip(places, spans, parts, strict=True):
            if part is None:
                raise StoreUnavailable("git: a pack is missing")
            place.map.object_in(part, start, place.index, self._read)

    def whole(self, record: PackRecord) -> bytes:
        """All of a pack."""
        kept = self._cache.packs.get(record.name)
        if kept is not None:
            return kept
        pack = self._content.get(pack_key(self.scope, record.name))
        if pack is None:
            raise StoreUnavailable("git: a pack is missing")
        if hashlib.sha1(pack[:-20], usedforsecurity=False).hexdigest() != record.checksum:
            raise StoreUnavailable("git: a pack is damaged")
        self._cache.packs.keep(record.name, pack)
        return pack

    def maps(self) -> Iterator[tuple[PackRecord, PackMap]]:
        """Packs and their maps, newest first."""
        return zip(reversed(self.manifest.packs), reversed(self._maps), strict=True)

    def _place(self, id_: bytes) -> _Place | None:
        for record, map_ in self.maps():
            index = map_.at.get(id_)
            if index is not None:
                return _Place(record, map_, index)
        return None

    def _load_maps(self, records: Sequence[PackRecord]) -> list[PackMap]:
        found = {record.name: self._cache.maps.get(record.name) for record in records}
        missing = [record for record in records if found[record.name] is None]
        fetched = self._content.get_many([map_key(self.scope, record.name) for record in missing])
        for record in missing:
            data = fetched.get(map_key(self.scope, record.name))
            if data is None:
                raise StoreUnavailable("git: the map of a pack is missing")
            if hashlib.sha256(data).hexdigest() != record.map_hash:
                raise StoreUnavailable("git: the map of a pack is damaged")
            made = PackMap(data, pack_bytes=record.pack_bytes)
            self._cache.maps.keep(record.name, made)
            found[record.name] = made
        return [map_ for record in records if (map_ := found[record.name]) is not None]

    # ------------------------------------------------------------------ revisions, folders, files
    def resolve(self, revision: str) -> str:
        """Hex id of the commit that a unique prefix names.

        Raises
        ------
        NotFound
            If it names none, or several.
        """
        if _WHOLE_ID.fullmatch(revision):
            place = self._place(bytes.fromhex(revision))
            if place is not None and place.map.kinds[place.index] == COMMIT:
                return revision
        found = {
            id_.hex()
            for _, map_ in self.maps()
            for id_, kind in zip(map_.ids, map_.kinds, strict=True)
            if kind == COMMIT and id_.hex().startswith(revision)
        }
        if len(revision) < MIN_PREFIX or len(found) != 1:
            raise NotFound("there is no such revision", field="revision")
        return found.pop()

    def commit(self, commit_id: str) -> bytes:
        """The data of a commit."""
        return self._of_kind(commit_id, COMMIT)

    def links(self, commit_id: str) -> Links:
        """What a commit leads to."""
        if commit_id not in self._links:
            self._links[commit_id] = links_of(self.commit(commit_id))
        return self._links[commit_id]

    def root(self, commit_id: str) -> str:
        """Hex id of the tree of a commit."""
        return self.links(commit_id).tree

    def folder(self, tree_id: str) -> dict[str, Entry]:
        """What is in a folder, by name."""
        if tree_id not in self._folders:
            self._folders[tree_id] = entries_of(self._of_kind(tree_id, TREE))
        return self._folders[tree_id]

    def entry(self, tree_id: str, path: str) -> Entry | None:
        """The file or folder at a path below a tree."""
        found: Entry | None = Entry(tree_id, is_folder=True)
        for name in path.split("/"):
            if found is None or not found.is_folder:
                return None
            found = entry_of(self._of_kind(found.id, TREE), name)
        return found

    def files(self, tree_id: str, *, below: str = "") -> Iterator[tuple[str, str]]:
        """Path and blob of every file below a tree."""
        for name, entry in self.folder(tree_id).items():
            if entry.is_folder:
                yield from self.files(entry.id, below=f"{below}{name}/")
            else:
                yield f"{below}{name}", entry.id

    def changed(
        self, old: str | None, new: str | None, *, below: str = ""
    ) -> Iterator[tuple[str, str | None, str | None]]:
        """Path, blob before and blob after of every file that differs between two trees."""
        before = self.folder(old) if old else {}
        after = self.folder(new) if new else {}
        for name in before.keys() | after.keys():
            one, other = before.get(name), after.get(name)
            if one == other:
                continue
            folders = (
                one.id if one is not None and one.is_folder else None,
                other.id if other is not None and other.is_folder else None,
            )
            if any(folders):
                yield from self.changed(*folders, below=f"{below}{name}/")
            files = (
                one.id if one is not None and not one.is_folder else None,
                other.id if other is not None and not other.is_folder else None,
            )
            if any(files):
                yield f"{below}{name}", *files

    def text(self, blob: str) -> str:
        """A file's text."""
        try:
            return self._of_kind(blob, BLOB).decode()
        except UnicodeDecodeError:
            raise StoreUnavailable("git: a file is damaged") from None

    def _of_kind(self, id_: str, kind: int) -> bytes:
        found, data = self.get(bytes.fromhex(id_))
        if found != kind:
            raise StoreUnavailable("git: an object is of another kind")
        return data
