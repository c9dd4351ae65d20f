"""Somebody with access to the table changes the past; the chain and its checkpoints say so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from typer.testing import CliRunner

from anamnesis.adapters.dynamodb.episode_rows import episode_of
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import EMPTY_HEAD, committed, linked
from anamnesis.domain.log.episodes import Content
from anamnesis_tools.api_client import ApiClient, ApiProblem
from anamnesis_tools.cli import app
from anamnesis_tools.stack.local_stack import LocalStack
from support.schools import School, event

SUBJECT = "biology"
LENGTH, COVERED = 8, 6
QUESTIONS = [*(f"Question {n}" for n in range(5)), *(f"Later question {n}" for n in range(2))]


class Log:
    """A student's log and the rows behind it."""

    def __init__(self, stack: LocalStack, school: School, student: str) -> None:
        self.client = school.student(student)
        self._dynamodb = stack.client("dynamodb")
        self._table = stack.outputs["EpisodesTableName"]
        self.key = "#".join(quote(part, safe="") for part in (school.tenant, student, SUBJECT))

    def verdict(self) -> dict[str, Any]:
        """What the service says of the chain."""
        return self.client.call("GET", f"/v1/subjects/{SUBJECT}/chain")

    def found(self) -> list[tuple[int, str]]:
        """The breaks that the service names; it must not call such a chain verified."""
        verdict = self.verdict()
        assert verdict["verified"] is not bool(verdict["breaks"])
        return [(b["position"], b["kind"]) for b in verdict["breaks"]]

    def rows(self) -> dict[str, dict[str, Any]]:
        """All rows of the pair by sort key."""
        found = self._dynamodb.query(
            TableName=self._table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": self.key}},
            ConsistentRead=True,
        )
        return {row["sk"]["S"]: row for row in found["Items"]}

    def write(self, rows: dict[str, dict[str, Any]]) -> None:
        """Make these all the rows of the pair."""
        for sk in self.rows():
            if sk not in rows:
                self._dynamodb.delete_item(
                    TableName=self._table, Key={"pk": {"S": self.key}, "sk": {"S": sk}}
                )
        for sk, row in rows.items():
            self._dynamodb.put_item(TableName=self._table, Item={**row, "sk": {"S": sk}})

    def listed(self) -> list[str]:
        """Texts of all questions that the service lists, read in pages of two."""
        texts: list[str] = []
        cursor = ""
        for _ in range(30):
            page = self.client.call("GET", f"/v1/subjects/{SUBJECT}/episodes?limit=2{cursor}")
            texts += [episode["text"] for episode in page["episodes"] if episode["kind"] == "question"]
            if page["cursor"] is None:
                return texts
            cursor = f"&cursor={page['cursor']}"
        raise AssertionError("the pages have no end")


def at(position: int) -> str:
    """Sort key of an episode."""
    return f"E#{position:012d}"


@pytest.fixture(scope="module")
def school(stack: LocalStack) -> School:
    """A school for this module."""
    return School(stack)


@pytest.fixture(scope="module")
def recorded(stack: LocalStack, school: School) -> Log:
    """A log of eight episodes of which a checkpoint covers six."""
    client = school.student("victim")
    client.record(SUBJECT, "1", [event("question", f"Question {n}") for n in range(5)])
    service = ApiClient(stack.api_url, stack.token(school.tenant, None, "service"), student="victim")
    service.call("POST", f"/v1/subjects/{SUBJECT}/night", {"date": "2026-05-04"})
    client.record(
        SUBJECT, "2", [event("question", f"Later question {n}", "2026-05-05T10:00:00Z") for n in range(2)]
    )
    return Log(stack, school, "victim")


@pytest.fixture
def log(recorded: Log) -> Iterator[Log]:
    """That log, put back after the test."""
    before = recorded.rows()
    yield recorded
    recorded.write(before)


