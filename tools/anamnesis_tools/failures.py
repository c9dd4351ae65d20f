"""The one shape in which a command tells why it ended without a result."""

from __future__ import annotations

from typing import Any


class CommandFailed(Exception):
    """An error whose text is for the person who called the command, and is shown without a traceback."""

    #: 1: refused or failed. A command that is called wrongly ends with 2, as the shell's own do.
    exit_code = 1

    def document(self) -> dict[str, Any]:
        """Return the error for programs: at least ``type`` (stable) and ``detail`` (the text)."""
        return {"type": type(self).__name__, "detail": str(self)}
