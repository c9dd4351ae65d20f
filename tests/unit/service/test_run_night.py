"""The nightly cycle: the same however often it runs, wherever it dies, however late it comes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from anamnesis.domain.errors import InvalidInput, NotFound, StoreUnavailable
from anamnesis.domain.log.chain import Break
from anamnesis.domain.log.episodes import Content, Head, Kind
from anamnesis.domain.night.calibration import calibrate
from anamnesis.domain.night.records import NightChanges, Verification
from anamnesis.service.get_self_model import GetSelfModel
from anamnesis.service.start_night import StartNight
from support.memory_platform import MemoryNightQueue
from support.port_faults import Crash, FaultPlan, every_fault
from support.wired_memory import ANA, BEN, NOW, Memory, answer, check, question

NIGHT = NOW.date()


#: Of no predictions.
NO_FORECASTS = calibrate([])


def studied(memory: Memory, *, at: datetime = NOW) -> None:
    """One day's work: a file, questions, a citing answer, checks that change a mind, a teaching."""
    record = memory.add_file()
    memory.say(
        question(at=at, session_id="s"),
        answer(at=at + timedelta(seconds=5), session_id="s", evidence=((record.id, 2),)),
        *[
            check(correct=c, at=at + timedelta(minutes=n))
            for n, c in enumerate([True, True, False, False, False])
        ],
        question("Remember that in our class we call mitochondria the powerhouse.", at=at),
        check("something else entirely", at=at),
    )


def state(memory: Memory) -> dict[str, Any]:
    """Everything a night leaves behind, without identifiers."""
    memory.fresh()
    self_model = memory.records.self_model(ANA)
    working_set = memory.records.working_set(ANA)
    return {
        "log": memory.told(),
        "texts": [e.content.text for e in memory.raw_log.episodes[ANA] if e.content],
        "beliefs": [
            (b.concept, b.claim, b.confidence, b.needs_confirmation, len(b.history), b.superseded_by is None)
            for b in memory.beliefs.history(ANA)
        ],
        "checks": [
            (c.position, c.result, c.changed, c.checked_on) for c in memory.records.citation_checks(ANA)
        ],
        "working set": working_set.last_position if working_set else None,
        "checkpoints": [c.length for c in memory.checkpoints.all(ANA)],
        "self-model": self_model,
        "verified": memory.verify(ANA).verified,
    }


def test_a_night_does_all_its_work() -> None:
    """One night consolidates, verifies, calibrates, refreshes the working set, checkpoints and composes (NI-1)."""
    memory = Memory()
    studied(memory)
    report = memory.run_night(ANA, NIGHT)
    kinds = [kind for kind, _ in memory.told()]
    assert kinds.count(Kind.CONSOLIDATION) == 1
    assert report.consolidation_id == memory.raw_log.episodes[ANA][-1].id
    changes = report.changes
    assert (changes.consolidated, changes.days_left, changes.citations_checked) == ((NIGHT,), 0, 1)
    assert (changes.indexed, changes.predictions_added, changes.checkpointed) == (len(kinds), 5, True)
    assert changes.statements_new == report.self_model.statements
    assert memory.records.citation_checks(ANA)[0].result is Verification.HOLDS
    assert report.working_set_position == report.checkpoint_length == len(kinds)
    assert report.self_model == GetSelfModel(memory.records)(ANA)
    assert report.self_model.checks == 6
    assert report.self_model.checks_tied_to_nothing == 1
    assert report.self_model.chain_verified is True
    assert report.self_model.calibration.predictions == 5
    verdict = memory.verify(ANA)
    assert (verdict.verified, verdict.checkpoints_checked, verdict.not_checked) == (True, 1, ())


def test_a_night_run_twice_is_a_night_run_once() -> None:
    """Running the same night again, at once or later, in another process, leaves the same state (NI-2)."""
    memory = Memory()
    studied(memory)
    first = memory.run_night(ANA, NIGHT)
    before = state(memory)
    memory.clock.advance(hours=5)
    second = memory.run_night(ANA, NIGHT)
    assert state(memory) == before
    assert second == replace(first, changes=NightChanges())


