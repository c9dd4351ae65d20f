"""A kept result: a small dated JSON file with the commit, the data's hash, the figures and what they cost (EV-6)."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

#: Where results are kept; small files, part of the tree.
RESULTS = Path(__file__).parent.parent / "results"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Kept:
    """One evaluation's result.

    Attributes
    ----------
    kind
        Name of the evaluation's command.
    taken_at
        RFC 3339, UTC.
    commit
        Of the tree that was measured; with ``+`` when it had changes.
    data_sha256
        Of what it was measured on; empty where that comes with the tree.
    note
        What was changed before it, in its author's words.
    cost
        Processor seconds and the like.
    """

    kind: str
    taken_at: str
    commit: str
    data_sha256: str
    note: str
    machine: str
    cost: Mapping[str, float]
    figures: Any
    version: int = VERSION


def kept(
    kind: str, figures: Any, *, commit: str = "", note: str = "", data_sha256: str = "", seconds: float = 0.0
) -> Kept:
    """Return a result of this moment and machine.

    Parameters
    ----------
    commit
        That was measured; the tree's own by default.
    """
    return Kept(
        kind=kind,
        taken_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        commit=commit or measured_commit(),
        data_sha256=data_sha256,
        note=note,
        machine=f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}",
        cost={"processor_seconds": round(seconds)},
        figures=figures,
    )


def measured_commit() -> str:
    """Return the short name of the commit that this tree is at; ``unknown`` outside of git."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", "-C", str(here), *words], capture_output=True, text=True, check=True, timeout=30
        ).stdout.strip()

    try:
        name = git("rev-parse", "--short=12", "HEAD")
        changed = git(
            "status", "--porcelain", "--untracked-files=no", "--", ":/shared", ":/tools", ":/functions"
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return f"{name}+" if changed else name


def save(result: Kept, folder: Path = RESULTS) -> Path:
    """Write a result into a folder under its day, kind and commit; return where.

    A second result of the same three takes the place of the first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result.taken_at[:10]}-{result.kind}-{result.commit.rstrip('+')}.json"
    path.write_text(json.dumps(asdict(result), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def load(path: Path) -> Kept:
    """Read a kept result.

    Raises
    ------
    ValueError
        If the file holds none.
    """
    try:
        return Kept(**json.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path.name} holds no kept result") from error


def latest(kind: str, folder: Path = RESULTS) -> Kept | None:
    """Return the latest result of a kind in a folder, None when there is none."""
    found = [load(path) for path in sorted(folder.glob(f"*-{kind}-*.json"))]
    found = [one for one in found if one.kind == kind]
    return max(found, key=lambda one: one.taken_at, default=None)
