"""Failures at every call of every port, so that crash tests enumerate the boundaries instead of picking some."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from typing import Any, TypeVar, cast

T = TypeVar("T")

#: Methods of the ports that change something.
WRITES = frozenset(
    {
        "add",
        "add_file",
        "advance",
        "append",
        "begin",
        "delete",
        "delete_citation_checks",
        "delete_pages",
        "delete_self_model",
        "delete_vectors",
        "done",
        "erase",
        "erase_file",
        "forget_receipts",
        "note",
        "remove",
        "request",
        "save",
        "save_citation_checks",
        "save_contribution",
        "save_layer",
        "save_map",
        "save_pages",
        "save_self_model",
        "save_vectors",
        "save_working_set",
        "send",
        "sweep",
        "sweep_working_sets",
        "update_file",
    }
)


class Crash(Exception):
    """The process died here: nothing that runs may catch it on purpose."""


class When(Enum):
    """Whether the failing call took effect."""

    BEFORE = "before"
    AFTER = "after"


@dataclass
class FaultPlan:
    """Which call fails, and how.

    Parameters
    ----------
    call
        Number of the failing call, from 1, among those counted; None never fails.
    times
        How many calls in a row fail from there on.
    error
        Makes what is raised.
    counted
        Names of the methods that count; None counts all.
    """

    call: int | None = None
    when: When = When.BEFORE
    times: int = 1
    error: Callable[[], Exception] = Crash
    counted: frozenset[str] | None = WRITES
    armed: bool = False
    calls: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wrap(self, port: T) -> T:
        """`port`, failing by this plan."""
        return cast(T, _Faulty(port, self))

    def due(self, name: str) -> bool:
        """Count a call and tell whether it is to fail."""
        if not self.armed or (self.counted is not None and name.rpartition(".")[2] not in self.counted):
            return False
        with self._lock:
            self.calls.append(name)
            due = self.call is not None and self.call <= len(self.calls) < self.call + self.times
            if due:
                self.failed.append(f"{self.when.value} {name}")
            return due


class _Faulty:
    def __init__(self, port: object, plan: FaultPlan) -> None:
        self._port, self._plan = port, plan

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        if not callable(value):
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            due = self._plan.due(f"{type(self._port).__name__}.{name}")
            if due and self._plan.when is When.BEFORE:
                raise self._plan.error()
            result = value(*args, **kwargs)
            if due:
                raise self._plan.error()
            return result

        return call


def every_fault(
    *, error: Callable[[], Exception] = Crash, counted: frozenset[str] | None = WRITES
) -> Iterator[FaultPlan]:
    """A plan for each counted call that a scenario makes, before and after its effect.

    The scenario runs in the loop's body, which must arm the plan; the plans end when a call number is past the last.
    """
    fired = 0
    for when in When:
        for call in count(1):
            plan = FaultPlan(call, when, error=error, counted=counted)
            yield plan
            if not plan.failed:
                break
            fired += 1
    assert fired, "no call was ever counted: the scenario tests nothing"
