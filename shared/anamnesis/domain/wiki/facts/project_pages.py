"""projects/: a page for each goal under way, its date first, the dates before as history (WK-1, WK-4, WD-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date
from typing import Final

from anamnesis.domain.wiki.facts.projects import Dated, Project
from anamnesis.domain.wiki.facts.quotes import MAX_LINES, WHAT_CHANGED, day_of, quoted, references
from anamnesis.domain.wiki.facts.said import Said
from anamnesis.domain.wiki.pages import KNOWLEDGE, Page, PageKind, Section, Statement
from anamnesis.domain.wiki.slugs import slugs

PROJECTS: Final = f"{KNOWLEDGE}/projects"
_GOALS: Final = {
    "exam": "Exam",
    "essay": "Essay",
    "homework": "Homework",
    "project": "Project",
    "contest": "Contest",
}


def project_pages(projects: Sequence[Project], everything: Sequence[Said]) -> Iterator[Page]:
    """Yield a page for each goal; what is over is told as over, as of the newest thing that was said."""
    titles = {(p.subject, p.kind, p.number): _project_title(p) for p in projects}
    names = slugs(titles.values())
    newest = everything[-1].at.astimezone(UTC).date() if everything else date.min
    for project in projects:
        title = titles[project.subject, project.kind, project.number]
        yield _project_page(f"{PROJECTS}/{names[title]}.md", title, project, newest)


def _project_title(project: Project) -> str:
    number = f" {project.number}" if project.number > 1 else ""
    return f"{_GOALS[project.kind]}{number}: {project.subject}"


def _project_page(path: str, title: str, project: Project, newest: date) -> Page:
    return Page(
        path=path,
        title=title,
        kind=PageKind.PROJECT,
        created=day_of(project.said[0]),
        updated=day_of(project.said[-1]),
        summary=tuple(_state(project, newest)),
        sections=(*_history(project), quoted(project.said)),
        aliases=(project.word,),
        references=references(project.said),
    )


def _state(project: Project, newest: date) -> Iterator[Statement]:
    current = project.current
    if current is None:
        yield Statement(
            f"{_GOALS[project.kind]}; the student has named no date for it.", (project.said[-1].address,)
        )
    else:
        over = f"{_GOALS[project.kind]}{' was' if current.last < newest else ''}"
        yield Statement(
            f"{over} {_when(current)}, as the student said on {day_of(current.said)}.",
            (current.said.address,),
        )
    latest = project.said[-1]
    yield Statement(f"Last said about it: “{latest.text}”", (latest.address,))


def _history(project: Project) -> Iterator[Section]:
    """The dates that it had before, newest first."""
    pairs = zip(reversed(project.dates[:-1]), reversed(project.dates[1:]), strict=True)
    moved = [
        Statement(
            f"until {day_of(after.said)}: it was to be {_when(before)}; then it was moved to be {_when(after)}.",
            tuple(dict.fromkeys((before.said.address, after.said.address))),
        )
        for before, after in pairs
    ]
    if moved:
        yield Section(WHAT_CHANGED, tuple(moved[:MAX_LINES]))


def _when(dated: Dated) -> str:
    return f"on {dated.first}" if dated.first == dated.last else f"between {dated.first} and {dated.last}"
