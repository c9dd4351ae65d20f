"""What the prerequisite edges alone tell: which concept is a hub, and in which order to teach (CM-5, CM-7)."""

from __future__ import annotations

from collections.abc import Mapping

import networkx as nx
import numpy as np

#: The damping factor of Brin and Page, 1998, "The Anatomy of a Large-Scale Hypertextual Web Search Engine".
DAMPING = 0.85
_TOLERANCE = 1e-12
_MAX_ROUNDS = 200

#: Weight by (concept, prerequisite): how much in the files says that the first builds on the second.
Edges = Mapping[tuple[str, str], float]


def centrality(keys: list[str], edges: Edges) -> dict[str, float]:
    """Weighted PageRank: a concept passes its rank on to its prerequisites in proportion to the weights (CM-5).

    Power iteration over edge lists; networkx has the same only on top of SciPy, which is larger than all else
    that ships. A concept without prerequisites spreads its rank evenly, as there.

    Parameters
    ----------
    keys
        Every concept, in a fixed order.
    edges
        Both ends of each edge are among `keys`.

    Returns
    -------
    dict[str, float]
        Sums to 1; empty without concepts.
    """
    count = len(keys)
    if not count:
        return {}
    row = {key: index for index, key in enumerate(keys)}
    ordered = sorted(edges)
    sources = np.array([row[source] for source, _ in ordered], dtype=np.int64)
    targets = np.array([row[target] for _, target in ordered], dtype=np.int64)
    weights = np.array([edges[edge] for edge in ordered], dtype=np.float64)
    outgoing = np.bincount(sources, weights, minlength=count)
    shares = weights / outgoing[sources]
    dangling = outgoing == 0
    rank = np.full(count, 1 / count)
    for _ in range(_MAX_ROUNDS):
        passed = np.bincount(targets, rank[sources] * shares, minlength=count)
        renewed = DAMPING * (passed + rank[dangling].sum() / count) + (1 - DAMPING) / count
        moved = np.abs(renewed - rank).sum()
        rank = renewed
        if moved < _TOLERANCE:
            break
    rank /= rank.sum()
    return {key: float(value) for key, value in zip(keys, rank, strict=True)}


def teaching_order(
    keys: list[str], edges: Edges, ranks: Mapping[str, float]
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """Topological layers of the condensed graph, and the cycles that were condensed (CM-7).

    Returns
    -------
    layers
        Prerequisites first; every concept stands as early as its prerequisites let it. Within a layer the
        most central come first, then by key. Members of a cycle share a layer.
    cycles
        Groups of concepts that build on each other in a circle, each sorted, in the order of their first key.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(keys)
    graph.add_edges_from((prerequisite, concept) for concept, prerequisite in sorted(edges))
    condensed = nx.condensation(graph)
    groups = [
        [key for component in generation for key in condensed.nodes[component]["members"]]
        for generation in nx.topological_generations(condensed)
    ]
    layers = tuple(tuple(sorted(group, key=lambda key: (-ranks[key], key))) for group in groups)
    members = (condensed.nodes[component]["members"] for component in condensed)
    return layers, tuple(sorted(tuple(sorted(cycle)) for cycle in members if len(cycle) > 1))
