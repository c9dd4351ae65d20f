"""What an export tells of each pair, with the ids under which it was recorded; the file is only ever read (EV-2)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Final

from anamnesis.domain.log.chain import canonical_hash, commitment_to
from anamnesis_tools.failures import CommandFailed

#: What the memory writes by itself; a copy writes its own.
OWN_KINDS: Final = frozenset({"consolidation", "file"})
#: Fields of an event as a caller records it, that an export has under the same name.
_SAME: Final = ("text", "summary", "topic", "evaluation", "language", "session_id")


class BadExport(CommandFailed):
    """A file that is no export; the text names its line, and nothing of what it says."""


@dataclass(frozen=True, slots=True)
class ExportedEvent:
    """An event of an export.

    Attributes
    ----------
    id
        Of the source.
    body
        As a caller sends it, without what needs ids of the copy.
    memory_ids
        What its answer was given from, by ids of the source.
    cited
        Fingerprint and page of each citation.
    """

    id: str
    kind: str
    at: datetime
    body: Mapping[str, Any]
    memory_ids: tuple[str, ...]
    cited: tuple[tuple[str, int | None], ...]

    @property
    def correct(self) -> bool | None:
        """Result of a check or a quiz; None for others."""
        found: bool | None = self.body.get("correct")
        return found


@dataclass(slots=True)
class ExportedPair:
    """A student's subject as an export tells it.

    Attributes
    ----------
    events
        In the order of the log, without what the memory wrote and what is erased.
    length, head
        Of the source's log when it was exported; None where the export ends before it says so.
    erased, own
        How many episodes are left out for being erased, and for being the memory's own.
    breaks
        Positions at which the export does not give the hashes that it states.
    """

    student: str
    subject: str
    events: list[ExportedEvent] = field(default_factory=list)
    length: int | None = None
    head: str | None = None
    erased: int = 0
    own: int = 0
    breaks: list[int] = field(default_factory=list)
    _last: str | None = None

    def add(self, item: Mapping[str, Any]) -> None:
        """Take an episode of the export."""
        record, content = item["record"], item["content"]
        linked = self._last in {None, record["previous_hash"]}
        whole = canonical_hash(record) == item["hash"]
        said = content is None or commitment_to(content["record"], content["salt"]) == record["commitment"]
        if not (linked and whole and said):
            self.breaks.append(record["position"])
        self._last = item["hash"]
        if content is None:
            self.erased += 1
        elif record["kind"] in OWN_KINDS:
            self.own += 1
        else:
            self.events.append(_event(record, content["record"]))

    def close(self, item: Mapping[str, Any]) -> None:
        """Take what the export says of the log as a whole."""
        self.length, self.head = item["length"], item["head"]
        if self._last not in {None, self.head}:
            self.breaks.append(item["length"])


def exported_pairs(path: Path) -> list[ExportedPair]:
    """Pairs of an export in the order in which they stand.

    Raises
    ------
    BadExport
        If the file cannot be read, or a line is no item of an export.
    """
    pairs: dict[str, ExportedPair] = {}
    student = ""
    for number, item in _items(path):
        try:
            if item["type"] == "episode":
                student, subject = item["record"]["student"], item["record"]["subject"]
                pairs.setdefault(subject, ExportedPair(student, subject)).add(item)
            elif item["type"] == "subject":
                pairs.setdefault(item["subject"], ExportedPair(student, item["subject"])).close(item)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadExport(f"{path}, line {number}: no item of an export") from None
    return [pair for pair in pairs.values() if pair.events]


def fingerprint(path: Path) -> str:
    """Hex SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _items(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError):
                    raise BadExport(f"{path}, line {number}: no JSON") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadExport(f"{path}: {error}") from None


def _event(record: Mapping[str, Any], said: Mapping[str, Any]) -> ExportedEvent:
    # The log keeps times in UTC, and beside them the offset of the clock that the caller named.
    offset = timezone(timedelta(minutes=record.get("utc_offset_minutes") or 0))
    at = datetime.fromisoformat(record["occurred_at"]).astimezone(offset)
    body = {name: said[name] for name in _SAME if said[name] is not None}
    body |= {"kind": record["kind"], "occurred_at": at.isoformat()}
    if said["outcome"] is not None:
        body |= {"correct": said["outcome"]["correct"], "score": said["outcome"]["score"]}
    return ExportedEvent(
        id=record["id"],
        kind=record["kind"],
        at=at,
        body=body,
        memory_ids=tuple(said["memory_ids"]),
        cited=tuple((cited["fingerprint"], cited["page"]) for cited in said["evidence"]),
    )
