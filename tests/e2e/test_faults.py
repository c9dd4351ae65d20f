"""A stack whose stores go away one by one: reading goes on without them and says so; and its end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, check, event, eventually, given

SUBJECT = "biology"
HISTORY = "What have we covered so far?"


@pytest.fixture(scope="module")
def doomed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStack]:
    """A stack of this module's own, since its stores do not come back."""
    stack = LocalStack(tmp_path_factory.mktemp("doomed"))
    with stack:
        yield stack


@pytest.fixture(scope="module")
def client(doomed: LocalStack) -> ApiClient:
    """A student with a file, beliefs and a history, all of it shown in a block."""
    client = School(doomed, "school").student()
    given(client, SUBJECT, "cells.md", CELLS)
    client.record(
        SUBJECT, "1", [event("question", "Why do raisins swell in water?"), check("osmosis", correct=False)]
    )
    reply = eventually(
        lambda: client.block(SUBJECT, HISTORY), lambda reply: not reply["dropped"] and not reply["degraded"]
    )
    for shown in ("SUBJECT MAP", "struggles with osmosis", "raisins"):
        assert shown in reply["block"]
    return client


def answered(client: ApiClient, enough: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The reply to a turn once it is as wanted; a busy machine may leave more out than what is missing."""
    return eventually(lambda: client.block(SUBJECT, HISTORY), enough, seconds=30)


def test_without_beliefs_a_turn_goes_on_and_says_so(doomed: LocalStack, client: ApiClient) -> None:
    """When the store of beliefs is gone the block comes without them and names the source (BL-3)."""
    doomed.client("dynamodb").delete_table(TableName=doomed.outputs["BeliefsTableName"])
    reply = answered(client, lambda reply: reply["degraded"] == ["beliefs"])
    assert (reply["dropped"], reply["degraded"]) == (False, ["beliefs"])
    assert "struggles with osmosis" not in reply["block"]
    assert "raisins" in reply["block"]
    assert "SUBJECT MAP" in reply["block"]
    with pytest.raises(ApiProblem) as caught:
        client.call("GET", f"/v1/subjects/{SUBJECT}/beliefs")
    assert caught.value.status == 503


def test_recording_goes_on_without_the_projections(doomed: LocalStack, client: ApiClient) -> None:
    """With the store of beliefs gone a question is recorded all the same and recalled in the next block (SV-14)."""
    recorded = client.record(SUBJECT, "2", [event("question", "Why do prunes swell in tea?")])
    reply = answered(client, lambda reply: "prunes" in (reply["block"] or ""))
    assert recorded[0]["id"] in reply["memory_ids"]
    chain = client.call("GET", f"/v1/subjects/{SUBJECT}/chain")
    assert chain["verified"]


def test_without_the_log_no_record_is_claimed(doomed: LocalStack, client: ApiClient) -> None:
    """When the log itself is gone no block claims that the student has no record (BL-3, BL-6)."""
    doomed.client("dynamodb").delete_table(TableName=doomed.outputs["EpisodesTableName"])
    reply = answered(client, lambda reply: "beliefs" in reply["degraded"])
    assert reply["dropped"] or "episodes" in reply["degraded"] or "history" in reply["degraded"]
    assert "NO RECORD" not in (reply["block"] or "")
    with pytest.raises(ApiProblem) as caught:
        client.record(SUBJECT, "3", [event("question", "Is anybody there?")])
    assert (caught.value.status, caught.value.problem["type"]) == (503, "urn:anamnesis:problem:unavailable")


def test_the_stack_leaves_no_process_behind(doomed: LocalStack) -> None:
    """When a stack that has served requests ends, neither it nor any of its workers is left (SV-9)."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("processes are listed in /proc only")
    leader = doomed.emulator.pid
    assert len(members(leader)) >= 2
    assert doomed.stop()
    assert eventually(lambda: members(leader), lambda left: not left, seconds=5) == []


def members(session: int) -> list[int]:
    """Processes of a session: all that descend from its leader, unless they left it on purpose."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.getsid(int(entry.name)) == session:
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
