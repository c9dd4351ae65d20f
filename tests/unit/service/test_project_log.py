"""What follows from the log for beliefs and the student's own layer, whatever crashed in between."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from anamnesis.domain.access import Caller, Role
from anamnesis.domain.beliefs import Claim
from anamnesis.domain.errors import RevisionMoved, StoreUnavailable
from anamnesis.domain.log.episodes import Kind
from anamnesis.service.append_episodes import Draft
from anamnesis.service.project_layer import MAX_NOTE_CHARS
from anamnesis.service.project_log import CHUNK
from support.port_faults import Crash, every_fault
from support.wired_memory import ANA, BEN, NOW, Memory, check, question

TEACHING = "Remember that in our class we call mitochondria the powerhouse of the cell."


def outcomes(memory: Memory) -> dict[str, Any]:
    return {
        "beliefs": [
            (b.id[:7], b.concept, b.claim, round(b.confidence, 9), len(b.evidence), b.superseded_by is None)
            for b in memory.beliefs.history(ANA)
        ],
        "layer": [
            {
                key: [(n.note, n.position) for n in notes]
                for key, notes in memory.concepts.layer(ANA).taught.items()
            },
            dict(memory.concepts.layer(ANA).own_concepts),
            memory.concepts.layer(ANA).confirmed,
        ],
        "positions": (
            memory.beliefs.projected_to(ANA).position,
            memory.concepts.layer_position(ANA).position,
        ),
    }


def history(memory: Memory, count: int = 3 * CHUNK + 5) -> None:
    """Fill the log without projecting it: the projections fail quietly."""
    memory.add_file()
    results = [number % 5 != 4 for number in range(count)]
    for start in range(0, count, 10):
        memory.say(
            *[
                check(
                    ("Osmosis", "Cytoplasm", "Mitochondria")[n % 3],
                    correct=results[n],
                    at=NOW + timedelta(hours=n),
                )
                for n in range(start, min(start + 10, count))
            ]
        )
    memory.say(question(TEACHING))


def test_every_crash_while_projecting_is_healed() -> None:
    """Whichever save projecting dies at, the next call ends in the state of a run without crash (BE-2, SV-14)."""
    expected = Memory()
    history(expected)
    for plan in every_fault(counted=frozenset({"save", "save_layer"})):
        memory = Memory(plan)
        plan.armed = True
        plan.times = 10_000  # nothing is projected while the log grows, from this save on
        plan.error = lambda: StoreUnavailable("down")
        history(memory)
        plan.armed = False
        memory.project(ANA)
        assert outcomes(memory) == outcomes(expected), plan.failed
        if len(plan.calls) > 30:
            break


def test_a_crash_between_the_two_saves_applies_nothing_twice() -> None:
    """When only the layer or only the beliefs are saved, the next call brings up what lags (BE-2)."""
    drafts = [question(TEACHING), check(), check(correct=False)]
    expected = Memory()
    expected.add_file()
    expected.say(*drafts)
    for plan in every_fault(counted=frozenset({"save", "save_layer"})):
        memory = Memory(plan)
        memory.add_file()
        plan.armed = True
        try:
            memory.say(*drafts)
        except Crash:
            memory.fresh()
        plan.armed = False
        for _ in range(2):
            memory.project(ANA)
        assert outcomes(memory) == outcomes(expected), plan.failed


def test_projecting_again_changes_nothing() -> None:
    """A second call with nothing new changes nothing and writes nothing (BE-2)."""
    memory = Memory()
    history(memory)
    before = outcomes(memory)
    memory.plan.armed = True
    memory.project(ANA)
    memory.view_map(ANA)
    memory.list_beliefs(ANA, history=True)
    assert memory.plan.calls == []
    assert outcomes(memory) == before


def test_a_changed_mind_within_one_batch_keeps_every_row() -> None:
    """Checks that turn a belief over several times in one batch leave every row, each pointing to the next (BE-2)."""
    memory = Memory()
    memory.add_file()
    results = [True] * 3 + [False] * 6 + [True] * 6
    memory.say(*[check(correct=c, at=NOW + timedelta(minutes=n)) for n, c in enumerate(results)])
    rows = memory.list_beliefs(ANA, history=True)
    assert [row.claim for row in rows] == [Claim.UNDERSTANDS, Claim.STRUGGLES_WITH, Claim.UNDERSTANDS]
    assert [row.superseded_by for row in rows] == [rows[1].id, rows[2].id, None]
    assert sorted(len(row.evidence) for row in rows) != [0, 0, 0]
    assert sum(len(row.evidence) for row in rows) == len(results)
    assert memory.list_beliefs(ANA, history=False) == [rows[2]]
    for row in rows:
        assert memory.list_beliefs.chain_of(ANA, row.id) == rows
    # A row's id follows from the check that made it, so that two projectors at once make the same row.
    assert [row.id for row in rows] == [f"belief-{row.evidence[0]}" for row in rows]


def test_what_one_student_does_stays_with_them() -> None:
    """Teaching and checks of one student change nothing in another's beliefs, layer and map (CM-9)."""
    memory = Memory()
    memory.add_file()
    before = memory.view_map(BEN)
    memory.say(question(TEACHING), check())
    after, mine = memory.view_map(BEN), memory.view_map(ANA)
    assert (after.layer, after.readiness, after.readiness_of) == (
        before.layer,
        before.readiness,
        before.readiness_of,
    )
    assert mine.readiness > before.readiness
    assert (mine.readiness_of["mitochondria"], mine.readiness_of["osmosis"]) == (1.0, 0.85)
    assert memory.list_beliefs(BEN, history=True) == []


