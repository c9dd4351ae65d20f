"""What a state folder holds after the emulator's end, and how to begin again when that end was none in order.

Objects of S3 reach the disk as they are stored, everything else (tables, users, keys, the deployed stack) when the
emulator saves. An emulator that is killed therefore leaves objects that are newer than its tables.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

#: There from the start of an emulator that keeps its state until its end in order.
RUNNING = "running"
#: Written after every save of a deployed stack; its time of change is that of the save.
SAVED = "saved"
TABLES, OBJECTS = "emulator", "s3"
#: Longest time between two saves of a stack that is in use, in seconds.
MOST_SECONDS_BETWEEN_SAVES = 50.0


@dataclass(frozen=True)
class Recovery:
    """What became of the state of an emulator that did not end in order.

    Attributes
    ----------
    kind
        ``last-save``: the stack goes on from its last save. ``fresh-start``: there was none, so the stack begins empty.
    detail
        What is lost, for people.
    saved_at
        Time of the save that the stack goes on from, RFC 3339 in UTC; None without one.
    moved_to
        Where the unusable state is kept; None when it is in use.
    """

    kind: str
    detail: str
    saved_at: str | None = None
    moved_to: str | None = None

    def document(self) -> dict[str, Any]:
        """Return it for programs."""
        return asdict(self)


def recover(state_dir: Path, now: datetime) -> Recovery | None:
    """Make a state folder fit for a start; nothing in it is deleted.

    Parameters
    ----------
    state_dir
        Folder of a stack that does not run.
    now
        Names the folder that unusable state is moved to.

    Returns
    -------
    Recovery or None
        None when there is nothing to tell: the folder is new, or the last end was in order.
    """
    killed = (state_dir / RUNNING).exists()
    saved = state_dir / SAVED
    if killed and saved.exists():
        at = datetime.fromtimestamp(saved.stat().st_mtime, UTC).isoformat(timespec="seconds")
        return Recovery(
            "last-save",
            f"The emulator was killed. The stack goes on from its last save, of {at}; what was recorded after that is "
            "lost, and `anamnesis verify` names checkpoints that are newer than the log.",
            saved_at=at,
        )
    if not killed and (_holds_any(state_dir / TABLES, "*.json") or not _holds_any(state_dir / OBJECTS, "*")):
        return None
    aside = _move_aside(state_dir, f"state.broken-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}")
    return Recovery(
        "fresh-start",
        "The emulator was killed before it had saved its tables, and files without tables are of no use. The stack "
        f"begins empty; what was left is kept in {aside}.",
        moved_to=str(aside),
    )


def discard(state_dir: Path) -> None:
    """Delete the state of a first start that failed: nobody has put anything into it."""
    for name in (TABLES, OBJECTS):
        shutil.rmtree(state_dir / name, ignore_errors=True)
    for name in (RUNNING, SAVED):
        (state_dir / name).unlink(missing_ok=True)


def _holds_any(folder: Path, pattern: str) -> bool:
    return any(folder.glob(pattern))


def _move_aside(state_dir: Path, name: str) -> Path:
    """Move state and log into a folder of their own; port and secret stay."""
    aside = state_dir / name
    aside.mkdir(parents=True)
    for part in (TABLES, OBJECTS, RUNNING, "emulator.log"):
        if (state_dir / part).exists():
            (state_dir / part).rename(aside / part)
    return aside
