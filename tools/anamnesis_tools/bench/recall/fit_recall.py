"""Fitting the weights of recall's signals to conversations whose questions name their evidence (RC-2).

A linear score of the signals, fitted by maximum likelihood that a question's evidence is drawn by softmax (ListNet's
loss: Cao et al. 2007, "Learning to Rank: From Pairwise to Listwise Approach"), with a ridge. Every conversation is
also ranked by weights fitted to the others only; that figure is what new conversations may expect. What is alike shares
its relevance as with the weights in use: the loss is about the best place only and says nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console

from anamnesis.domain.recall import FITTED
from anamnesis.domain.recall.exchanges import Exchanges
from anamnesis.domain.recall.history import FloatRows, History
from anamnesis.domain.recall.likeness import alike_signal
from anamnesis.domain.recall.meaning import CosineScale
from anamnesis.domain.recall.relevance import Signals, brought_to_1, gather
from anamnesis.ports import Embedder
from anamnesis_tools.bench.recall.locomo_format import conversations

#: Rows of a question that are fitted to: its evidence, and the best by the weights in use.
_FITTED_ROWS = 120
_RIDGE = 0.05
_STEPS = 300
_BUDGET = 800
SIGNALS = tuple(field.name for field in fields(Signals))

_Rows = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Asked:
    conversation: str
    signals: _Rows
    evidence: npt.NDArray[np.bool_]
    costs: npt.NDArray[np.int64]
    picked: npt.NDArray[np.int64]
    alike: Callable[[FloatRows], FloatRows]


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights relative to ``fused``, and the share of evidence in 800 tokens, without the gate.

    Attributes
    ----------
    left_out
        By conversation, ranked by weights fitted to the others.
    rounded
        Ranked by the weights in use.
    """

    weights: Mapping[str, float]
    left_out: Mapping[str, float]
    left_out_mean: float
    rounded: float


def measure(path: Path, embedder: Embedder) -> Fit:
    """Fit to a LoCoMo file, and to all but one of its conversations in turn."""
    asked = [one for one in _read(path, embedder) if one.evidence.any()]
    names = list(dict.fromkeys(one.conversation for one in asked))
    left_out: dict[str, list[float]] = {}
    for name in names:
        others = [one for one in asked if one.conversation != name]
        weights = _fitted(others or asked)
        left_out[name] = [_share(one, weights) for one in asked if one.conversation == name]
    in_use = np.array([getattr(FITTED.signals, name) for name in SIGNALS])
    whole = _fitted(asked)
    return Fit(
        weights=dict(zip(SIGNALS, (whole / whole[SIGNALS.index("fused")]).round(3).tolist(), strict=True)),
        left_out={name: float(np.mean(shares)) for name, shares in left_out.items()},
        left_out_mean=float(np.mean([share for shares in left_out.values() for share in shares])),
        rounded=float(np.mean([_share(one, in_use) for one in asked])),
    )


def _read(path: Path, embedder: Embedder) -> list[_Asked]:
    read = []
    scale = CosineScale(embedder.floor, embedder.match_threshold)
    in_use = np.array([getattr(FITTED.signals, name) for name in SIGNALS])
    for conversation in conversations(path, embedder):
        history = History.of([conversation.segment])
        exchanges = Exchanges.of(history)
        for question in conversation.questions:
            found = gather(
                history,
                question.query,
                known=history.tellable,
                asked=history.tellable,
                scale=scale,
                weights=FITTED.signals,
                semantic=(),
                switch_off=frozenset(),
            )
            rows = np.column_stack([getattr(found.signals, name) for name in SIGNALS]).astype(np.float64)
            evidence = np.isin(np.arange(len(rows)), list(question.evidence))
            best = np.argsort(-(rows @ in_use), kind="stable")[:_FITTED_ROWS]
            picked = np.union1d(best, np.flatnonzero(evidence))
            alike = partial(
                alike_signal, history, exchanges, frame=found.frame, embedder=question.query.embedder
            )
            read.append(_Asked(conversation.name, rows, evidence, conversation.costs, picked, alike))
    return read


def _fitted(asked: Sequence[_Asked]) -> _Rows:
    """Weights of the signals, by gradient descent on the standardised ones (Adam, Kingma and Ba 2015)."""
    rows = np.concatenate([one.signals[one.picked] for one in asked])
    drawn = np.concatenate([one.evidence[one.picked] / one.evidence.sum() for one in asked])
    sizes = np.array([len(one.picked) for one in asked])
    starts, which = np.concatenate([[0], np.cumsum(sizes)[:-1]]), np.repeat(np.arange(len(sizes)), sizes)
    spread = rows.std(axis=0) + 1e-9
    standard = (rows - rows.mean(axis=0)) / spread
    weights, mean, square = (np.zeros(len(SIGNALS)) for _ in range(3))
    for step in range(1, _STEPS + 1):
        scores = standard @ weights
        likely = np.exp(scores - np.maximum.reduceat(scores, starts)[which])
        likely /= np.add.reduceat(likely, starts)[which]
        gradient = standard.T @ (likely - drawn) / len(sizes) + 2 * _RIDGE * weights
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        move = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weights = weights - 0.05 * move / (1 + 0.02 * step)
    fitted: _Rows = weights / spread
    return fitted


def _share(one: _Asked, weights: _Rows) -> float:
    relevance = brought_to_1(np.maximum(one.signals @ weights, 0).astype(np.float32))
    relevance = relevance + np.float32(FITTED.signals.alike) * one.alike(relevance)
    order = np.argsort(-relevance, kind="stable")
    depth = int(np.searchsorted(np.cumsum(one.costs[order]), _BUDGET, side="right"))
    return float(one.evidence[order[:depth]].sum() / one.evidence.sum())


def shown(fit: Fit, *, as_json: bool) -> None:
    """Print the weights and what they find, for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(fit), indent=1))
        return
    console = Console(width=120)
    console.print("weights, fused = 1: " + ", ".join(f"{k} {v:+.2f}" for k, v in fit.weights.items()))
    console.print("left out in turn: " + ", ".join(f"{k} {v:.3f}" for k, v in fit.left_out.items()))
    console.print(
        f"evidence in {_BUDGET} tokens: {fit.left_out_mean:.3f} left out, {fit.rounded:.3f} by those in use"
    )
