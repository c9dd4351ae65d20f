"""Each two use cases at the same time: the second runs completely at every call of the first, in its own process.

``make test`` tries a part of the calls, the same each time; ``EVERY_FAULT=1`` tries all of them.
"""

from __future__ import annotations

import os

import pytest

from support.fault_scenarios import SCENARIOS
from support.fault_trials import Meeting

#: Of a first use case's calls, each so-manieth has the second one before it; a prime.
EACH_CALL = 1 if os.environ.get("EVERY_FAULT") else 61
CHOSEN = [scenario for scenario in SCENARIOS if scenario.paired]
tried: dict[tuple[str, str], int] = {}


@pytest.mark.parametrize("number", range(len(CHOSEN)), ids=[scenario.name for scenario in CHOSEN])
def test_nothing_is_lost_where_two_use_cases_meet(number: int) -> None:
    """Whatever runs between two calls of a use case, both take effect once and all follows the log (EP-7, SV-14)."""
    for other, second in enumerate(CHOSEN):
        meeting = Meeting.of(CHOSEN[number], second)
        # Each pair begins at another call, so that all of them have their turn somewhere.
        call = 1 + (number * len(CHOSEN) + other) % EACH_CALL
        while meeting.try_at(call):
            key = (meeting.first.name, second.name)
            tried[key] = tried.get(key, 0) + 1
            call += EACH_CALL


def test_meetings_are_counted() -> None:
    """How many meetings were tried is printed, and every pair of use cases has met when all calls are tried (SV-14)."""
    print(f"\nmeetings: {len(tried)} pairs at {sum(tried.values())} calls")  # noqa: T201
    if EACH_CALL == 1 and tried:
        assert len(tried) == len(CHOSEN) ** 2
