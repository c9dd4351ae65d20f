"""Where callers put the bytes of course files, by pre-signed requests."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from botocore.exceptions import ClientError

from anamnesis.adapters.aws_errors import error_code, store_errors
from anamnesis.adapters.s3.objects import MISSING
from anamnesis.domain.errors import InvalidInput, NotFound, TooLarge
from anamnesis.domain.files import FileRecord, UploadTicket
from anamnesis.domain.identifiers import SubjectScope
from anamnesis.ports import Clock

FOLDER = "uploads"
_FILE_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


class S3UploadArea:
    """The port ``UploadArea`` on one bucket; safe to use from many threads.

    Parameters
    ----------
    client
        A boto3 S3 client made for ``s3v4`` signatures. URLs point where it points.
    bucket
        Name of the files' bucket. The reader of files needs ``s3:ListBucket`` on it, or a missing upload is answered
        with 403 and counts as a failure.
    clock
        Tells how long a ticket is still to hold.
    """

    def __init__(self, client: Any, *, bucket: str, clock: Clock) -> None:
        self._client = client
        self._bucket = bucket
        self._clock = clock

    def ticket(self, record: FileRecord, *, expires_at: datetime) -> UploadTicket:
        """Return the permission to upload exactly ``record.declared_bytes`` bytes of ``record.media_type``.

        Length and type are among the signed headers: S3 refuses a request that sends others.
        """
        seconds = max(1, int((expires_at - self._clock.now()).total_seconds()))
        with store_errors("s3"):
            url: str = self._client.generate_presigned_url(
                "put_object",
                Params={
                    "Bucket": self._bucket,
                    "Key": object_key(record.scope, record.id),
                    "ContentLength": record.declared_bytes,
                    "ContentType": record.media_type,
                },
                ExpiresIn=seconds,
                HttpMethod="PUT",
            )
        headers = {"Content-Type": record.media_type, "Content-Length": str(record.declared_bytes)}
        return UploadTicket(file=record, url=url, method="PUT", headers=headers, expires_at=expires_at)

    def locate(self, object_key: str) -> tuple[SubjectScope, str]:
        """Return the scope and file id of an object that arrived.

        Parameters
        ----------
        object_key
            The key itself. S3's events quote keys once more, as in a form: undo that (``urllib.parse.unquote_plus``)
            before calling, and only that, since our keys hold percent signs of their own.

        Raises
        ------
        InvalidInput
            If the key is not one that ``ticket`` made.
        """
        problem = InvalidInput("is not the key of an uploaded file", field="object_key")
        parts = object_key.split("/")
        if len(parts) != 3 or parts[0] != FOLDER or not _FILE_ID.fullmatch(parts[2]):
            raise problem
        names = [unquote(part) for part in parts[1].split("#")]
        if len(names) != 2:
            raise problem
        try:
            scope = SubjectScope(*names)
        except InvalidInput:
            raise problem from None
        # Only one spelling of a key is ours: another one would name the same owner by a different object.
        if scope.key != parts[1]:
            raise problem
        return scope, parts[2]

    def fetch(self, scope: SubjectScope, file_id: str, *, max_bytes: int) -> bytes:
        """Return the uploaded bytes.

        Raises
        ------
        NotFound
            If nothing was uploaded.
        TooLarge
            If there are more than `max_bytes`; they are not downloaded.
        """
        with store_errors("s3"):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=object_key(scope, file_id))
            except ClientError as error:
                if error_code(error) in MISSING:
                    raise NotFound("nothing was uploaded for this file") from None
                raise
            body = answer["Body"]
            if answer["ContentLength"] > max_bytes:
                body.close()
                raise TooLarge(f"the upload is larger than {max_bytes} bytes")
            data: bytes = body.read()
            return data

    def delete(self, scope: SubjectScope, file_id: str) -> None:
        """Remove the bytes; nothing happens when there are none."""
        with store_errors("s3"):
            self._client.delete_object(Bucket=self._bucket, Key=object_key(scope, file_id))


def object_key(scope: SubjectScope, file_id: str) -> str:
    """Return the key of a file's bytes."""
    return f"{FOLDER}/{scope.key}/{file_id}"
