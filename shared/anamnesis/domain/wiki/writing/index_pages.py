"""Indexes: one line for each page, of the whole wiki, of a subject's concepts, of all sessions (WK-1, WU-1).

A line is made from the page's own text, whoever wrote it: its title, half a line of its current state, the day of its
newest evidence. Where a list is too long for a page, the pages that matter most stay and the line behind them says how
many more there are, and where.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from anamnesis.domain.text.one_line import one_line
from anamnesis.domain.wiki.page_format import context_link, escaped, front_matter, read
from anamnesis.domain.wiki.pages import (
    INDEX_PATH,
    KNOWLEDGE,
    MAX_PAGE_BYTES,
    SESSION_INDEX_PATH,
    PageKind,
    Tree,
    without_ending,
)
from anamnesis.domain.wiki.writing.subjects import NO_DAY
from anamnesis.domain.wiki.writing.wording import MAX_TITLE_CHARS, counted

#: Longest state on a line, in characters: half a line. Ours.
MAX_STATE_CHARS: Final = 100
#: What the relative link of a line is shown as.
OPEN: Final = "open"
#: Days in which half of what recency adds to a page's importance is gone, as with memories (RC-2).
HALF_LIFE_DAYS: Final = 75
#: How much a page of a kind matters, 0–1: preferences and goals say how to work with the student at all, then where
#: they stand; sessions and notes are where one goes on from there. Ours.
_WEIGHTS: Final[Mapping[str, float]] = {
    PageKind.LEARNING: 1.0,
    PageKind.PROJECT: 0.95,
    PageKind.CONCEPT: 0.8,
    PageKind.ENTITY: 0.7,
    PageKind.SESSION: 0.5,
    PageKind.NOTE: 0.3,
}
#: Of a concept that the student has nothing to do with yet.
_UNTOUCHED_WEIGHT: Final = 0.1
#: What of a page is read for its line, in characters: front matter with many sources is long.
_HEAD_CHARS: Final = 60_000
_HEADINGS: Final[Mapping[str, str]] = {
    PageKind.LEARNING: "Learnings",
    PageKind.PROJECT: "Projects",
    PageKind.ENTITY: "Entities",
    PageKind.CONCEPT: "Concepts",
    PageKind.SESSION: "Sessions",
    PageKind.NOTE: "Notes",
}
_ORDER: Final = tuple(_HEADINGS)
_SUBJECT_INDEX: Final = re.compile(rf"{KNOWLEDGE}/concepts/([^/]+)/[^/]+")
_NOTE_FOLDER: Final = re.compile(r"notes/([^/]+)/.+")
_LINK: Final = re.compile(r"\[\[[^\[\]|\n]+\|((?:\\.|[^\]\\\n])*)\]\]")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
#: What stays free on an index page for headings, counts and front matter, in bytes.
_RESERVE_BYTES: Final = 6_000
#: What of that the main index gives to groups of which no page has room.
_SPARE_BYTES: Final = 4_000


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What an index says of one page.

    Attributes
    ----------
    path
        Without ``.md``.
    kind
        As in the front matter.
    state
        The first sentence of the page, cut; may be empty.
    subject
        Name of the subject's folder; empty for pages about all.
    touched
        Whether anything that the student did stands behind it.
    """

    path: str
    title: str
    kind: str
    state: str
    updated: date
    subject: str
    touched: bool

    @property
    def group(self) -> tuple[str, str, bool]:
        """What it is listed with: kind, subject, and for concepts whether they were worked on."""
        return (self.kind, self.subject, self.touched or self.kind != PageKind.CONCEPT)

    @property
    def folder(self) -> str:
        """Where it lies; a session's own folder counts as its name."""
        return self.path.split("/", 1)[0] if self.kind == PageKind.SESSION else posixpath.dirname(self.path)

    @property
    def order(self) -> tuple[int, str]:
        """Place in a group: the newest first."""
        return (-self.updated.toordinal(), self.path)


def entries_of(tree: Tree) -> tuple[IndexEntry, ...]:
    """One entry for each page that an index lists, by path; indexes and transcripts are none."""
    entries = (entry_of(path, text) for path, text in sorted(tree.items()))
    return tuple(entry for entry in entries if entry is not None)


