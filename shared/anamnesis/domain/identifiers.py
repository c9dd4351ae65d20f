"""Who and what a memory belongs to, and the storage keys that follow from it.

Keys are percent-encoded part by part and joined by ``#``, which percent-encoding never produces, so that no choice
of names can make two different owners share a key.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

from anamnesis.domain.errors import InvalidInput

#: Largest sizes in bytes of UTF-8. Percent-encoding at most triples them, which keeps a pair's key under half of the
#: 2,048 bytes that DynamoDB allows for a partition key.
MAX_TENANT_BYTES = 64
MAX_STUDENT_BYTES = 128
MAX_SUBJECT_BYTES = 128


def checked_name(value: str, *, field: str, max_bytes: int) -> str:
    """Return `value` unchanged if it can name a tenant, a student or a subject.

    Raises
    ------
    InvalidInput
        If it is empty, longer than `max_bytes` bytes of UTF-8, starts or ends with white space, holds a slash, a
        control, format (zero-width, bidi), surrogate or unassigned character, or is one or two dots.
    """
    if not value or value.strip() != value:
        raise InvalidInput("must not be empty nor start or end with white space", field=field)
    if "/" in value or any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"} for c in value):
        raise InvalidInput("must not hold slashes, control or invisible formatting characters", field=field)
    if value in {".", ".."}:
        # RFC 3986, section 5.2.4: a client that normalises paths never sends them, and reaches another subject instead.
        raise InvalidInput("must not be one or two dots, which paths leave out", field=field)
    if len(value.encode()) > max_bytes:
        raise InvalidInput(f"must not be longer than {max_bytes} bytes of UTF-8", field=field)
    return value


def joined(*parts: str) -> str:
    """Join name parts into one storage key that can be read back part by part."""
    return "#".join(quote(part, safe="") for part in parts)


@dataclass(frozen=True, slots=True)
class SubjectScope:
    """A subject of a tenant: the owner of course files and of what they say."""

    tenant: str
    subject: str

    def __post_init__(self) -> None:
        checked_name(self.tenant, field="tenant", max_bytes=MAX_TENANT_BYTES)
        checked_name(self.subject, field="subject", max_bytes=MAX_SUBJECT_BYTES)

    @property
    def key(self) -> str:
        """Storage key, unique over all tenants and subjects."""
        return joined(self.tenant, self.subject)


@dataclass(frozen=True, slots=True)
class StudentScope:
    """A student of a tenant over all subjects: the owner of a wiki."""

    tenant: str
    student: str

    def __post_init__(self) -> None:
        checked_name(self.tenant, field="tenant", max_bytes=MAX_TENANT_BYTES)
        checked_name(self.student, field="student", max_bytes=MAX_STUDENT_BYTES)

    @property
    def key(self) -> str:
        """Storage key, unique over all tenants and students."""
        return joined(self.tenant, self.student)


@dataclass(frozen=True, slots=True)
class Pair:
    """One student in one subject: the unit that has a log, beliefs, a working set and a self-model."""

    tenant: str
    student: str
    subject: str

    def __post_init__(self) -> None:
        checked_name(self.tenant, field="tenant", max_bytes=MAX_TENANT_BYTES)
        checked_name(self.student, field="student", max_bytes=MAX_STUDENT_BYTES)
        checked_name(self.subject, field="subject", max_bytes=MAX_SUBJECT_BYTES)

    @property
    def key(self) -> str:
        """Storage key, unique over all tenants, students and subjects."""
        return joined(self.tenant, self.student, self.subject)

    @property
    def scope(self) -> SubjectScope:
        """The subject that this pair works in."""
        return SubjectScope(self.tenant, self.subject)

    @property
    def student_scope(self) -> StudentScope:
        """The student, over all subjects."""
        return StudentScope(self.tenant, self.student)
