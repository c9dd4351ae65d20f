"""entities/: a page for each name that recurs (WK-1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from anamnesis.domain.text.folding import fold
from anamnesis.domain.wiki.evidence import SubjectEvidence
from anamnesis.domain.wiki.facts.entities import Entity, find_entities
from anamnesis.domain.wiki.facts.quotes import day_of, quoted, references
from anamnesis.domain.wiki.facts.said import Said
from anamnesis.domain.wiki.pages import KNOWLEDGE, Page, PageKind, Statement
from anamnesis.domain.wiki.slugs import slugs

ENTITIES: Final = f"{KNOWLEDGE}/entities"
#: Most entities that get a page, those named most often. Ours.
MAX_ENTITIES: Final = 200


def entity_pages(everything: Sequence[Said], subjects: Sequence[SubjectEvidence]) -> Iterator[Page]:
    """Yield a page for each name that recurs in what the student said in all subjects."""
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
        created=day_of(first),
        updated=day_of(last),
        summary=(
            Statement(
                f"{what} that the student named in {sessions} sessions, first on {day_of(first)}, "
                f"last on {day_of(last)}.",
                tuple(dict.fromkeys((first.address, last.address))),
            ),
        ),
        sections=(quoted(entity.said),),
        aliases=entity.spellings,
        references=references(entity.said),
    )
