"""What is known about a pair's episodes afterwards, on DynamoDB and S3."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

import numpy as np
import numpy.typing as npt

from anamnesis.adapters.dynamodb.connection import (
    MAX_BATCH_WRITE,
    DynamoConnection,
    dynamodb_errors,
    get_row,
    put_if,
    raw_items,
)
from anamnesis.adapters.dynamodb.keys import LAST_POSITION, at_position, position_of
from anamnesis.adapters.dynamodb.models import (
    CitationCheckRow,
    GroundingRow,
    PointerRow,
    SelfModelRow,
    VectorRow,
)
from anamnesis.adapters.dynamodb.published import Published
from anamnesis.adapters.record_format import (
    grounding_record_from_json,
    grounding_record_to_json,
    self_model_from_json,
    self_model_to_json,
)
from anamnesis.adapters.s3.objects import ContentObjects
from anamnesis.adapters.segment_format import segment_from_bytes, segment_to_bytes
from anamnesis.domain.grounding.values import GroundingRecord
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.night.records import CitationCheck, SelfModel, Verification
from anamnesis.domain.working_set import Segment

VECTOR = "V#"
CITATION_CHECK = "CITE#"
GROUNDING = "GROUND#"
SELF = "SELF"


class DynamoRecordStore:
    """The port ``RecordStore`` on one table and the content bucket; safe to use from many threads.

    Parameters
    ----------
    connection, table
        Where the rows are.
    content
        Holds the working sets.
    """

    def __init__(self, connection: DynamoConnection, *, table: str, content: ContentObjects) -> None:
        self._connection = connection
        self._vectors = connection.bind(VectorRow, table)
        self._checks = connection.bind(CitationCheckRow, table)
        self._groundings = connection.bind(GroundingRow, table)
        self._self_models = connection.bind(SelfModelRow, table)
        pointers = connection.bind(PointerRow, table)
        self._working_sets = Published(pointers, content, sort_key="WORKINGSET", prefix="working-sets")

    def save_vectors(self, pair: Pair, vectors: Mapping[int, npt.NDArray[np.int8]], embedder: str) -> None:
        """Keep the quantised vectors (int8, shape (d,)) of episodes by position; the same position again replaces."""
        rows = [
            self._vectors(
                pair.key,
                at_position(VECTOR, position),
                vector=vector.astype(np.int8).tobytes(),
                embedder=embedder,
            )
            for position, vector in vectors.items()
        ]
        self._connection.put_many(self._vectors, rows)

    def vectors(
        self, pair: Pair, embedder: str, *, after: int = 0, up_to: int | None = None
    ) -> dict[int, npt.NDArray[np.int8]]:
        """Return vectors by position, from ``after + 1`` to `up_to` inclusive (None: to the end), of this embedder."""
        last = LAST_POSITION if up_to is None else min(up_to, LAST_POSITION)
        if after >= last:
            return {}
        span = VectorRow.sk.between(at_position(VECTOR, after + 1), at_position(VECTOR, last))
        with dynamodb_errors():
            rows = self._vectors.query(pair.key, span, consistent_read=True)
            return {
                position_of(r.sk): np.frombuffer(r.vector, np.int8) for r in rows if r.embedder == embedder
            }

    def delete_vectors(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the vectors of episodes, whichever embedder made them."""
        wanted = {at_position(VECTOR, position) for position in positions}
        if len(wanted) > MAX_BATCH_WRITE:
            # Most are gone when a sweep comes: a page of a query finds out about two thousand.
            span = VectorRow.sk.between(min(wanted), max(wanted))
            rows = self._vectors.query(pair.key, span, attributes_to_get=["sk"], consistent_read=True)
            wanted &= {item["sk"]["S"] for item in raw_items(rows)}
        self._connection.delete_many(self._vectors, [(pair.key, key) for key in sorted(wanted)])

    def save_working_set(self, pair: Pair, segment: Segment) -> bool:
        """Publish a working set and return whether it is the published one now.

        One that has seen fewer erasures than the published one is ignored, and of equal ones that which covers fewer
        positions.
        """
        rank = segment.erasures * (LAST_POSITION + 1) + segment.last_position
        return self._working_sets.publish(
            pair.key, segment_to_bytes(segment), position=rank, unless_equal=False
        )

    def sweep_working_sets(self, pair: Pair) -> None:
        """Remove every stored working set but the published one."""
        self._working_sets.sweep(pair.key)

    def working_set(self, pair: Pair, *, known: Segment | None = None) -> Segment | None:
        """Return the published working set; `known` itself, for one small read, when it was loaded from it.

        None when there is none, or only a damaged one or one of another format: the next night builds one.
        """
        pointer = self._working_sets.pointer(pair.key)
        if pointer is None:
            return None
        if known is not None and known.version == pointer.object_key:
            return known
        loaded = self._working_sets.load(pair.key, pointer)
        if loaded is None:
            return None
        try:
            return segment_from_bytes(loaded[1], version=loaded[0].object_key)
        except ValueError:
            return None

    def save_citation_checks(self, pair: Pair, checks: Sequence[CitationCheck]) -> None:
        """Keep results of verification, the latest per episode: an earlier day's does not replace a later one's."""
        latest = {check.position: check for check in sorted(checks, key=lambda check: check.checked_on)}
        keys = [(pair.key, at_position(CITATION_CHECK, position)) for position in latest]
        for item in self._connection.get_many(self._checks, keys):
            stored = _check_of(self._checks.from_raw_data(item))
            if stored.checked_on > latest[stored.position].checked_on or stored == latest[stored.position]:
                del latest[stored.position]
        self._connection.put_many(self._checks, [self._check_row(pair, check) for check in latest.values()])

    def citation_checks(self, pair: Pair) -> list[CitationCheck]:
        """Return the latest result per episode, by position."""
        with dynamodb_errors():
            prefix = CitationCheckRow.sk.startswith(CITATION_CHECK)
            return [_check_of(row) for row in self._checks.query(pair.key, prefix, consistent_read=True)]

    def delete_citation_checks(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the results of episodes."""
        keys = [(pair.key, at_position(CITATION_CHECK, position)) for position in sorted(set(positions))]
        self._connection.delete_many(self._checks, keys)

    def save_grounding(self, pair: Pair, record: GroundingRecord) -> None:
        """Keep what was found of an answer's claims, the latest per episode; finding the same again changes nothing."""
        key = at_position(GROUNDING, record.position)
        stored = get_row(self._groundings, pair.key, key)
        if stored is not None and _grounding_of(stored) == replace(
            record, grounded_at=datetime.fromisoformat(stored.grounded_at)
        ):
            return
        row = self._groundings(
            pair.key,
            key,
            episode_id=record.episode_id,
            stance=record.stance.value,
            found=grounding_record_to_json(record),
            grounded_at=record.grounded_at.isoformat(),
        )
        self._connection.put_many(self._groundings, [row])

    def groundings(self, pair: Pair) -> list[GroundingRecord]:
        """Return the latest result per answer, by position."""
        with dynamodb_errors():
            prefix = GroundingRow.sk.startswith(GROUNDING)
            return [
                _grounding_of(row) for row in self._groundings.query(pair.key, prefix, consistent_read=True)
            ]

    def delete_groundings(self, pair: Pair, positions: Collection[int]) -> None:
        """Remove the results of answers; nothing happens where there is none."""
        keys = [(pair.key, at_position(GROUNDING, position)) for position in sorted(set(positions))]
        self._connection.delete_many(self._groundings, keys)

    def save_self_model(self, pair: Pair, self_model: SelfModel) -> None:
        """Keep the self-model composed by a night; one of an earlier night than the stored one is ignored."""
        composed_on = self_model.composed_on.isoformat()
        row = self._self_models(
            pair.key, SELF, composed_on=composed_on, self_model=self_model_to_json(self_model)
        )
        put_if(row, SelfModelRow.pk.does_not_exist() | (SelfModelRow.composed_on <= composed_on))

    def self_model(self, pair: Pair) -> SelfModel | None:
        """Return the latest self-model."""
        row = get_row(self._self_models, pair.key, SELF)
        return self_model_from_json(row.self_model) if row else None

    def delete_self_model(self, pair: Pair) -> None:
        """Remove the self-model; the next night composes another."""
        self._connection.delete_many(self._self_models, [(pair.key, SELF)])

    def _check_row(self, pair: Pair, check: CitationCheck) -> CitationCheckRow:
        return self._checks(
            pair.key,
            at_position(CITATION_CHECK, check.position),
            episode_id=check.episode_id,
            result=check.result.value,
            changed=list(check.changed),
            checked_on=check.checked_on.isoformat(),
        )


def _check_of(row: CitationCheckRow) -> CitationCheck:
    return CitationCheck(
        episode_id=row.episode_id,
        position=position_of(row.sk),
        result=Verification(row.result),
        changed=tuple(row.changed),
        checked_on=date.fromisoformat(row.checked_on),
    )


def _grounding_of(row: GroundingRow) -> GroundingRecord:
    return grounding_record_from_json(
        row.found, episode_id=row.episode_id, position=position_of(row.sk), grounded_at=row.grounded_at
    )
