"""Erasing an episode, a subject and a student, on stores in memory."""

from __future__ import annotations

import pickle
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import count
from time import monotonic

import pytest

from anamnesis.domain.access import Role
from anamnesis.domain.errors import ErasedBefore, IdempotencyConflict, NotFound
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind, erased
from anamnesis.domain.log.erasures import ErasureRequest, ErasureScope, ErasureStage
from anamnesis.service.append_episodes import Draft
from anamnesis.service.deadline import Deadline
from support.memory_platform import MemorySemanticIndex
from support.port_faults import Crash, every_fault
from support.wired_memory import ANA, BEN, NOW, Memory, answer, check, question, turn

SECRET = "xylophonic quokka"
NEVER = Deadline.never()
DAY = NOW.date()


def taught(text: str, **more: object) -> Draft:
    """A teaching."""
    return Draft(Kind.TAUGHT, NOW, text, **more)  # type: ignore[arg-type]


def traces(memory: Memory, words: str = SECRET) -> list[str]:
    """Stores in memory that hold these words, in the pieces that a serialised form shows."""
    stores = {
        "log": memory.raw_log.episodes,
        "receipts": {"rows": list(memory.raw_log.receipts.values())},
        "beliefs": memory.raw_beliefs.__dict__,
        "concepts": memory.raw_concepts.__dict__,
        "records": memory.raw_records.__dict__,
        "uploads": memory.raw_uploads.__dict__,
    }
    found = []
    for name, store in stores.items():
        held = {key: value for key, value in store.items() if "lock" not in str(key)}
        data = pickle.dumps(held).lower()
        if any(word.encode() in data for word in (*words.split(), words.replace(" ", "-"))):
            found.append(name)
    return found


def history(memory: Memory, pair: Pair = ANA) -> list[Episode]:
    """A day with a file, talk, checks, a teaching and a secret in each kind of place."""
    memory.add_file(pair=pair)
    episodes = memory.say(
        question("What is osmosis?"),
        answer("Osmosis moves water."),
        question(f"My {SECRET} asked what a cell is", at=NOW + timedelta(minutes=1)),
        check("Osmosis", correct=True, at=NOW + timedelta(minutes=2)),
        taught(f"Remember that we call the {SECRET} our mascot"),
        key=f"batch of {SECRET}",
        pair=pair,
    )
    memory.index(pair, [e.position for e in episodes])
    memory.run_night(pair, DAY)
    memory.say(question("Another day", at=NOW + timedelta(days=1)), pair=pair)
    return episodes


def nights_by_schedule(memory: Memory, count: int = 3) -> int:
    """What the schedule does on the next days: of each the pairs that were active; return how many nights ran."""
    nights = 0
    for _ in range(count):
        day = memory.clock.now().date()
        memory.clock.at = datetime.combine(day + timedelta(days=1), time(2), UTC)
        for pair in memory.raw_log.active_pairs(day):
            memory.run_night(pair, day)
            nights += 1
    return nights


def secrets_of(episodes: list[Episode]) -> list[str]:
    """Ids of the episodes that tell the secret."""
    return [e.id for e in episodes if e.content and SECRET in e.content.text]


def test_one_episode_goes_from_every_store() -> None:
    """What an episode said is in no store any more once it is erased, and the chain verifies with the gap (EP-8)."""
    memory = Memory()
    told = secrets_of(history(memory))
    assert traces(memory)
    for episode_id in told:
        report = memory.erase.episode(ANA, episode_id, Role.STUDENT, NEVER)
        assert report.complete
    assert traces(memory) == []
    verdict = memory.verify(ANA)
    assert (verdict.breaks, len(verdict.report.erased)) == (
        (),
        3,
    )  # the day's consolidation had summed them up
    left = [e for e in memory.raw_log.episodes[ANA] if e.content is None]
    assert {e.kind for e in left} == {Kind.QUESTION, Kind.TAUGHT, Kind.CONSOLIDATION}
    assert all(e == erased(e) for e in left)


