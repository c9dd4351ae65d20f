"""How often to ask DynamoDB for the same thing again."""

from __future__ import annotations

from collections.abc import Iterator

from anamnesis.adapters.backoff import JitteredBackoff

#: Five tries wait 0.75 s in all at most, and half of that on average.
TRIES = 5
_BACKOFF = JitteredBackoff(base_seconds=0.025, cap_seconds=0.4)


def tries() -> Iterator[int]:
    """Yield 1, 2 … up to ``TRIES``: the first at once, each other one after a jittered pause."""
    yield 1
    for number in range(1, TRIES):
        _BACKOFF.pause(number)
        yield number + 1
