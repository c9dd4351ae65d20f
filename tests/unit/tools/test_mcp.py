"""`anamnesis mcp` as an agent's desktop starts it: a process that speaks the protocol on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mcp import StdioServerParameters
from typer.testing import CliRunner

from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis_tools.cli import app
from support.agents import Agent, over
from support.git_server import git
from support.wiki_values import ana

PAGE = "knowledge/concepts/biology/osmosis.md"
AS = ("-c", "user.name=Anamnesis", "-c", "user.email=")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with two revisions."""
    folder = tmp_path_factory.mktemp("mcp") / "wiki"
    tree = DeterministicWriter().write(ana(), {})
    git("init", "--quiet", "--initial-branch=main", folder)
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder / PAGE).write_text("# Osmosis\n\nStruggles with it.\n", encoding="utf-8")
    git("add", ".", cwd=folder)
    git(*AS, "commit", "--quiet", "-m", "First compile: 4 sessions\n\n- New: osmosis", cwd=folder)
    (folder / PAGE).write_text(tree[PAGE], encoding="utf-8")
    git(*AS, "commit", "--quiet", "-a", "-m", "Osmosis now understood", cwd=folder)
    return folder


def command(*arguments: str | Path) -> list[str]:
    return ["-c", "from anamnesis_tools.cli import main; main()", "mcp", *map(str, arguments)]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_checkout_is_served_over_standard_input(folder: Path, mode: str) -> None:
    """The official client starts the command and reads pages, evidence and history, in both eras (WU-2, SV-8)."""

    async def walk(agent: Agent) -> None:
        assert "read_page" in await agent.tools()
        assert "osmosis" in await agent.told("index")
        told = await agent.told("history", path=PAGE)
        revisions = [line.partition(" · ")[0] for line in told.split("\n") if " · " in line]
        assert len(revisions) == 2
        assert "Osmosis now understood" in told
        assert "- New: osmosis" in told
        before = await agent.told("read_page", path=PAGE, revision=revisions[1])
        assert "Struggles with it." in before
        assert "Struggles with it." not in await agent.told("read_page", path=PAGE)
        for named in ({}, {"old": revisions[1], "new": revisions[0]}, {"path": "knowledge/concepts"}):
            assert "-Struggles with it." in await agent.told("compare", **named)
        assert await agent.told("compare", path="notes") == "Nothing differs."
        assert "new file mode" in await agent.told("compare", new=revisions[1], path=PAGE)
        assert "old" in await agent.refused("compare", old="0000000")
        assert "path" in await agent.refused("read_page", path="notes/none.md", revision=revisions[0])
        assert "> It moves to the side" in await agent.told(
            "follow_citation", address="session://biology/s1#3"
        )
        assert "water walk" in await agent.told("follow_citation", address="episode://biology/bio8")
        assert "cells.pdf, page 3" in await agent.told("follow_citation", address="file://biology/f1#3")
        assert "--api" in await agent.refused("teach", subject="biology", text="Remember that.")
        assert "wiki://knowledge/index.md" in await agent.listed()

    over(StdioServerParameters(command=sys.executable, args=command(folder)), walk, mode=mode)


def test_a_command_without_a_wiki_says_so(tmp_path: Path) -> None:
    """A folder without a wiki, and a call that names neither a folder nor the API, end at once, in words (SV-8)."""
    for arguments, words, code in (([str(tmp_path)], "holds no wiki", 1), ([], "--api", 2)):
        done = CliRunner().invoke(app, ["mcp", *arguments])
        assert (done.exit_code, done.stdout) == (code, "")
        assert words in done.stderr
