"""The night by hand and by its schedule: EventBridge event, queue, worker, checkpoint."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import origin_of
from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import CELLS, School, asked, check, event, eventually, given, lines_under

SUBJECT = "biology"
SCHEDULED = Path(__file__).parents[2] / "events" / "eventbridge_schedule.json"


def night(service: ApiClient, day: str) -> dict[str, Any]:
    """Run one pair's night."""
    return service.call("POST", f"/v1/subjects/{SUBJECT}/night", {"date": day})


def consolidations(client: ApiClient) -> list[dict[str, Any]]:
    """The night's own episodes."""
    path = f"/v1/subjects/{SUBJECT}/episodes"
    found: list[dict[str, Any]] = client.call("GET", path, params={"kind": "consolidation"})["episodes"]
    return found


def checkpoints(stack: LocalStack, tenant: str, student: str = "ana") -> list[str]:
    """Keys of a pair's signed heads."""
    prefix = origin_of(Pair(tenant, student, SUBJECT)).rpartition("/")[2] + "/"
    bucket = stack.outputs["CheckpointsBucketName"]
    listed = stack.client("s3").list_objects_v2(Bucket=bucket, Prefix=prefix)
    return [found["Key"] for found in listed.get("Contents", [])]


def start_night(stack: LocalStack, day_after: str) -> dict[str, Any]:
    """Deliver the schedule's event to the dispatcher."""
    scheduled = json.loads(SCHEDULED.read_text(encoding="utf-8")) | {"time": f"{day_after}T02:00:00Z"}
    reply = stack.client("lambda").invoke(
        FunctionName=stack.outputs["StartNightFunctionName"], Payload=json.dumps(scheduled).encode()
    )
    answer: dict[str, Any] = json.loads(reply["Payload"].read())
    assert "FunctionError" not in reply, answer
    return answer


def test_a_night_run_twice_is_a_night_run_once(stack: LocalStack) -> None:
    """The second run of a night gives the same answer, the same log, the same beliefs and one checkpoint (NI-2)."""
    school = School(stack)
    client, service = school.student(), school.service()
    file = given(client, SUBJECT, "cells.md", CELLS)
    cited = [{"file_id": file["file_id"], "page": 1}]
    client.record(
        SUBJECT,
        "1",
        [
            event("question", "Why do raisins swell?"),
            event("answer", "By osmosis.", evidence=cited),
            check("osmosis", correct=False),
            check("diffusion", correct=True),
        ],
    )
    first = night(service, "2026-05-04")
    log = client.call("GET", f"/v1/subjects/{SUBJECT}/chain")
    rows = client.call("GET", f"/v1/subjects/{SUBJECT}/beliefs", params={"history": "true"})
    second = night(service, "2026-05-04")
    assert second["consolidation_id"] == first["consolidation_id"] is not None
    assert second["self_model"] == first["self_model"]
    assert second["checkpoint_length"] == first["checkpoint_length"] == log["length"]
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain") == log
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/beliefs", params={"history": "true"}) == rows
    assert len(checkpoints(stack, school.tenant)) == 1
    assert (log["verified"], log["checkpoints_checked"], log["not_checked"]) == (True, 1, [])


def test_nights_at_once_are_one_night(stack: LocalStack) -> None:
    """Two runs of the same night at the same time leave one consolidation and a chain that verifies (NI-2)."""
    school = School(stack)
    client = school.student()
    client.record(SUBJECT, "1", [event("question", "Why do raisins swell?"), check("osmosis", correct=True)])
    services = [school.service() for _ in range(2)]
    with ThreadPoolExecutor(len(services)) as threads:
        reports = list(threads.map(lambda service: night(service, "2026-05-04"), services))
    assert len({report["consolidation_id"] for report in reports}) == 1
    assert len(consolidations(client)) == 1
    chain = client.call("GET", f"/v1/subjects/{SUBJECT}/chain")
    assert (chain["verified"], chain["length"], chain["not_checked"]) == (True, 3, [])


