"""Kinds of fields that several requests have, and the two bases of every body."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[\x21-\x7e]+$")]
LanguageTag = Annotated[str, StringConstraints(max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")]
MediaType = Annotated[
    str, StringConstraints(max_length=127, pattern=r"^[\w.+-]+/[\w.+-]+(; ?charset=[\w-]+)?$")
]

#: The years that a time may lie in, as the description says it; ``domain.log.episodes.checked_moment`` refuses others.
_IN_YEARS = "^(19|20|21)[0-9]{2}-"


def _written_out(value: object) -> object:
    """Refuse what is no text: a bare number would be read as seconds since 1970, which nobody means."""
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d(T|$)", value):
        raise ValueError("write it out as in RFC 3339, such as 2026-09-21T09:00:00+02:00")
    return value


Moment = Annotated[
    AwareDatetime,
    BeforeValidator(_written_out),
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "pattern": _IN_YEARS,
            "description": "RFC 3339, with its offset from UTC; in the years 1900 to 2199",
        }
    ),
]
Day = Annotated[
    date,
    BeforeValidator(_written_out),
    WithJsonSchema({"type": "string", "format": "date", "pattern": _IN_YEARS}),
]
Share = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]


class Request(BaseModel):
    """Base of every request body."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Reply(BaseModel):
    """Base of every response body."""

    model_config = ConfigDict(frozen=True)
