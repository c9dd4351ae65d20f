"""The one shape of every refusal: RFC 9457 problem details (SV-7)."""

from __future__ import annotations

from pydantic import Field

from anamnesis.schemas.values import Reply


class FieldProblem(Reply):
    """One offending input."""

    field: str
    detail: str


class Problem(Reply):
    """RFC 9457 problem details."""

    type: str = Field(description="Stable URN of the kind of problem")
    title: str
    status: int
    detail: str
    field: str | None = Field(default=None, description="Path of the offending input")
    errors: list[FieldProblem] | None = Field(default=None, description="Every offending input, when several")
