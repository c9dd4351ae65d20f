"""The queues on SQS: of the night, one message per pair, of the wikis, one per student, of answers, one each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from anamnesis.adapters.aws_errors import store_errors
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair, StudentScope

#: SQS takes no more messages in one request.
MAX_BATCH = 10
#: Times that the messages SQS refused out of a batch are sent again; throttled requests are botocore's to retry.
TRIES = 3


class SqsNightQueue:
    """The port ``NightQueue`` on one queue; safe to use from many threads.

    A message is ``{"tenant", "student", "subject", "night"}``, the night as an ISO date. A pair may be sent twice
    (SQS delivers at least once anyway): a night run twice is a night run once.

    Parameters
    ----------
    client
        A boto3 SQS client.
    queue_url
        URL of the queue.
    """

    def __init__(self, client: Any, *, queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def send(self, pairs: Iterable[Pair], night: date) -> int:
        """Queue one message per pair; return how many.

        Raises
        ------
        StoreUnavailable
            If SQS keeps refusing some; the pairs before them are queued.
        """
        sent = 0
        for batch in _batches(pairs):
            entries = [
                {"Id": str(number), "MessageBody": _text(_named(pair) | {"night": night.isoformat()})}
                for number, pair in enumerate(batch)
            ]
            self._send_batch(entries)
            sent += len(batch)
        return sent

    def _send_batch(self, entries: list[dict[str, str]]) -> None:
        left = entries
        for _ in range(TRIES):
            with store_errors("sqs"):
                answer = self._client.send_message_batch(QueueUrl=self._queue_url, Entries=left)
            failed = {failure["Id"] for failure in answer.get("Failed", [])}
            left = [entry for entry in left if entry["Id"] in failed]
            if not left:
                return
        raise StoreUnavailable("sqs: messages keep being refused")


def night_message(body: str) -> tuple[Pair, date]:
    """Return pair and day of a message that ``SqsNightQueue`` queued.

    Raises
    ------
    ValueError
        If the text is no JSON that can be read; other errors of Python's where it lacks a name or holds another type.
    """
    message = _read(body)
    return _pair(message), date.fromisoformat(message["night"])


class SqsWikiQueue:
    """The port ``WikiQueue`` on one queue; safe to use from many threads. A message is ``{"tenant", "student"}``.

    Parameters
    ----------
    client
        A boto3 SQS client.
    queue_url
        URL of the queue; empty where nobody compiles, and then nothing is sent.
    """

    def __init__(self, client: Any, *, queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def send(self, scope: StudentScope) -> None:
        """Queue one message.

        Raises
        ------
        StoreUnavailable
            If SQS does not take it.
        """
        if not self._queue_url:
            return
        _send(self._client, self._queue_url, {"tenant": scope.tenant, "student": scope.student})


def wiki_message(body: str) -> StudentScope:
    """The student of a message that ``SqsWikiQueue`` queued.

    Raises
    ------
    ValueError
        If the text is no JSON that can be read; other errors of Python's where it lacks a name or holds another type.
    """
    message = _read(body)
    return StudentScope(message["tenant"], message["student"])


class SqsAnswerQueue:
    """The port ``AnswerQueue`` on one queue; safe to use from many threads.

    A message is ``{"tenant", "student", "subject", "answer"}``: what was asked stays in the store, and goes from there
    when it is erased.

    Parameters
    ----------
    client
        A boto3 SQS client.
    queue_url
        URL of the queue.
    """

    def __init__(self, client: Any, *, queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def send(self, pair: Pair, answer_id: str) -> None:
        """Queue one message.

        Raises
        ------
        StoreUnavailable
            If SQS does not take it.
        """
        _send(self._client, self._queue_url, _named(pair) | {"answer": answer_id})


def answer_message(body: str) -> tuple[Pair, str]:
    """Pair and answer of a message that ``SqsAnswerQueue`` queued.

    Raises
    ------
    ValueError
        If the text is no JSON that can be read; other errors of Python's where it lacks a name or holds another type.
    """
    message = _read(body)
    return _pair(message), str(message["answer"])


def _send(client: Any, queue_url: str, message: Mapping[str, str]) -> None:
    with store_errors("sqs"):
        client.send_message(QueueUrl=queue_url, MessageBody=_text(message))


def _named(pair: Pair) -> dict[str, str]:
    return {"tenant": pair.tenant, "student": pair.student, "subject": pair.subject}


def _pair(message: Any) -> Pair:
    return Pair(message["tenant"], message["student"], message["subject"])


def _batches(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    batch: list[Pair] = []
    for pair in pairs:
        batch.append(pair)
        if len(batch) == MAX_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _text(message: Mapping[str, str]) -> str:
    return json.dumps(message, ensure_ascii=False)


def _read(body: str) -> Any:
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("nested too deeply") from None
