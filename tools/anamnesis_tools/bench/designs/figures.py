"""What the designs' runs come to: shares with intervals, tokens, time, noise; as JSON and as tables (EV-3)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from anamnesis_tools.bench.costs.turn_costs import quantiles
from anamnesis_tools.bench.designs.prompts import FILE_TOKENS, MEMORY_TOKENS, Design
from anamnesis_tools.bench.designs.questions import Category, Question
from anamnesis_tools.bench.designs.registration import question_id
from anamnesis_tools.bench.designs.running import DesignsRun, Graded
from anamnesis_tools.bench.intervals import paired, wilson

#: A category is said to measure nothing when every design passes so much of it.
ALL_PASS = 0.95
#: The result to beat: shares of 420 questions of 45 histories.
REFERENCE = {Design.PLAIN: 0.40, Design.WINDOW: 0.65, Design.EPISODES: 0.83, Design.FULL: 0.91}
#: Of the reference, what is known by category.
REFERENCE_OF = {
    (Category.WRONG, Design.WINDOW): 5 / 32,
    (Category.WRONG, Design.EPISODES): 24 / 32,
    (Category.WRONG, Design.FULL): 30 / 32,
    (Category.REVISE, Design.EPISODES): 0.55,
    (Category.REVISE, Design.FULL): 0.96,
}
_ALL = "all"


def figures(run: DesignsRun) -> dict[str, Any]:
    """Return the figures as JSON, with each question's grades so that runs can be compared pairwise."""
    questions = run.registered.questions
    return {
        "histories": len(run.registered.histories),
        "episodes": sum(len(history.events) for history in run.registered.histories),
        "questions": len(questions),
        "questions_sha256": run.registered.sha256,
        "data_sha256": run.registered.data_sha256,
        "memory_tokens": MEMORY_TOKENS,
        "file_tokens": FILE_TOKENS,
        "languages": counted([question.language for question in questions]),
        "categories": {
            name: {"questions": len(rows), "designs": _designs(run, rows)}
            for name, rows in groups(questions).items()
        },
        "processor_seconds": round(run.processor_seconds),
        "grades": {
            design.value: _bits([graded.passed for graded in rows[0]]) for design, rows in run.graded.items()
        },
        "of_category": [question.category.value for question in questions],
        "question_ids": [question_id(question) for question in questions],
    }


def counted(values: Sequence[str]) -> dict[str, int]:
    """Return how often each value comes."""
    return {value: values.count(value) for value in sorted(set(values))}


def groups(questions: Sequence[Question]) -> dict[str, list[int]]:
    """Return the numbers of each category's questions, and of all."""
    groups = {
        category.value: [n for n, question in enumerate(questions) if question.category is category]
        for category in Category
    }
    return {**{name: rows for name, rows in groups.items() if rows}, _ALL: list(range(len(questions)))}


def _designs(run: DesignsRun, rows: Sequence[int]) -> dict[str, Any]:
    return {design.value: _figures_of(times, rows) for design, times in run.graded.items()}


def _figures_of(times: Sequence[Sequence[Graded]], rows: Sequence[int]) -> dict[str, Any]:
    first = [times[0][row] for row in rows]
    passed = sum(one.passed for one in first)
    taken = quantiles([one.milliseconds for graded in times for one in (graded[row] for row in rows)])
    answered = [one.answer_passed for one in first if one.answer_passed is not None]
    found: dict[str, Any] = {
        "passed": passed,
        "share": round(passed / len(rows), 4),
        "interval": [round(end, 4) for end in wilson(passed, len(rows))],
        "tokens": round(sum(one.tokens for one in first) / len(rows)),
        "ms": {name: round(taken[name], 1) for name in ("p50", "p95")},
        # What changes between two runs of the same questions is noise.
        "changed_when_repeated": sum(len({graded[row].passed for graded in times}) > 1 for row in rows),
    }
    if answered:
        found["answers"] = {
            "passed": sum(answered),
            "share": round(sum(answered) / len(answered), 4),
            "interval": [round(end, 4) for end in wilson(sum(answered), len(answered))],
        }
    return found


def _bits(passed: Sequence[bool]) -> str:
    return "".join("1" if one else "0" for one in passed)


def measures_nothing(figures_of_category: Mapping[str, Any]) -> bool:
    """Tell whether every design passes a category, so that it says nothing of them."""
    return all(one["share"] >= ALL_PASS for one in figures_of_category["designs"].values())


def shown(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the figures, as tables for people or as JSON."""
    if as_json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    console = Console(width=132)
    table = Table(
        "category", "questions", *(design.value for design in Design),
        title="Questions whose evidence is in the prompt, with 95 % intervals; reference in brackets",
    )  # fmt: skip
    for name, of in found["categories"].items():
        cells = [_cell(name, design, of["designs"][design.value]) for design in Design]
        table.add_row(name, str(of["questions"]), *cells, end_section=name == Category.BELIEVED.value)
    console.print(table)
    for name, of in found["categories"].items():
        if name != _ALL and measures_nothing(of):
            console.print(f"“{name}” measures nothing: every design passes it.")
    _shown_costs(found, console)
    _shown_margin(found, console)


def _cell(name: str, design: Design, of: Mapping[str, Any]) -> str:
    low, high = of["interval"]
    known = REFERENCE if name == _ALL else {d: s for (c, d), s in REFERENCE_OF.items() if c.value == name}
    reference = f" [{known[design]:.0%}]" if design in known else ""
    answers = f", answers {of['answers']['share']:.0%}" if "answers" in of else ""
    return f"{of['share']:.1%} ({low:.0%}–{high:.0%}){reference}{answers}"


def _shown_costs(found: Mapping[str, Any], console: Console) -> None:
    table = Table("design", "prompt tokens", "ms p50", "p95", "grades changed when repeated")
    for design, of in found["categories"][_ALL]["designs"].items():
        table.add_row(
            design, f"{of['tokens']:,}", *map(str, of["ms"].values()), str(of["changed_when_repeated"])
        )
    console.print(table)
    console.print(
        f"{found['questions']} questions of {found['histories']} histories with {found['episodes']:,} episodes, in "
        + ", ".join(f"{language} {count}" for language, count in found["languages"].items())
        + f"; registered as {found['questions_sha256']}. Milliseconds are without the embedding of the question. "
        f"{found['processor_seconds']} s of processor."
    )


def _shown_margin(found: Mapping[str, Any], console: Console) -> None:
    """Say what the block adds to ranked recall alone, pairwise."""
    for name in [*map(str, Category), _ALL]:
        rows = [n for n, of in enumerate(found["of_category"]) if name in {of, _ALL}]
        if not rows:
            continue
        alone, full = ([found["grades"][d][n] == "1" for n in rows] for d in (Design.EPISODES, Design.FULL))
        margin = paired(alone, full)
        console.print(
            f"full over episodes, {name}: {margin.difference:+.1%} ({margin.low:+.1%} to {margin.high:+.1%}), "
            f"gained {margin.gained}, lost {margin.lost}, p = {margin.p_value:.2g}"
        )
