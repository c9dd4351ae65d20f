"""The working set and the index behind it: complete, extended, rebuilt, never lost to a gap."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import numpy as np
import pytest

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.gaps import MAX_GAP
from anamnesis.domain.working_set.segments import similarities, without_vectors
from anamnesis.ports import RecordStore
from anamnesis.service import history as history_module
from anamnesis.service.history import HistoryReader
from anamnesis.service.index_episodes import LOOK_EVERY, TAIL_BOUND
from anamnesis.service.refresh_working_set import CHUNK
from support.memory_platform import MemorySemanticIndex
from support.port_faults import Crash, every_fault
from support.wired_memory import ANA, BEN, NOW, HashEmbedder, Memory, answer, question


def filled(memory: Memory, count: int, *, start: int = 0) -> None:
    for first in range(start, start + count, 50):
        memory.say(
            *[
                question(f"What is thing {n}?", at=NOW + timedelta(minutes=n))
                for n in range(first, min(first + 50, start + count))
            ]
        )


def texts_of(count: int) -> int:
    """Texts that are embedded of so many episodes of one exchange: each, and each behind the one before it."""
    return 2 * count - 1


def loaded(memory: Memory) -> list[int]:
    """Positions that a turn sees."""
    with ThreadPoolExecutor(2) as threads:
        segments = (
            HistoryReader(memory.log, memory.records, memory.embedder, threads, memory.withheld)
            .load(ANA)
            .segments
        )
    return [p for s in segments for p in range(s.first_position, s.last_position + 1)]


def test_the_set_covers_the_log_and_every_vector() -> None:
    """A refresh covers every episode, embedding those that no indexing run has embedded (NI-1)."""
    memory = Memory()
    filled(memory, 3)
    memory.index(ANA, [1, 2])
    segment = memory.refresh(ANA)
    assert segment.last_position == 3
    assert segment.vectors.any(axis=1).all()
    query = memory.embedder.embed_query("What is thing 2?")
    assert int(np.argmax(similarities(segment, query))) == 2


def test_equal_texts_are_embedded_once() -> None:
    """Of a batch's texts, alone and behind what came before, equal ones are embedded once (SV-4)."""
    for indexed in (lambda memory: memory.index(ANA, range(1, 5)), lambda memory: memory.refresh(ANA)):
        memory = Memory()
        memory.say(*[question(text) for text in ("What is a cell?", "Why?", "What is a cell?", "Why?")])
        indexed(memory)
        assert cast(HashEmbedder, memory.embedder).passages == 4
        vectors = memory.records.vectors(ANA, memory.embedder.name, after=0, up_to=4)
        assert sorted(vectors) == [1, 2, 3, 4]
        assert np.array_equal(vectors[2], vectors[4])
        assert not np.array_equal(vectors[1], vectors[3])
        assert not np.array_equal(vectors[1], vectors[2])


def test_extending_equals_building_at_once() -> None:
    """A set extended night by night equals one built at once; with nothing new nothing is published (NI-2)."""
    grown, whole = Memory(), Memory()
    for start in (0, 7, 14):
        filled(grown, 7, start=start)
        grown.refresh(ANA)
        filled(whole, 7, start=start)
    a, b = grown.refresh(ANA), whole.refresh(ANA)
    for field in ("ids", "occurred", "kinds", "folds", "vectors", "lengths"):
        assert np.array_equal(getattr(a, field), getattr(b, field)), field
    grown.plan.armed = True
    grown.refresh(ANA)
    assert grown.plan.calls == []


def test_the_tail_is_bounded() -> None:
    """Indexing one by one, as the stream does, extends the set soon after the tail is longer than its bound (SV-4)."""
    memory = Memory()
    filled(memory, TAIL_BOUND + LOOK_EVERY)
    for position in range(1, TAIL_BOUND + LOOK_EVERY):
        memory.index(ANA, [position])
        if position == TAIL_BOUND:
            assert memory.records.working_set(ANA) is not None
    stored = memory.records.working_set(ANA)
    assert stored is not None
    assert stored.last_position == TAIL_BOUND + LOOK_EVERY
    filled(memory, TAIL_BOUND, start=TAIL_BOUND + LOOK_EVERY)
    memory.index(ANA, [2 * TAIL_BOUND + LOOK_EVERY])
    assert memory.records.working_set(ANA) == stored
    filled(memory, 25, start=2 * TAIL_BOUND + LOOK_EVERY)
    memory.index(ANA, [2 * TAIL_BOUND + 2 * LOOK_EVERY])
    extended = memory.records.working_set(ANA)
    assert extended is not None
    assert extended.last_position == 2 * TAIL_BOUND + 2 * LOOK_EVERY


