"""Course files: their life from upload to refusal, and what reading one yields (CM-1, CM-2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from anamnesis.domain.identifiers import SubjectScope

#: Largest upload, in bytes.
MAX_FILE_BYTES = 50 * 1024 * 1024
#: Most pages read from one file.
MAX_PAGES = 2_000
#: Most characters read from one file, over all pages.
MAX_FILE_CHARS = 5_000_000
#: Runs that reading a file gets by itself: Lambda's first and its two retries (``template.yaml``).
MAX_RUNS = 3
#: How long after its begin the last run has ended for certain, whatever became of it: Lambda's 15 minutes, and some.
RUN_ENDS_AFTER = timedelta(minutes=20)
#: How long after a run began no other follows by itself: Lambda keeps an event for six hours (``template.yaml``).
NO_RUN_AFTER = timedelta(hours=7)
#: Of a file whose own is gone with it: any bytes.
ERASED_MEDIA_TYPE = "application/octet-stream"


class FileStatus(StrEnum):
    """Where a file stands."""

    WAITING = "waiting"
    READING = "reading"
    READ = "read"
    REFUSED = "refused"


class RefusalReason(StrEnum):
    """Why a file was not read. Stable: clients may branch on it."""

    EMPTY = "empty"
    TOO_LARGE = "too-large"
    UNSUPPORTED_TYPE = "unsupported-type"
    ENCRYPTED = "encrypted"
    MALFORMED = "malformed"
    NO_TEXT_LAYER = "no-text-layer"
    GARBLED_TEXT = "garbled-text"
    #: Nothing is known against the file: what reads it failed, each time.
    UNFINISHED = "unfinished"


class Shortcoming(StrEnum):
    """What a file that was read lacks. Stable, as ``RefusalReason``; no code is in both."""

    NO_CONCEPTS = "no-concepts"
    PICTURE_PAGES = "picture-pages"


@dataclass(frozen=True, slots=True)
class Page:
    """One page (or section of a file without pages), numbered from 1, with its text in logical order."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """What the file reader made of a file.

    Attributes
    ----------
    pictures
        Numbers of pages that are pictures without text to read.
    """

    media_type: str
    pages: tuple[Page, ...]
    pictures: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A course file of a subject.

    Attributes
    ----------
    uploaded_by
        The student (or service) that asked for the upload.
    reason, detail
        Why it was refused, or what it lacks though it was read, and what can be done about it; None where all is well.
    runs, begun_at
        How often reading it was begun since it last came to an end, and when it was begun last.
    fingerprint
        Hex SHA-256 of the bytes, None until they have arrived.
    replaced_by
        Id of the file that replaced this one, or None.
    deleted_at
        When it was deleted, or None.
    """

    id: str
    scope: SubjectScope
    name: str
    media_type: str
    declared_bytes: int
    uploaded_by: str
    created_at: datetime
    status: FileStatus = FileStatus.WAITING
    reason: str | None = None
    detail: str | None = None
    fingerprint: str | None = None
    pages: int = 0
    language: str | None = None
    replaced_by: str | None = None
    deleted_at: datetime | None = None
    runs: int = 0
    begun_at: datetime | None = None

    @property
    def erased(self) -> bool:
        """Whether only the trace of a file is left; every other one has a name."""
        return not self.name

    @property
    def current(self) -> bool:
        """Whether the file still stands as it was uploaded."""
        return self.replaced_by is None and self.deleted_at is None


def begun(record: FileRecord, at: datetime) -> FileRecord:
    """A file that a run of reading begins with; the record itself where nothing is to be read."""
    unfinished = record.status is FileStatus.REFUSED and record.reason == RefusalReason.UNFINISHED
    if record.deleted_at is not None or not (
        unfinished or record.status in {FileStatus.WAITING, FileStatus.READING}
    ):
        return record
    return replace(
        record, status=FileStatus.READING, reason=None, detail=None, runs=record.runs + 1, begun_at=at
    )


def given_up(record: FileRecord) -> FileRecord:
    """A file that no run could read to its end: refused, until it is uploaded again or its dead letter is replayed."""
    if record.status is not FileStatus.READING:
        return record
    return replace(
        record,
        status=FileStatus.REFUSED,
        reason=RefusalReason.UNFINISHED,
        detail="Reading this file failed several times, for no fault of the file. Upload it again later, or ask who "
        "runs this service to replay what failed.",
        begun_at=None,
    )


def as_of(record: FileRecord, now: datetime) -> FileRecord:
    """A file as it stands by now: one that is being read was given up when its last run must have ended long ago.

    A process that is killed cannot say so.
    """
    if record.begun_at is None:
        return record
    patience = RUN_ENDS_AFTER if record.runs >= MAX_RUNS else NO_RUN_AFTER
    return given_up(record) if now - record.begun_at > patience else record


def erased_file(record: FileRecord, at: datetime) -> FileRecord:
    """What stays of a file when its uploader's memory is erased: that it was there, so that citations can say so.

    The fingerprint goes last (``forgotten_file``): by it the texts of its pages are found.
    """
    return replace(
        record,
        name="",
        media_type=ERASED_MEDIA_TYPE,
        reason=None,
        detail=None,
        pages=0,
        language=None,
        deleted_at=record.deleted_at or at,
        runs=0,
        begun_at=None,
    )


def forgotten_file(record: FileRecord) -> FileRecord:
    """An erased file without what could tell whether a guess at its bytes is right."""
    return replace(record, fingerprint=None, declared_bytes=0)


@dataclass(frozen=True, slots=True)
class UploadTicket:
    """Where and how the caller sends a file's bytes; the URL carries its own permission until `expires_at`."""

    file: FileRecord
    url: str
    method: str
    headers: dict[str, str]
    expires_at: datetime
