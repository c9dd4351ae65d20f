"""The concept map: what files say, how it becomes one map, and how a text is routed to its concepts."""

from anamnesis.domain.concepts.values import (
    MAX_BUILDS_ON,
    MAX_CONCEPTS_PER_FILE,
    MAX_DEFINITION_CHARS,
    MAX_GIST_CHARS,
    MAX_NAME_CHARS,
    Concept,
    Contribution,
    ExtractedConcept,
    Extraction,
    ModelUse,
    Rejection,
    Source,
    StudentLayer,
    SubjectMap,
    TaughtNote,
    empty_map,
)

__all__ = [
    "MAX_BUILDS_ON",
    "MAX_CONCEPTS_PER_FILE",
    "MAX_DEFINITION_CHARS",
    "MAX_GIST_CHARS",
    "MAX_NAME_CHARS",
    "Concept",
    "Contribution",
    "ExtractedConcept",
    "Extraction",
    "ModelUse",
    "Rejection",
    "Source",
    "StudentLayer",
    "SubjectMap",
    "TaughtNote",
    "empty_map",
]
