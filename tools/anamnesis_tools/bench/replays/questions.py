"""Questions of real shape for a recorded history, and what their blocks must hold by ids (EV-2).

The student's own questions, each as of the moment before it was asked: what would the memory have given then? And,
after the last event, questions about the record, whose answers the events tell.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

from anamnesis_tools.bench.replays.exported_pairs import ExportedEvent, ExportedPair

#: Own questions asked at most, spread over the history. Ours.
OWN_QUESTIONS = 20
#: Active and empty months asked about at most, each. Ours.
MONTHS = 3
#: A memory of one turn is none of the turn itself: that is asked so long before it was.
_BEFORE = timedelta(milliseconds=1)
#: Questions about the record are asked so long after the last event.
_AFTER = timedelta(hours=1)
#: A month is named without its year only within so many days, so that no other of that name is meant.
_NAMED_DAYS = 330


@dataclass(frozen=True, slots=True)
class ReplayQuestion:
    """A question, and what must come of it.

    Attributes
    ----------
    kind
        ``own``, ``wrong``, ``month`` or ``empty month``.
    now
        The moment as of which it is asked.
    wanted
        Ids of the source of which some must be in the block.
    allowed
        Ids of the source beside which none may be; None where others may.
    empty
        Whether the block must say that there is no record of that time, and list none.
    given
        What the source's own answer was given from, by ids of the source.
    """

    kind: str
    text: str
    now: datetime
    wanted: frozenset[str] = frozenset()
    allowed: frozenset[str] | None = None
    empty: bool = False
    given: tuple[str, ...] = ()


def asked_of(pair: ExportedPair, zone: ZoneInfo) -> list[ReplayQuestion]:
    """Questions of a pair, in the language that its student writes most, or in English for want of wording."""
    end = max(event.at for event in pair.events) + _AFTER
    words = _words(pair.events)
    return [
        *_own(pair.events),
        *_wrong(pair.events, words, end),
        *_months(pair.events, words, end, zone),
    ]


def _words(events: Sequence[ExportedEvent]) -> Mapping[str, Any]:
    wording = files("anamnesis_tools.bench.designs") / "wording.toml"
    known = tomllib.loads(wording.read_text(encoding="utf-8"))
    spoken = Counter(str(event.body.get("language", "")).partition("-")[0] for event in events)
    found: Mapping[str, Any] = known.get(spoken.most_common(1)[0][0], known["en"])
    return found


def _own(events: Sequence[ExportedEvent]) -> Iterator[ReplayQuestion]:
    asked = [number for number, event in enumerate(events) if event.kind == "question"]
    step = max(1, -(-len(asked) // OWN_QUESTIONS))
    # Counted from the end: late questions have the longer history behind them.
    for number in sorted(asked[::-1][::step]):
        event = events[number]
        answer = events[number + 1] if number + 1 < len(events) else None
        same = (
            answer is not None
            and answer.kind == "answer"
            and answer.body.get("session_id") == event.body.get("session_id")
        )
        given = answer.memory_ids if answer is not None and same else ()
        yield ReplayQuestion("own", event.body["text"], event.at - _BEFORE, given=given)


def _wrong(
    events: Sequence[ExportedEvent], words: Mapping[str, Any], end: datetime
) -> Iterator[ReplayQuestion]:
    missed = frozenset(event.id for event in events if event.correct is False)
    if missed:
        passed = frozenset(event.id for event in events if event.correct is True)
        others = frozenset(event.id for event in events) - passed
        yield ReplayQuestion("wrong", words["wrong"][0], end, wanted=missed, allowed=others)


def _months(
    events: Sequence[ExportedEvent], words: Mapping[str, Any], end: datetime, zone: ZoneInfo
) -> Iterator[ReplayQuestion]:
    by_month: dict[tuple[int, int], set[str]] = {}
    for event in events:
        local = event.at.astimezone(zone)
        by_month.setdefault((local.year, local.month), set()).add(event.id)
    today = end.astimezone(zone)
    left = {True: MONTHS, False: MONTHS}
    for month in _back(today, min(event.at for event in events).astimezone(zone)):
        ids = by_month.get(month)
        active = ids is not None
        if left[active]:
            left[active] -= 1
            text = words["month"][0].format(month=words["months"][month[1] - 1])
            known = frozenset(ids or ())
            yield ReplayQuestion(
                "month" if active else "empty month", text, end, known, known, empty=not active
            )


def _back(last: datetime, first: datetime) -> Iterator[tuple[int, int]]:
    """Months from the one before the last back to the first, as far as a name alone means them."""
    year, month = last.year, last.month
    while (year, month) > (first.year, first.month):
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
        if (last - last.replace(year=year, month=month, day=1)).days <= _NAMED_DAYS:
            yield year, month
