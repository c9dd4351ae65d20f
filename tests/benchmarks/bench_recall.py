"""How long recall takes over long histories. Not part of the tests: ``pytest tests/benchmarks/bench_recall.py``."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.recall import WEIGHTS, RecallQuery, Weights, recall
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import build_segment, concatenate, quantise, similarities
from support.recall_histories import FLOOR, MATCH, NOW, asking, episode

DIMENSION = 384
BLOCK = 5_000
WORDS_PER_EPISODE = 60
VOCABULARY = 5_000


def _episodes(count: int) -> list[Episode]:
    """Episodes of words that follow Zipf's law, five minutes apart."""
    random = np.random.default_rng(1)
    frequency = 1 / np.arange(1, VOCABULARY + 1)
    drawn = random.choice(VOCABULARY, size=(count, WORDS_PER_EPISODE), p=frequency / frequency.sum())
    return [
        episode(
            row + 1,
            " ".join(f"w{word}" for word in words),
            kind=("question", "answer")[row % 2],
            at=NOW - timedelta(minutes=5 * (100_000 - row)),
            concepts=[f"c{row % 40}"],
        )
        for row, words in enumerate(drawn.tolist())
    ]


@cache
def _history(count: int) -> Segment:
    """A history of any length out of one block of episodes, each repeat with folds of its own."""
    vectors = quantise(np.random.default_rng(2).normal(size=(BLOCK, DIMENSION)).astype(np.float32))
    block = build_segment(
        _episodes(BLOCK),
        first_position=1,
        vectors=dict(enumerate(vectors, start=1)),
        embedder="bench",
        dimension=DIMENSION,
    )
    history = block
    for repeat in range(1, count // BLOCK):
        following = replace(
            block, first_position=history.last_position + 1, folds=block.folds + np.uint64(repeat)
        )
        history = concatenate(history, following)
    return history


def _question() -> RecallQuery:
    vector = np.random.default_rng(3).normal(size=DIMENSION).astype(np.float32)
    return asking("w3 w77 w500 w1200 w4000", vector=vector, concepts=("c3", "c7"))


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS.keys())
@pytest.mark.parametrize("count", [5_000, 10_000, 100_000])
def test_recall(benchmark: BenchmarkFixture, count: int, weights: Weights) -> None:
    """A question by words, concepts and meaning over the whole history (RC-1)."""
    history, query = _history(count), _question()
    found = benchmark(
        recall, [history], query, limit=30, embedder_floor=FLOOR, match_threshold=MATCH, weights=weights
    )
    assert found.matched


@pytest.mark.parametrize("count", [10_000, 100_000])
def test_latest(benchmark: BenchmarkFixture, count: int) -> None:
    """The latest past, when nothing is asked (RC-3)."""
    history, query = _history(count), asking("", asks_something=False)
    found = benchmark(recall, [history], query, limit=30, embedder_floor=FLOOR, match_threshold=MATCH)
    assert len(found.memories) == 30


@pytest.mark.parametrize("count", [10_000, 100_000])
def test_similarities(benchmark: BenchmarkFixture, count: int) -> None:
    """Exact search over every vector (RC-1)."""
    vector = _question().vector
    assert vector is not None
    assert len(benchmark(similarities, _history(count), vector)) == count


def test_building_a_tail(benchmark: BenchmarkFixture) -> None:
    """The segment that the read path builds out of the 200 episodes since the night (RC-1)."""
    tail = _episodes(200)
    built = benchmark(
        build_segment, tail, first_position=1, vectors={}, embedder="bench", dimension=DIMENSION
    )
    assert built.last_position == 200
