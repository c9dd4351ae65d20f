"""Subject maps kept in a warm process by revision, so that a turn re-reads one only when it changed."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from anamnesis.domain.concepts import SubjectMap
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import ConceptStore

#: Maps kept at most; a map of 1,000 concepts takes about 2 MB.
MAX_KEPT = 64


class MapCache:
    """Loads maps through the store and keeps the latest of each subject. Thread-safe."""

    def __init__(self, concepts: ConceptStore) -> None:
        self._concepts = concepts
        self._kept: OrderedDict[str, SubjectMap] = OrderedDict()
        self._lock = Lock()

    def load(self, scope: SubjectScope) -> SubjectMap:
        """The published map of the subject as of now."""
        with self._lock:
            known = self._kept.get(scope.key)
        current = self._concepts.load_map(scope, known=known)
        with self._lock:
            self._kept[scope.key] = current
            self._kept.move_to_end(scope.key)
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return current
