"""Subject maps kept in a warm process by revision, so that a turn re-reads one only when it changed."""

from __future__ import annotations

from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import ConceptStore
from anamnesis.recently_used import RecentlyUsed

#: Maps kept at most; a map of 1,000 concepts takes about 2 MB.
MAX_KEPT = 64


class MapCache:
    """Loads maps through the store and keeps the latest of each subject. Thread-safe."""

    def __init__(self, concepts: ConceptStore) -> None:
        self._concepts = concepts
        self._kept: RecentlyUsed[str, SubjectMap] = RecentlyUsed(MAX_KEPT)

    def load(self, scope: SubjectScope) -> SubjectMap:
        """The published map of the subject as of now."""
        current = self._concepts.load_map(scope, known=self._kept.get(scope.key))
        self._kept.keep(scope.key, current)
        return current
