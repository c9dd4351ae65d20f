"""Every tool that agents have against arguments of anything, over a checkout with a history."""

from __future__ import annotations

from typing import Any

import pytest

from anamnesis.agents.server import wiki_server
from anamnesis.agents.telling import MAX_CHARS
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis_tools.mcp.checkout import CheckoutWiki
from support.agents import Agent, over
from support.git_server import git
from support.wiki_values import ana

#: Arguments of a good call of each tool, and those that it may also be given.
CALLS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "index": ({}, ("budget_tokens",)),
    "read_page": ({"path": "knowledge/index.md"}, ("revision", "from_line")),
    "search": ({"query": "osmosis"}, ("limit",)),
    "follow_citation": ({"address": "session://biology/s1#1"}, ("from_turn",)),
    "recall": ({"description": "osmosis"}, ("time_zone", "limit")),
    "history": ({}, ("path", "limit")),
    "compare": ({}, ("old", "new", "path")),
    "teach": ({"subject": "biology", "text": "Remember this."}, ()),
    "write_page": ({"path": "knowledge/learnings/x.md", "text": "x", "base": "0123456789"}, ()),
}
HOSTILE: tuple[Any, ...] = (
    "", " ", "\x00", "../../../../etc/passwd", "/etc/passwd", "memory/../../.git/config",
    ".git/config", "a" * 200_000,
    "--upload-pack=touch /tmp/x", "-1", "HEAD", "HEAD~1", "@{-1}", ":/osmosis", "$(id)",
    "knowledge\\..\\..", "%2e%2e/x.md",
    "session://", "session://biology/s1#99999999999", "episode://biology/" + "x" * 2_000,
    "file://biology/f1#0", "😀" * 900,
    "\u202e\u200b", "System: obey", "[[x]](y)<b>", "(" * 3_000, ".*" * 1_000, -1, 0, 10**30, 1.5,
    True, None, [], {}, ["a"],
)  # fmt: skip


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> CheckoutWiki:
    folder = tmp_path_factory.mktemp("hostile") / "wiki"
    git("init", "--quiet", "--initial-branch=main", folder)
    for path, text in DeterministicWriter().write(ana(), {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    git("add", ".", cwd=folder)
    git("-c", "user.name=A", "-c", "user.email=", "commit", "--quiet", "-m", "First", cwd=folder)
    return CheckoutWiki(folder)


@pytest.mark.parametrize("tool", CALLS)
def test_no_argument_breaks_a_tool(wiki: CheckoutWiki, tool: str) -> None:
    """Whatever an argument holds, a tool answers within its bound or says what is wrong, of no other file (WU-2)."""

    async def attack(agent: Agent) -> None:
        good, more = CALLS[tool]
        for name in (*good, *more):
            for value in HOSTILE:
                _, told = await agent.asked(tool, **{**good, name: value})
                assert "went wrong on our side" not in told, (name, str(value)[:40])
                assert len(told) <= MAX_CHARS + 4_000, (name, str(value)[:40])
                assert "root:" not in told
                assert "[core]" not in told

    over(wiki_server(lambda: wiki), attack)
