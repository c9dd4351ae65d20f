"""Who is calling, and for whom they may act (SV-11)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from anamnesis.domain.errors import Forbidden, InvalidInput
from anamnesis.domain.identifiers import (
    MAX_STUDENT_BYTES,
    MAX_TENANT_BYTES,
    Pair,
    SubjectScope,
    checked_name,
)


class Role(StrEnum):
    """What a token's holder is."""

    STUDENT = "student"
    TEACHER = "teacher"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Caller:
    """The holder of a verified token; tenant, student and role come from it and from nowhere else.

    Raises
    ------
    InvalidInput
        If the token's tenant or student can name nobody.
    """

    tenant: str
    student: str | None
    role: Role

    def __post_init__(self) -> None:
        checked_name(self.tenant, field="tenant", max_bytes=MAX_TENANT_BYTES)
        if self.student is not None:
            checked_name(self.student, field="student", max_bytes=MAX_STUDENT_BYTES)

    def pair(self, subject: str, named_student: str | None) -> Pair:
        """The pair that this call is about.

        Parameters
        ----------
        named_student
            Value of ``?student=``, None when absent.

        Raises
        ------
        Forbidden
            If a student names a student at all, or a student's token does not say whose it is.
        InvalidInput
            If neither the token nor the query names a student, or a name is malformed.
        """
        return Pair(self.tenant, self.whom(named_student), subject)

    def whom(self, named_student: str | None) -> str:
        """The student that this call is about; parameters and errors as for ``pair``."""
        self.require_naming(named_student)
        if self.student is None and self.role is Role.STUDENT:
            raise Forbidden("this student's token does not say whose it is")
        student = named_student if named_student is not None else self.student
        if student is None:
            raise InvalidInput("name the student this is about", field="student")
        return checked_name(student, field="student", max_bytes=MAX_STUDENT_BYTES)

    def require_naming(self, named_student: str | None) -> None:
        """Refuse a student that names a student, even the same one.

        Raises
        ------
        Forbidden
            As said; for teachers and services never.
        """
        if named_student is not None and self.role is Role.STUDENT:
            raise Forbidden("a student's token acts for that student only", field="student")

    def scope(self, subject: str) -> SubjectScope:
        """The subject, as far as files go."""
        return SubjectScope(self.tenant, subject)

    def require_taking_part(self) -> None:
        """Refuse a teacher what is said in a student's own voice.

        Raises
        ------
        Forbidden
            For teachers.
        """
        if self.role is Role.TEACHER:
            raise Forbidden("a teacher only looks: students and services ask the tutor", field="question")

    def require_service(self, field: str) -> None:
        """Refuse anything but a service token.

        Raises
        ------
        Forbidden
            For students and teachers; `field` says what they asked for.
        """
        if self.role is not Role.SERVICE:
            raise Forbidden("only a service token may use this", field=field)
