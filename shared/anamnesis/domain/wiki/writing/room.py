"""A tree within its bounds: whatever is recorded, the newest of it is a wiki that may stand (WD-2, SV-12)."""

from __future__ import annotations

import re
from typing import Final

from anamnesis.domain.wiki.pages import NOTES, SESSIONS, Tree

#: Files of a wiki, and characters of all of them, that evidence may take: what the gates let pass, less room for
#: indexes and for agents' own pages. Ours.
MOST_FILES: Final = 26_000
MOST_CHARS: Final = 80_000_000
_SESSION: Final = re.compile(rf"{SESSIONS}/(\d{{4}}-\d{{2}}-\d{{2}}[^/]*)/(.*)")
_UPDATED: Final = re.compile(r'^updated: "(\d{4}-\d{2}-\d{2})"$', re.MULTILINE)


def beyond_room(tree: Tree, *, most_files: int = MOST_FILES, most_chars: int = MOST_CHARS) -> set[str]:
    """Paths that have no room: of the oldest sessions first the transcripts, then the summaries, then the oldest pages.

    The record itself stays in the log, where each citation leads. Notes go before pages of knowledge.
    """
    files, chars = len(tree), sum(map(len, tree.values()))
    left_out: set[str] = set()
    if files <= most_files and chars <= most_chars:
        return left_out
    for path in sorted(tree, key=lambda path: _order(path, tree[path])):
        if files <= most_files and chars <= most_chars:
            break
        files -= 1
        chars -= len(tree[path])
        left_out.add(path)
    return left_out


def _order(path: str, text: str) -> tuple[int, str, str]:
    """What goes first comes first."""
    session = _SESSION.fullmatch(path)
    if session is not None:
        return (int(session[2] == "summary.md"), session[1], path)
    updated = _UPDATED.search(text[:60_000])
    return (2 if path.startswith(f"{NOTES}/") else 3, updated[1] if updated else "", path)
