"""Waiting between a use case's tries against other writers."""

from __future__ import annotations

import time
from dataclasses import dataclass

from anamnesis.adapters.system import jitter

#: Largest exponent of two, far beyond any cap: a try's number has no end.
_MOST_DOUBLINGS = 16


@dataclass(frozen=True, slots=True)
class JitteredBackoff:
    """The port ``Backoff``: a time drawn evenly below a bound that doubles with each try ("full jitter").

    The bound shrinks again with the time that the caller has waited: against a stream of newcomers, whose first tries
    follow closely, a caller that backs off ever further would never come in.

    Parameters
    ----------
    base_seconds
        Half the bound after the first try.
    cap_seconds
        Largest bound.
    patience_seconds
        After so long a wait the bound is half of what it would be, after twice as long a third.

    Notes
    -----
    The cap and the patience were chosen by ``anamnesis bench appends``: 64 writers without pause on one log of the
    local stack, whose emulator serves one request at a time. A cap of 2 s and a patience of 2 s had tries crowd
    together: 1,244 transactions for 115 appends, and 24 calls that ran out of time; these had 674, and none.

    References
    ----------
    Marc Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
    """

    base_seconds: float = 0.04
    cap_seconds: float = 3.0
    patience_seconds: float = 60.0

    def pause(self, attempt: int, waited: float = 0.0) -> None:
        """Sleep before the next try; `attempt` counts from 1, `waited` are the seconds since the first."""
        bound = min(self.cap_seconds, self.base_seconds * 2.0 ** min(attempt, _MOST_DOUBLINGS))
        time.sleep(jitter() * bound / (1.0 + waited / self.patience_seconds))
