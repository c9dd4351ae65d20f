"""Work by week and month, and the checks, read from a history's columns and not from its episodes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

import numpy as np
import numpy.typing as npt

from anamnesis.domain.log.episodes import Kind
from anamnesis.domain.report.cuts import first_of, last_of
from anamnesis.domain.report.values import Activity, Month, Week
from anamnesis.domain.text.terms import term_hash
from anamnesis.domain.working_set import KIND_CODES, Segment
from anamnesis.domain.working_set.segments import ERASED_FOLD

#: Weeks and months told, the latest ones, and topics of a month. Ours: a year of weeks fits a page's width.
MAX_WEEKS: Final = 53
MAX_MONTHS: Final = 24
MAX_TOPICS: Final = 6

_CHECKED: Final = tuple(KIND_CODES[kind] for kind in (Kind.CHECK, Kind.QUIZ))
_QUESTION, _TAUGHT = KIND_CODES[Kind.QUESTION], KIND_CODES[Kind.TAUGHT]
#: What is somebody's work: neither what nights wrote nor that a file arrived.
_WORK: Final = tuple(
    KIND_CODES[kind] for kind in (Kind.QUESTION, Kind.ANSWER, Kind.CHECK, Kind.QUIZ, Kind.TAUGHT)
)
#: Time zones are off UTC by whole quarters of an hour (IANA, from 1972 on; before that by seconds, which no day here
#: depends on), so that moments of one quarter lie on one local day.
_QUARTER_SECONDS: Final = 900


@dataclass(frozen=True, slots=True)
class CheckPlaces:
    """Checks and quizzes that are not erased, by id, in the order of the log."""

    recorded: int
    passed: int
    positions: Mapping[str, int]

    def behind_nothing(self, tied: Collection[str]) -> list[int]:
        """Positions of those that are not among the `tied`, the latest first."""
        return [position for found, position in reversed([*self.positions.items()]) if found not in tied]


@dataclass(slots=True)
class _Tally:
    """What a week or month held."""

    days: set[date] = field(default_factory=set)
    turns: int = 0
    questions: int = 0
    passed: int = 0
    missed: int = 0
    taught: int = 0
    concepts: Counter[str] = field(default_factory=Counter)


def positions_of(segments: Iterable[Segment], ids: Collection[str]) -> dict[str, int]:
    """Where the episodes of these ids stand; those that the history does not know are left out."""
    found: dict[str, int] = {}
    wanted = [name.encode("ascii", "replace") for name in ids]
    for segment in segments:
        rows = np.flatnonzero(np.isin(segment.ids, wanted)) if wanted else np.array([], dtype=np.intp)
        found |= {segment.ids[row].decode(): segment.first_position + int(row) for row in rows}
    return found


def checks_in(segments: Iterable[Segment]) -> CheckPlaces:
    """Every check and quiz of a history."""
    positions: dict[str, int] = {}
    passed = 0
    for segment in segments:
        there = np.isin(segment.kinds, _CHECKED) & (segment.folds != ERASED_FOLD)
        passed += int((segment.outcome[there] == 1).sum())
        for row in np.flatnonzero(there):
            positions[segment.ids[row].decode()] = segment.first_position + int(row)
    return CheckPlaces(len(positions), passed, positions)


def citing_answers(segments: Iterable[Segment]) -> int:
    """How many answers cite a file; an event of a file names it too, and is looked up by no night."""
    answer = KIND_CODES[Kind.ANSWER]
    return sum(int((segment.cites & (segment.kinds == answer)).sum()) for segment in segments)


def erased_in(segments: Iterable[Segment]) -> int:
    """How many positions say nothing any more."""
    return sum(int((segment.folds == ERASED_FOLD).sum()) for segment in segments)


def span_of(segments: Sequence[Segment]) -> tuple[int, datetime | None, datetime | None]:
    """How many episodes there are that are neither erased nor a night's, and when the first and last happened."""
    kept = [
        s.occurred[(s.folds != ERASED_FOLD) & (s.kinds != KIND_CODES[Kind.CONSOLIDATION])] for s in segments
    ]
    times = np.concatenate(kept) if kept else np.array([], dtype=np.int64)
    if not len(times):
        return 0, None, None
    first, last = (datetime.fromtimestamp(int(t), UTC) for t in (times.min(), times.max()))
    return len(times), first, last


