"""Beliefs on DynamoDB: every row kept but what the law wants gone, the current ones found without the old (BE-2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from pynamodb.exceptions import TransactWriteError
from pynamodb.transactions import TransactWrite

from anamnesis.adapters.dynamodb.attributes import instant_of
from anamnesis.adapters.dynamodb.connection import DynamoConnection, dynamodb_errors, get_row
from anamnesis.adapters.dynamodb.errors import CONDITION_FAILED, CONFLICT, cancellation_codes, unavailable
from anamnesis.adapters.dynamodb.models import BeliefRow, ProjectionRow
from anamnesis.adapters.dynamodb.progress import attributes_of, progress_of, still
from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.errors import RevisionMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import timestamp
from anamnesis.domain.log.progress import Progress

ROW = "B#"
#: A copy of each row that nothing supersedes: one query finds them all and reads nothing else.
CURRENT = "C#"
PROJECTION = "PROJECTION"
#: Rows in one transaction: each is two items (itself and its current copy), of the 100 that DynamoDB allows.
ROWS_IN_TRANSACTION = 49


class DynamoBeliefStore:
    """The port ``BeliefStore`` on one table; safe to use from many threads.

    Parameters
    ----------
    connection, table
        Where the rows are.
    """

    def __init__(self, connection: DynamoConnection, *, table: str) -> None:
        self._connection = connection
        self._rows = connection.bind(BeliefRow, table)
        self._projections = connection.bind(ProjectionRow, table)

    def projected_to(self, pair: Pair) -> Progress:
        """Return what the stored rows cover of the log; nothing at first."""
        row = get_row(self._projections, pair.key, PROJECTION)
        return progress_of(row) if row else Progress()

    def current(self, pair: Pair) -> list[Belief]:
        """Return the rows that nothing supersedes, by concept key; reads no superseded row."""
        return sorted(self._query(pair, CURRENT), key=lambda belief: (belief.concept, belief.id))

    def history(self, pair: Pair) -> list[Belief]:
        """Return all rows, oldest first."""
        return sorted(self._query(pair, ROW), key=lambda belief: (belief.created_at, belief.id))

    def get(self, pair: Pair, belief_id: str) -> Belief | None:
        """Return one row."""
        row = get_row(self._rows, pair.key, ROW + belief_id)
        return belief_of(row, pair) if row else None

    def save(
        self,
        pair: Pair,
        *,
        inserted: Sequence[Belief],
        changed: Sequence[Belief],
        projected_to: Progress,
        expected: Progress,
        removed: Collection[str] = (),
    ) -> None:
        """Insert rows, store what changed of others and delete some, in one transaction up to 49 rows.

        More rows go in several transactions, and rows of one concept in one of them as far as they fit. Each counts the
        revision up from the one before it, so that no other writer comes in between, and the last one moves the
        projection. After a crash in between, what is left to do follows from the rows that are stored by then.

        Raises
        ------
        RevisionMoved
            If another writer has saved since, a changed row is unknown, or a row would change its claim.
        """
        parts = self._parts(pair, [*inserted, *changed], removed)
        new = {belief.id for belief in inserted}
        before = expected
        try:
            for number, part in enumerate(parts, start=1):
                after = projected_to if number == len(parts) else expected
                self._save_part(pair, part, new, after, before)
                before = replace(after, revision=before.revision + 1)
        except RevisionMoved:
            if not self._stored_already(pair, [*inserted, *changed], removed, projected_to):
                raise

    def _parts(
        self, pair: Pair, saved: Sequence[Belief], removed: Collection[str]
    ) -> list[list[Belief | str]]:
        """Cut rows to store and ids to delete into transactions, at least one, with concepts whole where they fit."""
        if len(saved) + len(removed) <= ROWS_IN_TRANSACTION:
            return [[*saved, *removed]]
        concepts: dict[str, list[Belief | str]] = {}
        for belief in sorted(saved, key=lambda belief: (belief.concept, belief.id)):
            concepts.setdefault(belief.concept, []).append(belief)
        about = {belief.id: belief.concept for belief in self._stored(pair, removed)}
        for belief_id in removed:
            if belief_id in about:
                concepts.setdefault(about[belief_id], []).append(belief_id)
        parts: list[list[Belief | str]] = [[]]
        for rows in concepts.values():
            if len(parts[-1]) + len(rows) > ROWS_IN_TRANSACTION:
                parts.append([])
            for row in rows:
                if len(parts[-1]) == ROWS_IN_TRANSACTION:
                    parts.append([])
                parts[-1].append(row)
        return [part for part in parts if part] or [[]]

    def _save_part(
        self, pair: Pair, part: Sequence[Belief | str], new: set[str], after: Progress, before: Progress
    ) -> None:
        try:
            with self._connection.transaction() as transaction:
                for row in part:
                    if isinstance(row, str):
                        transaction.delete(self._rows(pair.key, ROW + row))
                        transaction.delete(self._rows(pair.key, CURRENT + row))
                    else:
                        self._put(transaction, row, new=row.id in new)
                kept = attributes_of(after, revision=before.revision + 1)
                moved = self._projections(pair.key, PROJECTION, **kept)
                transaction.save(moved, condition=still(ProjectionRow, before))
        except TransactWriteError as error:
            codes = cancellation_codes(error)
            if CONDITION_FAILED in codes or CONFLICT in codes:
                raise RevisionMoved("another writer changed these beliefs first") from None
            raise unavailable(error) from None

    def _put(self, transaction: TransactWrite, belief: Belief, *, new: bool) -> None:
        same = (BeliefRow.claim == belief.claim.value) & (BeliefRow.concept == belief.concept)
        allowed = BeliefRow.pk.does_not_exist() | same if new else same
        transaction.save(self._row(belief, ROW), condition=allowed)
        copy = self._row(belief, CURRENT)
        if belief.superseded_by is None:
            transaction.save(copy)
        else:
            transaction.delete(copy)

    def _stored_already(
        self, pair: Pair, rows: Sequence[Belief], removed: Collection[str], projected_to: Progress
    ) -> bool:
        if self.projected_to(pair) != projected_to or self._stored(pair, removed):
            return False
        stored = {belief.id: belief for belief in self._stored(pair, [belief.id for belief in rows])}
        return all(stored.get(belief.id) == belief for belief in rows)

    def _stored(self, pair: Pair, belief_ids: Collection[str]) -> list[Belief]:
        items = self._connection.get_many(self._rows, [(pair.key, ROW + row_id) for row_id in belief_ids])
        return [belief_of(self._rows.from_raw_data(item), pair) for item in items]

    def _query(self, pair: Pair, prefix: str) -> list[Belief]:
        with dynamodb_errors():
            found = self._rows.query(pair.key, BeliefRow.sk.startswith(prefix), consistent_read=True)
            return [belief_of(row, pair) for row in found]

    def _row(self, belief: Belief, prefix: str) -> BeliefRow:
        return self._rows(
            belief.pair.key,
            prefix + belief.id,
            concept=belief.concept,
            concept_name=belief.concept_name,
            claim=belief.claim.value,
            confidence=belief.confidence,
            needs_confirmation=belief.needs_confirmation,
            created_at=belief.created_at,
            trail=_trail(belief),
            superseded_by=belief.superseded_by,
        )


def belief_of(row: BeliefRow, pair: Pair) -> Belief:
    """Return the belief of a row or of its current copy."""
    return Belief(
        id=row.sk[len(ROW) :],
        pair=pair,
        concept=row.concept,
        concept_name=row.concept_name,
        claim=Claim(row.claim),
        confidence=row.confidence,
        needs_confirmation=row.needs_confirmation,
        evidence=tuple(row.trail["evidence"]),
        created_at=row.created_at,
        history=tuple(
            ConfidenceChange(instant_of(at), float(confidence), ChangeReason(reason), episode_id)
            for at, confidence, reason, episode_id in row.trail["history"]
        ),
        superseded_by=row.superseded_by,
    )


def _trail(belief: Belief) -> dict[str, Any]:
    return {
        "evidence": list(belief.evidence),
        "history": [[timestamp(c.at), c.confidence, c.reason.value, c.episode_id] for c in belief.history],
    }
