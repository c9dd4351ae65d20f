"""Let a tenant's request in, or refuse it because the tenant sent too many (SV-12)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from anamnesis.domain.errors import StoreUnavailable, TooManyRequests
from anamnesis.domain.throttling import Window, granted, lease_size
from anamnesis.ports import Clock, RequestCounter

#: Longest wait for the counter; DynamoDB answers in some milliseconds. Ours: a tenth of a turn's time.
PATIENCE_SECONDS = 0.25
#: How long a counter that did not answer is left alone, so that only some requests wait for it. Ours.
SILENCE_SECONDS = 1.0
#: Tenants remembered by a process. Forgetting one costs a request to the counter, and the rest of a lease. Ours.
MAX_KEPT = 1_000


class Admission(StrEnum):
    """How a request was let in."""

    COUNTED = "counted"
    #: The counter did not answer: a throttle that is out of order must not stop teaching.
    UNCOUNTED = "uncounted"
    #: There is no limit.
    UNLIMITED = "unlimited"


@dataclass(slots=True)
class _Share:
    """What this process has left of a tenant's window; `refused` once the window has no more to give."""

    window: Window
    left: int = 0
    refused: bool = False


class AdmitRequest:
    """The use case; call it with the tenant of each request. Thread-safe, and made to live as long as its process.

    Requests are counted in leases: a process takes some from the tenant's window at once, so that at most every
    request, and under load one in ten, asks the counter. A refusal holds until the window ends and asks nobody.

    Parameters
    ----------
    executor
        Runs the calls to the counter, which may outlast the wait for them.
    limit
        Most requests of one tenant in a window, over all processes; 0 for no limit.
    monotonic
        A clock in seconds that never goes back.
    """

    def __init__(
        self,
        *,
        counter: RequestCounter,
        clock: Clock,
        executor: Executor,
        limit: int,
        monotonic: Callable[[], float],
    ) -> None:
        self._counter = counter
        self._clock = clock
        self._executor = executor
        self._limit = limit
        self._monotonic = monotonic
        self._shares: OrderedDict[str, _Share] = OrderedDict()
        self._silent_until = 0.0
        self._lock = Lock()

    def __call__(self, tenant: str) -> Admission:
        """Let one request in.

        Raises
        ------
        TooManyRequests
            If the tenant's window is used up; says when the next one begins.
        """
        if self._limit == 0:
            return Admission.UNLIMITED
        now = self._clock.now()
        window = Window.at(now)
        admitted = self._from_share(tenant, window)
        if admitted is None:
            if self._monotonic() < self._silent_until:
                return Admission.UNCOUNTED
            try:
                lease = self._executor.submit(self._lease, tenant, window)
                admitted = lease.result(timeout=PATIENCE_SECONDS)
            except (StoreUnavailable, TimeoutError):
                self._silent_until = self._monotonic() + SILENCE_SECONDS
                return Admission.UNCOUNTED
        if not admitted:
            raise TooManyRequests(
                f"more than {self._limit} requests of this tenant within a minute",
                retry_after=window.seconds_left(now),
            )
        return Admission.COUNTED

    def _from_share(self, tenant: str, window: Window) -> bool | None:
        """Whether what this process knows lets the request in; None when it has to ask."""
        with self._lock:
            share = self._shares.get(tenant)
            if share is None or share.window != window:
                return None
            if share.left > 0:
                share.left -= 1
                return True
            return False if share.refused else None

    def _lease(self, tenant: str, window: Window) -> bool:
        """Take a lease; use one request of it and keep the others. Says whether there was one."""
        asked = lease_size(self._limit)
        given = granted(asked, self._counter.add(tenant, window.start, asked), self._limit)
        with self._lock:
            share = self._shares.get(tenant)
            if share is None or share.window != window:
                share = self._shares[tenant] = _Share(window)
            self._shares.move_to_end(tenant)
            share.left += max(0, given - 1)
            share.refused |= given < asked
            while len(self._shares) > MAX_KEPT:
                self._shares.popitem(last=False)
        return given > 0
