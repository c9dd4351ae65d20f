"""Episodes: the immutable events of a pair's log (EP-1, EP-2, EP-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from enum import StrEnum

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.identifiers import Pair

#: Largest text of one episode, in characters. A million-character message is normal input.
MAX_TEXT_CHARS = 1_000_000
#: Largest one-line summary, in characters.
MAX_SUMMARY_CHARS = 300
#: Most episodes in one append. DynamoDB allows 100 items in a transaction; the head, the idempotency record and the
#: day's activity need places of their own.
MAX_BATCH = 50
#: A check or quiz counts as passed from this score on (0–1).
PASS_SCORE = 0.5
#: Two episodes that follow each other within this time belong to one exchange, in seconds. Ours.
EXCHANGE_SECONDS = 1_800

#: Years that a time may lie in; near the ends of the calendar time-zone arithmetic overflows.
YEARS = range(1900, 2200)


def checked_moment(moment: datetime, *, field: str) -> datetime:
    """Return an aware `moment` unchanged if it lies in ``YEARS``.

    Raises
    ------
    InvalidInput
        If it does not; names `field`.
    """
    if moment.year not in YEARS:
        raise InvalidInput(f"must lie between {YEARS[0]} and {YEARS[-1]}", field=field)
    return moment


class Kind(StrEnum):
    """What happened (EP-1)."""

    QUESTION = "question"
    ANSWER = "answer"
    CHECK = "check"
    QUIZ = "quiz"
    FILE = "file"
    TAUGHT = "taught"
    CONSOLIDATION = "consolidation"


@dataclass(frozen=True, slots=True)
class Citation:
    """A file and page that an answer cited, stamped with the SHA-256 (hex) of the file's bytes as it was then."""

    file_id: str
    page: int | None
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a check or quiz.

    Attributes
    ----------
    correct
        Whether it was passed.
    score
        0–1; 1.0 or 0.0 when the caller gave only `correct`.
    concept
        Canonical key of the concept it was tied to when written, or None.
    predicted
        Mastery predicted beforehand (0–1) by knowledge tracing, or None when it was tied to no concept.
    """

    correct: bool
    score: float
    concept: str | None
    predicted: float | None


@dataclass(frozen=True, slots=True)
class Content:
    """What was said."""

    summary: str
    text: str
    topic: str | None = None
    evaluation: str | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """One immutable event at one position of a pair's chain (EP-2).

    Identity, place, kind, times and hashes stay for ever. Everything else enters the chain as a salted commitment only
    and goes when the episode is erased: it then has no content, concepts, outcome, evidence, memory ids or session.

    Attributes
    ----------
    position
        1 for the first episode of the pair, then without gaps in the order of appending.
    occurred_at, recorded_at
        Aware datetimes in UTC; the first comes from the caller and may be months old or out of order.
    content
        None once erased.
    salt, commitment
        ``commitment`` is the hex SHA-256 over the salt and all that erasing removes (``chain.committed_record``); the
        salt (16 bytes, hex) goes with it, so that what was erased cannot be guessed from what stays.
    salience
        0–1, fixed by the kind when written (EP-6).
    about_record
        True for a question about the student's own record and for the answer to it: such an answer narrates
        memories and is never recalled as one (RC-6).
    memory_ids
        Ids of the memories that were in the block when an answer was written (RC-9, GR-2).
    previous_hash, hash
        Hex SHA-256; see ``domain.log.chain``.
    utc_offset_minutes
        How far the caller's clock was ahead of UTC (negative: behind) when it happened: what tells the student's day,
        through changes of clocks and journeys.
    """

    id: str
    pair: Pair
    position: int
    kind: Kind
    occurred_at: datetime
    recorded_at: datetime
    content: Content | None
    salt: str | None
    commitment: str
    concepts: tuple[str, ...]
    salience: float
    language: str
    session_id: str | None
    outcome: Outcome | None
    evidence: tuple[Citation, ...]
    memory_ids: tuple[str, ...]
    about_record: bool
    previous_hash: str
    hash: str
    utc_offset_minutes: int = 0

    @property
    def day(self) -> date:
        """The student's own day that it happened on."""
        return self.occurred_at.astimezone(self._zone).date()

    @property
    def day_over(self) -> date:
        """The first UTC day at whose end the student's own day is over: that day, or west of Greenwich the next one."""
        midnight = datetime.combine(self.day + timedelta(days=1), time.min, self._zone)
        return (midnight - timedelta(microseconds=1)).astimezone(UTC).date()

    @property
    def local_occurred_at(self) -> datetime:
        """When it happened, by the student's clock."""
        return self.occurred_at.astimezone(self._zone)

    @property
    def tied_to(self) -> str | None:
        """Canonical key of the concept that a check was tied to when it was written; None of any other episode."""
        return None if self.outcome is None else self.outcome.concept

    @property
    def _zone(self) -> timezone:
        return timezone(timedelta(minutes=self.utc_offset_minutes))


