"""What is appended is recallable at once, however far indexing is behind; what is out of sight is said."""

from __future__ import annotations

from datetime import timedelta

import pytest

from anamnesis.service import history as history_module
from anamnesis.service.index_episodes import LOOK_EVERY
from anamnesis.service.read_block import BlockReply
from support.turns import ask
from support.wired_memory import ANA, NOW, Memory, answer, turn

#: Far more than a turn reads behind a set.
BACKLOG = 600


def said(memory: Memory, count: int, *, since: int = 0) -> None:
    """Answers, one a day, each with a word that no other has."""
    for first in range(since, since + count, 50):
        numbers = range(first, min(first + 50, since + count))
        memory.say(*[answer(f"Remarkable word{n} is explained.", at=at(n)) for n in numbers])


def at(number: int) -> object:
    return NOW - timedelta(days=2 * BACKLOG - number)


def found(memory: Memory, number: int) -> bool:
    """Whether a turn that asks for it is shown the answer of this number."""
    reply = asked(memory, f"What was word{number} about?")
    return reply.block is not None and f"word{number} " in reply.block


def asked(memory: Memory, question: str) -> BlockReply:
    return ask(memory, question, budget_tokens=4_000)


@pytest.fixture
def behind() -> Memory:
    """A memory with a set of ten episodes and a backlog behind it that nothing has indexed."""
    memory = Memory()
    said(memory, 10)
    memory.refresh(ANA)
    said(memory, BACKLOG, since=10)
    return memory


@pytest.mark.parametrize("indexed", ["never", "some nights ago", "last night", "by the stream"])
def test_a_new_episode_is_recalled_by_the_next_turn(indexed: str) -> None:
    """Right after an append the next turn recalls it and what was there before, whatever has been indexed (RC-1)."""
    memory = Memory()
    said(memory, 30)
    if indexed == "some nights ago":
        memory.refresh(ANA)
        said(memory, 100, since=30)
    elif indexed == "last night":
        said(memory, 100, since=30)
        memory.refresh(ANA)
    elif indexed == "by the stream":
        memory.index(ANA, range(1, 31))
    said(memory, 1, since=900)
    assert found(memory, 900)
    assert found(memory, 3)
    assert asked(memory, "What was word900 about?").degraded == ()


def test_far_behind_the_latest_is_recalled_and_the_rest_named(behind: Memory) -> None:
    """Months without night and stream: the newest is recalled at once, and the reply names what it left out (BL-3)."""
    assert found(behind, BACKLOG + 9)
    assert found(behind, 12)
    assert asked(behind, f"What was word{BACKLOG + 9} about?").degraded == ("unindexed",)


def test_one_look_of_the_stream_brings_a_backlog_into_sight(behind: Memory) -> None:
    """The next look of the indexing function makes a whole backlog recallable by its words (RC-1, SV-4)."""
    middle = BACKLOG // 2
    assert not found(behind, middle)
    last = behind.log.head(ANA).length
    behind.index(ANA, [last - last % LOOK_EVERY])
    assert found(behind, middle)
    assert asked(behind, f"What was word{middle} about?").degraded == ()


def test_a_time_out_of_sight_is_not_called_empty(behind: Memory) -> None:
    """A month that no index covers yet is read by its time, and never said to be empty (RC-5, BL-6)."""
    day = NOW - timedelta(days=2 * BACKLOG - BACKLOG // 2)
    reply = asked(behind, f"What did we cover on {day.day} {day:%B} {day.year}?")
    assert reply.window is not None
    assert not reply.window_empty
    assert reply.block is not None
    assert f"word{BACKLOG // 2} " in reply.block


def test_a_backlog_costs_a_bounded_number_of_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many episodes nothing has indexed, a turn asks its stores as often (SV-4)."""
    monkeypatch.setattr(history_module, "TAIL_LIMIT", 10)
    monkeypatch.setattr(history_module, "LATEST_LIMIT", 5)
    counts = []
    for backlog in (40, 400):
        memory = Memory()
        said(memory, backlog)
        memory.plan.counted, memory.plan.armed = None, True
        ask(memory, turn().question)
        memory.plan.armed = False
        counts.append(sorted(memory.plan.calls))
    assert counts[0] == counts[1]
