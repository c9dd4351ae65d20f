"""The six queues of what failed for good: what a letter of each is about, and how it is put back.

Each way back may be taken twice: a night that ran is the same night again, a wiki compiled twice is
compiled once, an answer is written once and given up after ten minutes, a file that was read is found read, indexing
replaces equal by equal, and a dispatcher queues nights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol
from urllib.parse import unquote, unquote_plus

from anamnesis.bootstrap import answer_message, night_message, wiki_message
from anamnesis.domain.errors import AnamnesisError
from anamnesis.domain.identifiers import Pair
from anamnesis_tools import plain_json
from anamnesis_tools.replay.letters import Letter
from anamnesis_tools.replay.place import NotReplayed, Place
from anamnesis_tools.replay.stream_records import BatchInfo, RecordsGone, episodes_of, records

#: What reading a letter raises that is not of the expected form.
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, AnamnesisError)


class DeadLetters(Protocol):
    """One queue."""

    def about(self, letter: Letter) -> dict[str, Any]:
        """What the letter is about, by identifiers; empty when it cannot be understood."""

    def put_back(self, letter: Letter) -> str:
        """Have the work done again; return what was done, in a few words.

        Raises
        ------
        NotReplayed
            If it was not accepted, so that the letter has to stay.
        """


@dataclass(frozen=True)
class Nights:
    """Messages of the night's queue that were received too often."""

    place: Place

    def about(self, letter: Letter) -> dict[str, Any]:
        """Pair and night."""
        try:
            pair, night = night_message(letter.body)
        except _UNREADABLE:
            return {}
        return {**_names(pair), "night": night.isoformat()}

    def put_back(self, letter: Letter) -> str:
        """Queue the night again."""
        if not self.about(letter):
            raise NotReplayed("is no message of a night")
        self.place.client("sqs").send_message(
            QueueUrl=self.place.output("NightQueueUrl"), MessageBody=letter.body
        )
        return "queued again"


@dataclass(frozen=True)
class Wikis:
    """Messages of the wikis' queue that were received too often."""

    place: Place

    def about(self, letter: Letter) -> dict[str, Any]:
        """The student."""
        try:
            scope = wiki_message(letter.body)
        except _UNREADABLE:
            return {}
        return {"tenant": scope.tenant, "student": scope.student}

    def put_back(self, letter: Letter) -> str:
        """Queue the compile again."""
        if not self.about(letter):
            raise NotReplayed("is no message about a wiki")
        self.place.client("sqs").send_message(
            QueueUrl=self.place.output("WikiQueueUrl"), MessageBody=letter.body
        )
        return "queued again"


@dataclass(frozen=True)
class Answers:
    """Messages of the answers' queue that were received too often."""

    place: Place

    def about(self, letter: Letter) -> dict[str, Any]:
        """Pair and answer."""
        try:
            pair, answer = answer_message(letter.body)
        except _UNREADABLE:
            return {}
        return {**_names(pair), "answer": answer}

    def put_back(self, letter: Letter) -> str:
        """Queue the answer again, so that it is recorded if it was written, and given up if it was not."""
        if not self.about(letter):
            raise NotReplayed("is no message about an answer")
        self.place.client("sqs").send_message(
            QueueUrl=self.place.output("AnswerQueueUrl"), MessageBody=letter.body
        )
        return "queued again"


@dataclass(frozen=True)
class Files:
    """Invocations of the file reader that failed."""

    place: Place

    def about(self, letter: Letter) -> dict[str, Any]:
        """The objects that arrived."""
        try:
            keys = [record["s3"]["object"]["key"] for record in _payload(letter)["Records"]]
            return {"files": [_file(unquote_plus(key)) for key in keys]}
        except _UNREADABLE:
            return {}

    def put_back(self, letter: Letter) -> str:
        """Give the reader S3's event again."""
        files = self.about(letter).get("files", [])
        if not files or not all("file_id" in file for file in files):
            raise NotReplayed("holds no event of S3 about uploads")
        self.place.start("ReadFileFunctionName", _payload(letter))
        return "given to the reader again"


@dataclass(frozen=True)
class Starts:
    """Nights that did not start: refused by Lambda, or failed in the dispatcher."""

    place: Place

    def about(self, letter: Letter) -> dict[str, Any]:
        """When the schedule fired: the day before is the night's."""
        event = self._event(letter)
        return {"scheduled": event["time"]} if event else {}

    def put_back(self, letter: Letter) -> str:
        """Give the dispatcher the schedule's event again; it runs the nights of the event's day, not of today's."""
        event = self._event(letter)
        if event is None:
            raise NotReplayed("does not say which night it was")
        self.place.start("StartNightFunctionName", event)
        return "dispatched again"

    def _event(self, letter: Letter) -> dict[str, Any] | None:
        """The schedule's event. EventBridge keeps what it would have sent, Lambda a record around it."""
        for look in (_payload, Letter.document, _request_payload):
            try:
                event = look(letter)
                if _names_a_night(event["time"]):
                    return event
            except _UNREADABLE:
                continue
        scheduled = letter.attributes.get("SCHEDULED_TIME", "")
        return {"detail-type": "Scheduled Event", "time": scheduled} if _names_a_night(scheduled) else None


