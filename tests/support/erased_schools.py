"""Students whose memory is full of a secret, on the functions as Lambda runs them, and a search for it everywhere."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import count
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from anamnesis import bootstrap
from anamnesis.adapters.aws_clients import aws_client
from anamnesis.adapters.opensearch import OpenSearchSemanticIndex, opensearch_client
from anamnesis.bootstrap import Application, Settings
from anamnesis.domain.identifiers import Pair
from support.aws_stores import BUCKETS, REGION, TABLES, AwsStores
from support.erased_traces import Searched, Secret, search_buckets, search_queues, search_tables
from support.lambda_events import Api, LambdaContext, load_event, record
from support.memory_platform import SteppingClock
from support.opensearch_node import Node, running_node
from support.wired_memory import HashEmbedder

#: Words that nothing else in these tests says, by script.
WORDS = {
    "Latin": ("xylophonic quokka", "quokka"),
    "Arabic": ("الكوكاوة الزيلوفونية", "الزيلوفونية"),
    "Hindi": ("ज़ाइलोफोनी क्वोक्का", "क्वोक्का"),
    "Chinese": ("貔貅麒麟", "麒麟"),
    "Cyrillic": ("ксилофонный квоккозавр", "квоккозавр"),
}
DAY = "2026-07-03"
#: What a use case is made from anew, as in a process that has just begun.
USE_CASES = (
    "append_episodes", "list_episodes", "read_block", "offer_file", "list_files", "delete_file", "read_file",
    "erase_memory", "view_map", "list_beliefs", "rederive_beliefs", "verify_chain", "prove_episode",
    "list_checkpoints", "get_self_model", "index_episodes", "index_again", "run_night",
)  # fmt: skip
_numbers = count(1)


@dataclass
class School:
    """One student with a memory full of a secret, and a search through everything for it."""

    api: Api
    node: Node
    clock: SteppingClock
    words: str
    subject: str = "biology"
    file: str = ""
    file_key: str = ""

    @property
    def pair(self) -> Pair:
        return Pair(self.api.tenant, "ana", self.subject)

    @property
    def path(self) -> str:
        return f"/v1/subjects/{quote(self.subject, safe='')}"

    @cached_property
    def secret(self) -> Secret:
        return Secret(next(w for w in WORDS.values() if w[0] == self.words), tuple(self.texts))

    @property
    def texts(self) -> list[str]:
        return [e["text"] for e in self.day]

    @property
    def day(self) -> list[dict[str, Any]]:
        """Everything that can be recorded, with the secret in every field that takes text."""
        words, session = self.words, f"session {self.words}"
        at = f"{DAY}T09:00:0"
        cites = {"evidence": [{"file_id": self.file, "page": 1}]} if self.file else {}
        return [
            {"kind": "question", "occurred_at": at + "1Z", "text": f"{words}?", "session_id": session},
            {"kind": "answer", "occurred_at": at + "2Z", "text": f"{words}.", "summary": words, **cites},
            {"kind": "taught", "occurred_at": at + "3Z", "text": f"Remember that {words} is our word."},
            {"kind": "check", "occurred_at": at + "4Z", "text": words, "topic": words, "correct": True,
             "evaluation": words},
            {"kind": "quiz", "occurred_at": at + "5Z", "text": f"{words} quiz", "topic": words, "score": 0.2},
            {"kind": "question", "occurred_at": at + "6Z", "text": f"{words} ".ljust(1_000_000, "z")},
        ]  # fmt: skip

    def record_day(self, **more: Any) -> Any:
        return record(
            self.api,
            *self.day,
            key=more.pop("key", f"key {self.words}"),
            path=f"{self.path}/episodes",
            **more,
        )

    def offer(self) -> None:
        body = {"name": f"{self.words}.md", "media_type": "text/markdown", "bytes": len(self.file_bytes)}
        answer = self.api("http_offer_file", body=body, path=f"{self.path}/files")
        assert answer.status == 200, answer
        self.file = answer.body["file_id"]
        self.file_key = f"uploads/{self.pair.scope.key}/{self.file}"

    @property
    def file_bytes(self) -> bytes:
        return f"# Things\n\n**{self.words}** is the smallest animal that plays music.\n".encode()

    def upload(self) -> None:
        self.api.stores.s3.put_object(Bucket="functions-files", Key=self.file_key, Body=self.file_bytes)

    def arrived(self) -> None:
        """S3's event about the file."""
        from read_file import app

        event = load_event("s3_object_created")
        event["Records"][0]["s3"]["object"]["key"] = quote_plus(self.file_key, safe="/")
        app.handler(event, LambdaContext())

    def streamed(self, *names: str) -> None:
        """The stream's records about every episode of the log, newest first when it is late."""
        from index_episodes import app

        template = load_event("dynamodb_stream_episodes")["Records"][0]
        length = self.api.stores.episode_log.head(self.pair).length
        records = []
        for number, position in enumerate(range(length, 0, -1)):
            for name in names:
                entry = copy.deepcopy(template)
                entry["eventName"] = name
                entry["dynamodb"]["Keys"] = {"pk": {"S": self.pair.key}, "sk": {"S": f"E#{position:012d}"}}
                entry["dynamodb"]["SequenceNumber"] = f"{number:021d}{name}"
                records.append(entry)
        assert app.handler({"Records": records}, LambdaContext()) == {"batchItemFailures": []}

    def night(self, day: date) -> None:
        from run_night import app

        event = load_event("sqs_night")
        event["Records"] = event["Records"][:1]
        message = {"tenant": self.pair.tenant, "student": "ana", "subject": self.subject, "night": str(day)}
        event["Records"][0]["body"] = json.dumps(message)
        assert app.handler(event, LambdaContext()) == {"batchItemFailures": []}

    def live(self) -> None:
        """A day with everything in it, indexed, and its night."""
        self.offer()
        self.upload()
        self.arrived()
        answer = self.record_day()
        assert answer.status == 200, answer
        self.streamed("INSERT")
        self.night(date.fromisoformat(DAY))

    def search(self, owner: str = "") -> Searched:
        """Look for the secret everywhere; in tables and buckets only where `owner` is named, when one is given."""
        found = Searched()
        stores, owner = self.api.stores, quote(owner, safe="")
        tables, buckets = [f"functions-{t}" for t in TABLES], [f"functions-{b}" for b in BUCKETS]
        search_tables(stores.dynamodb, tables, self.secret, found, owner=owner)
        search_buckets(stores.s3, buckets, self.secret, found, owner=owner)
        if owner:
            return found
        search_queues(aws_client("sqs", region=REGION), self.secret, found)
        for place, document in self.node.documents.items():
            found.look(self.secret, "documents", f"opensearch {place}", document)
        return found

    def vectors(self) -> set[str]:
        """Where there is a vector of this pair."""
        rows = self.api.stores.record_store.vectors(self.pair, self.api.embedder.name)
        documents = [d["position"] for d in self.node.documents.values() if d["pair"] == self.pair.key]
        return {f"row {position}" for position in rows} | {f"document {position}" for position in documents}

    def listed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        query = {"limit": "200"}
        while True:
            page = self.api("http_list_episodes", query=query, path=f"{self.path}/episodes").body
            found += page["episodes"]
            if page["cursor"] is None:
                return found
            query["cursor"] = page["cursor"]

    def ask(self) -> str:
        question = {"question": f"What about {self.words}?", "time_zone": "UTC"}
        answer = self.api("http_read_block", body=question, path=f"{self.path}/block")
        assert answer.status == 200
        return repr(answer.body)

    def erase(self, scope: str) -> None:
        if scope == "episode":
            for episode in self.listed():
                if self.words in repr(episode):
                    path = f"{self.path}/episodes/{episode['id']}"
                    answer = self.api("http_delete_episode", path=path)
                    assert (answer.status, answer.body["complete"]) == (200, True), answer
            return
        name = {"subject": "http_delete_subject", "student": "http_delete_student"}[scope]
        answer = self.api(name, **({"path": self.path} if scope == "subject" else {}))
        assert (answer.status, answer.body["complete"]) == (200, True), answer