def test_a_day_becomes_one_episode(stack: LocalStack) -> None:
    """A day of work is summed up in one episode of that day, with counts, tally, topics and titles (NI-1)."""
    school = School(stack)
    client, service = school.student(), school.service()
    given(client, SUBJECT, "cells.md", CELLS)
    client.record(
        SUBJECT,
        "1",
        [
            event("question", "Why do raisins swell?", "2026-05-04T10:00:00Z"),
            check("osmosis", correct=False, at="2026-05-04T11:00:00Z"),
            check("osmosis", correct=True, at="2026-05-04T12:00:00Z"),
            event("question", "Another day's question", "2026-05-05T00:00:00Z"),
        ],
    )
    report = night(service, "2026-05-04")
    (written,) = consolidations(client)
    assert written["id"] == report["consolidation_id"]
    assert written["occurred_at"].startswith("2026-05-04")
    for part in ("1 question", "2 checks", "1 right, 1 wrong", "osmosis"):
        assert part in written["text"].lower(), part
    assert "Another day" not in written["text"]
    assert written["concepts"]


def test_a_day_without_work_writes_nothing(stack: LocalStack) -> None:
    """A night of a quiet day, of a pair with a past or without one, leaves the log as it was (NI-1)."""
    school = School(stack)
    client, service = school.student(), school.service()
    assert night(service, "2026-05-04")["consolidation_id"] is None
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 0
    client.record(SUBJECT, "1", [event("question", "Why?", "2026-05-04T10:00:00Z")])
    assert night(service, "2026-05-20")["consolidation_id"] is None
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["length"] == 1
    assert consolidations(client) == []


def test_the_self_model_says_what_it_cannot_know(stack: LocalStack) -> None:
    """After a night the memory says how many checks it could tie, predict and verify, in words too (NI-3, NI-4)."""
    school = School(stack)
    client, service = school.student(), school.service()
    for rest in ("self-model", "calibration"):
        with pytest.raises(ApiProblem) as caught:
            client.call("GET", f"/v1/subjects/{SUBJECT}/{rest}")
        assert caught.value.status == 404
    given(client, SUBJECT, "cells.md", CELLS)
    client.record(
        SUBJECT,
        "1",
        [
            *(check("osmosis", correct=bool(n % 2), at=f"2026-05-04T1{n}:00:00Z") for n in range(4)),
            *(check("just ask me the questions", correct=True) for _ in range(2)),
        ],
    )
    night(service, "2026-05-04")
    model = client.call("GET", f"/v1/subjects/{SUBJECT}/self-model")
    assert (model["checks"], model["checks_tied_to_nothing"]) == (6, 2)
    assert (model["calibration"]["predictions"], model["calibration"]["calibrated"]) == (4, False)
    said = " ".join(model["statements"])
    assert "ranking, not as a probability" in said
    assert "2 of them could not be tied to a concept" in said
    assert "verified" in said
    client.record(SUBJECT, "2", [check("osmosis", correct=True, at="2026-05-05T10:00:00Z")])
    night(service, "2026-05-05")
    calibration = client.call("GET", f"/v1/subjects/{SUBJECT}/calibration")
    assert (calibration["predictions"], calibration["calibrated"]) == (5, True)
    assert 0 <= calibration["expected_calibration_error"] <= 1
    assert sum(bucket["count"] for bucket in calibration["buckets"]) == 5


def test_checks_tied_to_nothing_are_told_as_such(stack: LocalStack) -> None:
    """A student whose checks could not be tied hears of checks without a concept, never of no checks (BE-6)."""
    school = School(stack)
    client, service = school.student(), school.service()
    client.record(SUBJECT, "1", [check("just ask me the questions", correct=True) for _ in range(3)])
    night(service, "2026-05-04")
    block = asked(client, SUBJECT, "How did my checks go?")["block"]
    assert "3 checks recorded, none could be tied to a concept of the map yet" in block
    assert "No checks" not in block


