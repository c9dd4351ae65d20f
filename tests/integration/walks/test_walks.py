"""Real questions about a student, answered over a checkout with cat, grep and git alone."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.git_server import ENVIRONMENT, git

WALKS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("walks.toml").read_text(encoding="utf-8")
)["walk"]
#: What an agent has everywhere.
TOOLS = {"cat", "grep", "git"}
#: Subcommands of git that read.
READS = {"log", "show", "diff"}


class Lost(Exception):
    """A walk did not come to where it was to go."""


def walk(folder: Path, steps: list[dict[str, Any]]) -> str:
    """Take the steps of a walk; returns what the last one prints."""
    known: dict[str, str] = {}
    printed = ""
    for step in steps:
        command = [_filled(part, known) for part in step["run"]]
        assert command[0] in TOOLS
        assert command[0] != "git" or command[1] in READS
        printed = _printed(folder, command)
        found = re.search(step.get("find", ""), printed, re.MULTILINE)
        if found is None:
            raise Lost(f"{command} says nothing like {step['find']}")
        known |= {name: value for name, value in found.groupdict().items() if value is not None}
    return printed


def arrive(folder: Path, asked: dict[str, Any]) -> None:
    """Take a whole walk, to its evidence."""
    printed = walk(folder, asked["steps"])
    for wanted in (asked["evidence"], asked["words"]):
        if wanted not in printed:
            raise Lost(f"{wanted} is not in {printed}")


def _filled(part: str, known: dict[str, str]) -> str:
    return re.sub(r"\{([a-z]+)\}", lambda match: known[match[1]], part)


def _printed(folder: Path, command: list[str]) -> str:
    if command[0] == "git":
        return git("--no-pager", *command[1:], cwd=folder, check=False).stdout
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=30, check=False
    )
    return done.stdout


@pytest.mark.parametrize("asked", WALKS, ids=lambda asked: asked["question"])
def test_a_walk_comes_to_its_evidence(checkout: Path, asked: dict[str, Any]) -> None:
    """Files, links, citations and revisions lead from a question to the turn or page that answers it (WU-2, WK-3)."""
    arrive(checkout, asked)


def test_there_are_ten_walks_in_many_scripts() -> None:
    """Ten questions or more, with files and with revisions, in Latin script, Devanagari, Arabic and Han (WU-2)."""
    questions = "".join(asked["question"] for asked in WALKS)
    assert len(WALKS) >= 10
    assert all(re.search(letters, questions) for letters in ("[a-z]", "[ऀ-ॿ]", "[؀-ۿ]", "[一-鿿]"))
    commands = {tuple(step["run"][:2]) for asked in WALKS for step in asked["steps"]}
    assert {("git", "log"), ("git", "show"), ("git", "diff"), ("grep", "-rn")} <= commands
    assert any(command[0] == "cat" for command in commands)


@pytest.mark.parametrize("asked", WALKS, ids=lambda asked: asked["question"])
def test_no_walk_arrives_without_its_evidence(checkout: Path, tmp_path: Path, asked: dict[str, Any]) -> None:
    """Where the evidence is gone from the files the walk is lost: it is found there and nowhere else (WK-3)."""
    folder = tmp_path / "wiki"
    shutil.copytree(checkout, folder)
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        kept = [line for line in text.split("\n") if asked["words"] not in line]
        page.write_text("\n".join(kept), encoding="utf-8")
    with pytest.raises(Lost):
        arrive(folder, asked)


def test_a_first_night_answers_little(checkout: Path, tmp_path: Path) -> None:
    """On the first revision's files the walks whose answers came later are lost (WK-5)."""
    folder = tmp_path / "wiki"
    git("clone", "--quiet", "--no-local", checkout, folder)
    first = git("rev-list", "--max-parents=0", "HEAD", cwd=folder).stdout.strip()
    git("reset", "--quiet", "--hard", first, cwd=folder)
    arrived = set()
    for asked in WALKS:
        try:
            arrive(folder, asked)
        except (Lost, KeyError):
            continue
        arrived.add(asked["evidence"])
    assert arrived == {"session://biology/s-0204#3", "session://biology/s-0204#1", "file://biology/"}
