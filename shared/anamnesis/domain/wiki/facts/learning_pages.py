"""learnings/: how the student likes to work, recurring mistakes, what worked (WK-1, WD-7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from typing import Final

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.text.folding import fold
from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.evidence import SubjectEvidence
from anamnesis.domain.wiki.facts.learning import Lesson, Mistake, find_lessons, find_mistakes
from anamnesis.domain.wiki.facts.preferences import Preference, find_preferences
from anamnesis.domain.wiki.facts.quotes import MAX_LINES, WHAT_CHANGED, day_of, day_on, references
from anamnesis.domain.wiki.facts.said import Said
from anamnesis.domain.wiki.pages import KNOWLEDGE, Page, PageKind, Related, Section, Statement
from anamnesis.domain.wiki.writing.wording import spoken

LEARNINGS: Final = f"{KNOWLEDGE}/learnings"
_PREFERRED: Final = {
    "language": "Wants answers in the language with the code “{}”, in their words: ",
    "name": "Wants to be called “{}”, in their words: ",
    "length": "Prefers {} answers, in their words: ",
    "": "Likes to work like this, in their words: ",
}


def learning_pages(
    everything: Sequence[Said],
    subjects: Sequence[SubjectEvidence],
    address_of: Callable[[Episode], Address],
    concepts: Mapping[tuple[str, str], Related],
) -> Iterator[Page]:
    """Yield the pages of preferences, recurring mistakes and what worked, where there are any."""
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
            f"until {day_of(p.superseded_by)}: “{p.said.text}” (said on {day_of(p.said)}); "
            f"then: “{p.superseded_by.text}”",
            (p.said.address, p.superseded_by.address),
        )
        for p in former
        # Said once more it has not changed.
        if p.superseded_by is not None and fold(p.said.text) != fold(p.superseded_by.text)
    ]
    lines = [_preferred(p) for p in standing]
    sections = [Section("Also", tuple(lines[3:MAX_LINES]))] if lines[3:] else []
    if changed:
        sections.append(Section(WHAT_CHANGED, tuple(changed[:MAX_LINES])))
    said = [p.said for p in preferences]
    return Page(
        path=f"{LEARNINGS}/preferences.md",
        title="How the student likes to work",
        kind=PageKind.LEARNING,
        created=day_of(said[0]),
        updated=day_of(said[-1]),
        summary=tuple(lines[:3]),
        sections=tuple(sections),
        references=references(said),
    )


def _preferred(preference: Preference) -> Statement:
    lead = _PREFERRED[preference.about].format(preference.value)
    said = preference.said
    return Statement(f"{lead}“{said.text}” (since {day_of(said)}).", (said.address,))


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
    text = f"{name}: missed {len(missed)} times, last on {day_on(missed[-1])}"
    text += f"; passed since, on {day_on(passed[-1])}." if passed else "; not passed since."
    cited = [*missed[-3:], *passed[-1:]]
    return _line(text, mistake.concept, cited, address_of)


def _lesson_line(
    lesson: Lesson, names: Mapping[str, Mapping[str, str]], address_of: Callable[[Episode], Address]
) -> _Line:
    name = names[lesson.missed.pair.subject].get(lesson.concept, lesson.concept)
    work = lesson.between[-1]
    said = work.content.summary if work.content is not None else ""
    text = f"{name}: missed on {day_on(lesson.missed)}, passed on {day_on(lesson.passed)} after work on “{said}”."
    return _line(text, lesson.concept, [lesson.missed, work, lesson.passed], address_of)


def _line(
    text: str, concept: str, cited: Sequence[Episode], address_of: Callable[[Episode], Address]
) -> _Line:
    days = sorted(e.occurred_at.astimezone(UTC).date() for e in cited)
    references = {
        address_of(e): f"{day_on(e)} · {e.kind.value}: {e.content.summary if e.content else ''}"
        for e in cited
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
    return {
        **{key: spoken(name) for key, name in subject.layer.own_concepts.items()},
        **{concept.key: spoken(concept.name) for concept in subject.subject_map.concepts},
    }
