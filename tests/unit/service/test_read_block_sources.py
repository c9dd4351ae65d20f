"""A turn's sources: what is late or fails is left out and named, and without the history there is no block."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from anamnesis.domain.block import compose_block
from anamnesis.domain.errors import ModelUnavailable, StoreUnavailable
from anamnesis.service.deadline import Deadline
from anamnesis.service.read_block import DEADLINE_SECONDS
from support.memory_platform import MemorySemanticIndex
from support.turns import ask, months, sharing
from support.wired_memory import Memory, turn


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    months(memory)
    return memory


class Blocked:
    """A port one of whose methods waits until the test ends, or raises."""

    def __init__(self, port: Any, method: str, act: Callable[[], None]) -> None:
        self._port, self._method, self._act = port, method, act

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        if name != self._method:
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            self._act()
            return value(*args, **kwargs)

        return call


#: Each source of a turn: the port and the method behind it.
SOURCES = {
    "map": ("concepts", "load_map"),
    "layer": ("concepts", "layer"),
    "beliefs": ("beliefs", "current"),
    "self_model": ("records", "self_model"),
    "embedder": ("embedder", "embed_query"),
    "vectors": ("records", "vectors"),
}
NEEDED = {"history": ("log", "tail"), "history ": ("records", "working_set"), "episodes": ("log", "read")}


def with_blocked(memory: Memory, port: str, method: str, act: Callable[[], None]) -> Memory:
    """The same memory, read through a blocked port."""
    if port == "embedder":
        return sharing(memory, embedder=Blocked(memory.embedder, method, act))
    return sharing(memory, replace={port: lambda _: Blocked(getattr(memory, f"raw_{port}"), method, act)})


@pytest.fixture
def ended() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


# ---------------------------------------------------------------------------------------- late, failing, over
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("failure", ["late", "down"])
def test_a_source_that_does_not_come_is_left_out_and_named(
    memory: Memory, ended: threading.Event, source: str, failure: str
) -> None:
    """A source that is late or fails is named, and the block goes on with everything else (BL-3)."""
    error = ModelUnavailable("down") if source == "embedder" else StoreUnavailable("down")

    def act() -> None:
        if failure == "down":
            raise error
        ended.wait(30)

    port, method = SOURCES[source]
    reader = with_blocked(memory, port, method, act)
    with ThreadPoolExecutor(12) as threads:
        deadline = Deadline.after(1.2 if failure == "late" else 60, time.monotonic)
        reply = reader.reader(threads)(turn(), deadline=deadline)
        ended.set()
    assert reply.degraded == (source,)
    assert reply.block is not None
    assert reply.memory_ids
    assert ("SUBJECT MAP" in reply.block) is (source != "map")


@pytest.mark.parametrize("source", NEEDED)
@pytest.mark.parametrize("failure", ["late", "down"])
def test_without_the_history_the_block_is_dropped(
    memory: Memory, ended: threading.Event, source: str, failure: str
) -> None:
    """When the history does not come in time or fails, the block is dropped, and the reply says which source (BL-3)."""

    def act() -> None:
        if failure == "down":
            raise StoreUnavailable("down")
        ended.wait(30)

    port, method = NEEDED[source]
    reader = with_blocked(memory, port, method, act)
    with ThreadPoolExecutor(12) as threads:
        deadline = Deadline.after(1.2 if failure == "late" else 60, time.monotonic)
        reply = reader.reader(threads)(turn(), deadline=deadline)
        ended.set()
    assert reply.dropped
    assert reply.block is None
    assert reply.memory_ids == ()
    assert reply.degraded == (source.strip(),)


def test_a_turn_whose_time_is_up_is_dropped(memory: Memory) -> None:
    """A deadline that has passed drops the block whatever has arrived (BL-3)."""
    with ThreadPoolExecutor(12) as threads:
        reply = memory.reader(threads)(turn(), deadline=Deadline(time.monotonic, time.monotonic() - 1))
    assert reply.dropped


def test_a_block_that_took_too_long_is_dropped(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time runs out while the block is composed, the turn goes on without it (BL-3)."""
    now = [0.0]

    def slow(*args: Any, **kwargs: Any) -> Any:
        now[0] += 3.0
        return compose_block(*args, **kwargs)

    monkeypatch.setattr("anamnesis.service.read_block.compose_block", slow)
    with ThreadPoolExecutor(12) as threads:
        reply = memory.reader(threads, monotonic=lambda: now[0])(turn())
    assert reply.dropped
    assert reply.memory_ids == ()
    assert reply.degraded == ()


