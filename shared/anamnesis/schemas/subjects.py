"""A student's subjects."""

from __future__ import annotations

from pydantic import Field

from anamnesis.schemas.values import Reply


class SubjectList(Reply):
    """Names of subjects."""

    subjects: list[str] = Field(
        description="In which anything was recorded or uploaded; an erased one is among them"
    )