def test_nothing_brings_it_back() -> None:
    """No import, retry, night, indexing or projection after an erasure brings it back (EP-8, SV-14)."""
    memory = Memory(semantic_index=MemorySemanticIndex())
    episodes = history(memory)
    for episode_id in secrets_of(episodes):
        memory.erase.episode(ANA, episode_id, Role.STUDENT, NEVER)
    sent = question(f"My {SECRET} asked what a cell is", at=NOW + timedelta(minutes=1))
    with pytest.raises(ErasedBefore) as refused:
        memory.say(question("New"), sent, answer("also new"))
    assert refused.value.field == "episodes[1]"
    memory.fresh()
    with pytest.raises(ErasedBefore):
        memory.say(replace(sent, summary="told otherwise", session_id="s2"))
    for night in (DAY, DAY + timedelta(days=1)):
        memory.run_night(ANA, night)
    memory.index(ANA, [e.position for e in memory.raw_log.episodes[ANA]])
    memory.project(ANA)
    assert traces(memory) == []
    block = memory.reader()(turn(f"What about the {SECRET}?"), deadline=Deadline.after(5, monotonic))
    told = (block.block or "").partition("EARLIER WORK")[2]
    assert SECRET not in told


def test_a_retry_gets_what_is_left_of_its_answer() -> None:
    """The same batch under its key, sent again after a part of it was erased, gets the same places (EP-7)."""
    memory = Memory()
    batch = [question("Tell me"), question(f"About the {SECRET}")]
    first = memory.say(*batch, key="k")
    memory.erase.episode(ANA, first[1].id, Role.STUDENT, NEVER)
    again = memory.say(*batch, key="k")
    assert [(e.id, e.position, e.hash) for e in again] == [(e.id, e.position, e.hash) for e in first]
    assert again[1].content is None


@pytest.mark.parametrize("told", [0, 1, 2])
@pytest.mark.parametrize("gone", ["one", "all"])
def test_a_key_used_for_something_else_is_refused_after_an_erasure(gone: str, told: int) -> None:
    """A key of a batch that was erased in part or whole takes no other batch, whatever part differs (EP-7, EP-8)."""
    memory = Memory()
    batch = [question("Tell me"), question(f"About the {SECRET}"), check("Osmosis", evaluation="well said")]
    first = memory.say(*batch, key="k")
    if gone == "one":
        memory.erase.episode(ANA, first[1].id, Role.STUDENT, NEVER)
    else:
        memory.erase.subject(ANA, Role.STUDENT, NEVER)
    length = memory.raw_log.head(ANA).length
    others = [replace(batch[told], text="Another text"), replace(batch[told], summary="told otherwise")]
    if told == 2:
        others += [replace(batch[told], evaluation="badly said"), replace(batch[told], correct=False)]
    for other in others:
        with pytest.raises(IdempotencyConflict) as refused:
            memory.say(*batch[:told], other, *batch[told + 1 :], key="k")
        assert refused.value.field == "Idempotency-Key"
    assert memory.raw_log.head(ANA).length == length
    assert [e.id for e in memory.say(*batch, key="k")] == [e.id for e in first]
    assert traces(memory) == [] or gone == "one"


