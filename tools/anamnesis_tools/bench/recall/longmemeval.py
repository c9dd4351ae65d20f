"""Evidence retrieval in LongMemEval's format, by session and by turn, through the recall of a block (EV-4).

The data set is not shipped: the caller names a file. Each question has a history of its own; questions without an
answer are left out. A turn counts as found when its line, as a block would tell it, is among the best memories that
fit into the budget; a session when any of its turns is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.ports import Embedder
from anamnesis_tools.bench.recall.locomo import BUDGETS_TOKENS
from anamnesis_tools.bench.recall.longmemeval_format import Asked, read
from anamnesis_tools.bench.recall.rankers import Ranked, rankers

#: Distinct sessions among which all evidence must lie, as LongMemEval's own retrieval metric has it.
DEPTHS = (5, 10)
_ALL = "all"


@dataclass(frozen=True, slots=True)
class Found:
    """What a way to rank found of the questions of one type.

    Attributes
    ----------
    questions
        How many.
    sessions, turns
        Mean share of the evidence within each budget in tokens; of turns where any is marked.
    all_sessions_at
        Share of the questions all of whose sessions are among the first so many distinct ones.
    """

    questions: int
    sessions: Mapping[int, float]
    turns: Mapping[int, float]
    all_sessions_at: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class _Reply:
    type: str
    sessions: tuple[float, ...]
    turns: tuple[float, ...] | None
    all_at: tuple[bool, ...]


def measure(
    path: Path,
    embedder: Embedder,
    *,
    names: Sequence[str] = (),
    switch_off: frozenset[str] = frozenset(),
    limit: int | None = None,
) -> Mapping[str, Mapping[str, Found]]:
    """Measure a file: by way to rank, then by type of question, and ``all``.

    Parameters
    ----------
    names
        Ways to rank; all of them when empty.
    switch_off
        Layers of recall to leave out, for ablations (EV-5).
    limit
        Most questions.

    Raises
    ------
    KeyError
        If a name is not that of a way to rank.
    ValueError
        If the file is in another format.
    """
    known = rankers(embedder, switch_off=switch_off)
    chosen = {name: known[name] for name in names or known}
    replies: dict[str, list[_Reply]] = {name: [] for name in chosen}
    for asked in read(path, embedder, limit=limit):
        for name, ranker in chosen.items():
            replies[name].append(_reply(asked, ranker(asked.segment, asked.query)))
    return {name: _by_type(of) for name, of in replies.items()}


def _reply(asked: Asked, ranked: Ranked) -> _Reply:
    spent = np.cumsum(asked.costs[ranked])
    within = [
        ranked[: int(np.searchsorted(spent, budget, side="right"))].tolist() for budget in BUDGETS_TOKENS
    ]
    order = list(dict.fromkeys(asked.sessions[row] for row in ranked.tolist()))
    wanted = asked.evidence_sessions
    return _Reply(
        type=asked.type,
        sessions=tuple(len(wanted & {asked.sessions[row] for row in rows}) / len(wanted) for rows in within),
        turns=tuple(len(asked.evidence.intersection(rows)) / len(asked.evidence) for rows in within)
        if asked.evidence
        else None,
        all_at=tuple(wanted <= set(order[:depth]) for depth in DEPTHS),
    )


def _by_type(replies: Sequence[_Reply]) -> dict[str, Found]:
    types = {kind: [one for one in replies if one.type == kind] for kind in sorted({r.type for r in replies})}
    return {kind: _summed(of) for kind, of in {**types, _ALL: replies}.items()}


def _summed(replies: Sequence[_Reply]) -> Found:
    return Found(
        questions=len(replies),
        sessions=_means([one.sessions for one in replies], BUDGETS_TOKENS),
        turns=_means([one.turns for one in replies if one.turns is not None], BUDGETS_TOKENS),
        all_sessions_at=_means([one.all_at for one in replies], DEPTHS),
    )


def _means(rows: Sequence[Sequence[float]], names: Sequence[int]) -> dict[int, float]:
    if not rows:
        return dict.fromkeys(names, 0.0)
    return dict(zip(names, np.mean(np.array(rows, dtype=np.float64), axis=0).tolist(), strict=True))


def shown(found: Mapping[str, Mapping[str, Found]], *, as_json: bool) -> None:
    """Print the shares, as tables for people or as JSON."""
    if as_json:
        print(
            json.dumps({name: {k: asdict(v) for k, v in by.items()} for name, by in found.items()}, indent=1)
        )
        return
    console = Console(width=120)
    budgets = [f"{budget:,} tok" for budget in BUDGETS_TOKENS]
    for level in ("sessions", "turns"):
        table = Table(
            "", *budgets, *(f"all sessions @{depth}" for depth in DEPTHS), title=f"Evidence: {level}"
        )
        for name, by in found.items():
            one = by[_ALL]
            shares = one.sessions if level == "sessions" else one.turns
            at = [f"{share:.3f}" for share in one.all_sessions_at.values()]
            table.add_row(name, *(f"{share:.3f}" for share in shares.values()), *at)
        console.print(table)
    types = list(next(iter(found.values())))
    table = Table("sessions at 800 tokens", *types)
    for name, by in found.items():
        table.add_row(name, *(f"{by[kind].sessions[800]:.3f}" for kind in types))
    console.print(table)
    console.print(f"{next(iter(found.values()))[_ALL].questions} questions")
