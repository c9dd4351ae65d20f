"""Recall: widen over the whole history first, then score, gate, fold and cut (RC-1 … RC-6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anamnesis.domain.recall.history import BoolRows, FloatRows, History, RowNumbers
from anamnesis.domain.recall.meaning import CosineScale
from anamnesis.domain.recall.relevance import RECENT_POOL, Evidence, gather
from anamnesis.domain.recall.selection import (
    at_least_as_large,
    first_distinct,
    rows_with,
    without_repeats,
)
from anamnesis.domain.recall.values import FITTED, Layer, Pool, Recalled, RecallQuery, Recollection, Weights
from anamnesis.domain.working_set import Segment

_SECONDS_PER_DAY = 86_400


def recall(
    segments: Sequence[Segment],
    query: RecallQuery,
    *,
    limit: int,
    embedder_floor: float,
    match_threshold: float,
    weights: Weights = FITTED,
    semantic: Sequence[tuple[int, float]] | None = None,
    switch_off: frozenset[str] = frozenset(),
) -> Recalled:
    """Call up the memories that a question is about, best first.

    Parameters
    ----------
    segments
        The pair's history in any number of pieces; how it is cut changes nothing.
    limit
        Most memories returned.
    embedder_floor, match_threshold
        The embedder's cosine of unrelated texts, and the one from which texts are about the same thing.
    weights
        See ``WEIGHTS``.
    semantic
        Positions and cosines from an external index; they add to the exact search over the segments' own vectors.
    switch_off
        Names of ``Layer`` values to leave out, for ablations.
    """
    history = History.of(segments)
    windowed = query.window is not None and Layer.TIME_FILTER not in switch_off
    known, in_window, asked = _asked_rows(history, query, windowed=windowed)
    if not asked.any():
        nothing = not in_window.any()
        return Recalled((), not query.asks_something, windowed and nothing, not nothing, 0)
    evidence = None
    if query.asks_something:
        evidence = gather(
            history,
            query,
            known=known,
            asked=asked,
            scale=CosineScale(embedder_floor, match_threshold),
            weights=weights.signals,
            semantic=semantic or (),
            switch_off=switch_off,
        )
    ranking = _Ranking(history, query, weights, asked, switch_off)
    if evidence is None or not evidence.matched.any():
        chosen = ranking.by_time(spread=windowed)
        memories = ranking.recollections(chosen[:limit], None)
        return Recalled(memories, evidence is None, window_empty=False, focus_empty=False, gate_dropped=0)
    candidates = ranking.worth_offering(evidence)
    kept = candidates if Layer.GATE in switch_off else candidates & evidence.matched
    chosen = ranking.by_score(kept, evidence, limit)
    dropped = (
        int(np.count_nonzero(evidence.candidates & ~evidence.matched)) if Layer.GATE not in switch_off else 0
    )
    return Recalled(ranking.recollections(chosen[:limit], evidence), True, False, False, dropped)


def _asked_rows(
    history: History, query: RecallQuery, *, windowed: bool
) -> tuple[BoolRows, BoolRows, BoolRows]:
    """Rows that exist for the question, those in its window, and those of them in its focus."""
    known = history.tellable & (history.occurred <= query.now.timestamp())
    if query.without_questions:
        known = known & ~history.is_kind("question")
    in_window = known
    if windowed and query.window is not None:
        start, end = query.window
        in_window = known & (history.occurred >= start) & (history.occurred < end)
    return known, in_window, in_window & history.in_focus(query.focus)


class _Ranking:
    """Scores rows, folds repeats and puts them in order; all row numbers it returns are distinct memories."""

    def __init__(
        self,
        history: History,
        query: RecallQuery,
        weights: Weights,
        asked: BoolRows,
        switch_off: frozenset[str],
    ) -> None:
        self._history = history
        self._weights = weights
        self._asked = asked
        self._folding = Layer.FOLDING not in switch_off
        self._recent_off = Layer.POOL_RECENT in switch_off
        self._original = ~history.is_kind("consolidation")
        self._now = query.now.timestamp()

    def worth_offering(self, evidence: Evidence) -> BoolRows:
        """Mark the candidates; the night's summaries only where no original matches."""
        originals = evidence.candidates & self._original
        return originals if (originals & evidence.matched).any() else evidence.candidates

    def recency(self, rows: RowNumbers) -> FloatRows:
        """How recent each of the rows is, 0–1."""
        age_days = np.maximum(self._now - self._history.occurred[rows], 0) / _SECONDS_PER_DAY
        recency: FloatRows = (0.5 ** (age_days / self._weights.recency_half_life_days)).astype(np.float32)
        return recency

    def scores(self, rows: RowNumbers, relevance: FloatRows) -> FloatRows:
        """Weigh relevance, salience and recency of each of the rows (RC-2)."""
        weights = self._weights
        scores: FloatRows = weights.relevance * relevance + weights.recency * self.recency(rows)
        return scores + np.float32(weights.salience) * self._history.salience[rows]

    def by_score(self, rows: BoolRows, evidence: Evidence, count: int) -> RowNumbers:
        """Order the first `count` of the rows, best first; of equal scores the later, then the one appended last."""
        numbers = np.flatnonzero(rows)
        scores = self.scores(numbers, evidence.relevance[numbers])
        occurred = self._history.occurred[numbers]

        def ordered(places: RowNumbers) -> RowNumbers:
            best_first: RowNumbers = places[np.lexsort((-places, -occurred[places], -scores[places]))]
            return best_first

        if not self._folding:
            return numbers[ordered(at_least_as_large(scores, count))]
        return numbers[first_distinct(scores, self._history.folds[numbers], count, order=ordered)]

    def by_time(self, *, spread: bool) -> RowNumbers:
        """Order the past from the latest on, files and summaries after what was said and done.

        With `spread`, the most telling episode of every day comes before the second of any: a window is shown whole
        even where its last day could fill the list.
        """
        if self._recent_off:
            return np.empty(0, dtype=np.int64)
        history = self._history
        said = ~history.is_kind("file", "consolidation")
        numbers = np.flatnonzero(self._asked)
        order = np.lexsort((-numbers, -history.occurred[numbers], ~said[numbers]))
        folded = self._folded(numbers[order])
        if not spread:
            return folded[:RECENT_POOL]
        day = history.occurred[folded] // _SECONDS_PER_DAY
        telling = np.lexsort((np.arange(len(folded)), -history.salience[folded], ~said[folded], day))
        starts = np.searchsorted(day[telling], day[telling], side="left")
        rank_in_day = np.empty(len(folded), dtype=np.int64)
        rank_in_day[telling] = np.arange(len(folded)) - starts
        spread_out: RowNumbers = folded[np.lexsort((np.arange(len(folded)), rank_in_day))]
        return spread_out

    def _folded(self, ordered: RowNumbers) -> RowNumbers:
        if not self._folding:
            return ordered
        return without_repeats(ordered, self._history.folds)

    def _copies(self, rows: RowNumbers) -> tuple[RowNumbers, RowNumbers, RowNumbers]:
        """Count the episodes of the asked time that each row stands for, itself included; when the first and last were.

        Without folding each row stands for itself.
        """
        own = self._history.occurred[rows]
        if not self._folding or not len(rows):
            return np.ones(len(rows), dtype=np.int64), own, own
        folds = self._history.folds[rows]
        wanted = np.unique(folds)
        alike = rows_with(self._history.folds, wanted, self._asked)
        at, occurred = np.searchsorted(wanted, self._history.folds[alike]), self._history.occurred[alike]
        first = np.full(len(wanted), np.iinfo(np.int64).max)
        last = np.full(len(wanted), np.iinfo(np.int64).min)
        np.minimum.at(first, at, occurred)
        np.maximum.at(last, at, occurred)
        of_row = np.searchsorted(wanted, folds)
        return np.bincount(at, minlength=len(wanted))[of_row], first[of_row], last[of_row]

    def recollections(self, rows: RowNumbers, evidence: Evidence | None) -> tuple[Recollection, ...]:
        """Turn the rows into values, in their order."""
        history = self._history
        relevance = np.zeros(len(rows), dtype=np.float32) if evidence is None else evidence.relevance[rows]
        matches: dict[Pool, BoolRows] = {} if evidence is None else dict(evidence.matches)
        columns = (
            rows,
            history.positions[rows],
            self.scores(rows, relevance),
            relevance,
            history.salience[rows],
            self.recency(rows),
            *self._copies(rows),
        )
        return tuple(
            Recollection(
                position=position,
                id=history.id_at(row),
                score=score,
                relevance=of_it,
                salience=salience,
                recency=recency,
                repeats=count - 1,
                first_at=first,
                last_at=last,
                matched_by=frozenset(pool for pool, members in matches.items() if members[row]),
            )
            for row, position, score, of_it, salience, recency, count, first, last in zip(
                *(column.tolist() for column in columns), strict=True
            )
        )
