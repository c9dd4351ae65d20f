"""CHANGELOG.md and the messages of commits: what changed, in words (WK-5).

The changelog is dated by evidence, not by the clock: what was worked on and what changed about the student's standing,
day by day, so that a wiki made anew has the same one. A message tells one compile, from two trees. Neither holds more
of anybody's words than titles of pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.wiki.page_format import context_link, front_matter
from anamnesis.domain.wiki.pages import CHANGELOG_PATH, MAX_PAGE_BYTES, Page, PageKind, Tree, without_ending
from anamnesis.domain.wiki.revisions import delta
from anamnesis.domain.wiki.writing.index_pages import OPEN, IndexEntry, entries_of
from anamnesis.domain.wiki.writing.session_pages import session_title
from anamnesis.domain.wiki.writing.subjects import NO_DAY, ConceptView, SubjectView
from anamnesis.domain.wiki.writing.wording import STATES, counted, day_of, title

#: Days that the changelog tells, the latest. Ours; git has the others.
MAX_DAYS: Final = 120
#: Lines of one day.
MAX_DAY_LINES: Final = 40
#: Longest first line of a message, in characters; git's own tools cut titles about there.
MAX_FIRST_LINE: Final = 100
#: Pages that the rest of a message names.
MAX_NAMED: Final = 40
_RESERVE_BYTES: Final = 1_500
_NOW: Final = {Claim.UNDERSTANDS: "now understood", Claim.STRUGGLES_WITH: "now a struggle"}
_KINDS: Final = (
    (PageKind.SESSION, "session", "sessions"),
    (PageKind.CONCEPT, "concept", "concepts"),
    (PageKind.PROJECT, "project", "projects"),
    (PageKind.LEARNING, "learning", "learnings"),
    (PageKind.ENTITY, "entity", "entities"),
    (PageKind.NOTE, "page of notes", "pages of notes"),
)
#: Pages whose change is news by itself.
_FACTS: Final = (PageKind.PROJECT, PageKind.LEARNING, PageKind.ENTITY)


def changelog(subjects: Sequence[SubjectView], facts: Iterable[Page]) -> str:
    """The text of CHANGELOG.md, newest day first, within the size of a page."""
    by_day: dict[date, list[str]] = {}
    for day, line in sorted(_events(subjects, facts), key=lambda event: (event[0], event[1])):
        by_day.setdefault(day, []).append(line)
    days = sorted(by_day, reverse=True)
    body: list[str] = []
    left = MAX_PAGE_BYTES - _RESERVE_BYTES
    told = 0
    for day in days[:MAX_DAYS]:
        lines = by_day[day]
        block = ["", f"## {day.isoformat()}", "", *lines[:MAX_DAY_LINES]]
        if len(lines) > MAX_DAY_LINES:
            block.append(f"- {len(lines) - MAX_DAY_LINES} more")
        left -= sum(len(line.encode()) + 1 for line in block)
        if left < 0:
            break
        body += block
        told += 1
    if told < len(days):
        index = context_link(CHANGELOG_PATH, "sessions/index", "all sessions")
        body += ["", f"{counted(len(days) - told, 'earlier day')} left out here; see {index}."]
    head = front_matter(
        title="Changelog",
        kind=PageKind.CHANGELOG,
        created=min(days, default=NO_DAY),
        updated=max(days, default=NO_DAY),
    )
    return "\n".join([head, "", "# Changelog", *(body or ["", "Nothing is recorded yet."])]) + "\n"


def _events(subjects: Iterable[SubjectView], facts: Iterable[Page]) -> Iterator[tuple[date, str]]:
    """Day and line of everything that changed."""
    for subject in subjects:
        for session in subject.sessions:
            link = context_link(
                CHANGELOG_PATH, session.summary_page, session_title(session, subject), label=OPEN
            )
            yield session.day, f"- {link}: {counted(len(session.said), 'turn')}"
        for view in subject.concepts.values():
            yield from _of_concept(view, subject)
    for page in facts:
        link = context_link(CHANGELOG_PATH, without_ending(page.path), page.title, label=OPEN)
        yield page.updated, f"- {link}: {'new' if page.created == page.updated else 'changed'}"


def _of_concept(view: ConceptView, subject: SubjectView) -> Iterator[tuple[date, str]]:
    link = context_link(CHANGELOG_PATH, view.page, view.name, label=OPEN)
    held = [past.belief for past in view.past] + ([view.current] if view.current else [])
    held.sort(key=lambda belief: (belief.created_at, belief.id))
    before: Claim | None = None
    for belief in held:
        if belief.claim is not before:
            said = f" (before: {before.value})" if before else ""
            yield day_of(belief.created_at), f"- {link}: now {belief.claim.value}{said}"
        before = belief.claim
    for day in sorted({day_of(subject.said[note.episode_id].at) for note in view.taught}):
        yield day, f"- {link}: taught by the student"


def commit_message(before: Tree, after: Tree) -> str:
    """What one compile changed: a first line to read in a log, then an entry that names the pages.

    Parameters
    ----------
    before, after
        The trees before and after; only pages that differ are read.
    """
    changed = delta(before, after)
    old = {e.path: e for e in entries_of({p: before[p] for p in changed.written if p in before})}
    new = {e.path: e for e in entries_of(dict(changed.written))}
    gone = {e.path: e for e in entries_of({p: before[p] for p in changed.removed})}
    first = _first_line(old, new, gone, first=not before)
    lines = [
        *_named("New", [e for path, e in new.items() if path not in old]),
        *_named("Changed", [e for path, e in new.items() if path in old]),
        *_named("Removed", list(gone.values())),
    ]
    return "\n".join([first, "", *lines]) if lines else first


def _first_line(
    old: dict[str, IndexEntry], new: dict[str, IndexEntry], gone: dict[str, IndexEntry], *, first: bool
) -> str:
    counts = [
        counted(number, one, many)
        for kind, one, many in _KINDS
        if (number := sum(entry.kind == kind for entry in new.values()))
    ][:3]
    if not counts:
        counts = [f"{counted(len(gone), 'page')} removed"] if gone else ["Indexes"]
    line = ("First compile: " if first else "") + ", ".join(counts)
    news = [*_turned(old, new), *_fact_news(old, new)]
    for number, each in enumerate(news):
        joined = f"{line}{': ' if number == 0 and not first else '; '}{each}"
        if len(joined) > MAX_FIRST_LINE:
            break
        line = joined
    return line


def _turned(old: dict[str, IndexEntry], new: dict[str, IndexEntry]) -> Iterator[str]:
    """Concepts on which the student stands otherwise than before."""
    for path, entry in new.items():
        claim = _claim(entry)
        if claim is not None and path in old and _claim(old[path]) is not claim:
            yield f"{title(entry.title)} {_NOW[claim]}"


def _fact_news(old: dict[str, IndexEntry], new: dict[str, IndexEntry]) -> Iterator[str]:
    for path, entry in new.items():
        if entry.kind in _FACTS:
            yield f"{title(entry.title)} {'changed' if path in old else 'new'}"


def _claim(entry: IndexEntry) -> Claim | None:
    if entry.kind != PageKind.CONCEPT:
        return None
    return next((claim for claim, words in STATES.items() if entry.state.startswith(f"{words} ")), None)


def _named(what: str, entries: Sequence[IndexEntry]) -> Iterator[str]:
    ranked = sorted(entries, key=lambda e: (_rank(e), e.path))
    for entry in ranked[:MAX_NAMED]:
        yield f"- {what}: {title(entry.title)} ({entry.path}.md)"
    if len(ranked) > MAX_NAMED:
        yield f"- {what}: {len(ranked) - MAX_NAMED} more"


def _rank(entry: IndexEntry) -> int:
    return next((number for number, (kind, *_) in enumerate(_KINDS) if kind == entry.kind), len(_KINDS))
