"""Beliefs on DynamoDB: every row kept for good, the current ones found without reading the old (BE-2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pynamodb.exceptions import TransactWriteError
from pynamodb.transactions import TransactWrite

from anamnesis.adapters.dynamodb.attributes import instant_of
from anamnesis.adapters.dynamodb.connection import DynamoConnection, dynamodb_errors, get_row
from anamnesis.adapters.dynamodb.errors import CONDITION_FAILED, CONFLICT, cancellation_codes, unavailable
from anamnesis.adapters.dynamodb.models import BeliefRow, ProjectionRow
from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.errors import RevisionMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.chain import timestamp

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

    def projected_to(self, pair: Pair) -> int:
        """Return the position of the last episode whose consequences are stored; 0 at first."""
        row = get_row(self._projections, pair.key, PROJECTION)
        return int(row.position) if row else 0

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
        projected_to: int,
        expected: int,
    ) -> None:
        """Insert rows and store what changed of others, in one transaction up to 49 rows.

        More rows go in several transactions, each under the condition that the projection still stands at
        `expected`; the last one moves it. A crash in between is healed by saving the same rows again.

        Raises
        ------
        RevisionMoved
            If another writer got further first, a changed row is unknown, or a row would change its claim.
        """
        # Rows of one concept lie side by side, so that a row and its successor change together.
        rows = sorted([*inserted, *changed], key=lambda belief: (belief.concept, belief.id))
        new = {belief.id for belief in inserted}
        try:
            while len(rows) > ROWS_IN_TRANSACTION:
                part, rows = rows[:ROWS_IN_TRANSACTION], rows[ROWS_IN_TRANSACTION:]
                self._save_part(part, new, self._holding_still(pair, expected))
            self._save_part(rows, new, self._moving(pair, projected_to, expected))
        except RevisionMoved:
            if not self._stored_already(pair, [*inserted, *changed], projected_to):
                raise

    def _save_part(
        self, rows: Sequence[Belief], new: set[str], guard: Callable[[TransactWrite], None]
    ) -> None:
        try:
            with self._connection.transaction() as transaction:
                for belief in rows:
                    same = (BeliefRow.claim == belief.claim.value) & (BeliefRow.concept == belief.concept)
                    allowed = BeliefRow.pk.does_not_exist() | same if belief.id in new else same
                    transaction.save(self._row(belief, ROW), condition=allowed)
                    copy = self._row(belief, CURRENT)
                    if belief.superseded_by is None:
                        transaction.save(copy)
                    else:
                        transaction.delete(copy)
                guard(transaction)
        except TransactWriteError as error:
            codes = cancellation_codes(error)
            if CONDITION_FAILED in codes or CONFLICT in codes:
                raise RevisionMoved("another writer changed these beliefs first") from None
            raise unavailable(error) from None

    def _holding_still(self, pair: Pair, expected: int) -> Callable[[TransactWrite], None]:
        def guard(transaction: TransactWrite) -> None:
            transaction.condition_check(self._projections, pair.key, PROJECTION, condition=_still(expected))

        return guard

    def _moving(self, pair: Pair, projected_to: int, expected: int) -> Callable[[TransactWrite], None]:
        def guard(transaction: TransactWrite) -> None:
            moved = self._projections(pair.key, PROJECTION, position=projected_to)
            transaction.save(moved, condition=_still(expected))

        return guard

    def _stored_already(self, pair: Pair, rows: Sequence[Belief], projected_to: int) -> bool:
        if self.projected_to(pair) != projected_to:
            return False
        items = self._connection.get_many(self._rows, [(pair.key, ROW + belief.id) for belief in rows])
        stored = {b.id: b for item in items for b in [belief_of(self._rows.from_raw_data(item), pair)]}
        return all(stored.get(belief.id) == belief for belief in rows)

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


def _still(expected: int) -> Any:
    if expected == 0:
        return ProjectionRow.pk.does_not_exist() | (ProjectionRow.position == 0)
    return ProjectionRow.position == expected