def test_an_erased_check_counts_for_nothing() -> None:
    """What was believed because of an erased check is believed no more, and what others say stays (EP-8, BE-4)."""
    memory = Memory()
    memory.add_file()
    [gone] = memory.say(check("Osmosis", correct=False))
    memory.say(check("Cytoplasm", correct=True))
    assert {b.concept for b in memory.raw_beliefs.current(ANA)} == {"osmosis", "cytoplasm"}
    memory.erase.episode(ANA, gone.id, Role.STUDENT, NEVER)
    assert {b.concept for b in memory.raw_beliefs.history(ANA)} == {"cytoplasm"}
    assert gone.id not in str(memory.raw_beliefs.history(ANA))


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_every_recording_of_an_event_goes(which: int, moment: str) -> None:
    """Erasing an event erases all its recordings, whichever is named and whenever the night summed them up (EP-8)."""
    memory = Memory()
    event = question(f"My {SECRET} asked what a cell is")
    [first] = memory.say(event, key="a")
    if moment == "before":
        memory.run_night(ANA, DAY)
    [second] = memory.say(replace(event, session_id="s2", summary=f"told of the {SECRET} otherwise"), key="b")
    other, third = memory.say(question("Another at that time"), replace(event, kind=Kind.ANSWER), key="c")
    if moment == "after":
        memory.run_night(ANA, DAY)
    memory.index(ANA, [e.position for e in memory.raw_log.episodes[ANA]])
    named = (first, second, third)[which]
    report = memory.erase.episode(ANA, named.id, Role.STUDENT, NEVER)
    assert (report.episodes, report.complete) == (4, True)
    assert traces(memory) == []
    left = [e.id for e in memory.raw_log.episodes[ANA] if e.content is not None]
    assert left == [other.id]
    assert memory.verify(ANA).breaks == ()
    with pytest.raises(ErasedBefore):
        memory.say(event)


def test_a_recording_that_was_left_goes_with_the_next_request() -> None:
    """A recording that came while the event was erased and was never looked for goes when it is asked again (EP-8)."""
    memory = Memory()
    event = question(f"The {SECRET}")
    [first] = memory.say(event, key="a")
    [second] = memory.say(event, key="b")
    # As an earlier release left it: one of two recordings erased, its record finished.
    digests = memory.erase.events.digests(ANA, [first])
    signed = memory.erase._recorded(
        ANA, ErasureRequest(ErasureScope.EPISODE, Role.STUDENT, NOW), ((1, 1),), 2
    )
    memory.raw_erasures.erase(ANA, [1], digests)
    memory.raw_erasures.advance(signed[0], ErasureStage.SWEPT, at=NOW)
    for named in (first, second):
        assert memory.erase.episode(ANA, named.id, Role.STUDENT, NEVER).complete
        assert traces(memory) == []


def test_erasing_again_changes_nothing() -> None:
    """A second request for the same episode is answered like the first and writes no second record (EP-8)."""
    memory = Memory()
    [episode] = memory.say(question(f"The {SECRET}"))
    reports = [memory.erase.episode(ANA, episode.id, Role.STUDENT, NEVER) for _ in range(3)]
    assert {(r.episodes, r.complete) for r in reports} == {(1, True)}
    assert len(memory.erasures.all(ANA)) == 1
    for strange in ("", "no such id", "0" * 26):
        with pytest.raises(NotFound):
            memory.erase.episode(ANA, strange, Role.STUDENT, NEVER)
    with pytest.raises(NotFound):
        memory.erase.episode(BEN, episode.id, Role.STUDENT, NEVER)


def test_what_a_backup_brought_back_is_erased_again() -> None:
    """Contents restored from a backup are named as such, and the same request erases them once more (EP-8)."""
    memory = Memory()
    written = memory.say(question(f"The {SECRET}"), question("Another"))
    for erase in (
        lambda: memory.erase.episode(ANA, written[0].id, Role.STUDENT, NEVER),
        lambda: memory.erase.subject(ANA, Role.STUDENT, NEVER),
    ):
        assert erase().complete
        memory.raw_log.episodes[ANA][0] = written[0]
        assert [(b.position, b.kind) for b in memory.verify(ANA).breaks] == [(1, "restored")]
        assert erase().complete
        assert (memory.verify(ANA).breaks, traces(memory)) == ((), [])


