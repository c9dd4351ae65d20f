"""Connectors that many students' wikis are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from anamnesis.domain.wiki.connectors import ConnectorKind
from support.wired_memory import ANA, BEN, NOW, Memory, question

CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTAMP:20260701T000000Z\r\n"
    "DTSTART:20260714T080000Z\r\nSUMMARY:{}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_a_calendar_is_read_once_for_all_students() -> None:
    """In a warm function a calendar is parsed once for each content that it has, not once a student (WD-6)."""
    memory = Memory()
    memory.say(question("Why?", at=NOW))
    read: list[bytes] = []
    opener = memory.connectors.open[ConnectorKind.ICALENDAR]

    def counted(name: str, data: bytes, at: Any) -> Any:
        read.append(data)
        return opener(name, data, at)

    connectors = replace(memory.connectors, open={ConnectorKind.ICALENDAR: counted})
    for title in ("Exam", "Exam, moved"):
        text = CALENDAR.format(title)
        connectors.register("school", "cal", kind=ConnectorKind.ICALENDAR, subject=None, url=None, text=text)
        for pair in (ANA, BEN, ANA):
            [record] = connectors.records(pair.tenant, [pair.subject])
            assert record.title == title
    assert len(read) == 2
