"""Recording over HTTP: at once in the block, once however often it is sent, whole however many write."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import School, asked, check, event, eventually, lines_under

SUBJECT = "biology"
#: As many as write at once elsewhere on this stack: each further caller is a further function that starts.
WRITERS, BATCHES = 6, 4


def episodes(client: ApiClient) -> list[dict[str, Any]]:
    """The whole log, page by page."""
    found, cursor = [], None
    while True:
        page = client.call("GET", f"/v1/subjects/{SUBJECT}/episodes", params={"cursor": cursor, "limit": 25})
        found += page["episodes"]
        cursor = page["cursor"]
        if cursor is None:
            return found


@contextmanager
def nothing_indexed(stack: LocalStack) -> Iterator[None]:
    """Stop the table's stream for as long as the block runs."""
    awslambda = stack.client("lambda")
    mapping = next(
        m["UUID"]
        for m in awslambda.list_event_source_mappings()["EventSourceMappings"]
        if "IndexEpisodes" in m["FunctionArn"]
    )
    awslambda.update_event_source_mapping(UUID=mapping, Enabled=False)
    try:
        yield
    finally:
        awslambda.update_event_source_mapping(UUID=mapping, Enabled=True)


def test_what_is_recorded_is_remembered_at_once(stack: LocalStack) -> None:
    """An episode is in the very next block while no index has seen it, months back and among others (RC-1)."""
    client = School(stack).student()
    with nothing_indexed(stack):
        filler = [event("question", f"What is lesson number {n} about?") for n in range(40)]
        client.record(SUBJECT, "1", filler)
        old = event("answer", "The narwhal grows one long tooth.", "2025-11-03T10:00:00Z")
        recorded = client.record(SUBJECT, "2", [old])
        reply = asked(client, SUBJECT, "How long is the tooth of a narwhal?")
    assert reply["matched"]
    assert recorded[0]["id"] in reply["memory_ids"]
    assert "narwhal" in "".join(lines_under(reply["block"], "EARLIER WORK"))


def test_the_stream_indexes_what_was_recorded(stack: LocalStack) -> None:
    """Every recorded episode comes through the table's stream to have its vector, without anybody asking (SV-5)."""
    school = School(stack)
    school.student().record(SUBJECT, "1", [event("question", f"Question {n}") for n in range(3)])
    key = "#".join(quote(part, safe="") for part in (school.tenant, "ana", SUBJECT))

    def indexed() -> int:
        found = stack.client("dynamodb").query(
            TableName=stack.outputs["RecordsTableName"],
            KeyConditionExpression="pk = :pk AND begins_with(sk, :vector)",
            ExpressionAttributeValues={":pk": {"S": key}, ":vector": {"S": "V#"}},
        )
        return int(found["Count"])

    assert eventually(indexed, lambda count: count >= 3, seconds=120) == 3


def test_an_old_memory_is_found_behind_hundreds(stack: LocalStack) -> None:
    """A memory older than the five hundred latest is recalled by its words and by its concept (RC-1)."""
    client = School(stack).student()
    old = event("answer", "Narwhals use their long tooth to sense salt.", "2025-09-01T10:00:00Z")
    taught = event(
        "taught", "Remember that in our class we call osmosis the water walk.", "2025-09-02T10:00:00Z"
    )
    words, concept = client.record(SUBJECT, "old", [old, taught])
    for batch in range(11):
        filler = [event("question", f"What is step {batch * 50 + n} of photosynthesis?") for n in range(50)]
        client.record(SUBJECT, f"batch {batch}", filler)
    reply = asked(client, SUBJECT, "What do narwhals do?")
    assert reply["memory_ids"] == [words["id"]]
    assert "photosynthesis" not in "".join(lines_under(reply["block"], "EARLIER WORK"))
    assert concept["id"] in asked(client, SUBJECT, "How does osmosis work?")["memory_ids"]


def test_a_retry_gets_the_first_answer(stack: LocalStack) -> None:
    """The same batch under the same key is written once, and every retry gets the same ids and hashes (EP-7)."""
    client = School(stack).student()
    batch = [event("question", "What is osmosis?"), check("osmosis", correct=True)]
    first = client.record(SUBJECT, "turn 1", batch)
    client.record(SUBJECT, "turn 2", [event("question", "And diffusion?")])
    assert [client.record(SUBJECT, "turn 1", batch) for _ in range(3)] == [first] * 3
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 3


def test_a_key_used_differently_is_a_conflict(stack: LocalStack) -> None:
    """Another batch under a used key is refused as a conflict and writes nothing (EP-7)."""
    client = School(stack).student()
    client.record(SUBJECT, "turn 1", [event("question", "What is osmosis?")])
    with pytest.raises(ApiProblem) as caught:
        client.record(SUBJECT, "turn 1", [event("question", "What is osmosis!")])
    assert caught.value.status == 409
    assert caught.value.problem["type"] == "urn:anamnesis:problem:idempotency-conflict"
    assert caught.value.problem["field"] == "Idempotency-Key"
    assert [e["text"] for e in episodes(client)] == ["What is osmosis?"]


