"""What recall promises for every history."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.recall import RecallQuery
from anamnesis.domain.working_set.segments import quantise
from support.recall_histories import NOW, asking, direction, episode, positions, recalled, segment

WORDS = ["osmosis", "cell", "wall", "осмос", "光合作用", "volcano", "sonata", "cell wall osmosis"]
KINDS = ["question", "answer", "check", "taught", "file", "consolidation"]
WINDOW = ((NOW - timedelta(days=200)).timestamp(), (NOW - timedelta(days=20)).timestamp())


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Episode], dict[int, np.ndarray]]:
    episodes, vectors = [], {}
    for position in range(1, draw(st.integers(1, 25)) + 1):
        kind = draw(st.sampled_from(KINDS))
        episodes.append(
            episode(
                position,
                " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))),
                kind=kind,
                days_ago=draw(st.integers(-5, 400)) + draw(st.sampled_from([0, 0.001])),
                concepts=draw(st.lists(st.sampled_from(["osmosis", "cell"]), max_size=2)),
                correct=draw(st.booleans()) if kind == "check" else None,
                about_record=draw(st.integers(0, 9)) == 0,
                erased=draw(st.integers(0, 9)) == 0,
            )
        )
        if draw(st.booleans()):
            vectors[position] = quantise(
                direction(*draw(st.lists(st.integers(1, 9), min_size=3, max_size=3)))
            )
    return episodes, vectors


@st.composite
def queries(draw: st.DrawFn) -> RecallQuery:
    return asking(
        draw(st.sampled_from([*WORDS, "", "quantum"])),
        vector=draw(st.sampled_from([None, direction(1), direction(3, 1, 2)])),
        concepts=draw(st.sampled_from([(), ("osmosis",), ("osmosis", "cell")])),
        window=draw(st.sampled_from([None, WINDOW])),
        asks_something=draw(st.booleans()),
    )


@settings(deadline=None)
@given(histories(), queries(), st.lists(st.integers(0, 25), max_size=3), st.randoms(use_true_random=False))
def test_how_a_history_is_cut_changes_nothing(
    history: tuple[list[Episode], dict[int, np.ndarray]], query: RecallQuery, cuts: list[int], order: Random
) -> None:
    """Any split into segments, handed over in any order, recalls the same memories with the same scores (RC-1)."""
    episodes, vectors = history
    edges = sorted({0, len(episodes), *(min(cut, len(episodes)) for cut in cuts)})
    pieces = [segment(episodes[a:b], vectors, a + 1) for a, b in pairwise(edges)]
    order.shuffle(pieces)
    assert recalled(pieces, query) == recalled([segment(episodes, vectors)], query)


@settings(deadline=None)
@given(histories(), queries())
def test_every_memory_is_one_that_may_be_told(
    history: tuple[list[Episode], dict[int, np.ndarray]], query: RecallQuery
) -> None:
    """Nothing erased, about the record, in the future or outside the window is recalled, and nothing twice (RC-5)."""
    episodes, vectors = history
    found = recalled([segment(episodes, vectors)], query)
    for memory in found.memories:
        told = episodes[memory.position - 1]
        assert memory.id == told.id
        assert told.content is not None
        assert not told.about_record
        assert told.occurred_at <= NOW
        if query.window:
            assert query.window[0] <= told.occurred_at.timestamp() < query.window[1]
        assert 0 <= memory.relevance <= 1
        assert 0 <= memory.recency <= 1
    assert len(set(positions(found))) == len(found.memories)
    if found.window_empty:
        assert not found.memories


@settings(deadline=None)
@given(histories(), queries())
def test_the_gate_lets_through_matches_only(
    history: tuple[list[Episode], dict[int, np.ndarray]], query: RecallQuery
) -> None:
    """When something was asked and matched, every memory matches by a pool, and the best come first (RC-3)."""
    found = recalled([segment(*history)], replace(query, asks_something=True))
    if found.matched:
        assert all(memory.matched_by for memory in found.memories)
        scores = [memory.score for memory in found.memories]
        assert scores == sorted(scores, reverse=True)
    else:
        assert not any(memory.matched_by for memory in found.memories)


@settings(deadline=None)
@given(histories(), queries(), st.integers(1, 5))
def test_a_lower_limit_is_a_beginning(
    history: tuple[list[Episode], dict[int, np.ndarray]], query: RecallQuery, limit: int
) -> None:
    """Fewer memories are the best of more (RC-1)."""
    segments = [segment(*history)]
    assert recalled(segments, query, limit=limit).memories == recalled(segments, query).memories[:limit]


@settings(deadline=None)
@given(histories(), queries())
def test_memories_and_their_repeats_add_up(
    history: tuple[list[Episode], dict[int, np.ndarray]], query: RecallQuery
) -> None:
    """With nothing asked, the memories and the repeats they stand for are all there is to tell (RC-4)."""
    listing = replace(query, asks_something=False)
    folded = recalled([segment(*history)], listing, limit=100)
    unfolded = recalled([segment(*history)], listing, limit=100, switch_off=frozenset({"folding"}))
    assert sum(memory.repeats + 1 for memory in folded.memories) == len(unfolded.memories)
