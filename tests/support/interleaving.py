"""Two jobs over the same stores that take turns at calls of their ports: every order of their steps, without chance."""

from __future__ import annotations

import threading
from collections.abc import Callable

#: Longest wait for a job's next step, in seconds: reaching it means that a test hangs. Ours.
PATIENCE = 60.0


class Aside:
    """A job in a thread of its own that waits where it is told to, while the test goes on with another one.

    Give ``stop`` to a ``FaultPlan`` as what happens `meanwhile` a call: the job then waits right before that call, and
    what it has read by then may be old when it goes on.
    """

    def __init__(self, job: Callable[[], object]) -> None:
        self._stopped, self._released = threading.Event(), threading.Event()
        self.error: BaseException | None = None
        self.ended = False
        self._thread = threading.Thread(target=self._run, args=(job,), daemon=True)

    def start(self) -> None:
        """Run the job until it waits or ends."""
        self._thread.start()
        assert self._stopped.wait(PATIENCE)

    def stop(self) -> None:
        """Called within the job: wait until ``finish``."""
        self._stopped.set()
        assert self._released.wait(PATIENCE)

    def finish(self) -> None:
        """Let the job run to its end, if it has not yet."""
        self._released.set()
        self._thread.join(PATIENCE)
        assert self.ended

    def _run(self, job: Callable[[], object]) -> None:
        try:
            job()
        except Exception as error:  # noqa: BLE001 the test looks at it
            self.error = error
        finally:
            self.ended = True
            self._stopped.set()