class Schools:
    """Makes schools whose functions have an OpenSearch node and a clock that can be moved."""

    def __init__(
        self, stores: AwsStores, embedder: HashEmbedder, node: Node, patch: pytest.MonkeyPatch
    ) -> None:
        self.stores, self.embedder, self.node, self._patch = stores, embedder, node, patch
        self.clock = SteppingClock(datetime.now(UTC))
        self.fresh()

    def fresh(self) -> Application:
        """A new process: everything is wired anew, caches are empty."""
        application = Application(Settings.from_environment())
        application.clock = self.clock  # type: ignore[assignment]
        index = OpenSearchSemanticIndex(
            opensearch_client(self.node.url), embedder=self.embedder.name, dimension=self.embedder.dimension
        )
        application.__dict__ |= {"embedder": self.embedder, "_semantic_index": index}
        for name in USE_CASES:
            self._patch.setitem(bootstrap.application().__dict__, name, getattr(application, name))
        return application

    def make(self, script: str, subject: str = "biology") -> School:
        """A school of its own."""
        api = Api(f"erasing school {next(_numbers)}", self.stores, self.embedder)
        return School(api, self.node, self.clock, WORDS[script][0], subject)


@contextmanager
def running_schools(stack: tuple[AwsStores, HashEmbedder], patch: pytest.MonkeyPatch) -> Iterator[Schools]:
    """Schools on the functions' stack, with a node as long as they are needed."""
    with running_node() as node:
        yield Schools(*stack, node, patch)
