"""What a history is: events as a caller of the API describes them, and the course files beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from anamnesis.bootstrap import Draft


@dataclass(frozen=True, slots=True)
class CourseFile:
    """A file as somebody uploads it."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class History:
    """One student's work in one subject.

    Attributes
    ----------
    name
        The student's, unique among the histories measured together.
    subject
        Histories of one subject have the same files.
    language
        BCP 47 tag of the student's own language, in which questions are asked.
    zone
        IANA name of the student's time zone.
    asked_at
        Aware; when questions are asked, after the last event.
    events
        Oldest first. Evidence names a course file by its name; its id is known once it was uploaded.
    told_about
        Terms that teachings are about, by the number of their event; empty where only the record is known.
    """

    name: str
    subject: str
    language: str
    zone: str
    asked_at: datetime
    events: tuple[Draft, ...]
    files: tuple[CourseFile, ...] = ()
    told_about: Mapping[int, str] = field(default_factory=dict)

    def as_record(self) -> dict[str, Any]:
        """JSON form, for the hash that registers what was asked of what."""
        return {
            "name": self.name,
            "subject": self.subject,
            "language": self.language,
            "zone": self.zone,
            "asked_at": self.asked_at.isoformat(),
            "events": [event.as_record() for event in self.events],
        }
