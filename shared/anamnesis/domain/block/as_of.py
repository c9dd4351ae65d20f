"""What was known at a past moment, out of what is known now: for blocks asked as of then (BL-6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from anamnesis.domain.beliefs import Belief, ChangeReason
from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.working_set import Segment


def changed_since(belief: Belief, moment: datetime) -> bool:
    """Tell whether the row was made, or its confidence changed, after `moment`."""
    return belief.created_at > moment or any(change.at > moment for change in belief.history)


def beliefs_as_of(rows: Sequence[Belief], moment: datetime) -> list[Belief]:
    """The rows that nothing superseded yet at `moment`, with the confidence they had then.

    Parameters
    ----------
    rows
        Every row of a pair, superseded ones included.
    """
    made = {row.id for row in rows if row.created_at <= moment}
    successor = {row.id: row.superseded_by for row in rows}

    def superseded(row: Belief) -> bool:
        # A check with a wrong clock can put a row that is not made yet between two that are: look past it.
        following = row.superseded_by
        while following is not None and following not in made:
            following = successor.get(following)
        return following is not None

    return [_as_it_was(row, moment) for row in rows if row.id in made and not superseded(row)]


def _as_it_was(row: Belief, moment: datetime) -> Belief:
    known = tuple(change for change in row.history if change.at <= moment)
    if not known:
        return replace(row, superseded_by=None)
    behind = {change.episode_id for change in known}
    return replace(
        row,
        superseded_by=None,
        confidence=known[-1].confidence,
        needs_confirmation=known[-1].reason is ChangeReason.DECAY,
        evidence=tuple(episode_id for episode_id in row.evidence if episode_id in behind),
        history=known,
    )


def layer_as_of(layer: StudentLayer, segments: Sequence[Segment], moment: datetime) -> StudentLayer:
    """`layer` without what was taught after `moment`; concepts that only such a teaching made go too."""
    happened = _happened_by(segments, moment)
    kept = {
        key: tuple(note for note in notes if happened(note.position)) for key, notes in layer.taught.items()
    }
    taught = {key: notes for key, notes in kept.items() if notes}
    gone = layer.taught.keys() - taught.keys()
    own = {key: name for key, name in layer.own_concepts.items() if key not in gone}
    return replace(layer, taught=taught, own_concepts=own)


def _happened_by(segments: Sequence[Segment], moment: datetime) -> Callable[[int], bool]:
    until = moment.timestamp()

    def happened(position: int) -> bool:
        for segment in segments:
            if segment.first_position <= position <= segment.last_position:
                return bool(segment.occurred[position - segment.first_position] <= until)
        return True

    return happened