def test_every_crash_in_a_night_is_healed() -> None:
    """Whichever write a night dies at, running it again ends in the state of a night without crash (NI-2, SV-14)."""
    expected = Memory()
    studied(expected, at=NOW - timedelta(days=50))
    expected.run_night(ANA, NIGHT - timedelta(days=50))
    expected.run_night(ANA, NIGHT)
    died = []
    for plan in every_fault():
        memory = Memory(plan)
        studied(memory, at=NOW - timedelta(days=50))
        plan.armed = True
        try:
            memory.run_night(ANA, NIGHT - timedelta(days=50))
            memory.run_night(ANA, NIGHT)
        except Crash:
            memory.fresh()
        plan.armed = False
        memory.run_night(ANA, NIGHT - timedelta(days=50))
        memory.run_night(ANA, NIGHT)
        assert state(memory) == state(expected), plan.failed
        died += plan.failed
    assert {fault.rpartition(".")[2] for fault in died} >= {
        "append",
        "save",
        "save_citation_checks",
        "save_working_set",
        "add",
        "save_self_model",
    }


def test_late_nights_give_what_nights_in_time_give() -> None:
    """Nights of past days run late leave the same beliefs, days and self-model as in time, but for forecasts (NI-2).

    A check was predicted when it was recorded, by what the nights until then had learned of the student.
    """
    days = [NOW + timedelta(days=n) for n in (0, 1, 2, 60, 110)]

    def study(memory: Memory, at: datetime) -> None:
        memory.clock.at = max(at, memory.clock.at)
        memory.say(question(f"What about {at:%d %B}?", at=at), check(at=at), key=f"day {at}")

    in_time, late = Memory(), Memory()
    for memory in (in_time, late):
        memory.add_file()
    for at in days:
        study(in_time, at)
        in_time.clock.at = datetime.combine(at.date() + timedelta(days=1), time(2), tzinfo=UTC)
        in_time.run_night(ANA, at.date())
        study(late, at)
    for at in days:
        late.run_night(ANA, at.date())
    ours, theirs = state(late), state(in_time)
    for part in ("beliefs", "checks"):
        assert ours[part] == theirs[part], part
    assert sorted(ours["texts"]) == sorted(theirs["texts"])
    models = [memory.records.self_model(ANA) for memory in (late, in_time)]
    ours_now, theirs_now = (replace(m, calibration=NO_FORECASTS, statements=()) for m in models if m)
    assert ours_now == theirs_now
    assert {m.calibration.predictions for m in models if m} == {len(days)}


def test_a_quiet_day_writes_no_episode() -> None:
    """A day on which nothing happened is not consolidated, and a night's own record makes no day eventful (NI-1)."""
    memory = Memory()
    studied(memory)
    memory.run_night(ANA, NIGHT)
    length = len(memory.told())
    for n in range(1, 4):
        report = memory.run_night(ANA, NIGHT + timedelta(days=n))
        assert report.consolidation_id is None
    assert len(memory.told()) == length
    quiet = Memory()
    assert quiet.run_night(ANA, NIGHT).consolidation_id is None
    assert quiet.told() == []
    assert quiet.checkpoints.all(ANA) == []


def test_what_comes_in_late_does_not_rewrite_a_day() -> None:
    """Events that arrive for a day already consolidated leave its record as it was (EP-3, NI-2)."""
    memory = Memory()
    studied(memory)
    first = memory.run_night(ANA, NIGHT)
    memory.say(question("One more thing?", at=NOW))
    second = memory.run_night(ANA, NIGHT)
    assert second.consolidation_id == first.consolidation_id
    assert [kind for kind, _ in memory.told()].count(Kind.CONSOLIDATION) == 1
    assert second.checkpoint_length == len(memory.told())


def test_beliefs_decay_once_per_interval() -> None:
    """A belief untouched for 45 days loses 15 %, is marked, and loses no more until 90 days have passed (NI-1)."""
    memory = Memory()
    memory.add_file()
    memory.say(check(correct=True))
    confidence = memory.beliefs.current(ANA)[0].confidence
    for days, share in ((44, 1.0), (45, 0.85), (46, 0.85), (89, 0.85), (90, 0.85**2)):
        memory.run_night(ANA, NIGHT + timedelta(days=days))
        belief = memory.beliefs.current(ANA)[0]
        assert belief.confidence == pytest.approx(confidence * share)
        assert belief.needs_confirmation is (days >= 45)


