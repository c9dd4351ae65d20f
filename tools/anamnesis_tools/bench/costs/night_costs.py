"""One worker's nights, each with its time, requests, bytes and units; run in a process of its own.

Pairs are written in their stored forms (``long_histories``) into stores that stand in (``stand_in_stores``). The
dispatcher finds them by its index by day and queues them; each message is then one night of the real use case.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anamnesis.bootstrap import night_message
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.checkpoints import checkpoint_of, roots_at
from anamnesis_tools.bench.costs.long_histories import LAST_DAY, HistoryWriter, Shape
from anamnesis_tools.bench.costs.night_application import NightApplication
from anamnesis_tools.bench.costs.turn_costs import SCOPE, insist_on_credentials

NIGHT = LAST_DAY.date()
#: Earlier nights of a pair: one after each so many episodes, which is what a pair's checkpoints grow with. Ours.
EPISODES_A_NIGHT = 5


@dataclass(frozen=True, slots=True)
class PairKind:
    """A kind of pair that a night meets.

    Attributes
    ----------
    new
        Episodes of the day that ended; with none the pair was marked active for something else.
    share
        Part of all pairs (0–1).
    """

    name: str
    new: int
    share: float


#: Ours: of the pairs that a day touches, some only had a file or an erasure, and a few students work all day.
KINDS = (
    PairKind("quiet", 0, 0.2),
    PairKind("5 new episodes", 5, 0.7),
    PairKind("50 new episodes", 50, 0.1),
)


@dataclass(frozen=True, slots=True)
class NightScenario:
    """What is measured.

    Attributes
    ----------
    run
        How many of them have a night here, spread evenly; the others are marked active and queued.
    before
        Episodes that each pair had before the day.
    embedded
        Consolidations of each worker that are really embedded, to time it.
    """

    pairs: int
    run: int
    before: int
    workers: int = 1
    embedded: int = 300
    kinds: tuple[PairKind, ...] = KINDS

    @property
    def numbers(self) -> list[int]:
        """The pairs whose night is run."""
        return sorted({number * self.pairs // self.run for number in range(min(self.run, self.pairs))})

    def kind_of(self, number: int) -> PairKind:
        """The kind of a pair: the same every time, spread evenly."""
        place = (number * 0.6180339887498949) % 1.0
        for kind in self.kinds:
            if place < kind.share:
                return kind
            place -= kind.share
        return self.kinds[-1]


@dataclass(slots=True)
class NightCost:
    """What one pair's night took; processor time without the stores' and the embedding's.

    Attributes
    ----------
    embedding_ms
        Processor time of making its vectors; None when they were only stood in for.
    """

    kind: str
    cpu_ms: float
    embedding_ms: float | None
    requests: dict[str, int]
    sent_bytes: int
    received_bytes: int
    read_units: int
    write_units: int
    consolidated: bool


@dataclass(slots=True)
class WorkerCosts:
    """One worker's nights, and how long it took over all of them, in seconds and MB."""

    nights: list[NightCost] = field(default_factory=list)
    seconds: float = 0.0
    peak_mb: float = 0.0


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What queueing a night took."""

    queued: int
    requests: dict[str, int]
    read_units: int
    seconds: float


def pair_number(number: int) -> Pair:
    """One of a scenario's pairs."""
    return Pair(SCOPE.tenant, f"student-{number}", SCOPE.subject)


def written(path: Path, scenario: NightScenario) -> Iterator[int]:
    """Write the pairs; yield how many are written after each."""
    insist_on_credentials()
    application = NightApplication(path)
    writer = HistoryWriter(application, SCOPE)
    writer.write_map()
    whole = set(scenario.numbers)
    active_at = datetime.combine(NIGHT, LAST_DAY.time(), tzinfo=UTC)
    for number in range(scenario.pairs):
        yield number + 1
        if number not in whole:
            application.erase_memory.roster.revisit(pair_number(number), active_at)
            continue
        pair, kind = pair_number(number), scenario.kind_of(number)
        length = scenario.before + kind.new
        shape = Shape(today=kind.new, of_a_day=EPISODES_A_NIGHT, cited=True)
        for _ in writer.write(pair, length, behind=kind.new, seed=number, shape=shape):
            pass
        _sign_earlier_nights(application, pair, scenario.before)
        if not kind.new:
            application.erase_memory.roster.revisit(pair, active_at)


def _sign_earlier_nights(application: NightApplication, pair: Pair, length: int) -> None:
    night = application.run_night
    hashes = dict(enumerate(night.log.hashes(pair, last=length), start=1))
    lengths = range(EPISODES_A_NIGHT, length + 1, EPISODES_A_NIGHT)
    for at, root in roots_at(hashes, lengths).items():
        night.checkpoints.add(pair, checkpoint_of(pair, at, root, night.signer))


def dispatched(path: Path, scenario: NightScenario) -> tuple[Dispatch, list[str]]:
    """Queue the night; return what that took, and the messages of the pairs that have a history here."""
    insist_on_credentials()
    application = NightApplication(path)
    units, since = application.stores.read_units, time.perf_counter()
    with application.meter.measure() as traffic:
        queued = application.start_night(NIGHT)
    taken = Dispatch(
        queued,
        {name: found.requests for name, found in sorted(traffic.by_operation.items())},
        application.stores.read_units - units,
        time.perf_counter() - since,
    )
    whole = {pair_number(number) for number in scenario.numbers}
    return taken, [m for m in application.stores.queued if night_message(m)[0] in whole]


def worked(path: Path, scenario: NightScenario, messages: list[str]) -> WorkerCosts:
    """Run the nights of these messages in this process, in an order of chance, as a queue has it."""
    insist_on_credentials()
    application = NightApplication(path, embedded=scenario.embedded)
    # A function that is warm has loaded its model.
    application.embedder.embed_passages(["warm"])
    run, costs = application.run_night, WorkerCosts()
    random.Random(SCOPE.key).shuffle(messages)  # noqa: S311 the same every time
    since = time.perf_counter()
    for message in messages:
        costs.nights.append(_night(application, scenario, run, message))
    costs.seconds = time.perf_counter() - since
    costs.peak_mb = _peak_mb()
    return costs


def _night(application: NightApplication, scenario: NightScenario, run: Any, message: str) -> NightCost:
    pair, night = night_message(message)
    stores = application.stores
    application.kms.counts.clear()
    busy, reads, writes = stores.busy_seconds, stores.read_units, stores.write_units
    application.embedder.took_ms = 0.0
    cpu = time.process_time()
    with application.meter.measure() as traffic:
        report = run(pair, night, scheduled=True)
    cpu_ms, embedding_ms = (time.process_time() - cpu) * 1000, application.embedder.took_ms
    if not report.self_model.chain_verified:
        raise RuntimeError("a log that was written whole did not verify")
    kind = scenario.kind_of(int(pair.student.rpartition("-")[2]))
    requests = {name: found.requests for name, found in traffic.by_operation.items()}
    return NightCost(
        kind.name,
        cpu_ms - (embedding_ms or 0.0) - (stores.busy_seconds - busy) * 1000,
        embedding_ms,
        requests | dict(application.kms.counts),
        traffic.total.sent_bytes,
        traffic.total.received_bytes,
        stores.read_units - reads,
        stores.write_units - writes,
        report.consolidation_id is not None,
    )


def _peak_mb() -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
