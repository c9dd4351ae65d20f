"""Erasure on the deployed stack: through the gateway and IAM, the stream, the night's queue and the functions' logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.cli import app
from anamnesis_tools.stack.local_stack import LocalStack
from support.erased_traces import (
    Searched,
    Secret,
    search_buckets,
    search_logs,
    search_queues,
    search_streams,
    search_tables,
)
from support.schools import School, asked, event, eventually, given, offered, put

SUBJECT = "biology"
DAY = "2026-07-03"
WORDS = "xylophonic quagga"
ARABIC = "الكوكاوة الزيلوفونية"
FILE = f"# Things\n\n**{WORDS.title()}** is the smallest animal that plays music.\n"
SECRET = Secret((WORDS, WORDS.title(), "quagga", ARABIC), (WORDS, f"Remember that {WORDS} is our word."))


def day() -> list[dict[str, Any]]:
    """What a student says that is to be forgotten."""
    return [
        event("question", f"Tell me of the {WORDS}, {ARABIC}", f"{DAY}T09:00:00Z", session_id=WORDS),
        event("taught", f"Remember that {WORDS} is our word.", f"{DAY}T09:00:01Z"),
        event("check", WORDS, f"{DAY}T09:00:02Z", topic=WORDS, correct=True, evaluation=WORDS),
        event("question", f"{WORDS} ".ljust(20_000, "z"), f"{DAY}T09:00:03Z"),
    ]


def searched(stack: LocalStack) -> Searched:
    """Where the secret is, in everything that the stack keeps."""
    found, outputs = Searched(), stack.outputs
    tables = [name for output, name in outputs.items() if output.endswith("TableName")]
    search_tables(stack.client("dynamodb"), tables, SECRET, found)
    buckets = [name for output, name in outputs.items() if output.endswith("BucketName")]
    search_buckets(stack.client("s3"), buckets, SECRET, found)
    search_queues(stack.client("sqs"), SECRET, found)
    search_logs(stack.client("logs"), SECRET, found)
    search_streams(stack.client("dynamodbstreams"), SECRET, found)
    return found


def erase(client: ApiClient, path: str) -> dict[str, Any]:
    """Send the request until it is complete."""
    return eventually(lambda: client.call("DELETE", path), lambda report: bool(report["complete"]))


def indexed(stack: LocalStack, school: School, count: int) -> bool:
    rows = stack.client("dynamodb").scan(TableName=stack.outputs["RecordsTableName"])["Items"]
    mine = school.tenant.replace(" ", "%20")
    return sum(mine in row["pk"]["S"] and row["sk"]["S"].startswith("V#") for row in rows) >= count


def test_a_subject_is_forgotten_everywhere(stack: LocalStack) -> None:
    """No table, object, queue, log or stream record of the deployed stack has what was erased (EP-8, SV-14)."""
    school = School(stack)
    ana, ben = school.student("ana"), school.student("ben")
    shared = given(ben, SUBJECT, "bens.md", "# Cells\n\n**Osmosis** is the diffusion of water.\n")
    given(ana, SUBJECT, f"{WORDS}.md", FILE)
    late = offered(ana, SUBJECT, f"late {WORDS}.md", FILE.encode())
    recorded = ana.record(SUBJECT, f"key {WORDS}", day())
    ben.record(SUBJECT, "b", [event("question", "What is osmosis?", f"{DAY}T09:00:00Z")])
    eventually(lambda: indexed(stack, school, 5), bool)
    night = school.service("ana")
    night.call("POST", night.subject(SUBJECT, "night"), {"date": DAY})
    assert len({place.split()[0] for place in searched(stack).found}) >= 4
    assert WORDS in repr(asked(ana, SUBJECT, f"What about the {WORDS}?"))
    others = [repr(ben.call("GET", ben.subject(SUBJECT, rest))) for rest in ("episodes", "beliefs")]

    with pytest.raises(ApiProblem) as refused:
        ben.call("DELETE", ben.subject(SUBJECT, f"episodes/{recorded[0]['id']}"))
    assert refused.value.status == 404
    with pytest.raises(ApiProblem) as refused:
        ben.call("DELETE", f"/v1/subjects/{SUBJECT}", params={"student": "ana"})
    assert refused.value.status == 403
    report = erase(school.teacher("ana"), f"/v1/subjects/{SUBJECT}")
    assert (report["files"], report["complete"]) == (2, True)
    assert searched(stack).found == []

    # A pre-signed address outlives the erasure; the stream and the retries come late.
    put(late["upload"], FILE.encode())
    again = ana.record(SUBJECT, f"key {WORDS}", day())
    assert [(e["id"], e["hash"]) for e in again] == [(e["id"], e["hash"]) for e in recorded]
    assert "quagga" not in repr(again)
    with pytest.raises(ApiProblem) as refused:
        ana.record(SUBJECT, "another key", [event("question", "New?"), day()[1]])
    assert (refused.value.status, refused.value.problem["field"]) == (409, "episodes[1]")
    night.call("POST", night.subject(SUBJECT, "night"), {"date": DAY})
    assert eventually(lambda: searched(stack).found, lambda found: not found) == []
    counts = searched(stack).counts
    assert min(counts[kind] for kind in ("rows", "objects", "log lines", "stream records")) > 0
    assert WORDS not in repr(asked(ana, SUBJECT, f"What about the {WORDS}?"))
    chain = ana.call("GET", ana.subject(SUBJECT, "chain"))
    assert (chain["breaks"], len(chain["erased"])) == ([], chain["length"])
    # Ben's memory is as it was, his file included.
    assert [repr(ben.call("GET", ben.subject(SUBJECT, rest))) for rest in ("episodes", "beliefs")] == others
    assert ben.call("GET", ben.subject(SUBJECT, f"files/{shared['file_id']}"))["status"] == "read"


def test_the_command_erases(stack: LocalStack) -> None:
    """`anamnesis erase` asks first, erases one episode, a subject and a student, and says how much (EP-8)."""
    school = School(stack)
    ana = school.student()
    one, two = ana.record(SUBJECT, "1", day()[:2])
    options = ["--state", str(Path(stack.state_dir)), "--tenant", school.tenant, "--student", "ana", "--json"]

    def run(*arguments: str, said: str = "") -> Any:
        return CliRunner().invoke(app, ["erase", *arguments, *options], input=said)

    assert run("episode", SUBJECT, one["id"], said="n\n").exit_code == 1
    assert ana.call("GET", ana.subject(SUBJECT, "episodes"))["episodes"][0]["text"] is not None
    done = run("episode", SUBJECT, one["id"], "--yes")
    assert (done.exit_code, json.loads(done.stdout)["complete"]) == (0, True)
    assert [bool(e["text"]) for e in ana.call("GET", ana.subject(SUBJECT, "episodes"))["episodes"]] == [
        False, True,
    ]  # fmt: skip
    assert json.loads(run("subject", SUBJECT, "--yes").stdout)["episodes"] == 2
    assert json.loads(run("student", "--yes").stdout)["complete"]
    assert run("episode", SUBJECT, "01J00000000000000000000000", "--yes").exit_code == 1
    assert two["id"] in repr(ana.call("GET", ana.subject(SUBJECT, "episodes")))
    assert searched(stack).found == []
