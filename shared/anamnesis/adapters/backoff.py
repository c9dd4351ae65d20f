"""Waiting between a use case's tries against other writers."""

from __future__ import annotations

import time
from dataclasses import dataclass

from anamnesis.adapters.system import jitter


@dataclass(frozen=True, slots=True)
class JitteredBackoff:
    """The port ``Backoff``: a time drawn evenly below a bound that doubles with each try ("full jitter").

    Parameters
    ----------
    base_seconds
        Bound after the first try.
    cap_seconds
        Largest bound.

    References
    ----------
    Marc Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
    """

    base_seconds: float = 0.01
    cap_seconds: float = 0.5

    def pause(self, attempt: int) -> None:
        """Sleep before the next try; `attempt` counts from 1."""
        time.sleep(jitter() * min(self.cap_seconds, self.base_seconds * 2.0 ** min(attempt, 16)))
