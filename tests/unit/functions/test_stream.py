"""The function behind the episodes' stream, and the index behind it when that is down."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.domain.errors import InvalidInput, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.service.index_again import IndexAgain
from anamnesis.service.index_episodes import IndexEpisodes
from support.lambda_events import Api, LambdaContext, load_event
from support.memory_platform import MemorySemanticIndex
from support.wired_memory import HashEmbedder


def streamed(api: Api, *positions: int) -> dict[str, Any]:
    """The stream's batch for these episodes of Ana's log in biology, among rows of other kinds."""
    event = load_event("dynamodb_stream_episodes")
    for record in event["Records"]:
        record["dynamodb"]["Keys"]["pk"]["S"] = Pair(api.tenant, "ana", "biology").key
    template = event["Records"][0]
    for position in positions:
        added = copy.deepcopy(template)
        added["dynamodb"]["Keys"]["sk"]["S"] = f"E#{position:012d}"
        added["dynamodb"]["SequenceNumber"] = f"9{position}"
        event["Records"].append(added)
    return event


def test_the_stream_is_indexed(api: Api) -> None:
    """The stream's batch embeds its episodes and passes over rows of other kinds (RC-1)."""
    from index_episodes import app

    api("http_record_episodes")
    answer = app.handler(streamed(api, 3), LambdaContext())
    assert answer == {"batchItemFailures": []}
    vectors = api.stores.record_store.vectors(Pair(api.tenant, "ana", "biology"), HashEmbedder().name)
    assert sorted(vectors) == [1, 2, 3]


def test_what_fails_in_the_stream_comes_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream record that fails is reported by its number, and only from it on the stream delivers again (SV-14)."""
    from index_episodes import app

    def second_fails(_: Pair, positions: list[int]) -> None:
        if positions == [2]:
            raise StoreUnavailable("down")

    monkeypatch.setitem(bootstrap.application().__dict__, "index_episodes", second_fails)
    event = load_event("dynamodb_stream_episodes")
    answer = app.handler(event, LambdaContext())
    assert answer == {
        "batchItemFailures": [{"itemIdentifier": event["Records"][2]["dynamodb"]["SequenceNumber"]}]
    }


def changes(api: Api, *of: tuple[str, str]) -> dict[str, Any]:
    """The stream's batch of these changes of rows: (INSERT, MODIFY or REMOVE, sort key)."""
    template = load_event("dynamodb_stream_episodes")["Records"][0]
    records = []
    for number, (name, sort_key) in enumerate(of, start=1):
        record = copy.deepcopy(template)
        record["eventName"], record["eventID"] = name, str(number)
        record["dynamodb"]["Keys"] = {
            "pk": {"S": Pair(api.tenant, "ana", "biology").key},
            "sk": {"S": sort_key},
        }
        record["dynamodb"]["SequenceNumber"] = f"{number:021d}"
        records.append(record)
    return {"Records": records}


def test_changes_may_come_in_any_order(api: Api) -> None:
    """Stream records reversed, doubled and of changed rows leave each episode's vector once (RC-1, SV-14)."""
    from index_episodes import app

    api("http_record_episodes")
    pair, rows = Pair(api.tenant, "ana", "biology"), [f"E#{position:012d}" for position in (3, 2, 1)]
    app.handler(changes(api, *(("INSERT", row) for row in reversed(rows))), LambdaContext())
    before = api.stores.record_store.vectors(pair, HashEmbedder().name)
    for names in (["INSERT"], ["MODIFY"], ["INSERT", "MODIFY", "INSERT"]):
        batch = changes(api, *((name, row) for row in rows for name in names))
        assert app.handler(batch, LambdaContext()) == {"batchItemFailures": []}
    after = api.stores.record_store.vectors(pair, HashEmbedder().name)
    assert {p: v.tolist() for p, v in after.items()} == {p: v.tolist() for p, v in before.items()}
    assert sorted(after) == [1, 2, 3]