def test_a_subject_goes_with_its_files() -> None:
    """All of a student in a subject goes, uploads and what was read from them too, and nobody else's (EP-8)."""
    memory = Memory()
    history(memory, BEN)
    history(memory)
    secret_file = memory.add_file(
        f"Quokka: The {SECRET} is a mascot.".encode(), name=f"{SECRET}.txt", pair=ANA
    )
    other = replace(ANA, subject="physics")
    memory.say(question("kept"), pair=other)
    before = list(memory.raw_log.episodes[BEN])
    report = memory.erase.subject(ANA, Role.STUDENT, NEVER)
    assert (report.complete, report.files) == (True, 2)
    assert report.episodes == len(memory.raw_log.episodes[ANA])
    assert all(e.content is None for e in memory.raw_log.episodes[ANA])
    assert memory.raw_log.episodes[BEN] == before
    assert memory.raw_log.episodes[other][0].content is not None
    assert memory.verify(ANA).breaks == memory.verify(BEN).breaks == ()
    stored = memory.raw_concepts.get_file(ANA.scope, secret_file.id)
    assert stored is not None
    assert (stored.erased, stored.current) == (True, False)
    shown = {c.name for c in memory.maps.load(ANA.scope).concepts}
    assert "Quokka" not in shown
    assert "Osmosis" in shown  # Ben uploaded the same chapter
    memory.erase.subject(BEN, Role.STUDENT, NEVER)
    assert traces(memory) == []
    assert memory.maps.load(ANA.scope).concepts == ()
    # The subject can be used on.
    memory.say(question("A new beginning", at=NOW + timedelta(days=2)))
    assert memory.verify(ANA).breaks == ()


def test_a_student_goes_from_every_subject() -> None:
    """One request erases a student in every subject that they have anything in, files offered included (EP-8)."""
    memory = Memory()
    subjects = [replace(ANA, subject=name) for name in ("biology", "物理", "a#b")]
    for pair in subjects:
        memory.say(question(f"The {SECRET}"), pair=pair)
    offered = replace(ANA, subject="only a file")
    memory.upload(f"The {SECRET}".encode(), name=f"{SECRET}.txt", pair=offered)
    memory.say(question("Mine stays"), pair=BEN)
    report = memory.erase.student("school", "ana", Role.STUDENT, NEVER)
    assert (report.episodes, report.files, report.complete) == (3, 1, True)
    assert traces(memory) == []
    assert memory.raw_log.episodes[BEN][0].content is not None


def test_a_file_that_arrives_after_its_erasure_is_not_read() -> None:
    """An upload permission that outlives an erasure, or a replayed event, brings nothing back (EP-8, SV-14)."""
    memory = Memory()
    data = f"Quokka: The {SECRET}.".encode()
    ticket = memory.offer_file(ANA, name=f"{SECRET}.txt", media_type="text/plain", size=len(data))
    memory.erase.subject(ANA, Role.STUDENT, NEVER)
    key = memory.raw_uploads.put(ticket, data)
    assert memory.read_file(key) is None
    assert traces(memory) == []
    assert memory.told() == []
    assert memory.raw_concepts.get_file(ANA.scope, ticket.file.id) is not None


def erase(memory: Memory, scope: str, told: list[str]) -> None:
    """What somebody asks for."""
    if scope == "episode":
        for episode_id in told:
            memory.erase.episode(ANA, episode_id, Role.STUDENT, NEVER)
    elif scope == "subject":
        memory.erase.subject(ANA, Role.STUDENT, NEVER)
    else:
        memory.erase.student("school", "ana", Role.STUDENT, NEVER)


@pytest.mark.parametrize("scope", ["episode", "subject", "student"])
def test_a_night_finishes_what_was_cut_short(scope: str) -> None:
    """Killed at any write, an erasure that began is finished by the next night, without being asked again (EP-8)."""
    for plan in every_fault():
        memory = Memory(plan=plan, semantic_index=MemorySemanticIndex())
        told = secrets_of(history(memory))
        plan.armed = True
        with suppress(Crash):
            erase(memory, scope, told)
        plan.disarm()
        memory.fresh()
        begun = bool(memory.erasures.all(ANA)) or memory.roster.requested(ANA) is not None
        nights_by_schedule(memory)
        assert memory.verify(ANA).breaks == (), plan.failed
        if begun:
            if scope != "episode":
                assert traces(memory) == [], plan.failed
            for erasure in memory.erasures.all(ANA):
                assert erasure.stage is ErasureStage.SWEPT, plan.failed
        for episode_id in told if scope == "episode" else ():
            memory.erase.episode(ANA, episode_id, Role.STUDENT, NEVER)
        if not begun and scope != "episode":
            memory.erase.subject(ANA, Role.STUDENT, NEVER)
        assert traces(memory) == [], plan.failed


