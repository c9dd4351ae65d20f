"""A world whose stores are the real adapters on moto, set back between trials."""

from __future__ import annotations

import copy
from typing import Any

from moto.backends import get_backend
from moto.core import DEFAULT_ACCOUNT_ID

from anamnesis.adapters.s3.upload_area import object_key
from anamnesis.adapters.sqs import SqsNightQueue
from anamnesis.domain.files import UploadTicket
from support.aws_stores import BUCKETS, REGION, TABLES, AwsStores
from support.fault_world import World

#: Makes the world's day one far ahead of the objects' own clock, so that all of them are old enough to be swept.
NUMBER = 1_000


class AwsWorld(World):
    """A world on moto.

    Parameters
    ----------
    sqs, queue_url
        Where the night's messages go.
    """

    nights, repeated = 2, 1

    def __init__(self, aws: AwsStores, sqs: Any, queue_url: str) -> None:
        self.aws, self.sqs, self.queue_url = aws, sqs, queue_url
        stores = {
            "log": aws.episode_log,
            "beliefs": aws.belief_store,
            "concepts": aws.concept_store,
            "records": aws.record_store,
            "checkpoints": aws.checkpoint_store,
            "uploads": aws.upload_area,
            "erasures": aws.erasure_store,
            "roster": aws.roster,
            "counter": aws.request_counter,
            "queue": SqsNightQueue(sqs, queue_url=queue_url),
        }
        super().__init__(
            number=NUMBER, stores={name: lambda _, store=store: store for name, store in stores.items()}
        )

    def put(self, ticket: UploadTicket, data: bytes) -> str:
        """Use a ticket; return the object's key."""
        key = object_key(ticket.file.scope, ticket.file.id)
        self.aws.s3.put_object(Bucket=f"{self.aws.prefix}-files", Key=key, Body=data)
        return key

    def page_texts(self) -> set[str]:
        """Fingerprints of all bytes that page texts are kept of."""
        return {key.rpartition("/")[2] for key in self._objects("content") if key.startswith("pages/")}

    def uploaded(self) -> set[str]:
        """Ids of all files whose bytes are kept."""
        return {key.rpartition("/")[2] for key in self._objects("files")}

    def dump(self) -> Any:
        """Everything stored, to the last bit: rows, and objects by what S3 says of their bytes."""
        rows = {
            table: {
                key: {r: item.to_json() for r, item in held.items()} for key, held in items.items() if held
            }
            for table, items in self._tables().items()
        }
        return rows, {bucket: self._objects(bucket) for bucket in BUCKETS}

    def state(self) -> Any:
        """What ``restore`` takes: stores and outside."""
        buckets = {name: self._bucket(name).keys for name in BUCKETS}
        outside = {
            name: copy.copy(getattr(self, name)) for name in ("kept", "sent", "acknowledged", "delivered")
        }
        return (
            copy.deepcopy(self._tables()),
            {
                name: [(key, copy.deepcopy(versions)) for key, versions in keys.lists()]
                for name, keys in buckets.items()
            },
            outside,
            copy.copy(self.memory.ids._numbers),
            self.memory.clock.at,
        )

    def restore(self, state: Any) -> None:
        """Be as a world was then."""
        tables, buckets, outside, numbers, now = state
        for table, items in self._tables().items():
            items.clear()
            items.update(copy.deepcopy(tables[table]))
        for name, kept in buckets.items():
            keys = self._bucket(name).keys
            keys.clear()
            for key, versions in kept:
                keys.setlist(key, copy.deepcopy(versions))
        for name, value in outside.items():
            setattr(self, name, copy.copy(value))
        self.memory.ids._numbers = copy.copy(numbers)
        self.memory.clock.at = now

    def _tables(self) -> dict[str, Any]:
        backend = get_backend("dynamodb")[DEFAULT_ACCOUNT_ID][REGION]
        return {name: backend.get_table(f"{self.aws.prefix}-{name}").items for name in TABLES}

    def _bucket(self, name: str) -> Any:
        return get_backend("s3")[DEFAULT_ACCOUNT_ID]["aws"].buckets[f"{self.aws.prefix}-{name}"]

    def _objects(self, name: str) -> dict[str, list[str]]:
        return {
            key: [version.etag for version in versions if hasattr(version, "etag")]
            for key, versions in self._bucket(name).keys.lists()
            if not all(type(version).__name__ == "FakeDeleteMarker" for version in versions[-1:])
        }
