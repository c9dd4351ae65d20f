"""Scenarios times faults: every point at which a run can be hit, and what is tried at each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Protocol

from anamnesis.domain.errors import AnamnesisError, ErasedBefore, NotFound, StoreUnavailable
from support.fault_invariants import holds_always, holds_settled, meaning, rest
from support.fault_scenarios import Scenario
from support.fault_world import World, lived_in
from support.port_faults import READS, WRITES, Crash, FaultPlan, When


def _down() -> BaseException:
    return StoreUnavailable("down")


@dataclass(frozen=True)
class Fault:
    """A way to fail."""

    name: str
    when: When
    error: Callable[[], BaseException]
    times: int = 1
    counted: frozenset[str] = WRITES

    def struck(self, calls: Sequence[str]) -> list[str]:
        """Those of a run's calls that this fault can hit, in order."""
        return [call for call in calls if call.rpartition(".")[2] in self.counted]

    def plan(self, call: int) -> FaultPlan:
        """Fail so at this call."""
        return FaultPlan(call, self.when, self.times, self.error, self.counted)


FAULTS = (
    Fault("killed before", When.BEFORE, Crash),
    Fault("killed after", When.AFTER, Crash),
    Fault("refused", When.BEFORE, _down),
    Fault("answer lost", When.AFTER, _down),
    Fault("timed out, arrives later", When.LATE, _down),
    Fault("throttled three times", When.BEFORE, _down, times=3),
    Fault("down from there on", When.BEFORE, _down, times=10_000),
    Fault("read fails", When.BEFORE, _down, counted=READS),
)


@dataclass(frozen=True)
class Ground:
    """A scenario's world before its act, what the act calls, and what it leaves when nothing fails."""

    scenario: Scenario
    prepared: World
    calls: tuple[str, ...]
    result: Any
    expected: Any
    ran: frozenset[CodeType]

    def points(self) -> list[tuple[Fault, int]]:
        """Every fault at every call that it can hit."""
        return [(fault, number + 1) for fault in FAULTS for number in range(len(fault.struck(self.calls)))]


def ground_of(scenario: Scenario) -> Ground:
    """Prepare a scenario and run it once without a fault."""
    prepared = lived_in(World(external=scenario.external))
    scenario.prepare(prepared)
    plan = FaultPlan(counted=None)
    world = prepared.copy(plan)
    world.memory.fresh()
    plan.armed = True
    result, ran = _watched(lambda: scenario.act(world))
    plan.disarm()
    world.memory.clock.advance(minutes=1)
    holds_settled(world)
    rest(world)
    return Ground(scenario, prepared, tuple(plan.calls), result, meaning(world), ran)


def _watched(act: Callable[[], Any]) -> tuple[Any, frozenset[CodeType]]:
    """What an act returns, and the code of every function that it ran."""
    ran = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        return act(), frozenset(ran)
    finally:
        sys.setprofile(before)


class Struck(Protocol):
    """A plan that strikes once it is armed, and what came of it."""

    armed: bool
    dead: bool
    failed: list[str]

    def disarm(self) -> None:
        """End the failures."""


def try_point(ground: Ground, fault: Fault, call: int) -> None:
    """Hit a run at one call, try again as production does, and hold the memory to its invariants."""
    plan = fault.plan(call)
    heal(ground.scenario, ground.prepared.copy(plan), plan, result=ground.result, expected=ground.expected)


def heal(scenario: Scenario, world: World, plan: Struck, *, result: Any, expected: Mapping[str, Any]) -> None:
    """Act while the plan strikes, again when that failed, and hold the memory to its invariants.

    Parameters
    ----------
    result, expected
        What the act returns, and what it means for the stores, where nothing fails.
    """
    plan.armed = True
    done, given = False, None
    with suppress(Crash, AnamnesisError):
        given, done = scenario.act(world), True
    killed = plan.dead
    plan.disarm()
    assert plan.failed, "the point was not reached"
    if killed:
        world.memory.fresh()
    holds_always(world)
    world.memory.clock.advance(minutes=1)
    if not done or (scenario.looks and world.kept.get("degraded")):
        given = scenario.act(world)
    if scenario.looks:
        assert given == result
    holds_settled(world)
    rest(world)
    found = meaning(world)
    for part, wanted in expected.items():
        assert found[part] == wanted, part


@dataclass(frozen=True)
class Meeting:
    """Two scenarios in one world: the second runs in the middle of the first, in a process of its own."""

    first: Scenario
    second: Scenario
    prepared: World
    kept: tuple[dict[str, Any], dict[str, Any]]

    @classmethod
    def of(cls, first: Scenario, second: Scenario) -> Meeting:
        """Prepare a world for both; a scenario that meets itself is prepared once."""
        prepared = lived_in(World())
        base = dict(prepared.kept)
        first.prepare(prepared)
        kept, prepared.kept = prepared.kept, base
        if second is first:
            return cls(first, second, prepared, (kept, kept))
        second.prepare(prepared)
        return cls(first, second, prepared, (kept, prepared.kept))

    def try_at(self, call: int) -> bool:
        """Run the second completely right before one call of the first; return whether there are so many calls."""
        plan = FaultPlan(call, counted=None)
        world = self.prepared.copy(plan)
        neighbour = world.neighbour()
        failed: list[tuple[World, Scenario]] = []
        world.kept, neighbour.kept = (dict(kept) for kept in self.kept)

        def act(where: World, scenario: Scenario) -> None:
            try:
                scenario.act(where)
            except AnamnesisError:
                failed.append((where, scenario))

        plan.meanwhile = lambda: act(neighbour, self.second)
        plan.armed = True
        act(world, self.first)
        plan.disarm()
        if not plan.failed:
            return False
        holds_always(world)
        world.memory.clock.advance(minutes=1)
        for where, scenario in failed:
            # What it was about may be gone for good by now.
            with suppress(NotFound, ErasedBefore):
                scenario.act(where)
        holds_settled(world)
        rest(world)
        return True
