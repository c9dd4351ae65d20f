"""The local stack keeps what it was given and leaves nothing running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anamnesis_tools.stack import processes
from anamnesis_tools.stack.errors import EmulatorFailed, NotRunning
from anamnesis_tools.stack.local_stack import LocalStack

GONE_WITHIN_SECONDS = 30.0

_START_AND_WAIT = """
import sys, time
from pathlib import Path
from anamnesis_tools.stack.local_stack import LocalStack
stack = LocalStack(Path(sys.argv[1]))
stack.start_emulator(tied=True)
print(stack.emulator.pid, flush=True)
time.sleep(600)
"""


def group_is_gone(leader: int) -> bool:
    """Whether no process of a group is left within the time given."""
    deadline = time.monotonic() + GONE_WITHIN_SECONDS
    while time.monotonic() < deadline:
        try:
            os.killpg(leader, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_the_emulator_ends_with_a_killed_parent(tmp_path: Path) -> None:
    """An emulator that belongs to a process ends with it, however that ends (SV-9)."""
    command = [sys.executable, "-c", _START_AND_WAIT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        emulator = int(parent.stdout.readline())
        assert processes.identity(emulator) is not None
        parent.kill()
    assert group_is_gone(emulator)


def test_state_survives_a_stop_and_a_start(tmp_path: Path) -> None:
    """What was stored before `down` is there after `up`, at the same address (SV-9)."""
    first = LocalStack(tmp_path, persist=True)
    first.start_emulator(tied=True)
    first.client("s3").create_bucket(Bucket="kept")
    first.client("s3").put_object(Bucket="kept", Key="thing", Body=b"remembered")
    address, leader = first.endpoint_url, first.emulator.pid
    assert first.stop()
    assert group_is_gone(leader)

    second = LocalStack(tmp_path, persist=True)
    second.start_emulator(tied=True)
    try:
        assert second.endpoint_url == address
        assert second.client("s3").get_object(Bucket="kept", Key="thing")["Body"].read() == b"remembered"
    finally:
        second.stop()


def test_a_process_that_is_not_ours_is_left_alone() -> None:
    """A pid that now belongs to another process is not signalled (SV-9)."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        assert not processes.end(stranger.pid, "another time and command", patience_seconds=0.1)
        assert stranger.poll() is None
        stranger.communicate(b"\n")
        assert stranger.returncode == 0


def test_a_process_that_ignores_the_signal_is_killed() -> None:
    """A process that does not end when told to is ended with its whole group (SV-9)."""
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"
    command = [sys.executable, "-c", deaf]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        known_as = processes.identity(process.pid)
        assert known_as is not None
        assert not processes.end(process.pid, known_as, patience_seconds=0.2)
        assert process.wait(timeout=5) in (-signal.SIGKILL, 0)
    assert group_is_gone(process.pid)


def test_nothing_runs_where_nothing_was_started(tmp_path: Path) -> None:
    """Asking for a stack that does not run says so, and stopping it does nothing (SV-8)."""
    with pytest.raises(NotRunning, match="anamnesis up"):
        LocalStack(tmp_path).attach()
    assert not LocalStack(tmp_path).stop()


def test_a_taken_port_is_named(tmp_path: Path, emulator_url: str) -> None:
    """A port that something listens on is refused at once and by name (SV-8)."""
    port = int(emulator_url.rpartition(":")[2])
    with pytest.raises(EmulatorFailed, match=f"Port {port}"):
        LocalStack(tmp_path, port).start_emulator(tied=True)
