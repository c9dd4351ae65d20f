"""Appending against other writers: at every moment they can get in, in threads, and with answers that are lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from anamnesis.adapters.backoff import JitteredBackoff
from anamnesis.domain.beliefs.knowledge_tracing import Mastery, predict, update
from anamnesis.domain.errors import HeadMoved, IdempotencyConflict, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import AppendReceipt, Episode, Head, Kind
from anamnesis.service.append_episodes import MAX_OUTAGES, RETRY_SECONDS, Draft
from support.memory_stores import MemoryEpisodeLog
from support.wired_memory import ANA, NOW, Memory, answer, check, question

WRITERS, EPISODES = 64, 2_000


class Interrupted:
    """A port whose n-th call, of all that share the counter, is preceded by something else."""

    def __init__(self, port: object, when: Interruption) -> None:
        self._port, self._when = port, when

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        if not callable(value):
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            self._when.passing()
            return value(*args, **kwargs)

        return call


class Interruption:
    """Runs `act` right before a call of the ports; calls made by `act` itself do not count."""

    def __init__(self, call: int) -> None:
        self.call, self.calls = call, 0
        self.act: Callable[[], None] | None = None

    def passing(self) -> None:
        if self.act is None:
            return
        self.calls += 1
        if self.calls == self.call:
            act, self.act = self.act, None
            act()


def interrupted_at_every_call() -> Iterator[tuple[Memory, Interruption]]:
    """A memory for each call that a scenario makes of log, beliefs and concepts; the scenario sets ``act``."""
    for call in count(1):
        when = Interruption(call)

        def wrap(port: Any, when: Interruption = when) -> Any:
            return Interrupted(port, when)

        yield Memory(replace={"log": wrap, "beliefs": wrap, "concepts": wrap}), when
        if when.act is not None:
            break
    assert call > 10, "the scenario was hardly interrupted"


def assert_each_rests_on_what_was_before(log: Sequence[Episode]) -> None:
    """Predictions follow from the outcomes before, marks of answers from the questions before, at each position."""
    mastery: dict[str, Mastery] = {}
    asked: dict[str | None, bool] = {}
    last = False
    for episode in log:
        outcome = episode.outcome
        if outcome is not None and outcome.concept is not None:
            before = mastery.get(outcome.concept)
            assert outcome.predicted == pytest.approx(predict(before, episode.occurred_at)), episode.position
            mastery[outcome.concept] = update(
                before, correct=outcome.correct, score=outcome.score, at=episode.occurred_at
            )
        if episode.kind is Kind.QUESTION:
            asked[episode.session_id] = last = episode.about_record
        elif episode.kind is Kind.ANSWER:
            expected = last if episode.session_id is None else asked.get(episode.session_id, False)
            assert episode.about_record == expected, episode.position


# ---------------------------------------------------------------------------------------- at every moment
def test_whenever_another_writer_gets_in_all_rests_on_what_was_before() -> None:
    """Whenever another writer gets in, each prediction and mark follows from the log before it (BE-5, RC-6)."""
    for memory, when in interrupted_at_every_call():
        memory.add_file()
        memory.say(question("What did I get wrong so far?", session_id="s"), check(correct=True))
        rival = [check(correct=False), question("What is osmosis?", session_id="s"), check(correct=True)]

        def act(memory: Memory = memory, rival: Sequence[Draft] = rival) -> None:
            memory.say(*rival, key="rival")

        when.act = act
        memory.say(answer(session_id="s"), check(correct=True), check(correct=False), key="turn")
        if when.act is not None:
            continue
        log = memory.raw_log.episodes[ANA]
        assert len(log) == 1 + 2 + 3 + 3, when.call
        assert memory.verify(ANA).verified
        assert_each_rests_on_what_was_before(log)
        memory.project(ANA)
        assert memory.raw_beliefs.projected_to(ANA).position == len(log)


def test_whenever_a_teaching_gets_in_a_check_behind_it_ties_to_it() -> None:
    """A check recorded behind a teaching is tied to what that taught, whenever the teaching got in (BE-3, CM-9)."""
    behind = 0
    for memory, when in interrupted_at_every_call():

        def act(memory: Memory = memory) -> None:
            memory.say(
                question("Remember that in our class we call osmosis the great leveller."), key="taught"
            )

        when.act = act
        memory.say(question("Why?"), check("Osmosis"), key="turn")
        if when.act is not None:
            continue
        log = memory.raw_log.episodes[ANA]
        kinds = [episode.kind for episode in log]
        tested = next(e.outcome for e in log if e.outcome is not None)
        assert (tested.concept is not None) == (kinds[0] is Kind.TAUGHT), when.call
        behind += kinds[0] is Kind.TAUGHT
        assert memory.verify(ANA).verified
    assert behind > 5


def test_whenever_the_same_request_gets_in_it_is_recorded_once() -> None:
    """A request that is sent again while it is under way is recorded once, and both get the same answer (EP-7)."""
    for memory, when in interrupted_at_every_call():
        memory.add_file()
        drafts = [question(), check(), answer()]
        other: list[list[Episode]] = []

        def act(
            memory: Memory = memory, drafts: Sequence[Draft] = drafts, other: list[list[Episode]] = other
        ) -> None:
            other.append(memory.say(*drafts, key="turn"))

        when.act = act
        mine = memory.say(*drafts, key="turn")
        assert len(memory.told()) == 4, when.call
        assert all(mine == theirs for theirs in other)


# ---------------------------------------------------------------------------------------- what a try repeats
class Losing:
    """The log in memory, where another writer wins a number of times; keeps what was tried."""

    def __init__(self, log: MemoryEpisodeLog, times: int) -> None:
        self._log, self._times = log, times
        self.tried: list[list[Episode]] = []
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            self.calls.append(name)
        return getattr(self._log, name)

    def append(self, pair: Pair, episodes: Sequence[Episode], expected: Head, receipt: AppendReceipt) -> None:
        self.calls.append("append")
        self.tried.append(list(episodes))
        if len(self.tried) <= self._times:
            rival = Memory(replace={"log": lambda _: self._log})
            rival.say(question("In between?"), key=f"rival {len(self.tried)}")
            raise HeadMoved("another writer appended first")
        self._log.append(pair, episodes, expected, receipt)


def losing(times: int) -> tuple[Memory, Losing]:
    made: list[Losing] = []

    def wrap(log: MemoryEpisodeLog) -> Losing:
        made.append(Losing(log, times))
        return made[-1]

    return Memory(replace={"log": wrap}), made[0]


def test_a_moved_head_leaves_identifiers_as_they_are() -> None:
    """However often the head moves, an episode keeps identifier, salt and time, and so the place of its text (EP-7)."""
    memory, log = losing(3)
    memory.say(question("What is osmosis? " * 500), answer())
    assert [len(batch) for batch in log.tried] == [2] * 4
    assert [batch[0].position for batch in log.tried] == [1, 2, 3, 4]
    for batch in log.tried:
        assert [(e.id, e.salt, e.recorded_at) for e in batch] == [
            (e.id, e.salt, e.recorded_at) for e in log.tried[0]
        ]


def test_a_moved_head_repeats_two_requests() -> None:
    """Behind a moved head, a question is written again by reading the head and nothing else (EP-7)."""
    memory, log = losing(0)
    memory.say(question())
    alone = log.calls
    memory, log = losing(5)
    memory.say(question())
    first = log.calls.index("append")
    last = len(log.calls) - log.calls[::-1].index("append")
    assert log.calls[first:last] == ["append", *["head", "append"] * 5]
    assert log.calls[: first + 1] + log.calls[last:] == alone


# ---------------------------------------------------------------------------------------- giving up
def test_a_recheck_sees_every_head_and_gives_up() -> None:
    """Drafts made from a state of the log are given up at the first head that does not suit them, unwritten (EP-8)."""

    class Outdated(Exception):
        pass

    memory, log = losing(2)
    heads: list[Head] = []

    def recheck(head: Head) -> None:
        heads.append(head)
        if head.length >= 2:
            raise Outdated

    with pytest.raises(Outdated):
        memory.append(ANA, "night", [question()], recheck=recheck)
    assert [head.length for head in heads] == [0, 1, 2]
    assert len(log.tried) == 2
    assert [summary for _, summary in memory.told()] == ["In between?"] * 2
    assert memory.append(ANA, "night", [question()], recheck=lambda head: None)[0].position == 3


def test_a_written_batch_is_not_rechecked() -> None:
    """A batch that was recorded is answered for, whatever became of the log since (EP-7)."""
    memory = Memory()
    first = memory.say(question(), key="turn")

    def recheck(head: Head) -> None:
        raise AssertionError("nothing is to be written")

    assert memory.append(ANA, "turn", [question()], recheck=recheck) == first


class Failing:
    """The log in memory with a store behind it that fails, or loses, by a script: one letter an append."""

    def __init__(self, log: MemoryEpisodeLog, script: str) -> None:
        self._log, self._script = log, iter(script)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append(self, *args: Any) -> None:
        what = next(self._script, "f")
        if what == "f":
            raise StoreUnavailable("throttled")
        if what == "m":
            raise HeadMoved("another writer appended first")
        self._log.append(*args)


@pytest.mark.parametrize("script", ["fffffff.", "fffmfffffff.", "m" * 30 + "fff."])
def test_a_store_that_comes_back_in_time_is_waited_for(script: str) -> None:
    """A caller notices neither a short outage nor a contended head nor both in turns (EP-7)."""
    memory = Memory(replace={"log": lambda log: Failing(log, script)})
    assert memory.say(question())[0].position == 1


def test_a_store_that_stays_away_is_not_asked_for_ever() -> None:
    """A store that fails every time is asked a stated number of times, less long than a contended head (EP-7)."""
    memory = Memory(replace={"log": lambda log: Failing(log, "")})
    with pytest.raises(StoreUnavailable):
        memory.say(question())
    assert memory.backoff.pauses == MAX_OUTAGES - 1
    assert memory.backoff.monotonic() < RETRY_SECONDS


def test_the_longer_a_caller_waits_the_sooner_it_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses grow with the tries up to a bound, and shrink again with the time waited (EP-7)."""
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    monkeypatch.setattr("anamnesis.adapters.backoff.jitter", lambda: 1.0)
    backoff = JitteredBackoff(base_seconds=0.5, cap_seconds=4.0, patience_seconds=2.0)
    for attempt, waited in ((1, 0.0), (2, 0.0), (3, 0.0), (9, 0.0), (10**9, 0.0), (9, 2.0), (9, 4.0)):
        backoff.pause(attempt, waited)
    assert slept == pytest.approx([1.0, 2.0, 4.0, 4.0, 4.0, 2.0, 4.0 / 3.0])


