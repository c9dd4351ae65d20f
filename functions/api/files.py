"""Upload, list and delete course files."""

from __future__ import annotations

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from anamnesis.bootstrap import application
from anamnesis.domain.files import FileRecord
from anamnesis.schemas.files import FileList, FileOut, OfferedFile, OfferFile, UploadOut
from callers import caller_of, pair_of

router = APIGatewayHttpRouter()
ROUTE = "/v1/subjects/<subject>/files"
Student = Annotated[str | None, Query()]


@router.post(ROUTE, summary="Get a place to upload a file to", tags=["files"])
def offer_file(subject: Annotated[str, Path()], body: OfferFile, student: Student = None) -> OfferedFile:
    """Send exactly the announced bytes to the address given; reading starts by itself when they have arrived."""
    ticket = application().offer_file(
        pair_of(router.current_event, subject, student),
        name=body.name,
        media_type=body.media_type,
        size=body.bytes,
    )
    return OfferedFile(
        file_id=ticket.file.id,
        upload=UploadOut(
            url=ticket.url, method=ticket.method, headers=ticket.headers, expires_at=ticket.expires_at
        ),
    )


@router.get(ROUTE, summary="Every file of the subject", tags=["files"])
def list_files(subject: Annotated[str, Path()], student: Student = None) -> FileList:
    """Oldest first, with reading status; replaced and deleted ones included."""
    scope = pair_of(router.current_event, subject, student).scope
    explained = application().view_map.concepts_by_file(scope)
    return FileList(files=[file_out(f, explained.get(f.id, [])) for f in application().list_files.all(scope)])


@router.get(f"{ROUTE}/<file_id>", summary="Where one file stands", tags=["files"])
def get_file(
    subject: Annotated[str, Path()], file_id: Annotated[str, Path(max_length=128)], student: Student = None
) -> FileOut:
    """Reading status, the reason of a refusal, pages and concepts."""
    scope = pair_of(router.current_event, subject, student).scope
    record = application().list_files.one(scope, file_id)
    return file_out(record, application().view_map.concepts_by_file(scope).get(file_id, []))


@router.delete(f"{ROUTE}/<file_id>", summary="Delete a file", tags=["files"])
def delete_file(
    subject: Annotated[str, Path()], file_id: Annotated[str, Path(max_length=128)], student: Student = None
) -> FileOut:
    """Its part of the map goes; memories that cite it are labelled from then on."""
    event = router.current_event
    record = application().delete_file(caller_of(event), pair_of(event, subject, student), file_id)
    return file_out(record, [])


def file_out(record: FileRecord, concepts: list[str]) -> FileOut:
    """The HTTP shape of a file."""
    return FileOut(
        file_id=record.id,
        name=record.name,
        media_type=record.media_type,
        bytes=record.declared_bytes,
        status=record.status,
        reason=record.reason,
        detail=record.detail,
        pages=record.pages,
        language=record.language,
        fingerprint=record.fingerprint,
        concepts=concepts,
        created_at=record.created_at,
        replaced_by=record.replaced_by,
        deleted_at=record.deleted_at,
    )
