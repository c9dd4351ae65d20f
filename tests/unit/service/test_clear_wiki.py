"""Erasing reaches the wiki: its head, its history, what agents wrote, and who reads meanwhile."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import StoreUnavailable, Unfinished
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates import findings
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.service.deadline import Deadline
from contracts.wiki_repository import history, put
from support.port_faults import WRITES
from support.wired_memory import ANA, BEN, NOW, Memory, answer, check, question

SCOPE = ANA.student_scope
NEVER = Deadline.never()
SECRET = "Remember that Quokkasaurus is my secret name for the nucleus."
AGENTS = """---
title: "What helps"
kind: "learning"
created: "2026-07-03"
updated: "2026-07-03"
sources: [{sources}]
aliases: []
author: "agent"
---

# What helps

{lines}

## References

{references}
"""


def lived_in() -> Memory:
    """Three days, each compiled: the second tells a secret."""
    memory = Memory(wiki_writer=DeterministicWriter())
    memory.add_file()
    for day, said in enumerate(("What is osmosis?", SECRET, "What is a cell?")):
        at = NOW + timedelta(days=day)
        memory.clock.at = at + timedelta(hours=1)
        memory.say(
            question(said, at=at, session_id=f"s{day}"),
            answer("Water moves.", at=at + timedelta(minutes=1), session_id=f"s{day}"),
            check("Osmosis", correct=day > 0, at=at + timedelta(minutes=2), session_id=f"s{day}"),
        )
        report = memory.compile_wiki(SCOPE)
        assert report.findings == ()
        assert report.revision is not None
    assert "quokkasaurus" in kept(memory)
    return memory


def kept(memory: Memory) -> str:
    return memory.raw_wikis.everything(SCOPE).casefold()


def secret(memory: Memory) -> str:
    return next(e.id for e in memory.raw_log.episodes[ANA] if e.kind is Kind.TAUGHT)


def tree(memory: Memory) -> Tree:
    head = memory.raw_wikis.head(SCOPE)
    assert head is not None
    return memory.raw_wikis.tree(SCOPE, head.id)


def commit(memory: Memory, path: str, text: str) -> None:
    put(memory.raw_wikis, SCOPE, {**tree(memory), path: text}, message="An agent's page", minutes=9_000)


def agents_page(memory: Memory, *lines: tuple[str, str]) -> str:
    """A page of lines, each citing an episode."""
    return AGENTS.format(
        sources=", ".join(f'"episode://biology/{id_}"' for id_ in sorted({i for _, i in lines})),
        lines="\n".join(f"- {text} [cite:{n}]" for n, (text, _) in enumerate(lines, start=1)),
        references="\n".join(f"{n}. `episode://biology/{id_}`" for n, (_, id_) in enumerate(lines, start=1)),
    )


def test_an_erased_episode_leaves_the_wiki_and_its_history() -> None:
    """What an erased episode said stands in no revision and no message any more, and the rest does (EP-8, WD-4)."""
    memory = lived_in()
    before = history(memory.raw_wikis, SCOPE)
    report = memory.erase.episode(ANA, secret(memory), Role.STUDENT, NEVER)
    assert report.complete
    assert "quokkasaurus" not in kept(memory)
    assert "secret name" not in kept(memory)
    left = tree(memory)
    assert any("What is a cell?" in text for text in left.values())
    assert len(history(memory.raw_wikis, SCOPE)) >= len(before) - 1
    oldest = history(memory.raw_wikis, SCOPE)[-1]
    assert any("What is osmosis?" in text for text in memory.raw_wikis.tree(SCOPE, oldest.id).values())
    assert findings(left, {}, memory.wiki_evidence(SCOPE, NEVER).evidence) == ()


def test_erasing_again_changes_nothing() -> None:
    """Erasing once more, and the nights after it, leave the wiki as it is (EP-8, NI-2)."""
    memory = lived_in()
    gone = secret(memory)
    memory.erase.episode(ANA, gone, Role.STUDENT, NEVER)
    once = history(memory.raw_wikis, SCOPE)
    memory.erase.episode(ANA, gone, Role.STUDENT, NEVER)
    memory.clock.advance(days=1)
    memory.erase.resume(ANA, NEVER)
    memory.compile_wiki(SCOPE)
    assert history(memory.raw_wikis, SCOPE) == once


def test_a_subject_goes_and_another_stays() -> None:
    """Erasing a subject takes its pages out of every revision; another subject's stay (EP-8)."""
    memory = lived_in()
    other = type(ANA)(ANA.tenant, ANA.student, "history")
    memory.say(question("Who was Charlemagne?", at=NOW), pair=other)
    memory.compile_wiki(SCOPE)
    assert memory.erase.subject(ANA, Role.STUDENT, NEVER).complete
    assert "charlemagne" in kept(memory)
    for gone in ("quokkasaurus", "what is osmosis", "what is a cell"):
        assert gone not in kept(memory)


def test_a_student_s_wiki_goes_whole() -> None:
    """Erasing a student erases the wiki with all its history, and nobody else's (EP-8)."""
    memory = lived_in()
    memory.say(question("What is Ben's question?", at=NOW), pair=BEN)
    memory.compile_wiki(BEN.student_scope)
    assert memory.erase.student(ANA.tenant, ANA.student, Role.STUDENT, NEVER).complete
    assert memory.raw_wikis.head(SCOPE) is None
    assert kept(memory) == "[]"
    assert memory.raw_wikis.head(BEN.student_scope) is not None
    assert memory.compile_wiki(SCOPE).revision is None


