"""Nearest episodes by OpenSearch and by the embedded index, both against exact search: what they find and cost (SV-10).

The embedded index is the exact search over 8-bit vectors that recall makes in the function's memory; its time leaves
out fetching them, which a process does once. OpenSearch is asked through the adapter that a turn uses, for as many
neighbours as a turn takes, over HTTP on loopback.

The vectors are like those of texts: each is a mixture of three of the demo's embedded passages, with noise. A uniform
distribution over the sphere, where all are about equally far from each other, is there for the worst case.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from opensearchpy import OpenSearch
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from anamnesis.domain.identifiers import Pair
from anamnesis.domain.working_set.segments import empty_segment, quantise, similarities
from anamnesis.offline import embedder, semantic_index
from anamnesis.ports import SemanticIndex
from anamnesis_tools.demo import story
from anamnesis_tools.stack.search_node import SearchNode, SearchNodeFailed

Vectors = npt.NDArray[np.float32]

#: Neighbours that the two are compared in, and that a turn asks OpenSearch for (`read_block.NEIGHBOURS`).
COMPARED = 20
ASKED = 100
#: Passages that one vector is a mixture of, and the length of the noise beside the mixture's 1. Ours: the cosine of two
#: vectors then spreads about as that of two of the demo's passages does.
MIXED = 3
NOISE = 0.4
SEED = 20260921
#: Vectors in one call of `add`, as a busy stream brings them.
_AT_ONCE = 1_000
_SETTLE_SECONDS = 300.0

console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one of the two found and cost.

    Attributes
    ----------
    index
        "embedded" or "OpenSearch" with its version.
    vectors, pairs
        Vectors in all, and pairs that they are spread over evenly.
    recall
        Share of the 20 exact neighbours that are among its first 20, on average.
    worst_recall
        The same of the worst query.
    """

    index: str
    vectors: int
    pairs: int
    recall: float
    worst_recall: float
    p50_ms: float
    p95_ms: float
    index_seconds: float
    megabytes: float


def measure(
    counts: list[int], pairs: list[int], queries: int, url: str | None, *, uniform: bool
) -> list[Cost]:
    """Measure both at every number of vectors, in every number of pairs.

    Parameters
    ----------
    queries
        Searches that are timed, spread over the pairs.
    url
        An OpenSearch node; None to start one here. Where none can be had the embedded index is measured alone.
    uniform
        Draw vectors from the whole sphere instead of near texts.
    """
    draw = _uniform if uniform else _near_texts()
    costs = []
    with _node(url) as found, Progress(console=console) as progress:
        for count in counts:
            vectors = draw(count, np.random.default_rng(SEED))
            asked = draw(queries, np.random.default_rng(SEED + 1))
            for parts in pairs:
                shares = np.array_split(np.arange(count), parts)
                exact = [_exact(vectors[shares[n % parts]], query) for n, query in enumerate(asked)]
                costs.append(_embedded(vectors, shares, asked, exact))
                if found:
                    costs.append(_searched(found, vectors, shares, asked, exact, progress))
    return costs


def _embedded(
    vectors: Vectors, shares: list[npt.NDArray[np.intp]], asked: Vectors, exact: list[set[int]]
) -> Cost:
    begun = time.perf_counter()
    empty = empty_segment(first_position=0, embedder="bench", dimension=vectors.shape[1])
    segments = [replace(empty, vectors=quantise(vectors[share])) for share in shares]
    built = time.perf_counter() - begun

    def search(number: int) -> list[int]:
        cosines = similarities(segments[number % len(segments)], asked[number])
        nearest = np.argpartition(-cosines, min(ASKED, len(cosines) - 1))[:ASKED]
        return [int(row) for row in nearest[np.argsort(-cosines[nearest])]]

    size = sum(segment.vectors.nbytes for segment in segments)
    return _timed("embedded", len(vectors), len(shares), search, exact, built, size)


def _searched(
    url: str,
    vectors: Vectors,
    shares: list[npt.NDArray[np.intp]],
    asked: Vectors,
    exact: list[set[int]],
    progress: Progress,
) -> Cost:
    node, prefix = OpenSearch(hosts=[url]), f"bench{uuid4().hex}"
    index: SemanticIndex = semantic_index(url, embedder="bench", dimension=vectors.shape[1], prefix=prefix)
    pairs = [Pair("bench", f"student-{number}", "subject") for number in range(len(shares))]
    task = progress.add_task(f"Indexing {len(vectors):,} vectors in {len(shares)} pairs", total=len(vectors))
    try:
        begun = time.perf_counter()
        for pair, share in zip(pairs, shares, strict=True):
            for start in range(0, len(share), _AT_ONCE):
                rows = share[start : start + _AT_ONCE]
                index.add(pair, {start + n: vectors[row] for n, row in enumerate(rows)})
                progress.advance(task, len(rows))
        node.indices.refresh(index=f"{prefix}-*", params={"request_timeout": _SETTLE_SECONDS})
        built = time.perf_counter() - begun
        size = _settled_size(node, prefix)

        def search(number: int) -> list[int]:
            pair = pairs[number % len(pairs)]
            found = index.neighbours(pair, asked[number], ASKED, timeout_seconds=20.0)
            return [position for position, _ in found]

        name = f"OpenSearch {node.info()['version']['number']}"
        return _timed(name, len(vectors), len(shares), search, exact, built, size)
    finally:
        for name in node.indices.get(index=f"{prefix}-*"):
            node.indices.delete(index=name)
        progress.remove_task(task)