def test_a_teaching_about_nothing_known_makes_a_short_concept() -> None:
    """A taught sentence that names no known concept makes one under a short name, in this student's layer (TE-2)."""
    memory = Memory()
    memory.add_file()
    memory.say(question("Remember that our teacher wants every answer to start with the definition."))
    layer = memory.concepts.layer(ANA)
    ((key, name),) = layer.own_concepts.items()
    assert len(name.split()) <= 5
    assert [note.note for note in layer.taught[key]] == [
        "our teacher wants every answer to start with the definition"
    ]


def test_what_was_taught_outlives_the_file() -> None:
    """When the file that explained a concept is deleted, the student's note on it stays in the map (CM-8)."""
    memory = Memory()
    file = memory.add_file()
    memory.say(question(TEACHING))
    memory.delete_file(Caller("school", "ana", Role.STUDENT), ANA, file.id)
    view = memory.view_map(ANA)
    assert [concept.key for concept in view.subject_map.concepts] == ["mitochondria"]
    assert view.readiness_of == {"mitochondria": 1.0}
    assert memory.view_map(BEN).subject_map.concepts == ()


def test_a_long_teaching_is_cut() -> None:
    """A taught text of any length leaves a note of bounded length (BL-1)."""
    memory = Memory()
    memory.add_file()
    memory.say(Draft(Kind.TAUGHT, NOW, "Osmosis is " + "really " * 5_000 + "important."))
    memory.say(Draft(Kind.TAUGHT, NOW, "z" * 100_000))
    notes = [note for notes in memory.concepts.layer(ANA).taught.values() for note in notes]
    assert notes
    assert all(len(note.note) <= MAX_NOTE_CHARS for note in notes)


def test_another_projector_getting_in_between_is_no_error() -> None:
    """When another projector saves first, the work is taken up from there (SV-14)."""
    for plan in every_fault(error=lambda: RevisionMoved("first"), counted=frozenset({"save", "save_layer"})):
        memory = Memory(plan)
        memory.add_file()
        plan.armed = True
        memory.say(question(TEACHING), check(), check(correct=False))
        plan.armed = False
        assert outcomes(memory)["positions"] == (4, 4), plan.failed
        assert sum(len(b.evidence) for b in memory.beliefs.history(ANA)) >= 2
