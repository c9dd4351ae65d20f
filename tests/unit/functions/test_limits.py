"""Every stated limit: what docs/limits.md says, what is taken at it, and what is refused one beyond."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from anamnesis import bootstrap
from anamnesis.domain.block import MIN_BUDGET_TOKENS
from anamnesis.domain.files import MAX_FILE_BYTES, MAX_FILE_CHARS, MAX_PAGES, FileRecord, FileStatus
from anamnesis.domain.grounding.values import MAX_ANSWER_CHARS
from anamnesis.domain.identifiers import MAX_STUDENT_BYTES, MAX_SUBJECT_BYTES, StudentScope, SubjectScope
from anamnesis.domain.log.episodes import MAX_BATCH, MAX_SUMMARY_CHARS, MAX_TEXT_CHARS, YEARS
from anamnesis.domain.tutoring.answers import MAX_QUESTION_CHARS
from anamnesis.domain.wiki.connectors import MAX_BYTES, MAX_URL_CHARS
from anamnesis.domain.wiki.finding.search import MAX_QUERY_CHARS
from anamnesis.domain.wiki.pages import INDEX_PATH, MAX_PAGE_BYTES
from anamnesis.domain.wiki.writing.index_within import MIN_INDEX_TOKENS
from anamnesis.schemas import block, episodes, files, subject_map, values, wiki, wiki_finding
from contracts.wiki_repository import put
from support.http_bridge import writes_in
from support.lambda_events import Answer, Api, load_event, record

LIMITS_PAGE = Path(__file__).parents[3] / "docs" / "limits.md"
CALENDAR = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nEND:VCALENDAR\r\n"
QUESTION = json.loads(load_event("http_record_episodes")["body"])["episodes"][0]
FILE = {"name": "cells.md", "media_type": "text/markdown", "bytes": 5}


@dataclass(frozen=True)
class Limit:
    """A row of the page's table, and a request that is as large as it is told to be.

    Attributes
    ----------
    taken
        Whether such a request is taken at the limit; what no request can hold rightly at that size is not.
    status
        Of the refusal.
    """

    what: str
    most: int
    unit: str
    field: str
    send: Callable[[Api, int], Answer]
    taken: bool = True
    status: int = 422

    @property
    def row(self) -> str:
        """Its row of the table."""
        return (
            f"| {self.what} | {self.most:,} {self.unit}".rstrip()
            + f" | `{self.field.replace('[0]', '[i]')}` |"
        )


def said(name: str, unit: str = "x") -> Callable[[Api, int], Answer]:
    """A batch of one event in which one text is that long."""
    return lambda api, size: record(api, {**QUESTION, name: (unit * size)[:size]})


def sent(event: str, **fields: Callable[[int], Any]) -> Callable[[Api, int], Answer]:
    """An event of the folder with fields of its body changed."""

    def send(api: Api, size: int) -> Answer:
        body = json.loads(load_event(event)["body"])
        return api(event, body=body | {name: of_size(size) for name, of_size in fields.items()})

    return send


def cited(api: Api, *citations: dict[str, Any]) -> Answer:
    """An event that cites a file whose bytes have arrived."""
    record_of_file = FileRecord(
        id="arrived",
        scope=SubjectScope(api.tenant, "biology"),
        name="cells.md",
        media_type="text/markdown",
        declared_bytes=5,
        uploaded_by="ana",
        created_at=datetime(2026, 7, 1, tzinfo=UTC),
        status=FileStatus.READING,
        fingerprint="ab" * 32,
    )
    if api.stores.concept_store.get_file(record_of_file.scope, "arrived") is None:
        api.stores.concept_store.add_file(record_of_file)
    return record(api, {**QUESTION, "evidence": [{"file_id": "arrived", **cite} for cite in citations]})


def padded(api: Api, size: int) -> Answer:
    """A body of exactly that many bytes."""
    body = json.dumps({"episodes": [QUESTION]})
    return api("http_record_episodes", body=body + " " * (size - len(body)))


def named(subject: str, student: str) -> Callable[[Api, int], Answer]:
    """A request about a subject or student whose name is that many bytes of UTF-8 long."""

    def send(api: Api, size: int) -> Answer:
        name = "é" * (size // 2) + "e" * (size % 2)
        path = f"/v1/subjects/{quote(name) if subject else 'biology'}/chain"
        claims = {"cognito:groups": "[teacher]", "custom:student": "ana"}
        return api("http_verify_chain", path=path, claims=claims, query={"student": name} if student else {})

    return send


def with_wiki(send: Callable[[Api, int], Answer]) -> Callable[[Api, int], Answer]:
    """The same request of a student who has a wiki."""

    def sent_later(api: Api, size: int) -> Answer:
        scope = StudentScope(api.tenant, "ana")
        if api.stores.wiki_repository.head(scope) is None:
            put(api.stores.wiki_repository, scope, {INDEX_PATH: "# Index\n"})
        return send(api, size)

    return sent_later


def crowded(api: Api, size: int) -> Answer:
    """A body of exactly that many fields and items, with nothing wrong about the first ones."""
    ids = ",".join(['"a"'] * (size - 5))
    event = f'{{"kind": "question", "text": "\\",[{{\\\\", "memory_ids": [{ids}]}}'
    return api("http_record_episodes", body=f'{{"episodes": [{event}]}}')


LIMITS = (
    Limit("body of a request", values.MAX_BODY_BYTES, "bytes", "body", padded, status=413),
    Limit("its fields and items", values.MAX_BODY_VALUES, "", "body", crowded, taken=False),
    Limit("subject", MAX_SUBJECT_BYTES, "bytes of UTF-8", "subject", named("subject", "")),
    Limit("student", MAX_STUDENT_BYTES, "bytes of UTF-8", "student", named("", "student")),
    Limit("episodes in a batch", MAX_BATCH, "", "episodes", lambda a, n: record(a, *[QUESTION] * n)),
    Limit(
        "idempotency key",
        episodes.MAX_KEY_CHARS,
        "characters",
        "Idempotency-Key",
        lambda api, size: record(api, QUESTION, key="é" * size),
    ),
    Limit("text of an episode", MAX_TEXT_CHARS, "characters", "episodes[0].text", said("text", "é ")),
    Limit("its summary", MAX_SUMMARY_CHARS, "characters", "episodes[0].summary", said("summary")),
    Limit("its topic", episodes.MAX_TOPIC_CHARS, "characters", "episodes[0].topic", said("topic")),
    Limit(
        "its evaluation",
        episodes.MAX_EVALUATION_CHARS,
        "characters",
        "episodes[0].evaluation",
        said("evaluation"),
    ),
    Limit(
        "its session", episodes.MAX_SESSION_CHARS, "characters", "episodes[0].session_id", said("session_id")
    ),
    Limit(
        "its language tag",
        values.MAX_LANGUAGE_CHARS,
        "characters",
        "episodes[0].language",
        said("language", "aaaaaaaa-"),
    ),
    Limit(
        "its citations",
        episodes.MAX_CITATIONS,
        "",
        "episodes[0].evidence",
        lambda api, size: cited(api, *[{}] * size),
    ),
    Limit(
        "a cited page",
        episodes.MAX_PAGE_NUMBER,
        "",
        "episodes[0].evidence[0].page",
        lambda a, size: cited(a, {"page": size}),
    ),
    Limit(
        "its memory ids",
        episodes.MAX_MEMORY_IDS,
        "",
        "episodes[0].memory_ids",
        lambda api, size: record(api, {**QUESTION, "memory_ids": ["m"] * size}),
    ),
    Limit(
        "an id",
        values.MAX_ID_CHARS,
        "characters",
        "episodes[0].memory_ids[0]",
        lambda api, size: record(api, {**QUESTION, "memory_ids": ["m" * size]}),
    ),
    Limit(
        "question of a turn",
        block.MAX_QUESTION_CHARS,
        "characters",
        "question",
        sent("http_read_block", question=lambda size: ("osmosis " * size)[:size]),
    ),
    Limit(
        "assessment results beside a turn",
        block.MAX_ASSESSMENT_CHARS,
        "characters",
        "assessment",
        sent("http_read_block", assessment=lambda size: ("passed " * size)[:size]),
    ),
    Limit(
        "question to the tutor",
        MAX_QUESTION_CHARS,
        "characters",
        "question",
        sent("http_start_answer", question=lambda size: ("why " * size)[:size]),
    ),
    Limit(
        "an answer to be grounded",
        MAX_ANSWER_CHARS,
        "characters",
        "answer",
        sent("http_ground_answer", answer=lambda size: ("osmosis " * size)[:size]),
    ),
    Limit(
        "tokens of a block",
        block.MAX_BUDGET,
        f"(at least {MIN_BUDGET_TOKENS})",
        "budget_tokens",
        sent("http_read_block", budget_tokens=lambda size: size),
    ),
    Limit(
        "layers switched off",
        block.MAX_SWITCHED_OFF,
        "",
        "switch_off",
        sent("http_read_block_ablation", switch_off=lambda size: ["map"] * size),
    ),
    Limit(
        "name of a file",
        files.MAX_NAME_CHARS,
        "characters",
        "name",
        sent("http_offer_file", name=lambda size: "é" * size),
    ),
    Limit(
        "its media type",
        values.MAX_MEDIA_TYPE_CHARS,
        "characters",
        "media_type",
        sent("http_offer_file", media_type=lambda size: "text/" + "x" * (size - 5)),
    ),
    Limit("its size", MAX_FILE_BYTES, "bytes", "bytes", sent("http_offer_file", bytes=lambda size: size)),
    Limit(
        "episodes in a page",
        episodes.MAX_PAGE,
        "",
        "limit",
        lambda api, size: api("http_list_episodes", query={"limit": str(size)}),
    ),
    Limit(
        "concepts in a page",
        subject_map.MAX_MAP_PAGE,
        "",
        "limit",
        lambda api, size: api("http_get_map", query={"limit": str(size)}),
    ),
    Limit(
        "a cursor",
        episodes.MAX_CURSOR_CHARS,
        "characters",
        "cursor",
        lambda api, size: api("http_list_episodes", query={"cursor": "c" * size}),
        taken=False,
    ),
    Limit(
        "a page of a wiki that an agent writes",
        MAX_PAGE_BYTES,
        "bytes",
        "text",
        sent("http_write_wiki_page", text=lambda size: "x" * size),
        taken=False,
    ),
    Limit(
        "words to search a wiki for",
        MAX_QUERY_CHARS,
        "characters",
        "query",
        with_wiki(sent("http_search_wiki", query=lambda size: ("osmosis " * size)[:size])),
    ),
    Limit(
        "description of a recall",
        MAX_QUERY_CHARS,
        "characters",
        "description",
        with_wiki(sent("http_recall_wiki", description=lambda size: ("osmosis " * size)[:size])),
    ),
    Limit(
        "files that a caller has",
        wiki_finding.MAX_HAD,
        "",
        "have",
        with_wiki(
            sent("http_start_wiki", have=lambda size: {f"notes/{n}.md": "ab" * 32 for n in range(size)})
        ),
    ),
    Limit(
        "bytes of files handed out",
        wiki_finding.MAX_FILES_BYTES,
        "",
        "max_bytes",
        with_wiki(sent("http_start_wiki", max_bytes=lambda size: size)),
    ),
    Limit(
        "tokens of an index",
        wiki.MAX_INDEX_TOKENS,
        f"(at least {MIN_INDEX_TOKENS})",
        "budget_tokens",
        with_wiki(lambda api, size: api("http_read_wiki_index", query={"budget_tokens": str(size)})),
    ),
    Limit(
        "text of a connector",
        MAX_BYTES,
        "bytes",
        "text",
        lambda api, size: api(
            "http_register_connector", body={"text": CALENDAR + " " * (size - len(CALENDAR))}
        ),
    ),
    Limit(
        "its URL",
        MAX_URL_CHARS,
        "characters",
        "url",
        lambda api, size: api(
            "http_register_connector", body={"url": "https://localhost/" + "x" * (size - 18)}
        ),
        taken=False,
    ),
)
#: Of what stands in a file, which is known only when it is read; its `reason` says which one it is beyond.
IN_FILES = (
    f"| pages of a file | {MAX_PAGES:,} | the file's `reason` |",
    f"| its text | {MAX_FILE_CHARS:,} characters | the file's `reason` |",
)


def test_the_docs_state_every_limit() -> None:
    """The table of limits in the docs is the one that is enforced (SV-12)."""
    page = LIMITS_PAGE.read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert rows[2:] == [*(limit.row for limit in LIMITS), *IN_FILES]
    assert f"{YEARS[0]} to {YEARS[-1]}" in page


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.what)
def test_limits_hold(api: Api, limit: Limit) -> None:
    """What is as large as its limit is taken, one more is refused by its name and writes nothing (SV-7, SV-12)."""
    at = limit.send(api, limit.most)
    assert (at.status == 200) is limit.taken, at.body
    with bootstrap.application().metered().measure() as measured:
        beyond = limit.send(api, limit.most + 1)
    assert (beyond.status, beyond.body["field"]) == (limit.status, limit.field), beyond.body
    assert writes_in(measured) == []
    if not limit.taken:
        assert at.body["detail"] != beyond.body["detail"]


@pytest.mark.parametrize(
    "name, field",
    [("occurred_at", "episodes[0].occurred_at"), ("from", "from"), ("now", "now"), ("date", "date")],
)
@pytest.mark.parametrize("year", [YEARS[0] - 1, YEARS[-1] + 1, 1, 9999])
def test_times_lie_in_the_years_stated(api: Api, name: str, field: str, year: int) -> None:
    """A time in a year that nobody means is refused by its name, wherever a time may stand (SV-7)."""
    moment = f"{year:04}-06-01T00:00:00Z"
    answer = {
        "occurred_at": lambda: record(api, {**QUESTION, "occurred_at": moment}),
        "from": lambda: api("http_list_episodes", query={"from": moment}),
        "now": lambda: api("http_read_block_ablation", body={"now": moment}),
        "date": lambda: api("http_run_night", body={"date": moment[:10]}),
    }[name]()
    assert (answer.status, answer.body["field"]) == (422, field)
