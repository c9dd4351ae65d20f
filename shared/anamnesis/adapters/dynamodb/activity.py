"""Which pairs were active on a day: an index for the night's dispatcher, spread over shards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from anamnesis.adapters.dynamodb.connection import dynamodb_errors
from anamnesis.adapters.dynamodb.keys import apart
from anamnesis.adapters.dynamodb.models import ActivityRow
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode

#: Partitions of one day: DynamoDB writes at most 1,000 units a second to one.
SHARDS = 16
#: How long a day can still be asked for, counted from the last time that something was written for it.
KEPT_DAYS = 400


def activity_rows(pair: Pair, episodes: Sequence[Episode], model: type[ActivityRow]) -> list[ActivityRow]:
    """Return one row for each UTC day that an episode was recorded on, or its student's day ended on, in order."""
    days = {day for e in episodes for day in (e.recorded_at.astimezone(UTC).date(), e.day_over)}
    written = max(e.recorded_at for e in episodes)
    return [_row(pair, day, written, model) for day in sorted(days)]


def day_row(pair: Pair, at: datetime, model: type[ActivityRow]) -> ActivityRow:
    """Return the row that marks a pair active on the UTC day of `at`."""
    return _row(pair, at.astimezone(UTC).date(), at, model)


def active_pairs(day: date, model: type[ActivityRow]) -> Iterator[Pair]:
    """Yield every pair marked active on this day, shard by shard."""
    for shard in range(SHARDS):
        with dynamodb_errors():
            rows: Iterable[ActivityRow] = model.query(_partition(day, shard), consistent_read=True)
            for row in rows:
                yield Pair(row.tenant, row.student, row.subject)


def _row(pair: Pair, day: date, written: datetime, model: type[ActivityRow]) -> ActivityRow:
    return model(
        _partition(day, _shard(pair)),
        pair.key,
        tenant=pair.tenant,
        student=pair.student,
        subject=pair.subject,
        expires_at=int((written + timedelta(days=KEPT_DAYS)).timestamp()),
    )


def _partition(day: date, shard: int) -> str:
    return apart("DAY", day.isoformat(), str(shard))


def _shard(pair: Pair) -> int:
    return hashlib.sha256(pair.key.encode()).digest()[0] % SHARDS
