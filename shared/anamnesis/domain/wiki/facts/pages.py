"""Pages of entities, projects and learnings (WK-1): the newest first, and what it replaced as history (WK-4, WD-5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date
from types import MappingProxyType
from typing import Final

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.text.folding import fold
from anamnesis.domain.wiki.addresses import Address, connector_address, episode_address
from anamnesis.domain.wiki.evidence import ConnectorRecord, SubjectEvidence, WikiEvidence
from anamnesis.domain.wiki.facts.entities import Entity, find_entities
from anamnesis.domain.wiki.facts.learning import Lesson, Mistake, find_lessons, find_mistakes
from anamnesis.domain.wiki.facts.preferences import Preference, find_preferences
from anamnesis.domain.wiki.facts.projects import Dated, Project, find_projects
from anamnesis.domain.wiki.facts.said import Said, said_by_student
from anamnesis.domain.wiki.pages import KNOWLEDGE, Page, PageKind, Related, Section, Statement
from anamnesis.domain.wiki.sessions import Session
from anamnesis.domain.wiki.slugs import slugs

#: Most sentences that a page quotes; all of them stand in the sessions. Ours.
MAX_QUOTED: Final = 12
#: Most entities that get a page, those named most often. Ours.
MAX_ENTITIES: Final = 200
#: Most lines of a page of learnings. Ours.
MAX_LINES: Final = 40
#: Most sessions that a page leads to, the latest. Ours.
MAX_SESSIONS: Final = 3

ENTITIES: Final = f"{KNOWLEDGE}/entities"
PROJECTS: Final = f"{KNOWLEDGE}/projects"
LEARNINGS: Final = f"{KNOWLEDGE}/learnings"

_IN_THEIR_WORDS: Final = "In the student's words"
_WHAT_CHANGED: Final = "What changed"
_GOALS: Final = {
    "exam": "Exam",
    "essay": "Essay",
    "homework": "Homework",
    "project": "Project",
    "contest": "Contest",
}
_PREFERRED: Final = {
    "language": "Wants answers in the language with the code “{}”, in their words: ",
    "name": "Wants to be called {}, in their words: ",
    "length": "Prefers {} answers, in their words: ",
    "": "Likes to work like this, in their words: ",
}


def fact_pages(
    evidence: WikiEvidence,
    sessions: Sequence[Session],
    concepts: Mapping[tuple[str, str], Related] = MappingProxyType({}),
) -> list[Page]:
    """Every page of entities/, projects/ and learnings/, by path.

    Parameters
    ----------
    sessions
        Those of `evidence`, whose turns are what is cited.
    concepts
        By subject and key, the pages of concepts that a page may lead to.
    """
    turns = {
        (session.subject, turn.episode.position): session.address(turn.number)
        for session in sessions
        for turn in session.turns
    }

    def address_of(episode: Episode) -> Address:
        found = turns.get((episode.pair.subject, episode.position))
        return found or episode_address(episode.pair.subject, episode.id)

    by_subject = [
        (subject, list(said_by_student(subject.pair.subject, subject.episodes, address_of)))
        for subject in evidence.subjects
    ]
    everything = sorted(
        (said for _, sentences in by_subject for said in sentences),
        key=lambda s: (s.at, s.subject, s.position),
    )
    summaries = {
        session.address(): Related(
            session.summary_page, f"Session of {session.day.isoformat()}", "where it was said"
        )
        for session in sessions
    }
    pages = [
        *_entity_pages(everything, evidence.subjects),
        *_project_pages(
            [project for _, sentences in by_subject for project in find_projects(sentences)], everything
        ),
        *_learning_pages(everything, evidence.subjects, address_of, concepts),
        *_calendar_pages(
            evidence.records, everything[-1].at.astimezone(UTC).date() if everything else date.min
        ),
    ]
    return sorted((_with_sessions(page, summaries) for page in pages), key=lambda page: page.path)


def _with_sessions(page: Page, summaries: Mapping[Address, Related]) -> Page:
    """A page of entities or projects leads to the latest sessions that it quotes."""
    if page.kind is PageKind.LEARNING:
        return page
    cited = [s.cites[0] for section in page.sections for s in section.statements if s.cites]
    wholes = dict.fromkeys(Address(a.scheme, a.where, a.what) for a in cited)
    return replace(page, related=tuple(summaries[a] for a in wholes if a in summaries)[:MAX_SESSIONS])


# ------------------------------------------------------------------ entities
def _entity_pages(everything: Sequence[Said], subjects: Iterable[SubjectEvidence]) -> Iterator[Page]:
    concepts = {fold(name) for subject in subjects for name in _concept_names(subject)}
    found = find_entities(everything, concepts=concepts)[:MAX_ENTITIES]
    names = slugs(entity.name for entity in found)
    for entity in found:
        yield _entity_page(f"{ENTITIES}/{names[entity.name]}.md", entity)


def _concept_names(subject: SubjectEvidence) -> Iterator[str]:
    for concept in subject.subject_map.concepts:
        yield concept.name
        yield from concept.aliases
    yield from subject.layer.own_concepts.values()


def _entity_page(path: str, entity: Entity) -> Page:
    first, last = entity.said[0], entity.said[-1]
    sessions = len({said.session for said in entity.said})
    what = {"person": "A person", "organisation": "An organisation"}.get(entity.kind, "A name")
    return Page(
        path=path,
        title=entity.name,
        kind=PageKind.ENTITY,
        created=_day(first),
        updated=_day(last),
        summary=(
            Statement(
                f"{what} that the student named in {sessions} sessions, first on {_day(first)}, last on {_day(last)}.",
                tuple(dict.fromkeys((first.address, last.address))),
            ),
        ),
        sections=(_quoted(entity.said),),
        aliases=entity.spellings,
        references=_references(entity.said),
    )


# ------------------------------------------------------------------ projects
def _project_pages(projects: Sequence[Project], everything: Sequence[Said]) -> Iterator[Page]:
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
        created=_day(project.said[0]),
        updated=_day(project.said[-1]),
        summary=tuple(_state(project, newest)),
        sections=(*_history(project), _quoted(project.said)),
        aliases=(project.word,),
        references=_references(project.said),
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
            f"{over} {_when(current)}, as the student said on {_day(current.said)}.", (current.said.address,)
        )
    latest = project.said[-1]
    yield Statement(f"Last said about it: “{latest.text}”", (latest.address,))


def _history(project: Project) -> Iterator[Section]:
    """The dates that it had before, newest first."""
    pairs = zip(reversed(project.dates[:-1]), reversed(project.dates[1:]), strict=True)
    moved = [
        Statement(
            f"until {_day(after.said)}: it was to be {_when(before)}; then it was moved to be {_when(after)}.",
            tuple(dict.fromkeys((before.said.address, after.said.address))),
        )
        for before, after in pairs
    ]
    if moved:
        yield Section(_WHAT_CHANGED, tuple(moved[:MAX_LINES]))


def _when(dated: Dated) -> str:
    return f"on {dated.first}" if dated.first == dated.last else f"between {dated.first} and {dated.last}"


# ------------------------------------------------------------------ calendars
def _calendar_pages(records: Sequence[ConnectorRecord], newest: date) -> Iterator[Page]:
    """A page for each connector whose records take place at some time: what lies ahead first (WD-6)."""
    by_name: dict[str, list[ConnectorRecord]] = {}
    for record in records:
        if record.starts_at is not None and record.title.strip():
            by_name.setdefault(record.connector, []).append(record)
    names = slugs(f"calendar {name}" for name in by_name)
    for name, found in sorted(by_name.items()):
        yield _calendar_page(f"{PROJECTS}/{names[f'calendar {name}']}.md", name, found, newest)


def _calendar_page(path: str, name: str, records: Sequence[ConnectorRecord], newest: date) -> Page:
    ordered = sorted(records, key=lambda r: (_at(r), r.path))
    ahead = [_event(r) for r in ordered if _at(r) >= newest][:MAX_LINES]
    past = [_event(r) for r in reversed(ordered) if _at(r) < newest][:MAX_LINES]
    sections = []
    if ahead[1:]:
        sections.append(Section("Then", tuple(ahead[1:])))
    if past:
        sections.append(Section("Before", tuple(past)))
    return Page(
        path=path,
        title=f"Calendar: {name}",
        kind=PageKind.PROJECT,
        created=_at(ordered[0]),
        updated=max(r.fetched_at.astimezone(UTC).date() for r in ordered),
        summary=tuple(ahead[:1] or past[:1]),
        sections=tuple(sections),
        references={
            connector_address(
                r.connector, r.path
            ): f"{r.title} · fetched {r.fetched_at:%Y-%m-%d} · {r.fingerprint[:12]}"
            for r in ordered
        },
    )


def _event(record: ConnectorRecord) -> Statement:
    return Statement(f"{_at(record)}: “{record.title}”", (connector_address(record.connector, record.path),))


def _at(record: ConnectorRecord) -> date:
    return (record.starts_at or record.fetched_at).astimezone(UTC).date()


# ------------------------------------------------------------------ learnings
def _learning_pages(
    everything: Sequence[Said],
    subjects: Sequence[SubjectEvidence],
    address_of: Callable[[Episode], Address],
    concepts: Mapping[tuple[str, str], Related],
) -> Iterator[Page]:
    if preferences := find_preferences(everything):
        yield _preference_page(preferences)
    names = {subject.pair.subject: _names_of(subject) for subject in subjects}
    mistakes = [_mistake_line(m, names, address_of) for s in subjects for m in find_mistakes(s.episodes)]
    if mistakes:
        yield _checks_page("recurring-mistakes", "Recurring mistakes", mistakes, concepts)
    lessons = [_lesson_line(found, names, address_of) for s in subjects for found in find_lessons(s.episodes)]
    if lessons:
        yield _checks_page("what-worked", "What worked", lessons, concepts)


def _preference_page(preferences: Sequence[Preference]) -> Page:
    standing = [p for p in reversed(preferences) if p.superseded_by is None]
    former = [p for p in reversed(preferences) if p.superseded_by is not None]
    changed = [
        Statement(
            f"until {_day(p.superseded_by)}: “{p.said.text}” (said on {_day(p.said)}); then: “{p.superseded_by.text}”",
            (p.said.address, p.superseded_by.address),
        )
        for p in former
        if p.superseded_by is not None
    ]
    lines = [_preferred(p) for p in standing]
    sections = [Section("Also", tuple(lines[3:MAX_LINES]))] if lines[3:] else []
    if changed:
        sections.append(Section(_WHAT_CHANGED, tuple(changed[:MAX_LINES])))
    said = [p.said for p in preferences]
    return Page(
        path=f"{LEARNINGS}/preferences.md",
        title="How the student likes to work",
        kind=PageKind.LEARNING,
        created=_day(said[0]),
        updated=_day(said[-1]),
        summary=tuple(lines[:3]),
        sections=tuple(sections),
        references=_references(said),
    )


def _preferred(preference: Preference) -> Statement:
    lead = _PREFERRED[preference.about].format(preference.value)
    said = preference.said
    return Statement(f"{lead}“{said.text}” (since {_day(said)}).", (said.address,))


@dataclass(frozen=True, slots=True)
class _Line:
    statement: Statement
    concept: tuple[str, str]
    first: date
    last: date
    references: Mapping[Address, str]


def _mistake_line(
    mistake: Mistake, names: Mapping[str, Mapping[str, str]], address_of: Callable[[Episode], Address]
) -> _Line:
    missed, passed = mistake.missed, mistake.passed
    name = names[missed[0].pair.subject].get(mistake.concept, mistake.concept)
    text = f"{name}: missed {len(missed)} times, last on {_on(missed[-1])}"
    text += f"; passed since, on {_on(passed[-1])}." if passed else "; not passed since."
    cited = [*missed[-3:], *passed[-1:]]
    return _line(text, mistake.concept, cited, address_of)


def _lesson_line(
    lesson: Lesson, names: Mapping[str, Mapping[str, str]], address_of: Callable[[Episode], Address]
) -> _Line:
    name = names[lesson.missed.pair.subject].get(lesson.concept, lesson.concept)
    work = lesson.between[-1]
    said = work.content.summary if work.content is not None else ""
    text = f"{name}: missed on {_on(lesson.missed)}, passed on {_on(lesson.passed)} after work on “{said}”."
    return _line(text, lesson.concept, [lesson.missed, work, lesson.passed], address_of)


def _line(
    text: str, concept: str, cited: Sequence[Episode], address_of: Callable[[Episode], Address]
) -> _Line:
    days = sorted(e.occurred_at.astimezone(UTC).date() for e in cited)
    references = {
        address_of(e): f"{_on(e)} · {e.kind.value}: {e.content.summary if e.content else ''}" for e in cited
    }
    about = (cited[0].pair.subject, concept)
    return _Line(Statement(text, tuple(references)), about, days[0], days[-1], references)


def _checks_page(
    name: str, title: str, lines: Sequence[_Line], concepts: Mapping[tuple[str, str], Related]
) -> Page:
    ordered = sorted(lines, key=lambda line: line.last, reverse=True)[:MAX_LINES]
    return Page(
        path=f"{LEARNINGS}/{name}.md",
        title=title,
        kind=PageKind.LEARNING,
        created=min(line.first for line in ordered),
        updated=ordered[0].last,
        summary=(ordered[0].statement,),
        sections=(Section("All", tuple(line.statement for line in ordered[1:])),) if ordered[1:] else (),
        related=tuple(dict.fromkeys(concepts[line.concept] for line in ordered if line.concept in concepts)),
        references={address: told for line in ordered for address, told in line.references.items()},
    )


def _names_of(subject: SubjectEvidence) -> dict[str, str]:
    return {**subject.layer.own_concepts, **{c.key: c.name for c in subject.subject_map.concepts}}


# ------------------------------------------------------------------ shared by all
def _quoted(said: Sequence[Said]) -> Section:
    newest = list(reversed(said))[:MAX_QUOTED]
    return Section(_IN_THEIR_WORDS, tuple(Statement(f"{_day(s)}: “{s.text}”", (s.address,)) for s in newest))


def _references(said: Iterable[Said]) -> dict[Address, str]:
    return {s.address: f"{_day(s)} · “{s.text}”" for s in said}


def _day(said: Said) -> date:
    return said.at.astimezone(UTC).date()


def _on(episode: Episode) -> date:
    return episode.occurred_at.astimezone(UTC).date()
