"""Erasure."""

from __future__ import annotations

from pydantic import Field

from anamnesis.schemas.values import Reply


class ErasureOut(Reply):
    """What an erasure did. A request that is not complete goes on when it is sent again, and at night by itself."""

    episodes: int = Field(
        description="Episodes whose contents are gone: every recording of an event, and the day's summaries of it"
    )
    files: int = Field(description="Uploaded files that are gone with them")
    complete: bool = Field(description="Whether everything is gone")
