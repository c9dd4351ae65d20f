"""The concept map and the teaching order."""

from __future__ import annotations

from pydantic import Field

from anamnesis.schemas.values import Reply


class SourceOut(Reply):
    """A file that explains a concept, and where."""

    file_id: str
    pages: list[int]


class ConceptOut(Reply):
    """A node of the map, with this student's own layer over it."""

    key: str
    name: str
    aliases: list[str]
    gist: str
    definition: str
    builds_on: list[str]
    assumed: list[str]
    readiness: float = Field(description="How well the MATERIAL covers it; never the student's mastery")
    centrality: float
    sources: list[SourceOut]
    taught: list[str]


class MapOut(Reply):
    """The subject's concept map."""

    revision: int
    concepts: list[ConceptOut]
    readiness: float
    cycles: list[list[str]]


class TeachingOrderOut(Reply):
    """Layers of concept keys, prerequisites first, hubs first within a layer."""

    layers: list[list[str]]
