"""A student's wiki as tools for agents on the deployed service, through the gateway."""

from __future__ import annotations

import sys

import pytest
import requests
from mcp import StdioServerParameters

from anamnesis_tools.stack.local_stack import LocalStack
from support.agents import Agent, over, over_http
from support.schools import School, check, event


@pytest.fixture(scope="module")
def school(stack: LocalStack) -> School:
    """A school in which ana has a compiled wiki and ben has none."""
    school = School(stack)
    for day, correct in (("2026-07-01", False), ("2026-07-02", True)):
        said = [
            event("question", "Why does a raisin swell in water?", f"{day}T09:00:00Z", session_id=day),
            check("osmosis", correct=correct, at=f"{day}T09:01:00Z", session_id=day),
        ]
        school.student().record("biology", day, said)
        assert school.service().call("POST", "/v1/wiki/compile")["findings"] == []
    return school


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_walks_a_wiki_over_http(school: School, mode: str) -> None:
    """The official client, with a token, reads pages, citations and history, in both eras of the protocol (WU-2)."""
    client = school.student()

    async def walk(agent: Agent) -> None:
        assert {"index", "read_page", "search", "follow_citation", "recall", "history", "teach"} <= set(
            await agent.tools()
        )
        assert "osmosis" in await agent.told("index")
        hits = await agent.told("search", query="raisin")
        path = next(line.partition(" · ")[0] for line in hits.split("\n") if line.startswith("sessions/"))
        page = await agent.told("read_page", path=path)
        address = next(line.split("`")[1] for line in page.split("\n") if line.startswith("1. `"))
        assert "episode" in await agent.told("follow_citation", address=address)
        assert "raisin" in await agent.told("recall", description="the raisin in water")
        assert (await agent.told("history")).count("\n") > 2
        assert "diff --git" in await agent.told("compare", path="CHANGELOG.md")
        assert "wiki://knowledge/index.md" in await agent.listed()
        assert "# Index" in await agent.resource("wiki://knowledge/index.md")
        assert (await agent.refused("read_page", path="knowledge/none.md")).endswith(
            "path: there is no such page in this revision"
        )

    over_http(f"{client.api_url}/v1/mcp", client.token, walk, mode=mode)


def test_a_teaching_is_recorded(school: School) -> None:
    """What an agent teaches is an episode of the student whose token it has (WU-2)."""
    client = school.student("cleo")

    async def teach(agent: Agent) -> str:
        return await agent.told("teach", subject="biology", text="Remember that my exam is on 12 May.")

    said = over_http(f"{client.api_url}/v1/mcp", client.token, teach)
    [episode] = client.call("GET", client.subject("biology", "episodes"))["episodes"]
    assert episode["kind"] == "taught"
    assert episode["id"] in said


def test_a_desktop_s_agent_is_live(school: School) -> None:
    """``anamnesis mcp --api`` speaks to the API: it reads, recalls from the record and teaches (WU-2, SV-8)."""
    client = school.student()

    async def walk(agent: Agent) -> None:
        assert "osmosis" in await agent.told("index")
        assert "session://biology/" in await agent.told("recall", description="the raisin in water")
        assert "Recorded" in await agent.told("teach", subject="art", text="Remember that I draw with ink.")

    options = ["mcp", "--api", "--api-url", client.api_url, "--token", client.token]
    command = StdioServerParameters(
        command=sys.executable, args=["-c", "from anamnesis_tools.cli import main; main()", *options]
    )
    over(command, walk)
    [episode] = client.call("GET", client.subject("art", "episodes"))["episodes"]
    assert episode["kind"] == "taught"


def test_agents_see_what_their_token_sees(school: School) -> None:
    """Another student's agent, another tenant's, and one that names ana find nothing; a teacher's reads it (SV-11)."""
    others = (school.student("ben"), School(school.stack).student("ana"))
    for stranger in others:

        async def nothing(agent: Agent) -> None:
            assert "no wiki yet" in await agent.refused("index")
            assert "address" in await agent.refused(
                "follow_citation", address="session://biology/2026-07-01#1"
            )

        over_http(f"{stranger.api_url}/v1/mcp", stranger.token, nothing)

    async def named(agent: Agent) -> str:
        return await agent.told("index")

    teacher = school.teacher()
    assert "osmosis" in over_http(f"{teacher.api_url}/v1/mcp?student=ana", teacher.token, named)
    ben = school.student("ben")
    answer = requests.post(
        f"{ben.api_url}/v1/mcp?student=ana",
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        headers={"Authorization": f"Bearer {ben.token}"},
        timeout=35,
    )
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:anamnesis:problem:forbidden")


def test_there_is_no_stream_and_no_session(school: School) -> None:
    """Without a token there is nothing; GET and DELETE are told that only POST is known (SV-11, WU-2)."""
    client = school.student()
    url = f"{client.api_url}/v1/mcp"
    assert requests.post(url, json={}, timeout=35).status_code == 401
    for method in ("GET", "DELETE"):
        answer = requests.request(
            method, url, headers={"Authorization": f"Bearer {client.token}"}, timeout=35
        )
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
