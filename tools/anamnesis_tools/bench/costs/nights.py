"""A night over thousands of pairs: pairs a second and worker, requests and bytes by kind of pair, and the bill (NI-1).

Time is this machine's; requests, bytes and units are the same everywhere. The bill is a formula over these: published
unit prices (``aws_prices``), functions as the template has them, and an assumed time for each request to a store.
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
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from anamnesis_tools.bench.costs import night_costs
from anamnesis_tools.bench.costs.aws_prices import Usage, bill_of
from anamnesis_tools.bench.costs.latency import ONE_THREAD
from anamnesis_tools.bench.costs.night_costs import Dispatch, NightCost, NightScenario, WorkerCosts
from anamnesis_tools.bench.costs.turn_costs import quantiles

#: The worker as the template has it: memory in GB, messages in an invocation, invocations at once.
MEMORY_GB, MESSAGES_AT_ONCE, MOST_WORKERS = 3008 / 1024, 5, 50
#: Time that a request to a store of the same region takes on average: assumed for the bill, in seconds. Ours.
REQUEST_SECONDS = 0.006
#: Log lines of one night, with Lambda's own, in bytes. Ours: three lines of Powertools' JSON.
LOG_BYTES = 3_000
#: SQS takes messages of up to 64 kB in a request of ten, gives five to a worker, which deletes them in one.
QUEUE_REQUESTS = 1 / 10 + 2 / MESSAGES_AT_ONCE

console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class NightFound:
    """What was measured."""

    scenario: NightScenario
    dispatch: Dispatch
    workers: list[WorkerCosts]
    load: tuple[float, int]


def measure(scenario: NightScenario) -> NightFound:
    """Write the pairs, queue their night, and run it with as many workers as asked for, each in a process."""
    os.environ.update(ONE_THREAD)
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder:
        path = Path(folder) / "night.sqlite"
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(max_workers=1, mp_context=context) as process:
            process.submit(_write, path, scenario).result()
            dispatch, messages = process.submit(night_costs.dispatched, path, scenario).result()
        with ProcessPoolExecutor(max_workers=scenario.workers, mp_context=context) as processes:
            console.print(f"Running {len(messages):,} nights with {scenario.workers} workers …")
            parts = [messages[n :: scenario.workers] for n in range(scenario.workers)]
            futures = [processes.submit(night_costs.worked, path, scenario, part) for part in parts]
            workers = [future.result() for future in futures]
    return NightFound(scenario, dispatch, workers, (round(os.getloadavg()[0], 1), os.cpu_count() or 1))


def _write(path: Path, scenario: NightScenario) -> None:
    with Progress(console=console) as progress:
        task = progress.add_task(f"Writing {scenario.pairs:,} pairs", total=scenario.pairs)
        for done in night_costs.written(path, scenario):
            progress.update(task, completed=done)


def cpu_ms(nights: Sequence[NightCost]) -> float:
    """Processor time of a night on average, with the embedding as it was measured on some."""
    embedded = [n.embedding_ms for n in nights if n.embedding_ms]
    waiting = sum(n.embedding_ms is None or n.embedding_ms > 0 for n in nights)
    embedding = fmean(embedded) * waiting / len(nights) if embedded else 0.0
    return fmean(n.cpu_ms for n in nights) + embedding


def usage_of(nights: Sequence[NightCost], pairs: float) -> Usage:
    """What `pairs` nights like these use on AWS."""
    share = pairs / len(nights)
    requests = sum(sum(n.requests.values()) for n in nights)
    seconds = len(nights) * cpu_ms(nights) / 1000 + requests * REQUEST_SECONDS
    names = sorted({name for n in nights for name in n.requests if name.startswith(("s3.", "kms."))})
    return Usage(
        gb_seconds=share * seconds * MEMORY_GB,
        invocations=pairs / MESSAGES_AT_ONCE,
        read_units=share * sum(n.read_units for n in nights),
        write_units=share * sum(n.write_units for n in nights),
        requests={name: share * sum(n.requests.get(name, 0) for n in nights) for name in names},
        queue_requests=pairs * QUEUE_REQUESTS,
        log_bytes=pairs * LOG_BYTES,
    )


def summary(found: NightFound) -> dict[str, Any]:
    """Figures of a night, as the JSON form has them."""
    nights = [night for worker in found.workers for night in worker.nights]
    queued = found.dispatch.queued
    usage = usage_of(nights, queued)
    bill = bill_of(usage)
    seconds = usage.gb_seconds / MEMORY_GB
    return {
        "pairs": queued,
        "nights_run": len(nights),
        "episodes_before": found.scenario.before,
        "load": found.load[0],
        "cores": found.load[1],
        "dispatcher": asdict(found.dispatch),
        "workers": [
            {
                "pairs": len(worker.nights),
                "pairs_per_processor_second": 1000 / cpu_ms(worker.nights),
                "without_embedding": 1000 / fmean(n.cpu_ms for n in worker.nights),
                "seconds": worker.seconds,
                "peak_mb": worker.peak_mb,
            }
            for worker in found.workers
            if worker.nights
        ],
        "kinds": {
            kind.name: _of_kind([n for n in nights if n.kind == kind.name])
            for kind in found.scenario.kinds
            if any(n.kind == kind.name for n in nights)
        },
        "usage": asdict(usage),
        "usd": {**asdict(bill), "total": bill.total, "a_pair": bill.total / queued},
        "pairs_per_second_a_worker": queued / seconds,
        "minutes_with_all_workers": seconds / MOST_WORKERS / 60,
    }


def _of_kind(nights: Sequence[NightCost]) -> dict[str, Any]:
    names = sorted({name for night in nights for name in night.requests})
    usage = usage_of(nights, 1)
    return {
        "pairs": len(nights),
        "consolidated": sum(night.consolidated for night in nights),
        "cpu_ms": quantiles([night.cpu_ms for night in nights]),
        "embedding_ms": quantiles([n.embedding_ms for n in nights if n.embedding_ms] or [0.0]),
        "requests": fmean(sum(night.requests.values()) for night in nights),
        "by_operation": {name: fmean(night.requests.get(name, 0) for night in nights) for name in names},
        "sent_bytes": fmean(night.sent_bytes for night in nights),
        "received_bytes": fmean(night.received_bytes for night in nights),
        "read_units": fmean(night.read_units for night in nights),
        "write_units": fmean(night.write_units for night in nights),
        "usd_a_million": bill_of(usage).total * 1e6,
    }


def shown(found: NightFound, *, as_json: bool) -> None:
    """Print the night, as tables for people or as JSON."""
    told = summary(found)
    if as_json:
        print(json.dumps(told, indent=1))
        return
    output = Console()
    table = Table("a pair's night", *told["kinds"], title=f"{told['nights_run']:,} nights")

    def row(name: str, shape: str, *path: str) -> None:
        cells = []
        for kind in told["kinds"].values():
            value: Any = kind
            for step in path:
                value = value.get(step, 0)
            cells.append(shape.format(**value) if isinstance(value, dict) else shape.format(value))
        table.add_row(name, *cells)

    row("pairs", "{:,}", "pairs")
    row("consolidated", "{:,}", "consolidated")
    row("processor ms, p50 / p95", "{p50:,.0f} / {p95:,.0f}", "cpu_ms")
    row("embedding besides, ms, p50 / p95", "{p50:,.0f} / {p95:,.0f}", "embedding_ms")
    row("requests", "{:.1f}", "requests")
    for name in sorted({name for kind in told["kinds"].values() for name in kind["by_operation"]}):
        row(f"  {name}", "{:.1f}", "by_operation", name)
    row("sent, bytes", "{:,.0f}", "sent_bytes")
    row("received, bytes", "{:,.0f}", "received_bytes")
    row("read units", "{:.1f}", "read_units")
    row("write units", "{:.1f}", "write_units")
    row("USD for a million such nights", "{:,.0f}", "usd_a_million")
    output.print(table)
    dispatcher = told["dispatcher"]
    asked = ", ".join(f"{count:,} {name}" for name, count in dispatcher["requests"].items())
    output.print(
        f"Dispatcher: {dispatcher['queued']:,} pairs by {asked}, {dispatcher['read_units']:,} read units, "
        f"{dispatcher['seconds']:.1f} s."
    )
    for number, worker in enumerate(told["workers"], start=1):
        output.print(
            f"Worker {number}: {worker['pairs']:,} pairs, {worker['pairs_per_processor_second']:.1f} a second of "
            f"processor time, {worker['without_embedding']:.1f} without the embedding; "
            f"{worker['peak_mb']:,.0f} MB at most (load {told['load']}, {told['cores']} cores)."
        )
    usd = ", ".join(f"{name} {value:.2f}" for name, value in told["usd"].items() if name != "a_pair")
    output.print(
        f"{told['pairs']:,} pairs on AWS, USD: {usd}. There {told['pairs_per_second_a_worker']:.1f} pairs a second and "
        f"worker, {told['minutes_with_all_workers']:.1f} minutes with {MOST_WORKERS} of them "
        f"({REQUEST_SECONDS * 1000:.0f} ms a request assumed)."
    )