def test_a_belief_fades_and_asks_to_be_confirmed(stack: LocalStack) -> None:
    """A belief untouched for 45 days loses 15 % once however many nights run, and says that a check is due (NI-1)."""
    school = School(stack)
    client, service = school.student(), school.service()
    given(client, SUBJECT, "cells.md", CELLS)
    client.record(SUBJECT, "1", [check("osmosis", correct=True, at="2026-03-01T10:00:00Z")])
    path = f"/v1/subjects/{SUBJECT}/beliefs"
    (fresh,) = client.call("GET", path)["beliefs"]
    night(service, "2026-04-01")
    assert client.call("GET", path)["beliefs"] == [fresh]
    for day in ("2026-04-20", "2026-04-20", "2026-04-21"):
        night(service, day)
    (faded,) = client.call("GET", path)["beliefs"]
    assert faded["confidence"] == pytest.approx(0.85 * fresh["confidence"])
    assert faded["needs_confirmation"]
    believed = lines_under(asked(client, SUBJECT, "What do I know?")["block"], "WHAT YOU CURRENTLY BELIEVE")
    assert any("(to be confirmed)" in line for line in believed)


def test_citations_are_verified(stack: LocalStack) -> None:
    """A night finds that a cited file stands or was deleted, annotating and not touching the episode (VE-1, EP-3)."""
    school = School(stack)
    client, service = school.student(), school.service()
    kept, gone = (
        given(client, SUBJECT, "a.md", CELLS),
        given(client, SUBJECT, "b.md", "**Salt** is a crystal.\n"),
    )
    client.record(
        SUBJECT,
        "1",
        [
            event("answer", "It stands.", evidence=[{"file_id": kept["file_id"], "page": 1}]),
            event("answer", "It goes.", evidence=[{"file_id": gone["file_id"], "page": 1}]),
            event("answer", "It cites nothing."),
        ],
    )
    client.call("DELETE", f"/v1/subjects/{SUBJECT}/files/{gone['file_id']}")
    night(service, "2026-05-04")
    listed = {
        e["text"]: e
        for e in client.call("GET", f"/v1/subjects/{SUBJECT}/episodes", params={"kind": "answer"})["episodes"]
    }
    results = {text: [(a["result"], a["changed"]) for a in e["annotations"]] for text, e in listed.items()}
    assert results["It stands."] == [("holds", [])]
    assert results["It goes."] == [("changed", [gone["file_id"]])]
    assert ("holds", []) not in results["It cites nothing."]
    assert client.call("GET", f"/v1/subjects/{SUBJECT}/chain")["verified"]


def test_the_schedule_runs_the_night_of_every_active_pair(stack: LocalStack) -> None:
    """The schedule's event queues each pair of that day, and the worker leaves its episode and a checkpoint (NI-1)."""
    day, after = "2028-01-10", "2028-01-11"
    active, quiet = School(stack), School(stack)
    for student in ("ana", "ben"):
        active.student(student).record(SUBJECT, "1", [event("question", "Why?", f"{day}T23:59:59Z")])
    quiet.student().record(SUBJECT, "1", [event("question", "Why?", f"{after}T00:00:00Z")])
    for _ in range(2):
        assert start_night(stack, after) == {"queued": 2}
    for student in ("ana", "ben"):
        client = active.student(student)
        written = eventually(partial(consolidations, client), bool, seconds=150)
        assert [e["occurred_at"][:10] for e in written] == [day]
        kept = eventually(partial(checkpoints, stack, active.tenant, student), bool, seconds=150)
        assert len(kept) == 1
        chain = client.call("GET", f"/v1/subjects/{SUBJECT}/chain")
        assert (chain["verified"], chain["length"], chain["checkpoints_checked"]) == (True, 2, 1)
    assert checkpoints(stack, quiet.tenant) == []


def test_a_checkpoint_is_a_signed_note_under_lock(stack: LocalStack) -> None:
    """What a night keeps outside the log is a signed root that names nobody, locked in its bucket (EP-5)."""
    school = School(stack)
    client, service = school.student(), school.service()
    client.record(SUBJECT, "1", [event("question", "Why?")])
    night(service, "2026-05-04")
    (listed,) = client.call("GET", client.subject(SUBJECT, "chain/checkpoints"))["checkpoints"]
    (key,) = checkpoints(stack, school.tenant)
    kept = stack.client("s3").get_object(Bucket=stack.outputs["CheckpointsBucketName"], Key=key)
    note = kept["Body"].read().decode()
    assert note == listed["note"]
    assert school.tenant not in f"{key} {note} {kept['Metadata']}"
    assert "\n\n— anamnesis-checkpoints " in note
    assert kept["ObjectLockMode"] == "GOVERNANCE"
