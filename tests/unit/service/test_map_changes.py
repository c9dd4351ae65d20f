"""What is done again when a file or a student changes something, in calls of the stores."""

from __future__ import annotations

from collections.abc import Callable

from anamnesis.domain.access import Caller, Role
from support.wired_memory import ANA, BEN, CHAPTER, Memory, check

TEACHER = Caller("school", None, Role.TEACHER)


def calls(memory: Memory, act: Callable[[], object]) -> list[str]:
    """The ports' methods that an act calls, in order."""
    memory.plan.calls, memory.plan.counted, memory.plan.armed = [], None, True
    act()
    memory.plan.disarm()
    return [name.rpartition(".")[2] for name in memory.plan.calls]


def test_a_students_check_leaves_the_shared_map_alone() -> None:
    """A passed check changes one student's layer: the shared map is not merged or loaded again (CM-9)."""
    memory = Memory()
    memory.add_file()
    before, others = memory.view_map(ANA), memory.view_map(BEN)
    made = calls(memory, lambda: (memory.say(check("Osmosis")), memory.view_map(ANA)))
    assert not {"contributions", "save_map", "files", "update_file", "save_contribution"} & set(made)
    after = memory.view_map(ANA)
    assert after.subject_map.concepts is before.subject_map.concepts
    assert after.readiness > before.readiness
    assert memory.view_map(BEN) == others


def test_an_event_that_comes_again_merges_nothing() -> None:
    """A duplicate of a read file's event finds the map published and neither reads files' sayings nor stores (CM-1)."""
    memory = Memory()
    _, key = memory.upload()
    assert {"contributions", "save_map"} <= set(calls(memory, lambda: memory.read_file(key)))
    again = calls(memory, lambda: memory.read_file(key))
    assert not {"contributions", "save_map", "update_file", "save_contribution", "fetch"} & set(again)


def test_one_file_that_changes_is_the_only_one_read() -> None:
    """A new, a replaced and a deleted file of several make the map anew and no other file is read (CM-1, CM-8)."""
    memory = Memory()
    for number in range(5):
        memory.add_file(CHAPTER + f"\fOwn {number}: Only here.".encode(), name=f"{number}.txt")
    passes = memory.concept_reader.passes
    record = memory.add_file(b"Diffusion: Particles spread.", name="3.txt")
    assert memory.concept_reader.passes == passes + 1
    made = calls(memory, lambda: memory.delete_file(TEACHER, ANA, record.id))
    assert made.count("contributions") == made.count("save_map") == 1
    assert memory.concept_reader.passes == passes + 1
    keys = {concept.key for concept in memory.view_map(ANA).subject_map.concepts}
    assert keys == {"cytoplasm", "mitochondria", "osmosis", "own 0", "own 1", "own 2", "own 4"}
