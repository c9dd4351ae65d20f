"""Every use case hit at every call of every port, in every way: what is left, and what production makes of it.

``make test`` tries a part of the points, the same each time; ``EVERY_FAULT=1`` tries all of them.
"""

from __future__ import annotations

import functools
import inspect
import os
from dataclasses import is_dataclass
from types import FunctionType
from typing import get_type_hints

import pytest

from anamnesis import ports
from anamnesis.bootstrap import Application
from anamnesis.domain.errors import AnamnesisError
from support.fault_scenarios import SCENARIOS
from support.fault_trials import Ground, ground_of, try_point
from support.port_faults import READS, WRITES

EVERYTHING = bool(os.environ.get("EVERY_FAULT"))
#: Of a scenario's points, each so-manieth is tried; a prime, so that all faults and calls have their turn.
EACH_POINT = 1 if EVERYTHING else 17
#: How many points were tried of each scenario.
tried: dict[str, int] = {}
by_name = {scenario.name: scenario for scenario in SCENARIOS}


@functools.cache
def ground(name: str) -> Ground:
    """A scenario's ground, made once."""
    return ground_of(by_name[name])


def entry_points() -> dict[str, FunctionType]:
    """What the application lets call: every public method of every use case and of the parts that they share."""
    found = {}
    for name, part in inspect.getmembers_static(Application):
        if not isinstance(part, functools.cached_property):
            continue
        made = get_type_hints(part.func).get("return")
        if inspect.isclass(made) and made.__module__.startswith("anamnesis.service."):
            for method, function in vars(made).items():
                if isinstance(function, FunctionType) and (
                    method == "__call__" or not method.startswith("_")
                ):
                    found[f"{name}.{method}"] = function
    return found


def test_every_method_of_a_port_is_a_read_or_a_write() -> None:
    """No method of a port can be added without saying whether a fault may strike it as a write (SV-14)."""
    protocols = [getattr(ports, name) for name in ports.__all__]
    protocols = [p for p in protocols if inspect.isclass(p) and not is_dataclass(p)]
    methods = {
        name
        for protocol in protocols
        for name, value in vars(protocol).items()
        if isinstance(value, FunctionType) and not name.startswith("_")
    }
    assert len(protocols) > 15
    assert methods == READS | WRITES
    assert not READS & WRITES


def test_every_use_case_has_a_scenario() -> None:
    """A use case that no scenario runs fails here, so that its write boundaries cannot go untried (SV-14)."""
    ran = {code for name in by_name for code in ground(name).ran}
    entries = entry_points()
    assert len(entries) > 40
    assert [name for name, function in entries.items() if function.__code__ not in ran] == []
    assert len(by_name) == len(SCENARIOS)


def test_every_write_of_a_port_is_struck() -> None:
    """Each write that a port knows is made by a scenario, and so is hit by every way to fail (SV-14)."""
    made = {call.rpartition(".")[2] for name in by_name for call in ground(name).calls}
    assert made >= WRITES


@pytest.mark.parametrize("name", by_name)
def test_every_fault_is_healed(name: str) -> None:
    """Whatever fails at whichever call, trying again leaves what a run without fault leaves (SV-14, NI-2, EP-7)."""
    here = ground(name)
    # Each scenario begins at another point, so that all calls have their turn somewhere.
    points = here.points()[list(by_name).index(name) % EACH_POINT :: EACH_POINT]
    for fault, call in points:
        try:
            try_point(here, fault, call)
        except (AssertionError, AnamnesisError) as error:
            pytest.fail(f"{name}: {fault.name}, call {call} of {fault.struck(here.calls)}: {error!r}")
    tried[name] = len(points)


def test_no_point_is_left_out() -> None:
    """The points tried are all that were enumerated, or exactly the announced part of them (SV-14)."""
    points = {name: len(ground(name).points()) for name in tried}
    for number, name in enumerate(by_name):
        if name in tried:
            assert tried[name] == len(range(number % EACH_POINT, points[name], EACH_POINT))
    print(f"\nfault points: {sum(points.values())} enumerated, {sum(tried.values())} tried")  # noqa: T201
