"""knowledge/concepts/: what a subject is made of, and where this student stands on it (WK-1, WK-4, WD-5).

Every concept of the map has its page, so that a prerequisite always leads somewhere and a concept's path is the same
before and after the student first meets it. The page of one that the student has nothing to do with yet is what the
files say, a dozen lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.log.summaries import first_sentence
from anamnesis.domain.messages.contradictions import contradicts, superseded
from anamnesis.domain.text.normalisation import normalised_sentence
from anamnesis.domain.text.one_line import one_line
from anamnesis.domain.wiki.addresses import Address, Scheme, episode_address
from anamnesis.domain.wiki.pages import Page, PageKind, Related, Section, Statement
from anamnesis.domain.wiki.writing.memories import Said, listed, remembered
from anamnesis.domain.wiki.writing.subjects import CITED_PAGES, NO_DAY, ConceptView, SubjectView, Superseded
from anamnesis.domain.wiki.writing.wording import (
    MAX_FILE_NAME_CHARS,
    STATES,
    confidence,
    counted,
    day_of,
    in_pages,
    quotation,
    spoken,
    title,
    verdict,
)

#: Names that a page lists beside its own, and sessions that it links to. Ours.
MAX_ALIASES: Final = 12
MAX_SESSIONS: Final = 5
#: Names that a sentence lists: more of the longest ones would be cut inside one. Ours.
MAX_ASSUMED: Final = 6
#: Checks missed from which a mistake recurs.
RECURRING: Final = 2
_ASKED: Final = "Asked and said by the student"
_CHECKS: Final = (Kind.CHECK, Kind.QUIZ)


def with_pages(subject: SubjectView) -> SubjectView:
    """The subject without concepts of which nothing that stands can be cited: those have no page to link to."""
    return replace(
        subject, concepts={key: view for key, view in subject.concepts.items() if _summary(view, subject)}
    )


def _summary(view: ConceptView, subject: SubjectView) -> tuple[Statement, ...]:
    return (*_state(view, subject), *_taught_last(view, subject), *_gist(view, subject))


def concept_page(view: ConceptView, subject: SubjectView, most: int) -> Page:
    """The page of one concept of a subject from ``with_pages``.

    Parameters
    ----------
    most
        Most items of each list.
    """
    summary = _summary(view, subject)
    created, updated = _days(view, subject)
    sections = (
        Section("Where the student stands", _standing(view, subject)),
        Section("Taught by the student", _taught(view, subject, most)),
        Section("Recurring mistakes", _mistakes(view, most)),
        Section("Checked", listed(remembered(_of_kind(view, _CHECKS)), most, "checks")),
        Section(
            "Asked and said by the student",
            listed(remembered(_of_kind(view, (Kind.QUESTION,))), most, "questions"),
        ),
        Section("What the files say", _files(view, subject)),
        Section("What changed", _changes(view, subject, most)),
    )
    return Page(
        path=f"{view.page}.md",
        title=view.name,
        kind=PageKind.CONCEPT,
        created=created,
        updated=updated,
        summary=summary,
        sections=tuple(section for section in sections if section.statements),
        related=_related(view, subject, most),
        aliases=() if view.concept is None else tuple(map(title, view.concept.aliases[:MAX_ALIASES])),
        references=told_references(subject, _all_cites(summary, sections)),
    )


def told_references(subject: SubjectView, addresses: Iterable[Address]) -> dict[Address, str]:
    """What addresses of a subject are, in words: day and kind of an episode or turn, name and page of a file."""
    turns = {session.id: session for session in subject.sessions}
    told: dict[Address, str] = {}
    for address in addresses:
        if address.scheme is Scheme.FILE:
            told[address] = subject.file_name(address)
        elif address.scheme is Scheme.EPISODE and (said := subject.said.get(address.what)):
            told[address] = f"{said.episode.kind.value} of {day_of(said.at).isoformat()}"
        elif address.scheme is Scheme.SESSION and address.part and (session := turns.get(address.what)):
            episode = session.turns[address.part - 1].episode
            told[address] = f"{episode.kind.value} of {day_of(episode.occurred_at).isoformat()}"
    return told


def _all_cites(summary: Sequence[Statement], sections: Sequence[Section]) -> list[Address]:
    statements = [*summary, *(s for section in sections for s in section.statements)]
    return list(dict.fromkeys(address for s in statements for address in s.cites))


def _of_kind(view: ConceptView, kinds: tuple[Kind, ...]) -> list[Said]:
    return [said for said in view.said if said.episode.kind in kinds]


def _state(view: ConceptView, subject: SubjectView) -> tuple[Statement, ...]:
    """The one sentence that says where the student stands; nothing when they have nothing to do with it yet."""
    if view.current is not None:
        checks = [subject.said[i] for i in view.current.evidence]
        last = max(check.at for check in checks)
        confirm = "; to be confirmed, no check since" if view.current.needs_confirmation else ""
        text = (
            f"{STATES[view.current.claim]} {view.name}: {confidence(view.current.confidence)}, "
            f"last checked {day_of(last).isoformat()}{confirm}."
        )
        return (Statement(text, subject.evidence_cites(view.current.evidence)),)
    if not view.said:
        return ()
    last_said = view.said[-1]
    checks = _of_kind(view, _CHECKS)
    checked = f"checked {counted(len(checks), 'time')}, no belief held" if checks else "not checked yet"
    text = f"Came up in {counted(len(view.said), 'turn')}, last on {day_of(last_said.at).isoformat()}; {checked}."
    return (Statement(text, (last_said.turn_address,)),)


def _taught_last(view: ConceptView, subject: SubjectView) -> tuple[Statement, ...]:
    return _taught(view, subject, 1)[:1]


def _gist(view: ConceptView, subject: SubjectView) -> tuple[Statement, ...]:
    concept = view.concept
    if concept is None:
        return ()
    cites = subject.file_cites(concept)
    if cites:
        text = concept.gist or first_sentence(concept.definition) or f"{view.name} is explained in the files."
        return (Statement(text, cites),)
    # Assumed by others and explained nowhere (CM-4): known from where those are explained.
    for key in subject.dependents.get(concept.key, ()):
        other = subject.concepts.get(key)
        if other is not None and other.concept is not None and (cites := subject.file_cites(other.concept)):
            return (Statement(f"{view.name} is assumed by {other.name}; no file explains it.", cites),)
    return ()


def _standing(view: ConceptView, subject: SubjectView) -> tuple[Statement, ...]:
    """What the belief rests on."""
    belief = view.current
    if belief is None:
        return ()
    checks = sorted((subject.said[i] for i in belief.evidence), key=lambda said: said.order)
    right = sum(bool(c.episode.outcome and c.episode.outcome.correct) for c in checks)
    since = day_of(belief.created_at).isoformat()
    text = (
        f"Believed since {since}: {belief.claim.value} {view.name}, "
        f"from {counted(len(checks), 'check')} ({right} right, {len(checks) - right} wrong)."
    )
    return (Statement(text, subject.evidence_cites(belief.evidence)),)


def _taught(view: ConceptView, subject: SubjectView, most: int) -> tuple[Statement, ...]:
    """What the student taught about it and nothing that they taught later contradicts, the latest first."""
    retracted = _retracted(view)
    statements = []
    seen: set[str] = set()
    for place, note in enumerate(view.taught):
        fold = normalised_sentence(note.note)
        if fold in seen or place in retracted:
            continue
        seen.add(fold)
        at = day_of(subject.said[note.episode_id].at).isoformat()
        cite = episode_address(subject.name, note.episode_id)
        statements.append(Statement(f"{at}: the student taught {quotation(note.note)}", (cite,)))
    return tuple(statements[:most])


def _retracted(view: ConceptView) -> dict[int, int]:
    """Place of each note that a later one contradicts, and of the first one that does (WD-5)."""
    oldest_first = [note.note for note in reversed(view.taught)]
    last = len(oldest_first) - 1
    return {
        last - place: last
        - next(p for p in range(place + 1, last + 1) if contradicts(oldest_first[place], oldest_first[p]))
        for place in superseded(oldest_first)
    }


def _mistakes(view: ConceptView, most: int) -> tuple[Statement, ...]:
    """How often checks were missed, and what was said of the misses, the most frequent first."""
    checks = _of_kind(view, _CHECKS)
    missed = [c for c in checks if c.episode.outcome is not None and not c.episode.outcome.correct]
    if len(missed) < RECURRING:
        return ()
    last = missed[-1]
    total = Statement(
        f"Missed {len(missed)} of {counted(len(checks), 'check')}, last on {day_of(last.at).isoformat()}.",
        tuple(said.address for said in reversed(missed[-3:])),
    )
    reasons: dict[str, list[Said]] = {}
    for said in missed:
        content = said.episode.content
        if content is not None and (fold := normalised_sentence(content.evaluation or content.text)):
            reasons.setdefault(fold, []).append(said)
    repeated = sorted(
        (of_reason for of_reason in reasons.values() if len(of_reason) >= RECURRING),
        key=lambda r: (len(r), r[-1].order),
        reverse=True,
    )
    return (total, *(_repeated(of_reason) for of_reason in repeated[:most]))


def _repeated(missed: Sequence[Said]) -> Statement:
    content = missed[-1].episode.content
    words = "" if content is None else content.evaluation or content.text
    text = f"{len(missed)} times, last on {day_of(missed[-1].at).isoformat()}: {quotation(first_sentence(words))}"
    return Statement(text, tuple(said.address for said in reversed(missed[-3:])))


def _files(view: ConceptView, subject: SubjectView) -> tuple[Statement, ...]:
    concept = view.concept
    if concept is None:
        return ()
    cites = subject.file_cites(concept)
    if not cites:
        return ()
    statements = []
    if concept.definition and concept.definition != concept.gist:
        statements.append(Statement(concept.definition, cites))
    for source in concept.sources[:MAX_SESSIONS]:
        of_file = subject.source_cites(source.file_id, source.pages)
        if of_file:
            name = spoken(subject.files[source.file_id].name, most=MAX_FILE_NAME_CHARS)
            where = in_pages(subject.known_pages(source.file_id, source.pages), CITED_PAGES)
            statements.append(Statement(f"Explained in {name}{where}.", of_file))
    if assumed := list(filter(one_line, concept.assumed[:MAX_ASSUMED])):
        names = ", ".join(map(spoken, assumed))
        statements.append(Statement(f"Assumed there without an explanation: {names}.", cites))
    return tuple(statements)


def _changes(view: ConceptView, subject: SubjectView, most: int) -> tuple[Statement, ...]:
    """Beliefs held before and teachings taken back, the latest first (WK-4, WD-5)."""
    changes = [(past.until, _past_belief(past, view, subject)) for past in view.past]
    for place, by in _retracted(view).items():
        old, new = view.taught[place], view.taught[by]
        until = day_of(subject.said[new.episode_id].at)
        since = day_of(subject.said[old.episode_id].at).isoformat()
        text = f"Until {until.isoformat()}: the student taught {quotation(old.note)}, since {since}."
        cites = tuple(episode_address(subject.name, note.episode_id) for note in (new, old))
        changes.append((until, Statement(text, cites)))
    changes.sort(key=lambda change: (change[0], change[1].text), reverse=True)
    return tuple(statement for _, statement in changes[:most])


def _past_belief(past: Superseded, view: ConceptView, subject: SubjectView) -> Statement:
    belief = past.belief
    return Statement(
        f"Until {past.until.isoformat()}: {belief.claim.value} {view.name}, "
        f"{confidence(belief.confidence)}, since {day_of(belief.created_at).isoformat()}"
        f"{_turning_check(past.successor, subject)}.",
        (
            *(() if past.successor is None else subject.evidence_cites(past.successor.evidence[:1])),
            *subject.evidence_cites(belief.evidence, 2),
        ),
    )


def _turning_check(successor: Belief | None, subject: SubjectView) -> str:
    if successor is None:
        return ""
    outcome = subject.said[successor.evidence[0]].episode.outcome
    return "" if outcome is None else f"; changed by a check: {verdict(outcome)}"


def _related(view: ConceptView, subject: SubjectView, most: int) -> tuple[Related, ...]:
    links: list[Related] = []
    if view.said:
        links.append(Related(view.notes_page, f"Notes on {view.name}", "what was said about it"))
    if view.concept is not None:
        links += [
            Related(subject.concepts[key].page, subject.concepts[key].name, "it builds on this")
            for key in view.concept.builds_on
            if key in subject.concepts and key != view.key
        ]
    links += [
        Related(subject.concepts[key].page, subject.concepts[key].name, "builds on it")
        for key in subject.dependents.get(view.key, ())[:most]
        if key in subject.concepts and key != view.key
    ]
    sessions = {said.session.id: said.session for said in view.said}
    latest = sorted(sessions.values(), key=lambda s: (s.started, s.id), reverse=True)
    links += [
        Related(session.summary_page, f"Session of {session.day.isoformat()}", "worked on it")
        for session in latest[:MAX_SESSIONS]
    ]
    return tuple(links)


def _days(view: ConceptView, subject: SubjectView) -> tuple[date, date]:
    """Days of the oldest and the newest evidence."""
    days = [day_of(said.at) for said in view.said]
    days += [day_of(subject.said[note.episode_id].at) for note in view.taught]
    for belief in [past.belief for past in view.past] + ([view.current] if view.current else []):
        days += [day_of(belief.created_at), *(day_of(entry.at) for entry in belief.history)]
    if view.concept is not None:
        days += [
            day_of(subject.files[source.file_id].created_at)
            for source in view.concept.sources
            if source.file_id in subject.files
        ]
    return (min(days), max(days)) if days else (NO_DAY, NO_DAY)
