"""What a compile reads: everything that a student's memory holds, subject by subject (WD-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.identifiers import Pair, StudentScope
from anamnesis.domain.log.episodes import Episode


@dataclass(frozen=True, slots=True)
class SubjectEvidence:
    """One subject's part.

    Attributes
    ----------
    episodes
        All of them by position, with their full texts; what was erased, or is being erased, has no content (WD-4).
    beliefs
        Every row, superseded ones included, oldest first.
    subject_map, layer
        What files say, and what this student taught or confirmed over it.
    readiness
        Band of each concept of the map and of the layer by key, 0–1 (CM-6).
    """

    pair: Pair
    episodes: tuple[Episode, ...]
    beliefs: tuple[Belief, ...]
    subject_map: SubjectMap
    layer: StudentLayer
    readiness: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ConnectorRecord:
    """What a connector returned (WD-6).

    Attributes
    ----------
    path
        Within the connector, such as an event's UID.
    title, text
        Plain text.
    starts_at
        When what it speaks of takes place; None when it has no time.
    fetched_at
        When it was asked.
    fingerprint
        SHA-256 (hex) of the record as it was then, so that a change shows (VE-1).
    """

    connector: str
    path: str
    title: str
    text: str
    starts_at: datetime | None
    fetched_at: datetime
    fingerprint: str


@dataclass(frozen=True, slots=True)
class WikiEvidence:
    """All of a student's evidence.

    Attributes
    ----------
    subjects
        By name of the subject.
    records
        What connectors returned, by connector and path.
    """

    scope: StudentScope
    subjects: tuple[SubjectEvidence, ...]
    records: tuple[ConnectorRecord, ...] = ()