def persistently(client: ApiClient, key: str, batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Record as a client does that obeys `Retry-After`: the same request again when the log is busy."""
    for _ in range(20):
        try:
            return client.record(SUBJECT, key, batch)
        except ApiProblem as problem:
            if problem.status not in {429, 503}:
                raise
            time.sleep(1)
    raise AssertionError("busy for ever")


def test_many_writers_make_one_chain(stack: LocalStack) -> None:
    """Six callers on one log, each request sent twice: every episode once, in one verified chain (EP-7)."""
    school = School(stack)
    token = stack.token(school.tenant, "ana")
    start = threading.Barrier(WRITERS)

    def write(writer: int) -> list[dict[str, Any]]:
        client = ApiClient(stack.api_url, token)
        start.wait()
        recorded = []
        for batch in range(BATCHES):
            sent = [event("question", f"Writer {writer}, batch {batch}, part {part}") for part in range(2)]
            first = persistently(client, f"{writer}/{batch}", sent)
            assert persistently(client, f"{writer}/{batch}", sent) == first
            recorded += first
        return recorded

    with ThreadPoolExecutor(WRITERS) as threads:
        recorded = [e for written in threads.map(write, range(WRITERS)) for e in written]
    client = ApiClient(stack.api_url, token)
    total = WRITERS * BATCHES * 2
    chain = client.call("GET", f"/v1/subjects/{SUBJECT}/chain")
    assert (chain["verified"], chain["length"], chain["breaks"]) == (True, total, [])
    log = episodes(client)
    assert sorted(e["position"] for e in recorded) == list(range(1, total + 1))
    assert {e["id"]: e["hash"] for e in log} == {e["id"]: e["hash"] for e in recorded}
    assert len({e["text"] for e in log}) == total
    # Batches are whole: the two parts of one stand side by side, in order.
    by_position = {e["position"]: e["text"] for e in log}
    for position in range(1, total, 2):
        assert by_position[position].replace("part 0", "part 1") == by_position[position + 1]


def test_a_batch_is_whole_or_not_at_all(stack: LocalStack) -> None:
    """One bad episode refuses the batch by name, and its key is still free for the corrected one (SV-7)."""
    client = School(stack).student()
    batch = [event("question", "What is osmosis?"), event("check", "No result given")]
    with pytest.raises(ApiProblem) as caught:
        client.record(SUBJECT, "1", batch)
    assert (caught.value.status, caught.value.problem["field"]) == (422, "episodes[1].correct")
    assert episodes(client) == []
    assert len(client.record(SUBJECT, "1", [batch[0], batch[1] | {"correct": True}])) == 2


def test_an_episode_comes_back_as_it_was_sent(stack: LocalStack) -> None:
    """All that a caller sends in any script comes back unchanged, linked to the episode before it (EP-2, EP-4)."""
    client = School(stack).student("学生 é")
    sent = event(
        "quiz",
        "ما هو التناضح؟ 👩🏽‍🔬\n第二行\u202e",
        "2026-03-01T23:30:00+05:30",
        topic="التناضح",
        evaluation="खराब नहीं",
        score=0.4,
        session_id="s/1",
        summary="Опрос по осмосу",
    )
    recorded = client.record("المادة 1", "1", [event("question", "سؤال"), sent])
    path = client.subject("المادة 1", "episodes")
    first, second = sorted(client.call("GET", path)["episodes"], key=lambda e: int(e["position"]))
    for name in ("kind", "text", "topic", "evaluation", "session_id", "summary", "language"):
        assert second[name] == sent[name], name
    assert second["occurred_at"] == "2026-03-01T18:00:00Z"
    assert (second["outcome"]["correct"], second["outcome"]["score"]) == (False, 0.4)
    assert (second["previous_hash"], second["hash"]) == (first["hash"], recorded[1]["hash"])


def test_salience_is_fixed_by_kind(stack: LocalStack) -> None:
    """What an episode matters follows from its kind alone, when it is written (EP-6)."""
    client = School(stack).student()
    recorded = client.record(
        SUBJECT,
        "1",
        [
            event("taught", "Remember that in our class we call osmosis the water walk."),
            check("osmosis", correct=False),
            check("osmosis", correct=True),
            event("quiz", "Quiz", score=0.2),
            event("quiz", "Quiz", score=0.9),
            event("answer", "Water moves."),
            event("question", "Why?"),
        ],
    )
    assert [e["salience"] for e in recorded] == [0.85, 0.70, 0.60, 0.70, 0.60, 0.45, 0.35]


def test_episodes_are_listed_by_when_they_happened(stack: LocalStack) -> None:
    """A window lists what happened in it, start included and end not, oldest first, by kind when asked (SV-6)."""
    client = School(stack).student()
    days = ["2026-07-01T00:00:00Z", "2026-06-30T23:59:59Z", "2026-07-31T12:00:00Z", "2026-08-01T00:00:00Z"]
    client.record(SUBJECT, "1", [event("question", f"Asked on {day}", day) for day in days])
    client.record(SUBJECT, "2", [event("answer", "Told in July", "2026-07-10T00:00:00Z")])
    july = {"from": days[0], "to": days[3]}
    path = f"/v1/subjects/{SUBJECT}/episodes"
    listed = client.call("GET", path, params=july)["episodes"]
    assert [e["text"] for e in listed] == [f"Asked on {days[0]}", "Told in July", f"Asked on {days[2]}"]
    answers = client.call("GET", path, params=july | {"kind": "answer"})["episodes"]
    assert [e["text"] for e in answers] == ["Told in July"]
    paged = client.call("GET", path, params=july | {"limit": 2})
    rest = client.call("GET", path, params=july | {"limit": 2, "cursor": paged["cursor"]})
    assert [e["id"] for e in paged["episodes"] + rest["episodes"]] == [e["id"] for e in listed]
    assert rest["cursor"] is None