def test_everything_down_is_a_dropped_block(memory: Memory) -> None:
    """When every store is down, the turn gets a reply that names them, and no error (BL-3, SV-14)."""

    def down() -> None:
        raise StoreUnavailable("down")

    class Down:
        def __init__(self, port: Any) -> None:
            self._port = port

        def __getattr__(self, name: str) -> Any:
            return lambda *_, **__: down()

    reader = sharing(memory, replace=dict.fromkeys(("log", "beliefs", "concepts", "records"), Down))
    reply = ask(reader)
    assert reply.dropped
    assert set(reply.degraded) >= {"history", "map", "layer", "beliefs", "self_model"}


def test_a_late_external_index_is_named(memory: Memory, ended: threading.Event) -> None:
    """When the external index does not answer in time, the exact search serves alone, and the reply names it (RC-1)."""

    class Late(MemorySemanticIndex):
        def neighbours(self, *_: Any, **__: Any) -> list[tuple[int, float]]:
            ended.wait(30)
            return []

    reader = sharing(memory, semantic_index=Late())
    with ThreadPoolExecutor(12) as threads:
        reply = reader.reader(threads)(turn(), deadline=Deadline.after(1.2, time.monotonic))
        ended.set()
    assert reply.degraded == ("semantic_index",)
    assert reply.memory_ids


def test_an_external_index_that_is_down_is_named(memory: Memory) -> None:
    """When the external index fails, the exact search serves alone, and the reply names it (RC-1, SV-14)."""

    class Down(MemorySemanticIndex):
        def neighbours(self, *_: Any, **__: Any) -> list[tuple[int, float]]:
            raise StoreUnavailable("down")

    reply = ask(sharing(memory, semantic_index=Down()))
    assert reply.degraded == ("semantic_index",)
    assert reply.memory_ids


def test_the_external_index_is_asked_once(memory: Memory) -> None:
    """A time in an ordinary question that matches nothing is asked without it again, and the index is not (BL-3)."""
    asked = []

    class Counting(MemorySemanticIndex):
        def neighbours(self, *_: Any, **__: Any) -> list[tuple[int, float]]:
            asked.append(1)
            return []

    reply = ask(sharing(memory, semantic_index=Counting()), "raisins in water of yesterday")
    assert reply.window is None
    assert reply.memory_ids
    assert asked == [1]


def test_a_source_that_fails_in_an_unknown_way_is_left_out(memory: Memory) -> None:
    """A source that fails in a way nobody foresaw is named like any other, and the turn goes on (SV-14)."""

    def act() -> None:
        raise KeyError("a row that another hand has changed")

    reply = ask(with_blocked(memory, "beliefs", "current", act))
    assert reply.degraded == ("beliefs",)
    assert reply.memory_ids


@pytest.mark.parametrize("seconds", [0.2, 1.3])
def test_stores_that_are_all_slow(memory: Memory, seconds: float) -> None:
    """Slow stores give a whole block while they may, and else none, by the deadline of a turn; it says which (BL-3)."""

    class Slow:
        def __init__(self, port: Any) -> None:
            self._port = port

        def __getattr__(self, name: str) -> Any:
            value = getattr(self._port, name)
            if not callable(value):
                return value

            def call(*args: Any, **kwargs: Any) -> Any:
                time.sleep(seconds)
                return value(*args, **kwargs)

            return call

    ports = ("log", "beliefs", "concepts", "records")
    slow = sharing(memory, replace={p: lambda _, p=p: Slow(getattr(memory, f"raw_{p}")) for p in ports})
    deadline = Deadline.after(DEADLINE_SECONDS, time.monotonic)
    with ThreadPoolExecutor(12) as threads:
        reply = slow.reader(threads)(turn(), deadline=deadline)
        left = deadline.left()
    assert reply.dropped is (seconds > 1)
    assert reply.degraded == (("history",) if seconds > 1 else ())
    assert left > 0
