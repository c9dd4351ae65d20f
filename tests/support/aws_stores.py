"""The memory's tables, buckets and queue, made on whatever answers at an endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from anamnesis.adapters.aws_clients import aws_client
from anamnesis.adapters.dynamodb.belief_store import DynamoBeliefStore
from anamnesis.adapters.dynamodb.concept_store import DynamoConceptStore
from anamnesis.adapters.dynamodb.connection import DynamoConnection
from anamnesis.adapters.dynamodb.episode_log import DynamoEpisodeLog
from anamnesis.adapters.dynamodb.erasure_store import DynamoErasureStore
from anamnesis.adapters.dynamodb.record_store import DynamoRecordStore
from anamnesis.adapters.dynamodb.request_counter import DynamoRequestCounter
from anamnesis.adapters.dynamodb.roster import DynamoRoster
from anamnesis.adapters.git.repository import GitWikiRepository
from anamnesis.adapters.request_meter import RequestMeter
from anamnesis.adapters.s3.checkpoint_store import S3CheckpointStore
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.adapters.s3.reading_parts import S3ReadingParts
from anamnesis.adapters.s3.upload_area import S3UploadArea
from anamnesis.adapters.system import SystemIds
from support.memory_platform import SteppingClock

REGION = "eu-west-1"
TABLES = ("episodes", "beliefs", "concepts", "records")
BUCKETS = ("files", "content", "checkpoints")


@dataclass(frozen=True)
class AwsStores:
    """Real adapters over emulated services, the raw clients to tamper with, and a meter on both."""

    connection: DynamoConnection
    dynamodb: Any
    s3: Any
    prefix: str
    meter: RequestMeter
    clock: SteppingClock

    @property
    def content(self) -> ContentObjects:
        return ContentObjects(self.s3, f"{self.prefix}-content")

    @property
    def episode_log(self) -> DynamoEpisodeLog:
        return DynamoEpisodeLog(
            self.connection,
            episodes_table=f"{self.prefix}-episodes",
            records_table=f"{self.prefix}-records",
            content=self.content,
        )

    @property
    def erasure_store(self) -> DynamoErasureStore:
        return DynamoErasureStore(
            self.connection,
            episodes_table=f"{self.prefix}-episodes",
            records_table=f"{self.prefix}-records",
            content=self.content,
        )

    @property
    def roster(self) -> DynamoRoster:
        return DynamoRoster(self.connection, table=f"{self.prefix}-records")

    @property
    def belief_store(self) -> DynamoBeliefStore:
        return DynamoBeliefStore(self.connection, table=f"{self.prefix}-beliefs")

    @property
    def concept_store(self) -> DynamoConceptStore:
        return DynamoConceptStore(self.connection, table=f"{self.prefix}-concepts", content=self.content)

    @property
    def record_store(self) -> DynamoRecordStore:
        return DynamoRecordStore(self.connection, table=f"{self.prefix}-records", content=self.content)

    @property
    def request_counter(self) -> DynamoRequestCounter:
        return DynamoRequestCounter(self.connection, table=f"{self.prefix}-records")

    @property
    def checkpoint_store(self) -> S3CheckpointStore:
        return S3CheckpointStore(self.s3, bucket=f"{self.prefix}-checkpoints")

    @property
    def reading_parts(self) -> S3ReadingParts:
        return S3ReadingParts(self.content)

    @property
    def wiki_repository(self) -> GitWikiRepository:
        return GitWikiRepository(self.content, SystemIds())

    @property
    def upload_area(self) -> S3UploadArea:
        return S3UploadArea(self.s3, bucket=f"{self.prefix}-files", clock=self.clock)


def make_stores(*, prefix: str, endpoint: str | None = None) -> AwsStores:
    """Make everything the template makes, under names of its own, and the adapters' clients."""
    dynamodb = aws_client("dynamodb", region=REGION, endpoint=endpoint)
    s3 = aws_client("s3", region=REGION, endpoint=endpoint)
    for table in TABLES:
        _make_table(dynamodb, f"{prefix}-{table}", by_time=table == "episodes")
    for bucket in BUCKETS:
        s3.create_bucket(
            Bucket=f"{prefix}-{bucket}",
            CreateBucketConfiguration={"LocationConstraint": REGION},
            ObjectLockEnabledForBucket=bucket == "checkpoints",
        )
    connection = DynamoConnection(region=REGION, endpoint=endpoint, read_timeout_seconds=20)
    meter = RequestMeter()
    meter.attach(connection.client)
    meter.attach(s3)
    return AwsStores(connection, dynamodb, s3, prefix, meter, SteppingClock())


def _make_table(dynamodb: Any, name: str, *, by_time: bool) -> None:
    def key(sort: str) -> list[dict[str, str]]:
        return [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]

    names = ["pk", "sk", *(["occurred"] if by_time else [])]
    index = {"IndexName": "by_time", "KeySchema": key("occurred"), "Projection": {"ProjectionType": "ALL"}}
    dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in names],
        KeySchema=key("sk"),
        **({"LocalSecondaryIndexes": [index]} if by_time else {}),
    )
