"""Evidence outside the log: what a tenant registered for its students' wikis (WD-6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from anamnesis.domain.errors import InvalidInput

#: Most connectors of a tenant, bytes of what one returns, and records that are used of it. Ours.
MAX_CONNECTORS: Final = 20
MAX_BYTES: Final = 1_000_000
MAX_RECORDS: Final = 500
MAX_URL_CHARS: Final = 2_000
#: How old what was fetched may be before it is asked for again. Ours: the night asks once.
REFETCHED_AFTER: Final = timedelta(hours=6)
#: How far from when it was fetched a record may take place to be of use. Ours: a school year each way.
BEFORE: Final = timedelta(days=370)
AHEAD: Final = timedelta(days=400)
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class ConnectorKind(StrEnum):
    """What a connector reads."""

    ICALENDAR = "icalendar"


@dataclass(frozen=True, slots=True)
class Registered:
    """A connector as a tenant registered it, and what it returned last.

    Attributes
    ----------
    name
        As in ``connector://name/…``.
    subject
        Only for students of this subject; None for all students.
    url
        Where it is fetched from; None for one whose content was given once and for all.
    fetched_at
        When its content, as it is, was first seen.
    asked_at
        When it was last asked for.
    data
        Its content.
    """

    name: str
    kind: ConnectorKind
    subject: str | None
    url: str | None
    registered_at: datetime
    fetched_at: datetime
    asked_at: datetime
    data: bytes


def checked_connector_name(name: str, *, field: str = "name") -> str:
    """Return `name` unchanged if a connector may have it.

    Raises
    ------
    InvalidInput
        If it is not 1 to 40 small letters of ASCII, digits and hyphens; names `field`.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            "must be 1 to 40 small letters a–z, digits or hyphens, no hyphen first", field=field
        )
    return name
