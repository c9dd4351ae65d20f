"""Histories out of people's own exports, as `anamnesis export` writes them; nothing is written back (EV-2)."""

from __future__ import annotations

import json
import mimetypes
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from anamnesis.bootstrap import Draft
from anamnesis.domain.log.episodes import Kind
from anamnesis_tools.bench.histories.values import CourseFile, History

#: What the memory writes by itself: a copy of the history writes its own.
_OWN_KINDS = frozenset({Kind.CONSOLIDATION, Kind.FILE})
#: Questions are asked so long after the last event.
_ASKED_AFTER = timedelta(days=1)


def exported(path: Path, *, zone: str = "UTC", files: Sequence[Path] = ()) -> list[History]:
    """Read a student's export: a history for each subject with episodes that are not erased.

    Parameters
    ----------
    path
        JSON lines of `anamnesis export`. Cited files are not part of an export, so that citations are left out.
    zone
        IANA name of the student's time zone, which an export does not tell.
    files
        Course files of the student's subjects.

    Raises
    ------
    ValueError
        If a line is no item of an export; names its number and no text of it.
    """
    events: dict[str, list[Draft]] = {}
    students: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            item = json.loads(line)
            if item["type"] != "episode" or item["content"] is None:
                continue
            record, said = item["record"], item["content"]["record"]
            draft = _draft(record, said)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path.name}, line {number}: not an item of an export") from error
        if draft.kind not in _OWN_KINDS:
            events.setdefault(record["subject"], []).append(draft)
            students[record["subject"]] = record["student"]
    course = tuple(_course_file(file) for file in files)
    return [
        _history(f"{students[subject]}-{subject}", subject, told, zone, course)
        for subject, told in events.items()
    ]


def _draft(record: Mapping[str, Any], said: Mapping[str, Any]) -> Draft:
    outcome = said["outcome"]
    return Draft(
        kind=Kind(record["kind"]),
        occurred_at=datetime.fromisoformat(record["occurred_at"]),
        text=said["text"],
        summary=said["summary"],
        session_id=said["session_id"],
        language=said["language"],
        topic=said["topic"],
        evaluation=said["evaluation"],
        correct=None if outcome is None else outcome["correct"],
        score=None if outcome is None else outcome["score"],
    )


def _course_file(path: Path) -> CourseFile:
    kind = mimetypes.guess_type(path.name)[0] or "text/markdown"
    return CourseFile(path.name, kind, path.read_bytes())


def _history(
    name: str, subject: str, told: Sequence[Draft], zone: str, files: tuple[CourseFile, ...]
) -> History:
    ordered = sorted(told, key=lambda draft: draft.occurred_at)
    spoken = Counter(draft.language for draft in ordered if draft.language)
    return History(
        name=name,
        subject=subject,
        language=spoken.most_common(1)[0][0] if spoken else "en",
        zone=zone,
        asked_at=ordered[-1].occurred_at + _ASKED_AFTER,
        events=tuple(ordered),
        files=files,
    )
