"""A student's evidence that the tests of the wiki are built from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.concepts import StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.identifiers import Pair, StudentScope
from anamnesis.domain.log.episodes import Citation, Content, Episode, Kind, Outcome, salience_of
from anamnesis.domain.wiki.evidence import SubjectEvidence, WikiEvidence
from support.map_values import concept, contribution, record, subject_map

SCOPE = StudentScope("school", "ana")
T0 = datetime(2026, 3, 2, 9, tzinfo=UTC)


def at(day: int, minute: float = 0) -> datetime:
    return T0 + timedelta(days=day, minutes=minute)


def turn(
    position: int,
    text: str = "What is osmosis?",
    kind: Kind = Kind.QUESTION,
    *,
    day: int = 0,
    minute: float | None = None,
    session: str | None = "s1",
    subject: str = "biology",
    concepts: Sequence[str] = (),
    correct: bool | None = None,
    topic: str | None = None,
    summary: str | None = None,
    evaluation: str | None = None,
    cites: Sequence[tuple[str, int | None]] = (),
    about_record: bool = False,
    **fields: Any,
) -> Episode:
    """An episode of `subject`, recorded when it occurred, a minute after the one before unless told otherwise."""
    when = at(day, position if minute is None else minute)
    episode = Episode(
        id=f"{subject[:3]}{position}",
        pair=Pair(SCOPE.tenant, SCOPE.student, subject),
        position=position,
        kind=kind,
        occurred_at=when,
        recorded_at=when,
        content=Content(summary if summary is not None else text[:100], text, topic, evaluation),
        salt=None,
        commitment="",
        concepts=tuple(concepts),
        salience=salience_of(kind, correct=correct),
        language="en",
        session_id=session,
        outcome=None
        if correct is None
        else Outcome(correct, float(correct), concepts[0] if concepts else None, None),
        evidence=tuple(Citation(file_id, page, "f" * 64) for file_id, page in cites),
        memory_ids=(),
        about_record=about_record,
        previous_hash="",
        hash="",
    )
    return replace(episode, **fields)


def belief(
    concept_name: str,
    claim: Claim,
    evidence: Sequence[Episode],
    *,
    confidence: float = 0.82,
    number: int = 1,
    superseded_by: str | None = None,
    decayed_on: datetime | None = None,
) -> Belief:
    """A belief that these checks made."""
    history = [ConfidenceChange(e.occurred_at, confidence, ChangeReason.CHECK, e.id) for e in evidence]
    if decayed_on:
        history.append(ConfidenceChange(decayed_on, confidence, ChangeReason.DECAY, None))
    return Belief(
        id=f"belief-{concept_name}-{number}",
        pair=evidence[0].pair,
        concept=canonical_key(concept_name),
        concept_name=concept_name,
        claim=claim,
        confidence=confidence,
        needs_confirmation=decayed_on is not None,
        evidence=tuple(e.id for e in evidence),
        created_at=evidence[0].occurred_at,
        history=tuple(history),
        superseded_by=superseded_by,
    )


def biology_map() -> SubjectMap:
    """Four concepts of one file: osmosis builds on diffusion and the membrane; plasmolysis on osmosis."""
    return subject_map(
        contribution(
            "f1",
            concept("diffusion", gist="Particles spread from where they are many.", pages=(2,)),
            concept("membrane", gist="The cell's border lets some things pass.", pages=(1, 2)),
            concept(
                "osmosis",
                gist="Water moves through a membrane.",
                definition="Osmosis is the movement of water through a membrane to the side with more salt.",
                builds_on=("diffusion", "membrane"),
                assumed=("salt",),
                pages=(3, 4),
            ),
            concept("plasmolysis", gist="A cell shrinks from its wall.", builds_on=("osmosis",), pages=(5,)),
        ),
        files={"f1": replace(record("f1"), pages=9, name="cells.pdf")},
    )


def subject_evidence(
    episodes: Iterable[Episode],
    *,
    subject: str = "biology",
    beliefs: Iterable[Belief] = (),
    mapped: SubjectMap | None = None,
    taught: Mapping[str, Sequence[Episode]] | None = None,
) -> SubjectEvidence:
    """One subject; `taught` gives the episodes that teach about a concept, by its name."""
    layer = StudentLayer(
        taught={
            canonical_key(name): tuple(
                TaughtNote(e.content.text if e.content else "", e.id, e.position) for e in of
            )
            for name, of in (taught or {}).items()
        },
        own_concepts={canonical_key(name): name for name in (taught or {})},
    )
    return SubjectEvidence(
        pair=Pair(SCOPE.tenant, SCOPE.student, subject),
        episodes=tuple(sorted(episodes, key=lambda e: e.position)),
        beliefs=tuple(beliefs),
        subject_map=mapped or subject_map(),
        layer=layer,
        readiness={},
    )


def evidence(*subjects: SubjectEvidence) -> WikiEvidence:
    return WikiEvidence(SCOPE, subjects)


def ana() -> WikiEvidence:
    """Three sessions of biology over two weeks, with a change of mind and a teaching, and a general one."""
    missed = turn(
        3,
        "It moves to the side with less salt.",
        Kind.CHECK,
        concepts=["osmosis"],
        correct=False,
        topic="osmosis",
        evaluation="Took the direction the wrong way round.",
    )
    passed = turn(
        7,
        "To the side with more salt.",
        Kind.CHECK,
        day=7,
        session="s2",
        concepts=["osmosis"],
        correct=True,
        topic="osmosis",
    )
    lesson = turn(
        8,
        "In our class we call osmosis the water walk.",
        Kind.TAUGHT,
        day=7,
        session="s2",
        concepts=["osmosis"],
    )
    biology = [
        turn(1, concepts=["osmosis"]),
        turn(2, "Osmosis moves water through a membrane.", Kind.ANSWER, concepts=["osmosis", "membrane"],
             cites=[("f1", 3)]),
        missed,
        turn(4, "What did I get wrong so far?", about_record=True),
        turn(5, "You missed osmosis.", Kind.ANSWER, about_record=True),
        turn(6, "Why does a raisin swell?", day=7, session="s2", concepts=["osmosis"]),
        passed,
        lesson,
        turn(9, "How does a membrane choose?", day=14, session=None, concepts=["membrane"]),
    ]  # fmt: skip
    return evidence(
        subject_evidence(
            biology,
            mapped=biology_map(),
            taught={"osmosis": [lesson]},
            beliefs=[
                belief("osmosis", Claim.STRUGGLES_WITH, [missed], confidence=0.6, superseded_by="belief-osmosis-2"),
                belief("osmosis", Claim.UNDERSTANDS, [passed], number=2),
            ],
        ),
        subject_evidence(
            [turn(1, "My cat is called Momo.", subject="general", session="g1"),
             turn(2, "A lovely name for a cat.", Kind.ANSWER, subject="general", session="g1")],
            subject="general",
        ),
    )  # fmt: skip
