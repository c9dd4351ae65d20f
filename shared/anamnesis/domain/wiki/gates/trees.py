"""The tree as files: paths, sizes, encoding (WD-2, SV-13)."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.wiki.gates.findings import Findings, Rule
from anamnesis.domain.wiki.pages import (
    CHANGELOG_PATH,
    KNOWLEDGE,
    MAX_PAGE_BYTES,
    MAX_SESSION_FILE_BYTES,
    NOTES,
    SESSIONS,
    PageKind,
    Tree,
    checked_path,
)

#: Files of a tree at most: ten times what 1,000 sessions and 500 concepts make. Ours.
MAX_FILES: Final = 30_000
#: Bytes of a tree at most: what a function of a few hundred megabytes of memory can compare with another. Ours.
MAX_TREE_BYTES: Final = 128 * 1024 * 1024
#: Names that Windows keeps for devices, whatever the ending.
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_INDEX: Final = re.compile(r"(?:^|/)index(?:-\d+)?\.md$")
_PLACES: Final = (
    (re.compile(rf"{KNOWLEDGE}/concepts/[^/]+/[^/]+\.md"), PageKind.CONCEPT),
    (re.compile(rf"{KNOWLEDGE}/entities/[^/]+\.md"), PageKind.ENTITY),
    (re.compile(rf"{KNOWLEDGE}/projects/[^/]+\.md"), PageKind.PROJECT),
    (re.compile(rf"{KNOWLEDGE}/learnings/[^/]+\.md"), PageKind.LEARNING),
    (re.compile(rf"{NOTES}/[^/]+/(?:[^/]+/)?[^/]+\.md"), PageKind.NOTE),
    (re.compile(rf"{SESSIONS}/\d{{4}}-\d{{2}}(?:-\d+)?\.md"), PageKind.INDEX),
    (re.compile(rf"{SESSIONS}/[^/]+/summary\.md"), PageKind.SESSION),
    (re.compile(rf"{SESSIONS}/[^/]+/transcript(?:-\d+)?\.md"), PageKind.TRANSCRIPT),
)


def kind_at(path: str) -> PageKind | None:
    """The kind of the page that may stand at a path; None where none may."""
    if path == CHANGELOG_PATH:
        return PageKind.CHANGELOG
    if _INDEX.search(path) and path.startswith((f"{KNOWLEDGE}/", f"{NOTES}/", f"{SESSIONS}/")):
        return PageKind.INDEX
    return next((kind for pattern, kind in _PLACES if pattern.fullmatch(path)), None)


def size_limit(path: str) -> int:
    """Bytes that the page at a path may have."""
    long = path.startswith(f"{SESSIONS}/") or path == CHANGELOG_PATH
    return MAX_SESSION_FILE_BYTES if long else MAX_PAGE_BYTES


def check_tree(tree: Tree, found: Findings) -> list[str]:
    """Check paths, sizes and encoding; return the paths of what is fit to be read, in order."""
    if len(tree) > MAX_FILES or sum(map(len, tree.values())) > MAX_TREE_BYTES:
        found.add(
            "", 0, Rule.TREE_SIZE, f"must not have more than {MAX_FILES} files of {MAX_TREE_BYTES} bytes"
        )
        return []
    _check_collisions(tree, found)
    fit: list[str] = []
    for path in sorted(tree):
        if found.full:
            break
        if _check_path(path, found) and _check_text(path, tree[path], found):
            fit.append(path)
    return fit


def _check_path(path: str, found: Findings) -> bool:
    try:
        checked_path(path)
    except InvalidInput as error:
        found.add(_shown(path), 0, Rule.PATH, error.detail)
        return False
    if any(_DEVICE.fullmatch(part) or part.endswith(".") for part in path.split("/")):
        found.add(path, 0, Rule.PATH, "has a name that some systems keep for themselves")
        return False
    if kind_at(path) is None:
        found.add(path, 0, Rule.PATH, "is no place of the wiki's")
        return False
    return True


def _check_text(path: str, text: str, found: Findings) -> bool:
    # A character has a byte at least: a text that is far too long need not be encoded.
    limit = size_limit(path)
    try:
        too_long = len(text) > limit or len(text.encode()) > limit
    except UnicodeEncodeError:
        found.add(path, 0, Rule.ENCODING, "holds what is no character")
        return False
    if too_long:
        found.add(path, 0, Rule.SIZE, f"must not be longer than {limit} bytes")
    return not too_long


def _check_collisions(tree: Tree, found: Findings) -> None:
    """Refuse two paths that some file system takes for one, and a file where others need a folder."""
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in sorted(tree):
        folded = folded_path(path)
        if folded in seen:
            found.add(_shown(path), 0, Rule.COLLISION, "differs from another path in case or form alone")
        seen[folded] = path
        parts = path.split("/")
        for depth in range(1, len(parts)):
            folder = "/".join(parts[:depth])
            first = folders.setdefault(folded_path(folder), folder)
            if first != folder:
                found.add(
                    _shown(path),
                    0,
                    Rule.COLLISION,
                    "lies in a folder that another differs from in case alone",
                )
    for folded in seen.keys() & folders.keys():
        found.add(_shown(seen[folded]), 0, Rule.COLLISION, "is a file where others need a folder")


def folded_path(path: str) -> str:
    """A path as file systems compare it that know neither case nor forms of Unicode."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _shown(path: str) -> str:
    """A path that may hold anything, as it may be told."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in path[:200])
    return shown + ("…" if len(path) > 200 else "")
