"""The concept map and the teaching order."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import MapView, application
from anamnesis.domain.concepts import Concept
from anamnesis.domain.concepts.readiness import taught_notes
from anamnesis.domain.messages.contradictions import superseded
from anamnesis.schemas.episodes import MAX_CURSOR_CHARS
from anamnesis.schemas.subject_map import MAX_MAP_PAGE, ConceptOut, MapOut, SourceOut, TeachingOrderOut
from api.map_pages import cursor_before, first_after, that_fit
from callers import pair_of

router = APIGatewayHttpRouter()
Student = Annotated[str | None, Query()]


@router.get("/v1/subjects/<subject>/map", summary="The concept map", tags=["map"], compress=True)
def get_map(
    subject: Annotated[str, Path()],
    limit: Annotated[int | None, Query(ge=1, le=MAX_MAP_PAGE)] = None,
    cursor: Annotated[str | None, Query(max_length=MAX_CURSOR_CHARS)] = None,
    student: Student = None,
) -> MapOut:
    """Concepts with this student's own layer; readiness is about the material, never about mastery.

    All of them in one reply when they fit into it, as they do for thousands; `cursor` asks for the rest.
    """
    view = application().view_map(pair_of(router.current_event, subject, student))
    seen = view.subject_map
    first = first_after(cursor, view)
    last = len(seen.concepts) if limit is None else first + limit
    page = [concept_out(concept, view) for concept in seen.concepts[first:last]]
    cycles = [] if cursor is not None else [list(cycle) for cycle in seen.cycles]
    page = page[: that_fit(page, beside=cycles)]
    return MapOut(
        revision=seen.revision,
        concepts=page,
        readiness=view.readiness,
        cycles=cycles,
        cursor=cursor_before(first + len(page), view),
    )


def concept_out(concept: Concept, view: MapView) -> ConceptOut:
    """The HTTP shape of a concept under a student's layer."""
    taught = [note.note for note in taught_notes(concept, view.layer)]
    return ConceptOut(
        key=concept.key,
        name=concept.name,
        aliases=list(concept.aliases),
        gist=concept.gist,
        definition=concept.definition,
        builds_on=list(concept.builds_on),
        assumed=list(concept.assumed),
        readiness=view.readiness_of[concept.key],
        centrality=concept.centrality,
        sources=[SourceOut(file_id=s.file_id, pages=list(s.pages)) for s in concept.sources],
        taught=taught,
        taught_superseded=[taught[place] for place in superseded(taught)],
    )


@router.get(
    "/v1/subjects/<subject>/teaching-order", summary="What to teach first", tags=["map"], compress=True
)
def get_teaching_order(subject: Annotated[str, Path()], student: Student = None) -> TeachingOrderOut:
    """Layers of concept keys, prerequisites first, hubs first within a layer."""
    view = application().view_map(pair_of(router.current_event, subject, student))
    return TeachingOrderOut(layers=[list(layer) for layer in view.subject_map.layers])
