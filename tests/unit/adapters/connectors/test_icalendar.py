"""Events of a calendar as records."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from anamnesis.adapters.connectors.icalendar import CalendarConnector
from anamnesis.domain.errors import InvalidInput, NotFound
from anamnesis.domain.wiki.addresses import connector_address, read_address
from anamnesis.domain.wiki.connectors import MAX_RECORDS

NOW = datetime(2026, 4, 20, 10, tzinfo=UTC)


def calendar(*events: str) -> bytes:
    """Make a file of events."""
    inside = "".join(f"BEGIN:VEVENT\r\n{event}\r\nEND:VEVENT\r\n" for event in events)
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\n{inside}END:VCALENDAR\r\n".encode()


def opened(*events: str, at: datetime = NOW) -> CalendarConnector:
    return CalendarConnector("school", calendar(*events), fetched_at=at)


EXAM = "UID:exam@school\r\nDTSTART;TZID=Europe/Madrid:20260512T090000\r\nSUMMARY:Examen de biología\r\nLOCATION:Aula 3"


def test_an_event_is_a_record_with_a_stable_address() -> None:
    """An event is found by its words and at its address, in UTC, with a fingerprint (WD-6, VE-1)."""
    connector = opened(EXAM)
    [record] = connector.search("biología examen", limit=5)
    assert (record.title, record.text, record.starts_at) == (
        "Examen de biología",
        "Aula 3",
        datetime(2026, 5, 12, 7, tzinfo=UTC),
    )
    assert connector.fetch(record.path) == record
    address = connector_address("school", record.path)
    assert read_address(str(address)) == address
    assert connector.search("química", limit=5) == []


def test_a_change_shows_in_the_fingerprint_alone() -> None:
    """The same event has the same fingerprint whenever it is fetched, a moved or renamed one another (VE-1)."""
    [before] = opened(EXAM).search("", limit=5)
    [again] = opened(EXAM, at=datetime(2026, 5, 1, tzinfo=UTC)).search("", limit=5)
    [renamed] = opened(EXAM.replace("biología", "química")).search("", limit=5)
    assert before.fingerprint == again.fingerprint != renamed.fingerprint
    assert before.path == again.path == renamed.path


def test_repeated_events_are_told_one_by_one_within_a_year() -> None:
    """A weekly lesson is as many records as it takes place, within reach of the day it was fetched (WD-6)."""
    lesson = "UID:l@s\r\nDTSTART:20260406T080000Z\r\nRRULE:FREQ=WEEKLY;COUNT=5\r\nSUMMARY:Lesson"
    found = opened(lesson).search("", limit=50)
    assert [r.starts_at for r in found] == [datetime(2026, 4, d, 8, tzinfo=UTC) for d in (6, 13, 20, 27)] + [
        datetime(2026, 5, 4, 8, tzinfo=UTC)
    ]
    assert len({r.path for r in found}) == 5
    old = "UID:o@s\r\nDTSTART:20200101T080000Z\r\nSUMMARY:Old"
    assert opened(old).search("", limit=5) == []


def test_endless_repetition_is_bounded() -> None:
    """A rule that repeats within a day is not followed, and of many events only so many count (SV-12)."""
    every_second = "UID:s@s\r\nDTSTART:20260421T080000Z\r\nRRULE:FREQ=SECONDLY\r\nSUMMARY:Tick"
    assert len(opened(every_second).search("", limit=9)) == 1
    many = [
        f"UID:{n}@s\r\nDTSTART:20260421T08{n % 60:02}00Z\r\nSUMMARY:Event {n}" for n in range(MAX_RECORDS + 9)
    ]
    assert len(opened(*many).search("", limit=10**6)) == MAX_RECORDS


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"no calendar", b"BEGIN:VCALENDAR", b"%PDF-1.7", b"{}"])
def test_what_is_no_calendar_is_refused(data: bytes) -> None:
    """Bytes that are no calendar are refused with the field's name (SV-7)."""
    with pytest.raises(InvalidInput) as refused:
        CalendarConnector("school", data, fetched_at=NOW)
    assert refused.value.field == "text"


def test_odd_events_do_no_harm() -> None:
    """Events without a start or a title, with odd ids and all-day ones are told as far as they say anything (WD-6)."""
    found = opened(
        "UID:a/../b c@s\r\nDTSTART;VALUE=DATE:20260501\r\nSUMMARY:عيد العمال",
        "UID:n@s\r\nSUMMARY:No start",
        "UID:u@s\r\nDTSTART:20260502T080000Z",
    ).search("", limit=9)
    assert [(r.title, r.starts_at) for r in found] == [
        ("عيد العمال", datetime(2026, 5, 1, tzinfo=UTC)),
        ("", datetime(2026, 5, 2, 8, tzinfo=UTC)),
    ]
    assert all(read_address(str(connector_address("school", r.path))) for r in found)


def test_a_record_that_is_not_there_is_not_found() -> None:
    """An address that leads nowhere says so (SV-7)."""
    with pytest.raises(NotFound):
        opened(EXAM).fetch("nothing/here")
