"""Know a process again: pids are reused, so none is signalled unless it is still the one that was started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

_POLL_SECONDS = 0.02


def identity(pid: int) -> str | None:
    """When and as what a process was started, or None if there is none (a finished, unreaped one is none)."""
    proc = Path("/proc") / str(pid)
    if Path("/proc/self/stat").exists():
        try:
            after_name = (proc / "stat").read_text().rpartition(")")[2].split()
            command = (proc / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            return None
        return None if after_name[0] == "Z" else f"{after_name[19]} {command}"
    shown = subprocess.run(
        ["ps", "-o", "lstart=,command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip() or None


def end(pid: int, known_as: str, patience_seconds: float) -> bool:
    """End a process that leads its own group, and what is left of the group.

    Parameters
    ----------
    pid
        Leader of the group.
    known_as
        What `identity` said when it was started.
    patience_seconds
        How long it may take after SIGTERM; then the group is killed.

    Returns
    -------
    bool
        Whether it was running, was ours, and ended by itself in time.
    """
    if identity(pid) != known_as:
        return False
    os.kill(pid, signal.SIGTERM)
    ended = _wait_until_gone(pid, known_as, patience_seconds)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGTERM if ended else signal.SIGKILL)
    deadline = time.monotonic() + 5.0
    with contextlib.suppress(ProcessLookupError, PermissionError):
        while time.monotonic() < deadline:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)  # a child of ours would otherwise stay in the group as a zombie
            os.killpg(pid, 0)
            time.sleep(_POLL_SECONDS)
        os.killpg(pid, signal.SIGKILL)
    return ended


def _wait_until_gone(pid: int, known_as: str, patience_seconds: float) -> bool:
    """Whether the process ended within the time given."""
    deadline = time.monotonic() + patience_seconds
    while identity(pid) == known_as:
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True
