"""The process the emulator runs in: `python -m anamnesis_tools.stack.emulator_host [--die-with-parent]`.

Settings reach it by environment variables only, which is how MiniStack takes them. With ``--die-with-parent`` it ends
when its standard input does: the parent holds the other end of that pipe and the system closes it however the parent
goes, killed included. A signal from the system would not do: it comes when the thread ends that started us, not the
process.

MiniStack saves its state when it ends in order and has no request for saving it earlier, so this process does it: on
SIGUSR1, which `up` sends once a deployment is complete, and from then on every 20 seconds in which the stack was used
(up to `MOST_SECONDS_BETWEEN_SAVES` when saving takes long). A stack that is killed so loses at most its last minute.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from anamnesis_tools.stack.saved_state import MOST_SECONDS_BETWEEN_SAVES, RUNNING, SAVED

#: How long the emulator may take to save its state after SIGTERM.
SHUTDOWN_SECONDS = 30.0
_SAVE_SECONDS = 20.0
#: Saving stops the emulator for its time; this many times that long it is then left alone.
_REST_PER_SAVE = 20.0


class Saver:
    """Saves the emulator's state while it runs.

    Parameters
    ----------
    emulator
        The module ``ministack.app``.
    folder
        The stack's state folder.
    """

    def __init__(self, emulator: Any, folder: Path) -> None:
        self._emulator = emulator
        self._folder = folder
        self._asked = threading.Event()
        self._used = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def install(self) -> None:
        """Mark the folder as in use, listen for SIGUSR1 and for requests, and begin."""
        (self._folder / RUNNING).touch()
        signal.signal(signal.SIGUSR1, lambda *_: self._asked.set())
        serve = self._emulator.app

        async def noticing(scope: Any, receive: Any, send: Any) -> None:
            self._loop = asyncio.get_running_loop()
            await serve(scope, receive, send)
            # After it is served, so that a save in between does not miss what it changed.
            self._used = self._used or not scope.get("path", "/_ministack/").startswith("/_ministack/")

        self._emulator.app = noticing
        threading.Thread(target=self._run, name="save", daemon=True).start()

    def ended_in_order(self) -> None:
        """Say that the emulator has saved everything and is at its end."""
        (self._folder / SAVED).touch()
        (self._folder / RUNNING).unlink(missing_ok=True)

    def _run(self) -> None:
        pause: float | None = (
            None  # before a deployment is complete there is nothing that a start could go on from
        )
        while True:
            asked = self._asked.wait(pause)
            self._asked.clear()
            if self._loop is not None and (asked or self._used):
                self._used = False
                took = asyncio.run_coroutine_threadsafe(self._save(), self._loop).result()
                pause = min(max(_SAVE_SECONDS, _REST_PER_SAVE * took), MOST_SECONDS_BETWEEN_SAVES)

    async def _save(self) -> float:
        """Save on the loop that serves, as MiniStack does at its end: no request runs meanwhile. Returns seconds."""
        from ministack.core.persistence import save_all

        began = time.monotonic()
        # MiniStack has no public name for what it saves.
        save_all(self._emulator._build_persistence_save_dict())  # noqa: SLF001
        (self._folder / SAVED).touch()
        return time.monotonic() - began


def _end_with_parent() -> None:
    """Wait for the end of standard input, then end this process group, politely first."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(SHUTDOWN_SECONDS)
    os.killpg(os.getpgid(0), signal.SIGKILL)


def main() -> None:
    """Run the emulator until it is told to end."""
    if "--die-with-parent" in sys.argv[1:]:
        sys.argv.remove("--die-with-parent")
        threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()
    from ministack import app

    saver = Saver(app, Path.cwd()) if os.environ.get("PERSIST_STATE") == "1" else None
    if saver:
        saver.install()
    app.main()
    if saver:
        saver.ended_in_order()


if __name__ == "__main__":
    main()
