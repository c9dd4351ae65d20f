"""Parsers of binary and marked-up files, run in a child process with bounded time and memory."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from anamnesis.adapters.reading import refusals
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import RefusalReason

#: Seconds of wall clock and of processor time that one engine may take for one file.
DEFAULT_TIMEOUT_SECONDS = 60
#: Address space of the child: pdfium with a 50 MB file and its page caches stays well below, as does a 5 million
#: character document in Word.
DEFAULT_MEMORY_BYTES = 1536 * 1024 * 1024

_CHILD = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from anamnesis.adapters.reading.worker import main;"
    "main(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))"
)


@dataclass(frozen=True, slots=True)
class RawPages:
    """What an engine made of a file: its texts in logical order, not yet cleaned.

    Attributes
    ----------
    pictures
        Numbers, from 1, of pages that are pictures without text to read.
    """

    media_type: str
    texts: tuple[str, ...]
    pictures: tuple[int, ...] = ()


class BoundedParsers:
    """Runs one engine on one file, see ``worker``.

    Parameters
    ----------
    timeout_seconds
        Wall clock and processor time that each run may take.
    memory_bytes
        Address space that the child may use.
    """

    def __init__(
        self, *, timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS, memory_bytes: int = DEFAULT_MEMORY_BYTES
    ) -> None:
        self._timeout_seconds = timeout_seconds
        self._memory_bytes = memory_bytes

    def run(self, engine: str, data: bytes) -> RawPages | FileRefused | None:
        """Parse bytes with an engine.

        Returns
        -------
        RawPages, FileRefused or None
            A refusal says what the engine found out about the file, or that it takes too long; None that the engine
            crashed or ran out of memory.
        """
        command = [sys.executable, "-c", _CHILD, json.dumps(sys.path), engine]
        command += [str(self._timeout_seconds), str(self._memory_bytes)]
        # Pipes rather than multiprocessing: Lambda has no /dev/shm. The environment holds what the interpreter needs
        # to start and no credentials.
        environment = {"LD_LIBRARY_PATH": str(Path(sys.base_prefix) / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(  # noqa: S603 - our own interpreter and our own arguments
                command,
                input=data,
                capture_output=True,
                timeout=self._timeout_seconds,
                check=False,
                env=environment,
            )
            if done.returncode == -signal.SIGXCPU:
                return refusals.takes_too_long()
            answer = json.loads(done.stdout) if done.returncode == 0 else {}
            if "refused" in answer:
                return FileRefused(RefusalReason(answer["refused"]).value, str(answer["detail"]))
            texts = tuple(str(page) for page in answer["pages"])
            return RawPages(str(answer["media_type"]), texts, tuple(map(int, answer["pictures"])))
        except subprocess.TimeoutExpired:
            # Not "damaged": how long it takes depends on how large it is, and on the machine.
            return refusals.takes_too_long()
        except (ValueError, KeyError, TypeError):
            return None
