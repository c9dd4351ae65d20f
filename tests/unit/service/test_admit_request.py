"""Throttles per tenant: fair to others, cheap, and never in the way when they are out of order."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from anamnesis.domain.errors import StoreUnavailable, TooManyRequests
from anamnesis.ports import RequestCounter
from anamnesis.service import admit_request
from anamnesis.service.admit_request import SILENCE_SECONDS, Admission, AdmitRequest
from support.memory_platform import MemoryRequestCounter, SteppingClock


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(max_workers=2) as threads:
        yield threads


class Door:
    """The use case on a clock that stands still, which also serves as its monotonic one."""

    def __init__(self, counter: RequestCounter, executor: Executor, limit: int) -> None:
        self.clock = SteppingClock(datetime(2026, 7, 3, 9, 0, 20, tzinfo=UTC))
        self.admit = AdmitRequest(
            counter=counter,
            clock=self.clock,
            executor=executor,
            limit=limit,
            monotonic=self.seconds,
        )

    def seconds(self) -> float:
        """The same clock in seconds."""
        return self.clock.at.timestamp()

    def knock(self, tenant: str = "school", times: int = 1) -> Counter[str]:
        """How often requests were let in, by how, and how often refused."""
        seen: Counter[str] = Counter()
        for _ in range(times):
            try:
                seen[self.admit(tenant).value] += 1
            except TooManyRequests:
                seen["refused"] += 1
        return seen


@pytest.mark.parametrize("limit", [1, 7, 99, 100, 1_000, 1_005])
def test_a_tenant_gets_its_limit_and_no_more(executor: Executor, limit: int) -> None:
    """Of any flood within a minute exactly the limit gets in, and the next minute is a new one (SV-12)."""
    door = Door(MemoryRequestCounter(), executor, limit)
    assert door.knock(times=limit + 30) == {"counted": limit, "refused": 30}
    door.clock.advance(seconds=39)
    assert door.knock() == {"refused": 1}
    door.clock.advance(seconds=1)
    assert door.knock(times=limit + 1) == {"counted": limit, "refused": 1}


def test_processes_share_the_limit(executor: Executor) -> None:
    """However many processes a tenant's requests reach, together they let in no more than the limit (SV-12)."""
    counter = MemoryRequestCounter()
    doors = [Door(counter, executor, 1_000) for _ in range(20)]
    seen = sum((door.knock(times=100) for door in doors), Counter[str]())
    assert seen == {"counted": 1_000, "refused": 1_000}


def test_a_flood_touches_no_other_tenant(executor: Executor) -> None:
    """While one tenant is refused every other one is let in as before (SV-12)."""
    door = Door(MemoryRequestCounter(), executor, 100)
    assert door.knock("loud", times=500)["refused"] == 400
    assert door.knock("quiet", times=100) == {"counted": 100}
    assert door.knock("Loud") == door.knock("loud#") == {"counted": 1}


def test_few_requests_ask_the_counter(executor: Executor) -> None:
    """One request in ten asks the counter, and none of those refused once the process knows (SV-12)."""
    counter = MemoryRequestCounter()
    door = Door(counter, executor, 1_000)
    door.knock(times=1_000)
    assert counter.asked == 100
    door.knock(times=1_000)
    assert counter.asked == 101


def test_the_refusal_says_when_to_come_back(executor: Executor) -> None:
    """A refused caller learns in how many seconds the next minute begins, and no tenant's name (SV-12)."""
    door = Door(MemoryRequestCounter(), executor, 1)
    door.knock("school of magic")
    with pytest.raises(TooManyRequests) as refused:
        door.admit("school of magic")
    assert refused.value.retry_after == 40
    assert "magic" not in refused.value.detail


def test_without_a_limit_nobody_counts(executor: Executor) -> None:
    """A limit of 0 is none, and costs nothing (SV-12)."""
    counter = MemoryRequestCounter()
    assert Door(counter, executor, 0).knock(times=50) == {"unlimited": 50}
    assert counter.asked == 0


class FailingCounter(MemoryRequestCounter):
    """Fails while `broken`."""

    broken = True

    def add(self, tenant: str, window: datetime, count: int) -> int:
        total = super().add(tenant, window, count)
        if self.broken:
            raise StoreUnavailable("dynamodb: ThrottlingException")
        return total


def test_a_counter_that_fails_lets_everybody_in(executor: Executor) -> None:
    """While the counter fails requests are let in uncounted, and only now and then one asks it (SV-12, SV-14)."""
    counter = FailingCounter()
    door = Door(counter, executor, 10)
    assert door.knock(times=50) == {"uncounted": 50}
    assert counter.asked == 1
    door.clock.advance(seconds=SILENCE_SECONDS)
    counter.broken = False
    assert door.knock(times=50) == {"counted": 9, "refused": 41}


class SlowCounter(MemoryRequestCounter):
    """Answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.answered = threading.Event()

    def add(self, tenant: str, window: datetime, count: int) -> int:
        self.go.wait(20)
        try:
            return super().add(tenant, window, count)
        finally:
            self.answered.set()


def test_a_counter_that_hangs_is_not_waited_for(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request waits for the counter only briefly, and what a late answer leased is not lost (SV-12, SV-14)."""
    monkeypatch.setattr(admit_request, "PATIENCE_SECONDS", 0.01)
    counter = SlowCounter()
    door = Door(counter, executor, 1_000)
    assert door.knock(times=5) == {"uncounted": 5}
    counter.go.set()
    counter.answered.wait(20)
    executor.shutdown(wait=True)
    # Ten were leased: one by the request that did not wait, nine for those that come now without asking.
    assert door.knock(times=9) == {"counted": 9}
    assert counter.asked == 1


def test_threads_take_no_request_twice() -> None:
    """Requests that arrive at once in one process get exactly the limit between them (SV-12)."""
    counter = MemoryRequestCounter()
    with ThreadPoolExecutor(max_workers=8) as leases, ThreadPoolExecutor(max_workers=8) as callers:
        door = Door(counter, leases, 200)
        seen = sum(callers.map(lambda _: door.knock(times=50), range(16)), Counter[str]())
    assert seen == {Admission.COUNTED.value: 200, "refused": 600}


def test_a_process_remembers_a_bounded_number_of_tenants(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tenants beyond the bound are forgotten, at the price of asking the counter about them again (SV-12)."""
    monkeypatch.setattr(admit_request, "MAX_KEPT", 3)
    counter = MemoryRequestCounter()
    door = Door(counter, executor, 1_000)
    for tenant in ("a", "b", "c", "d"):
        door.knock(tenant)
    assert len(door.admit._shares) == 3
    door.knock("d")
    assert counter.asked == 4
    door.knock("a")
    assert counter.asked == 5
