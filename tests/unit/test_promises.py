"""PROMISES.md is complete: every promise has tests that name it, and every test names a promise."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
IDENTIFIER = re.compile(r"\b(?:EP|RC|CM|TE|BE|BL|GR|VE|NI|WK|WU|WD|EV|SV)-\d+\b")
ROW = re.compile(r"^\| (?P<id>[A-Z]{2}-\d+) \| (?P<promise>[^|]+) \| (?P<files>[^|]+) \|$", re.MULTILINE)
LATER = re.compile(r"^- (?P<id>[A-Z]{2}-\d+): ", re.MULTILINE)


def promises() -> dict[str, tuple[str, set[str]]]:
    text = (TESTS / "PROMISES.md").read_text(encoding="utf-8")
    return {
        row["id"]: (row["promise"].strip(), {name.strip(" `") for name in row["files"].split(",")})
        for row in ROW.finditer(text)
    }


def named_in_tests() -> dict[str, set[str]]:
    """Test files by the requirement that a test function's docstring in them names."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for identifier in IDENTIFIER.findall(ast.get_docstring(node) or ""):
                    found[identifier].add(path.relative_to(TESTS).as_posix())
    return found


def test_every_promise_lists_exactly_the_tests_that_name_it() -> None:
    """A promise's tests are the files whose tests name it, no more and no fewer (SV-2)."""
    listed = {identifier: files for identifier, (_, files) in promises().items()}
    assert listed == {identifier: files for identifier, files in named_in_tests().items() if identifier in listed}


def test_every_requirement_named_by_a_test_is_promised() -> None:
    """No test proves something that the list does not promise (SV-2)."""
    assert set(named_in_tests()) <= set(promises())


def test_a_promise_is_made_or_put_off_but_never_both() -> None:
    """What is not promised yet is said, and leaves the list when it is promised (SV-2)."""
    text = (TESTS / "PROMISES.md").read_text(encoding="utf-8")
    later = [row["id"] for row in LATER.finditer(text)]
    assert later
    assert not set(later) & set(promises())
    assert len(later) == len(set(later))


@pytest.mark.parametrize("folder", ["unit", "integration", "e2e"])
def test_every_test_states_its_promise(folder: str) -> None:
    """Each test's docstring is one sentence that ends with the requirement it proves (SV-2)."""
    silent = [
        f"{path.relative_to(TESTS)}::{node.name}"
        for path in sorted((TESTS / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and not IDENTIFIER.search(ast.get_docstring(node) or "")
    ]
    assert silent == []
