"""Requests of a tenant in a window of time, counted in the records."""

from __future__ import annotations

from datetime import datetime, timedelta

from anamnesis.adapters.dynamodb.connection import DynamoConnection, dynamodb_errors
from anamnesis.adapters.dynamodb.keys import apart
from anamnesis.adapters.dynamodb.models import RequestCountRow
from anamnesis.domain.log.chain import timestamp

#: How long a count stays after its window began. Ours: long enough to look at it after an incident.
KEPT = timedelta(days=1)
#: What the partition keys name beside the tenant; so do the functions' rights.
KIND = "REQUESTS"


class DynamoRequestCounter:
    """The port ``RequestCounter`` on the table of records; safe to use from many threads.

    A count is one item, which DynamoDB changes 1,000 times a second at most: ten times as many requests in leases of
    ten. A change that botocore repeats after a lost answer may count twice, which costs the tenant a lease.
    """

    def __init__(self, connection: DynamoConnection, *, table: str) -> None:
        self._counts = connection.bind(RequestCountRow, table)

    def add(self, tenant: str, window: datetime, count: int) -> int:
        """Add to a tenant's count of the window that begins then; return the new count."""
        row = self._counts(apart(KIND, tenant), timestamp(window))
        with dynamodb_errors():
            row.update(
                actions=[
                    RequestCountRow.requests.add(count),
                    RequestCountRow.expires_at.set(int((window + KEPT).timestamp())),
                ]
            )
        return int(row.requests)
