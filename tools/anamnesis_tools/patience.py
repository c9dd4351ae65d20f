"""Requests of a busy machine's: whatever may be sent twice is sent again while no answer comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from anamnesis_tools.api_client import ApiClient, ApiProblem, ApiUnreachable

T = TypeVar("T")

#: How long a request is sent again, a turn asked again while a source is late, and a file waited for. Ours.
PATIENCE_SECONDS = 120.0
#: Answers of what stands in front of a function that did not answer in time, or that gave up half-way.
_LATE = frozenset({502, 503, 504})
_PAUSE_SECONDS = 0.2


def patient(send: Callable[[], T]) -> T:
    """Send a request that does the same when it is sent again, until it is answered or patience ends."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return send()
        except (ApiProblem, ApiUnreachable) as problem:
            late = isinstance(problem, ApiUnreachable) or problem.status in _LATE
            if not late or time.monotonic() > end:
                raise
        time.sleep(_PAUSE_SECONDS)


def run_night(caller: ApiClient, subject: str, day: str) -> dict[str, Any]:
    """Run one pair's night, and the same one again as long as it is not done."""
    path = caller.subject(subject, "night")
    return patient(lambda: caller.call("POST", path, {"date": day}))


def whole_block(caller: ApiClient, subject: str, question: str, options: dict[str, Any]) -> dict[str, Any]:
    """The reply to a turn; asked again while a source is late, as one may be on a busy machine."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        reply = patient(lambda: caller.block(subject, question, **options))
        if not (reply["dropped"] or reply["degraded"]) or time.monotonic() > end:
            return reply
        time.sleep(_PAUSE_SECONDS)
