"""Events of an iCalendar file (RFC 5545) as records that a wiki may cite (WD-6)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from typing import Any, Final

import recurring_ical_events  # type: ignore[import-untyped]  # ships no types
from icalendar import Calendar

from anamnesis.adapters.connectors.recurrence import Recurrences
from anamnesis.domain.errors import InvalidInput, NotFound
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.terms import index_terms, terms
from anamnesis.domain.wiki.connectors import AHEAD, BEFORE, MAX_RECORDS
from anamnesis.domain.wiki.evidence import ConnectorRecord

#: Longest title and text kept of an event, in characters. Ours.
MAX_TITLE_CHARS: Final = 200
MAX_TEXT_CHARS: Final = 2_000
#: A path of an address is short and plain; any other UID is named by its hash.
_PLAIN_UID: Final = re.compile(r"[A-Za-z0-9_.@~-]{1,100}")


class CalendarConnector:
    """The port ``Connector`` over one calendar.

    Parameters
    ----------
    name
        As in ``connector://name/…``.
    data
        The file.
    fetched_at
        When it was first seen as it is; which events count depends on it, and not on today.

    Raises
    ------
    InvalidInput
        If the file is no iCalendar; names the field ``text``.
    """

    def __init__(self, name: str, data: bytes, *, fetched_at: datetime) -> None:
        self._name = name
        self._fetched_at = fetched_at
        self._records = {record.path: record for record in self._read(data)}

    @property
    def name(self) -> str:
        """As in ``connector://name/…``."""
        return self._name

    def fetch(self, path: str) -> ConnectorRecord:
        """One event.

        Raises
        ------
        NotFound
            If there is none.
        """
        if path not in self._records:
            raise NotFound("there is no such record")
        return self._records[path]

    def search(self, query: str, *, limit: int) -> list[ConnectorRecord]:
        """Events that hold the words of `query`, all events for an empty one, soonest first."""
        wanted = set(terms(query, detect_language(query)))
        found = [
            record
            for record in self._records.values()
            if not query.strip() or wanted & set(index_terms(f"{record.title} {record.text}", None))
        ]
        return found[:limit]

    def _read(self, data: bytes) -> list[ConnectorRecord]:
        try:
            calendar = Calendar.from_ical(data.decode("utf-8-sig"))
        except Exception:  # noqa: BLE001 - whatever two libraries make of a hostile file, it is no calendar
            raise InvalidInput("is no iCalendar file (RFC 5545)", field="text") from None
        recurrences = Recurrences(self._fetched_at)
        calendar.subcomponents = [p for p in calendar.subcomponents if _is_usable(p, recurrences)]
        try:
            query = recurring_ical_events.of(calendar, skip_bad_series=True)
            events = query.between(self._fetched_at - BEFORE, self._fetched_at + AHEAD)
        except Exception:  # noqa: BLE001 - as above
            raise InvalidInput("holds events that cannot be read", field="text") from None
        records = sorted(
            self._told(events), key=lambda r: (r.starts_at or datetime.max.replace(tzinfo=UTC), r.path)
        )
        return records[:MAX_RECORDS]

    def _told(self, events: list[Any]) -> Iterator[ConnectorRecord]:
        for event in events:
            starts = event.get("DTSTART")
            if starts is None:
                continue
            at = _instant(starts.dt)
            title = str(event.get("SUMMARY", ""))[:MAX_TITLE_CHARS]
            parts = (event.get(name) for name in ("LOCATION", "DESCRIPTION"))
            text = "\n".join(str(part) for part in parts if part)[:MAX_TEXT_CHARS]
            uid = str(event.get("UID", ""))
            name = (
                uid
                if _PLAIN_UID.fullmatch(uid)
                else hashlib.sha256(uid.encode("utf-8", "replace")).hexdigest()[:32]
            )
            print_of = f"{title}\x00{text}\x00{at.isoformat()}".encode("utf-8", "replace")
            yield ConnectorRecord(
                connector=self._name,
                path=f"{name}/{at:%Y%m%dT%H%M%SZ}",
                title=title,
                text=text,
                starts_at=at,
                fetched_at=self._fetched_at,
                fingerprint=hashlib.sha256(print_of).hexdigest(),
            )


def _is_usable(component: Any, recurrences: Recurrences) -> bool:
    """Whether it is no event, or one that has a start; its recurrences are bounded then."""
    if component.name != "VEVENT":
        return True
    try:
        start = getattr(component.get("DTSTART"), "dt", None)
        if not isinstance(start, date):
            return False
        recurrences.bound(component, start.date() if isinstance(start, datetime) else start)
    except Exception:  # noqa: BLE001 - a value that its library cannot read
        return False
    return True


def _instant(value: date | datetime) -> datetime:
    """In UTC; a day, and a time without a zone, are read as UTC: the file says no more."""
    if not isinstance(value, datetime):
        return datetime.combine(value, time.min, tzinfo=UTC)
    return value.astimezone(UTC) if value.tzinfo is not None else value.replace(tzinfo=UTC)
