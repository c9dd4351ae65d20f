"""Evidence retrieval on LoCoMo inside a token budget (EV-4), through the recall that a turn goes through.

LoCoMo (Maharana et al. 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents", arXiv:2402.17753) asks
questions about conversations of months and names the turns that hold the answer. The data set is not shipped: the
caller names a file in its format. A conversation becomes one pair's history. The figure is the share of a question's
evidence among the best memories that fit the budget, at four characters a token of the line ``DATE · SPEAKER: text``;
none is skipped to make room for a shorter one. Every way to rank answers the same questions in the same run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from anamnesis.domain.recall import FITTED
from anamnesis.ports import Embedder
from anamnesis_tools.bench.intervals import bootstrapped
from anamnesis_tools.bench.recall.locomo_format import Conversation, Question, conversations
from anamnesis_tools.bench.recall.rankers import Ranked, Ranker, rankers

BUDGETS_TOKENS = (400, 800, 1_500)
DEPTHS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class EvidenceRecall:
    """What one way to rank found.

    Attributes
    ----------
    questions
        Questions measured: of categories 1–4, with at least one evidence id that names a turn.
    unmatched
        Questions that nothing matched.
    recall
        Mean share of the evidence found, by budget in tokens.
    by_category
        The same by category at each budget.
    recall_at
        Mean share of the evidence among so many best.
    reciprocal_rank
        Mean of 1 / rank of the best-ranked evidence, 0 where none was found.
    milliseconds
        Processor time of our own work for a question, without its embedding: percentiles.
    """

    questions: int
    unmatched: int
    recall: Mapping[int, float]
    by_category: Mapping[int, Mapping[int, float]]
    recall_at: Mapping[int, float]
    reciprocal_rank: float
    milliseconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every way to rank by its name, and how much more of the evidence each finds than the one before it.

    Attributes
    ----------
    gains
        By ranker: mean difference at 800 tokens from the ranker measured before, and its 95 % interval over questions.
    """

    rankers: Mapping[str, EvidenceRecall]
    gains: Mapping[str, tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class _Found:
    category: int
    shares: tuple[float, ...]
    at: tuple[float, ...]
    reciprocal_rank: float
    seconds: float
    matched: bool


def measure(
    path: Path,
    embedder: Embedder,
    *,
    names: Sequence[str] = (),
    switch_off: frozenset[str] = frozenset(),
) -> Comparison:
    """Measure every conversation of a LoCoMo file.

    Parameters
    ----------
    names
        Ways to rank; all of them when empty.
    switch_off
        Layers of recall to leave out, for ablations (EV-5).

    Raises
    ------
    KeyError
        If a name is not that of a way to rank.
    """
    known = rankers(embedder, switch_off=switch_off)
    chosen = {name: known[name] for name in names or known}
    found: dict[str, list[_Found]] = {name: [] for name in chosen}
    for conversation in conversations(path, embedder):
        for question in conversation.questions:
            for name, ranker in chosen.items():
                found[name].append(_ask(conversation, question, ranker))
    return Comparison({name: _summed(one) for name, one in found.items()}, _gains(found))


def measured(path: Path, embedder: Embedder, **options: frozenset[str]) -> EvidenceRecall:
    """Measure the default ranking alone."""
    return measure(path, embedder, names=[FITTED.name], **options).rankers[FITTED.name]


def _ask(conversation: Conversation, question: Question, ranker: Ranker) -> _Found:
    started = time.process_time()
    ranked = ranker(conversation.segment, question.query)
    seconds = time.process_time() - started
    spent = np.cumsum(conversation.costs[ranked])
    hits = np.flatnonzero(np.isin(ranked, list(question.evidence)))
    return _Found(
        category=question.category,
        shares=tuple(
            _share(question, ranked, int(np.searchsorted(spent, budget, side="right")))
            for budget in BUDGETS_TOKENS
        ),
        at=tuple(_share(question, ranked, depth) for depth in DEPTHS),
        reciprocal_rank=1 / (int(hits[0]) + 1) if len(hits) else 0.0,
        seconds=seconds,
        matched=len(ranked) > 0,
    )


def _share(question: Question, ranked: Ranked, depth: int) -> float:
    return len(question.evidence.intersection(ranked[:depth].tolist())) / len(question.evidence)


def _summed(found: Sequence[_Found]) -> EvidenceRecall:
    categories = sorted({one.category for one in found})
    times = np.array([one.seconds for one in found]) * 1_000 if found else np.zeros(1)
    return EvidenceRecall(
        questions=len(found),
        unmatched=sum(not one.matched for one in found),
        recall=_means([one.shares for one in found], BUDGETS_TOKENS),
        by_category={
            category: _means([one.shares for one in found if one.category == category], BUDGETS_TOKENS)
            for category in categories
        },
        recall_at=_means([one.at for one in found], DEPTHS),
        reciprocal_rank=float(np.mean([one.reciprocal_rank for one in found])) if found else 0.0,
        milliseconds={f"p{p}": float(np.percentile(times, p)) for p in (50, 95)},
    )


def _means(rows: Sequence[tuple[float, ...]], names: Sequence[int]) -> dict[int, float]:
    if not rows:
        return dict.fromkeys(names, 0.0)
    return dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))


def _gains(found: Mapping[str, Sequence[_Found]]) -> dict[str, tuple[float, float, float]]:
    """Paired bootstrap over questions, of each ranker against the one before it."""
    middle = BUDGETS_TOKENS.index(800)
    shares = {name: np.array([one.shares[middle] for one in ones]) for name, ones in found.items()}
    gains: dict[str, tuple[float, float, float]] = {}
    for before, name in pairwise(shares):
        differences: npt.NDArray[np.float64] = shares[name] - shares[before]
        if len(differences):
            gains[name] = bootstrapped(differences)
    return gains


def shown(found: Comparison, *, as_json: bool) -> None:
    """Print the shares, as tables for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(found), indent=1))
        return
    console = Console(width=120)
    budgets = [f"{budget:,} tok" for budget in BUDGETS_TOKENS]
    table = Table(
        "", *budgets, *(f"@{k}" for k in DEPTHS), "MRR", "none", "ms p50", "p95", title="Evidence found"
    )
    for name, one in found.rankers.items():
        table.add_row(
            name,
            *(f"{one.recall[budget]:.3f}" for budget in BUDGETS_TOKENS),
            *(f"{one.recall_at[depth]:.3f}" for depth in DEPTHS),
            f"{one.reciprocal_rank:.3f}",
            str(one.unmatched),
            *(f"{value:.1f}" for value in one.milliseconds.values()),
        )
    console.print(table)
    categories = sorted({category for one in found.rankers.values() for category in one.by_category})
    table = Table(
        "at 800 tokens", *(f"category {category}" for category in categories), "gain on the one above"
    )
    for name, one in found.rankers.items():
        mean, low, high = found.gains.get(name, (0.0, 0.0, 0.0))
        gain = f"{mean:+.3f} ({low:+.3f} to {high:+.3f})" if name in found.gains else ""
        table.add_row(name, *(f"{one.by_category[c][800]:.3f}" for c in categories), gain)
    console.print(table)
    console.print(f"{max((one.questions for one in found.rankers.values()), default=0)} questions")