def test_an_untouched_log_verifies(log: Log) -> None:
    """Nothing is reported of a log that nobody touched, and what no checkpoint covers is said (EP-5)."""
    verdict = log.verdict()
    assert (verdict["verified"], verdict["length"], verdict["checkpoints_checked"]) == (True, LENGTH, 1)
    assert verdict["breaks"] == []
    assert any(f"positions {COVERED}–{LENGTH}" in said or "7–8" in said for said in verdict["not_checked"])


@pytest.mark.parametrize(
    "attribute, value, kind",
    [
        ("summary", {"S": "Something else"}, "content_altered"),
        ("text", {"S": "Something else"}, "content_altered"),
        ("salt", {"S": "00" * 16}, "content_altered"),
        ("salience", {"S": "1.0"}, "content_altered"),
        ("occurred", {"S": "2020-01-01T00:00:00.000000Z#000000000003"}, "altered"),
        ("language", {"S": "fr"}, "content_altered"),
        ("kind", {"S": "taught"}, "altered"),
        ("session_id", {"S": "another"}, "content_altered"),
        ("memory_ids", {"S": '["x"]'}, "content_altered"),
        ("about_record", {"BOOL": True}, "content_altered"),
        ("commitment", {"S": "0" * 64}, "altered"),
        ("id", {"S": "another"}, "altered"),
        ("occurred", {"S": "2026-05-04T10:00:00.000000Z#000000000009"}, "index_altered"),
        ("occurred", {"S": "2026-05-04T10:00:00.000000+00:00#000000000003"}, "index_altered"),
        ("evidence", {"S": '[["f",1,2]]'}, "malformed_row"),
        ("outcome", {"S": '{"correct":1}'}, "malformed_row"),
        ("salience", {"S": "nan"}, "malformed_row"),
        ("salt", {"S": "no hex"}, "content_altered"),
    ],
)
def test_an_edited_row_is_named(log: Log, attribute: str, value: dict[str, Any], kind: str) -> None:
    """Any attribute of any row changed behind the service's back is found at its position (EP-4)."""
    rows = log.rows()
    log.write(rows | {at(3): {**rows[at(3)], attribute: value}})
    assert (3, kind) in log.found()
    # A row that is none any more leaves the checkpoint without a root to compare.
    assert {position for position, found in log.found() if found != "unknown_position"} <= {3, 4}
    assert set(QUESTIONS) - {"Question 2"} <= set(log.listed())


@pytest.mark.parametrize("sk", ["E#000000000000", "E#-00000000001", "E#5", "E#zzz", "E#"])
def test_a_row_at_no_position_is_named_and_not_listed(log: Log, sk: str) -> None:
    """A row forged under a key that is no position is found, and the service lists none such (EP-4)."""
    rows = log.rows()
    log.write(rows | {sk: {**rows[at(3)], "text": {"S": "Forged"}}})
    assert [kind for _, kind in log.found()] == ["malformed_row"]
    assert log.listed() == QUESTIONS


@pytest.mark.parametrize(
    "gone, kind",
    [
        (["summary", "text", "salt", "topic", "evaluation"], "content_missing"),
        (["summary", "text", "salt"], "content_missing"),
        (["summary"], "content_altered"),
        (["text"], "content_altered"),
        (["salt"], "content_altered"),
    ],
)
def test_content_taken_out_is_named(log: Log, gone: list[str], kind: str) -> None:
    """Content taken out of a row behind the service's back does not pass for erased, in whole or in part (EP-8)."""
    rows = log.rows()
    log.write(rows | {at(3): {name: value for name, value in rows[at(3)].items() if name not in gone}})
    assert log.found() == [(3, kind)]
    assert log.verdict()["erased"] == []