def test_what_agents_wrote_of_it_goes_and_the_rest_of_their_page_stays() -> None:
    """Of an agent's page lines that cite what is erased go everywhere, and others stay (EP-8, WK-6)."""
    memory = lived_in()
    first = memory.raw_log.episodes[ANA][1].id
    path = "knowledge/learnings/what-helps.md"
    page = agents_page(
        memory,
        ("The student calls the nucleus Quokkasaurus.", secret(memory)),
        ("Asked about osmosis.", first),
    )
    commit(memory, path, page)
    memory.erase.episode(ANA, secret(memory), Role.STUDENT, NEVER)
    assert "quokkasaurus" not in kept(memory)
    assert "Asked about osmosis. [cite:2]" in tree(memory)[path]
    assert secret(memory) not in tree(memory)[path]


def test_what_agents_repeat_without_citing_it_goes() -> None:
    """An agent's page that repeats an erased text under another citation stands in no revision any more (WD-4)."""
    memory = lived_in()
    first = memory.raw_log.episodes[ANA][1].id
    path = "knowledge/learnings/what-helps.md"
    said = "They said that Quokkasaurus is my secret name for the nucleus."
    commit(memory, path, agents_page(memory, (said, first)))
    memory.erase.episode(ANA, secret(memory), Role.STUDENT, NEVER)
    assert "quokkasaurus" not in kept(memory)


def test_nobody_reads_while_an_erasure_is_under_way() -> None:
    """From the moment that an erasure has begun readers are told to come again, until it is done (EP-8, WD-4)."""
    memory = lived_in()
    gone = secret(memory)
    shown = memory.shown_wikis
    head = shown.head(SCOPE)
    assert head is not None
    with pytest.raises(StoreUnavailable):
        _down(memory, lambda: memory.erase.episode(ANA, gone, Role.STUDENT, NEVER))
    for read in (
        lambda: shown.head(SCOPE),
        lambda: shown.revision(SCOPE, head.id),
        lambda: shown.tree(SCOPE, head.id),
        lambda: shown.read(SCOPE, head.id, "knowledge/index.md"),
        lambda: shown.log(SCOPE, path=None, before=None, limit=9),
        lambda: shown.changes(SCOPE, None, head.id),
        lambda: put(shown, SCOPE, {}),
    ):
        with pytest.raises(Unfinished):
            read()
    memory.erase.episode(ANA, gone, Role.STUDENT, NEVER)
    assert shown.head(SCOPE) == memory.raw_wikis.head(SCOPE)
    assert shown.head(BEN.student_scope) is None


def test_a_compile_under_way_brings_nothing_back() -> None:
    """A compile that read before an erasure and commits during it leaves nothing of it behind (EP-8, WD-4)."""
    memory = lived_in()
    gone = secret(memory)
    memory.say(question("Something new?", at=NOW + timedelta(days=5)))

    class Slow(DeterministicWriter):
        erased = False

        def write(self, evidence: WikiEvidence, current: Tree, **more: Any) -> Tree:
            made = super().write(evidence, current, **more)
            if not self.erased:
                Slow.erased = True
                other.erase.episode(ANA, gone, Role.STUDENT, NEVER)
            return made

    other = Memory(wiki_writer=DeterministicWriter(), replace={})
    for name in (
        "log",
        "wikis",
        "erasures",
        "roster",
        "beliefs",
        "concepts",
        "records",
        "uploads",
        "checkpoints",
    ):
        setattr(other, name, getattr(memory, name))
    other.clock, other.ids, other.keyed_hash = memory.clock, memory.ids, memory.keyed_hash
    other.fresh()
    memory.wiki_writer = Slow()
    memory.fresh()
    memory.compile_wiki(SCOPE)
    assert "quokkasaurus" not in kept(memory)
    assert "something new" in kept(memory)


def test_a_commit_that_an_erasure_overtook_is_taken_back() -> None:
    """What was committed just before an erasure was noticed is taken out of the history again (EP-8, WD-4)."""
    memory = lived_in()
    gone = secret(memory)
    memory.raw_wikis.erase(SCOPE)
    real = memory.raw_wikis.commit
    begun = []

    def commit_and_erase(*args: object, **options: object) -> object:
        made = real(*args, **options)  # type: ignore[arg-type]
        if not begun:
            begun.append(1)
            with pytest.raises(StoreUnavailable):
                _down(memory, lambda: memory.erase.episode(ANA, gone, Role.STUDENT, NEVER))
        return made

    memory.raw_wikis.commit = commit_and_erase  # type: ignore[method-assign, assignment]
    report = memory.compile_wiki(SCOPE)
    assert report.revision is not None
    assert "quokkasaurus" not in kept(memory)
    assert "what is osmosis" in kept(memory)


def test_too_little_time_leaves_it_to_the_next_call() -> None:
    """An erasure without time for the wiki is not complete, and the same call later finishes it (EP-8)."""
    memory = lived_in()
    gone = secret(memory)
    assert not memory.erase.episode(ANA, gone, Role.STUDENT, Deadline.after(0, lambda: 0.0)).complete
    assert "quokkasaurus" in kept(memory)
    assert memory.erase.episode(ANA, gone, Role.STUDENT, NEVER).complete
    assert "quokkasaurus" not in kept(memory)


def _down(memory: Memory, act: object) -> None:
    """Act while every store is down but for what begins an erasure."""
    plan = memory.plan
    before = plan.call, plan.times, plan.error, plan.counted
    plan.calls.clear()
    plan.call, plan.times, plan.counted, plan.armed = 1, 1_000, WRITES - {"begin", "request"}, True
    plan.error = lambda: StoreUnavailable("down")
    try:
        act()  # type: ignore[operator]
    finally:
        plan.armed = False
        plan.call, plan.times, plan.error, plan.counted = before
        plan.calls.clear()
        plan.failed.clear()
