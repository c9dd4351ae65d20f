"""What a warm process keeps between calls: the latest used, within a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentlyUsed(Generic[K, V]):
    """Keeps values by key and forgets the longest unused ones. Thread-safe.

    Parameters
    ----------
    most
        What the values kept may weigh together. The latest stays, whatever it weighs.
    weight
        Of one value; by default values are counted.
    """

    def __init__(self, most: int, weight: Callable[[V], int] = lambda _: 1) -> None:
        self._most = most
        self._weight = weight
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, key: K) -> bool:
        """Whether a value is kept, which does not count as a use."""
        return key in self._kept

    def get(self, key: K) -> V | None:
        """The value kept under a key, used now; None when there is none."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: K, value: V) -> None:
        """Keep a value in place of the one before, used now."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and sum(map(self._weight, self._kept.values())) > self._most:
                self._kept.popitem(last=False)

    def forget(self, key: K) -> None:
        """Keep nothing under a key any more."""
        with self._lock:
            self._kept.pop(key, None)
