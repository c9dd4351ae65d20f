"""Recording a batch of events: whole or not at all, once per key, in one unbroken chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from anamnesis.domain.errors import Busy, HeadMoved, IdempotencyConflict, InvalidInput, StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import AppendReceipt, Episode, Head, Kind
from anamnesis.service.append_episodes import RETRY_SECONDS, Draft
from support.memory_stores import MemoryEpisodeLog
from support.port_faults import Crash, every_fault
from support.wired_memory import ANA, BEN, NOW, Memory, answer, check, question


@pytest.fixture
def memory() -> Memory:
    return Memory()


class Hooked:
    """The log in memory with something happening right before each append."""

    def __init__(self, log: MemoryEpisodeLog, before: Any) -> None:
        self._log, self._before = log, before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append(self, pair: Pair, episodes: Sequence[Episode], expected: Head, receipt: AppendReceipt) -> None:
        self._before(self._log)
        self._log.append(pair, episodes, expected, receipt)


# ---------------------------------------------------------------------------------------- idempotency
def test_a_retry_gets_the_same_answer(memory: Memory) -> None:
    """The same batch under the same key is written once and answered the same each time (EP-7)."""
    first = memory.say(question(), answer(), key="turn")
    memory.say(question("Another?"))
    memory.fresh()
    assert memory.say(question(), answer(), key="turn") == first
    assert len(memory.told()) == 3


@pytest.mark.parametrize(
    "edit",
    [
        lambda r: replace(r, first_position=2, last_position=3),
        lambda r: replace(r, first_position=2, last_position=3, first_hash=None, last_hash=None),
        lambda r: replace(r, last_position=1),
        lambda r: replace(r, last_position=1, last_hash=None),
        lambda r: replace(r, last_position=10**12),
        lambda r: replace(r, first_position=5, last_position=4),
        lambda r: replace(r, first_position=0, last_position=1),
        lambda r: replace(r, first_position=98, last_position=99),
        lambda r: replace(r, last_hash="0" * 64),
    ],
)
def test_an_edited_receipt_answers_with_no_other_episodes(memory: Memory, edit: Any) -> None:
    """A retry whose receipt somebody edited is refused, and never answered with other episodes (EP-7)."""
    memory.say(question(), answer(at=NOW + timedelta(seconds=1)), key="turn")
    memory.say(question("Another?", at=NOW + timedelta(seconds=2)))
    memory.raw_log.receipts[ANA, "turn"] = edit(memory.raw_log.receipts[ANA, "turn"])
    memory.fresh()
    with pytest.raises(IdempotencyConflict):
        memory.say(question(), answer(at=NOW + timedelta(seconds=1)), key="turn")
    assert len(memory.told()) == 3


def test_an_old_receipt_still_answers(memory: Memory) -> None:
    """A receipt kept before receipts had hashes answers a retry as ever (EP-7)."""
    first = memory.say(question(), answer(), key="turn")
    kept = memory.raw_log.receipts[ANA, "turn"]
    assert kept.first_hash is not None
    memory.raw_log.receipts[ANA, "turn"] = replace(kept, first_hash=None, last_hash=None)
    assert memory.say(question(), answer(), key="turn") == first


def test_a_retry_over_a_changed_row_is_refused(memory: Memory) -> None:
    """A retry is not answered with a row that took the place of the one it wrote (EP-7)."""
    memory.say(question(), key="turn")
    memory.raw_log.episodes[ANA][0] = replace(memory.raw_log.episodes[ANA][0], hash="0" * 64)
    with pytest.raises(IdempotencyConflict):
        memory.say(question(), key="turn")


@pytest.mark.parametrize(
    "other",
    [
        [question("Something else?"), answer()],
        [question()],
        [answer(), question()],
        [question(), answer(memory_ids=("m1",))],
        [question(session_id="s"), answer()],
        [question(at=NOW + timedelta(microseconds=1)), answer()],
    ],
)
def test_a_key_holds_one_batch(memory: Memory, other: list[Draft]) -> None:
    """A different batch under a used key is refused and writes nothing, whatever the difference (EP-7)."""
    memory.say(question(), answer(), key="turn")
    with pytest.raises(IdempotencyConflict) as refused:
        memory.append(ANA, "turn", other)
    assert refused.value.field == "Idempotency-Key"
    assert len(memory.told()) == 2


def test_one_moment_in_two_zones_is_one_request(memory: Memory) -> None:
    """A retry that writes the same moment in another time zone is the same request (EP-7)."""
    first = memory.say(question(at=NOW), key="turn")
    same = question(at=NOW.astimezone(timezone(timedelta(hours=5, minutes=45))))
    assert memory.say(same, key="turn") == first


def test_keys_belong_to_their_pair(memory: Memory) -> None:
    """Two students may use the same key (EP-7)."""
    memory.say(question(), key="turn")
    memory.say(question("Mine?"), key="turn", pair=BEN)
    assert memory.told(BEN) == [(Kind.QUESTION, "Mine?")]


# ---------------------------------------------------------------------------------------- all or nothing
def test_one_bad_event_keeps_the_batch_out(memory: Memory) -> None:
    """When one event of a batch is refused, none of it is written, and the key stays free (SV-7)."""
    with pytest.raises(InvalidInput) as refused:
        memory.say(question(), answer(evidence=(("nothing", 1),)), key="turn")
    assert refused.value.field == "episodes[1].evidence[0].file_id"
    assert memory.told() == []
    memory.say(question(), key="turn")


def test_every_crash_leaves_all_or_nothing() -> None:
    """Whichever write the process dies at, the batch is there whole or not at all, and a retry completes it (EP-7)."""
    drafts = [
        question("Remember that in our class we call osmosis the great leveller."),
        check(correct=True),
        check(correct=False),
        answer(),
    ]
    expected = Memory()
    expected.add_file()
    expected.say(*drafts, key="turn")
    for plan in every_fault():
        memory = Memory(plan)
        memory.add_file()
        plan.armed = True
        try:
            memory.say(*drafts, key="turn")
        except Crash:
            assert len(memory.told()) in {1, 5}, plan.failed
        plan.armed = False
        memory.fresh()
        memory.say(*drafts, key="turn")
        assert memory.told() == expected.told(), plan.failed
        assert memory.verify(ANA).verified
        assert [(b.concept, b.claim) for b in memory.beliefs.history(ANA)] == [
            (b.concept, b.claim) for b in expected.beliefs.history(ANA)
        ], plan.failed
        assert memory.concepts.layer(ANA).taught.keys() == expected.concepts.layer(ANA).taught.keys()


def test_a_failing_store_never_doubles_a_batch() -> None:
    """A store that fails before or after any write, without saying whether it happened, gets no batch twice (EP-7)."""
    for plan in every_fault(error=lambda: StoreUnavailable("timed out"), counted=None):
        memory = Memory(plan)
        memory.add_file()
        plan.armed = True
        try:
            memory.say(question(), check(), key="turn")
        except StoreUnavailable:
            memory.say(question(), check(), key="turn")
        plan.armed = False
        assert [kind for kind, _ in memory.told()] == [Kind.FILE, Kind.QUESTION, Kind.CHECK], plan.failed
        memory.project(ANA)
        assert len(memory.beliefs.history(ANA)) == 1, plan.failed


def test_an_ambiguous_write_is_answered_without_the_caller_noticing() -> None:
    """When the write happened and its answer was lost, the caller gets the episodes all the same (EP-7)."""
    for plan in every_fault(error=lambda: StoreUnavailable("timed out"), counted=frozenset({"append"})):
        memory = Memory(plan)
        plan.armed = True
        written = memory.say(question(), answer(), key="turn")
        assert [episode.position for episode in written] == [1, 2]
        assert len(memory.told()) == 2


# ---------------------------------------------------------------------------------------- concurrency
def test_a_moved_head_is_retried() -> None:
    """When another writer gets in between, the batch goes behind that writer's and the caller sees nothing (EP-7)."""
    others = [3, 1]

    def interfere(log: MemoryEpisodeLog) -> None:
        if others:
            rival = Memory(replace={"log": lambda _: log})
            for _ in range(others.pop()):
                rival.say(question("In between?"), key=f"rival {rival.ids.new_salt()} {len(others)}")

    memory = Memory(replace={"log": lambda log: Hooked(log, interfere)})
    written = memory.say(question(), answer())
    assert [episode.position for episode in written] == [5, 6]
    assert memory.verify(ANA).verified
    assert memory.backoff.pauses == 2


def test_endless_contention_is_said_plainly() -> None:
    """When other writers keep winning until time is up, the caller is told so and nothing is written (EP-7)."""

    def lose(_: MemoryEpisodeLog) -> None:
        raise HeadMoved("another writer appended first")

    memory = Memory(replace={"log": lambda log: Hooked(log, lose)})
    with pytest.raises(Busy):
        memory.say(question())
    assert memory.backoff.monotonic() >= RETRY_SECONDS
    assert memory.told() == []
