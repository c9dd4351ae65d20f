"""Answers whose support is known, and planted sentences that nothing supports, against two baselines (GR-1, GR-2).

Passages and sentences of our own (``cases.toml``) in many languages, and textbook chapters where a
folder of them is given (``chapters``). Reported by kind and by language: of the planted sentences
the share that is found out (recall), of the supported ones the share that is traced, and the precision of
what is traced. Beside the rules stand two thresholds, each at its best on these very sentences: the share of
words in common with the nearest line, and the cosine of an embedder.
"""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.domain.files import Page
from anamnesis.domain.grounding.answers import claims_of, ground
from anamnesis.domain.grounding.indexed_files import index_file
from anamnesis.domain.grounding.indexed_memories import Remembered
from anamnesis.domain.grounding.library import Library
from anamnesis.domain.grounding.vocabulary import vocabulary_of
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Episode, Kind, Outcome
from anamnesis.domain.text.sentences import sentences
from anamnesis.domain.text.terms import index_terms
from anamnesis.ports import Embedder
from anamnesis_tools.bench.grounding.chapters import chapters_of
from anamnesis_tools.bench.said_episodes import said_episode

NOW = datetime.fromisoformat("2026-09-21T09:00:00+00:00")
PAIR = Pair("bench", "student", "subject")
MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Trial:
    """One sentence of an answer: what kind it is, and whether it is supported."""

    source: str
    language: str
    kind: str
    text: str
    supported: bool


@dataclass(slots=True)
class Found:
    """What each method made of a trial: traced or not, and the baselines' scores."""

    trial: Trial
    traced: bool
    problem: str
    overlap: float
    cosine: float


@dataclass(slots=True)
class Report:
    """All trials, how long the rules took, and how many sentences were left out because they claim nothing."""

    found: list[Found] = field(default_factory=list)
    seconds: float = 0.0
    no_claim: int = 0

    @property
    def methods(self) -> dict[str, list[bool]]:
        """For each method what it traced, trial by trial; baselines at the threshold that is best for them here."""
        truth = np.array([f.trial.supported for f in self.found])
        told = {"rules": [f.traced for f in self.found]}
        for name in ("overlap", "cosine"):
            scores = np.array([getattr(f, name) for f in self.found])
            if np.isfinite(scores).all():
                cut = max(np.unique(scores), key=lambda c: _balanced(scores >= c, truth))
                told[name] = [bool(score >= cut) for score in scores]
        return told


