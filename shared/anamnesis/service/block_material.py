"""What a block is composed of: what a turn fetched in time, and what recall made of it (BL-1, BL-2, BL-4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.block import BlockMaterial, BlockWindow, Memory
from anamnesis.domain.block.belief_ranking import ranked_beliefs
from anamnesis.domain.block.map_view import map_lines
from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.night.records import SelfModel
from anamnesis.domain.night.verification import label_of
from anamnesis.domain.recall import Recalled, Recollection
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import ERASED_FOLD
from anamnesis.ports import Vector
from anamnesis.service.understanding import Asked
from anamnesis.service.withheld import NOTHING


@dataclass(frozen=True, slots=True)
class Fetched:
    """What arrived in time.

    Attributes
    ----------
    segments
        None when the history did not arrive.
    subject_map, self_model, vector
        None when they did not arrive or were not asked for.
    withheld
        Positions of what is being erased.
    """

    segments: tuple[Segment, ...] | None
    subject_map: SubjectMap | None
    layer: StudentLayer
    beliefs: list[Belief]
    self_model: SelfModel | None
    vector: Vector | None
    withheld: Collection[int] = NOTHING


def memory_of(row: Episode | None, found: Recollection, subject_map: SubjectMap | None) -> Memory | None:
    """A recalled episode as the block tells it; None when its row is not there or its content is erased.

    Parameters
    ----------
    subject_map
        Whose files tell which of the episode's citations changed; None when it did not arrive.
    """
    if row is None or row.content is None:
        return None
    changed = []
    if subject_map is not None:
        # Without the map nothing is known about files; no label is better than a wrong one.
        files = subject_map.files
        labels = {c.file_id: label for c in row.evidence if (label := label_of(c, files))}
        changed = [(files[f].name if f in files else "a file", label) for f, label in labels.items()]
    return Memory(
        id=row.id,
        position=row.position,
        occurred_at=row.occurred_at,
        kind=row.kind,
        summary=row.content.summary,
        language=row.language,
        outcome=row.outcome,
        repeats=found.repeats,
        changed_files=tuple(changed),
        repeated_from=datetime.fromtimestamp(found.first_at, UTC) if found.repeats else None,
        repeated_to=datetime.fromtimestamp(found.last_at, UTC) if found.repeats else None,
        text=row.content.text,
        evaluation=row.content.evaluation or "",
    )


def block_material(
    asked: Asked,
    fetched: Fetched,
    routed: tuple[str, ...],
    recalled: Recalled,
    memories: tuple[Memory, ...],
    *,
    now: datetime,
    zone: ZoneInfo,
) -> BlockMaterial:
    """Everything that a block is composed of.

    Parameters
    ----------
    routed
        Keys of the concepts that the question is about.
    memories
        Of what was recalled, best first.
    now
        Aware; what happened later does not exist for the block.
    zone
        The student's, in which the block gives times.
    """
    subject_map = fetched.subject_map
    window, model = asked.window, fetched.self_model
    happened = [segment.folds[segment.occurred <= now.timestamp()] for segment in fetched.segments or ()]
    has_record = any(bool((folds != ERASED_FOLD).any()) for folds in happened)
    return BlockMaterial(
        intent=asked.intent.intent,
        memories=memories,
        beliefs=tuple(ranked_beliefs(fetched.beliefs, routed, asked.intent.intent, asked.intent.focus)),
        map_lines=() if subject_map is None else tuple(map_lines(subject_map, fetched.layer, focus=routed)),
        window=None
        if window is None
        else BlockWindow(window.start, window.end, window.phrase, recalled.window_empty),
        # A question for a kind of event of which there is none ("what did I get wrong?") matches nothing either.
        matched=recalled.matched and not recalled.focus_empty,
        has_record=has_record,
        had_record=not has_record and any(map(len, happened)),
        checks_tied_to_nothing=model.checks_tied_to_nothing if model else 0,
        limits=model.statements if model else (),
        zone=zone,
        now=now,
        focus=asked.intent.focus,
        names_concepts=bool(routed),
    )