def entry_of(path: str, text: str) -> IndexEntry | None:
    """What an index says of a page; None of one that no index lists."""
    if path.endswith("/transcript.md") or "/transcript-" in path or not path.endswith(".md"):
        return None
    head = text[:_HEAD_CHARS]
    # What stands before the first section is all that a line needs.
    page = read(path, head[: head.find("\n## ")] if "\n## " in head else head)
    front = page.front or {}
    kind = front.get("kind")
    if kind not in _WEIGHTS:
        return None
    sources = front.get("sources")
    touched = isinstance(sources, list) and any(
        str(source).startswith(("episode://", "session://")) for source in sources
    )
    subject = _SUBJECT_INDEX.fullmatch(path) or _NOTE_FOLDER.fullmatch(path)
    return IndexEntry(
        path=without_ending(path),
        title=one_line(page.title, most=MAX_TITLE_CHARS),
        kind=str(kind),
        state=_state([line.text for line in page.lines]),
        updated=_day(front),
        subject=subject[1] if subject else "",
        touched=touched,
    )


def _day(front: Mapping[str, Any]) -> date:
    try:
        return date.fromisoformat(str(front.get("updated")))
    except ValueError:
        return NO_DAY


def _state(lines: Sequence[str]) -> str:
    """The first sentence under the title, as plain text."""
    body = iter(lines)
    for line in body:
        if line.startswith("# "):
            break
    first = next((line for line in body if line.strip()), "")
    if first.startswith(("#", "- ")):
        return ""
    words = _ESCAPE.sub(r"\1", _LINK.sub(r"\1", first.split(" [cite:")[0]))
    return one_line(words, most=MAX_STATE_CHARS)


def importance(entry: IndexEntry, newest: date) -> float:
    """How much a page matters in an index, 0–1: by its kind, half of it waning with its age beside the newest page."""
    weight = _WEIGHTS[entry.kind]
    if entry.kind == PageKind.CONCEPT and not entry.touched:
        weight = _UNTOUCHED_WEIGHT
    age = max(0, (newest - entry.updated).days)
    return float(weight * (0.5 + 0.5 * 0.5 ** (age / HALF_LIFE_DAYS)))


def by_importance(entries: Sequence[IndexEntry]) -> list[IndexEntry]:
    """The entries, those that matter most beside the newest page first."""
    newest = max((entry.updated for entry in entries), default=NO_DAY)
    return sorted(entries, key=lambda entry: (-importance(entry, newest), entry.order))


def group_order(group: tuple[str, str, bool]) -> tuple[bool, int, str]:
    """Place of a group among all: what was worked on first, then by kind and subject."""
    kind, subject, touched = group
    return (not touched, _ORDER.index(PageKind(kind)), subject)


def _heading(group: tuple[str, str, bool]) -> str:
    kind, subject, touched = group
    name = _HEADINGS[kind] + (f" of {subject}" if subject else "")
    return f"{name}:" if touched else f"{name}, not worked on yet:"


def _line(page: str, entry: IndexEntry) -> str:
    """A line of an index page: a context link, also as a relative one, its state, its day."""
    state = f": {escaped(entry.state, at_start=False)}" if entry.state else ""
    day = "" if entry.updated == NO_DAY else f" ({entry.updated.isoformat()})"
    return f"- {context_link(page, entry.path, entry.title, label=OPEN)}{state}{day}"


