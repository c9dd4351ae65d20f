"""One relevance (0–1) out of words, concepts and meaning, over the whole asked time at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anamnesis.domain.recall.history import BoolRows, FloatRows, History, RowNumbers
from anamnesis.domain.recall.signals import concept_signal, lexical_signal
from anamnesis.domain.recall.values import Layer, Pool, RecallQuery
from anamnesis.domain.working_set.segments import NO_SIMILARITY

#: RC-1: how many of the latest episodes are always candidates.
RECENT_POOL = 500
#: Most semantic neighbours taken as candidates.
SEMANTIC_POOL = 200
#: Words and meaning count alike where both can speak.
LEXICAL_SHARE = np.float32(0.5)
#: How far a routed concept lifts relevance towards 1.
CONCEPT_LIFT = np.float32(0.3)
#: Two episodes that follow each other within this time belong to one exchange …
EXCHANGE_SECONDS = 1_800
#: … and lend each other this share of their relevance.
EXCHANGE_SHARE = np.float32(0.5)
#: Least relevance, before sharpening, at which the other half of a matching question and answer matches with it.
EXCHANGE_RELEVANCE = np.float32(1 / 3)
#: Above 1, weak matches fall further behind strong ones, so that being recent does not make up for it (RC-3).
SHARPNESS = 1.5
#: How far below the match threshold, in shares of its distance from the floor, a common word makes up for it.
NEAR_SHARE = 0.25
#: From this many embedded episodes on, their median cosine with the question tells what "unrelated" is for it.
LEAST_FOR_MEDIAN = 50


@dataclass(frozen=True, slots=True)
class CosineScale:
    """An embedder's cosine of unrelated texts, and the one from which texts are about the same thing."""

    floor: float
    match: float

    @property
    def near(self) -> float:
        """From here on similar enough to match together with a common word."""
        return self.match - (self.match - self.floor) * NEAR_SHARE

    @property
    def middle(self) -> float:
        """Between the two: the most that can count as no similarity."""
        return (self.floor + self.match) / 2


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for each row.

    Attributes
    ----------
    relevance
        Shape (n,), 0–1.
    pools
        Members of each pool, shape (n,), bool; all within the asked time.
    matches
        The part of each pool that matches the question; the recent ones do not match by being recent.
    """

    relevance: FloatRows
    pools: Mapping[Pool, BoolRows]
    matches: Mapping[Pool, BoolRows]

    @property
    def candidates(self) -> BoolRows:
        """Mark the rows of any pool."""
        return _any_of(self.pools)

    @property
    def matched(self) -> BoolRows:
        """Mark the rows that match by any pool."""
        return _any_of(self.matches)


def gather(
    history: History,
    query: RecallQuery,
    *,
    known: BoolRows,
    asked: BoolRows,
    scale: CosineScale,
    semantic: Sequence[tuple[int, float]],
    switch_off: frozenset[str],
) -> Evidence:
    """Fill the pools from the whole history and weigh what speaks for each row.

    Parameters
    ----------
    known, asked
        Shape (n,), bool: rows that exist for this question at all, and those inside its window and focus.
    semantic
        Positions and cosines from an external index.
    """
    lexical = lexical_signal(history, () if Layer.POOL_TERMS in switch_off else query.words, known)
    concepts = concept_signal(history, () if Layer.POOL_CONCEPTS in switch_off else query.concepts)
    cosines = _cosines(history, query, semantic, off=Layer.POOL_SEMANTIC in switch_off)
    floor = _floor(cosines[known], scale)
    cosines[~asked] = NO_SIMILARITY
    matches = {
        Pool.TERMS: lexical.matched & asked,
        Pool.CONCEPTS: (concepts > 0) & asked,
        Pool.SEMANTIC: cosines >= scale.match,
    }
    if _any_of(matches).any():
        # Two weak signs are one: a word too common to match by itself, in an episode that is about as much.
        matches[Pool.TERMS] |= asked & lexical.held & (cosines >= scale.near)
    pools = {
        **matches,
        Pool.SEMANTIC: _largest(cosines, SEMANTIC_POOL, above=scale.floor),
        Pool.RECENT: _only(np.empty(0, dtype=np.int64), len(history))
        if Layer.POOL_RECENT in switch_off
        else latest(history, asked, RECENT_POOL),
    }
    matches[Pool.SEMANTIC] &= pools[Pool.SEMANTIC]
    base = _fused(np.where(asked, lexical.scores, np.float32(0)), cosines, scale, floor)
    lifted = base + CONCEPT_LIFT * np.where(asked, concepts, np.float32(0)) * (1 - base)
    relevance = _shared(history, np.where(asked, lifted, np.float32(0)))
    matches[Pool.EXCHANGE] = (
        _other_halves(history, _any_of(matches)) & asked & (relevance >= EXCHANGE_RELEVANCE)
    )
    pools[Pool.EXCHANGE] = matches[Pool.EXCHANGE]
    return Evidence((relevance**SHARPNESS).astype(np.float32), pools, matches)


def latest(history: History, rows: BoolRows, count: int) -> BoolRows:
    """Mark the `count` latest of these rows by when they happened; of equals the one appended last."""
    numbers = np.flatnonzero(rows)
    order = np.lexsort((-numbers, -history.occurred[numbers]))[:count]
    return _only(numbers[order], len(history))


def _any_of(pools: Mapping[Pool, BoolRows]) -> BoolRows:
    union: BoolRows = np.logical_or.reduce(list(pools.values()))
    return union


def _only(numbers: RowNumbers, size: int) -> BoolRows:
    chosen = np.zeros(size, dtype=np.bool_)
    chosen[numbers] = True
    return chosen


def _largest(values: FloatRows, count: int, *, above: float) -> BoolRows:
    numbers = np.flatnonzero(values > above)
    order = np.argsort(-values[numbers], kind="stable")[:count]
    return _only(numbers[order], len(values))


def _cosines(
    history: History, query: RecallQuery, semantic: Sequence[tuple[int, float]], *, off: bool
) -> FloatRows:
    if off:
        return np.full(len(history), NO_SIMILARITY, dtype=np.float32)
    cosines = history.cosines(query)
    for position, cosine in semantic:
        rows = history.rows_of(position)
        cosines[rows] = np.maximum(cosines[rows], np.float32(cosine))
    return cosines


def _floor(cosines: FloatRows, scale: CosineScale) -> float:
    """Cosine that counts as no similarity to this question: the history's median where there is enough of it.

    It stays below the middle between the embedder's floor and its threshold, so that a history about one thing only is
    not measured against itself.
    """
    embedded = cosines[cosines > NO_SIMILARITY]
    if len(embedded) < LEAST_FOR_MEDIAN:
        return scale.floor
    return min(max(float(np.median(embedded)), scale.floor), scale.middle)


def _fused(lexical: FloatRows, cosines: FloatRows, scale: CosineScale, floor: float) -> FloatRows:
    """Average words and meaning, each brought to 0–1; where one of them cannot speak, the other speaks alone.

    Min-max score fusion (Lee 1997, "Analyses of Multiple Evidence Combination"), with the known zero of each score as
    its minimum instead of the smallest score seen.
    """
    best_score, best_cosine = float(lexical.max(initial=0)), float(cosines.max(initial=NO_SIMILARITY))
    top = max(best_cosine, scale.match)
    meaning: FloatRows = np.clip((cosines - np.float32(floor)) / np.float32(top - floor), 0, 1)
    if best_score <= 0:
        return meaning
    words: FloatRows = lexical / np.float32(best_score)
    fused: FloatRows = LEXICAL_SHARE * words + (1 - LEXICAL_SHARE) * meaning
    return np.where(cosines > NO_SIMILARITY, fused, words)


def _together(history: History) -> BoolRows:
    """Mark each row but the last that the next one follows within an exchange: shape (n - 1,)."""
    near: BoolRows = np.abs(np.diff(history.occurred)) <= EXCHANGE_SECONDS
    near &= np.diff(history.positions) == 1
    return near


def _shared(history: History, own: FloatRows) -> FloatRows:
    """Add a share of the relevance right before and after in the same exchange, and bring the best to 1."""
    if not len(own):
        return own
    together = _together(history)
    beside = np.zeros_like(own)
    beside[1:] = np.where(together, own[:-1], np.float32(0))
    beside[:-1] = np.maximum(beside[:-1], np.where(together, own[1:], np.float32(0)))
    total: FloatRows = own + EXCHANGE_SHARE * beside
    best = total.max()
    return total / best if best > 0 else total


def _other_halves(history: History, matched: BoolRows) -> BoolRows:
    """Mark answers right after a matching question, and questions right before a matching answer."""
    halves = np.zeros_like(matched)
    if len(matched) < 2:
        return halves
    pair = _together(history) & history.is_kind("question")[:-1] & history.is_kind("answer")[1:]
    halves[1:] |= pair & matched[:-1]
    halves[:-1] |= pair & matched[1:]
    return halves
