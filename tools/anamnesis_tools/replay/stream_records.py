"""The records of a stream that a dead letter describes by their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import botocore.exceptions

from anamnesis.bootstrap import episode_reference
from anamnesis.domain.identifiers import Pair

#: Answers of DynamoDB Streams for records that are there no more: they are kept for 24 hours.
_GONE = {"TrimmedDataAccessException", "ResourceNotFoundException", "ExpiredIteratorException"}
#: Empty pages in a row before the rest counts as gone; a shard has some between its records.
_EMPTY_PAGES = 50


class RecordsGone(Exception):
    """The stream does not have all of the records any more."""


@dataclass(frozen=True)
class BatchInfo:
    """What Lambda tells of the records that it gave up: where they are and when they arrived, not what they say."""

    stream: str
    shard: str
    first: str
    last: int
    count: int
    arrived_first: datetime
    arrived_last: datetime

    @classmethod
    def of(cls, document: dict[str, Any]) -> BatchInfo:
        """Read a failure record.

        Raises
        ------
        KeyError, TypeError, ValueError
            If it is none.
        """
        told = document["DDBStreamBatchInfo"]
        return cls(
            stream=told["streamArn"],
            shard=told["shardId"],
            first=told["startSequenceNumber"],
            last=int(told["endSequenceNumber"]),
            count=int(told["batchSize"]),
            arrived_first=datetime.fromisoformat(told["approximateArrivalOfFirstRecord"]),
            arrived_last=datetime.fromisoformat(told["approximateArrivalOfLastRecord"]),
        )


def records(streams: Any, info: BatchInfo) -> list[dict[str, Any]]:
    """Return the records, with their keys and without what the rows said.

    Parameters
    ----------
    streams
        A boto3 client of DynamoDB Streams.

    Raises
    ------
    RecordsGone
        If the stream was trimmed or is another one by now.
    ValueError
        If no stream can have records of these numbers.
    """
    try:
        return _records(streams, info)
    except botocore.exceptions.ParamValidationError:
        raise ValueError("describes no batch of a stream") from None
    except botocore.exceptions.ClientError as error:
        code = error.response.get("Error", {}).get("Code")
        if code in _GONE:
            raise RecordsGone from None
        if code == "ValidationException":
            raise ValueError("describes no batch of a stream") from None
        raise


def _records(streams: Any, info: BatchInfo) -> list[dict[str, Any]]:
    iterator = streams.get_shard_iterator(
        StreamArn=info.stream,
        ShardId=info.shard,
        ShardIteratorType="AT_SEQUENCE_NUMBER",
        SequenceNumber=info.first,
    )["ShardIterator"]
    found: list[dict[str, Any]] = []
    empty = 0
    while iterator is not None and empty < _EMPTY_PAGES:
        page = streams.get_records(ShardIterator=iterator)
        for record in page["Records"]:
            number = int(record["dynamodb"]["SequenceNumber"])
            if number <= info.last:
                found.append(_as_delivered(record, info.stream))
            if number >= info.last:
                return found
        empty = 0 if page["Records"] else empty + 1
        iterator = page.get("NextShardIterator")
    raise RecordsGone


def _as_delivered(record: dict[str, Any], stream: str) -> dict[str, Any]:
    """A record as Lambda delivers it, without the row: indexing reads that from the table."""
    told = record["dynamodb"]
    return {
        "eventID": record["eventID"],
        "eventName": record["eventName"],
        "eventVersion": record.get("eventVersion", "1.1"),
        "eventSource": "aws:dynamodb",
        "awsRegion": record.get("awsRegion", ""),
        "dynamodb": {"Keys": told["Keys"], "SequenceNumber": told["SequenceNumber"]},
        "eventSourceARN": stream,
    }


def episodes_of(records: list[dict[str, Any]]) -> dict[Pair, list[int]]:
    """Positions by pair of the episodes that records are about."""
    found: dict[Pair, list[int]] = {}
    for record in records:
        keys = {name: value.get("S") for name, value in record["dynamodb"]["Keys"].items()}
        reference = episode_reference(keys)
        if reference is not None:
            pair, position = reference
            found.setdefault(pair, []).append(position)
    return found