def activity_of(segments: Sequence[Segment], names: Mapping[str, str], zone: tzinfo) -> Activity:
    """Weeks, with the quiet ones between them, and months with work.

    Parameters
    ----------
    names
        Name to show by canonical key; what is touched under other keys is told by no name.
    """
    weeks: dict[date, _Tally] = defaultdict(_Tally)
    months: dict[date, _Tally] = defaultdict(_Tally)
    every_day: set[date] = set()
    for segment in segments:
        rows = np.flatnonzero(np.isin(segment.kinds, _WORK) & (segment.folds != ERASED_FOLD))
        days = _days(segment.occurred[rows], zone)
        every_day |= set(days)
        for row, day in zip(rows, days, strict=True):
            for tally in (weeks[day - timedelta(days=day.weekday())], months[day.replace(day=1)]):
                _count(tally, day, int(segment.kinds[row]), int(segment.outcome[row]))
        _touch(months, segment, rows, days, names)
    told_weeks = _without_gaps(weeks)
    told_months = [_month(first, months[first]) for first in sorted(months)]
    return Activity(
        weeks=last_of(told_weeks, MAX_WEEKS, _weeks_between(weeks)),
        months=last_of(told_months, MAX_MONTHS),
        days=len(every_day),
        turns=sum(tally.questions for tally in months.values()),
    )


def _days(times: npt.NDArray[np.int64], zone: tzinfo) -> list[date]:
    quarters, where = np.unique(times // _QUARTER_SECONDS, return_inverse=True)
    local = [datetime.fromtimestamp(int(q) * _QUARTER_SECONDS, zone).date() for q in quarters]
    return [local[index] for index in where]


def _count(tally: _Tally, day: date, kind: int, outcome: int) -> None:
    tally.days.add(day)
    tally.turns += kind not in _CHECKED
    tally.questions += kind == _QUESTION
    tally.taught += kind == _TAUGHT
    tally.passed += outcome == 1
    tally.missed += outcome == 0


def _touch(
    months: Mapping[date, _Tally],
    segment: Segment,
    rows: npt.NDArray[np.intp],
    days: Sequence[date],
    names: Mapping[str, str],
) -> None:
    """Count which concepts were touched in which month; asking for one's record touches none (RC-6)."""
    month_of = {int(row): day.replace(day=1) for row, day in zip(rows, days, strict=True)}
    postings = segment.concept_postings
    hashes = {term_hash(key): name for key, name in names.items()}
    for index, term in enumerate(postings.terms):
        name = hashes.get(int(term))
        if name is None:
            continue
        for row in postings.rows[postings.offsets[index] : postings.offsets[index + 1]]:
            month = month_of.get(int(row))
            if month is not None and not segment.about_record[row]:
                months[month].concepts[name] += 1


def _without_gaps(weeks: Mapping[date, _Tally]) -> list[Week]:
    """The weeks from the first to the last with work, at most ``MAX_WEEKS`` of the quiet ones in a row dropped."""
    told: list[Week] = []
    for monday in sorted(weeks):
        if told:
            quiet = (monday - told[-1].monday).days // 7 - 1
            # Years without work need no rows: what is beyond the longest that is shown would be cut anyway.
            first = monday - timedelta(weeks=min(quiet, MAX_WEEKS))
            told += [Week(first + timedelta(weeks=n), 0, 0, 0) for n in range(min(quiet, MAX_WEEKS))]
        tally = weeks[monday]
        told.append(Week(monday, tally.turns, tally.passed, tally.missed))
    return told


def _weeks_between(weeks: Collection[date]) -> int:
    """How many weeks there are from the first to the last with work."""
    return (max(weeks) - min(weeks)).days // 7 + 1 if weeks else 0


def _month(first: date, tally: _Tally) -> Month:
    topics = sorted(tally.concepts, key=lambda name: (-tally.concepts[name], name))
    return Month(
        first=first,
        days=len(tally.days),
        questions=tally.questions,
        passed=tally.passed,
        missed=tally.missed,
        taught=tally.taught,
        concepts=first_of(topics, MAX_TOPICS),
    )
