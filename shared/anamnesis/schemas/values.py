"""Kinds of fields that several requests have, and the two bases of every body."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from anamnesis.domain.log.episodes import YEARS

#: Largest body of a request in bytes. Lambda takes events of 6 MiB, API Gateway's envelope and all.
MAX_BODY_BYTES = 6_000_000
#: Most fields of objects and items of lists in a body, all that is nested in it together; an empty object or list
#: counts as one. The largest batch has about 18,000: 50 episodes of 12 fields, each with 50 citations of two fields and
#: 200 memory ids. Every one may turn out to be an error, and making 25,000 errors takes a quarter of a second. Ours.
MAX_BODY_VALUES = 25_000
#: In characters. An id is a ULID (26) or a hash; more is room (ours). A language tag has 35 by RFC 5646, section 4.4.1,
#: each half of a media type 127 by RFC 6838, section 4.2 (no known one needs more in all), an IANA zone at most 32.
MAX_ID_CHARS = 128
MAX_LANGUAGE_CHARS = 35
MAX_MEDIA_TYPE_CHARS = 127
MAX_TIME_ZONE_CHARS = 64

#: Each half of a media type. Written out, since what a word is made of is not the same in JSON Schema and elsewhere.
_MEDIA = "[A-Za-z0-9_.+-]+"

_IDENTIFIER_PATTERN = r"^[\x21-\x7e]+$"


def _identifier(value: str) -> str:
    """Say what an id looks like: of a pattern nobody reads that."""
    if not re.fullmatch(_IDENTIFIER_PATTERN.strip("^$"), value):
        raise PydanticCustomError(
            "identifier",
            "an id stands here as the service gave it, letters and digits without spaces: 01J8ZQ4TB2M5V9K7R3XW6YD0HE",
        )
    return value


Identifier = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_ID_CHARS),
    AfterValidator(_identifier),
    Field(json_schema_extra={"pattern": _IDENTIFIER_PATTERN}),
]
LanguageTag = Annotated[
    str, StringConstraints(max_length=MAX_LANGUAGE_CHARS, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
]
MediaType = Annotated[
    str,
    StringConstraints(
        max_length=MAX_MEDIA_TYPE_CHARS, pattern=rf"^{_MEDIA}/{_MEDIA}(; ?charset=[A-Za-z0-9_-]+)?$"
    ),
]


_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
#: RFC 3339, section 5.6, digits and signs of ASCII only.
_MOMENT_PATTERN = re.compile(_DAY + r"[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})")
_DAY_PATTERN = re.compile(_DAY)


def _moment(value: object) -> object:
    """Refuse what is no text, too: a bare number would be read as seconds since 1970, which nobody means."""
    if not isinstance(value, str) or not _MOMENT_PATTERN.fullmatch(value):
        raise ValueError("write it out as in RFC 3339, with seconds and offset: 2026-09-21T09:00:00+02:00")
    return value


def _day(value: object) -> object:
    if not isinstance(value, str) or not _DAY_PATTERN.fullmatch(value):
        raise ValueError("write it out as in RFC 3339, such as 2026-09-21")
    return value


Moment = Annotated[
    AwareDatetime,
    BeforeValidator(_moment),
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "description": "RFC 3339, with its offset from UTC; in the years 1900 to 2199",
        }
    ),
]
Day = Annotated[
    date,
    BeforeValidator(_day),
    Field(ge=date(YEARS[0], 1, 1), le=date(YEARS[-1], 12, 31)),
    WithJsonSchema({"type": "string", "format": "date", "description": "In the years 1900 to 2199"}),
]
Share = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]


class Request(BaseModel):
    """Base of every request body."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Reply(BaseModel):
    """Base of every response body."""

    model_config = ConfigDict(frozen=True)
