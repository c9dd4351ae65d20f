"""Values of the concept map: what one file says, the merged map, and one student's own layer over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from anamnesis.domain.files import FileRecord

#: Most concepts that one file may contribute (CM-1: a bounded list).
MAX_CONCEPTS_PER_FILE = 60
#: The same of a file whose own glossary, cards or table of terms says what each is, so that nothing is chosen. Ours.
MAX_TERMS_PER_FILE = 300
MAX_NAME_CHARS = 80
MAX_GIST_CHARS = 240
MAX_DEFINITION_CHARS = 600
MAX_BUILDS_ON = 12
#: Most tokens of one request that are believed. Ours: a thousand times the largest window of a model.
MAX_TOLD_TOKENS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class ExtractedConcept:
    """One concept as a concept reader returned it.

    Attributes
    ----------
    builds_on
        Names from the same list that it builds on.
    assumed
        Names it builds on that the file never explains (CM-4).
    pages
        Pages (from 1) where the file explains it, ascending.
    evidence
        How much in the file speaks for each of ``builds_on``, at least 1; () where the reader counts nothing, which
        is 1 each.
    """

    name: str
    gist: str
    definition: str
    builds_on: tuple[str, ...]
    assumed: tuple[str, ...]
    pages: tuple[int, ...]
    evidence: tuple[int, ...] = ()

    def weights(self) -> dict[str, int]:
        """Return the evidence by name of a prerequisite."""
        counted = self.evidence if len(self.evidence) == len(self.builds_on) else (1,) * len(self.builds_on)
        return {name: max(1, count) for name, count in zip(self.builds_on, counted, strict=True)}


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate the validator refused, and why (a stable code)."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What reading took of a language model: answered requests, and the tokens that they are paid by."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: ModelUse) -> ModelUse:
        """Return both together."""
        return ModelUse(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    @classmethod
    def as_told(cls, given: Any, made: Any) -> ModelUse:
        """One request, as a model's side counts it: what is no count, or none that can be, counts as nothing."""
        return cls(1, _count(given), _count(made))


def _count(told: Any) -> int:
    is_count = isinstance(told, int) and not isinstance(told, bool) and 0 <= told <= MAX_TOLD_TOKENS
    return told if is_count else 0


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that reading one file gave: a bounded, validated list, and what was refused.

    Attributes
    ----------
    language
        BCP 47 language of the file's text.
    reader
        Name and version of the concept reader.
    use
        What all of it took of a model, parts that an earlier try had read included; nothing for a reader without one.
    """

    language: str
    reader: str
    concepts: tuple[ExtractedConcept, ...]
    rejected: tuple[Rejection, ...]
    use: ModelUse = ModelUse()


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one file adds to its subject's map; the map is a pure function of all contributions.

    Attributes
    ----------
    keys
        Canonical key of each concept, in the order of ``extraction.concepts``.
    vectors
        Shape (concepts, dimension), float32, unit length: embeddings of "name: gist".
    embedder
        Name of the embedder that made them; vectors of different embedders are never compared.
    """

    file_id: str
    fingerprint: str
    extraction: Extraction
    keys: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    embedder: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file that explains a concept, and on which pages."""

    file_id: str
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Concept:
    """A node of the subject map.

    Attributes
    ----------
    aliases
        Other names it goes by in the files, other languages included.
    builds_on
        Canonical keys of its prerequisites that are nodes.
    assumed
        Names of prerequisites that only this concept assumes (CM-4): noted here, drawn nowhere.
    sources
        Files that explain it; empty for a node that is only assumed by two or more others.
    centrality
        Weighted PageRank, sums to 1 over the map (CM-5).
    """

    key: str
    name: str
    aliases: tuple[str, ...]
    gist: str
    definition: str
    builds_on: tuple[str, ...]
    assumed: tuple[str, ...]
    sources: tuple[Source, ...]
    centrality: float


@dataclass(frozen=True, slots=True)
class SubjectMap:
    """The concept map of a subject, as far as files go (CM-9).

    Attributes
    ----------
    revision
        Grows by one with every change to the subject's files; 0 is the empty map.
    cycles
        Groups of keys that build on each other in a circle, each sorted.
    layers
        Teaching order: lists of keys, prerequisites first, hubs first within a layer (CM-7).
    vectors
        Shape (concepts, dimension), float32, unit length, in the order of ``concepts``.
    files
        Every file of the subject by id, replaced and deleted ones included, for labels (RC-8).
    """

    revision: int
    concepts: tuple[Concept, ...]
    cycles: tuple[tuple[str, ...], ...]
    layers: tuple[tuple[str, ...], ...]
    vectors: npt.NDArray[np.float32]
    embedder: str
    files: Mapping[str, FileRecord]


def empty_map() -> SubjectMap:
    """Return the map of a subject without files: revision 0."""
    return SubjectMap(
        revision=0,
        concepts=(),
        cycles=(),
        layers=(),
        vectors=np.zeros((0, 0), np.float32),
        embedder="",
        files={},
    )


@dataclass(frozen=True, slots=True)
class TaughtNote:
    """What the student taught about a concept, and the episode in which they did."""

    note: str
    episode_id: str
    position: int


@dataclass(frozen=True, slots=True)
class StudentLayer:
    """One student's own layer over the subject map; it never reaches another student (CM-9).

    Attributes
    ----------
    taught
        Notes by canonical key, oldest first.
    own_concepts
        Name by canonical key of every concept the student taught about; those that no file explains are the
        student's own (TE-2, CM-8).
    confirmed
        Keys that a passed check confirmed (CM-6).
    """

    taught: Mapping[str, tuple[TaughtNote, ...]] = field(default_factory=dict)
    own_concepts: Mapping[str, str] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