# ---------------------------------------------------------------------------------------- receipts of erased batches
def test_a_retry_of_an_erased_batch_gets_what_is_left() -> None:
    """A retry of a batch that was erased in part is answered with what was recorded, though its hash is gone (EP-8)."""
    memory = Memory()
    drafts = [question(), answer(at=NOW + timedelta(seconds=1))]
    first = memory.say(*drafts, key="turn")
    kept = memory.raw_log.receipts[ANA, "turn"]
    sealed = memory.append.erased.sealer(ANA)(kept.request_hash)
    memory.raw_log.receipts[ANA, "turn"] = replace(kept, request_hash=sealed)
    assert memory.say(*drafts, key="turn") == first
    others = ([drafts[0], replace(drafts[1], occurred_at=NOW)], drafts[:1], [drafts[0], answer("another")])
    for other in others:
        with pytest.raises(IdempotencyConflict):
            memory.say(*other, key="turn")
    memory.raw_log.receipts[ANA, "turn"] = replace(kept, request_hash="")
    with pytest.raises(IdempotencyConflict):
        memory.say(*drafts, key="turn")
    assert len(memory.told()) == 2


# ---------------------------------------------------------------------------------------- in threads
class Lossy:
    """The log in memory, where the answer to some appends is lost after they happened."""

    def __init__(self, log: MemoryEpisodeLog) -> None:
        self._log, self._chance = log, random.Random(7)
        self.lost = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append(self, *args: Any) -> None:
        self._log.append(*args)
        if self._chance.random() < 0.1:
            self.lost += 1
            raise StoreUnavailable("timed out")


