"""How long a map takes to merge and to view. Not part of the tests: ``pytest tests/benchmarks/bench_maps.py``.

Peak memory and the published size are in each benchmark's extra info (``--benchmark-json``).
"""

from __future__ import annotations

import tracemalloc
from functools import cache

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from anamnesis.adapters.concept_format import map_from_bytes, map_to_bytes
from anamnesis.domain.concepts import (
    Contribution,
    ExtractedConcept,
    Extraction,
    StudentLayer,
    SubjectMap,
    TaughtNote,
)
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.readiness import concept_readiness, subject_readiness, with_layer
from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.identifiers import SubjectScope

DIMENSION = 384
PER_FILE = 60
#: Files that explain a concept, on average.
OVERLAP = 3
SYLLABLES = [consonant + vowel for consonant in "bcdfglmnprstv" for vowel in "aeiou"]


def _word(seed: int) -> str:
    return "".join(np.random.default_rng(seed).choice(SYLLABLES, size=4))


@cache
def _contributions(count: int) -> tuple[Contribution, ...]:
    """Files of 60 concepts in two languages; vectors as crowded as an E5 model's."""
    random = np.random.default_rng(1)
    files = count * OVERLAP // PER_FILE
    centre = random.normal(size=DIMENSION) * 1.9
    meanings = 0.6 * random.normal(size=(count, DIMENSION)) + centre
    names = [f"{_word(row)} {_word(row + 7)}" for row in range(count)]
    made = []
    for file in range(files):
        rows = [(file * count // files + step) % count for step in range(PER_FILE)]
        language = "en" if file % 2 else "es"
        here = [names[row] + ("" if language == "en" else "o") for row in rows]
        concepts = tuple(
            ExtractedConcept(
                name=name,
                gist=f"The gist of {name} is what a sentence says about it.",
                definition=f"A definition of {name} that is somewhat longer than the gist is, as in a book.",
                builds_on=tuple(here[max(0, place - 3) : place]),
                assumed=(f"assumed {place % 9}",),
                pages=(place + 1,),
            )
            for place, name in enumerate(here)
        )
        vectors = meanings[rows] + 0.2 * random.normal(size=(PER_FILE, DIMENSION))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        made.append(
            Contribution(
                file_id=f"file {file:04}",
                fingerprint=f"{file:064x}",
                extraction=Extraction(language, "bench", concepts, ()),
                keys=tuple(map(canonical_key, here)),
                vectors=vectors.astype(np.float32),
                embedder="bench",
            )
        )
    return tuple(made)


def _built(count: int) -> SubjectMap:
    return build_map(
        _contributions(count),
        files={},
        revision=1,
        embedder="bench",
        merge_threshold=0.9,
        dimension=DIMENSION,
    )


@pytest.mark.parametrize("count", [1_000, 5_000])
def test_building(benchmark: BenchmarkFixture, count: int) -> None:
    """The whole map out of its files, as after every upload (CM-3)."""
    built = benchmark(_built, count)
    tracemalloc.start()
    _built(count)
    benchmark.extra_info["peak bytes"] = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    benchmark.extra_info["published bytes"] = len(map_to_bytes(built))
    benchmark.extra_info["concepts"] = len(built.concepts)
    assert len(built.concepts) >= count


@pytest.mark.parametrize("count", [1_000, 5_000])
def test_loading(benchmark: BenchmarkFixture, count: int) -> None:
    """A published map read by a fresh process (CM-9)."""
    data = map_to_bytes(_built(count))
    assert len(benchmark(map_from_bytes, data, SubjectScope("t", "bench")).concepts) >= count


@pytest.mark.parametrize("count", [1_000, 5_000])
def test_viewing(benchmark: BenchmarkFixture, count: int) -> None:
    """A map under one student's layer with the readiness of each concept (CM-6)."""
    built = _built(count)
    notes = {each.key: (TaughtNote("note", "e", 1),) for each in built.concepts[::10]}
    layer = StudentLayer(taught=notes, own_concepts={f"own {number}": "Own" for number in range(20)})

    def view() -> float:
        seen = with_layer(built, layer)
        return subject_readiness(seen, layer) + sum(concept_readiness(each, layer) for each in seen.concepts)

    assert benchmark(view) > 0