def _timed(
    name: str,
    count: int,
    parts: int,
    search: Callable[[int], list[int]],
    exact: list[set[int]],
    seconds: float,
    size: int,
) -> Cost:
    """Time every search once, after one round that warms caches and is not counted."""
    times, recalls = [], []
    for number in range(len(exact)):
        search(number)
    for number, right in enumerate(exact):
        begun = time.perf_counter()
        found = search(number)
        times.append((time.perf_counter() - begun) * 1000)
        recalls.append(len(right & set(found[:COMPARED])) / len(right))
    cuts = statistics.quantiles(times, n=100)
    return Cost(
        index=name,
        vectors=count,
        pairs=parts,
        recall=round(statistics.mean(recalls), 4),
        worst_recall=round(min(recalls), 4),
        p50_ms=round(cuts[49], 2),
        p95_ms=round(cuts[94], 2),
        index_seconds=round(seconds, 2),
        megabytes=round(size / 1e6, 1),
    )


def _exact(vectors: Vectors, query: Vectors) -> set[int]:
    """Rows of the nearest vectors by float32 products."""
    cosines = vectors @ query
    return {int(row) for row in np.argsort(-cosines, kind="stable")[:COMPARED]}


def _settled_size(node: OpenSearch, prefix: str) -> int:
    """Bytes of the indices, once their segments are merged as far as OpenSearch does by itself."""
    until = time.monotonic() + _SETTLE_SECONDS
    # Segments that were merged away are files until the next commit.
    node.indices.flush(index=f"{prefix}-*", params={"request_timeout": _SETTLE_SECONDS})
    while True:
        total = node.indices.stats(index=f"{prefix}-*")["_all"]["primaries"]
        if total["merges"]["current"] == 0 or time.monotonic() > until:
            return int(total["store"]["size_in_bytes"])
        time.sleep(0.5)


def _near_texts() -> Callable[[int, np.random.Generator], Vectors]:
    lessons = json.loads((story.HERE / "lessons.json").read_text(encoding="utf-8"))
    texts = [text for lesson in lessons for turn in lesson["turns"] for text in turn]
    passages = embedder().embed_passages(list(dict.fromkeys(texts)))

    def draw(count: int, chance: np.random.Generator) -> Vectors:
        chosen = passages[chance.integers(len(passages), size=(count, MIXED))]
        weights = chance.dirichlet(np.ones(MIXED), size=count).astype(np.float32)
        mixed = _unit(np.einsum("nm,nmd->nd", weights, chosen))
        return _unit(mixed + NOISE * _uniform(count, chance, passages.shape[1]))

    return draw


def _uniform(count: int, chance: np.random.Generator, dimension: int = 384) -> Vectors:
    return _unit(chance.standard_normal((count, dimension), dtype=np.float32))


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


@contextmanager
def _node(url: str | None) -> Iterator[str | None]:
    """The node that is named, or one started here; None, and why is said, where there can be none."""
    with ExitStack() as stack:
        try:
            found = url or stack.enter_context(SearchNode()).url
        except SearchNodeFailed as reason:
            console.print(f"No OpenSearch node, so the embedded index alone: {reason}")
            found = None
        yield found


def shown(costs: list[Cost], *, as_json: bool) -> None:
    """Print the costs, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
        return
    table = Table(
        title=f"Nearest episodes: {ASKED} asked for, the first {COMPARED} compared with exact search",
        box=box.SIMPLE,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for heading in ("vectors", "pairs", "index", "recall", "p50 ms", "p95 ms", "built s", "MB"):
        table.add_column(heading, justify="left" if heading == "index" else "right", no_wrap=True)
    for cost in costs:
        table.add_row(
            f"{cost.vectors:,}",
            f"{cost.pairs:,}",
            cost.index,
            f"{cost.recall:.3f}",
            f"{cost.p50_ms:.1f}",
            f"{cost.p95_ms:.1f}",
            f"{cost.index_seconds:.1f}",
            f"{cost.megabytes:.1f}",
        )
    Console().print(table)
