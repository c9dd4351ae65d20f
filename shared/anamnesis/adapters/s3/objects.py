"""Objects of the content bucket: long texts, working sets, maps, page texts and whatever outgrows a row.

Keys begin with what the object is and then name its owner, so that all of an owner's content can be found and erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

from botocore.exceptions import ClientError

from anamnesis.adapters.aws_clients import POOL_SIZE
from anamnesis.adapters.aws_errors import error_code, store_errors
from anamnesis.domain.errors import StoreUnavailable

#: How S3 says that an object is not there; a HEAD has no body and says only the number.
MISSING = frozenset({"NoSuchKey", "NoSuchVersion", "404"})
#: S3 refuses more keys in one DeleteObjects.
MAX_DELETED = 1_000
#: How S3 says that another write came first, or came at the same time.
_LOST_RACE = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "412", "409"})


class ContentObjects:
    """Byte objects by key in one bucket; safe to use from many threads.

    Parameters
    ----------
    client
        A boto3 S3 client.
    bucket
        Name of the content bucket. Whoever reads needs ``s3:ListBucket`` on it as well, or a missing object is
        answered with 403 and counts as a failure.
    """

    def __init__(self, client: Any, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def put(self, key: str, data: bytes, *, media_type: str = "application/octet-stream") -> None:
        """Store or replace an object."""
        with store_errors("s3"):
            self._client.put_object(Bucket=self._bucket, Key=key, Body=data, ContentType=media_type)

    def put_many(self, objects: Mapping[str, bytes], *, media_type: str) -> None:
        """Store or replace objects, some at a time."""
        self._at_once(lambda key: self.put(key, objects[key], media_type=media_type), objects)

    def get(self, key: str) -> bytes | None:
        """Return an object's bytes, or None when it is not there."""
        with store_errors("s3"):
            try:
                body: bytes = self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
            except ClientError as error:
                if error_code(error) in MISSING:
                    return None
                raise
            return body

    def get_tagged(self, key: str) -> tuple[bytes, str] | None:
        """Return an object's bytes and its entity tag, for ``put_if``; None when it is not there."""
        with store_errors("s3"):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=key)
                return answer["Body"].read(), str(answer["ETag"])
            except ClientError as error:
                if error_code(error) in MISSING:
                    return None
                raise

    def get_range(self, key: str, start: int, length: int) -> bytes | None:
        """Return `length` bytes (1 or more) from `start` on, fewer at the end; None when the object is not there."""
        with store_errors("s3"):
            try:
                asked = f"bytes={start}-{start + length - 1}"
                body: bytes = self._client.get_object(Bucket=self._bucket, Key=key, Range=asked)[
                    "Body"
                ].read()
            except ClientError as error:
                if error_code(error) in MISSING:
                    return None
                raise
            return body

    def get_ranges(self, parts: Iterable[tuple[str, int, int]]) -> list[bytes | None]:
        """Return what ``get_range`` does of each key, start and length, some at a time."""
        return self._at_once(lambda part: self.get_range(*part), parts)

    def put_if(self, key: str, data: bytes, tag: str | None, *, media_type: str) -> bool:
        """Store an object in place of the one that had `tag`, or of none; False when there is another one by now.

        After False the object may still be ours: a try whose answer was lost makes the next one fail.
        """
        condition = {"IfNoneMatch": "*"} if tag is None else {"IfMatch": tag}
        with store_errors("s3"):
            try:
                self._client.put_object(
                    Bucket=self._bucket, Key=key, Body=data, ContentType=media_type, **condition
                )
            except ClientError as error:
                # S3 answers 404 when the object that had the tag was deleted.
                if error_code(error) in _LOST_RACE | MISSING:
                    return False
                raise
            return True

    def signed_url(self, key: str, *, seconds: int) -> str:
        """An address at which anybody who knows it may get the object, for so long."""
        with store_errors("s3"):
            url: str = self._client.generate_presigned_url(
                "get_object", Params={"Bucket": self._bucket, "Key": key}, ExpiresIn=seconds
            )
            return url

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Return the bytes of those objects that are there, some at a time."""
        wanted = list(dict.fromkeys(keys))
        found = zip(wanted, self._at_once(self.get, wanted), strict=True)
        return {key: data for key, data in found if data is not None}

    def delete(self, key: str) -> None:
        """Remove an object; nothing happens when there is none."""
        with store_errors("s3"):
            self._client.delete_object(Bucket=self._bucket, Key=key)

    def delete_many(self, keys: Iterable[str]) -> None:
        """Remove objects, up to a thousand a request; nothing happens for those that are not there."""
        wanted = list(dict.fromkeys(keys))
        for start in range(0, len(wanted), MAX_DELETED):
            some = [{"Key": key} for key in wanted[start : start + MAX_DELETED]]
            with store_errors("s3"):
                answer = self._client.delete_objects(
                    Bucket=self._bucket, Delete={"Objects": some, "Quiet": True}, ChecksumAlgorithm="SHA256"
                )
            if answer.get("Errors"):
                raise StoreUnavailable("s3: some objects were not removed")

    def keys(self, prefix: str, *, until: datetime | None = None) -> Iterator[str]:
        """Yield the keys of the objects under a prefix, of those written before `until` when it is given."""
        with store_errors("s3"):
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
            for page in pages:
                for found in page.get("Contents", []):
                    if until is None or found["LastModified"] < until:
                        yield found["Key"]

    @staticmethod
    def _at_once(act: Any, keys: Iterable[Any]) -> list[Any]:
        keys = list(keys)
        if len(keys) < 2:
            return [act(key) for key in keys]
        with ThreadPoolExecutor(max_workers=min(len(keys), POOL_SIZE)) as threads:
            return list(threads.map(act, keys))