def span_of(day: date) -> tuple[datetime, datetime]:
    """From when until when it may be this day somewhere; what happened then is of this day only if it says so.

    An offset from UTC is less than a day (RFC 3339).
    """
    midnight = datetime.combine(day, time.min, UTC)
    return midnight - timedelta(days=1), midnight + timedelta(days=2)


#: Language of an episode that says nothing any more: BCP 47 for "undetermined".
NO_LANGUAGE = "und"


def erased(episode: Episode) -> Episode:
    """What stays of `episode` when it is erased: identity, place, kind, times, and hashes that still hold."""
    return replace(
        episode,
        content=None,
        salt=None,
        concepts=(),
        salience=0.0,
        language=NO_LANGUAGE,
        session_id=None,
        outcome=None,
        evidence=(),
        memory_ids=(),
        about_record=False,
    )


@dataclass(frozen=True, slots=True)
class Head:
    """Length and latest hash of a pair's chain; length 0 and ``GENESIS_HASH`` before the first episode.

    Attributes
    ----------
    erasures
        Steps in which contents of this log were erased so far. What was made from the log before the latest of them
        may hold what was erased, so that every copy and projection of the log states the number that it has seen.
    """

    length: int
    hash: str
    erasures: int = 0


@dataclass(frozen=True, slots=True)
class AppendReceipt:
    """What an append wrote, kept under its idempotency key so that a retry gets the same answer.

    Attributes
    ----------
    request_hash
        Hex SHA-256 of the canonical request; a different one under the same key is a conflict. Once a part of the
        batch was erased, ``erasures.sealed_request`` of it: the hash of a short text gives it away.
    positions
        First and last position written.
    first_hash, last_hash
        Hashes of the episodes there, so that a receipt edited to other positions shows; None in old receipts.
    """

    key: str
    request_hash: str
    first_position: int
    last_position: int
    first_hash: str | None = None
    last_hash: str | None = None

    def vouches_for(self, episodes: Sequence[Episode]) -> bool:
        """Whether `episodes` stand at every position from first to last, and begin and end with its hashes."""
        # Compared as spans first: an edited receipt may claim any.
        if not episodes or len(episodes) != self.last_position - self.first_position + 1:
            return False
        return (
            all(e.position == p for p, e in enumerate(episodes, start=self.first_position))
            and self.first_hash in {None, episodes[0].hash}
            and self.last_hash in {None, episodes[-1].hash}
        )


#: EP-6. Missed and passed checks differ; quizzes follow by their score.
SALIENCE: Mapping[Kind, float] = {
    Kind.TAUGHT: 0.85,
    Kind.QUESTION: 0.35,
    Kind.ANSWER: 0.45,
    Kind.FILE: 0.50,
    Kind.CONSOLIDATION: 0.40,
}
MISSED_SALIENCE = 0.70
PASSED_SALIENCE = 0.60


def salience_of(kind: Kind, *, correct: bool | None) -> float:
    """Salience (0–1) by kind, fixed when an episode is written (EP-6).

    Raises
    ------
    ValueError
        If a check or quiz comes without its result.
    """
    if kind in {Kind.CHECK, Kind.QUIZ}:
        if correct is None:
            raise ValueError("a check or quiz has no salience before its result is known")
        return PASSED_SALIENCE if correct else MISSED_SALIENCE
    return SALIENCE[kind]
