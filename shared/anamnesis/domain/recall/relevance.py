"""One relevance (0–1) out of words, concepts and meaning, over the whole asked time at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anamnesis.domain.recall.exchanges import Exchanges
from anamnesis.domain.recall.history import BoolRows, FloatRows, History, RowNumbers
from anamnesis.domain.recall.likeness import alike_signal
from anamnesis.domain.recall.meaning import CosineScale, Frame, Meaning, meaning, no_meaning
from anamnesis.domain.recall.selection import largest
from anamnesis.domain.recall.signals import (
    AROUND_ROWS,
    LexicalSignal,
    around_signal,
    concept_signal,
    lexical_signal,
    speaker_signal,
)
from anamnesis.domain.recall.values import Layer, Pool, RecallQuery, SignalWeights
from anamnesis.domain.working_set.segments import NO_SIMILARITY

#: RC-1: how many of the latest episodes are always candidates.
RECENT_POOL = 500
#: Most semantic neighbours taken as candidates.
SEMANTIC_POOL = 200
#: Words and meaning count alike where both can speak.
LEXICAL_SHARE = np.float32(0.5)
#: How far a routed concept lifts relevance towards 1.
CONCEPT_LIFT = np.float32(0.3)
#: Share of the question's words, by weight, that speaks for an episode even if its meaning speaks against. Ours.
WORDS_ALONE = np.float32(0.6)
#: Least relevance, before sharpening, at which the other half of a matching question and answer matches with it.
EXCHANGE_RELEVANCE = np.float32(1 / 3)


@dataclass(frozen=True, slots=True)
class Signals:
    """Each signal of every row, shape (n,), 0–1, 0 outside of the asked time; see ``SignalWeights``."""

    fused: FloatRows
    around: FloatRows
    speaker: FloatRows
    beside: FloatRows
    exchange: FloatRows
    near: FloatRows
    asking: FloatRows

    def weighed(self, weights: SignalWeights) -> FloatRows:
        """Return their sum by weight, the best brought to 1, none below 0."""
        total: FloatRows = weights.fused * self.fused
        for weight, signal in (
            (weights.around, self.around),
            (weights.speaker, self.speaker),
            (weights.beside, self.beside),
            (weights.exchange, self.exchange),
            (weights.near, self.near),
            (weights.asking, self.asking),
        ):
            if weight:
                total = total + np.float32(weight) * signal
        return brought_to_1(np.maximum(total, 0))


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
    signals
        What the relevance is made of, before what is alike shares it.
    frame
        What texts have in common, None where it is not known or not asked for.
    """

    relevance: FloatRows
    pools: Mapping[Pool, BoolRows]
    matches: Mapping[Pool, BoolRows]
    signals: Signals
    frame: Frame | None

    @property
    def candidates(self) -> BoolRows:
        """Mark the rows of any pool."""
        return _any_of(self.pools)

    @property
    def matched(self) -> BoolRows:
        """Mark the rows that match by any pool."""
        return _any_of(self.matches)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the question's words, concepts and meaning find.

    Attributes
    ----------
    concepts, spoken
        Shape (n,), 0–1; see ``concept_signal`` and ``speaker_signal``.
    around
        Shape (n,), 0–1, 0 outside of the asked time; see ``around_signal``.
    """

    lexical: LexicalSignal
    concepts: FloatRows
    spoken: FloatRows
    around: FloatRows
    close: Meaning


def gather(
    history: History,
    query: RecallQuery,
    *,
    known: BoolRows,
    asked: BoolRows,
    scale: CosineScale,
    weights: SignalWeights,
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
    exchanges = Exchanges.of(history)
    lexical = lexical_signal(history, () if Layer.POOL_TERMS in switch_off else query.words, known)
    spoken = speaker_signal(history, query.words, known)
    close = no_meaning(history)
    if Layer.POOL_SEMANTIC not in switch_off:
        close = meaning(
            history,
            query,
            known=known,
            asked=asked,
            spoken=spoken > 0,
            scale=scale,
            semantic=semantic,
            contrast=weights.contrast,
        )
    found = _Found(
        lexical=lexical,
        concepts=concept_signal(history, () if Layer.POOL_CONCEPTS in switch_off else query.concepts),
        spoken=spoken,
        around=np.where(asked, around_signal(lexical, exchanges, asked), np.float32(0)),
        close=close,
    )
    matches = _matches(found, asked, scale)
    pools = {
        **matches,
        Pool.SEMANTIC: _only(
            largest(np.maximum(close.cosines, close.telling), SEMANTIC_POOL, above=scale.floor), len(history)
        ),
        Pool.RECENT: _only(np.empty(0, dtype=np.int64), len(history))
        if Layer.POOL_RECENT in switch_off
        else latest(history, asked, RECENT_POOL),
    }
    matches[Pool.SEMANTIC] &= pools[Pool.SEMANTIC]
    signals = _signals(history, exchanges, found, asked)
    relevance = signals.weighed(weights)
    matched = _any_of(matches)
    halves = exchanges.other_halves(history, matched) & (relevance >= EXCHANGE_RELEVANCE)
    beside = exchanges.near(np.flatnonzero(matched), AROUND_ROWS) & ~matched
    halves |= beside & (close.closeness >= weights.near_match)
    matches[Pool.EXCHANGE] = pools[Pool.EXCHANGE] = halves & asked
    if weights.alike:
        alike = alike_signal(history, exchanges, relevance, close.frame, query.embedder)
        relevance = brought_to_1(relevance + np.float32(weights.alike) * alike)
    return Evidence((relevance**weights.sharpness).astype(np.float32), pools, matches, signals, close.frame)


def latest(history: History, rows: BoolRows, count: int) -> BoolRows:
    """Mark the `count` latest of these rows by when they happened; of equals the one appended last."""
    numbers = np.flatnonzero(rows)
    order = np.lexsort((-numbers, -history.occurred[numbers]))[:count]
    return _only(numbers[order], len(history))


def _matches(found: _Found, asked: BoolRows, scale: CosineScale) -> dict[Pool, BoolRows]:
    """Mark by pool the rows that match the question; once one does by a strong sign, weaker ones do as well."""
    lexical, close = found.lexical, found.close
    matches = {
        # Who speaks is no match by itself, nor is a month; what the one said in the other is what is asked for.
        Pool.TERMS: asked
        & (
            lexical.matched & (~close.apart | (found.around >= WORDS_ALONE))
            | lexical.dated & (found.spoken > 0)
        ),
        Pool.CONCEPTS: (found.concepts > 0) & asked,
        Pool.SEMANTIC: close.telling >= scale.match,
    }
    if _any_of(matches).any():
        # What decided whether the question is about anything here was strict; what then comes along need not be.
        matches[Pool.SEMANTIC] |= close.cosines >= scale.match
        matches[Pool.TERMS] |= lexical.matched & asked
        # Two weak signs are one: a word too common to match by itself, in an episode that is about as much.
        matches[Pool.TERMS] |= asked & lexical.held & (np.maximum(close.cosines, close.telling) >= scale.near)
    return matches


def _signals(history: History, exchanges: Exchanges, found: _Found, asked: BoolRows) -> Signals:
    none = np.float32(0)
    base = _fused(np.where(asked, found.lexical.scores, none), found.close)
    fused = base + CONCEPT_LIFT * np.where(asked, found.concepts, none) * (1 - base)
    fused = np.where(asked, fused, none)
    near = exchanges.mean_near(found.close.closeness, AROUND_ROWS)
    return Signals(
        fused=fused,
        around=found.around,
        speaker=np.where(asked, found.spoken, none),
        beside=np.where(asked, exchanges.beside(fused), none),
        exchange=np.where(asked, brought_to_1(exchanges.best(fused)), none),
        near=np.where(asked, brought_to_1(near), none),
        asking=np.where(asked, history.asking / np.float32(100), none),
    )


def brought_to_1(values: FloatRows) -> FloatRows:
    """Scale values that are at least 0 so that the best is 1, unless all are 0."""
    best = values.max(initial=0)
    return values / best if best > 0 else np.zeros_like(values)


def _any_of(pools: Mapping[Pool, BoolRows]) -> BoolRows:
    union: BoolRows = np.logical_or.reduce(list(pools.values()))
    return union


def _only(numbers: RowNumbers, size: int) -> BoolRows:
    chosen = np.zeros(size, dtype=np.bool_)
    chosen[numbers] = True
    return chosen


def _fused(lexical: FloatRows, close: Meaning) -> FloatRows:
    """Average words and meaning, each brought to 0–1; where one of them cannot speak, the other speaks alone.

    Min-max score fusion (Lee 1997, "Analyses of Multiple Evidence Combination"), with the known zero of each score as
    its minimum instead of the smallest score seen.
    """
    best_score = float(lexical.max(initial=0))
    if best_score <= 0:
        return close.closeness
    words: FloatRows = lexical / np.float32(best_score)
    fused: FloatRows = LEXICAL_SHARE * words + (1 - LEXICAL_SHARE) * close.closeness
    return np.where(close.cosines > NO_SIMILARITY, fused, words)
