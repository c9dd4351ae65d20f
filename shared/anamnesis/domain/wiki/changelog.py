"""What a commit says: its first line in short, then page by page what changed (WK-5)."""

from __future__ import annotations

from collections import Counter
from typing import Final

from anamnesis.domain.wiki.pages import KNOWLEDGE, NOTES, SESSIONS, Tree, without_ending
from anamnesis.domain.wiki.revisions import delta

#: Pages that a message lists; of more it says how many. Ours.
MAX_LISTED: Final = 60
_NOUNS: Final = {
    f"{KNOWLEDGE}/concepts": ("concept", "concepts"),
    f"{KNOWLEDGE}/entities": ("name", "names"),
    f"{KNOWLEDGE}/projects": ("project", "projects"),
    f"{KNOWLEDGE}/learnings": ("learning", "learnings"),
    NOTES: ("note", "notes"),
    SESSIONS: ("session", "sessions"),
}


def commit_message(before: Tree, after: Tree) -> str:
    """The message of the commit that makes `after` of `before`: subject line, empty line, one line a page.

    Indexes, transcripts and the changelog change with what they list, and are not told apart.
    """
    changes = delta(before, after)
    told = [
        *(("new" if path not in before else "revised", path) for path in sorted(changes.written)),
        *(("removed", path) for path in sorted(changes.removed)),
    ]
    shown = [(what, path) for what, path in told if _is_told(path)]
    counts = Counter((what, _noun(path)) for what, path in shown)
    parts = [
        f"{number} {what} {nouns[number != 1]}"
        for what in ("new", "revised", "removed")
        for nouns in _NOUNS.values()
        if (number := counts[what, nouns])
    ]
    subject = ", ".join(parts) or "Indexes"
    lines = [f"- {what}: {without_ending(path)}" for what, path in shown[:MAX_LISTED]]
    if len(shown) > MAX_LISTED:
        lines.append(f"- and {len(shown) - MAX_LISTED} more")
    return "\n".join([subject[0].upper() + subject[1:], *(["", *lines] if lines else [])])


def _is_told(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return "/" in path and not name.startswith(("index", "transcript")) and _noun(path) is not None


def _noun(path: str) -> tuple[str, str] | None:
    return next((nouns for folder, nouns in _NOUNS.items() if path.startswith(f"{folder}/")), None)
