"""The entry points stay thin: what import-linter cannot see of single-file modules, and what a handler may not do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FUNCTIONS = Path(__file__).parents[3] / "functions"
ALLOWED = (
    "anamnesis.bootstrap",
    "anamnesis.schemas",
    "anamnesis.domain",
    "anamnesis.agents",
    "anamnesis.__version__",
)
MODULES = sorted(FUNCTIONS.rglob("*.py"))


def imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(FUNCTIONS)))
def test_entry_points_know_no_technology(module: Path) -> None:
    """Entry points import the application, HTTP shapes and domain values, no SDK and no environment (SV-3)."""
    names = imported(ast.parse(module.read_text()))
    ours = {name for name in names if name.startswith("anamnesis.")}
    assert {name for name in ours if not name.startswith(ALLOWED)} == set()
    assert {name.partition(".")[0] for name in names} & {"boto3", "botocore", "pynamodb", "os"} == set()


@pytest.mark.parametrize(
    "name",
    [
        "read_block",
        "read_file",
        "index_episodes",
        "start_night",
        "run_night",
        "compile_wiki",
        "api",
        "wiki_mcp",
        "page",
    ],
)
def test_every_function_is_small(name: str) -> None:
    """Each Lambda's entry point is a few dozen lines without error handling of its own (SV-2)."""
    text = (FUNCTIONS / name / "app.py").read_text()
    assert len(text.splitlines()) <= 50
    assert not any(isinstance(node, ast.Try) for node in ast.walk(ast.parse(text)))
