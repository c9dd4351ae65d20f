"""Many writers on few logs: how fast appends go, what contention costs, and whether the logs come out right (EP-7).

The use case runs in threads of this process against the stores of an emulator on loopback, in several applications, as
functions run in several containers. Requests come as from impatient clients: batches of one to four episodes with times
out of order, a part of them sent several times at once, and some whose answer is lost after the write happened.
"""

from __future__ import annotations

import json
import os
import queue
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis.bootstrap import Application, Draft
from anamnesis.domain.errors import AnamnesisError, Busy, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Kind
from anamnesis_tools.bench.costs.latency import application_of, pause_indexing
from anamnesis_tools.stack.aws_clients import ACCESS_KEY, REGION, SECRET_KEY
from anamnesis_tools.stack.local_stack import LocalStack

SEED = 20261204
#: Batches that are sent more than once, and writes whose answer is lost.
SENT_AGAIN_SHARE = 0.2
LOST_SHARE = 0.05
MAX_EPISODES_A_BATCH = 4
KINDS = (Kind.QUESTION, Kind.QUESTION, Kind.ANSWER, Kind.CHECK)
#: Processes that the writers stand for; each has its own connections and caches.
MAX_APPLICATIONS = 8
#: What the API tells a refused caller to wait, in seconds.
RETRY_AFTER_SECONDS = 1.0
#: Times that a caller sends a refused request again.
MAX_SENDS = 20


@dataclass(frozen=True, slots=True)
class AppendRun:
    """What one run cost and came to.

    Attributes
    ----------
    requests
        Calls of the use case; `appends` of them wrote, the others were repeated.
    transactions
        Sent to the store; `moved_heads` of them came too late, `used_keys` found that the batch was there.
    lost_answers
        Writes that happened and were reported as failed.
    errors_shown
        Errors that a caller saw and answered by sending the request again.
    p50_ms, p95_ms, max_ms
        Of requests, as their caller waits.
    emulator_cores, writers_cores
        Processor time that each side used a second: near 1 each is at its own limit, being one Python interpreter.
    right
        Whether every log verifies and holds each episode exactly once, batches unbroken.
    """

    pairs: int
    writers: int
    episodes: int
    requests: int
    appends: int
    seconds: float
    episodes_per_second: float
    appends_per_second: float
    transactions: int
    moved_heads: int
    used_keys: int
    lost_answers: int
    errors_shown: int
    p50_ms: float
    p95_ms: float
    max_ms: float
    emulator_cores: float
    writers_cores: float
    right: bool


@dataclass(frozen=True, slots=True)
class _Request:
    pair: Pair
    key: str
    drafts: tuple[Draft, ...]


