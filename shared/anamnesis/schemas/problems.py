"""The one shape of every refusal: RFC 9457 problem details (SV-7)."""

from __future__ import annotations

from pydantic import Field

from anamnesis.schemas.values import Reply


class FieldProblem(Reply):
    """One offending input."""

    field: str
    detail: str


class GateFinding(Reply):
    """One reason why a wiki's page does not pass the gates."""

    path: str
    line: int = Field(description="From 1 in the file; 0 for the whole page")
    rule: str = Field(description="Stable code of the rule")
    detail: str


class Problem(Reply):
    """RFC 9457 problem details."""

    type: str = Field(description="Stable URN of the kind of problem")
    title: str
    status: int
    detail: str
    field: str | None = Field(default=None, description="Path of the offending input")
    findings: list[GateFinding] | None = Field(
        default=None, description="Of a page that the wiki's gates refuse"
    )
    base: str | None = Field(
        default=None, description="Of a conflict: the revision that the write started from"
    )
    current: str | None = Field(default=None, description="Of a conflict: the revision that stands")
    paths: list[str] | None = Field(default=None, description="Of a conflict: the pages")
    errors: list[FieldProblem] | None = Field(default=None, description="Every offending input, when several")
