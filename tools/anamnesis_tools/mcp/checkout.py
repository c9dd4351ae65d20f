"""A wiki on disk, as `anamnesis wiki checkout` makes it, for an agent: files, and git's history where there is one."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from anamnesis.agents.wiki import (
    Compared,
    Followed,
    FoundPage,
    PageName,
    PageNames,
    PageText,
    Recalled,
    Refused,
    RevisionLine,
    Taught,
    Written,
)
from anamnesis.domain.wiki.finding.search import Corpus, Hit
from anamnesis.domain.wiki.finding.written_turns import is_transcript
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import MAX_SESSION_FILE_BYTES, Tree
from anamnesis.domain.wiki.writing.index_within import index_within
from anamnesis_tools.failures import CommandFailed
from anamnesis_tools.mcp.cited import following, turn_at
from anamnesis_tools.mcp.git_history import GitHistory

#: Callers may name a path from the folder that the tree is called (WK-1).
ROOT: Final = "memory/"
#: Longest file that is read, in bytes: twice what a compile writes, for what somebody added by hand. Ours.
MAX_FILE_BYTES: Final = 2 * MAX_SESSION_FILE_BYTES
#: Characters of a page that are looked at for its title.
_HEAD_CHARS: Final = 8_000
_NOT_LIVE: Final = (
    "(This is a checkout: searched by words over pages and transcripts, not by meaning over the record.)"
)


class NoWikiThere(CommandFailed):
    """The folder holds no wiki."""


class CheckoutWiki:
    """The port ``Wiki`` over a folder; files are read anew when they change.

    Parameters
    ----------
    folder
        The checkout. Nothing outside of it is read, whatever its links name.

    Raises
    ------
    NoWikiThere
        If it holds no page.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git = GitHistory(folder)
        self._lock = threading.Lock()
        self._state: tuple[tuple[str, int, int], ...] = ()
        self._tree: dict[str, str] = {}
        self._corpora: dict[bool, Corpus] = {}
        if not any(path.startswith("knowledge/") for path in self._read()):
            raise NoWikiThere(f"{folder} holds no wiki: `anamnesis wiki checkout` makes one.")

    def index(self, budget_tokens: int) -> str:
        """What there is, within a budget."""
        return index_within(self._read(), budget_tokens)

    def page(self, path: str, revision: str | None) -> PageText:
        """One page, as it lies in the folder, or as it was."""
        path = path.removeprefix(ROOT)
        if revision is not None:
            return PageText(path, revision, self._git.read(path, revision))
        text = self._read().get(path)
        if text is None:
            raise Refused("there is no such page; `search` finds pages", field="path")
        return PageText(path, self._git.head(), text)

    def pages(self, cursor: str | None, limit: int) -> PageNames:
        """All pages, in order of their paths; the cursor is the last path."""
        tree = self._read()
        paths = sorted(path for path in tree if cursor is None or path > cursor)
        names = [PageName(path, read(path, tree[path][:_HEAD_CHARS]).title) for path in paths[:limit]]
        return PageNames(tuple(names), paths[limit - 1] if len(paths) > limit else None)

    def search(self, query: str, limit: int) -> tuple[FoundPage, ...]:
        """Pages that hold words, best first; transcripts are for recall."""
        return tuple(
            FoundPage(hit.path, hit.title, hit.updated, tuple((p.line, p.text) for p in hit.passages))
            for hit in self._corpus(transcripts=False).search(query, limit=limit)
        )

    def follow(self, address: str, from_turn: int) -> Followed:
        """What a checkout holds of what stands at an address."""
        return following(self._read(), address, from_turn)

    def recall(self, description: str, time_zone: str, limit: int) -> Recalled:  # noqa: ARG002 words have no time
        """Lines of pages and transcripts by their words, which it says: the record itself is not here."""
        hits = self._corpus(transcripts=True).search(description, limit=limit)
        told = [line for hit in hits for line in self._lines(hit)]
        text = "\n".join(told) or "No page and no transcript holds these words."
        return Recalled(f"{_NOT_LIVE}\n\n{text}", tuple(hit.path for hit in hits))

    def history(self, path: str | None, limit: int) -> tuple[RevisionLine, ...]:
        """Revisions, newest first."""
        return self._git.log(None if path is None else path.removeprefix(ROOT).rstrip("/"), limit)

    def compare(self, old: str | None, new: str | None, path: str | None) -> Compared:
        """What changed between two revisions."""
        return self._git.compare(old, new, None if path is None else path.removeprefix(ROOT).rstrip("/"))

    def teach(self, subject: str, text: str) -> Taught:  # noqa: ARG002
        """A checkout records nothing."""
        raise Refused("a checkout cannot record anything: start `anamnesis mcp` with --api for that")

    def write(self, path: str, text: str, base: str) -> Written:  # noqa: ARG002
        """A checkout is not written through here: no gate would have read it."""
        raise Refused("a checkout is not written to: start `anamnesis mcp` with --api for that")

    # ------------------------------------------------------------------ parts
    def _lines(self, hit: Hit) -> Iterator[str]:
        text = self._read().get(hit.path, "")
        for passage in hit.passages:
            turn = turn_at(text, passage.line)
            where = f"{hit.path}, line {passage.line}" + (f", `{turn}`" if turn else "")
            yield f"- {passage.text} ({where})"

    def _corpus(self, *, transcripts: bool) -> Corpus:
        tree = self._read()
        with self._lock:
            if transcripts not in self._corpora:
                self._corpora[transcripts] = Corpus(
                    {p: t for p, t in tree.items() if _is_searched(p, transcripts=transcripts)}
                )
            return self._corpora[transcripts]

    def _read(self) -> Tree:
        """All pages, read again when a file was changed, added or removed."""
        with self._lock:
            found = sorted(_files(self._folder))
            state = tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in found)
            if state != self._state:
                self._tree = dict(_texts(self._folder, found))
                self._corpora = {}
                self._state = state
            return self._tree


def _files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Paths of the pages below a folder; nothing hidden, no links, nothing too large."""
    stack = [""]
    while stack:
        below = stack.pop()
        with os.scandir(folder / below) as entries:
            for entry in entries:
                path = f"{below}{entry.name}"
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_dir():
                    stack.append(f"{path}/")
                elif entry.name.endswith(".md") and (stat := entry.stat()).st_size <= MAX_FILE_BYTES:
                    yield path, stat


def _texts(folder: Path, files: list[tuple[str, os.stat_result]]) -> Iterator[tuple[str, str]]:
    for path, _ in files:
        try:
            yield path, (folder / path).read_bytes().decode(errors="replace")
        except OSError:  # gone since it was listed
            continue


def _is_searched(path: str, *, transcripts: bool) -> bool:
    level, _, rest = path.partition("/")
    if not rest or level not in {"knowledge", "notes", "sessions"} or rest.endswith("index.md"):
        return False
    return transcripts or not is_transcript(path)