def subject_indexes(entries: Sequence[IndexEntry], order: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Pages that list all concepts of each subject, in teaching order, in as many parts as they need.

    Parameters
    ----------
    order
        By the subject's folder, the paths of its concepts' pages.
    """
    pages: dict[str, str] = {}
    for subject in sorted({entry.subject for entry in entries if entry.kind == PageKind.CONCEPT}):
        of_subject = {e.path: e for e in entries if e.kind == PageKind.CONCEPT and e.subject == subject}
        known = [of_subject.pop(path) for path in order.get(subject, ()) if path in of_subject]
        listed = [*known, *sorted(of_subject.values(), key=lambda entry: entry.path)]
        base = f"{KNOWLEDGE}/concepts/{subject}/index"
        pages.update(_parts(base, f"Concepts of {subject}", listed, MAX_PAGE_BYTES))
    return pages


def session_indexes(entries: Sequence[IndexEntry]) -> dict[str, str]:
    """``sessions/index.md``, the newest first; by month where they are too many for one page."""
    sessions = sorted((e for e in entries if e.kind == PageKind.SESSION), key=_session_order)
    base = without_ending(SESSION_INDEX_PATH)
    lines = [_line(SESSION_INDEX_PATH, entry) for entry in sessions]
    if _size(lines) <= MAX_PAGE_BYTES - _RESERVE_BYTES:
        return _parts(base, "Sessions", sessions, MAX_PAGE_BYTES)
    months: dict[str, list[IndexEntry]] = {}
    for entry in sessions:
        months.setdefault(entry.updated.isoformat()[:7], []).append(entry)
    pages: dict[str, str] = {}
    head = ["## Months", ""]
    for month, of_month in months.items():
        path = f"sessions/{month}"
        pages.update(_parts(path, f"Sessions of {month}", of_month, MAX_PAGE_BYTES))
        link = context_link(SESSION_INDEX_PATH, path, month)
        head.append(f"- {link}: {counted(len(of_month), 'session')}")
    room = MAX_PAGE_BYTES - _RESERVE_BYTES - _size(head)
    body = ["## Latest", "", *_fitting(lines, room), "", *head]
    pages[SESSION_INDEX_PATH] = _index_text("Sessions", sessions, body)
    return pages


def _session_order(entry: IndexEntry) -> tuple[int, str]:
    return entry.order


def main_index(entries: Sequence[IndexEntry]) -> str:
    """``knowledge/index.md``: all pages by kind and subject, the most important ones where there is no room for all."""
    groups: dict[tuple[str, str, bool], list[IndexEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    left = MAX_PAGE_BYTES - _RESERVE_BYTES
    opened: set[tuple[str, str, bool]] = set()
    lines: dict[str, str] = {}
    for entry in by_importance(entries):
        line = _line(INDEX_PATH, entry)
        new = entry.group not in opened
        left -= len(line.encode()) + 1 + (_overhead(entry.group, len(groups[entry.group])) if new else 0)
        if left < 0:
            break
        opened.add(entry.group)
        lines[entry.path] = line
    # What has no room for a page of its own may still have some for where its pages are found.
    left = _SPARE_BYTES
    for group in sorted(groups.keys() - opened, key=group_order):
        left -= _overhead(group, len(groups[group]))
        if left < 0:
            break
        opened.add(group)
    body: list[str] = []
    for group in sorted(opened, key=group_order):
        of_group = sorted(groups[group], key=lambda entry: entry.order)
        body += ["", f"## {escaped(_heading(group).rstrip(':'), at_start=False)}", ""]
        body += [lines[entry.path] for entry in of_group if entry.path in lines]
        missing = sum(entry.path not in lines for entry in of_group)
        if missing or group[0] in {PageKind.CONCEPT, PageKind.SESSION}:
            body.append(_elsewhere(group, missing))
    if unopened := groups.keys() - opened:
        more = sum(len(groups[group]) for group in unopened)
        body += ["", "## More", "", f"- {more} more of {counted(len(unopened), 'kind')}, in their folders"]
    return _index_text("Index", entries, body[1:])


def _overhead(group: tuple[str, str, bool], pages: int) -> int:
    """Bytes of a group's heading and of the line behind its pages."""
    return len(escaped(_heading(group)).encode()) + len(_elsewhere(group, pages).encode()) + 8


def _elsewhere(group: tuple[str, str, bool], missing: int) -> str:
    more = f"{missing} more" if missing else "all"
    kind, subject, _ = group
    if kind == PageKind.CONCEPT and subject:
        path = f"{KNOWLEDGE}/concepts/{subject}/index"
        return f"- {more}: {context_link(INDEX_PATH, path, f'concepts of {subject}')}"
    if kind == PageKind.SESSION:
        return f"- {more}: {context_link(INDEX_PATH, without_ending(SESSION_INDEX_PATH), 'all sessions')}"
    return f"- {more} in this folder"


def _parts(base: str, title: str, entries: Sequence[IndexEntry], most_bytes: int) -> dict[str, str]:
    """An index in as many pages as it needs: ``base.md``, ``base-2.md`` and so on."""
    parts: list[list[IndexEntry]] = [[]]
    size = 0
    for entry in entries:
        length = len(_line(f"{base}.md", entry).encode()) + 1
        if parts[-1] and size + length > most_bytes - _RESERVE_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(entry)
        size += length
    names = [base, *(f"{base}-{number}" for number in range(2, len(parts) + 1))]
    pages: dict[str, str] = {}
    for index, (name, of_part) in enumerate(zip(names, parts, strict=True)):
        path = f"{name}.md"
        body = [_line(path, entry) for entry in of_part] or ["Nothing yet."]
        links = [
            context_link(path, names[i], f"{title}, part {i + 1}")
            for i in (index - 1, index + 1)
            if 0 <= i < len(names)
        ]
        if links:
            body += ["", " · ".join(links)]
        pages[path] = _index_text(title if not index else f"{title}, part {index + 1}", of_part, body)
    return pages


def _index_text(title: str, entries: Sequence[IndexEntry], body: Sequence[str]) -> str:
    days = [entry.updated for entry in entries if entry.updated != NO_DAY] or [NO_DAY]
    head = front_matter(title=title, kind=PageKind.INDEX, created=min(days), updated=max(days))
    count = f"{counted(len(entries), 'page')}." if entries else "Nothing is recorded yet."
    return "\n".join([head, "", f"# {escaped(title, at_start=False)}", "", count, "", *body]).rstrip() + "\n"


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    return kept
