"""Signed roots in a bucket with versioning and Object Lock: what is there once stays (EP-5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from botocore.exceptions import ClientError

from anamnesis.adapters.aws_clients import POOL_SIZE
from anamnesis.adapters.aws_errors import error_code, store_errors
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import Checkpoint, filing_name

_NAME = re.compile(r"([0-9]{12})-[0-9a-f]+\.note")


class S3CheckpointStore:
    """The port ``CheckpointStore`` on one bucket, using nothing but put, get and list; safe in many threads.

    An object is the signed note itself, so that it can be checked without this program; the root stands in the object's
    metadata as well, to tell whether the note speaks of the root that it is filed under. Nobody can erase what is here,
    so neither keys nor objects nor metadata name a person: keys begin with the pair's ``filing_name``.

    Parameters
    ----------
    client
        A boto3 S3 client.
    bucket
        Name of a bucket with versioning and a default retention.
    """

    def __init__(self, client: Any, *, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def add(self, pair: Pair, checkpoint: Checkpoint) -> None:
        """Store one; storing the same length and root again changes nothing."""
        key = _key(pair, checkpoint)
        with store_errors("s3"):
            # Object Lock keeps what is there but lets new versions be put on top, so ask before, and let S3 refuse
            # if somebody else was faster.
            if self._client.list_objects_v2(Bucket=self._bucket, Prefix=key, MaxKeys=1).get("KeyCount"):
                return
            try:
                self._client.put_object(
                    Bucket=self._bucket,
                    Key=key,
                    Body=checkpoint.note.encode(),
                    ContentType="text/plain; charset=utf-8",
                    Metadata={"root-hash": checkpoint.root_hash},
                    ChecksumAlgorithm="SHA256",
                    IfNoneMatch="*",
                )
            except ClientError as error:
                if error_code(error) not in {"PreconditionFailed", "ConditionalRequestConflict"}:
                    raise

    def all(self, pair: Pair) -> list[Checkpoint]:
        """Return every checkpoint of the pair, shortest log first, every stored version included."""
        return self._checkpoints(self._versions(pair))

    def after(self, pair: Pair, length: int, *, limit: int) -> list[Checkpoint]:
        """Return the next checkpoints of longer logs, shortest first; those of one length stay together."""
        longer = [place for place in self._versions(pair) if _length_of(place[0]) > length]
        last = _length_of(longer[:limit][-1][0]) if longer and limit > 0 else 0
        return self._checkpoints([place for place in longer if _length_of(place[0]) <= last])

    def newest(self, pair: Pair) -> Iterator[Checkpoint]:
        """Yield every checkpoint of the pair, longest log first; each object is fetched when it is asked for."""
        for place in reversed(self._versions(pair)):
            yield from self._checkpoints([place])

    def _checkpoints(self, places: Sequence[tuple[str, str]]) -> list[Checkpoint]:
        with store_errors("s3"), ThreadPoolExecutor(max_workers=POOL_SIZE) as threads:
            found = list(threads.map(lambda place: self._checkpoint(*place), places))
        return sorted(dict.fromkeys(found), key=lambda c: (c.length, c.root_hash))

    def _versions(self, pair: Pair) -> list[tuple[str, str]]:
        """Keys and versions, shortest log first, without fetching any."""
        pages = self._client.get_paginator("list_object_versions").paginate(
            Bucket=self._bucket, Prefix=f"{filing_name(pair)}/"
        )
        with store_errors("s3"):
            found = [(v["Key"], v["VersionId"]) for page in pages for v in page.get("Versions", [])]
        named = [place for place in found if _NAME.fullmatch(place[0].rpartition("/")[2])]
        return sorted(named, key=lambda place: _length_of(place[0]))

    def _checkpoint(self, key: str, version_id: str) -> Checkpoint:
        answer = self._client.get_object(Bucket=self._bucket, Key=key, VersionId=version_id)
        return Checkpoint(
            length=_length_of(key),
            root_hash=answer["Metadata"].get("root-hash", ""),
            note=answer["Body"].read().decode("utf-8", "replace"),
        )


def _length_of(key: str) -> int:
    return int(key.rpartition("/")[2].partition("-")[0])


def _key(pair: Pair, checkpoint: Checkpoint) -> str:
    return f"{filing_name(pair)}/{checkpoint.length:012d}-{checkpoint.root_hash[:16]}.note"
