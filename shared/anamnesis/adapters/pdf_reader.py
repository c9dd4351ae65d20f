"""Page texts of a PDF, read in a child process with bounded time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import RefusalReason

#: Seconds of wall clock and of processor time that one engine may take for one file.
DEFAULT_TIMEOUT_SECONDS = 60
#: Address space of the child: pdfium with a 50 MB file and its page caches stays well below.
DEFAULT_MEMORY_BYTES = 1536 * 1024 * 1024

_CHILD = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from anamnesis.adapters.pdf_worker import main;"
    "main(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))"
)
_DETAILS = {
    RefusalReason.ENCRYPTED: "This PDF is locked with a password. Save a copy without the password and upload that.",
    RefusalReason.MALFORMED: "This PDF is damaged and cannot be read. Open it, save it as a new PDF, and upload that.",
    RefusalReason.TOO_LARGE: "This PDF holds more text or pages than one file may. Split it and upload the parts.",
}


class PdfReader:
    """Reads PDFs with pdfium, and with pypdf what pdfium cannot open.

    Parameters
    ----------
    timeout_seconds
        Wall clock and processor time that each engine may take.
    memory_bytes
        Address space that the child may use.
    """

    def __init__(
        self, *, timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS, memory_bytes: int = DEFAULT_MEMORY_BYTES
    ) -> None:
        self._timeout_seconds = timeout_seconds
        self._memory_bytes = memory_bytes

    def pages(self, data: bytes) -> list[str]:
        """Raw text of every page; empty for a page without a text layer or that cannot be loaded.

        Raises
        ------
        FileRefused
            If the file is encrypted, malformed, too large, or takes more time or memory than it may.
        """
        first = self._run("pdfium", data)
        if isinstance(first, list):
            return first
        if first is RefusalReason.TOO_LARGE:
            raise _refused(first)
        second = self._run("pypdf", data)
        if isinstance(second, list):
            return second
        raise _refused(second)

    def _run(self, engine: str, data: bytes) -> list[str] | RefusalReason:
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
        except subprocess.TimeoutExpired:
            return RefusalReason.MALFORMED
        if done.returncode != 0:
            return RefusalReason.MALFORMED
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            return RefusalReason.MALFORMED
        return (
            RefusalReason(answer["refused"])
            if "refused" in answer
            else [str(page) for page in answer["pages"]]
        )


def _refused(reason: RefusalReason) -> FileRefused:
    return FileRefused(reason.value, _DETAILS[reason])
