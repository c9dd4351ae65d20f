"""Remove from a built layer what no function uses.

Run by `sam build` (through the layers' Makefiles, where nothing of ours is installed) and by the local stack: standard
library only. A pattern is a glob below the layer's python folder; a line that begins with `!` keeps what an earlier
line would remove.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def read_patterns(text: str) -> tuple[list[str], list[str]]:
    """Split the lines of a prune list into patterns to remove and patterns to keep.

    Parameters
    ----------
    text
        Content of a `prune.txt`; blank lines and lines that begin with `#` say nothing.

    Returns
    -------
    tuple
        Patterns to remove and patterns to keep, in the order of the file.
    """
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    removed = [line for line in lines if not line.startswith("!")]
    kept = [line.removeprefix("!") for line in lines if line.startswith("!")]
    return removed, kept


def doomed(root: Path, removed: list[str], kept: list[str]) -> list[Path]:
    """Files and folders below `root` that match a pattern to remove and none to keep."""
    keep = {path for pattern in kept for path in root.glob(pattern)}
    return sorted({path for pattern in removed for path in root.glob(pattern)} - keep)


def prune(root: Path, patterns: str) -> None:
    """Remove from `root` what the prune list `patterns` names."""
    for path in doomed(root, *read_patterns(patterns)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()


if __name__ == "__main__":
    prune(Path(sys.argv[2]), Path(sys.argv[1]).read_text(encoding="utf-8"))