def _balanced(traced: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> float:
    """Mean of the two recalls: the sets are of unequal size."""
    return float(traced[truth].mean() + (~traced[~truth]).mean()) / 2


def measure(chapters: Path | None, embedder: Embedder | None) -> Report:
    """Ground every trial; without an embedder its baseline is left out."""
    cases = tomllib.loads((files(__package__) / "cases.toml").read_text(encoding="utf-8"))
    report = Report()
    for number, passage in enumerate(cases["passages"]):
        trials = list(_trials(passage, f"{'fresh' if passage.get('fresh') else 'own'} {number}"))
        pages = [Page(1, passage["text"])]
        _ground(report, trials, pages, passage["language"], passage["concepts"], embedder)
    for number, memory in enumerate(cases["memories"]):
        _recall(report, list(_trials(memory, f"record {number}")), memory)
    for chapter in chapters_of(chapters) if chapters else ():
        trials = [Trial(chapter.name, chapter.language, k, t, s) for k, t, s in chapter.trials]
        _ground(report, trials, chapter.pages, chapter.language, chapter.concepts, embedder)
    return report


def measure_translations(embedder: Embedder | None) -> Report:
    """Ground answers in another language than their page, as ``measure`` does those in its own."""
    cases = tomllib.loads((files(__package__) / "translations.toml").read_text(encoding="utf-8"))
    report = Report()
    for passage in cases["passages"]:
        language = passage["language"]
        trials = [
            Trial(f"page in {language}", f"{answers['language']} of {language}", kind, text, supported)
            for answers in passage["answers"]
            for supported in (True, False)
            for kind, text in answers["supported" if supported else "planted"]
        ]
        _ground(report, trials, [Page(1, passage["text"])], language, passage["concepts"], embedder)
    return report


def _trials(case: Mapping[str, Any], source: str) -> Iterable[Trial]:
    for supported in (True, False):
        for kind, text in case["supported" if supported else "planted"]:
            yield Trial(source, case["language"], kind, text, supported)


def _ground(
    report: Report,
    trials: Sequence[Trial],
    pages: Sequence[Page],
    language: str,
    concepts: Sequence[str],
    embedder: Embedder | None,
) -> None:
    vocabulary = vocabulary_of(concepts)
    library = Library([index_file("f", "passage", language, pages)], vocabulary)
    lines = [sentence.text for page in pages for sentence in sentences(page.text)]
    cosines = _cosines([t.text for t in trials], lines, embedder)
    held = [frozenset(index_terms(line, language)) for line in lines]
    nobody = Remembered((), (), NOW, None)
    for trial, cosine in zip(trials, cosines, strict=True):
        started = time.perf_counter()
        claims = ground(claims_of(trial.text), library, nobody, vocabulary).claims
        report.seconds += time.perf_counter() - started
        if not claims:
            report.no_claim += 1
            continue
        asked = frozenset(index_terms(trial.text, trial.language.partition(" ")[0]))
        overlap = max((len(asked & line) / max(1, len(asked)) for line in held), default=0.0)
        traced = bool(claims) and all(claim.source is not None for claim in claims)
        problem = next(
            (str(claim.problem) for claim in claims if claim.problem), "" if claims else "no claim"
        )
        report.found.append(Found(trial, traced, problem, overlap, cosine))


def _cosines(texts: Sequence[str], lines: Sequence[str], embedder: Embedder | None) -> list[float]:
    if embedder is None or not lines:
        return [float("nan")] * len(texts)
    vectors = embedder.embed_passages([*lines, *texts])
    nearest = (vectors[len(lines) :] @ vectors[: len(lines)].T).max(axis=1)
    return [float(value) for value in nearest]


def _recall(report: Report, trials: Sequence[Trial], memory: Mapping[str, Any]) -> None:
    vocabulary = vocabulary_of(())
    library = Library([], vocabulary)
    episodes = tuple(
        _episode(n, told, memory["language"]) for n, told in enumerate(memory["episodes"], start=1)
    )
    remembered = Remembered(episodes, (), datetime.fromisoformat(memory["now"]), ZoneInfo("UTC"))
    held = [
        frozenset(index_terms(f"{e.content.topic or ''} {e.content.text}", e.language))
        for e in episodes
        if e.content
    ]
    for trial in trials:
        claims = ground(claims_of(trial.text), library, remembered, vocabulary).claims
        asked = frozenset(index_terms(trial.text, trial.language))
        overlap = max(len(asked & line) / max(1, len(asked)) for line in held)
        traced = bool(claims) and all(claim.source is not None for claim in claims)
        problem = next(
            (str(claim.problem) for claim in claims if claim.problem), "" if claims else "no claim"
        )
        report.found.append(Found(trial, traced, problem, overlap, 0.0))


def _episode(position: int, told: Mapping[str, Any], language: str) -> Episode:
    kind = Kind(told["kind"])
    at = datetime.fromisoformat(told["at"])
    correct = told.get("correct")
    outcome = None if correct is None else Outcome(correct, float(correct), None, None)
    content = Content(told["text"], told["text"], told.get("topic"))
    return said_episode(
        PAIR,
        position,
        kind,
        at,
        content,
        language,
        id=f"e{position}",
        salience=0.5,
        session_id=told.get("session"),
        outcome=outcome,
    )


def shown(report: Report, *, as_json: bool, wrong: bool = False) -> None:
    """Print tables, or JSON for programs."""
    rows = {by: _rows(report, by) for by in ("kind", "language")}
    if as_json:
        missed = [
            {
                "kind": f.trial.kind,
                "language": f.trial.language,
                "source": f.trial.source,
                "text": f.trial.text,
            }
            for f in report.found
            if f.traced != f.trial.supported
        ]
        print(json.dumps({**rows, "seconds": report.seconds, "trials": len(report.found), "wrong": missed}))
        return
    console = Console()
    for by, table in rows.items():
        _print(console, by, table)
    each = 1000 * report.seconds / max(1, len(report.found))
    console.print(f"{len(report.found)} sentences, {each:.1f} ms each; {report.no_claim} more claim nothing")
    for f in report.found if wrong else ():
        if f.traced != f.trial.supported:
            console.print(f"{f.trial.source} {f.trial.kind} {f.problem}: {f.trial.text}", markup=False)


def _rows(report: Report, by: str) -> list[dict[str, Any]]:
    """For each kind or language the trials, and for each method the share judged rightly; with precision overall."""
    methods = report.methods
    groups: dict[tuple[bool, str], list[int]] = {}
    for at, f in enumerate(report.found):
        label = f.trial.kind if by == "kind" else f.trial.language
        groups.setdefault((f.trial.supported, label), []).append(at)
        groups.setdefault((f.trial.supported, "all"), []).append(at)
    rows = []
    for (supported, label), members in sorted(groups.items(), key=lambda g: (not g[0][0], g[0][1])):
        row: dict[str, Any] = {
            "expected": "supported" if supported else "planted",
            by: label,
            "n": len(members),
        }
        for name, told in methods.items():
            row[name] = sum(told[at] == supported for at in members) / len(members)
        rows.append(row)
    precision: dict[str, Any] = {"expected": "precision", by: "of what is traced", "n": len(report.found)}
    for name, told in methods.items():
        traced = [f.trial.supported for f, t in zip(report.found, told, strict=True) if t]
        precision[name] = sum(traced) / max(1, len(traced))
    return [*rows, precision]


def _print(console: Console, by: str, rows: Sequence[Mapping[str, Any]]) -> None:
    table = Table(title=f"Judged rightly, by {by}")
    for column in rows[0]:
        table.add_column(column, justify="left" if column in {"expected", by} else "right")
    for row in rows:
        table.add_row(*(f"{v:.2f}" if isinstance(v, float) else str(v) for v in row.values()))
    console.print(table)
