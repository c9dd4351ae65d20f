"""An erasure among other jobs of the same memory, in every order of their calls of the stores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import AnamnesisError
from anamnesis.domain.log.episodes import Episode
from support.interleaving import Aside
from support.memory_platform import MemorySemanticIndex
from support.port_faults import WRITES, FaultPlan
from support.wired_memory import ANA, Memory, answer, check, question
from unit.service.test_erase_memory import DAY, NEVER, SECRET, nights_by_schedule, taught, traces

SECRET_FILE = f"Quokka: The {SECRET} is a mascot.".encode()


def twin(memory: Memory, plan: FaultPlan) -> Memory:
    """Another process over the same stores."""
    raw = ("log", "beliefs", "concepts", "records", "checkpoints", "uploads", "erasures", "roster")
    stores = {name: getattr(memory, f"raw_{name}") for name in raw}
    index = memory.semantic_index
    other = Memory(
        plan=plan,
        semantic_index=None if index is None else plan.wrap(index),
        replace={name: partial(_instead, store) for name, store in stores.items()},
    )
    vars(other).update({f"raw_{name}": store for name, store in stores.items()})
    other.ids, other.clock = memory.ids, memory.clock
    other.fresh()
    return other


def _instead(store: Any, _: Any) -> Any:
    return store


def secret_day(memory: Memory) -> list[Episode]:
    """A short day that tells the secret in a question, a teaching and a check."""
    return memory.say(
        question(f"My {SECRET} asked what a cell is"),
        taught(f"Remember that we call the {SECRET} our mascot"),
        check("Osmosis", correct=True),
        check("It", correct=False, text=f"What does a {SECRET} eat?", evaluation=SECRET),
        key="day",
    )


Job = Callable[[Memory], object]


def unprojected(memory: Memory) -> None:
    memory.raw_beliefs._rows.clear()
    memory.raw_beliefs._projected.clear()
    memory.raw_concepts._layers.clear()


def set_before(memory: Memory) -> None:
    memory.refresh(ANA, at_most=2)


def indexed(memory: Memory) -> None:
    memory.index(ANA, [1, 2, 3, 4])
    memory.run_night(ANA, DAY)


def file_offered(memory: Memory) -> None:
    memory.upload(SECRET_FILE, name=f"{SECRET}.txt")


def read_offered(memory: Memory) -> object:
    return memory.read_file(next(iter(memory.raw_uploads._tickets)))


def import_again(memory: Memory) -> object:
    return memory.append(ANA, "another key", [question(f"My {SECRET} asked what a cell is")])


def import_twice(memory: Memory) -> object:
    event = question(f"My {SECRET} asked what a cell is", session_id="another")
    memory.append(ANA, "before it was stored", [event])
    return memory.append(ANA, "right behind", [event])


#: What runs beside the erasure: how the stage is set, and the job.
JOBS: dict[str, tuple[Callable[[Memory], Any], Job]] = {
    "indexing": (lambda m: None, lambda m: m.index(ANA, [1, 2, 3, 4])),
    "projection": (unprojected, lambda m: m.project(ANA)),
    "re-derivation": (lambda m: None, lambda m: m.rederive(ANA)),
    "first working set": (lambda m: None, lambda m: m.refresh(ANA)),
    "working set": (set_before, lambda m: m.refresh(ANA)),
    "first night": (lambda m: None, lambda m: m.run_night(ANA, DAY)),
    "night again": (indexed, lambda m: m.run_night(ANA, DAY)),
    "import": (lambda m: None, import_again),
    "two imports": (lambda m: None, import_twice),
    "file": (file_offered, read_offered),
    "answer": (lambda m: None, lambda m: m.append(ANA, "k", [answer("It is a cell.")])),
}


def told(memory: Memory) -> list[Episode]:
    """Episodes that tell the secret now."""
    return [e for e in memory.raw_log.episodes[ANA] if e.content and SECRET in repr(e.content)]


def erasure(memory: Memory, scope: str) -> object:
    """Erase what tells the secret."""
    if scope == "subject":
        return memory.erase.subject(ANA, Role.STUDENT, NEVER)
    return [memory.erase.episode(ANA, e.id, Role.STUDENT, NEVER) for e in told(memory)]


def one_question(memory: Memory) -> list[Episode]:
    """The shortest day that tells the secret: where every call meets every call, each costs much."""
    return memory.say(question(f"My {SECRET} asked what a cell is"), key="day")


def beside(
    name: str, scope: str, call: int, at: int | None, day: Callable[[Memory], object] = one_question
) -> tuple[list[str], Memory]:
    """Stop the job at its call, erase until the erasure's call `at`, finish the job, finish the erasure, run a night.

    Returns what the job, or the erasure, called; nothing when one of them ended before its call.
    """
    prepare, job = JOBS[name]
    memory = Memory(semantic_index=MemorySemanticIndex())
    day(memory)
    prepare(memory)
    # With every call of the erasure, the job's writes are enough: before one, all that it has read is as old as can be.
    plan = FaultPlan(call, counted=None if at is None else WRITES, armed=True)
    aside = Aside(lambda: job(twin(memory, plan)))
    plan.meanwhile = aside.stop
    aside.start()
    if aside.ended:
        return [], memory
    resumed = FaultPlan(at, counted=None, armed=True, meanwhile=aside.finish)
    erasure(twin(memory, resumed), scope)
    happened = bool(resumed.failed) or at is None
    aside.finish()
    assert aside.error is None or isinstance(aside.error, AnamnesisError), (plan.failed, aside.error)
    return [*plan.failed, *resumed.failed] if happened else [], memory


def nothing_remains(memory: Memory, where: list[str]) -> None:
    """The schedule's next nights leave no trace."""
    memory.fresh()
    assert nights_by_schedule(memory, 1) == 1
    assert traces(memory) == [], where
    assert memory.verify(ANA).breaks == (), where


