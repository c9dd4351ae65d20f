"""Look for words in everything that the memory keeps on AWS: rows, objects, messages, log lines, index documents."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.text.normalisation import normalised_sentence
from anamnesis.domain.text.terms import index_terms, term_hash

#: Longer values are looked into again each time, so that what is remembered stays small. Ours.
_REMEMBERED_BYTES = 4096


@dataclass(frozen=True)
class Secret:
    """What must not be found any more.

    Parameters
    ----------
    words
        Each is looked for as it is, without case, and as a concept's key; its terms also by their 64-bit hashes.
    texts
        Whole texts, looked for by their SHA-256 too.
    """

    words: tuple[str, ...]
    texts: tuple[str, ...] = ()
    needles: frozenset[bytes] = field(init=False)
    hashes: frozenset[bytes] = field(init=False)
    #: What was looked into already and holds nothing of it: most of a store is the same at the next look.
    clean: set[Hashable] = field(init=False, default_factory=set, compare=False, repr=False)

    def __post_init__(self) -> None:
        spelled = {s for w in self.words for s in (w, w.lower(), canonical_key(w), normalised_sentence(w))}
        plain = {s.encode() for s in spelled} | {json.dumps(s)[1:-1].encode() for s in spelled}
        digests = {hashlib.sha256(t.encode()).digest() for t in (*self.texts, *self.words)}
        wanted = (
            plain | digests | {d.hex().encode() for d in digests} | {base64.b64encode(d) for d in digests}
        )
        hashed = {term_hash(s) for w in spelled for s in (w, *index_terms(w, None))}
        # Lower case as `is_in` compares them: what holds a needle holds it in lower case when it is lowered itself.
        object.__setattr__(self, "needles", frozenset(needle.lower() for needle in wanted if needle))
        packed = (value.to_bytes(8, order) for value in hashed for order in ("little", "big"))
        object.__setattr__(self, "hashes", frozenset(packed))

    def is_in(self, data: bytes) -> bool:
        """Whether bytes hold any of it, packed as the memory packs things or not."""
        if not data or data in self.clean:
            return False
        lowered = data.lower()
        found = (
            any(needle in lowered for needle in self.needles)
            or any(self.is_in(inner) for inner in _unpacked(data))
            or any(value in data for value in self.hashes)
        )
        if not found and len(data) <= _REMEMBERED_BYTES:
            self.clean.add(data)
        return found


def _unpacked(data: bytes) -> Iterator[bytes]:
    with suppress(zlib.error):
        yield zlib.decompress(data)
    with suppress(OSError, EOFError, zlib.error):
        yield gzip.decompress(data)
    if b"PK" in data and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield archive.read(name)


def flat(value: Any) -> Iterator[bytes]:
    """Every name and value of a nested structure as bytes."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(key)
            yield from flat(inner)
    elif isinstance(value, list | tuple | set):
        for inner in value:
            yield from flat(inner)
    elif isinstance(value, bytes | bytearray):
        yield bytes(value)
    elif isinstance(value, np.ndarray):
        yield value.tobytes()
    else:
        yield str(value).encode(errors="surrogatepass")


@dataclass
class Searched:
    """Where the secret was found, and how much was looked at, by kind of place."""

    found: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def look(self, secret: Secret, kind: str, place: str, value: Any) -> bool:
        """Look into one place, and say whether it was found there."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        found = any(secret.is_in(data) for data in flat(value))
        if found:
            self.found.append(place)
        return found


def search_tables(
    dynamodb: Any, tables: Iterable[str], secret: Secret, into: Searched, *, owner: str = ""
) -> None:
    """Every attribute of every row, keys included; only those whose keys name `owner` when one is given."""
    for table in tables:
        for page in dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
            for item in page["Items"]:
                if owner not in item["pk"]["S"] + item["sk"]["S"]:
                    continue
                into.look(secret, "rows", f"{table} {item['pk']['S']} {item['sk']['S']}", item)


def search_buckets(
    s3: Any, buckets: Iterable[str], secret: Secret, into: Searched, *, owner: str = ""
) -> None:
    """Every version of every object, its key and its headers; only those whose keys name `owner` when one is given."""
    for bucket in buckets:
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
            assert not page.get("DeleteMarkers"), "something was deleted and is still there"
            for version in page.get("Versions", []):
                if owner not in version["Key"]:
                    continue
                known = (bucket, *(str(version[of]) for of in ("Key", "VersionId", "ETag", "LastModified")))
                if known in secret.clean:
                    into.counts["objects"] = into.counts.get("objects", 0) + 1
                    continue
                place = {"Bucket": bucket, "Key": version["Key"]}
                if version["VersionId"] != "null":
                    place["VersionId"] = version["VersionId"]
                answer = s3.get_object(**place)
                whole = [version["Key"], answer["Metadata"], answer["ContentType"], answer["Body"].read()]
                if not into.look(secret, "objects", f"{bucket} {version['Key']}", whole):
                    secret.clean.add(known)


def search_queues(sqs: Any, secret: Secret, into: Searched) -> None:
    """Every message that can be received, which stays in its queue."""
    for url in sqs.list_queues().get("QueueUrls", []):
        while messages := sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, VisibilityTimeout=2, MessageAttributeNames=["All"]
        ).get("Messages"):
            for message in messages:
                into.look(secret, "messages", url, message)


def search_logs(logs: Any, secret: Secret, into: Searched) -> None:
    """Every line of every log group."""
    for page in logs.get_paginator("describe_log_groups").paginate():
        for group in page["logGroups"]:
            name = group["logGroupName"]
            for events in logs.get_paginator("filter_log_events").paginate(logGroupName=name):
                for event in events["events"]:
                    into.look(secret, "log lines", name, event["message"])


def search_streams(streams: Any, secret: Secret, into: Searched) -> None:
    """Every record that a stream still has."""
    for stream in streams.list_streams()["Streams"]:
        described = streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]
        for shard in described["Shards"]:
            at = streams.get_shard_iterator(
                StreamArn=stream["StreamArn"], ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
            )["ShardIterator"]
            while at:
                answer = streams.get_records(ShardIterator=at)
                for record in answer["Records"]:
                    into.look(secret, "stream records", stream["StreamArn"], record)
                at = answer.get("NextShardIterator") if answer["Records"] else None
