"""What a turn fetches at once; a source that is late or fails is left out and named (BL-3)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Generic, TypeVar

from anamnesis.service.deadline import Deadline
from anamnesis.service.watch import Watch, unwatched

logger = logging.getLogger(__name__)
T = TypeVar("T")


class Source(Generic[T]):
    """One thing that is being fetched."""

    def __init__(self, name: str, future: Future[T], sources: Sources) -> None:
        self._name = name
        self._future = future
        self._sources = sources

    def take(self, *, reserve: float) -> T | None:
        """What was fetched; None, and the source named as left out, when it failed or is late.

        Parameters
        ----------
        reserve
            Seconds of the turn to leave for what comes after.
        """
        try:
            return self._future.result(timeout=self._sources.left(reserve=reserve))
        except FutureTimeout:
            self._future.cancel()
            reason = "late"
        except Exception as error:  # noqa: BLE001 whatever ails a source, the turn goes on without it and says so
            reason = type(error).__name__
        logger.warning("source_left_out", extra={"source": self._name, "reason": reason})
        self._sources.degraded.append(self._name)
        return None


class Sources:
    """The sources of one turn under one deadline.

    Attributes
    ----------
    degraded
        Names of the sources that were left out.
    """

    def __init__(self, executor: Executor, deadline: Deadline, watch: Watch = unwatched) -> None:
        self._executor = executor
        self._deadline = deadline
        self._watch = watch
        self.degraded: list[str] = []

    def left(self, *, reserve: float) -> float:
        """Seconds left for the turn beyond `reserve`."""
        return self._deadline.left(reserve=reserve)

    def start(self, name: str, fetch: Callable[[], T]) -> Source[T]:
        """Begin fetching in another thread."""

        def watched() -> T:
            with self._watch(name):
                return fetch()

        return Source(name, self._executor.submit(watched), self)
