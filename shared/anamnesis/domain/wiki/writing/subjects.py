"""One subject as the pages see it: its concepts with all that is known of each, whatever name it was recorded under."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import Concept, TaughtNote
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.files import FileRecord
from anamnesis.domain.wiki.addresses import Address, file_address
from anamnesis.domain.wiki.evidence import SubjectEvidence
from anamnesis.domain.wiki.pages import KNOWLEDGE, NOTES
from anamnesis.domain.wiki.sessions import Session
from anamnesis.domain.wiki.slugs import slugs
from anamnesis.domain.wiki.writing.memories import Said, said_of
from anamnesis.domain.wiki.writing.wording import MAX_FILE_NAME_CHARS, spoken

#: Pages of one file that a sentence cites, and files. Ours: the first pages are where a thing is introduced.
CITED_PAGES: Final = 3
_CITED_FILES: Final = 3
#: Of a page about which nothing is dated at all.
NO_DAY: Final = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Superseded:
    """A belief that is held no more: until when, and what took its place (None when nothing did)."""

    belief: Belief
    until: date
    successor: Belief | None


@dataclass(frozen=True, slots=True)
class ConceptView:
    """A concept and all that is known of it.

    Attributes
    ----------
    page, notes_page
        Paths without ``.md``.
    concept
        As the files have it; None when only this student's work knows it.
    said
        Turns that touch it, oldest first; narrations of the record are none (RC-6).
    current, past
        Its belief, and those held before, the latest first; only beliefs whose checks all still stand.
    taught
        The latest first; only those whose episode still stands.
    """

    key: str
    name: str
    page: str
    notes_page: str
    concept: Concept | None
    said: tuple[Said, ...]
    current: Belief | None
    past: tuple[Superseded, ...]
    taught: tuple[TaughtNote, ...]

    @property
    def touched(self) -> bool:
        """Whether this student has to do with it yet."""
        return bool(self.said or self.current or self.past or self.taught)


@dataclass(frozen=True, slots=True)
class SubjectView:
    """A subject.

    Attributes
    ----------
    slug
        Of its folders.
    concepts
        By key, in teaching order; those that no file knows come last, by key.
    dependents
        Keys of the concepts that build on one, the most central first.
    said
        By id of the episode, turns that are evidence.
    by_session
        The same by id of the session, in the order in which they happened.
    loose
        Those of them that touch no concept, oldest first.
    """

    name: str
    slug: str
    sessions: tuple[Session, ...]
    concepts: Mapping[str, ConceptView]
    dependents: Mapping[str, tuple[str, ...]]
    said: Mapping[str, Said]
    by_session: Mapping[str, tuple[Said, ...]]
    loose: tuple[Said, ...]
    files: Mapping[str, FileRecord]
    resolved: Mapping[str, str] = field(default_factory=dict)

    def keys_of(self, said: Said) -> list[str]:
        """Keys of the concepts that a turn touches, each once, in its order."""
        return _touched(said, self.resolved)

    def file_cites(self, concept: Concept) -> tuple[Address, ...]:
        """Where files explain a concept: the first pages of the first files."""
        return tuple(
            address
            for source in concept.sources[:_CITED_FILES]
            for address in self.source_cites(source.file_id, source.pages)
        )

    def source_cites(self, file_id: str, pages: Sequence[int]) -> tuple[Address, ...]:
        """The first of these pages of a file, or the file where no page is named; nothing of a file that is gone."""
        record = self.files.get(file_id)
        if record is None or record.erased:
            return ()
        known = self.known_pages(file_id, pages)
        if not known:
            return (file_address(self.name, file_id),)
        return tuple(file_address(self.name, file_id, page) for page in known[:CITED_PAGES])

    def known_pages(self, file_id: str, pages: Sequence[int]) -> list[int]:
        """Those of the pages that the file has: of these a sentence names, and cites, the first ``CITED_PAGES``."""
        record = self.files.get(file_id)
        return [page for page in pages if record is None or not record.pages or page <= record.pages]

    def evidence_cites(self, episode_ids: Iterable[str], most: int = 3) -> tuple[Address, ...]:
        """Addresses of the latest of these episodes that still stand."""
        standing = [self.said[i] for i in dict.fromkeys(episode_ids) if i in self.said]
        standing.sort(key=lambda said: said.order)
        return tuple(said.address for said in reversed(standing[-most:]))

    def file_name(self, address: Address) -> str:
        """Name and page of a cited file, for a reference list."""
        record = self.files.get(address.what)
        if record is None or record.erased:
            return ""
        page = "" if address.part is None else f", page {address.part}"
        state = "" if record.current else ", replaced or deleted since"
        return f"{spoken(record.name, most=MAX_FILE_NAME_CHARS)}{page}{state}"


def view_of(evidence: SubjectEvidence, sessions: Iterable[Session], slug: str) -> SubjectView:
    """Gather a subject; the order in which its evidence comes does not matter."""
    name = evidence.pair.subject
    own = tuple(session for session in sessions if session.subject == name)
    resolved = resolved_keys(evidence.subject_map)
    by_session = {session.id: tuple(said_of(session)) for session in own}
    said = {each.episode.id: each for turns in by_session.values() for each in turns}
    touching: dict[str, list[Said]] = {}
    loose: list[Said] = []
    for each in sorted(said.values(), key=lambda s: s.order):
        keys = _touched(each, resolved)
        for key in keys:
            touching.setdefault(key, []).append(each)
        if not keys:
            loose.append(each)
    beliefs = _beliefs(evidence.beliefs, said, resolved)
    taught = _taught(evidence, said, resolved)
    mapped = {concept.key: concept for concept in evidence.subject_map.concepts}
    order = _teaching_order(evidence, mapped)
    order += sorted((touching.keys() | beliefs.keys() | taught.keys()) - mapped.keys())
    given = slugs(order)
    names = _names(evidence, resolved)
    concepts = {
        key: ConceptView(
            key=key,
            name=spoken(names.get(key) or key),
            page=f"{KNOWLEDGE}/concepts/{slug}/{given[key]}",
            notes_page=f"{NOTES}/{slug}/{given[key]}",
            concept=mapped.get(key),
            said=tuple(touching.get(key, ())),
            current=beliefs.get(key, (None, ()))[0],
            past=beliefs.get(key, (None, ()))[1],
            taught=taught.get(key, ()),
        )
        for key in order
    }
    return SubjectView(
        name=name,
        slug=slug,
        sessions=own,
        concepts=concepts,
        dependents=_dependents(mapped),
        said=said,
        by_session=by_session,
        loose=tuple(loose),
        files=evidence.subject_map.files,
        resolved=resolved,
    )


def _touched(said: Said, resolved: Mapping[str, str]) -> list[str]:
    episode = said.episode
    tied = () if episode.outcome is None or episode.outcome.concept is None else (episode.outcome.concept,)
    return list(dict.fromkeys(resolved.get(key, key) for key in (*episode.concepts, *tied) if key))


def _beliefs(
    rows: Iterable[Belief], said: Mapping[str, Said], resolved: Mapping[str, str]
) -> dict[str, tuple[Belief | None, tuple[Superseded, ...]]]:
    """Current and past beliefs by key; a row stands only while every check behind it does."""
    standing = [row for row in rows if row.evidence and all(i in said for i in row.evidence)]
    by_id = {row.id: row for row in standing}
    found: dict[str, tuple[Belief | None, tuple[Superseded, ...]]] = {}
    grouped: dict[str, list[Belief]] = {}
    for row in sorted(standing, key=lambda row: (row.created_at, row.id)):
        grouped.setdefault(resolved.get(row.concept, row.concept), []).append(row)
    for key, of_key in grouped.items():
        current = max(
            (row for row in of_key if row.superseded_by is None),
            key=lambda row: (_last(row), row.id),
            default=None,
        )
        past = []
        for row in reversed(of_key):
            successor = by_id.get(row.superseded_by) if row.superseded_by else None
            # A row derived anew that claims the same is no change of mind.
            if row.superseded_by is not None and (successor is None or successor.claim is not row.claim):
                until = successor.created_at if successor else _last(row)
                past.append(Superseded(row, until.astimezone(UTC).date(), successor))
        found[key] = (current, tuple(sorted(past, key=lambda p: (p.until, p.belief.id), reverse=True)))
    return found


def _last(row: Belief) -> datetime:
    return max((entry.at for entry in row.history), default=row.created_at)


def _taught(
    evidence: SubjectEvidence, said: Mapping[str, Said], resolved: Mapping[str, str]
) -> dict[str, tuple[TaughtNote, ...]]:
    notes: dict[str, list[TaughtNote]] = {}
    for key, of_key in evidence.layer.taught.items():
        standing = [note for note in of_key if note.episode_id in said]
        if standing:
            notes.setdefault(resolved.get(key, key), []).extend(standing)
    return {
        key: tuple(sorted(of_key, key=lambda n: (said[n.episode_id].order, n.note), reverse=True))
        for key, of_key in notes.items()
    }


def _names(evidence: SubjectEvidence, resolved: Mapping[str, str]) -> dict[str, str]:
    """Name to show by key: the files', else the student's own, else what a belief calls it."""
    names: dict[str, str] = {}
    for row in sorted(evidence.beliefs, key=lambda row: (row.created_at, row.id)):
        names[resolved.get(row.concept, row.concept)] = row.concept_name
    for key, name in sorted(evidence.layer.own_concepts.items()):
        names[resolved.get(key, key)] = name
    return names | {concept.key: concept.name for concept in evidence.subject_map.concepts}


def _teaching_order(evidence: SubjectEvidence, mapped: Mapping[str, Concept]) -> list[str]:
    layered = [key for layer in evidence.subject_map.layers for key in layer if key in mapped]
    return list(dict.fromkeys([*layered, *sorted(mapped)]))


def _dependents(mapped: Mapping[str, Concept]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[Concept]] = {}
    for concept in mapped.values():
        for key in concept.builds_on:
            if key in mapped:
                found.setdefault(key, []).append(concept)
    return {
        key: tuple(c.key for c in sorted(of_key, key=lambda c: (-c.centrality, c.key)))
        for key, of_key in found.items()
    }