def test_every_change_of_an_episode_is_handed_on(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happened to an episode's row, erasure and removal included, the index looks at it again (EP-8)."""
    from index_episodes import app

    seen: list[int] = []
    monkeypatch.setitem(
        bootstrap.application().__dict__, "index_episodes", lambda _, positions: seen.extend(positions)
    )
    rows = [("INSERT", "E#000000000001"), ("MODIFY", "E#000000000001"), ("REMOVE", "E#000000000002")]
    forged = [("INSERT", key) for key in ("E#1", "E#", "E#00000000000x", "E#000000000001#", "H", "")]
    assert app.handler(changes(api, *forged, *rows, *forged), LambdaContext()) == {"batchItemFailures": []}
    assert seen == [1, 1, 2]


def test_a_record_of_a_forged_pair_is_passed_over(api: Api) -> None:
    """A stream record whose key is no pair's is left to verification and keeps nothing from being indexed (SV-14)."""
    from index_episodes import app

    api("http_record_episodes")
    event = changes(api, *[("INSERT", f"E#{position:012d}") for position in (1, 2, 3)])
    for record, key in zip(event["Records"], ["school#ana", None, "a#b#c%2"], strict=True):
        forged = copy.deepcopy(record)
        forged["dynamodb"]["Keys"]["pk"] = {"N": "7"} if key is None else {"S": key}
        event["Records"] = [forged, *event["Records"]]
    event["Records"][0]["dynamodb"].pop("Keys")
    assert app.handler(event, LambdaContext()) == {"batchItemFailures": []}
    pair = Pair(api.tenant, "ana", "biology")
    assert sorted(api.stores.record_store.vectors(pair, HashEmbedder().name)) == [1, 2, 3]


class FailingIndex(MemorySemanticIndex):
    """A semantic index that is down until it is told otherwise."""

    down = True

    def add(self, pair: Pair, vectors: Any) -> None:
        if self.down:
            raise StoreUnavailable("opensearch: ConnectionError")
        super().add(pair, vectors)


@pytest.fixture
def index(api: Api, monkeypatch: pytest.MonkeyPatch) -> FailingIndex:
    """The application with a semantic index that is down."""
    index, application = FailingIndex(), bootstrap.application()
    parts = application._log, application._records, api.embedder, index, application._refresh
    monkeypatch.setitem(application.__dict__, "index_episodes", IndexEpisodes(*parts))
    monkeypatch.setitem(
        application.__dict__, "index_again", IndexAgain(application._log, application.index_episodes)
    )
    return index


def test_indexing_waits_for_an_index_that_is_down(api: Api, index: FailingIndex) -> None:
    """With the semantic index down every record fails and comes again, and once it is up nothing is missing (SV-14)."""
    from index_episodes import app

    api("http_record_episodes")
    event = changes(api, *[("INSERT", f"E#{position:012d}") for position in (1, 2, 3)])
    from observability import RecordsFailed

    # Nothing of the batch went well: Lambda halves it and tries again.
    with pytest.raises(RecordsFailed):
        app.handler(event, LambdaContext())
    index.down = False
    assert app.handler(event, LambdaContext()) == {"batchItemFailures": []}
    query = api.embedder.embed_query("?")
    found = index.neighbours(Pair(api.tenant, "ana", "biology"), query, 9, timeout_seconds=1)
    assert sorted(position for position, _ in found) == [1, 2, 3]


def test_a_span_is_indexed_again(api: Api, index: FailingIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for a span of time, the function names its pairs and indexes what each recorded then, by chunks (SV-14)."""
    from index_episodes import app

    monkeypatch.setattr("anamnesis.service.index_again.CHUNK", 2)
    api("http_record_episodes")
    index.down = False
    pair = {"tenant": api.tenant, "student": "ana", "subject": "biology"}
    now = datetime.now(UTC)

    def again(start: datetime, end: datetime, **more: Any) -> dict[str, Any]:
        asked = {"start": start.isoformat(), "end": end.isoformat(), **more}
        return dict(app.handler({"index_again": asked}, LambdaContext()))

    assert pair in again(now, now)["pairs"]
    past = now - timedelta(days=5000)
    assert pair not in again(past, past)["pairs"]
    assert again(past, past, pair=pair) == {"indexed": 0, "after": None}
    assert again(now, now, pair=pair) == {"indexed": 2, "after": 2}
    assert again(now, now, pair=pair, after=2) == {"indexed": 1, "after": None}
    query = api.embedder.embed_query("?")
    found = index.neighbours(Pair(**pair), query, 9, timeout_seconds=1)
    assert sorted(position for position, _ in found) == [1, 2, 3]
    with pytest.raises(InvalidInput):
        again(now, now - timedelta(days=1))
