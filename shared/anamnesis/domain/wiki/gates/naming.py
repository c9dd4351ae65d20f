"""What the concepts of a subject are called: by the files, by the student, by the beliefs of any day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.wiki.evidence import SubjectEvidence


@dataclass(frozen=True, slots=True)
class ConceptNames:
    """Names by key, and the key that each key stands for by now."""

    resolved: Mapping[str, str]
    by_key: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, subject: SubjectEvidence) -> ConceptNames:
        """Gather them."""
        resolved = resolved_keys(subject.subject_map)
        found: dict[str, dict[str, None]] = {}
        for key, name in _told(subject):
            found.setdefault(resolved.get(key, key), {})[name] = None
        return cls(resolved, {key: tuple(names) for key, names in found.items()})

    def of_key(self, key: str) -> tuple[str, ...]:
        """All names of the concept that a key stands for."""
        return self.by_key.get(self.resolved.get(key, key), ())


def _told(subject: SubjectEvidence) -> Iterator[tuple[str, str]]:
    """Key and name; what nothing names is shown by its key."""
    for row in subject.beliefs:
        yield from ((row.concept, name) for name in (row.concept_name, row.concept))
    for key, name in subject.layer.own_concepts.items():
        yield from ((key, name), (key, key))
    for concept in subject.subject_map.concepts:
        yield from ((concept.key, name) for name in (concept.name, *concept.aliases, concept.key))
