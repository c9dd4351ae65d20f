"""Compiles, an agent's write and an erasure at once, their steps in any order: nothing is lost or brought back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import Busy, PageConflict, Unfinished
from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.wiki.gates import Rule, findings
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis.service.deadline import Deadline
from contracts.wiki_repository import history
from support.interleaving import PATIENCE
from support.port_faults import FaultPlan
from support.wired_memory import ANA, NOW, Memory, answer, check, question

SCOPE = ANA.student_scope
NEVER = Deadline.never()
OWN = "knowledge/learnings/of-an-agent.md"
#: Rules that a tree breaks by itself, whatever the evidence is by now.
WHOLE = {
    Rule.LINK,
    Rule.PATH,
    Rule.COLLISION,
    Rule.SIZE,
    Rule.FRONT_MATTER,
    Rule.NO_REFERENCE,
    Rule.STRUCTURE,
}
PORTS = ("MemoryWikiRepository.", "MemoryErasureStore.", "MemoryEpisodeLog.head", "MemoryEpisodeLog.erase")


@dataclass
class InTurns(FaultPlan):
    """Jobs in threads of which one goes on at a time, from one call of a store to its next, as `chance` picks them."""

    chance: Random = field(default_factory=lambda: Random(0))
    errors: list[BaseException] = field(default_factory=list)
    steps: int = 0

    def due(self, name: str) -> bool:
        mine = threading.current_thread()
        if name.startswith(PORTS) and isinstance(mine, _Job):
            mine.pause()
        return super().due(name)

    def run(self, *jobs: Callable[[], object]) -> None:
        """Run all jobs to their ends; cleanly refused ones have no error."""
        waiting = [_Job(job, self.errors) for job in jobs]
        while waiting:
            job = self.chance.choice(waiting)
            job.go_on()
            self.steps += 1
            waiting = [one for one in waiting if not one.ended]


class _Job(threading.Thread):
    def __init__(self, job: Callable[[], object], errors: list[BaseException]) -> None:
        super().__init__(daemon=True)
        self._job, self._errors = job, errors
        self._turn, self._paused = threading.Semaphore(0), threading.Semaphore(0)
        self.ended = False
        self.start()

    def go_on(self) -> None:
        self._turn.release()
        assert self._paused.acquire(timeout=PATIENCE)

    def pause(self) -> None:
        self._paused.release()
        assert self._turn.acquire(timeout=PATIENCE)

    def run(self) -> None:
        assert self._turn.acquire(timeout=PATIENCE)
        try:
            with suppress(Busy, PageConflict, Unfinished):
                self._job()
        except BaseException as error:  # noqa: BLE001 the test looks at it
            self._errors.append(error)
        finally:
            self.ended = True
            self._paused.release()


def own_page(memory: Memory) -> str:
    asked = next(e.id for e in memory.raw_log.episodes[ANA] if e.kind is Kind.QUESTION)
    return (
        '---\ntitle: "What helps"\nkind: "learning"\ncreated: "2026-07-03"\nupdated: "2026-07-03"\n'
        f'sources: ["episode://biology/{asked}"]\naliases: []\nauthor: "agent"\n---\n\n# What helps\n\n'
        f"- The student asked “What is osmosis?” [cite:1]\n\n## References\n\n1. `episode://biology/{asked}`\n"
    )


def lived_in(plan: FaultPlan) -> Memory:
    """Two compiled days, the second of which told a secret, and something new that is not compiled yet."""
    memory = Memory(wiki_writer=DeterministicWriter(), plan=plan)
    memory.add_file()
    for day, said in enumerate(
        ("What is osmosis?", "Remember that Quokkasaurus is my name for the nucleus.")
    ):
        at = NOW + timedelta(days=day)
        memory.clock.at = at + timedelta(hours=1)
        memory.say(
            question(said, at=at, session_id=f"s{day}"),
            answer("Water moves.", at=at + timedelta(minutes=1), session_id=f"s{day}"),
            check("Osmosis", correct=day > 0, at=at + timedelta(minutes=2), session_id=f"s{day}"),
        )
        memory.compile_wiki(SCOPE)
    memory.say(question("What is a cell?", at=NOW + timedelta(days=4), session_id="s4"))
    return memory


@pytest.mark.parametrize("seed", range(8))
def test_compiles_a_write_and_an_erasure_in_any_order(seed: int) -> None:
    """In any order of their steps no write is lost or doubled, nothing erased comes back, heads are whole (WK-6)."""
    plan = InTurns(chance=Random(seed))
    memory = lived_in(plan)
    gone = next(e.id for e in memory.raw_log.episodes[ANA] if e.kind is Kind.TAUGHT)
    base = memory.raw_wikis.head(SCOPE)
    assert base is not None
    page = own_page(memory)
    broken: list[object] = []
    real = memory.raw_wikis.commit

    def watched(scope: Any, tree: Any, **more: Any) -> Any:
        known = memory.wiki_evidence(SCOPE, NEVER).evidence
        broken.extend(f for f in findings(tree, {}, known) if f.rule in WHOLE)
        return real(scope, tree, **more)

    memory.raw_wikis.commit = watched  # type: ignore[method-assign]
    written: list[object] = []

    def write() -> None:
        written.append(memory.write_wiki_page(SCOPE, OWN, page, base=base.id, by=Role.TEACHER))

    def erase() -> None:
        assert memory.erase.episode(ANA, gone, Role.STUDENT, NEVER).complete

    plan.run(lambda: memory.compile_wiki(SCOPE), lambda: memory.compile_wiki(SCOPE), write, erase)
    assert plan.errors == []
    assert plan.steps > 20
    assert broken == []
    # Who was refused cleanly comes again; who was not need not.
    if not written:
        head = memory.raw_wikis.head(SCOPE)
        memory.write_wiki_page(SCOPE, OWN, page, base=None if head is None else head.id, by=Role.TEACHER)
    erase()
    report = memory.compile_wiki(SCOPE)
    assert (report.findings, report.left_out) == ((), ())
    assert "quokkasaurus" not in memory.raw_wikis.everything(SCOPE).casefold()
    head = memory.raw_wikis.head(SCOPE)
    assert head is not None
    tree = memory.raw_wikis.tree(SCOPE, head.id)
    assert findings(tree, {}, memory.wiki_evidence(SCOPE, NEVER).evidence) == ()
    assert [path for path, text in tree.items() if text == page] == [OWN]
    assert (
        sum("What is a cell?" in text for path, text in tree.items() if path.endswith("/transcript.md")) == 1
    )
    assert _writes(history(memory.raw_wikis, SCOPE)) == 1
    assert memory.compile_wiki(SCOPE).revision is None


def _writes(revisions: Sequence[Any]) -> int:
    return sum(revision.author.startswith("agent") for revision in revisions)
