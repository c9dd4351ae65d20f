"""An erasure that has begun and is not finished: what it covers is shown to nobody and recorded by nobody (EP-8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from time import monotonic
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import ErasedBefore
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.log.erasures import Erasure, ErasureRequest, ErasureScope, ErasureStage, sign_erasure
from anamnesis.service.append_episodes import Draft
from anamnesis.service.deadline import Deadline
from support.memory_platform import MemorySemanticIndex
from support.wired_memory import ANA, NOW, Memory, answer, check, question, signer, turn
from unit.service.test_erase_memory import DAY, NEVER, SECRET, history, secrets_of, taught, traces

#: A deadline that is over before anything is erased.
OVER = Deadline.after(0, monotonic)


def begun(memory: Memory, scope: str) -> list[Episode]:
    """A history of which somebody has the secret erased, and no step of that is done but the record."""
    episodes = history(memory)
    if scope == "subject":
        assert not memory.erase.subject(ANA, Role.STUDENT, OVER).complete
    else:
        for episode_id in secrets_of(episodes):
            assert not memory.erase.episode(ANA, episode_id, Role.STUDENT, OVER).complete
    assert traces(memory)
    assert all(erasure.stage is ErasureStage.BEGUN for erasure in memory.erasures.all(ANA))
    return episodes


def shown(memory: Memory) -> dict[str, str]:
    """What every reader shows, by its name."""
    said = {}
    page = memory.list_episodes(ANA, start=None, end=None, kind=None, cursor=None, limit=200)
    said["list"] = repr(page.episodes)
    said["one"] = repr([memory.list_episodes.one(ANA, e.id).episodes for e in memory.raw_log.episodes[ANA]])
    said["export"] = repr(memory.export("school", "ana", cursor=None))
    said["beliefs"] = repr(memory.list_beliefs(ANA, history=True))
    said["map"] = repr(memory.view_map(ANA).layer)
    said["report"] = repr(memory.report(ANA, zone=ZoneInfo("UTC"), deadline=Deadline.after(60, monotonic)))
    said["proofs"] = repr([memory.prove(ANA, e.id) for e in memory.raw_log.episodes[ANA][:-1]])
    return said


def blocks(memory: Memory) -> list[str]:
    """Blocks of questions that the secret would answer."""
    asked = (f"What about the {SECRET}?", "What did we cover so far?", "What did we do today?", "")
    replies = [
        memory.reader()(turn(a, now=NOW + timedelta(hours=1)), deadline=Deadline.after(60, monotonic))
        for a in asked
    ]
    assert all(reply.block is not None for reply in replies)
    return [f"{reply.block} {reply.memory_ids}" for reply in replies]


def tells(text: str) -> bool:
    """Whether it tells the secret, in words or as a concept's key."""
    return SECRET in text or SECRET.replace(" ", "-") in text


@pytest.mark.parametrize("warm", [True, False])
@pytest.mark.parametrize("scope", ["episode", "subject"])
def test_nobody_is_shown_what_is_being_erased(scope: str, warm: bool) -> None:
    """From the moment that an erasure has begun no reader shows what it covers, warm or cold (EP-8)."""
    memory = Memory(semantic_index=MemorySemanticIndex())
    episodes = begun(memory, scope)
    gone = set(secrets_of(episodes))
    if not warm:
        memory.fresh()
    for block in blocks(memory):
        assert not tells(block.partition("THE STUDENT ASKS")[0].replace(f"What about the {SECRET}?", ""))
        assert not any(episode_id in block for episode_id in gone)
    assert [name for name, text in shown(memory).items() if tells(text)] == []
    # Projections were made anew meanwhile: blocks have beliefs and layer again, and nothing of the secret.
    for block in blocks(memory):
        assert not tells(block.replace(f"What about the {SECRET}?", ""))
    if scope == "episode":
        assert any("Osmosis" in block for block in blocks(memory))
        listed = memory.list_episodes(ANA, start=None, end=None, kind=None, cursor=None, limit=200)
        assert [e.id for e in listed.episodes if e.id in gone and e.content is None]
        assert set(listed.erased_on) == {e.position for e in listed.episodes if e.content is None}
    memory.refresh(ANA)
    memory.index(ANA, [e.position for e in episodes])
    for block in blocks(memory):
        assert not tells(block.replace(f"What about the {SECRET}?", ""))


