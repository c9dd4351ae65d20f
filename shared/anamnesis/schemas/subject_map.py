"""The concept map and the teaching order."""

from __future__ import annotations

from pydantic import Field

from anamnesis.schemas.values import Reply

#: Most concepts that a caller may ask for by number. Without a number a page is as large as a reply can be.
MAX_MAP_PAGE = 10_000


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
    taught: list[str] = Field(description="What the student taught about it, oldest first")
    taught_superseded: list[str] = Field(
        description="Those of `taught` that a later one contradicts: kept, and not shown to the tutor any more"
    )


class MapOut(Reply):
    """The subject's concept map: concepts of files by key, then those that only the student taught.

    A map that is too large for one reply comes in pages; `cursor` asks for the next one, null on the last. A `revision`
    that differs between pages says that files changed meanwhile.
    """

    revision: int
    concepts: list[ConceptOut]
    readiness: float = Field(description="Of the whole map")
    cycles: list[list[str]] = Field(description="Of the whole map; on the first page")
    cursor: str | None


class TeachingOrderOut(Reply):
    """Layers of concept keys, prerequisites first, hubs first within a layer."""

    layers: list[list[str]]
