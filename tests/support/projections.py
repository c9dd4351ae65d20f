"""What beliefs and layer are to be, told from the log alone, and what the stores hold of them."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from datetime import timedelta
from typing import Any

from anamnesis.domain.beliefs import Claim
from anamnesis.domain.beliefs.knowledge_tracing import Mastery, update
from anamnesis.domain.log.episodes import Episode
from support.memory_stores import MemoryErasureStore
from support.wired_memory import ANA, NOW, Memory, check, question

PLANTS = b"Photosynthesis: Plants turn light into sugar.\nChlorophyll: Chlorophyll catches light."
TEACHING = "Remember that Lunar tides are pulled by the moon."
#: Writes that projecting makes.
SAVES = frozenset({"save", "save_layer"})
#: What is believed of a concept: claim, confidence, episodes.
Belief = tuple[Claim, float, tuple[str, ...]]


def stored(memory: Memory) -> Any:
    """All that the stores hold of beliefs and layer, to the last bit."""
    return deepcopy(
        (
            memory.raw_beliefs.history(ANA),
            repr(memory.raw_beliefs.projected_to(ANA)),
            memory.raw_concepts.layer(ANA),
            repr(memory.raw_concepts.layer_position(ANA)),
        )
    )


def meant(memory: Memory) -> Any:
    """What the stores say, whatever detours they came by."""
    return (
        memory.raw_beliefs.history(ANA),
        memory.raw_beliefs.projected_to(ANA),
        memory.raw_concepts.layer(ANA),
        memory.raw_concepts.layer_position(ANA),
    )


def erase(memory: Memory, *episodes: Episode) -> None:
    """Erase contents from the log, and nothing from what was made of it."""
    MemoryErasureStore(memory.raw_log).erase(ANA, [episode.position for episode in episodes], {})


def read(memory: Memory) -> list[Episode]:
    """The log."""
    return list(memory.raw_log.scan(ANA))


def believed(memory: Memory) -> dict[str, Belief]:
    """What is believed now, by concept, which no two current rows may be about."""
    rows = memory.raw_beliefs.current(ANA)
    assert len({row.concept for row in rows}) == len(rows)
    return {row.concept: (row.claim, round(row.confidence, 9), row.evidence) for row in rows}


def replayed(checks: Iterable[tuple[Episode, str | None]]) -> dict[str, Belief]:
    """What checks and the concepts they are tied to leave to be believed, by the model alone."""
    known: dict[str, tuple[Mastery, Claim, list[str]]] = {}
    for episode, concept in checks:
        if concept is None or episode.outcome is None:
            continue
        before = known.get(concept)
        outcome, at = episode.outcome, episode.occurred_at
        mastery = update(before[0] if before else None, correct=outcome.correct, score=outcome.score, at=at)
        claim = Claim.UNDERSTANDS if mastery.known >= 0.5 else Claim.STRUGGLES_WITH
        run = before[2] if before and before[1] is claim else []
        known[concept] = (mastery, claim, [*run, episode.id])
    return {
        concept: (claim, round(m.known if claim is Claim.UNDERSTANDS else 1 - m.known, 9), tuple(run))
        for concept, (m, claim, run) in known.items()
    }


def early_checks(memory: Memory) -> None:
    """Checks before the file that explains them is there, and some of a file that goes."""
    memory.add_file()
    plants = [
        check("Photosynthesis", correct=c, at=NOW + timedelta(hours=n)) for n, c in enumerate((0, 1, 1))
    ]
    memory.say(question(TEACHING), *plants, check("Osmosis", correct=False))
    memory.say(check("Osmosis"), check("Osmosis"), check("Cytoplasm"), check("Lunar tides"))
    memory.add_file(PLANTS, name="plants.txt")