def test_changed_citations_are_found() -> None:
    """After a cited file was replaced, the night's check says which citation changed and by which file (VE-1)."""
    memory = Memory()
    studied(memory)
    memory.run_night(ANA, NIGHT)
    (cited,) = {c.file_id for e in memory.raw_log.episodes[ANA] if e.kind is Kind.ANSWER for c in e.evidence}
    memory.add_file(b"Osmosis: Osmosis is something else now.")
    memory.run_night(ANA, NIGHT + timedelta(days=1))
    (result,) = memory.records.citation_checks(ANA)
    assert (result.result, result.changed) == (Verification.CHANGED, (cited,))
    assert memory.records.self_model(ANA).citations_changed == 1


def test_a_broken_chain_is_not_vouched_for() -> None:
    """A log with an edited row is worked on, gets no checkpoint, and the self-model says so (EP-5, NI-4)."""
    memory = Memory()
    studied(memory)
    log = memory.raw_log.episodes[ANA]
    log[2] = replace(log[2], content=Content("Forged.", "Forged."))
    report = memory.run_night(ANA, NIGHT)
    assert report.checkpoint_length is None
    assert memory.checkpoints.all(ANA) == []
    assert report.self_model.chain_verified is False
    assert any("chain" in s.lower() or "log" in s.lower() for s in report.self_model.statements)


def test_a_removed_row_does_not_end_the_night() -> None:
    """A log with a removed row still gets its night, and the break is reported (EP-4, NI-2)."""
    memory = Memory()
    studied(memory)
    del memory.raw_log.episodes[ANA][3]
    report = memory.run_night(ANA, NIGHT)
    assert report.self_model.chain_verified is False
    assert report.checkpoint_length is None


@pytest.mark.parametrize("length", [10**12, 10**11])
def test_a_night_ends_over_a_forged_head_and_far_row(length: int) -> None:
    """A head and a row that claim a trillion positions are named by the night, which signs nothing and ends (EP-5)."""
    memory = Memory()
    studied(memory)
    log = memory.raw_log.episodes[ANA]
    told = len(log)
    log.append(replace(log[-1], position=10**11))

    class Forged:
        """The log under a head that somebody wrote."""

        def __getattr__(self, name: str) -> Any:
            return getattr(memory.raw_log, name)

        def head(self, pair: Any) -> Head:
            return Head(length, "0" * 64)

    forged = Memory(replace={"log": lambda _: Forged(), "checkpoints": lambda _: memory.raw_checkpoints})
    report = forged.run_night(ANA, NIGHT - timedelta(days=300))
    assert (report.self_model.chain_verified, report.checkpoint_length) == (False, None)
    assert report.working_set_position == told
    assert ("missing", told + 1) in [(b.kind, b.position) for b in forged.verify(ANA).breaks]


@pytest.mark.parametrize("first, last", [(0, 0), (99, 99), (1, 1), (1, 10**12)])
def test_a_night_goes_on_over_an_edited_receipt(first: int, last: int) -> None:
    """A night that its own receipt was edited of ends all the same and takes no other episode for its own (NI-2)."""
    memory = Memory()
    studied(memory)
    written = memory.run_night(ANA, NIGHT)
    ((key, kept),) = [(k, r) for k, r in memory.raw_log.receipts.items() if "consolidation" in k[1]]
    memory.raw_log.receipts[key] = replace(kept, first_position=first, last_position=last)
    again = memory.run_night(ANA, NIGHT)
    assert written.consolidation_id is not None
    assert again.consolidation_id is None


def test_a_row_that_is_no_episode_is_named_by_the_night() -> None:
    """A night over a log with a row that is none signs nothing and says that the log did not verify (EP-5, NI-4)."""
    memory = Memory()
    studied(memory)
    memory.raw_log.faults[ANA] = [Break(0, "malformed_row")]
    report = memory.run_night(ANA, NIGHT)
    assert (report.self_model.chain_verified, report.checkpoint_length) == (False, None)


def test_a_truncated_log_is_found_against_its_checkpoint() -> None:
    """When tail and head were cut back together, the checkpoint shows it and verification says so (EP-5)."""
    memory = Memory()
    studied(memory)
    memory.run_night(ANA, NIGHT)
    del memory.raw_log.episodes[ANA][-3:]
    verdict = memory.verify(ANA)
    assert not verdict.verified
    assert verdict.report.verified
    assert verdict.checkpoint_breaks


