"""Many callers on one log over HTTP, impatient ones among them: everything once, whole and in one chain."""

from __future__ import annotations

import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from anamnesis_tools.api_client import ApiClient, ApiProblem, ApiUnreachable
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import School, check, event, eventually

SUBJECT = "biology"
#: Each caller at once needs a function of its own, whose start costs a machine of two cores a second or two.
WRITERS, EPISODES, BATCH = 4, 60, 5
#: Requests left unanswered, each of which occupies one more.
HUNG_UP = 2
#: How long a caller goes on; a turn's record is of no use to anybody much later.
DEADLINE_SECONDS = 120.0
#: How long an impatient caller may take to hand its request over.
HANDED_OVER_SECONDS = 5.0


def hang_up(stack: LocalStack, token: str, key: str, batch: list[dict[str, Any]]) -> None:
    """Send a batch whole and hang up without a look at the answer, which no time decides: it may be there already."""
    api = urlsplit(stack.api_url)
    connection = HTTPConnection(api.netloc, timeout=HANDED_OVER_SECONDS)
    headers = {
        "Authorization": f"Bearer {token}",
        "Idempotency-Key": key,
        "Content-Type": "application/json",
    }
    body = json.dumps({"episodes": batch})
    connection.request("POST", f"{api.path}/v1/subjects/{SUBJECT}/episodes", body=body, headers=headers)
    connection.close()


def persistently(client: ApiClient, key: str, batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Record as a client does that obeys ``Retry-After``, and sends again what is not answered, until its deadline."""
    end = time.monotonic() + DEADLINE_SECONDS
    while True:
        try:
            return client.record(SUBJECT, key, batch)
        except (ApiProblem, ApiUnreachable) as problem:
            if getattr(problem, "status", 503) != 503 or time.monotonic() > end:
                raise
            time.sleep(1)


def test_impatient_callers_make_one_chain(stack: LocalStack) -> None:
    """Four callers, 60 episodes, requests sent twice or left unanswered: one chain, each episode once (EP-7)."""
    school = School(stack)
    token = stack.token(school.tenant, "ana")
    chance = random.Random(16)
    batches: dict[str, list[dict[str, Any]]] = {}
    for number in range(EPISODES // BATCH):
        batches[f"batch {number}"] = []
        for part in range(BATCH):
            text, at = f"Event {number} part {part}", f"2026-{chance.randint(1, 12):02}-04T10:00:00Z"
            tested = chance.random() < 0.25
            batches[f"batch {number}"].append(
                check("osmosis", correct=True, at=at, summary=text) if tested else event("question", text, at)
            )
    sends = []
    for number, key in enumerate(batches):
        # The two of a pair stand side by side, so that two callers take them at about the same time.
        sends += [(key, "hang up")] if number < HUNG_UP else [(key, "wait")] * chance.choice((1, 1, 2))
    clients = threading.local()

    def send(request: tuple[str, str]) -> tuple[str, list[dict[str, Any]]]:
        key, how = request
        if not hasattr(clients, "own"):
            clients.own = ApiClient(stack.api_url, token)
        if how == "hang up":
            hang_up(stack, token, key, batches[key])
        return key, persistently(clients.own, key, batches[key])

    with ThreadPoolExecutor(WRITERS) as threads:
        answers = list(threads.map(send, sends))
    client = ApiClient(stack.api_url, token)
    chain = client.call("GET", f"/v1/subjects/{SUBJECT}/chain")
    assert (chain["verified"], chain["length"], chain["breaks"]) == (True, EPISODES, [])
    listed = client.call("GET", f"/v1/subjects/{SUBJECT}/episodes", params={"limit": EPISODES})["episodes"]
    at_position = {e["position"]: (e["id"], e["text"], e["occurred_at"]) for e in listed}
    recorded: dict[str, list[dict[str, Any]]] = {}
    for key, episodes in answers:
        assert recorded.setdefault(key, episodes) == episodes
        first = episodes[0]["position"]
        assert [e["position"] for e in episodes] == list(range(first, first + BATCH))
        assert [at_position[e["position"]] for e in episodes] == [
            (e["id"], sent["text"], sent["occurred_at"])
            for e, sent in zip(episodes, batches[key], strict=True)
        ]
    positions = [e["position"] for episodes in recorded.values() for e in episodes]
    assert sorted(positions) == list(range(1, EPISODES + 1))


def test_writers_of_different_logs_do_not_meet(stack: LocalStack) -> None:
    """Callers of different students write at the same time into chains of their own, each whole (EP-7)."""
    school = School(stack)
    students = [f"student {number}" for number in range(4)]

    def write(student: str) -> tuple[int, bool]:
        client = school.student(student)
        for number in range(3):
            persistently(client, str(number), [event("question", f"{student} asks {number}")] * 2)
        chain = client.call("GET", f"/v1/subjects/{SUBJECT}/chain")
        return chain["length"], chain["verified"]

    with ThreadPoolExecutor(len(students)) as threads:
        assert list(threads.map(write, students)) == [(6, True)] * len(students)


def test_beliefs_are_up_to_date_when_the_last_writer_is_done(stack: LocalStack) -> None:
    """When several callers' checks are all answered, the belief about them rests on every one (BE-2, EP-7)."""
    school = School(stack)
    token = stack.token(school.tenant, "ana")
    taught = event("taught", "Remember that in our class we call osmosis the water walk.")
    ApiClient(stack.api_url, token).record(SUBJECT, "taught", [taught])

    def write(writer: int) -> str:
        client = ApiClient(stack.api_url, token)
        return str(persistently(client, f"check {writer}", [check("osmosis", correct=True)])[0]["id"])

    with ThreadPoolExecutor(6) as threads:
        checks = set(threads.map(write, range(6)))
    client = ApiClient(stack.api_url, token)

    def evidence() -> set[str]:
        beliefs = client.call("GET", f"/v1/subjects/{SUBJECT}/beliefs")["beliefs"]
        return {episode_id for belief in beliefs for episode_id in belief["evidence"]}

    assert eventually(evidence, lambda found: checks <= found, seconds=5) >= checks
