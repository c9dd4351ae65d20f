"""Beliefs and the student's layer after contents of the log were erased."""

from __future__ import annotations

from typing import Any

import pytest

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.log.episodes import Episode
from support.memory_stores import MemoryBeliefStore
from support.port_faults import Crash, every_fault
from support.projections import (
    SAVES,
    TEACHING,
    believed,
    early_checks,
    erase,
    meant,
    read,
    replayed,
    stored,
)
from support.wired_memory import ANA, Memory, check, question


def test_an_erased_check_leaves_no_belief() -> None:
    """A belief that rested on an erased check is deleted, and what the other checks say takes its place (EP-8)."""
    memory = Memory()
    memory.add_file()
    first, second, third = memory.say(check("Osmosis"), check("Osmosis", correct=False), check("Osmosis"))
    (other,) = memory.say(check("Cytoplasm"))
    kept = believed(memory)["cytoplasm"]
    erase(memory, second)
    memory.project(ANA)
    assert believed(memory) == replayed([(first, "osmosis"), (third, "osmosis"), (other, "cytoplasm")])
    assert believed(memory)["cytoplasm"] == kept
    assert second.id not in repr(stored(memory))
    erase(memory, first, third)
    memory.project(ANA)
    assert believed(memory) == {"cytoplasm": kept}
    assert memory.raw_concepts.layer(ANA).confirmed == {"cytoplasm"}
    assert not any(e.id in repr(stored(memory)) for e in (first, second, third))


def test_an_erased_teaching_leaves_no_name() -> None:
    """What only an erased teaching named is in no belief and no layer, not even after the next erasure (EP-8)."""
    memory = Memory()
    memory.add_file()
    (taught,) = memory.say(question(TEACHING))
    tested, *_ = memory.say(check("Lunar tides"), check("Lunar tides"), check("Osmosis"))
    assert "lunar tide" in believed(memory)
    erase(memory, taught)
    for _ in range(2):
        memory.project(ANA)
        assert believed(memory).keys() == {"osmosis"}
        assert "lunar" not in repr(stored(memory)).lower()
        erase(memory, tested)
    assert memory.rederive(ANA).made == 0
    assert "lunar" not in repr(stored(memory)).lower()


def test_what_somebody_else_names_as_well_stays() -> None:
    """A concept that another teaching or a file names too is believed on, under their spelling of it (EP-8)."""
    memory = Memory()
    memory.add_file()
    (first,) = memory.say(question("Remember that LUNAR TIDES are pulled by the moon."))
    memory.say(question(TEACHING), check("Lunar tides"))
    assert [row.concept_name for row in memory.raw_beliefs.current(ANA)] == ["LUNAR TIDES"]
    erase(memory, first)
    memory.project(ANA)
    assert [row.concept_name for row in memory.raw_beliefs.current(ANA)] == ["Lunar tides"]
    assert "LUNAR" not in repr(stored(memory))


def test_an_erasure_undoes_no_rederivation() -> None:
    """What was believed because checks were tied anew is believed on when something else is erased (BE-4, EP-8)."""
    memory = Memory()
    early_checks(memory)
    memory.rederive(ANA)
    before, layer = believed(memory), memory.raw_concepts.layer(ANA)
    assert "photosynthesis" in before
    (said,) = memory.say(question())
    erase(memory, said)
    memory.project(ANA)
    assert (believed(memory), memory.raw_concepts.layer(ANA)) == (before, layer)


def test_beliefs_on_a_deleted_file_outlive_an_erasure() -> None:
    """Erasing something else retires no belief about a concept whose file was deleted (CM-8, EP-8)."""
    memory = Memory()
    file = memory.add_file()
    (said,) = memory.say(question())
    memory.say(check("Osmosis"), check("Cytoplasm"))
    memory.delete_file(Caller("school", "ana", Role.STUDENT), ANA, file.id)
    before, layer = believed(memory), memory.raw_concepts.layer(ANA)
    erase(memory, said)
    memory.project(ANA)
    assert (believed(memory), memory.raw_concepts.layer(ANA)) == (before, layer)


def test_whoever_looks_rebuilds_first() -> None:
    """Lists, map and appends work while a rebuild is due, and show nothing that was erased (EP-8)."""
    for look in (
        lambda memory: memory.list_beliefs(ANA, history=True),
        lambda memory: memory.view_map(ANA).layer,
        lambda memory: memory.say(check("Cytoplasm")),
    ):
        memory = Memory()
        memory.add_file()
        (taught,) = memory.say(question("Remember that we call osmosis the water walk."))
        memory.say(check("Osmosis"))
        erase(memory, taught)
        assert "water walk" not in repr(look(memory))
        assert memory.raw_concepts.layer(ANA).taught == {}
        assert "osmosis" in believed(memory)


def test_what_was_read_before_an_erasure_is_never_stored_after_it() -> None:
    """A projector that had read what was erased meanwhile cannot store what it made of it (EP-8, SV-14)."""
    memory = Memory()
    memory.add_file()
    (tested,) = memory.say(check("Osmosis"))
    memory.raw_beliefs = MemoryBeliefStore()  # nothing is projected yet
    memory.beliefs = memory.plan.wrap(memory.raw_beliefs)
    memory.fresh()
    scan, erased = memory.raw_log.scan, list[Episode]()

    def scan_then_erase(*args: Any, **options: Any) -> Any:
        yield from list(scan(*args, **options))
        if not erased:
            erased.append(tested)
            erase(memory, tested)
            memory.project(ANA)

    memory.raw_log.scan = scan_then_erase  # type: ignore[method-assign]
    memory.project(ANA)
    assert erased
    assert tested.id not in repr(stored(memory))
    assert memory.raw_beliefs.projected_to(ANA).erasures == 1


def test_every_cut_of_a_rebuild_is_taken_up() -> None:
    """Whichever save a rebuild dies at, the next call ends in the state of one without a crash (EP-8, SV-14)."""

    def erasing(memory: Memory) -> None:
        early_checks(memory)
        episodes = {e.content.text: e for e in read(memory) if e.content}
        erase(memory, episodes[TEACHING], episodes["Explain Cytoplasm"], episodes["Explain Osmosis"])

    expected = Memory()
    erasing(expected)
    expected.project(ANA)
    for plan in every_fault(counted=SAVES):
        memory = Memory(plan)
        erasing(memory)
        plan.armed = True
        try:
            memory.project(ANA)
        except Crash:
            memory.fresh()
        plan.armed = False
        memory.project(ANA)
        assert meant(memory) == meant(expected), plan.failed


def test_a_store_that_is_down_leaves_the_rebuild_to_the_next_call() -> None:
    """While beliefs cannot be stored nobody is shown the old ones, and the next call rebuilds (EP-8, SV-14)."""
    plan = next(every_fault(error=lambda: StoreUnavailable("down"), counted=SAVES))
    memory = Memory(plan)
    memory.add_file()
    (tested,) = memory.say(check("Osmosis"))
    erase(memory, tested)
    plan.armed = True
    assert not memory.project.quietly(ANA)
    plan.times = 100
    with pytest.raises(StoreUnavailable):
        memory.list_beliefs(ANA, history=False)
    plan.armed = False
    assert memory.list_beliefs(ANA, history=True) == []
