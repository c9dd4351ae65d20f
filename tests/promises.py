"""PROMISES.md and the tests, read side by side: `make promises` rewrites the list's last column from the tests."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parent
LIST = TESTS / "PROMISES.md"
IDENTIFIER = re.compile(r"\b(?:EP|RC|CM|TE|BE|BL|GR|VE|NI|WK|WU|WD|EV|SV)-\d+\b")
ROW = re.compile(r"^\| (?P<id>[A-Z]{2}-\d+) \| (?P<promise>[^|]+) \| (?P<files>[^|]*) \|$", re.MULTILINE)
LATER = re.compile(r"^- (?P<id>[A-Z]{2}-\d+): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TestFunction:
    """A test: its file below tests/, its name, and the requirements that its docstring names."""

    file: str
    name: str
    identifiers: tuple[str, ...]


def test_functions() -> list[TestFunction]:
    """Every test function of every file, in order."""
    return [
        TestFunction(
            path.relative_to(TESTS).as_posix(),
            node.name,
            tuple(IDENTIFIER.findall(ast.get_docstring(node) or "")),
        )
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def files_by_identifier() -> dict[str, set[str]]:
    """Test files by the requirement that a test in them names."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for test in test_functions():
        for identifier in test.identifiers:
            found[identifier].add(test.file)
    return found


def promised() -> dict[str, set[str]]:
    """Test files that the list gives for each promise."""
    text = LIST.read_text(encoding="utf-8")
    return {row["id"]: {name.strip(" `") for name in row["files"].split(",")} for row in ROW.finditer(text)}


def put_off() -> list[str]:
    """Requirements that the list says are not promised yet."""
    return [row["id"] for row in LATER.finditer(LIST.read_text(encoding="utf-8"))]


def rewrite() -> None:
    """Write the last column anew from the tests."""
    found = files_by_identifier()

    def row(match: re.Match[str]) -> str:
        files = ", ".join(f"`{name}`" for name in sorted(found.get(match["id"], ())))
        return f"| {match['id']} | {match['promise'].strip()} | {files} |"

    LIST.write_text(ROW.sub(row, LIST.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
