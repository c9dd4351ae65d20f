"""What each layer adds: the full design without one at a time, on the same registered questions (EV-5)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from anamnesis.bootstrap import LAYERS
from anamnesis.ports import Embedder
from anamnesis_tools.bench.designs.figures import counted, groups
from anamnesis_tools.bench.designs.grading import passes
from anamnesis_tools.bench.designs.registration import Registered, question_id
from anamnesis_tools.bench.designs.running import Memory, Progress, registered_questions, remembered, silent
from anamnesis_tools.bench.histories.values import History
from anamnesis_tools.bench.intervals import PairedDifference, paired

#: Layers that histories without nights do not have.
_ABSENT = frozenset({"self_model"})
#: Switched off together: without its map a memory has nothing to route to.
_TOGETHER = {
    "map and routing": frozenset({"map", "routing"}),
    "all but recall": frozenset({"map", "routing", "beliefs"}),
}
_FULL = "full"


@dataclass(frozen=True, slots=True)
class Ablation:
    """Grades by what was left out, in the order of the questions, and how many tokens the prompts had on average."""

    registered: Registered
    grades: Mapping[str, tuple[bool, ...]]
    tokens: Mapping[str, float]
    processor_seconds: float


def left_out() -> dict[str, frozenset[str]]:
    """Return what is switched off, by name; nothing first."""
    alone = {name: frozenset({name}) for name in sorted(LAYERS - _ABSENT)}
    return {_FULL: frozenset(), **alone, **_TOGETHER}


def measure(
    histories: Sequence[History],
    embedder: Embedder,
    *,
    seed: int,
    on_registered: Callable[[Registered], None] = lambda _: None,
    progress: Progress = silent,
) -> Ablation:
    """Ask every question of the full design and of it without each layer."""
    started = time.process_time()
    with remembered(histories, embedder, progress) as memory:
        asked = registered_questions(memory, histories, seed=seed)
        on_registered(asked)
        grades: dict[str, tuple[bool, ...]] = {}
        tokens: dict[str, float] = {}
        for name, layers in left_out().items():
            grades[name], tokens[name] = _graded(memory, asked, layers, name, progress)
    return Ablation(asked, grades, tokens, time.process_time() - started)


def _graded(
    memory: Memory, asked: Registered, layers: frozenset[str], name: str, progress: Progress
) -> tuple[tuple[bool, ...], float]:
    passed, tokens = [], 0
    for number, question in enumerate(asked.questions, start=1):
        prompt = memory.makers[question.history].without(question.text, layers)
        passed.append(passes(question, prompt, memory.recorded(question.history)))
        tokens += prompt.tokens
        progress(number, len(asked.questions), f"without {name}" if layers else name)
    return tuple(passed), tokens / max(1, len(passed))


def figures(found: Ablation) -> dict[str, Any]:
    """Return the figures as JSON: what each layer adds in each category, pairwise."""
    questions = found.registered.questions
    by_category = {
        name: {
            "questions": len(rows),
            "full": sum(found.grades[_FULL][row] for row in rows),
            "adds": {layer: asdict(_adds(found, layer, rows)) for layer in found.grades if layer != _FULL},
        }
        for name, rows in groups(questions).items()
    }
    return {
        "histories": len(found.registered.histories),
        "questions": len(questions),
        "questions_sha256": found.registered.sha256,
        "data_sha256": found.registered.data_sha256,
        "languages": counted([question.language for question in questions]),
        "categories": by_category,
        "tokens": {name: round(value) for name, value in found.tokens.items()},
        "adds_nothing": nothing_added(by_category),
        "processor_seconds": round(found.processor_seconds),
        "grades": {name: "".join("01"[one] for one in row) for name, row in found.grades.items()},
        "of_category": [question.category.value for question in questions],
        "question_ids": [question_id(question) for question in questions],
    }


def _adds(found: Ablation, layer: str, rows: Sequence[int]) -> PairedDifference:
    return paired([found.grades[layer][row] for row in rows], [found.grades[_FULL][row] for row in rows])


def nothing_added(by_category: Mapping[str, Any]) -> list[str]:
    """Return the layers whose absence costs no category anything that exceeds noise."""
    layers: Sequence[str] = list(next(iter(by_category.values()))["adds"]) if by_category else []
    return [
        layer
        for layer in layers
        if not any(
            PairedDifference(**of["adds"][layer]).exceeds_noise and of["adds"][layer]["difference"] > 0
            for of in by_category.values()
        )
    ]


def shown(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the figures, as tables for people or as JSON."""
    if as_json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    console = Console(width=150)
    categories = found["categories"]
    table = Table(
        "left out",
        *categories,
        "tokens",
        title="Share of questions that a layer adds; * exceeds noise (McNemar, 95 %)",
    )
    table.add_row(
        "nothing: share passed", *(f"{of['full'] / of['questions']:.1%}" for of in categories.values()),
        str(found["tokens"][_FULL]), end_section=True,
    )  # fmt: skip
    for layer in next(iter(categories.values()))["adds"]:
        cells = [_cell(PairedDifference(**of["adds"][layer])) for of in categories.values()]
        table.add_row(layer, *cells, str(found["tokens"][layer]))
    console.print(table)
    console.print(f"Adds nothing here that exceeds noise: {', '.join(found['adds_nothing']) or 'none'}.")
    console.print(
        f"{found['questions']} questions of {found['histories']} histories, registered as "
        f"{found['questions_sha256']}; {found['processor_seconds']} s of processor."
    )


def _cell(adds: PairedDifference) -> str:
    if not adds.gained and not adds.lost:
        return "0"
    star = "*" if adds.exceeds_noise else ""
    return f"{adds.difference:+.1%}{star} (+{adds.gained} −{adds.lost})"
