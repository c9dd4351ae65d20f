"""What recall is asked, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from anamnesis.domain.messages.intents import RecordFocus
from anamnesis.domain.text.terms import QuestionWord


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """How what speaks for an episode makes its relevance; see ``domain.recall.signals`` for each signal (0–1).

    Attributes
    ----------
    fused
        Its own words and meaning.
    around
        The question's words in it and right around it.
    speaker
        The question names who said it.
    beside
        Words and meaning of the better one of its two neighbours in the same exchange.
    exchange
        The best of the whole exchange.
    near
        Meaning of what is said in it and right around it, on the whole.
    asking
        How much of it only asks; at most 0.
    sharpness
        Exponent of the relevance. Above 1, weak matches fall further behind strong ones.
    near_match
        Least closeness in meaning (0–1) at which what stands right around a match matches with it; above 1: never.
    contrast
        Whether meanings are compared by what sets them apart from the rest of the history, or by plain cosine.
    alike
        Relevance of the episodes of other exchanges that are most like it; weighed beside the sum of all others, whose
        best is 1. Nothing without `contrast`.
    """

    fused: float
    around: float
    speaker: float
    beside: float
    exchange: float
    near: float
    asking: float
    sharpness: float
    near_match: float
    contrast: bool
    alike: float


@dataclass(frozen=True, slots=True)
class Weights:
    """How relevance, salience and recency (each 0–1) make a score (RC-2).

    Attributes
    ----------
    recency_half_life_days
        Days after which recency has halved.
    signals
        What relevance is made of.
    """

    name: str
    relevance: float
    salience: float
    recency: float
    recency_half_life_days: float
    signals: SignalWeights


#: RC-2, set by hand. Any tuned set lives beside it, under a name of its own. The sharpness keeps what is recent but
#: matches weakly behind what matches (RC-3).
HANDSET = Weights(
    name="handset",
    relevance=0.55,
    salience=0.30,
    recency=0.15,
    recency_half_life_days=75.0,
    signals=SignalWeights(
        fused=1.0,
        around=0.0,
        speaker=0.0,
        beside=0.5,
        exchange=0.0,
        near=0.0,
        asking=0.0,
        sharpness=1.5,
        near_match=2.0,
        contrast=False,
        alike=0.0,
    ),
)
#: Signals fitted to which turns of LoCoMo's conversations hold an answer, and rounded (`anamnesis bench fit-recall`,
#: where the figures on conversations left out stand, and those in other data and languages). Salience and recency
#: only part what is about equally relevant.
FITTED = Weights(
    name="fitted",
    relevance=0.96,
    salience=0.03,
    recency=0.01,
    recency_half_life_days=75.0,
    signals=SignalWeights(
        fused=1.0,
        around=0.60,
        speaker=0.45,
        beside=0.35,
        exchange=0.50,
        near=0.35,
        asking=-0.60,
        sharpness=1.0,
        near_match=0.15,
        contrast=True,
        alike=0.25,
    ),
)
#: Every set of weights by its name.
WEIGHTS: Mapping[str, Weights] = {weights.name: weights for weights in (FITTED, HANDSET)}


class Pool(StrEnum):
    """By what a memory matches: the four pools of RC-1, and the exchange it belongs to.

    A question's answer need not repeat its words: the one that follows a matching question, or the question before a
    matching answer, matches as part of the exchange.
    """

    RECENT = "recent"
    TERMS = "terms"
    CONCEPTS = "concepts"
    SEMANTIC = "semantic"
    EXCHANGE = "exchange"


class Layer(StrEnum):
    """What can be switched off to measure what it is worth."""

    POOL_RECENT = "pool.recent"
    POOL_TERMS = "pool.terms"
    POOL_CONCEPTS = "pool.concepts"
    POOL_SEMANTIC = "pool.semantic"
    GATE = "gate"
    FOLDING = "folding"
    TIME_FILTER = "time_filter"


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What a turn asks of the past.

    Attributes
    ----------
    words
        The telling words of the question, see ``question_words``; without its time phrase.
    vector
        Shape (d,), float32: the question's embedding, None when there is none.
    concepts
        Canonical keys that the question was routed to.
    window
        Start (inclusive) and end (exclusive) in seconds since the epoch, None for all time.
    focus
        Restricts kinds and outcomes: WRONG to missed checks and quizzes, RIGHT to passed ones, TAUGHT to taught facts.
    asks_something
        False when the question is empty or names nothing but a time or a focus: nothing is to be relevant to.
    now
        When the question is asked, aware; later episodes do not exist yet.
    without_questions
        Leave bare questions out: true memories, but useless reminders (RC-7).
    embedder
        Name of the embedder behind `vector`; segments of another embedder are not compared with it. None trusts the
        caller.
    """

    words: tuple[QuestionWord, ...]
    now: datetime
    vector: npt.NDArray[np.float32] | None = None
    concepts: tuple[str, ...] = ()
    window: tuple[float, float] | None = None
    focus: RecordFocus = RecordFocus.ANY
    asks_something: bool = True
    without_questions: bool = False
    embedder: str | None = None


@dataclass(frozen=True, slots=True)
class Recollection:
    """One memory that recall offers.

    Attributes
    ----------
    position, id
        The episode that stands for the memory: the best-scored of its repeats, the latest of equals.
    score, relevance, salience, recency
        The score of RC-2 and its three parts, each 0–1; relevance is relative to the best of this question.
    repeats
        How many more episodes it stands for (RC-4), over all of the asked time.
    first_at, last_at
        When the first and the last of all these happened, in seconds since the epoch.
    matched_by
        Pools by which it matches the question; empty for one that only is recent.
    """

    position: int
    id: str
    score: float
    relevance: float
    salience: float
    recency: float
    repeats: int
    first_at: int
    last_at: int
    matched_by: frozenset[Pool]


@dataclass(frozen=True, slots=True)
class Recalled:
    """What recall found.

    Attributes
    ----------
    memories
        Best first.
    matched
        False only when something was asked and nothing matched; the memories then are the latest past (RC-3).
    window_empty
        True when nothing at all happened in the asked window; then there are no memories (RC-5).
    focus_empty
        True when things happened in the asked time but none of the asked focus.
    gate_dropped
        Candidates that the gate dropped because they match nothing (RC-3).
    """

    memories: tuple[Recollection, ...]
    matched: bool
    window_empty: bool
    focus_empty: bool
    gate_dropped: int
