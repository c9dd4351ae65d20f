"""Uploads and course files."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

from anamnesis.domain.files import MAX_FILE_BYTES, FileStatus
from anamnesis.schemas.values import MediaType, Reply, Request

MAX_NAME_CHARS = 255


class OfferFile(Request):
    """A file about to be uploaded."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"name": "cells.pdf", "media_type": "application/pdf", "bytes": 48_213}]
        }
    )

    name: Annotated[
        str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS, pattern=r"^[^\x00-\x1f\x7f/\\]+$")
    ]
    media_type: MediaType
    bytes: Annotated[int, Field(ge=1, le=MAX_FILE_BYTES, strict=True)]


class UploadOut(Reply):
    """Send exactly the announced bytes there, with these headers."""

    url: str
    method: str
    headers: dict[str, str]
    expires_at: datetime


class OfferedFile(Reply):
    """A place for the file's bytes."""

    file_id: str
    upload: UploadOut


class FileOut(Reply):
    """Where a file stands."""

    file_id: str
    name: str
    media_type: str
    bytes: int
    status: FileStatus
    reason: str | None = Field(
        description="Stable code: why it was refused, or what it lacks though it was read"
    )
    detail: str | None = Field(description="What can be done about that")
    pages: int
    language: str | None
    fingerprint: str | None
    concepts: list[str] = Field(description="Keys of the concepts it explains")
    created_at: datetime
    replaced_by: str | None
    deleted_at: datetime | None


class FileList(Reply):
    """Every file of the subject, oldest first."""

    files: list[FileOut]
