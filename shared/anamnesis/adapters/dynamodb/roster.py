"""The subjects that a student has anything in, and what is asked to be erased of it, on the records' table."""

from __future__ import annotations

from datetime import datetime

from anamnesis.adapters.dynamodb import activity
from anamnesis.adapters.dynamodb.connection import (
    DynamoConnection,
    dynamodb_errors,
    get_row,
    put_if,
    update_if,
)
from anamnesis.adapters.dynamodb.keys import apart
from anamnesis.adapters.dynamodb.models import ActivityRow, RosterRow
from anamnesis.domain.access import Role
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.erasures import (
    ErasureRequest,
    ErasureScope,
    ErasureStage,
    PairRequest,
    stages_before,
)


class DynamoRoster:
    """The port ``Roster``; safe to use from many threads.

    Parameters
    ----------
    connection, table
        Where the rows are.
    """

    def __init__(self, connection: DynamoConnection, *, table: str) -> None:
        self._rows = connection.bind(RosterRow, table)
        self._activity = connection.bind(ActivityRow, table)

    def note(self, pair: Pair) -> None:
        """Put a pair on the roster; nothing changes when it is there."""
        put_if(self._row(pair), RosterRow.pk.does_not_exist())

    def pairs(self, tenant: str, student: str) -> list[Pair]:
        """Return every pair noted for a student, by subject."""
        with dynamodb_errors():
            rows = self._rows.query(_partition(tenant, student), consistent_read=True)
            found = [Pair(row.tenant, row.student, row.subject) for row in rows]
        return sorted(found, key=lambda pair: pair.subject)

    def request(self, pair: Pair, asked: PairRequest) -> None:
        """Keep that a pair is to be erased, and mark it active on that day, so that the night comes by.

        The same request again changes nothing, however far it has come; another one takes an earlier one's place.
        """
        with dynamodb_errors():
            activity.day_row(pair, asked.request.at, self._activity).save()
        self.note(pair)
        request = asked.request
        update_if(
            self._row(pair),
            [
                RosterRow.requested_at.set(request.at),
                RosterRow.scope.set(request.scope.value),
                RosterRow.by.set(request.by.value),
                RosterRow.length.set(asked.length),
                RosterRow.files.set(list(asked.files)),
                RosterRow.stage.set(asked.stage.value),
                RosterRow.staged_at.remove(),
            ],
            RosterRow.requested_at.does_not_exist() | (RosterRow.requested_at != request.at),
        )

    def requested(self, pair: Pair) -> PairRequest | None:
        """Return the latest request to erase a pair."""
        row = get_row(self._rows, _partition(pair.tenant, pair.student), pair.key)
        if row is None or row.requested_at is None:
            return None
        request = ErasureRequest(ErasureScope(row.scope), Role(row.by), row.requested_at)
        return PairRequest(request, int(row.length), tuple(row.files), ErasureStage(row.stage), row.staged_at)

    def advance(self, pair: Pair, request: ErasureRequest, stage: ErasureStage, *, at: datetime) -> None:
        """Note how far a request has come, and when; it never goes back, and another one made meanwhile stays."""
        update_if(
            self._row(pair),
            [RosterRow.stage.set(stage.value), RosterRow.staged_at.set(at)],
            (RosterRow.requested_at == request.at) & RosterRow.stage.is_in(*stages_before(stage)),
        )

    def revisit(self, pair: Pair, at: datetime) -> None:
        """Mark a pair active on the UTC day of `at`, so that the night comes by though nothing was recorded."""
        with dynamodb_errors():
            activity.day_row(pair, at, self._activity).save()

    def _row(self, pair: Pair) -> RosterRow:
        return self._rows(
            _partition(pair.tenant, pair.student),
            pair.key,
            tenant=pair.tenant,
            student=pair.student,
            subject=pair.subject,
        )


def _partition(tenant: str, student: str) -> str:
    return apart("ROSTER", tenant, student)
