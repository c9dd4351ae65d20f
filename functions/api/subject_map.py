"""The concept map and the teaching order."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import application
from anamnesis.schemas.subject_map import ConceptOut, MapOut, SourceOut, TeachingOrderOut
from callers import pair_of

router = APIGatewayHttpRouter()
Student = Annotated[str | None, Query()]


@router.get("/v1/subjects/<subject>/map", summary="The concept map", tags=["map"])
def get_map(subject: Annotated[str, Path()], student: Student = None) -> MapOut:
    """Concepts with this student's own layer; readiness is about the material, never about mastery."""
    view = application().view_map(pair_of(router.current_event, subject, student))
    return MapOut(
        revision=view.subject_map.revision,
        concepts=[
            ConceptOut(
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
                taught=[note.note for note in view.layer.taught.get(concept.key, ())],
            )
            for concept in view.subject_map.concepts
        ],
        readiness=view.readiness,
        cycles=[list(cycle) for cycle in view.subject_map.cycles],
    )


@router.get("/v1/subjects/<subject>/teaching-order", summary="What to teach first", tags=["map"])
def get_teaching_order(subject: Annotated[str, Path()], student: Student = None) -> TeachingOrderOut:
    """Layers of concept keys, prerequisites first, hubs first within a layer."""
    view = application().view_map(pair_of(router.current_event, subject, student))
    return TeachingOrderOut(layers=[list(layer) for layer in view.subject_map.layers])
