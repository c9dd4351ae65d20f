"""Connectors: evidence outside the log that a tenant registers (WD-6)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from anamnesis.domain.wiki.connectors import MAX_BYTES, MAX_URL_CHARS, ConnectorKind
from anamnesis.schemas.values import Reply, Request
from anamnesis.schemas.wiki import ConnectorRecordOut


class RegisterConnector(Request):
    """What to read; either a URL, which is asked again every night, or the text itself."""

    kind: ConnectorKind = ConnectorKind.ICALENDAR
    subject: str | None = Field(
        default=None, max_length=128, description="Only for students of this subject; null for all students"
    )
    url: Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL_CHARS)] | None = Field(
        default=None, description="https on the public Internet"
    )
    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_BYTES)] | None = None


class ConnectorOut(Reply):
    """A connector."""

    name: str
    kind: ConnectorKind
    subject: str | None
    url: str | None
    registered_at: datetime
    fetched_at: datetime = Field(description="When its content, as it is, was first seen")


class RegisteredConnector(ConnectorOut):
    """A connector that was registered now."""

    records: int = Field(description="How many records it has that are of use")


class ConnectorList(Reply):
    """Every connector of the tenant, by name."""

    connectors: list[ConnectorOut]


class ConnectorRecords(Reply):
    """Records of one connector, soonest first."""

    records: list[ConnectorRecordOut]
