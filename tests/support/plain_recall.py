"""Recall's short cuts as one would write them down: each row by itself, all of them in order.

``plainly`` puts these in their place, so that whatever recall finds with its short cuts can be held against what it
finds without them.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from anamnesis.domain.recall import meaning, ranking, relevance
from anamnesis.domain.recall.exchanges import Exchanges
from anamnesis.domain.recall.history import History
from anamnesis.domain.working_set.segments import NO_SIMILARITY, quantise

Rows = npt.NDArray[np.int64]


def cosines(
    history: History, probes: npt.NDArray[np.float32], embedder: str | None
) -> npt.NDArray[np.float32]:
    """Each row's vector with each probe, in integers."""
    found = []
    for segment in history.segments:
        comparable = embedder in {None, segment.embedder} and segment.vectors.shape[1] == probes.shape[1]
        found += [
            [_cosine(row, quantise(p).astype(np.int64)) if comparable else NO_SIMILARITY for p in probes]
            for row in segment.vectors.astype(np.int64)
        ]
    return np.array(found, dtype=np.float32).reshape(len(history), len(probes))


def _cosine(row: Rows, probe: Rows) -> np.float32:
    both = np.sqrt(np.float32(row @ row)) * np.sqrt(np.float32(probe @ probe))
    return np.float32(row @ probe) / both if both > 0 else np.float32(NO_SIMILARITY)


def unit_vectors(history: History, rows: Rows, embedder: str | None) -> npt.NDArray[np.float32]:
    """Of each of the rows that has one, its vector."""
    found = []
    for row in rows.tolist():
        number = max(n for n, first in enumerate(history.first_rows) if first <= row)
        segment = history.segments[number]
        vector = segment.vectors[row - history.first_rows[number]].astype(np.float32)
        if embedder in {None, segment.embedder} and vector.any():
            found.append(vector / np.sqrt(np.float32(np.sum(vector * vector))))
    return np.array(found, dtype=np.float32) if found else np.empty((0, 0), dtype=np.float32)


def median(values: npt.NDArray[np.float32]) -> float:
    """The middle one of all in order, or the mean of two."""
    return float(np.float32(statistics.median(values.tolist())))


def largest(values: npt.NDArray[np.float32], count: int, *, above: float) -> Rows:
    """The first of all in order."""
    told = [(-value, place) for place, value in enumerate(values.tolist()) if value > above]
    return np.array([place for _, place in sorted(told)[:count]], dtype=np.int64)


def at_least_as_large(values: npt.NDArray[Any], count: int) -> Rows:
    """All places: whoever puts them in order then cuts for itself."""
    return np.arange(len(values))


def first_distinct(
    values: npt.NDArray[Any], folds: npt.NDArray[np.uint64], count: int, *, order: Callable[[Rows], Rows]
) -> Rows:
    """All in order, each fold once, then cut."""
    met, found = set(), []
    for place in order(np.arange(len(values))).tolist():
        if folds[place] not in met:
            met.add(folds[place])
            found.append(place)
    return np.array(found[:count], dtype=np.int64)


def rows_with(
    folds: npt.NDArray[np.uint64], wanted: npt.NDArray[np.uint64], among: npt.NDArray[np.bool_]
) -> Rows:
    """Each row's fold looked up."""
    looked_for = set(wanted.tolist())
    rows = [row for row, fold in enumerate(folds.tolist()) if among[row] and fold in looked_for]
    return np.array(rows, dtype=np.int64)


def near(exchanges: Exchanges, rows: Rows, reach: int) -> npt.NDArray[np.bool_]:
    """Each row's distance to each of `rows`."""
    numbers = exchanges.numbers
    return np.array(
        [
            any(abs(row - other) <= reach and numbers[row] == numbers[other] for other in rows.tolist())
            for row in range(len(exchanges))
        ],
        dtype=np.bool_,
    )


@contextmanager
def plainly() -> Iterator[None]:
    """Recall without its short cuts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(History, "cosines", cosines)
        patch.setattr(History, "standing_cosines", cosines)
        patch.setattr(History, "unit_vectors", unit_vectors)
        patch.setattr(Exchanges, "near", near)
        patch.setattr(meaning, "median", median)
        patch.setattr(relevance, "largest", largest)
        patch.setattr(ranking, "at_least_as_large", at_least_as_large)
        patch.setattr(ranking, "first_distinct", first_distinct)
        patch.setattr(ranking, "rows_with", rows_with)
        yield