def test_the_set_is_not_loaded_for_every_episode() -> None:
    """Indexing one by one looks at the working set once in a stated number of episodes (SV-5)."""
    memory = Memory()
    filled(memory, 4 * LOOK_EVERY)
    memory.refresh(ANA)
    memory.plan.counted, memory.plan.armed = frozenset({"working_set"}), True
    for position in range(1, 4 * LOOK_EVERY + 1):
        memory.index(ANA, [position])
    assert len(memory.plan.calls) == 4


def test_indexing_reaches_the_external_index() -> None:
    """What is embedded is indexed outside as well, per pair, and doing it twice replaces equal by equal (SV-14)."""
    index = MemorySemanticIndex()
    memory = Memory(semantic_index=index)
    filled(memory, 3)
    memory.say(question("Mine"), pair=BEN)
    for _ in range(2):
        assert memory.index(ANA, [1, 2, 3, 9]) == 3
    query = memory.embedder.embed_query("What is thing 1?")
    assert index.neighbours(ANA, query, 1, timeout_seconds=1)[0][0] == 2
    assert index.neighbours(BEN, query, 9, timeout_seconds=1) == []


def test_another_embedder_rebuilds_everything() -> None:
    """When the embedder changes, a refresh embeds the history anew, and until then its words still serve (CM-3)."""
    memory = Memory()
    filled(memory, 5)
    memory.refresh(ANA)
    memory.embedder = HashEmbedder("words 2")
    memory.fresh()
    filled(memory, 2, start=5)
    assert loaded(memory) == [1, 2, 3, 4, 5, 6, 7]
    segment = memory.refresh(ANA)
    assert (segment.embedder, segment.first_position, segment.last_position) == ("words 2", 1, 7)
    assert memory.embedder.passages == texts_of(7)
    stored = memory.records.working_set(ANA)
    assert stored is not None
    assert stored.embedder == "words 2"


def test_every_crash_while_refreshing_is_healed() -> None:
    """Whichever write a refresh dies at, the next one ends in the same set (NI-2)."""
    for plan in every_fault():
        memory = Memory(plan)
        filled(memory, 4)
        plan.armed = True
        try:
            memory.refresh(ANA)
        except Crash:
            memory.fresh()
        plan.armed = False
        segment = memory.refresh(ANA)
        assert segment.last_position == 4
        assert segment.vectors.any(axis=1).all()
        stored = memory.records.working_set(ANA)
        assert stored is not None
        assert stored.last_position == 4


def test_a_removed_row_ends_neither_nights_nor_reading() -> None:
    """When somebody removed a row, the set keeps an empty place for it and turns see all the others (EP-4, SV-14)."""
    memory = Memory()
    filled(memory, 6)
    del memory.raw_log.episodes[ANA][2]
    assert loaded(memory) == [1, 2, 4, 5, 6]
    segment = memory.refresh(ANA)
    assert len(segment.occurred) == 6
    assert not segment.vectors[2].any()
    assert 3 in [b.position for b in memory.verify(ANA).breaks]


def test_a_row_behind_a_chasm_ends_neither_nights_nor_reading() -> None:
    """A row forged far behind the log costs the set no empty place, even when the head was moved over it (EP-4)."""
    memory = Memory()
    filled(memory, 3)
    log = memory.raw_log.episodes[ANA]
    log.append(replace(log[-1], position=3 + MAX_GAP + 1))
    assert memory.refresh(ANA).last_position == 3
    log[-1] = replace(log[-1], position=10**12 - 1)
    assert memory.refresh(ANA).last_position == 3
    assert loaded(memory) == [1, 2, 3, 10**12 - 1]


def test_a_row_beyond_the_head_is_not_indexed() -> None:
    """A row that somebody added behind the head does not get into the set (EP-4)."""
    memory = Memory()
    filled(memory, 2)

    class Inserted:
        def __getattr__(self, name: str) -> object:
            return getattr(memory.raw_log, name)

        def scan(self, pair: object, **how: object) -> object:
            rows = list(memory.raw_log.scan(pair, **how))
            return iter([*rows, replace(rows[-1], position=10**9)] if rows else rows)

    tampered = Memory(replace={"log": lambda _: Inserted(), "records": lambda _: memory.raw_records})
    assert tampered.refresh(ANA).last_position == 2


def test_a_long_tail_shows_its_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    """When indexing lags behind the longest tail, a turn sees the beginning and the latest of it (RC-1)."""
    monkeypatch.setattr(history_module, "TAIL_LIMIT", 10)
    monkeypatch.setattr(history_module, "LATEST_LIMIT", 5)
    memory = Memory()
    filled(memory, 35)
    assert loaded(memory) == [*range(1, 11), *range(31, 36)]
    memory.index(ANA, [*range(1, 36)])
    with ThreadPoolExecutor(2) as threads:
        segments = (
            HistoryReader(memory.log, memory.records, memory.embedder, threads, memory.withheld)
            .load(ANA)
            .segments
        )
    assert all(segment.vectors.any(axis=1).all() for segment in segments)
    memory.refresh(ANA)
    filled(memory, 3, start=35)
    assert loaded(memory) == list(range(1, 39))