@pytest.mark.parametrize(
    "name, scope",
    [
        (name, scope)
        for name in JOBS
        for scope in ("episode", "subject")
        if (name, scope) != ("file", "episode")
    ],
)
def test_a_job_that_was_under_way_brings_nothing_back(name: str, scope: str) -> None:
    """Stopped at any call while an erasure runs, no job brings back what the nights after do not remove (EP-8)."""
    for call in count(1):
        where, memory = beside(name, scope, call, None, secret_day)
        if not where:
            break
        nothing_remains(memory, where)
    assert call > 3


#: Jobs whose every call is tried with every call of the erasure: one for each way into a store.
PAIRED = ("import", "indexing", "first working set", "file")


@pytest.mark.parametrize("name", PAIRED)
def test_no_order_of_steps_brings_anything_back(name: str) -> None:
    """Whatever steps of a job fall between whatever steps of an erasure, the nights after find nothing (EP-8)."""
    orders = 0
    for call in count(1):
        for at in count(1):
            where, memory = beside(name, "subject", call, at)
            if not where:
                break
            nothing_remains(memory, where)
            orders += 1
        if at == 1:
            break
    assert orders > 20


def test_an_event_that_is_recorded_again_meanwhile_goes_too() -> None:
    """An erased event that another call records while it is erased is refused, or is erased with it (EP-8)."""
    for call in count(1):
        # Before its first call the erasure is not under way: what is recorded until then is another episode.
        for at in count(2):
            where, memory = beside("import", "episode", call, at)
            if not where:
                break
            nothing_remains(memory, where)
        if at == 2:
            break
    assert call > 1


def test_a_file_that_is_read_while_nothing_else_is_there() -> None:
    """A log without an episode keeps nothing of a file that is read while all is erased (EP-8)."""
    for call in count(1):
        for at in count(1):
            memory = Memory()
            file_offered(memory)
            plan = FaultPlan(call, armed=True)
            aside = Aside(lambda: read_offered(twin(memory, plan)))  # noqa: B023
            plan.meanwhile = aside.stop
            aside.start()
            if aside.ended:
                break
            resumed = FaultPlan(at, counted=None, armed=True, meanwhile=aside.finish)
            erasure(twin(memory, resumed), "subject")
            aside.finish()
            if not resumed.failed:
                break
            nothing_remains(memory, [*plan.failed, *resumed.failed])
        if at == 1:
            break
    assert call > 5
