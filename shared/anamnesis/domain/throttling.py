"""How many requests a tenant may send (SV-12): windows of time, and the leases that processes take from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

#: Length of a window. Ours: short enough that a refused tenant waits no longer than people do.
WINDOW = timedelta(minutes=1)
#: Most requests that a process takes from a tenant's window at once, and the part of the limit that it takes at most:
#: what it does not use by the end of the window is lost to the tenant. Ours.
MAX_LEASE, LEASES_IN_LIMIT = 10, 100


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time with a count of its own.

    Windows lie end to end and know nothing of each other: a burst around the end of one may have twice the limit.
    """

    start: datetime

    @classmethod
    def at(cls, moment: datetime) -> Window:
        """The window that an aware moment lies in."""
        seconds = WINDOW.total_seconds()
        return cls(datetime.fromtimestamp(moment.timestamp() // seconds * seconds, UTC))

    def seconds_left(self, moment: datetime) -> int:
        """Whole seconds from a moment in the window until the next one has begun, at least 1."""
        return max(1, math.ceil((self.start + WINDOW - moment).total_seconds()))


def lease_size(limit: int) -> int:
    """How many requests a process asks for at once, 1 to ``MAX_LEASE``, when a window has `limit` of them."""
    return min(MAX_LEASE, max(1, limit // LEASES_IN_LIMIT))


def granted(asked: int, counted: int, limit: int) -> int:
    """How many of the `asked` requests, the last ones in a window's count of `counted`, lie within its limit."""
    return max(0, min(asked, limit - (counted - asked)))