def test_a_tail_of_long_texts_is_bounded_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the texts behind the set are, a turn indexes a stated number of bytes (SV-4)."""
    memory = Memory()
    for n in range(20):
        memory.say(answer(f"osmosis {n:02d} " * 10, at=NOW + timedelta(minutes=n)))
    (first,) = memory.log.read(ANA, [1])
    assert first.content is not None
    each = len(first.content.text) + len(first.content.summary)
    assert loaded(memory) == list(range(1, 21))
    monkeypatch.setattr(history_module, "TAIL_BYTES", 8 * each + 1)
    assert loaded(memory) == [1, 2, 3, 4, 17, 18, 19, 20]
    monkeypatch.setattr(history_module, "TAIL_BYTES", 2 * each)
    assert loaded(memory) == [1, 20]


class Killed(HashEmbedder):
    """An embedder in whose process only so many batches are made before it is killed."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        self.batches = batches

    def embed_passages(self, texts: Sequence[str]) -> Any:
        if self.batches == 0:
            raise Crash
        self.batches -= 1
        return super().embed_passages(texts)


def test_a_killed_refresh_makes_lasting_progress() -> None:
    """However soon refreshes are killed, words are found from the first on, and nothing is embedded twice (SV-14)."""
    memory = Memory()
    total = 3 * CHUNK + 10
    filled(memory, total)
    made, lacking = 0, [total]
    while lacking[-1]:
        memory.embedder = killed = Killed(batches=1)
        memory.fresh()
        try:
            memory.refresh(ANA)
        except Crash:
            assert killed.passages > 0
        made += killed.passages
        stored = memory.records.working_set(ANA)
        assert stored is not None
        assert stored.last_position == total
        lacking.append(len(without_vectors(stored)))
    assert made == texts_of(total)
    assert sorted(set(lacking), reverse=True) == [total, total - CHUNK, total - 2 * CHUNK, 10, 0]


def test_publications_are_few() -> None:
    """Building a long set publishes it early and then in growing steps, so that little is written twice (SV-5)."""
    memory = Memory()
    filled(memory, 12 * CHUNK)
    memory.plan.counted, memory.plan.armed = frozenset({"save_working_set"}), True
    memory.refresh(ANA)
    assert 4 < len(memory.plan.calls) < 9


def test_an_imported_history_is_covered_while_it_is_indexed() -> None:
    """One look at a backlog covers all its words, the next ones its meaning; nothing is embedded twice (SV-4)."""
    memory = Memory()
    total = 5 * CHUNK
    filled(memory, total)
    seen = []
    for position in range(1, total + 1):
        memory.index(ANA, [position])
        if position % LOOK_EVERY == 0:
            stored = memory.records.working_set(ANA)
            assert stored is not None
            seen.append((stored.last_position, len(without_vectors(stored))))
    assert seen[:5] == [(total, max(0, total - LOOK_EVERY - n * CHUNK)) for n in range(1, 6)]
    assert cast(HashEmbedder, memory.embedder).passages == texts_of(total)


def test_a_warm_process_keeps_the_set() -> None:
    """A warm process loads a working set once and again only when another version is published (RC-1)."""
    memory, asked = Memory(), []

    class Watched:
        """The record store, noting which version the reader knows already."""

        def __getattr__(self, name: str) -> Any:
            return getattr(memory.raw_records, name)

        def working_set(self, pair: Pair, *, known: Segment | None = None) -> Segment | None:
            asked.append(known.version if known else None)
            return memory.raw_records.working_set(pair, known=known)

    filled(memory, 3)
    memory.refresh(ANA)
    with ThreadPoolExecutor(2) as threads:
        reader = HistoryReader(
            memory.log, cast(RecordStore, Watched()), memory.embedder, threads, memory.withheld
        )
        first, second = reader.load(ANA), reader.load(ANA)
        filled(memory, 1, start=3)
        memory.refresh(ANA)
        third = reader.load(ANA)
    assert second.segments[0] is first.segments[0]
    assert third.segments[0].last_position == 4
    assert asked == [None, first.segments[0].version, first.segments[0].version]


def test_no_episodes_no_segments() -> None:
    """A pair without episodes has no segments and refreshing it publishes nothing (BL-6)."""
    memory = Memory()
    assert loaded(memory) == []
    memory.refresh(ANA)
    assert memory.records.working_set(ANA) is None


def test_an_answer_is_embedded_by_its_beginning() -> None:
    """A text of a million characters is indexed without being loaded whole (SV-12)."""
    memory = Memory()
    memory.say(answer("osmosis " * 125_000))
    assert memory.index(ANA, [1]) == 1
    assert memory.refresh(ANA).vectors[0].any()