def measure(writers: int, episodes: int, pairs: Sequence[int]) -> list[AppendRun]:
    """Run once for each number of pairs, on an emulator of its own that ends with this process."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder, LocalStack(Path(folder)) as stack:
        # The SDK insists on credentials; an emulator takes any.
        os.environ.update(
            AWS_ACCESS_KEY_ID=ACCESS_KEY, AWS_SECRET_ACCESS_KEY=SECRET_KEY, AWS_DEFAULT_REGION=REGION
        )
        pause_indexing(stack)
        applications = [application_of(stack) for _ in range(min(writers, MAX_APPLICATIONS))]
        return [_run(stack, applications, writers, episodes, count) for count in pairs]


def _run(
    stack: LocalStack, applications: Sequence[Application], writers: int, episodes: int, pairs: int
) -> AppendRun:
    batches = _batches(episodes, [Pair("bench", f"student {n} of {pairs}", "biology") for n in range(pairs)])
    chance = np.random.default_rng(SEED)
    waiting: queue.SimpleQueue[_Request] = queue.SimpleQueue()
    for batch in batches:
        # One after the other in the queue, so that several writers take them at about the same time.
        for _ in range(int(chance.integers(2, 4)) if chance.random() < SENT_AGAIN_SHARE else 1):
            waiting.put(batch)
    requests = waiting.qsize()
    counts = _Counts()
    begun, emulator, here = time.perf_counter(), _cpu_seconds(stack.emulator.pid), time.process_time()
    threads = [
        threading.Thread(
            target=_write, args=(applications[n % len(applications)], n, waiting, counts), daemon=True
        )
        for n in range(writers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    cuts = np.percentile(counts.milliseconds, [50, 95, 100]) if counts.milliseconds else np.zeros(3)
    return AppendRun(
        pairs=pairs,
        writers=writers,
        episodes=episodes,
        requests=requests,
        appends=len(batches),
        seconds=round(seconds, 1),
        episodes_per_second=round(episodes / seconds, 1),
        appends_per_second=round(len(batches) / seconds, 1),
        transactions=counts.of["append"],
        moved_heads=counts.of["HeadMoved"],
        used_keys=counts.of["IdempotencyConflict"],
        lost_answers=counts.of["lost"],
        errors_shown=counts.of["shown"],
        p50_ms=round(float(cuts[0]), 1),
        p95_ms=round(float(cuts[1]), 1),
        max_ms=round(float(cuts[2]), 1),
        emulator_cores=round((_cpu_seconds(stack.emulator.pid) - emulator) / seconds, 2),
        writers_cores=round((time.process_time() - here) / seconds, 2),
        right=counts.of["refused"] == 0 and _right(applications[0], batches),
    )


def _batches(episodes: int, pairs: Sequence[Pair]) -> list[_Request]:
    """Batches of `episodes` in all, in turns over the pairs; seeded, so the same every time."""
    chance = np.random.default_rng(SEED)
    start = datetime(2026, 3, 2, 9, tzinfo=UTC)
    made: list[_Request] = []
    left = episodes
    while left:
        size = min(left, int(chance.integers(1, MAX_EPISODES_A_BATCH + 1)))
        drafts = []
        for part in range(size):
            kind = KINDS[chance.integers(len(KINDS))]
            drafts.append(
                Draft(
                    kind=kind,
                    occurred_at=start + timedelta(minutes=int(chance.integers(200_000))),
                    text=f"Event {len(made)} part {part}",
                    topic="Osmosis" if kind is Kind.CHECK else None,
                    correct=bool(chance.random() < 0.6) if kind is Kind.CHECK else None,
                    session_id=f"s{chance.integers(8)}",
                    language="en",
                )
            )
        made.append(_Request(pairs[len(made) % len(pairs)], f"batch {len(made)}", tuple(drafts)))
        left -= size
    return made


class _Counts:
    """Counters that many threads add to."""

    def __init__(self) -> None:
        self.of: Counter[str] = Counter()
        self.milliseconds: list[float] = []
        self._lock = threading.Lock()

    def add(self, name: str) -> None:
        with self._lock:
            self.of[name] += 1


class _LossyLog:
    """The log, counting what becomes of appends and losing the answer to some that happened."""

    def __init__(self, log: Any, counts: _Counts, seed: int) -> None:
        self._log, self._counts = log, counts
        self._chance = np.random.default_rng(seed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append(self, *args: Any) -> None:
        self._counts.add("append")
        try:
            self._log.append(*args)
        except AnamnesisError as error:
            self._counts.add(type(error).__name__)
            raise
        if self._chance.random() < LOST_SHARE:
            self._counts.add("lost")
            raise StoreUnavailable("the answer was lost on purpose")


def _write(
    application: Application, number: int, waiting: queue.SimpleQueue[_Request], counts: _Counts
) -> None:
    use = application.append_episodes
    append = replace(use, log=_LossyLog(use.log, counts, SEED + number))
    while True:
        try:
            request = waiting.get_nowait()
        except queue.Empty:
            return
        for _ in range(MAX_SENDS):
            begun = time.perf_counter()
            try:
                append(request.pair, request.key, request.drafts)
            except (Busy, StoreUnavailable):
                counts.add("shown")
                time.sleep(RETRY_AFTER_SECONDS)
                continue
            except AnamnesisError as error:
                counts.add("refused")
                Console(stderr=True).print(f"refused: {type(error).__name__}")
            counts.milliseconds.append((time.perf_counter() - begun) * 1000)
            break
        else:
            counts.add("refused")


def _right(application: Application, batches: Sequence[_Request]) -> bool:
    sent: dict[Pair, list[_Request]] = {}
    for batch in batches:
        sent.setdefault(batch.pair, []).append(batch)
    for pair, requests in sent.items():
        log = list(application.append_episodes.log.scan(pair))
        texts = [episode.content.text if episode.content else "" for episode in log]
        place = {text: index for index, text in enumerate(texts)}
        for request in requests:
            first = place.get(request.drafts[0].text, len(texts))
            if texts[first : first + len(request.drafts)] != [draft.text for draft in request.drafts]:
                return False
        if len(texts) != sum(len(request.drafts) for request in requests):
            return False
        if not application.verify_chain(pair).verified:
            return False
    return True


def _cpu_seconds(pid: int) -> float:
    """Processor time of a process so far; 0 where the system does not tell (it does on Linux)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def shown(runs: list[AppendRun], *, as_json: bool) -> None:
    """Print the runs, as a table for people or as JSON."""
    if as_json:
        print(json.dumps([asdict(run) for run in runs], indent=1))
        return
    table = Table("", *(f"{run.pairs} pairs" if run.pairs > 1 else "1 pair" for run in runs), title="Appends")
    for name in (f for f in AppendRun.__dataclass_fields__ if f != "pairs"):
        table.add_row(name.replace("_", " "), *(f"{getattr(run, name):,}" for run in runs))
    Console().print(table)
