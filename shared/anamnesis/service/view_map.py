"""The concept map as one student sees it: the files' map under the student's own layer (CM-6, CM-9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.concepts.readiness import concept_readiness, subject_readiness, with_layer
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.ports import ConceptStore
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_log import ProjectLog


@dataclass(frozen=True, slots=True)
class MapView:
    """The map, the layer, and the readiness that follows from both (0–1).

    Attributes
    ----------
    own
        How many of the concepts only the student taught: the last ones.
    """

    subject_map: SubjectMap
    own: int
    layer: StudentLayer
    readiness: float
    readiness_of: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ViewMap:
    """The use case; call it with a pair."""

    concepts: ConceptStore
    maps: MapCache
    project: ProjectLog

    def __call__(self, pair: Pair) -> MapView:
        """The view as of now; catches up with the log before answering."""
        self.project(pair)
        layer = self.concepts.layer(pair)
        shared = self.maps.load(pair.scope)
        subject_map = with_layer(shared, layer)
        return MapView(
            subject_map=subject_map,
            own=len(subject_map.concepts) - len(shared.concepts),
            layer=layer,
            readiness=subject_readiness(subject_map, layer),
            readiness_of={concept.key: concept_readiness(concept, layer) for concept in subject_map.concepts},
        )

    def concepts_by_file(self, scope: SubjectScope) -> dict[str, list[str]]:
        """Keys of the concepts that each file explains, by file id."""
        explained: dict[str, list[str]] = {}
        for concept in self.maps.load(scope).concepts:
            for source in concept.sources:
                explained.setdefault(source.file_id, []).append(concept.key)
        return explained
