"""The subjects that a student has anything in (SV-6)."""

from __future__ import annotations

from dataclasses import dataclass

from anamnesis.domain.identifiers import StudentScope
from anamnesis.ports import Roster


@dataclass(frozen=True, slots=True)
class ListSubjects:
    """The use case; call it with a student."""

    roster: Roster

    def __call__(self, student: StudentScope) -> list[str]:
        """Names, in the order of their code points; one whose records were erased is among them."""
        return [pair.subject for pair in self.roster.pairs(student.tenant, student.student)]
