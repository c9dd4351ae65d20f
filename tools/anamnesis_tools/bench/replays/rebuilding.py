"""An isolated copy of a recorded history: a student and a subject of its own, recorded anew through the API (EV-2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.bench.replays.exported_pairs import ExportedEvent, ExportedPair, fingerprint
from anamnesis_tools.bench.scenarios.player import BATCH
from anamnesis_tools.patience import patient, run_night

#: Characters of texts in a request, well below the largest body in any script.
_MAX_BATCH_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a pair.

    Attributes
    ----------
    ids
        Of the copy, by those of the source.
    files
        Id of the copy's file, by fingerprint.
    """

    client: ApiClient
    student: str
    subject: str
    ids: Mapping[str, str]
    files: Mapping[str, str]

    def source_of(self, copied: str) -> str | None:
        """The source's id of an episode of the copy; None of what the copy's memory wrote by itself."""
        return next((source for source, one in self.ids.items() if one == copied), None)

    def chain(self) -> dict[str, Any]:
        """What verifying the copy's log finds."""
        return self.client.call("GET", self.client.subject(self.subject, "chain"))


def rebuilt(
    pair: ExportedPair,
    service: ApiClient,
    name: str,
    *,
    course: Sequence[Path] = (),
    every_night: bool = False,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Copy:
    """Record a pair's events as another student's, in another subject, and run its nights.

    Parameters
    ----------
    name
        Of the copy's student and subject; nobody else's.
    course
        Files whose bytes a citation may be of; they make the copy's map too.
    every_night
        Whether a night is run for each day with events. A night sums up all days before it: the last does.
    progress
        Told what is done, how much of it, of how much.
    """
    client = service.acting_for(name)
    files: dict[str, str] = {}
    for path in course:
        files[fingerprint(path)] = file_id = client.upload(name, path)
        client.wait_until_read(name, file_id)
    ids: dict[str, str] = {}
    pending: list[ExportedEvent] = []
    for number, event in enumerate(pair.events):
        named = {one.id for one in pending}
        chars = sum(len(one.body["text"]) for one in pending)
        if len(pending) == BATCH or chars > _MAX_BATCH_CHARS or named & set(event.memory_ids):
            _record(client, name, pending, ids, files)
            pending = []
            progress("Recording", number, len(pair.events))
        pending.append(event)
    _record(client, name, pending, ids, files)
    days = sorted({event.at.date() for event in pair.events})
    nights = days if every_night else days[-1:]
    for number, day in enumerate(nights):
        progress("Nights", number, len(nights))
        run_night(client, name, day.isoformat())
    return Copy(client, name, name, ids, files)


def _record(
    client: ApiClient,
    name: str,
    events: Sequence[ExportedEvent],
    ids: dict[str, str],
    files: Mapping[str, str],
) -> None:
    if not events:
        return
    bodies = [
        {
            **event.body,
            "memory_ids": [ids[one] for one in event.memory_ids if one in ids],
            "evidence": [
                {"file_id": files[printed], **({} if page is None else {"page": page})}
                for printed, page in event.cited
                if printed in files
            ],
        }
        for event in events
    ]
    key = f"replay-{quote(events[0].id, safe='')}"
    replies = patient(lambda: client.record(name, key, bodies))
    ids.update((event.id, reply["id"]) for event, reply in zip(events, replies, strict=True))
