"""Agents' writes, compiles and erasures on wikis as git keeps them, on moto."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import boto3
import pytest
from moto import mock_aws

from anamnesis.adapters.sqs import SqsWikiQueue, wiki_message
from anamnesis.domain.access import Role
from anamnesis.domain.errors import Busy, StoreUnavailable
from anamnesis.domain.identifiers import StudentScope
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.service.deadline import Deadline
from contracts.examples import fresh_pair
from contracts.wiki_repository import history, trees
from support.aws_stores import AwsStores
from support.wired_memory import NOW, Memory, answer, check, question

NEVER = Deadline.never()
SECRET = "Remember that Quokkasaurus is my secret name for the nucleus."
PAGE = """---
title: "Page {n}"
kind: "learning"
created: "2026-07-03"
updated: "2026-07-03"
sources: [{source}]
aliases: []
author: "agent"
---

# Page {n}

- Asked about osmosis. [cite:1]

## References

1. `{bare}`
"""


def lived_in(aws: AwsStores) -> tuple[Memory, Any]:
    """Three days of a student that no other test has, each compiled."""
    memory = Memory(wiki_writer=DeterministicWriter(), replace={"wikis": lambda _: aws.wiki_repository})
    pair = fresh_pair()
    for day, said in enumerate(("What is osmosis?", SECRET, "What is a cell?")):
        at = NOW + timedelta(days=day)
        memory.clock.at = at + timedelta(hours=1)
        memory.say(
            question(said, at=at, session_id=f"s{day}"),
            answer("Water moves.", at=at + timedelta(minutes=1), session_id=f"s{day}"),
            check("Osmosis", at=at + timedelta(minutes=2), session_id=f"s{day}"),
            pair=pair,
        )
        assert memory.compile_wiki(pair.student_scope).revision is not None
    return memory, pair


def test_no_write_is_lost_in_git(aws: AwsStores) -> None:
    """Of agents that write at once while the wiki is compiled, each page is there in the end (WK-6)."""
    memory, pair = lived_in(aws)
    scope = pair.student_scope
    base = aws.wiki_repository.head(scope)
    assert base is not None
    listed = aws.wiki_repository.tree(scope, base.id)
    source = next(s for text in listed.values() for s in text.split('"') if s.startswith("session://"))

    def write(number: int) -> None:
        text = PAGE.format(n=number, source=f'"{source}"', bare=source)
        while True:
            try:
                memory.write_wiki_page(
                    scope, f"knowledge/learnings/page-{number}.md", text, base=base.id, by=Role.SERVICE
                )
                return
            except Busy:
                continue

    with ThreadPoolExecutor(max_workers=4) as threads:
        writing = [threads.submit(write, number) for number in range(4)]
        memory.say(question("Something new?", at=NOW + timedelta(days=9), session_id="s9"), pair=pair)
        while True:
            try:
                memory.compile_wiki(scope)
                break
            except Busy:
                continue
        for done in writing:
            done.result()
    memory.compile_wiki(scope)
    newest = trees(aws.wiki_repository, scope)[0]
    assert {f"knowledge/learnings/page-{n}.md" for n in range(4)} <= newest.keys()
    assert any("Something new?" in text for text in newest.values())


def test_erasing_reaches_the_history_in_git(aws: AwsStores) -> None:
    """No revision, message or object of the wiki holds what was erased, and the rest stays (EP-8, WD-4)."""
    memory, pair = lived_in(aws)
    scope = pair.student_scope
    before = len(history(aws.wiki_repository, scope))
    taught = next(e.id for e in memory.raw_log.episodes[pair] if e.kind is Kind.TAUGHT)
    assert memory.erase.episode(pair, taught, Role.STUDENT, NEVER).complete
    held = json.dumps([dict(tree) for tree in trees(aws.wiki_repository, scope)], ensure_ascii=False)
    messages = " ".join(revision.message for revision in history(aws.wiki_repository, scope))
    assert "quokkasaurus" not in (held + messages).casefold()
    assert "What is osmosis?" in held
    assert "What is a cell?" in held
    assert before - 1 <= len(history(aws.wiki_repository, scope)) <= before + 1
    assert memory.erase.student(pair.tenant, pair.student, Role.STUDENT, NEVER).complete
    assert aws.wiki_repository.head(scope) is None


def test_a_student_is_queued_by_name() -> None:
    """A message names the student in any script, can be read back, and is not sent where nobody compiles (WD-1)."""
    scope = StudentScope("école", "étudiant 生")
    with mock_aws():
        client = boto3.client(
            "sqs", region_name="eu-west-1", aws_access_key_id="a", aws_secret_access_key="b"
        )
        url = client.create_queue(QueueName="wikis")["QueueUrl"]
        SqsWikiQueue(client, queue_url=url).send(scope)
        [message] = client.receive_message(QueueUrl=url)["Messages"]
        assert wiki_message(message["Body"]) == scope
        SqsWikiQueue(client, queue_url="").send(scope)
        with pytest.raises(StoreUnavailable):
            SqsWikiQueue(client, queue_url=url + "-of-nobody").send(scope)


@pytest.mark.parametrize(
    "body", ["", "null", "[" * 100_000, '{"tenant": 5, "student": "a"}', '{"tenant": "a"}']
)
def test_what_names_no_student_is_refused(body: str) -> None:
    """A message of another form raises, so that the queue keeps it for a person to look at (SV-14)."""
    with pytest.raises(Exception):  # noqa: B017, PT011 whatever it is, the handler fails that message alone
        wiki_message(body)