def test_what_is_newer_than_the_checkpoint_is_named() -> None:
    """Verification says in words which positions no checkpoint covers yet, and says none before the first (EP-5)."""
    memory = Memory()
    memory.say(question())
    assert "no checkpoint" in memory.verify(ANA).not_checked[0]
    memory.run_night(ANA, NIGHT)
    length = len(memory.told())
    memory.say(question(), answer())
    assert f"{length + 1}–{length + 2}" in memory.verify(ANA).not_checked[0]


def test_appends_while_loading_are_no_break() -> None:
    """Episodes appended while the log is being loaded neither show as a break nor hide one (EP-4, EP-7)."""
    memory = Memory()
    memory.say(question(), answer())

    class Growing:
        """The log, growing whenever it is read."""

        def __getattr__(self, name: str) -> Any:
            return getattr(memory.raw_log, name)

        def rows(self, *pair: Any) -> Any:
            memory.say(question("Meanwhile?"))
            return memory.raw_log.rows(*pair)

    growing = Memory(replace={"log": lambda _: Growing(), "checkpoints": lambda _: memory.raw_checkpoints})
    verdict = growing.verify(ANA)
    assert verdict.verified
    assert verdict.report.length == 2


def test_a_store_that_fails_stops_the_night_until_it_is_back() -> None:
    """A night that a store fails in is not reported as done, and done by the next delivery (SV-14)."""
    plan = FaultPlan(1, error=lambda: StoreUnavailable("down"), counted=frozenset({"save_self_model"}))
    memory = Memory(plan)
    studied(memory)
    plan.armed = True
    with pytest.raises(StoreUnavailable):
        memory.run_night(ANA, NIGHT)
    assert memory.run_night(ANA, NIGHT).self_model.composed_on == NIGHT


def test_nights_are_queued_for_the_active() -> None:
    """The dispatcher queues one night for each pair that anything was recorded or happened for on that day (NI-1)."""
    memory, queue = Memory(), MemoryNightQueue()
    memory.say(question(), question())
    memory.say(question(at=NOW - timedelta(days=9)), pair=BEN)
    start = StartNight(memory.log, queue)
    assert [start(NIGHT), start(NIGHT - timedelta(days=9)), start(date(2020, 1, 1))] == [2, 1, 0]
    assert queue.sent == [(ANA, NIGHT), (BEN, NIGHT), (BEN, NIGHT - timedelta(days=9))]


def test_there_is_no_self_model_before_the_first_night() -> None:
    """Before the first night the self-model is said to be absent (NI-4)."""
    with pytest.raises(NotFound):
        GetSelfModel(Memory().records)(ANA)


@pytest.mark.parametrize("night", [date(1899, 12, 31), date(2099, 1, 1), date(9999, 12, 31)])
def test_no_night_lies_outside_plausible_time(night: date) -> None:
    """A night of another century is refused by field before anything is decayed or written (SV-7, NI-2)."""
    memory = Memory()
    studied(memory)
    told = memory.told()
    with pytest.raises(InvalidInput) as refusal:
        memory.run_night(ANA, night)
    assert refusal.value.field == "date"
    assert memory.told() == told


def test_a_night_reads_one_checkpoint_however_many_there_are() -> None:
    """What a night fetches of the checkpoints does not grow with the nights before it (NI-1, EP-5)."""
    memory = Memory()
    fetched: list[int] = []

    class Counted:
        """The checkpoints, each counted when it is fetched."""

        def __getattr__(self, name: str) -> Any:
            return getattr(memory.raw_checkpoints, name)

        def newest(self, pair: Any) -> Any:
            for checkpoint in memory.raw_checkpoints.newest(pair):
                fetched.append(checkpoint.length)
                yield checkpoint

        def all(self, pair: Any) -> Any:
            raise AssertionError("a night fetches no more than the newest")

    counting = Memory(replace={"log": lambda _: memory.raw_log, "checkpoints": lambda _: Counted()})
    for n in range(5):
        counting.say(question(f"What about part {n}?", at=NOW + timedelta(days=n)))
        counting.run_night(ANA, NIGHT + timedelta(days=n))
    assert fetched == [2, 4, 6, 8]