def test_sixty_four_writers_make_one_chain_of_two_thousand() -> None:
    """64 writers, requests sent twice, lost answers, times out of order: one chain, each episode once (EP-7)."""
    logs: list[Lossy] = []

    def wrap(log: MemoryEpisodeLog) -> Lossy:
        logs.append(Lossy(log))
        return logs[-1]

    memory = Memory(replace={"log": wrap})
    memory.add_file()
    waiting = JitteredBackoff(base_seconds=0.002, cap_seconds=0.2)
    append = replace(memory.append, backoff=waiting, monotonic=time.monotonic)
    chance = random.Random(20261204)
    batches: list[list[Draft]] = []
    while (left := EPISODES - sum(map(len, batches))) > 0:
        batches.append([])
        for part in range(min(left, chance.choice((1, 2, 5, 20)))):
            at = NOW + timedelta(minutes=chance.randrange(-100_000, 100_000))
            text, session = f"Event {len(batches)} part {part}", f"s{chance.randrange(4)}"
            draft = chance.choice((question, answer, check))(at=at, text=text, session_id=session)
            tested = draft.kind is Kind.CHECK
            batches[-1].append(replace(draft, correct=chance.random() < 0.5 if tested else None))
    sends = [
        (number, drafts) for number, drafts in enumerate(batches) for _ in range(chance.choice((1, 1, 2)))
    ]

    def send(request: tuple[int, list[Draft]]) -> tuple[int, list[str]]:
        number, drafts = request
        return number, [episode.id for episode in append(ANA, f"batch {number}", drafts)]

    with ThreadPoolExecutor(WRITERS) as threads:
        answers = list(threads.map(send, sends))
    log = memory.raw_log.episodes[ANA]
    texts = [episode.content.text for episode in log[1:] if episode.content]
    assert len(texts) == EPISODES == len(set(texts))
    for drafts in batches:
        first = texts.index(drafts[0].text)
        assert texts[first : first + len(drafts)] == [draft.text for draft in drafts]
    assert len({tuple(ids) for _, ids in answers}) == len(batches) == len({number for number, _ in answers})
    assert logs[0].lost > 10
    assert memory.verify(ANA).verified
    assert_each_rests_on_what_was_before(log)
    memory.project(ANA)
    assert memory.raw_beliefs.projected_to(ANA).position == EPISODES + 1
