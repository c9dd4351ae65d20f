"""Name indexes kept in a warm process: building one takes longer than all that a turn asks of it."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.identifiers import Pair
from anamnesis.recently_used import RecentlyUsed

#: Indexes kept at most; one of 1,000 concepts takes about 3 MB.
MAX_KEPT = 64


@dataclass(frozen=True, slots=True)
class Names:
    """What the concepts of one student's map are called.

    Attributes
    ----------
    index
        Finds them in text.
    earlier_keys
        By canonical key, the keys under which beliefs and episodes may still hold the same concept, itself included.
    """

    index: NameIndex
    earlier_keys: dict[str, tuple[str, ...]]

    def all_keys(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """`keys` and every earlier key of the same concepts, each once."""
        return tuple(dict.fromkeys(k for key in keys for k in (key, *self.earlier_keys.get(key, ()))))


class NameIndexes:
    """Builds indexes and keeps the latest of each pair for as long as map and layer stay the same. Thread-safe."""

    def __init__(self) -> None:
        self._kept: RecentlyUsed[str, tuple[SubjectMap, StudentLayer, Names]] = RecentlyUsed(MAX_KEPT)

    def of(self, pair: Pair, subject_map: SubjectMap, layer: StudentLayer) -> Names:
        """The names in a pair's map; `subject_map` is compared by identity, as the map cache hands it out."""
        kept = self._kept.get(pair.key)
        if kept is not None and kept[0] is subject_map and kept[1] == layer:
            return kept[2]
        earlier: dict[str, list[str]] = {}
        for alias, key in resolved_keys(subject_map).items():
            earlier.setdefault(key, []).append(alias)
        names = Names(NameIndex(subject_map, layer), {key: tuple(found) for key, found in earlier.items()})
        self._kept.keep(pair.key, (subject_map, layer, names))
        return names
