"""Ways to rank a history for a question: our recall by its names, and the baselines it is measured beside."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from anamnesis.domain.recall import WEIGHTS, RecallQuery, Weights, recall
from anamnesis.domain.recall.history import History
from anamnesis.domain.recall.signals import lexical_signal
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import similarities
from anamnesis.ports import Embedder

#: More memories than any budget holds.
RECALLED = 150

#: Rows, best first; of our recall only those that match.
Ranked = npt.NDArray[np.int64]
Ranker = Callable[[Segment, RecallQuery], Ranked]


def rankers(embedder: Embedder, *, switch_off: frozenset[str] = frozenset()) -> Mapping[str, Ranker]:
    """Every way to rank by its name, baselines first.

    Parameters
    ----------
    switch_off
        Layers of recall to leave out, for ablations (EV-5).
    """

    def by_recall(weights: Weights) -> Ranker:
        def ranked(segment: Segment, query: RecallQuery) -> Ranked:
            found = recall(
                [segment],
                query,
                limit=RECALLED,
                embedder_floor=embedder.floor,
                match_threshold=embedder.match_threshold,
                weights=weights,
                switch_off=switch_off,
            )
            rows = [memory.position - segment.first_position for memory in found.memories]
            return np.array(rows if found.matched else [], dtype=np.int64)

        return ranked

    return {
        "recency": _by_recency,
        "bm25": lambda segment, query: _best(_words(segment, query)),
        "dense": lambda segment, query: _best(_cosines(segment, query)),
        "bm25+dense": lambda segment, query: _best(
            _min_max(_words(segment, query)) + _min_max(_cosines(segment, query))
        ),
        **{name: by_recall(weights) for name, weights in sorted(WEIGHTS.items(), reverse=True)},
    }


def _best(scores: npt.NDArray[np.float32]) -> Ranked:
    order: Ranked = np.argsort(-scores, kind="stable")[:RECALLED]
    return order


def _by_recency(segment: Segment, _: RecallQuery) -> Ranked:
    return np.arange(len(segment.occurred))[::-1][:RECALLED]


def _words(segment: Segment, query: RecallQuery) -> npt.NDArray[np.float32]:
    history = History.of([segment])
    return lexical_signal(history, query.words, history.tellable).scores


def _cosines(segment: Segment, query: RecallQuery) -> npt.NDArray[np.float32]:
    if query.vector is None:
        return np.zeros(len(segment.occurred), dtype=np.float32)
    return similarities(segment, query.vector)


def _min_max(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    span = np.ptp(scores) if len(scores) else 0
    scaled: npt.NDArray[np.float32] = (scores - scores.min()) / span if span > 0 else np.zeros_like(scores)
    return scaled
