"""What a client of git is answered: fetching over smart HTTP, in the oldest version and in version 2, without a state.

A whole history is the stored packs behind each other. Of a part, entries are copied as they are stored, with their
deltas where what these build on goes along. A client that allows it (``fetch.uriProtocols``) is given addresses of the
stored packs instead, when the answer would be larger than the service may send.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.pack import OFS_DELTA, pack_object_header

from anamnesis.adapters.git.manifest import PackRecord
from anamnesis.adapters.git.objects import BLOB, COMMIT
from anamnesis.adapters.git.packet_lines import (
    DELIMITER,
    FLUSH,
    FetchRequest,
    banded,
    fetch_of,
    line,
    read_first_version,
    read_second_version,
    refusal,
)
from anamnesis.adapters.git.packs import header, joined, whole_entry
from anamnesis.adapters.git.snapshots import Snapshot
from anamnesis.domain.errors import InvalidInput

BRANCH: Final = "refs/heads/main"
AGENT: Final = "agent=anamnesis"
_NOTHING: Final = "0" * 40
_CAPABILITIES: Final = (
    f"multi_ack_detailed side-band-64k ofs-delta shallow deepen-relative no-progress symref=HEAD:{BRANCH} "
    f"object-format=sha1 {AGENT}"
)
_TOO_BIG: Final = (
    "this is more than one answer may hold: clone with git's option '-c fetch.uriProtocols=https,http', "
    "or less of the history with --depth"
)


@dataclass(frozen=True, slots=True)
class UploadPack:
    """Answers of one state of a wiki.

    Attributes
    ----------
    most_bytes
        Largest answer.
    address_of
        Where a stored pack can be fetched from, without a token and for a short time.
    """

    snapshot: Snapshot
    most_bytes: int
    address_of: Callable[[PackRecord], str]

    def advertisement(self, *, version: int) -> bytes:
        """What there is: ``GET info/refs``."""
        begin = line("# service=git-upload-pack") + FLUSH
        if version == 2:
            offered = ("version 2", AGENT, "ls-refs", "fetch=shallow packfile-uris", "object-format=sha1")
            return begin + b"".join(map(line, offered)) + FLUSH
        head = self.snapshot.manifest.head
        if head is None:
            return begin + line(f"{_NOTHING} capabilities^{{}}\0{_CAPABILITIES}") + FLUSH
        return begin + line(f"{head} HEAD\0{_CAPABILITIES}") + line(f"{head} {BRANCH}") + FLUSH

    def answer(self, request: bytes, *, version: int) -> bytes:
        """What ``POST git-upload-pack`` is answered.

        Raises
        ------
        InvalidInput
            If the request is none of git's.
        """
        if version == 2:
            command, arguments = read_second_version(request)
            if command == "ls-refs":
                return b"".join(self._references(arguments))
            if command != "fetch":
                raise InvalidInput("is no request of git's that is answered here", field="body")
            return b"".join(self._fetched(fetch_of(arguments), self._second_version))
        return b"".join(self._fetched(read_first_version(request), self._first_version))

    def _references(self, arguments: Iterable[bytes]) -> Iterator[bytes]:
        prefixes = [
            text[11:].decode("utf-8", "replace") for text in arguments if text.startswith(b"ref-prefix ")
        ]
        target = f" symref-target:{BRANCH}" if b"symrefs" in arguments else ""
        head = self.snapshot.manifest.head
        for name, more in (("HEAD", target), (BRANCH, "")):
            if head is not None and (not prefixes or any(name.startswith(prefix) for prefix in prefixes)):
                yield line(f"{head} {name}{more}")
        yield FLUSH

    def _fetched(
        self, asked: FetchRequest, form: Callable[[FetchRequest, _Selection], Iterator[bytes]]
    ) -> Iterator[bytes]:
        if any(not self._is_commit(want) for want in asked.wants):
            return iter([refusal("a revision that is asked for is not in the history any more")])
        if not asked.wants:
            return iter([FLUSH])
        return form(asked, _Selection(self.snapshot, asked, {h for h in asked.haves if self._is_commit(h)}))

    def _is_commit(self, id_: str) -> bool:
        return bytes.fromhex(id_) in self.snapshot and self.snapshot.get(bytes.fromhex(id_))[0] == COMMIT

    # ------------------------------------------------------------------ the oldest version
    def _first_version(self, asked: FetchRequest, chosen: _Selection) -> Iterator[bytes]:
        pack = self._pack(chosen) if asked.done else b""
        if len(pack) > self.most_bytes:
            yield refusal(_TOO_BIG)
            return
        if asked.depth is not None:
            yield from chosen.shallow_lines()
            yield FLUSH
        if not asked.done and not asked.haves:
            # Without a state, this was to learn where the history is cut.
            return
        detailed = b"multi_ack_detailed" in asked.capabilities
        common = [have for have in asked.haves if have in chosen.common]
        if detailed:
            yield from (line(f"ACK {have} common") for have in common)
        if not asked.done:
            if detailed and common:
                yield line(f"ACK {common[-1]} ready")
            yield line("NAK" if detailed or not common else f"ACK {common[0]}")
            return
        yield line(f"ACK {common[-1]}" if common else "NAK")
        if b"side-band-64k" in asked.capabilities:
            yield from banded(pack)
            yield FLUSH
        else:
            yield pack

    # ------------------------------------------------------------------ version 2
    def _second_version(self, asked: FetchRequest, chosen: _Selection) -> Iterator[bytes]:
        if not asked.done and not chosen.common:
            yield line("acknowledgments") + line("NAK") + FLUSH
            return
        pack, elsewhere = self._pack(chosen), []
        if len(pack) > self.most_bytes:
            elsewhere = [
                f"{record.checksum} {address}"
                for record, _ in self.snapshot.maps()
                if (address := self.address_of(record)).partition("://")[0] in asked.uri_protocols
            ]
            if len(elsewhere) < len(self.snapshot.manifest.packs):
                yield refusal(_TOO_BIG)
                return
            # All that there is, which is more than is wanted at times.
            pack = joined([])
        if not asked.done:
            yield line("acknowledgments")
            yield from (line(f"ACK {have}") for have in asked.haves if have in chosen.common)
            yield line("ready") + DELIMITER
        if asked.depth is not None:
            yield line("shallow-info")
            yield from chosen.shallow_lines()
            yield DELIMITER
        if elsewhere:
            yield line("packfile-uris")
            yield from map(line, elsewhere)
            yield DELIMITER
        yield line("packfile")
        yield from banded(pack)
        yield FLUSH

    # ------------------------------------------------------------------ packs
    def _pack(self, chosen: _Selection) -> bytes:
        if chosen.is_everything:
            if sum(record.pack_bytes for record in self.snapshot.manifest.packs) > self.most_bytes:
                # Not worth reading: it is only measured.
                return bytes(self.most_bytes + 1)
            return joined([self.snapshot.whole(record) for record, _ in self.snapshot.maps()])
        wanted = chosen.objects()
        parts = [header(len(wanted))]
        offset = len(parts[0])
        for record, map_ in self.snapshot.maps():
            at: dict[int, int] = {}
            for index, id_ in enumerate(map_.ids):
                if id_ not in wanted:
                    continue
                base = map_.bases[index]
                if map_.kinds[index] == BLOB:
                    stored = map_.stored_in(self.snapshot.whole(record), 0, index)
                else:
                    stored = map_.stored_structure(index)
                if base < 0:
                    entry = stored.whole
                elif base in at:
                    head = pack_object_header(
                        OFS_DELTA, offset - at[base], stored.size, DEFAULT_OBJECT_FORMAT
                    )
                    entry = bytes(head) + stored.deflated
                else:
                    entry = whole_entry(*self.snapshot.get(id_))
                at[index] = offset
                parts.append(entry)
                offset += len(entry)
        body = b"".join(parts)
        return body + hashlib.sha1(body, usedforsecurity=False).digest()


class _Selection:
    """Which commits a client is sent.

    Parameters
    ----------
    common
        Those that it has and that are in the history.
    """

    def __init__(self, snapshot: Snapshot, asked: FetchRequest, common: set[str]) -> None:
        self._snapshot = snapshot
        self._asked = asked
        self.common = common
        self._edge, self._inside = self._depths() if asked.depth is not None else (set(), set())
        self._has = set(self._walk(common, stop=asked.shallows))
        if asked.depth is None:
            self._sent = list(self._walk(asked.wants, stop=asked.shallows, without=self._has))
        else:
            # What is behind commits that it has may be what it deepens by.
            self._sent = [c for c in self._walk(asked.wants, stop=self._edge) if c not in self._has]

    @property
    def is_everything(self) -> bool:
        """Whether that is the whole history."""
        return not self._has and not self._edge and self._snapshot.manifest.head in self._asked.wants

    def shallow_lines(self) -> Iterator[bytes]:
        """Which commits become shallow, and which are so no longer."""
        yield from (line(f"shallow {c}") for c in sorted(self._edge - self._asked.shallows))
        yield from (line(f"unshallow {c}") for c in sorted(self._asked.shallows & self._inside))

    def objects(self) -> set[bytes]:
        """Ids of everything that is sent."""
        seen: set[str] = set()
        # What the client has with the commits that the sent ones build on; it has more, which may go along again.
        border = {
            parent for commit in self._sent for parent in self._snapshot.links(commit).parents
        } & self._has
        for commit in border:
            self._add(self._snapshot.root(commit), seen)
        known = set(seen)
        for commit in self._sent:
            self._add(self._snapshot.root(commit), seen)
        return {bytes.fromhex(id_) for id_ in (seen - known).union(self._sent)}

    def _add(self, tree: str, seen: set[str]) -> None:
        if tree in seen:
            return
        seen.add(tree)
        for entry in self._snapshot.folder(tree).values():
            if entry.is_folder:
                self._add(entry.id, seen)
            else:
                seen.add(entry.id)

    def _walk(self, start: Iterable[str], *, stop: set[str], without: Collection[str] = ()) -> Iterator[str]:
        """Commits from some on, but for some, and not what is behind those or behind those to stop at."""
        todo = [commit for commit in dict.fromkeys(start) if commit not in without]
        seen = {*todo, *without}
        while todo:
            commit = todo.pop()
            yield commit
            if commit not in stop:
                new = [parent for parent in self._snapshot.links(commit).parents if parent not in seen]
                seen.update(new)
                todo.extend(dict.fromkeys(new))

    def _depths(self) -> tuple[set[str], set[str]]:
        """Commits at which the history is cut, and those before them."""
        level = list(dict.fromkeys(self._asked.wants))
        depths = dict.fromkeys(level, 1)
        while level:
            following = []
            for commit in level:
                for parent in self._snapshot.links(commit).parents:
                    if parent not in depths:
                        depths[parent] = depths[commit] + 1
                        following.append(parent)
            level = following
        most = self._asked.depth or 0
        if self._asked.relative:
            most += max((depths.get(shallow, 0) for shallow in self._asked.shallows), default=0)
        edge = {
            commit
            for commit, depth in depths.items()
            if depth == most and self._snapshot.links(commit).parents
        }
        return edge, {commit for commit, depth in depths.items() if depth <= most} - edge
