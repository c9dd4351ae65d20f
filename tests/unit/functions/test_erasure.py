"""Erasure through the functions, on real adapters: what was said is looked for in everything that is stored."""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
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

    @property
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

    def search(self) -> Searched:
        found = Searched()
        stores = self.api.stores
        search_tables(stores.dynamodb, [f"functions-{t}" for t in TABLES], self.secret, found)
        search_buckets(stores.s3, [f"functions-{b}" for b in BUCKETS], self.secret, found)
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


@pytest.fixture
def school(
    stack: tuple[AwsStores, HashEmbedder], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., School]]:
    """Makes schools whose functions have an OpenSearch node and a clock that can be moved."""
    stores, embedder = stack
    with running_node() as node:
        clock = SteppingClock(datetime.now(UTC))

        def fresh() -> None:
            application = Application(Settings.from_environment())
            application.clock = clock  # type: ignore[assignment]
            index = OpenSearchSemanticIndex(
                opensearch_client(node.url), embedder=embedder.name, dimension=embedder.dimension
            )
            application.__dict__ |= {"embedder": embedder, "_semantic_index": index}
            for name in USE_CASES:
                monkeypatch.setitem(bootstrap.application().__dict__, name, getattr(application, name))

        fresh()

        def make(script: str, subject: str = "biology") -> School:
            api = Api(f"erasing school {next(_numbers)}", stores, embedder)
            return School(api, node, clock, WORDS[script][0], subject)

        make.fresh = fresh  # type: ignore[attr-defined]
        yield make


@pytest.mark.parametrize(
    "script, scope", [*((script, "subject") for script in WORDS), ("Latin", "student"), ("Latin", "episode")]
)
def test_nothing_is_found_in_any_store(
    school: Callable[..., School], script: str, scope: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Erased text is in no row, object, version, message, index document or log line, hashed or packed (EP-8)."""
    ana = school(script)
    caplog.set_level(logging.INFO)
    ana.live()
    before = ana.search()
    assert {place.split()[0] for place in before.found} >= {
        "functions-episodes", "functions-beliefs", "functions-concepts", "functions-content", "functions-files",
    }  # fmt: skip
    assert ana.words in ana.ask()
    if scope == "episode":
        assert ana.api("http_delete_file", path=f"{ana.path}/files/{ana.file}").status == 200
        ana.erase("episode")
        # The file itself is another matter: its record keeps a name until the subject is erased.
        about_file = ("FILE#", "CONTRIB#", " maps/")
        left = [place for place in ana.search().found if not any(part in place for part in about_file)]
        assert not left, "\n".join([*left, *(repr(e)[:300] for e in ana.listed())])
        ana.erase("subject")
        assert ana.search().found == []
        return
    ana.erase(scope)
    after = ana.search()
    assert after.found == []
    assert before.counts["rows"] > 30
    assert min(before.counts[kind] for kind in ("objects", "documents")) > 5
    assert ana.vectors() == set()
    assert ana.words not in ana.ask()
    ana.clock.advance(days=1)
    ana.night(date.fromisoformat(DAY))
    assert ana.search().found == []
    assert not any(ana.words in repr(line.__dict__) for line in caplog.records)


def everything_again(ana: School) -> None:
    """Whatever may still come in about an erased memory, in the worst order."""
    ana.upload()
    for _ in range(2):
        ana.arrived()
    ana.streamed("MODIFY", "INSERT", "INSERT")
    for day in ("2026-07-04", DAY):
        ana.night(date.fromisoformat(day))
    assert ana.api("http_rederive_beliefs", path=f"{ana.path}/beliefs/rederive").status == 200
    again = bootstrap.application().index_again
    again(ana.pair, ana.clock.now(), ana.clock.now())


@pytest.mark.parametrize("warm", [True, False])
@pytest.mark.parametrize("scope", ["episode", "subject", "student"])
def test_nothing_brings_it_back(school: Callable[..., School], scope: str, warm: bool) -> None:
    """Imports, retries, nights, late events and uploads bring nothing back, warm or cold (EP-8, SV-14)."""
    ana = school("Latin")
    if scope != "episode":
        ana.offer()
        ana.upload()
        ana.arrived()
    first = ana.record_day().body["episodes"]
    ana.streamed("INSERT")
    ana.night(date.fromisoformat(DAY))
    assert ana.words in ana.ask()
    ana.erase(scope)
    assert ana.search().found == []
    if not warm:
        school.fresh()  # type: ignore[attr-defined]
    retry = ana.record_day()
    assert retry.status == 200
    assert [(e["id"], e["position"], e["text"]) for e in retry.body["episodes"]] == [
        (e["id"], e["position"], None) for e in first
    ]
    for index, event in enumerate(ana.day):
        changed = event | {"session_id": "another", "summary": "told otherwise"}
        fresh = {"kind": "question", "occurred_at": f"{DAY}T10:00:00Z", "text": f"What is new, {index}?"}
        answer = record(ana.api, fresh, changed, key=f"again {index}", path=f"{ana.path}/episodes")
        assert (answer.status, answer.problem, answer.body["field"]) == (409, "erased", "episodes[1]"), answer
    length = ana.api.stores.episode_log.head(ana.pair).length
    if scope == "episode":
        ana.file_key = f"uploads/{ana.pair.scope.key}/01J0000000000000000000NONE"
    everything_again(ana)
    assert ana.search().found == []
    assert ana.vectors() <= {
        f"{kind} {n}" for kind in ("row", "document") for n in range(length + 1, length + 9)
    }
    for _ in range(2):
        assert ana.words not in ana.ask()
    ana.clock.advance(days=1)
    ana.night(date.fromisoformat(DAY))
    assert ana.search().found == []
    verdict = ana.api("http_verify_chain", path=f"{ana.path}/chain").body
    assert verdict["breaks"] == []