def test_a_head_or_row_that_claims_a_trillion_positions_is_named(log: Log) -> None:
    """What a far head or a far row leaves missing is one break that counts it, named at once (EP-4)."""
    rows = log.rows()
    head = head_key(rows)
    log.write(rows | {head: {**rows[head], "length": {"N": str(10**11)}}})
    [missing] = log.verdict()["breaks"]
    assert missing == {"position": LENGTH + 1, "kind": "missing", "count": 10**11 - LENGTH}
    log.write(rows | {at(10**12 - 1): rows[at(LENGTH)]})
    assert log.found()[0] == (LENGTH + 1, "missing")
    log.write(rows | {head: {**rows[head], "length": {"N": str(10**12)}}})
    assert (1, "beyond_head") in log.found()


@pytest.mark.parametrize("hashes", [True, False])
def test_an_edited_receipt_is_not_answered_with_other_episodes(log: Log, hashes: bool) -> None:
    """A retry whose receipt somebody pointed elsewhere is refused, whether or not its hashes are there still (EP-7)."""
    rows = log.rows()
    later = [event("question", f"Later question {n}", "2026-05-05T10:00:00Z") for n in range(2)]
    kept = [episode["position"] for episode in log.client.record(SUBJECT, "2", later)]
    assert kept == [LENGTH - 1, LENGTH]
    [sk] = [sk for sk, row in rows.items() if row.get("first_position") == {"N": str(LENGTH - 1)}]
    edited = {**rows[sk], "first_position": {"N": "2"}, "last_position": {"N": "3"}}
    if not hashes:
        del edited["first_hash"], edited["last_hash"]
    log.write(rows | {sk: edited})
    with pytest.raises(ApiProblem) as caught:
        log.client.record(SUBJECT, "2", later)
    assert caught.value.status == 409


def test_a_removed_row_is_named(log: Log) -> None:
    """A row taken out of the middle, the beginning or the end is missing at its position (EP-4)."""
    rows = log.rows()
    for position in (1, 4, LENGTH):
        log.write({sk: row for sk, row in rows.items() if sk != at(position)})
        assert (position, "missing") in log.found()


def test_swapped_rows_are_named(log: Log) -> None:
    """Two rows that changed places are found at both places (EP-4)."""
    rows = log.rows()
    log.write(rows | {at(2): rows[at(5)], at(5): rows[at(2)]})
    assert {2, 5} <= {position for position, _ in log.found()}


def test_an_inserted_row_is_named(log: Log) -> None:
    """A row put behind the end of the log is found (EP-4)."""
    rows = log.rows()
    log.write(rows | {at(LENGTH + 1): rows[at(LENGTH)]})
    assert LENGTH + 1 in {position for position, _ in log.found()}


def test_another_students_row_is_named(stack: LocalStack, school: School, log: Log) -> None:
    """A genuine row of another student put into the log is found, though it verifies where it came from (EP-4)."""
    school.student("other").record(SUBJECT, "1", [event("question", f"Question {n}") for n in range(5)])
    other = Log(stack, school, "other")
    assert other.found() == []
    foreign = {**other.rows()[at(3)], "pk": {"S": log.key}}
    log.write(log.rows() | {at(3): foreign})
    assert 3 in {position for position, _ in log.found()}


def head_key(rows: dict[str, dict[str, Any]]) -> str:
    """Sort key of the row that holds the head."""
    (key,) = [sk for sk, row in rows.items() if not sk.startswith("E#") and "length" in row]
    return key


def test_a_cut_log_is_found_by_its_checkpoint(log: Log) -> None:
    """A tail cut off together with the head verifies against itself, and the checkpoint says that it is cut (EP-5)."""
    rows = log.rows()
    head, last = head_key(rows), COVERED - 2
    shorter = {sk: row for sk, row in rows.items() if not sk.startswith("E#") or sk <= at(last)}
    shorter[head] = {**rows[head], "length": {"N": str(last)}, "hash": rows[at(last)]["hash"]}
    log.write(shorter)
    assert log.verdict()["length"] == last
    assert log.found() == [(COVERED, "truncated")]


