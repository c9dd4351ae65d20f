"""Failures at every call of every port, so that crash tests enumerate the boundaries instead of picking some."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from typing import Any, TypeVar, cast

from anamnesis.domain.errors import AnamnesisError, ModelUnavailable, StoreUnavailable
from anamnesis.domain.tutoring.answers import AnswerFailed, Failing

T = TypeVar("T")

#: Methods of the ports that change something; ``test_every_fault`` holds both lists against ``ports``.
WRITES = frozenset(
    {
        "add",
        "add_file",
        "advance",
        "append",
        "begin",
        "claim_answer",
        "commit",
        "count",
        "delete",
        "delete_citation_checks",
        "delete_groundings",
        "delete_pages",
        "delete_self_model",
        "delete_vectors",
        "drop_answers",
        "drop_parts",
        "erase",
        "erase_file",
        "forget_receipts",
        "keep_part",
        "note",
        "open_answer",
        "remove",
        "request",
        "revisit",
        "rewrite",
        "save",
        "save_answer",
        "save_citation_checks",
        "save_grounding",
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
#: Methods of the ports that change nothing.
READS = frozenset(
    {
        "active_pairs",
        "advertise",
        "after",
        "all",
        "all_answers",
        "answer_state",
        "asked_answer",
        "between",
        "changes",
        "citation_checks",
        "groundings",
        "contributions",
        "current",
        "embed_passages",
        "embed_query",
        "extraction_of",
        "fetch",
        "files",
        "get",
        "get_file",
        "hashes",
        "head",
        "history",
        "kept_part",
        "known",
        "latest",
        "layer",
        "layer_position",
        "load_map",
        "load_pages",
        "locate",
        "log",
        "neighbours",
        "new_id",
        "new_salt",
        "newest",
        "now",
        "pairs",
        "pause",
        "position_of",
        "projected_to",
        "published_revision",
        "read",
        "receipt",
        "requested",
        "revision",
        "rows",
        "scan",
        "search",
        "secret_for",
        "self_model",
        "sign",
        "spoken",
        "tail",
        "ticket",
        "tree",
        "upload_pack",
        "vectors",
        "verify",
        "working_set",
        "write",
    }
)


class Crash(BaseException):
    """The process died here: nothing that runs may catch it, and nothing that it wraps is called any more."""


class When(Enum):
    """Whether the failing call took effect."""

    BEFORE = "before"
    AFTER = "after"
    #: The request arrives after all: once the use case is over, and before anything is tried again.
    LATE = "late"


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
        Makes what is raised; a model fails as models do where a store would be unavailable.
    counted
        Names of the methods that count; None counts all.
    meanwhile
        What others do right before the call, instead of a failure: that then goes on. Its own calls do not count.
    """

    call: int | None = None
    when: When = When.BEFORE
    times: int = 1
    error: Callable[[], BaseException] = Crash
    counted: frozenset[str] | None = WRITES
    meanwhile: Callable[[], object] | None = None
    armed: bool = False
    calls: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    dead: bool = False
    _late: list[Callable[[], Any]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wrap(self, port: T) -> T:
        """`port`, failing by this plan."""
        return cast(T, _Faulty(port, self))

    def disarm(self) -> None:
        """End the failures: a new process begins, and requests that were late arrive."""
        self.armed = self.dead = False
        late, self._late = self._late, []
        for request in late:
            with suppress(AnamnesisError):
                request()

    def due(self, name: str) -> bool:
        """Count a call and tell whether it is to fail."""
        if self.armed and self.dead:
            raise Crash
        if not self.armed or (self.counted is not None and name.rpartition(".")[2] not in self.counted):
            return False
        with self._lock:
            self.calls.append(name)
            due = self.call is not None and self.call <= len(self.calls) < self.call + self.times
            if due:
                self.failed.append(f"{self.when.value} {name}")
        if due and self.meanwhile is not None:
            self.armed = False
            self.meanwhile()
            self.armed = True
            return False
        return due

    def fail(self, port: object) -> BaseException:
        """What the failing call raises."""
        error = self.error()
        self.dead = isinstance(error, Crash)
        name = type(port).__name__
        if isinstance(error, StoreUnavailable) and name.endswith("Tutor"):
            return AnswerFailed(Failing.UNAVAILABLE, str(error))
        if isinstance(error, StoreUnavailable) and name.endswith(("Embedder", "ConceptReader")):
            return ModelUnavailable(str(error))
        return error

    def later(self, request: Callable[[], Any]) -> None:
        """Keep a request that is still on its way."""
        self._late.append(request)


class _Faulty:
    def __init__(self, port: object, plan: FaultPlan) -> None:
        self._port, self._plan = port, plan

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        if not callable(value):
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            plan = self._plan
            due = plan.due(f"{type(self._port).__name__}.{name}")
            if due and plan.when is When.BEFORE:
                raise plan.fail(self._port)
            if due and plan.when is When.LATE:
                plan.later(lambda: value(*args, **kwargs))
                raise plan.fail(self._port)
            result = value(*args, **kwargs)
            if due:
                raise plan.fail(self._port)
            return result

        return call


def every_fault(
    *, error: Callable[[], BaseException] = Crash, counted: frozenset[str] | None = WRITES
) -> Iterator[FaultPlan]:
    """A plan for each counted call that a scenario makes, before and after its effect.

    The scenario runs in the loop's body, which must arm the plan; the plans end when a call number is past the last.
    """
    fired = 0
    for when in (When.BEFORE, When.AFTER):
        for call in count(1):
            plan = FaultPlan(call, when, error=error, counted=counted)
            yield plan
            if not plan.failed:
                break
            fired += 1
    assert fired, "no call was ever counted: the scenario tests nothing"
