"""The charts of the kept results: what docs/ shows (EV-3, EV-4, EV-7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from anamnesis_tools.bench.charts import Bar, Series, grouped_bars, lines
from anamnesis_tools.bench.improvements.record import RESULTS, Kept, latest

_MEASURED = "{title}, {day}"


def plotted(folder: Path = RESULTS, out: Path | None = None) -> Iterator[Path]:
    """Draw a chart of the latest result of each kind that a folder holds; yield where each one is.

    Parameters
    ----------
    out
        Where they are written; beside the results by default.
    """
    for kind, (name, draw) in _CHARTS.items():
        result = latest(kind, folder)
        if result is not None:
            path = (out or folder) / f"{name}.svg"
            path.write_text(draw(result), encoding="utf-8")
            yield path


def _designs(result: Kept) -> str:
    groups = {
        category: {design: Bar(of["share"], *of["interval"]) for design, of in figures["designs"].items()}
        for category, figures in result.figures["categories"].items()
    }
    return grouped_bars(
        _title("Four designs by category", result),
        "share of questions with their evidence in the prompt",
        groups,
    )


def _locomo(result: Kept) -> str:
    series = [
        Series(name, {float(budget): share for budget, share in of["recall"].items()})
        for name, of in result.figures["rankers"].items()
    ]
    return lines(
        _title("Evidence of LoCoMo's questions", result),
        "token budget",
        "share found",
        series,
        log=True,
        top=1.0,
    )


def _latency(result: Kept) -> str:
    alone = [one for one in result.figures if one["pairs"] == 1]
    kinds: Mapping[str, Callable[[Mapping[str, Any]], float]] = {
        "wall p95": lambda one: one["warm"]["wall_ms"]["p95"],
        "wall p50": lambda one: one["warm"]["wall_ms"]["p50"],
        "processor p95": lambda one: one["warm"]["cpu_ms"]["p95"],
        "processor p50": lambda one: one["warm"]["cpu_ms"]["p50"],
        "embedding p95": lambda one: one["warm"]["embedding_alone_ms"]["p95"],
    }
    series = [
        Series(name, {float(one["episodes"]): take(one) for one in alone}) for name, take in kinds.items()
    ]
    return lines(
        _title("One turn's block by length of history", result),
        "episodes",
        "milliseconds, warm",
        series,
        log=True,
    )


def _title(title: str, result: Kept) -> str:
    return _MEASURED.format(title=title, day=result.taken_at[:10])


#: Kinds of results, with the name of their chart and what draws it.
_CHARTS: Mapping[str, tuple[str, Callable[[Kept], str]]] = {
    "designs": ("designs", _designs),
    "locomo": ("locomo", _locomo),
    "latency": ("latency", _latency),
}
