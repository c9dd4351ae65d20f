"""Erasures that die between two requests, on real adapters: what the night, or the same request again, makes of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from itertools import count
from typing import Any

import pytest

from anamnesis import bootstrap
from anamnesis.bootstrap import Application, Deadline
from anamnesis.domain.access import Role
from support.aws_stores import TABLES, AwsStores
from support.erased_schools import School, Schools, running_schools
from support.lambda_events import record
from support.port_faults import Crash
from support.wired_memory import HashEmbedder

#: Requests that change nothing: to die before one leaves what dying before the next change leaves.
HARMLESS = frozenset({"GetItem", "BatchGetItem", "Query", "GetObject", "ListObjectsV2"})

#: Every such place takes minutes; this many steps lie between two that are tried, unless all are asked for.
STEP = 1 if os.environ.get("EVERY_FAULT") else 5


@pytest.fixture
def schools(stack: tuple[AwsStores, HashEmbedder], monkeypatch: pytest.MonkeyPatch) -> Iterator[Schools]:
    with running_schools(stack, monkeypatch) as running:
        yield running


class Killer:
    """Ends the process before its change number `call` is sent to DynamoDB or S3, counted from 1."""

    def __init__(self, application: Application, call: int) -> None:
        self.left, self.killed = call, ""
        self._clients = (application._dynamodb.client, application._s3)
        for client in self._clients:
            client.meta.events.register_first("before-send", self._before)

    def end(self) -> None:
        """Let everything through from now on."""
        for client in self._clients:
            client.meta.events.unregister("before-send", self._before)

    def _before(self, event_name: str, **_: Any) -> None:
        operation = event_name.rpartition(".")[2]
        if operation in HARMLESS or self.left == 0:
            return
        self.left -= 1
        if self.left == 0:
            self.killed = operation
            raise Crash


def small(ana: School) -> str:
    """A question with a long text, and a file; return the episode's id."""
    ana.offer()
    ana.upload()
    ana.arrived()
    asked = ana.day[0] | {"text": f"{ana.words} ".ljust(5_000, "z")}
    answer = record(ana.api, asked, key=f"key {ana.words}", path=f"{ana.path}/episodes")
    ana.streamed("INSERT")
    return str(answer.body["episodes"][0]["id"])


def erase(ana: School, episode_id: str, scope: str) -> Any:
    use = bootstrap.application().erase_memory
    if scope == "episode":
        return use.episode(ana.pair, episode_id, Role.STUDENT, Deadline.never())
    if scope == "subject":
        return use.subject(ana.pair, Role.STUDENT, Deadline.never())
    return use.student(ana.pair.tenant, ana.pair.student, Role.STUDENT, Deadline.never())


def nights(ana: School) -> int:
    """The next two nights as the dispatcher and its queue bring them; return how many this student had."""
    application, ran = bootstrap.application(), 0
    client, url = application.start_night.queue._client, application._settings.night_queue_url
    for _ in range(2):
        day = ana.clock.now().date()
        ana.clock.at = datetime.combine(day + timedelta(days=1), time(2), UTC)
        application.start_night(day)
        while batch := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            for message in batch:
                client.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
                if json.loads(message["Body"])["tenant"] == ana.pair.tenant:
                    ana.night(day)
                    ran += 1
    return ran


def left_of(ana: School, scope: str) -> list[str]:
    found = ana.search(ana.pair.tenant).found
    if scope != "episode":
        return found
    file = ("FILE#", "CONTRIB#", "/maps/", " maps/", " uploads/", " pages/", "E#000000000001")
    return [place for place in found if not any(part in place for part in file)]


def wipe(ana: School) -> None:
    """Take the rows away: a transaction of the emulation copies whole tables, and there are many to come."""
    client, owner = ana.api.stores.dynamodb, ana.pair.tenant.replace(" ", "%20")
    for table in TABLES:
        for item in client.scan(TableName=f"functions-{table}")["Items"]:
            if owner in item["pk"]["S"] + item["sk"]["S"]:
                key = {"pk": item["pk"], "sk": item["sk"]}
                client.delete_item(TableName=f"functions-{table}", Key=key)


@pytest.mark.parametrize("scope, then", [("subject", "night"), ("episode", "again")])
def test_an_erasure_that_died_is_finished(schools: Schools, scope: str, then: str) -> None:
    """Dead before any change, an erasure is finished by the night or by the same request again (EP-8, SV-14)."""
    killed = []
    application = schools.fresh()
    for call in count(1, STEP):
        ana = schools.make("Latin")
        episode_id = small(ana)
        killer = Killer(application, call)
        try:
            erase(ana, episode_id, scope)
        except Crash:
            killed.append(killer.killed)
        killer.end()
        store, roster = ana.api.stores.erasure_store, ana.api.stores.roster
        begun = bool(store.all(ana.pair)) or roster.requested(ana.pair) is not None
        if then == "again" or not begun:
            assert erase(ana, episode_id, scope).complete
        else:
            assert nights(ana) >= 1, killer.killed
        assert left_of(ana, scope) == [], (call, killer.killed)
        assert bootstrap.application().verify_chain(ana.pair).breaks == ()
        wipe(ana)
        if not killer.killed:
            break
    assert len(killed) * STEP > (8 if scope == "subject" else 5), killed
