"""Wikis of a tenant one of whose connectors has become unreadable."""

from __future__ import annotations

from dataclasses import replace

from anamnesis.domain.wiki.connectors import ConnectorKind
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wired_memory import ANA, NOW, Memory, question

CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:{0}@s\r\n"
    "DTSTART:20260710T080000Z\r\nSUMMARY:{0}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_no_wiki_waits_for_a_connector_that_cannot_be_read() -> None:
    """A stored calendar that no reader takes any more is left out, and the others are told (WD-6, SV-14)."""
    memory = Memory(wiki_writer=DeterministicWriter())
    for name in ("bad", "good"):
        memory.connectors.register(
            ANA.tenant, name, kind=ConnectorKind.ICALENDAR, subject=None, url=None, text=CALENDAR.format(name)
        )
    [bad, _] = memory.raw_connectors.all(ANA.tenant)
    memory.raw_connectors.save(ANA.tenant, replace(bad, data=b"no calendar"))
    memory.say(question("What is osmosis?", at=NOW, session_id="s1"))
    report = memory.compile_wiki(ANA.student_scope)
    assert report.findings == ()
    assert report.revision is not None
    tree = memory.raw_wikis.tree(ANA.student_scope, report.revision.id)
    assert any("connector://good/" in text for text in tree.values())
    assert not any("connector://bad/" in text for text in tree.values())
