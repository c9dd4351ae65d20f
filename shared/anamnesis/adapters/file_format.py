"""File records as JSON values, for the copy of a subject's files that its map carries."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import SubjectScope


def file_to_json(record: FileRecord) -> dict[str, Any]:
    """Return a record as a JSON object without its scope, which belongs to the whole map."""
    return {
        "id": record.id,
        "name": record.name,
        "media_type": record.media_type,
        "declared_bytes": record.declared_bytes,
        "uploaded_by": record.uploaded_by,
        "created_at": record.created_at.isoformat(),
        "status": record.status.value,
        "reason": record.reason,
        "detail": record.detail,
        "fingerprint": record.fingerprint,
        "pages": record.pages,
        "language": record.language,
        "replaced_by": record.replaced_by,
        "deleted_at": record.deleted_at.isoformat() if record.deleted_at else None,
    }


def file_from_json(value: dict[str, Any], scope: SubjectScope) -> FileRecord:
    """Return the record behind ``file_to_json``."""
    deleted_at = value["deleted_at"]
    return FileRecord(
        **{
            **value,
            "scope": scope,
            "created_at": datetime.fromisoformat(value["created_at"]),
            "status": FileStatus(value["status"]),
            "deleted_at": datetime.fromisoformat(deleted_at) if deleted_at else None,
        }
    )
