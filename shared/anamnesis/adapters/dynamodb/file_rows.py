"""File records as rows, and back."""

from __future__ import annotations

from pynamodb.expressions.condition import Condition

from anamnesis.adapters.dynamodb.models import FileRow
from anamnesis.domain.files import FileRecord, FileStatus
from anamnesis.domain.identifiers import SubjectScope

PREFIX = "FILE#"


def row_of(record: FileRecord, model: type[FileRow]) -> FileRow:
    """Return the row of a record."""
    return model(
        record.scope.key,
        PREFIX + record.id,
        id=record.id,
        name=record.name,
        media_type=record.media_type,
        declared_bytes=record.declared_bytes,
        uploaded_by=record.uploaded_by,
        created_at=record.created_at,
        status=record.status.value,
        reason=record.reason,
        detail=record.detail,
        fingerprint=record.fingerprint,
        pages=record.pages,
        language=record.language,
        replaced_by=record.replaced_by,
        deleted_at=record.deleted_at,
        runs=record.runs or None,
        begun_at=record.begun_at,
    )


def state_of(record: FileRecord) -> Condition:
    """Return the condition that the row is still in the state of `record`: what decides about its next change."""
    condition: Condition = FileRow.status == record.status.value
    for attribute, value in (
        (FileRow.fingerprint, record.fingerprint),
        (FileRow.replaced_by, record.replaced_by),
        (FileRow.deleted_at, record.deleted_at),
    ):
        # An attribute without a value is not written at all.
        condition &= attribute.does_not_exist() if value is None else attribute == value
    return condition


def record_of(row: FileRow, scope: SubjectScope) -> FileRecord:
    """Return the record of a row."""
    return FileRecord(
        id=row.id,
        scope=scope,
        name=row.name,
        media_type=row.media_type,
        declared_bytes=int(row.declared_bytes),
        uploaded_by=row.uploaded_by,
        created_at=row.created_at,
        status=FileStatus(row.status),
        reason=row.reason,
        detail=row.detail,
        fingerprint=row.fingerprint,
        pages=int(row.pages),
        language=row.language,
        replaced_by=row.replaced_by,
        deleted_at=row.deleted_at,
        runs=int(row.runs or 0),
        begun_at=row.begun_at,
    )