@pytest.mark.parametrize("scope", ["episode", "subject"])
def test_what_is_being_erased_is_not_recorded_again(scope: str) -> None:
    """An event that is to be erased and is not reached yet is refused like one that is erased (EP-8)."""
    memory = Memory()
    begun(memory, scope)
    length = memory.raw_log.head(ANA).length
    sent = question(f"My {SECRET} asked what a cell is", at=NOW + timedelta(minutes=1))
    for batch in ([sent], [question("New"), replace(sent, session_id="other"), answer("also new")]):
        with pytest.raises(ErasedBefore) as refused:
            memory.say(*batch)
        assert refused.value.field == f"episodes[{min(len(batch) - 1, 1)}]"
    assert memory.raw_log.head(ANA).length == length
    # At that time, and not that event.
    memory.say(question("Another", at=NOW + timedelta(minutes=1)))
    again = memory.append(ANA, f"batch of {SECRET}", day_of())
    assert not tells(repr(again))
    assert memory.erase.subject(ANA, Role.STUDENT, NEVER).complete
    assert traces(memory) == []


def day_of() -> list[Draft]:
    """The batch of ``history``."""
    return [
        question("What is osmosis?"),
        answer("Osmosis moves water."),
        question(f"My {SECRET} asked what a cell is", at=NOW + timedelta(minutes=1)),
        check("Osmosis", correct=True, at=NOW + timedelta(minutes=2)),
        taught(f"Remember that we call the {SECRET} our mascot"),
    ]


def test_a_record_that_nobody_signed_withholds_nothing() -> None:
    """Only a deletion record that is to be believed takes anything out of sight (EP-3, EP-8)."""
    memory = Memory()
    [told] = memory.say(question("What is osmosis?"))
    request = ErasureRequest(ErasureScope.EPISODE, Role.STUDENT, NOW)
    forged = replace(sign_erasure(Erasure("forged", ANA, request, ((2, 2),)), signer()), positions=((1, 1),))
    memory.raw_erasures.begin(forged)
    assert memory.list_episodes.one(ANA, told.id).episodes[0].content is not None
    assert told.id in blocks(memory)[1]


def test_a_night_beside_an_erasure_quotes_nothing_of_it() -> None:
    """A night that runs while another process erases sums up the day without what is being erased (EP-8)."""
    memory = Memory()
    memory.say(question("What is osmosis?"), question(f"My {SECRET} asked what a cell is"))
    erasure = Erasure("e", ANA, ErasureRequest(ErasureScope.EPISODE, Role.STUDENT, NOW), ((2, 2),), length=2)
    memory.raw_erasures.begin(sign_erasure(erasure, signer()))
    assert memory.run_night._sum_up(ANA, DAY) is not None
    [summary] = [e.content for e in memory.raw_log.episodes[ANA][2:]]
    assert summary is not None
    assert "1 question" in summary.text
    assert not tells(repr(summary))


def test_a_turn_pays_nothing_for_erasures_that_are_finished() -> None:
    """A turn over a log that something was erased from asks its stores as often as over one that is whole (RC-1)."""
    calls = []
    for erase in (False, True):
        memory = Memory()
        episodes = history(memory)
        if erase:
            memory.erase.episode(ANA, secrets_of(episodes)[0], Role.STUDENT, NEVER)
        memory.run_night(ANA, DAY)
        reader = memory.reader()
        reader(turn(), deadline=Deadline.after(60, monotonic))
        memory.plan.counted, memory.plan.armed, memory.plan.calls = None, True, []
        reader(turn(), deadline=Deadline.after(60, monotonic))
        memory.plan.disarm()
        calls.append(sorted(memory.plan.calls))
    assert calls[0] == calls[1]
    assert not any("ErasureStore" in call for call in calls[1])
