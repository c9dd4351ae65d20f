"""Dead letters as they lie in their queues: collected, given back, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from anamnesis_tools import plain_json

#: How long collected letters are hidden from another replay. One that dies shows them again after this time.
HIDDEN_SECONDS = 900
#: SQS hands out no more messages at once.
_BATCH = 10
#: SQS then looks at all its servers, so that an empty answer means an empty queue.
_WAIT_SECONDS = 1


@dataclass(frozen=True)
class Letter:
    """One message.

    Attributes
    ----------
    sent_at
        When it was first sent; for a night, when that was queued.
    attributes
        The sender's message attributes, as text.
    """

    id: str
    body: str
    receipt: str
    sent_at: datetime
    attributes: dict[str, str]

    def document(self) -> dict[str, Any]:
        """Return the body as the JSON object that it should be.

        Raises
        ------
        ValueError
            If it is none.
        """
        found = plain_json.read(self.body)
        if not isinstance(found, dict):
            raise ValueError("is no JSON object")
        return found


def waiting(sqs: Any, url: str) -> int:
    """About how many letters a queue holds, those included that another replay has in hand."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return sum(int(attributes.get(name, 0)) for name in names)


def collect(sqs: Any, url: str, limit: int) -> list[Letter]:
    """Take at most `limit` letters in hand, oldest first.

    All are taken before the first is replayed, so that one which fails once more at once is not met again.
    """
    found: list[Letter] = []
    while len(found) < limit:
        messages = sqs.receive_message(
            QueueUrl=url,
            MaxNumberOfMessages=min(_BATCH, limit - len(found)),
            VisibilityTimeout=HIDDEN_SECONDS,
            WaitTimeSeconds=_WAIT_SECONDS,
            MessageSystemAttributeNames=["SentTimestamp"],
            MessageAttributeNames=["All"],
        ).get("Messages", [])
        if not messages:
            break
        found += [_letter(message) for message in messages]
    return sorted(found, key=lambda letter: letter.sent_at)


def give_back(sqs: Any, url: str, letters: Sequence[Letter]) -> None:
    """Let letters be seen again at once."""
    for letter in letters:
        sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=letter.receipt, VisibilityTimeout=0)


def delete(sqs: Any, url: str, letter: Letter) -> None:
    """Remove a letter that was replayed."""
    sqs.delete_message(QueueUrl=url, ReceiptHandle=letter.receipt)


def _letter(message: dict[str, Any]) -> Letter:
    given = message.get("MessageAttributes", {})
    return Letter(
        id=message["MessageId"],
        body=message["Body"],
        receipt=message["ReceiptHandle"],
        sent_at=datetime.fromtimestamp(int(message["Attributes"]["SentTimestamp"]) / 1000, UTC),
        attributes={name: value.get("StringValue", "") for name, value in given.items()},
    )
