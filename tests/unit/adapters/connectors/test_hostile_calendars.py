"""Calendars that explode or lie: what they may cost, and what of an honest one is still followed."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from itertools import product

import pytest

from anamnesis.adapters.connectors.icalendar import CalendarConnector
from anamnesis.adapters.connectors.recurrence import MAX_OCCURRENCES
from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.wiki.connectors import MAX_RECORDS
from unit.adapters.connectors.test_icalendar import calendar, opened

EVENT = "UID:e@s\r\nDTSTART:20260421T080000Z\r\nSUMMARY:Event\r\n"
MANY = [
    f"2026{m:02}{d:02}T{h:02}{i:02}00Z"
    for m, d, h, i in product(range(1, 13), range(1, 28), range(24), (0, 30))
]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=9",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=7;BYDAY=FR",
        "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=-1",
        "freq=secondly",
    ],
)
def test_a_rule_that_may_never_come_to_anything_is_not_followed(rule: str) -> None:
    """A thousand events whose rules would be looked for until the year 9999 count once each (SV-12)."""
    events = [EVENT.replace("UID:e", f"UID:{n}") + f"RRULE:{rule}" for n in range(1_000)]
    assert len(opened(*events).search("", limit=10**6)) == MAX_RECORDS
    assert len(opened(events[0]).search("", limit=10**6)) == 1


def test_times_within_a_day_repeat_nothing() -> None:
    """A daily rule for every second of the day is one event a day (SV-12)."""
    hours, minutes = ",".join(map(str, range(24))), ",".join(map(str, range(60)))
    bomb = f"{EVENT}RRULE:FREQ=DAILY;COUNT=9;BYHOUR={hours};BYMINUTE={minutes};BYSECOND={minutes}"
    assert len(opened(bomb).search("", limit=10**6)) == 9


@pytest.mark.parametrize(
    "events",
    [
        [f"{EVENT}RDATE:{','.join(MANY)}"],
        [EVENT.replace("20260421", "00010101") + "RRULE:FREQ=DAILY"],
        [EVENT.replace("UID:e", f"UID:{n}") + "RRULE:FREQ=DAILY" for n in range(300)],
    ],
)
def test_all_recurrences_together_are_bounded(events: list[str]) -> None:
    """Dates without end, ancient starts and thousands of series take no more work than the bound allows (SV-12)."""
    assert len(MANY) > MAX_OCCURRENCES
    assert len(opened(*events).search("", limit=10**6)) <= MAX_RECORDS


@pytest.mark.parametrize(
    "event",
    [
        EVENT.replace("20260421", "20260230"),
        EVENT + "RRULE:FREQ=WEEKLY;WKST=XX",
        EVENT + "RRULE:FREQ=DAILY;COUNT=99999999999999999999",
        EVENT + "DTEND:00010101T000000Z",
        EVENT + "DURATION:P99999999999D",
        EVENT + "RRULE:FREQ=DAILY\r\nDURATION:P900000D",
        EVENT.replace("DTSTART", "DTSTART;TZID=../../etc/passwd"),
        EVENT.replace("DTSTART", "X-WR-TIMEZONE:Foo/Bar\r\nDTSTART").replace("00Z", "00"),
    ],
)
def test_values_that_no_calendar_has_break_nothing(event: str) -> None:
    """A day, zone, count or length that there is not leaves out its event, or refuses the file (SV-7)."""
    records = []
    with suppress(InvalidInput):
        records = opened(event).search("", limit=9)
    assert len(records) <= 1


def test_a_zone_that_there_is_not_refuses_the_file() -> None:
    """A calendar of an unknown zone is refused by its field and no fault of ours (SV-7)."""
    data = calendar(EVENT.replace("00Z", "00")).replace(b"PRODID", b"X-WR-TIMEZONE:Foo/Bar\r\nPRODID")
    with pytest.raises(InvalidInput) as refused:
        CalendarConnector("school", data, fetched_at=datetime(2026, 4, 20, tzinfo=UTC))
    assert refused.value.field == "text"


@pytest.mark.parametrize(
    "rule, count",
    [
        ("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6", 6),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20260601T000000Z", 3),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=8", 8),
        ("FREQ=DAILY;INTERVAL=3;COUNT=4", 4),
        ("FREQ=MONTHLY;COUNT=5", 5),
        ("FREQ=MONTHLY;BYMONTHDAY=21;COUNT=4", 4),
        ("FREQ=MONTHLY;BYDAY=3TU;COUNT=4", 4),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", 4),
        ("FREQ=MONTHLY;INTERVAL=3;COUNT=3", 3),
        ("FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=21;COUNT=2", 2),
        ("FREQ=YEARLY", 2),
    ],
)
def test_what_lessons_and_dates_repeat_by_is_followed(rule: str, count: int) -> None:
    """Weekly lessons, working days, the third Tuesday and birthdays are all told (WD-6)."""
    assert len(opened(f"{EVENT}RRULE:{rule}").search("", limit=10**6)) == count
