"""How often and how long to wait before asking DynamoDB for the same thing again."""

from __future__ import annotations

import time
from collections.abc import Iterator

from anamnesis.adapters.system import jitter

#: Upper bounds of the waits between tries, in seconds: five tries, at most about 0.75 s of waiting in all.
WAITS_SECONDS = (0.05, 0.1, 0.2, 0.4)


def pauses() -> Iterator[int]:
    """Yield 0, 1, 2 …: once at once, then once after each wait, each drawn evenly up to its bound ("full jitter").

    References
    ----------
    Marc Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
    """
    yield 0
    for number, bound in enumerate(WAITS_SECONDS, start=1):
        time.sleep(jitter() * bound)
        yield number
