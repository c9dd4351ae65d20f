"""projects/calendar-…: what connectors say that takes place at some time (WD-6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date

from anamnesis.domain.wiki.addresses import connector_address
from anamnesis.domain.wiki.evidence import ConnectorRecord
from anamnesis.domain.wiki.facts.project_pages import PROJECTS
from anamnesis.domain.wiki.facts.quotes import MAX_LINES
from anamnesis.domain.wiki.pages import Page, PageKind, Section, Statement
from anamnesis.domain.wiki.slugs import slugs


def calendar_pages(records: Sequence[ConnectorRecord], newest: date) -> Iterator[Page]:
    """Yield a page for each connector whose records take place at some time: what lies ahead of `newest` first."""
    by_name: dict[str, list[ConnectorRecord]] = {}
    for record in records:
        if record.starts_at is not None and record.title.strip():
            by_name.setdefault(record.connector, []).append(record)
    names = slugs(f"calendar {name}" for name in by_name)
    for name, found in sorted(by_name.items()):
        yield _calendar_page(f"{PROJECTS}/{names[f'calendar {name}']}.md", name, found, newest)


def _calendar_page(path: str, name: str, records: Sequence[ConnectorRecord], newest: date) -> Page:
    ordered = sorted(records, key=lambda r: (_at(r), r.path))
    ahead = [_event(r) for r in ordered if _at(r) >= newest][:MAX_LINES]
    past = [_event(r) for r in reversed(ordered) if _at(r) < newest][:MAX_LINES]
    # What stands on the page is known since it was fetched, whenever it takes place.
    fetched = [r.fetched_at.astimezone(UTC).date() for r in ordered]
    sections = []
    if ahead[1:]:
        sections.append(Section("Then", tuple(ahead[1:])))
    if past:
        sections.append(Section("Before", tuple(past)))
    return Page(
        path=path,
        title=f"Calendar: {name}",
        kind=PageKind.PROJECT,
        created=min(fetched),
        updated=max(fetched),
        summary=tuple(ahead[:1] or past[:1]),
        sections=tuple(sections),
        references={
            connector_address(
                r.connector, r.path
            ): f"{r.title} · fetched {r.fetched_at:%Y-%m-%d} · {r.fingerprint[:12]}"
            for r in ordered
        },
    )


def _event(record: ConnectorRecord) -> Statement:
    return Statement(f"{_at(record)}: “{record.title}”", (connector_address(record.connector, record.path),))


def _at(record: ConnectorRecord) -> date:
    return (record.starts_at or record.fetched_at).astimezone(UTC).date()