@dataclass(frozen=True)
class Indexing:
    """Batches of the episodes' stream that were given up."""

    place: Place

    def about(self, letter: Letter) -> dict[str, Any]:
        """Pairs and positions while the stream has the records, then only when they arrived."""
        try:
            info = BatchInfo.of(letter.document())
            batch = self._in_stream(info)
        except _UNREADABLE:
            return {}
        arrived = [info.arrived_first.isoformat(), info.arrived_last.isoformat()]
        if batch is None:
            return {"records": info.count, "arrived": arrived, "in_stream": False}
        found = episodes_of(batch)
        pairs = [{**_names(pair), "positions": positions} for pair, positions in found.items()]
        return {"records": info.count, "arrived": arrived, "in_stream": True, "pairs": pairs}

    def put_back(self, letter: Letter) -> str:
        """Index the records now, and wait for it; by the time of their arrival when the stream has them no more."""
        try:
            info = BatchInfo.of(letter.document())
            batch = self._in_stream(info)
        except _UNREADABLE:
            raise NotReplayed("describes no batch of the stream") from None
        if batch is None:
            return self._by_time(info)
        answer = self.place.call("IndexEpisodesFunctionName", {"Records": batch})
        failed = len(answer["batchItemFailures"])
        if failed:
            raise NotReplayed(f"{failed} of {len(batch)} records failed again")
        return f"{len(batch)} records indexed"

    def _in_stream(self, info: BatchInfo) -> list[dict[str, Any]] | None:
        """The records; None when the stream has them no more."""
        try:
            return records(self.place.client("dynamodbstreams"), info)
        except RecordsGone:
            return None

    def _by_time(self, info: BatchInfo) -> str:
        span = {"start": info.arrived_first.isoformat(), "end": info.arrived_last.isoformat()}
        pairs = self.place.call("IndexEpisodesFunctionName", {"index_again": span})["pairs"]
        indexed = 0
        for pair in pairs:
            after: int | None = 0
            while after is not None:
                asked = {"index_again": {**span, "pair": pair, "after": after}}
                done = self.place.call("IndexEpisodesFunctionName", asked)
                indexed, after = indexed + done["indexed"], done["after"]
        return (
            f"no longer in the stream: the {indexed} episodes that {len(pairs)} pairs "
            "recorded around that time indexed again"
        )


#: Name on the command line → the stack's output with the queue's URL, and what its letters are.
QUEUES: dict[str, tuple[str, Callable[[Place], DeadLetters]]] = {
    "night": ("NightFailuresUrl", Nights),
    "files": ("FileFailuresUrl", Files),
    "index": ("IndexFailuresUrl", Indexing),
    "start-night": ("StartNightFailuresUrl", Starts),
    "wiki": ("WikiFailuresUrl", Wikis),
    "answers": ("AnswerFailuresUrl", Answers),
}


def why(letter: Letter) -> str | None:
    """Why it failed, as far as the letter tells: a condition and a kind of error, never its text."""
    if "ERROR_CODE" in letter.attributes:
        return letter.attributes["ERROR_CODE"]
    try:
        document = letter.document()
        answer = document.get("responsePayload")
        kind = answer.get("errorType") if isinstance(answer, dict) else None
        told = [document.get("requestContext", {}).get("condition"), kind]
    except _UNREADABLE:
        return None
    return ": ".join(str(part) for part in told if part) or None


def _names_a_night(time: str) -> bool:
    """Whether the dispatcher could make a night of it: the day before a time of its calendar."""
    try:
        datetime.fromisoformat(time) - timedelta(days=1)
    except (ValueError, OverflowError):
        return False
    return True


def _payload(letter: Letter) -> dict[str, Any]:
    payload: dict[str, Any] = letter.document()["requestPayload"]
    return payload


def _request_payload(letter: Letter) -> dict[str, Any]:
    """The event inside a request to Lambda as a scheduler makes it."""
    payload: dict[str, Any] = plain_json.read(letter.document()["Payload"])
    return payload


def _names(pair: Pair) -> dict[str, str]:
    return {"tenant": pair.tenant, "student": pair.student, "subject": pair.subject}


def _file(object_key: str) -> dict[str, str]:
    parts = object_key.split("/")
    owners = [unquote(part) for part in parts[1].split("#")] if len(parts) == 3 else []
    if len(owners) != 2:
        return {"object_key": object_key}
    return {"tenant": owners[0], "subject": owners[1], "file_id": parts[2]}