def test_what_the_time_was_too_short_for_goes_on() -> None:
    """A request that ran out of time says so, and the same one again finishes it, whenever it ran out (EP-8)."""
    for looks in count(0):
        memory = Memory(semantic_index=MemorySemanticIndex())
        for start in range(0, 100, 50):
            memory.say(*(question(f"{SECRET} {start + n}") for n in range(50)))
        clock = iter([0.0, *[0.0] * looks, *[10.0] * 100])
        report = memory.erase.subject(ANA, Role.STUDENT, Deadline.after(5, lambda: next(clock)))  # noqa: B023
        if report.complete:
            break
        assert (report.episodes, bool(traces(memory))) == (0, True) or looks > 2
        assert memory.erase.subject(ANA, Role.STUDENT, NEVER).complete
        assert traces(memory) == []
    assert looks > 3


def test_a_file_from_a_clock_that_is_ahead_goes_too() -> None:
    """What is erased is what is there, whatever the clocks say of when it came (EP-8, SV-14)."""
    memory = Memory()
    memory.clock.advance(minutes=5)
    memory.add_file(f"Quokka: The {SECRET}.".encode(), name=f"{SECRET}.txt")
    memory.clock.advance(minutes=-5)
    assert memory.erase.subject(ANA, Role.STUDENT, NEVER).files == 1
    assert traces(memory) == []


def test_a_night_right_after_an_erasure_is_not_the_last() -> None:
    """Jobs from before an erasure can outlive a night that follows at once: a later one clears after them (EP-8)."""
    memory = Memory()
    [told] = memory.say(question(f"The {SECRET}"))
    memory.index(ANA, [told.position])
    vector = memory.raw_records.vectors(ANA, memory.embedder.name)
    memory.clock.at = datetime.combine(DAY, time(23, 59), UTC)
    memory.erase.episode(ANA, told.id, Role.STUDENT, NEVER)
    memory.clock.advance(minutes=2)
    memory.run_night(ANA, DAY)
    memory.records.save_vectors(ANA, vector, memory.embedder.name)
    assert nights_by_schedule(memory) >= 1
    assert told.position not in memory.raw_records.vectors(ANA, memory.embedder.name)
    assert [erasure.stage for erasure in memory.erasures.all(ANA)] == [ErasureStage.SWEPT]


def test_files_of_the_same_bytes_go_with_their_own() -> None:
    """Of one student's twins, replaced and deleted files all go; another student's of the same bytes stays (EP-8)."""
    memory = Memory()
    data = f"Quokka: The {SECRET}.".encode()
    bens = memory.add_file(data, name="ben.txt", pair=BEN)
    for name in ("one.txt", "two.txt", "one.txt"):
        memory.add_file(data, name=name)
    assert memory.erase.subject(ANA, Role.STUDENT, NEVER).files == 3
    stored = memory.raw_concepts.files(ANA.scope)
    assert [(f.erased, f.current) for f in stored if f.uploaded_by == "ana"] == [(True, False)] * 3
    assert memory.raw_concepts.get_file(ANA.scope, bens.id) == bens
    assert memory.raw_concepts.load_pages(ANA.scope, bens.fingerprint or "")
    assert [c.name for c in memory.maps.load(ANA.scope).concepts] == ["Quokka"]
    assert nights_by_schedule(memory, 1) >= 1
    left = [f for f in memory.raw_concepts.files(ANA.scope) if f.uploaded_by == "ana"]
    assert [(f.fingerprint, f.declared_bytes) for f in left] == [(None, 0)] * 3
    again = memory.add_file(data, name="three.txt")
    assert again.fingerprint == bens.fingerprint
