"""Start and stop the AWS emulator (MiniStack), one process per state folder, on loopback only."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from anamnesis_tools.stack import processes
from anamnesis_tools.stack.aws_clients import ACCESS_KEY, REGION, SECRET_KEY
from anamnesis_tools.stack.emulator_host import SHUTDOWN_SECONDS
from anamnesis_tools.stack.errors import EmulatorFailed
from anamnesis_tools.stack.saved_state import OBJECTS, RUNNING, SAVED, TABLES

HOST = "127.0.0.1"
_START_SECONDS = 60.0
#: What the emulator takes over from our environment; everything else, credentials above all, stays out.
_PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
)


def free_port() -> int:
    """Return a port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether nothing listens on this port."""
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) != 0


def environment_of(state_dir: Path, port: int, *, persist: bool) -> dict[str, str]:
    """Return the whole environment of the emulator, and so of its Lambda workers."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return kept | {
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        "MINISTACK_REGION": REGION,
        "LOG_LEVEL": "INFO",
        # Signatures and IAM policies are checked, so a right that a function lacks is missed here and not on AWS.
        "AUTH": "true",
        "PERSIST_STATE": "1" if persist else "0",
        "S3_PERSIST": "1" if persist else "0",
        "STATE_DIR": str(state_dir / TABLES),
        "S3_DATA_DIR": str(state_dir / OBJECTS),
        "TMPDIR": str(state_dir / "tmp"),
        # Services that would listen on fixed ports of their own.
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
        # A retry of an asynchronous invocation comes after a minute on AWS.
        "LAMBDA_ASYNC_RETRY_BASE_SECONDS": "0.2",
        "LAMBDA_ASYNC_RETRY_MAX_SECONDS": "1",
        "POWERTOOLS_TRACE_DISABLED": "true",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


class Emulator:
    """A running emulator.

    Parameters
    ----------
    pid
        Its process.
    known_as
        What `processes.identity` says of it.
    port
        Where it listens.
    """

    def __init__(self, pid: int, known_as: str, port: int) -> None:
        self.pid = pid
        self.known_as = known_as
        self.port = port
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def endpoint_url(self) -> str:
        """The one address of every emulated service."""
        return f"http://{HOST}:{self.port}"

    @classmethod
    def start(cls, state_dir: Path, port: int, environment: Mapping[str, str], *, tied: bool) -> Emulator:
        """Start an emulator and wait until it answers.

        Parameters
        ----------
        state_dir
            Folder for its state, its temporary files and its log.
        port
            Where it shall listen.
        environment
            Its whole environment, see `environment_of`.
        tied
            Whether it ends with this process; otherwise it goes on by itself.

        Raises
        ------
        EmulatorFailed
            If the port is taken, or it ends or stays silent.
        """
        if not is_free(port):
            raise EmulatorFailed(f"Port {port} of {HOST} is taken.")
        for folder in ("tmp", TABLES, OBJECTS):
            (state_dir / folder).mkdir(parents=True, exist_ok=True)
        command = [
            sys.executable,
            "-m",
            "anamnesis_tools.stack.emulator_host",
            *(["--die-with-parent"] if tied else []),
        ]
        with (state_dir / "emulator.log").open("ab") as log:
            child = subprocess.Popen(
                command,
                env=dict(environment),
                cwd=state_dir,
                stdin=subprocess.PIPE if tied else subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        emulator = cls(child.pid, processes.identity(child.pid) or "", port)
        emulator._child = child
        emulator._wait_until_ready(state_dir / "emulator.log")
        return emulator

    def _wait_until_ready(self, log: Path) -> None:
        """Wait for the first answer; the identity is taken again, since ours began as a copy of this process."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            if self._child is not None and self._child.poll() is not None:
                break
            with contextlib.suppress(OSError):
                opener.open(f"{self.endpoint_url}/_ministack/health", timeout=2).close()
                self.known_as = processes.identity(self.pid) or ""
                return
            time.sleep(0.05)
        self.known_as = processes.identity(self.pid) or ""
        self.stop()
        raise EmulatorFailed(
            f"The emulator did not start; the end of {log}:\n{log.read_text(errors='replace')[-2000:]}"
        )

    def is_running(self) -> bool:
        """Whether the process is there and is the one that was started."""
        return processes.identity(self.pid) == self.known_as

    def save(self, state_dir: Path) -> bool:
        """Have the emulator save its state now, and go on.

        Returns
        -------
        bool
            Whether it did, within the time it is given; False also of one that keeps no state.
        """
        if not (state_dir / RUNNING).exists() or not self.is_running():
            return False
        before = _changed_ns(state_dir / SAVED)
        os.kill(self.pid, signal.SIGUSR1)
        deadline = time.monotonic() + SHUTDOWN_SECONDS
        while _changed_ns(state_dir / SAVED) == before:
            if time.monotonic() > deadline or not self.is_running():
                return False
            time.sleep(0.02)
        return True

    def stop(self) -> bool:
        """Stop it and its Lambda workers, after it has saved its state.

        Returns
        -------
        bool
            Whether it was running and ended by itself; False also when it had to be killed.
        """
        ended = processes.end(self.pid, self.known_as, SHUTDOWN_SECONDS)
        if self._child is not None:
            if self._child.stdin is not None:
                self._child.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(timeout=5)
        return ended


def _changed_ns(file: Path) -> int | None:
    """When a file was last changed; None while there is none."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return None