def test_a_rewritten_log_is_found_by_its_checkpoint(stack: LocalStack, school: School, log: Log) -> None:
    """A log rewritten throughout into a chain that verifies is told from the one that was signed (EP-5)."""
    rows = log.rows()
    pair = Pair(school.tenant, "victim", SUBJECT)
    stored = [episode_of(rows[at(n)], pair, {}) for n in range(1, LENGTH + 1)]
    content = Content("It never happened", "It never happened")
    lied = committed(replace(stored[0], content=content))
    forged = linked([lied, *stored[1:]], EMPTY_HEAD)
    rewritten = dict(rows)
    for episode in forged:
        row = {**rows[at(episode.position)]}
        row |= {"hash": {"S": episode.hash}, "previous_hash": {"S": episode.previous_hash}}
        row |= {"commitment": {"S": episode.commitment}}
        if episode.position == 1:
            row |= {"summary": {"S": content.summary}, "text": {"S": content.text}}
        rewritten[at(episode.position)] = row
    head = head_key(rows)
    rewritten[head] = {**rows[head], "hash": {"S": forged[-1].hash}}
    log.write(rewritten)
    assert log.found() == [(COVERED, "rewritten")]


def test_a_night_does_not_vouch_for_a_broken_chain(stack: LocalStack, school: School, log: Log) -> None:
    """A night over a changed log signs nothing and says in the self-model that the log did not verify (EP-5, NI-4)."""
    rows = log.rows()
    log.write(rows | {at(3): {**rows[at(3)], "summary": {"S": "Something else"}}})
    service = ApiClient(stack.api_url, stack.token(school.tenant, None, "service"), student="victim")
    report = service.call("POST", f"/v1/subjects/{SUBJECT}/night", {"date": "2026-05-30"})
    assert report["checkpoint_length"] is None
    assert report["self_model"]["chain_verified"] is False
    assert "did NOT verify" in " ".join(report["self_model"]["statements"])


def test_a_night_ends_over_a_far_head_and_row(stack: LocalStack, school: School) -> None:
    """A night over a log that claims a trillion positions ends, signs nothing and says so (EP-5, NI-4)."""
    school.student("far").record(SUBJECT, "1", [event("question", f"Question {n}") for n in range(3)])
    log = Log(stack, school, "far")
    rows = log.rows()
    head = head_key(rows)
    log.write(rows | {head: {**rows[head], "length": {"N": str(10**12 - 1)}}, at(10**12 - 1): rows[at(3)]})
    report = school.service("far").call("POST", f"/v1/subjects/{SUBJECT}/night", {"date": "2026-05-03"})
    assert report["checkpoint_length"] is None
    assert report["self_model"]["chain_verified"] is False


def test_proofs_of_the_deployed_log_verify_offline(log: Log, tmp_path: Path) -> None:
    """What KMS signed on the deployed stack is proved and checked with nothing but a file and a key (EP-5)."""
    first = log.client.call("GET", f"/v1/subjects/{SUBJECT}/episodes?limit=1")["episodes"][0]
    proved = log.client.call("GET", f"/v1/subjects/{SUBJECT}/episodes/{first['id']}/proof")
    listed = log.client.call("GET", f"/v1/subjects/{SUBJECT}/chain/checkpoints")
    key = tmp_path / "key.pem"
    key.write_text(listed["public_key"]["pem"])
    for document, about in ((proved, "episode"), (listed, "checkpoints")):
        file = tmp_path / f"{about}.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        command = ["verify", "--proof", str(file), "--public-key", str(key), "--json"]
        result = CliRunner().invoke(app, command)
        verdict = json.loads(result.stdout)
        assert (result.exit_code, verdict["about"], verdict["breaks"]) == (0, about, [])
        assert verdict["checkpoint"]["length"] == COVERED
    rows = log.rows()
    log.write(rows | {at(3): {**rows[at(3)], "hash": {"S": "ab" * 32}}})
    with pytest.raises(ApiProblem) as caught:
        log.client.call("GET", f"/v1/subjects/{SUBJECT}/episodes/{first['id']}/proof")
    assert (caught.value.status, caught.value.problem["type"]) == (409, "urn:anamnesis:problem:log-broken")
