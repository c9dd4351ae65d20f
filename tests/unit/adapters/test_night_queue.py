"""The night's queue on moto."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import boto3
import pytest

from anamnesis.adapters.sqs import SqsNightQueue
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair
from support.aws_faults import answer, instead
from support.emulated_aws import emulated_aws

NIGHT = date(2026, 7, 3)


@pytest.fixture
def client() -> Iterator[Any]:
    with emulated_aws():
        yield boto3.client("sqs", region_name="eu-west-1")


@pytest.fixture
def url(client: Any) -> str:
    found: str = client.create_queue(QueueName="night")["QueueUrl"]
    return found


def pairs(count: int) -> list[Pair]:
    return [Pair("école", f"étudiant {n}", "生物学") for n in range(count)]


def received(client: Any, url: str) -> list[dict[str, str]]:
    """All messages of the queue."""
    found: list[dict[str, str]] = []
    while messages := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        found += [json.loads(message["Body"]) for message in messages]
    return found


@pytest.mark.parametrize("count", [0, 1, 10, 23])
def test_sends_one_message_per_pair(client: Any, url: str, count: int) -> None:
    """Every pair gets one message that names it and the night (NI-1)."""
    assert SqsNightQueue(client, queue_url=url).send(iter(pairs(count)), NIGHT) == count
    found = sorted(received(client, url), key=lambda message: int(message["student"].split()[1]))
    assert found == [
        {"tenant": "école", "student": f"étudiant {n}", "subject": "生物学", "night": "2026-07-03"}
        for n in range(count)
    ]


def test_refused_messages_are_sent_again(client: Any, url: str) -> None:
    """Messages that SQS refuses out of a batch are sent again, and only they (SV-14)."""
    refused = answer(
        200,
        {
            "Successful": [],
            "Failed": [{"Id": "1", "SenderFault": False, "Code": "InternalError", "Message": ""}],
        },
    )
    with instead(client, "SendMessageBatch", refused) as sent:
        SqsNightQueue(client, queue_url=url).send(pairs(3), NIGHT)
    assert [len(json.loads(body)["Entries"]) for body in sent] == [3, 1]
    assert [message["student"] for message in received(client, url)] == ["étudiant 1"]


def test_messages_refused_for_good_are_reported(client: Any, url: str) -> None:
    """A batch that keeps being refused is an error, so that the night is started again (SV-14)."""
    failed = [{"Id": "0", "SenderFault": True, "Code": "X", "Message": "SECRET"}]
    outcomes = [answer(200, {"Successful": [], "Failed": failed}) for _ in range(5)]
    with instead(client, "SendMessageBatch", *outcomes), pytest.raises(StoreUnavailable, match="refused"):
        SqsNightQueue(client, queue_url=url).send(pairs(1), NIGHT)


def test_a_missing_queue_is_ours(client: Any) -> None:
    """A queue that is not there is an error of ours (SV-14)."""
    with pytest.raises(StoreUnavailable):
        SqsNightQueue(client, queue_url="https://sqs.eu-west-1.amazonaws.com/1/none").send(pairs(1), NIGHT)
