"""Vectors that tell of what came right before: made, left out and made anew when that is erased."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import numpy.typing as npt
import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.working_set.segments import quantise, with_vectors
from anamnesis.service.deadline import Deadline
from anamnesis.service.episode_vectors import episode_vectors
from anamnesis.service.history import HistoryReader
from support.memory_platform import MemorySemanticIndex
from support.port_faults import Crash
from support.wired_memory import ANA, NOW, HashEmbedder, Memory, answer, question

NEVER = Deadline.never()
TURNS = ("Why are leaves green?", "Chlorophyll takes the red light.", "And in autumn?", "It is taken apart.")
#: Position of the turn that is erased, and of the one that was embedded with it.
GONE, BEHIND = 2, 3

Vectors = dict[int, npt.NDArray[np.int8]]


def history(*, indexed: bool = True) -> Memory:
    """An exchange of four turns; recall of what was said goes by the set."""
    memory = Memory()
    memory.semantic_index = MemorySemanticIndex()
    memory.fresh()
    makers = (question, answer)
    memory.say(*[makers[n % 2](text, at=NOW + timedelta(minutes=n)) for n, text in enumerate(TURNS)])
    if indexed:
        memory.index(ANA, range(1, len(TURNS) + 1))
    return memory


def as_from_scratch(memory: Memory) -> Vectors:
    """What the vectors of the log are when all of it is embedded now."""
    told = [episode for episode in memory.log.scan(ANA) if episode.content is not None]
    made = episode_vectors(HashEmbedder(memory.embedder.name), told)
    return {position: quantise(vector) for position, vector in made.items()}


def stored(memory: Memory) -> Vectors:
    return memory.records.vectors(ANA, memory.embedder.name)


def in_the_set(memory: Memory) -> Vectors:
    """The working set's vectors by position, without rows that have none."""
    segment = memory.records.working_set(ANA)
    assert segment is not None
    return {n: row for n, row in enumerate(segment.vectors, start=1) if row.any()}


def same(found: Vectors, expected: Vectors) -> bool:
    return found.keys() == expected.keys() and all(np.array_equal(found[p], expected[p]) for p in found)


def erase_turn(memory: Memory) -> Vectors:
    """Erase the second turn; return the vectors that there were."""
    before = as_from_scratch(memory)
    [episode] = memory.log.read(ANA, [GONE])
    assert memory.erase.episode(ANA, episode.id, Role.STUDENT, NEVER).complete
    assert not np.array_equal(as_from_scratch(memory)[BEHIND], before[BEHIND])
    return before


@pytest.mark.parametrize("whole", [True, False], ids=["at once", "one by one"])
def test_however_it_is_indexed_the_vectors_are_the_same(whole: bool) -> None:
    """Indexed at once, one by one, or by the working set alone, an episode has the same vector (RC-1, SV-4)."""
    memory = history(indexed=False)
    for positions in [range(1, 5)] if whole else [[n] for n in (3, 1, 4, 2)]:
        memory.index(ANA, positions)
    assert same(stored(memory), as_from_scratch(memory))
    other = history(indexed=False)
    other.refresh(ANA)
    assert same(in_the_set(other), as_from_scratch(other))
    assert same(stored(other), as_from_scratch(other))


def test_a_vector_that_tells_of_an_erased_episode_goes_with_it() -> None:
    """No store keeps a vector that was made with an erased turn, from the reply to the erasure on (EP-8)."""
    memory = history()
    memory.refresh(ANA)
    before = erase_turn(memory)
    for vectors in (stored(memory), in_the_set(memory)):
        assert not {GONE, BEHIND} & vectors.keys()
        assert np.array_equal(vectors[4], before[4])


def test_what_came_behind_is_embedded_anew() -> None:
    """Once the erased row's change comes by, and by the night at the latest, nothing lacks a vector (EP-8, SV-14)."""
    memory = history()
    memory.refresh(ANA)
    erase_turn(memory)
    memory.index(ANA, [GONE])
    assert same(stored(memory), as_from_scratch(memory))
    assert isinstance(memory.semantic_index, MemorySemanticIndex)
    found = memory.semantic_index._vectors[ANA]
    assert same({p: quantise(v) for p, v in found.items()}, as_from_scratch(memory))
    memory.run_night(ANA, NOW.date())
    assert same(in_the_set(memory), as_from_scratch(memory))
    alone = history()
    erase_turn(alone)
    alone.run_night(ANA, NOW.date())
    assert same(in_the_set(alone), as_from_scratch(alone))


def test_while_an_erasure_is_under_way_nothing_tells_of_it() -> None:
    """A turn, and a set that is published, have no vector made with what is being erased (EP-8)."""
    memory = history()
    memory.refresh(ANA)
    memory.say(question("Is that all?", at=NOW + timedelta(minutes=4)))
    memory.index(ANA, [5])
    [episode] = memory.log.read(ANA, [4])
    # The deletion record is the first write.
    memory.plan.call, memory.plan.armed = 2, True
    with pytest.raises(Crash):
        memory.erase.episode(ANA, episode.id, Role.STUDENT, NEVER)
    memory.plan.disarm()
    with ThreadPoolExecutor(2) as threads:
        reader = HistoryReader(memory.log, memory.records, memory.embedder, threads, memory.withheld)
        segments = reader.load(ANA).segments
    rows = np.concatenate([segment.vectors.any(axis=1) for segment in segments])
    assert rows.tolist() == [True, True, True, False, False]
    memory.refresh(ANA)
    [last] = memory.log.read(ANA, [5])
    alone = quantise(episode_vectors(HashEmbedder(), [last])[5])
    assert np.array_equal(in_the_set(memory)[5], alone)


def test_a_late_vector_is_cleared_by_a_night() -> None:
    """A vector that a dying process saved just after the erasure is gone when the erasure is swept (EP-8)."""
    memory = history()
    memory.refresh(ANA)
    before = erase_turn(memory)
    late = {BEHIND: before[BEHIND]}
    memory.records.save_vectors(ANA, late, memory.embedder.name)
    segment = memory.records.working_set(ANA)
    assert segment is not None
    memory.records.save_working_set(ANA, with_vectors(segment, late))
    assert np.array_equal(in_the_set(memory)[BEHIND], before[BEHIND])
    memory.clock.advance(days=1)
    memory.run_night(ANA, NOW.date() + timedelta(days=1))
    assert same(in_the_set(memory), as_from_scratch(memory))
    assert same(stored(memory), as_from_scratch(memory))
