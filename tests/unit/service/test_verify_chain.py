"""Verification while others write, and of what is kept beside the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from anamnesis.domain.access import Role
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import Checkpoint
from anamnesis.domain.night.records import CitationCheck, Verification
from anamnesis.service.deadline import Deadline
from support.memory_platform import MemoryCheckpointStore
from support.wired_memory import ANA, BEN, Memory, question

NIGHT = date(2026, 7, 3)


class Meanwhile(MemoryCheckpointStore):
    """A checkpoint store before whose next reading something happens."""

    def __init__(self) -> None:
        super().__init__()
        self.happens: Callable[[], object] | None = None

    def all(self, pair: Pair) -> list[Checkpoint]:
        happens, self.happens = self.happens, None
        if happens is not None:
            happens()
        return super().all(pair)


def memory_with_meanwhile() -> tuple[Memory, Meanwhile]:
    """A memory of two questions and a night, and its checkpoint store."""
    store = Meanwhile()
    memory = Memory(replace={"checkpoints": lambda _: store})
    memory.say(question("What is osmosis?"), question("What is a cell?"))
    memory.run_night(ANA, NIGHT)
    return memory, store


def test_what_others_sign_meanwhile_is_no_break() -> None:
    """A night that appends and signs while the log is verified leaves no truncation behind (EP-5)."""
    memory, store = memory_with_meanwhile()

    def another_night() -> None:
        memory.say(question("What is a membrane?"))
        memory.run_night(ANA, date(2026, 7, 4))

    store.happens = another_night
    verdict = memory.verify(ANA)
    assert (verdict.verified, verdict.report.length) == (True, 3)
    assert memory.verify(ANA).report.length > 3


def test_what_others_erase_meanwhile_is_no_break() -> None:
    """An erasure carried out while the log is verified leaves neither restored nor missing contents behind (EP-8)."""
    memory, store = memory_with_meanwhile()
    store.happens = lambda: memory.erase.subject(ANA, Role.STUDENT, Deadline.never())
    assert memory.verify(ANA).verified
    verdict = memory.verify(ANA)
    assert (verdict.verified, verdict.report.erased) == (True, (1, 2, 3))


def test_an_annotation_that_refers_to_nothing_is_named() -> None:
    """A citation check of another episode than stands at its position, or of none, is a break there (EP-3)."""
    memory, _ = memory_with_meanwhile()
    first, second, *_ = memory.raw_log.episodes[ANA]

    def checked(position: int, episode_id: str) -> CitationCheck:
        return CitationCheck(episode_id, position, Verification.HOLDS, (), NIGHT)

    memory.records.save_citation_checks(ANA, [checked(1, first.id), checked(2, second.id)])
    assert memory.verify(ANA).verified
    memory.records.save_citation_checks(ANA, [checked(2, first.id), checked(9, "nobody")])
    found = [(b.position, b.kind) for b in memory.verify(ANA).breaks]
    assert found == [(2, "dangling_annotation"), (9, "dangling_annotation")]
    assert memory.verify(BEN).verified


def test_contents_put_back_after_their_erasure_are_named() -> None:
    """Contents that are there again although a deletion record says that they were removed are a break (EP-8)."""
    memory, _ = memory_with_meanwhile()
    before = memory.raw_log.episodes[ANA][0]
    memory.erase.episode(ANA, before.id, Role.STUDENT, Deadline.never())
    assert memory.verify(ANA).verified
    memory.raw_log.episodes[ANA][0] = before
    assert [(b.position, b.kind) for b in memory.verify(ANA).breaks] == [(1, "restored")]


def test_an_unfinished_erasure_is_said() -> None:
    """While an erasure is under way its contents may stand or be gone, and the verdict says so (EP-8)."""
    memory, _ = memory_with_meanwhile()
    first = memory.raw_log.episodes[ANA][0]
    memory.erase.episode(ANA, first.id, Role.STUDENT, Deadline.after(0, lambda: 0.0))
    assert memory.raw_log.episodes[ANA][0] == first
    stands = memory.verify(ANA)
    memory.erasures.erase(ANA, [1], {})
    assert memory.raw_log.episodes[ANA][0] != first
    for verdict in (stands, memory.verify(ANA)):
        assert verdict.verified
        assert "an erasure is under way" in verdict.not_checked[0]
    memory.erase.resume(ANA, Deadline.never())
    assert memory.verify(ANA).not_checked == ()


def test_long_texts_are_held_to_their_commitment_and_not_kept() -> None:
    """A long text that was changed anywhere is named, and verification keeps the beginning of each only (EP-4)."""
    memory = Memory()
    long = "osmosis " * 20_000
    memory.say(question(long), question(long), question("short"))
    loaded = memory.verify.load(ANA)
    assert memory.verify(ANA, loaded).verified
    assert sum(len(e.content.text) for e in loaded.episodes if e.content) < 10_000
    log = memory.raw_log.episodes[ANA]
    content = log[1].content
    assert content is not None
    log[1] = replace(log[1], content=replace(content, text=long[:-1] + "!"))
    assert [(b.position, b.kind) for b in memory.verify(ANA).breaks] == [(2, "content_altered")]
