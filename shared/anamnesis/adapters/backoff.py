"""Full-jitter exponential back-off (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015)."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JitteredBackoff:
    """Waits a uniformly random time below a bound that doubles with each try.

    Parameters
    ----------
    base_seconds
        Bound after the first try.
    cap_seconds
        Largest bound.
    """

    base_seconds: float = 0.01
    cap_seconds: float = 0.5

    def pause(self, attempt: int) -> None:
        """Sleep before the next try; `attempt` counts from 1."""
        bound = min(self.cap_seconds, self.base_seconds * 2 ** min(attempt, 16))
        time.sleep(random.uniform(0, bound))
