"""Beliefs and the student's layer by today's map, names and rules."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.beliefs import Claim
from anamnesis.domain.beliefs.rederivation import RETIRED
from anamnesis.domain.errors import RevisionMoved
from anamnesis.domain.log.episodes import Kind
from anamnesis.service.append_episodes import Draft
from support.port_faults import Crash, every_fault
from support.projections import SAVES, believed, early_checks, meant, read, replayed, stored
from support.wired_memory import ANA, NOW, Memory, check


def test_checks_are_tied_by_todays_map() -> None:
    """A check recorded before any file explained its topic is believed once the beliefs are derived anew (BE-4)."""
    memory = Memory()
    early_checks(memory)
    log = read(memory)
    assert "photosynthesis" not in believed(memory)
    others = believed(memory)
    done = memory.rederive(ANA)
    assert (done.retired, done.made, done.unchanged) == (0, 1, 3)
    assert believed(memory).keys() == others.keys() | {"photosynthesis"}
    assert others.items() <= believed(memory).items()
    assert read(memory) == log
    assert memory.view_map(ANA).readiness_of["photosynthesis"] == 0.85


def test_running_it_twice_changes_nothing() -> None:
    """The second run stores nothing, and finds unchanged what the first retired, made or left (BE-4, NI-2)."""
    memory = Memory()
    early_checks(memory)
    memory.rederive(ANA)
    before = stored(memory)
    memory.plan.armed = True
    for _ in range(2):
        memory.fresh()
        done = memory.rederive(ANA)
        assert (done.retired, done.made, done.unchanged) == (0, 0, 4)
    assert memory.plan.calls == []
    assert stored(memory) == before


def test_a_belief_without_its_file_is_retired() -> None:
    """A concept that nothing names any more is believed no longer, until a file names it again (BE-4)."""
    memory = Memory()
    file = memory.add_file()
    memory.say(check("Osmosis"), check("Cytoplasm"))
    memory.delete_file(Caller("school", "ana", Role.STUDENT), ANA, file.id)
    assert believed(memory).keys() == {"osmosis", "cytoplasm"}
    done = memory.rederive(ANA)
    assert (done.retired, done.made, done.unchanged, believed(memory)) == (2, 0, 0, {})
    rows = memory.list_beliefs(ANA, history=True)
    assert [row.superseded_by for row in rows] == [RETIRED, RETIRED]
    for row in rows:
        assert memory.list_beliefs.chain_of(ANA, row.id) == [row]
    memory.add_file(name="again.txt")
    assert memory.rederive(ANA).made == 2
    assert believed(memory).keys() == {"osmosis", "cytoplasm"}
    assert {row.id for row in rows} < {row.id for row in memory.list_beliefs(ANA, history=True)}


def test_decay_is_no_reason_to_retire() -> None:
    """A belief that a night has weakened says what its checks say, and stays as it is (BE-4, NI-1)."""
    memory = Memory()
    memory.add_file()
    memory.say(check("Osmosis"))
    memory.clock.advance(days=100)
    memory.run_night(ANA, (NOW + timedelta(days=95)).date())
    (weak,) = memory.raw_beliefs.current(ANA)
    assert weak.needs_confirmation
    assert memory.rederive(ANA).unchanged == 1
    assert memory.raw_beliefs.current(ANA) == [weak]


def test_later_checks_go_on_from_there() -> None:
    """A check recorded after a re-derivation continues the row that it made, as if it had been there before (BE-4)."""
    memory = Memory()
    early_checks(memory)
    memory.rederive(ANA)
    (derived,) = (b for b in memory.raw_beliefs.current(ANA) if b.concept == "photosynthesis")
    memory.say(check("Photosynthesis", at=NOW + timedelta(days=1)))
    (after,) = (b for b in memory.raw_beliefs.current(ANA) if b.concept == "photosynthesis")
    assert (after.id, after.history[:-1]) == (derived.id, derived.history)
    before = stored(memory)
    assert memory.rederive(ANA).made == 0
    assert stored(memory) == before
    memory.say(*[check("Photosynthesis", correct=False, at=NOW + timedelta(days=1 + n)) for n in range(5)])
    (last,) = (b for b in memory.raw_beliefs.current(ANA) if b.concept == "photosynthesis")
    assert last.claim is Claim.STRUGGLES_WITH
    assert [row.id for row in memory.list_beliefs.chain_of(ANA, last.id)] == [derived.id, last.id]


def test_a_check_without_a_topic_is_tied_by_its_whole_text() -> None:
    """A long text stands for a missing topic in full, as when the check was recorded (BE-3, BE-4)."""
    memory = Memory()
    text = "Tell me what you know. " * 300 + "How does it get in?"
    memory.say(Draft(Kind.CHECK, NOW, text, correct=True, evaluation="Osmosis was explained well."))
    memory.say(Draft(Kind.TAUGHT, NOW, "Remember that " + "really " * 900 + "osmosis is a water walk."))
    assert believed(memory) == {}
    memory.add_file()
    memory.rederive(ANA)
    assert believed(memory).keys() == {"osmosis"}
    fresh = Memory()
    fresh.add_file()
    fresh.say(Draft(Kind.CHECK, NOW, text, correct=True, evaluation="Osmosis was explained well."))
    assert believed(fresh).keys() == {"osmosis"}


def test_every_cut_is_taken_up() -> None:
    """Whichever save a re-derivation dies at, the next one ends in the state of one without a crash (BE-4, SV-14)."""
    expected = Memory()
    early_checks(expected)
    expected.rederive(ANA)
    for plan in every_fault(counted=SAVES):
        memory = Memory(plan)
        early_checks(memory)
        plan.armed = True
        try:
            memory.rederive(ANA)
        except Crash:
            memory.fresh()
        plan.armed = False
        memory.project(ANA)
        memory.rederive(ANA)
        assert meant(memory) == meant(expected), plan.failed


def test_another_one_getting_in_between_is_no_error() -> None:
    """When somebody else saves first, the re-derivation begins again from what is there then (BE-4, SV-14)."""
    for plan in every_fault(error=lambda: RevisionMoved("first"), counted=SAVES):
        memory = Memory(plan)
        early_checks(memory)
        plan.armed = True
        memory.rederive(ANA)
        plan.armed = False
        assert believed(memory).keys() == {"photosynthesis", "osmosis", "cytoplasm", "lunar tide"}, (
            plan.failed
        )


def test_many_at_once_lose_no_check() -> None:
    """Re-derivations, appends and nights at once leave one current row a concept, equal to a replay (BE-4, EP-7)."""
    memory = Memory()
    early_checks(memory)
    gate = threading.Barrier(6)

    def append(number: int) -> None:
        gate.wait()
        for n in range(6):
            topic = ("Photosynthesis", "Osmosis", "Cytoplasm")[n % 3]
            memory.say(check(topic, correct=(n + number) % 3 > 0, at=NOW + timedelta(days=n)))

    def derive(_: int) -> None:
        gate.wait()
        for _ in range(5):
            try:
                memory.rederive(ANA)
            except RevisionMoved:
                continue

    def sleep(_: int) -> None:
        gate.wait()
        for n in range(3):
            try:
                memory.run_night(ANA, (NOW + timedelta(days=60 + n)).date())
            except RevisionMoved:
                continue

    with ThreadPoolExecutor(6) as threads:
        jobs = [
            threads.submit(act, n) for n, act in enumerate((append, append, append, derive, derive, sleep))
        ]
        for job in jobs:
            job.result()
    memory.rederive(ANA)
    log = read(memory)
    tied = {"Photosynthesis": "photosynthesis", "Osmosis": "osmosis", "Cytoplasm": "cytoplasm"}
    wanted = replayed(
        [(e, tied.get(e.content.topic or "", "lunar tide")) for e in log if e.outcome and e.content]
    )
    got = {row.concept: (row.claim, row.evidence) for row in memory.raw_beliefs.current(ANA)}
    assert len(got) == len(memory.raw_beliefs.current(ANA))
    assert got == {concept: (claim, evidence) for concept, (claim, _, evidence) in wanted.items()}
