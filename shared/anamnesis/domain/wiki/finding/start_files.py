"""The small set of files that a session starts with, and grows from there (WU-3)."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import (
    INDEX_PATH,
    KNOWLEDGE,
    NOTES,
    SESSION_INDEX_PATH,
    SESSIONS,
    Tree,
)

#: Summaries of the latest sessions that come before everything but the indexes, preferences and goals. Ours.
LATEST_SESSIONS: Final = 8
_SESSION_DAY: Final = re.compile(rf"^{SESSIONS}/(\d{{4}}-\d{{2}}-\d{{2}})-[^/]+/summary\.md$")


@dataclass(frozen=True, slots=True)
class WikiFile:
    """A file as it is handed out.

    Attributes
    ----------
    fingerprint
        SHA-256 (hex) of its text in UTF-8: a caller that names it has this very file already.
    """

    path: str
    text: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Handed:
    """Files for a caller that may have some of them.

    Attributes
    ----------
    files
        Those that the caller lacks or has in another form.
    unchanged
        Paths of those that the caller has as they are.
    left_out
        How many more there are that had no room.
    """

    files: tuple[WikiFile, ...]
    unchanged: tuple[str, ...]
    left_out: int


def fingerprint(text: str) -> str:
    """Name what a file says: SHA-256 in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def hand_out(tree: Tree, paths: Iterator[str], *, have: Mapping[str, str], max_bytes: int) -> Handed:
    """Those of `paths` that fit, first come, first served; what the caller has takes no room.

    Parameters
    ----------
    have
        Fingerprints by path of what the caller has.
    max_bytes
        Most bytes of UTF-8 of all files handed out.
    """
    files: list[WikiFile] = []
    unchanged: list[str] = []
    left_out, room = 0, max_bytes
    for path in dict.fromkeys(path for path in paths if path in tree):
        text = tree[path]
        mark = fingerprint(text)
        if have.get(path) == mark:
            unchanged.append(path)
        elif (size := len(text.encode())) <= room:
            files.append(WikiFile(path, text, mark))
            room -= size
        else:
            left_out += 1
    return Handed(tuple(files), tuple(unchanged), left_out)


def start_files(tree: Tree) -> Iterator[str]:
    """Yield every path of a tree but transcripts, what a session needs first at the beginning.

    The indexes; how the student likes to work and what they work towards; the latest sessions; then pages of knowledge
    and notes, those that changed last first, and the remaining summaries.
    """
    yield from (path for path in (INDEX_PATH, SESSION_INDEX_PATH) if path in tree)
    for folder in ("learnings", "projects"):
        yield from _newest_first(tree, f"{KNOWLEDGE}/{folder}/")
    sessions = sorted((path for path in tree if _SESSION_DAY.match(path)), reverse=True)
    yield from sessions[:LATEST_SESSIONS]
    yield from _newest_first(tree, f"{KNOWLEDGE}/")
    yield from _newest_first(tree, f"{NOTES}/")
    yield from sessions[LATEST_SESSIONS:]


def _newest_first(tree: Tree, prefix: str) -> Iterator[str]:
    paths = [path for path in tree if path.startswith(prefix)]
    yield from sorted(sorted(paths), key=lambda path: _updated(path, tree[path]), reverse=True)


def _updated(path: str, text: str) -> str:
    front = read(path, text[:4_000]).front or {}
    return str(front.get("updated", ""))


def session_files(transcript: str) -> Iterator[str]:
    """Yield the files of the session that a transcript is of: summary, then the transcript itself."""
    folder = posixpath.dirname(transcript)
    yield f"{folder}/summary.md"
    yield transcript
