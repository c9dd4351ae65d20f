"""Episodes, files and beliefs that the tests of the nightly rules are built from."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.beliefs.revision import CheckResult, Revision, revise
from anamnesis.domain.files import FileRecord
from anamnesis.domain.identifiers import Pair, SubjectScope
from anamnesis.domain.log.episodes import Citation, Content, Episode, Kind, Outcome, salience_of

PAIR = Pair("school", "ana", "biology")
T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
DAY = T0.date()
OLD_BYTES, NEW_BYTES = "aa" * 32, "bb" * 32


def day(number: float) -> datetime:
    """Give the moment so many days after the first."""
    return T0 + timedelta(days=number)


def episode(
    position: int,
    kind: Kind = Kind.QUESTION,
    summary: str = "What is osmosis?",
    *,
    correct: bool | None = None,
    concepts: tuple[str, ...] = (),
    evidence: tuple[Citation, ...] = (),
    language: str = "en",
    about_record: bool = False,
    predicted: float | None = None,
    erased: bool = False,
    at: datetime | None = None,
) -> Episode:
    """Make an unlinked episode; the first concept is the one its outcome is tied to."""
    tied = concepts[0] if concepts else None
    return Episode(
        id=f"e{position}",
        pair=PAIR,
        position=position,
        kind=kind,
        occurred_at=at or T0 + timedelta(minutes=position),
        recorded_at=T0,
        content=None if erased else Content(summary=summary, text=summary),
        salt=None,
        commitment="",
        concepts=concepts,
        salience=salience_of(kind, correct=correct),
        language=language,
        session_id=None,
        outcome=None if correct is None else Outcome(correct, float(correct), tied, predicted),
        evidence=evidence,
        memory_ids=(),
        about_record=about_record,
        previous_hash="",
        hash="",
    )


def course_file(
    file_id: str,
    fingerprint: str | None = OLD_BYTES,
    *,
    replaced_by: str | None = None,
    deleted: bool = False,
) -> FileRecord:
    """Make the record of a course file."""
    return FileRecord(
        id=file_id,
        scope=SubjectScope("school", "biology"),
        name=f"{file_id}.pdf",
        media_type="application/pdf",
        declared_bytes=1,
        uploaded_by="ana",
        created_at=T0,
        fingerprint=fingerprint,
        replaced_by=replaced_by,
        deleted_at=T0 if deleted else None,
    )


def check(
    number: int,
    *,
    correct: bool,
    at: datetime,
    concept: str = "osmosis",
    score: float | None = None,
) -> CheckResult:
    """Make the result of a check."""
    return CheckResult(
        episode_id=f"c{number}",
        occurred_at=at,
        concept=concept,
        concept_name=concept.title(),
        correct=correct,
        score=float(correct) if score is None else score,
    )


def apply(rows: dict[str, Belief], revision: Revision) -> None:
    """Store what a revision inserted and changed."""
    for row in (revision.inserted, revision.changed):
        if row is not None:
            rows[row.id] = row


def replay(checks: list[CheckResult]) -> list[Belief]:
    """All rows after these checks, oldest first."""
    rows: dict[str, Belief] = {}
    for result in checks:
        current = next((b for b in rows.values() if b.superseded_by is None), None)
        apply(rows, revise(current, result, new_id=f"b-{result.episode_id}", pair=PAIR))
    return list(rows.values())


def belief(*, correct: bool = True, at: datetime = T0) -> Belief:
    """Make the belief that one check leaves."""
    return replay([check(1, correct=correct, at=at)])[0]


def night(number: int) -> date:
    """Give the date so many days after the first."""
    return DAY + timedelta(days=number)
