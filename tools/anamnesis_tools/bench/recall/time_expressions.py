"""Times in questions against labelled phrases (RC-5): `anamnesis bench time FILE`.

The file is a JSON array of objects with `lang`, `text`, `reference_time`, `start`, `end` (times without offset are UTC)
and `end_rule`, "exclusive" where the end is known. The data set is not shipped: the caller names it. Beside the share
of right starts and ends stands how many of the wrong windows still hold the day that was meant, since a memory is lost
only when its day lies outside; and two baselines, for what the figures would be without reading anything: the day of
asking, and the whole seven days before it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.table import Table

from anamnesis.domain.time_windows import TimeWindow, find_window

_ZONE = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class Miss:
    """A phrase whose window begins at another day than the label's, and both."""

    language: str
    text: str
    asked: str
    expected: str
    found: str | None
    held: bool


@dataclass(frozen=True, slots=True)
class LanguageScore:
    """What was right in one language.

    Attributes
    ----------
    phrases, starts
        Phrases measured, and windows with the right start.
    ends, with_ends
        Of the phrases whose end is labelled, windows with both right, and their number.
    held
        Windows that hold the labelled start, right or not.
    today, past_week
        Starts that the two baselines get right.
    """

    language: str
    phrases: int
    starts: int
    ends: int
    with_ends: int
    held: int
    today: int
    past_week: int


@dataclass(frozen=True, slots=True)
class TimeScores:
    """All languages, the misses, and milliseconds a phrase took."""

    languages: list[LanguageScore]
    misses: list[Miss]
    milliseconds: float


def measure(file: Path) -> TimeScores:
    """Read every phrase of `file` in its language and compare the windows.

    Raises
    ------
    KeyError, ValueError
        If the file is not of the format.
    """
    phrases: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    languages = list(dict.fromkeys(str(phrase["lang"]) for phrase in phrases))
    began = perf_counter()
    found = [_window(phrase) for phrase in phrases]
    spent = perf_counter() - began
    pairs = list(zip(phrases, found, strict=True))
    return TimeScores(
        languages=[
            _score(language, [p for p in pairs if p[0]["lang"] == language]) for language in languages
        ],
        misses=[_miss(phrase, window) for phrase, window in pairs if not _starts(phrase, window)],
        milliseconds=1_000 * spent / max(len(phrases), 1),
    )


def shown(scores: TimeScores, *, as_json: bool) -> None:
    """Print the scores, as a table for people or as JSON."""
    if as_json:
        print(json.dumps(asdict(scores), indent=1, ensure_ascii=False))
        return
    columns = ("phrases", "starts", "share", "both", "start held", "today", "past week")
    table = Table("language", *columns, title="Times in questions against labelled phrases")
    for s in scores.languages:
        figures = (s.phrases, s.starts, f"{s.starts / s.phrases:.3f}", f"{s.ends}/{s.with_ends}", s.held)
        table.add_row(s.language, *map(str, figures), str(s.today), str(s.past_week))
    total = sum(s.phrases for s in scores.languages)
    right = sum(s.starts for s in scores.languages)
    console = Console(width=130)
    console.print(table)
    console.print(
        f"{right} of {total} starts ({right / max(total, 1):.3f}); {scores.milliseconds:.2f} ms a phrase"
    )
    for miss in scores.misses:
        held = "holds it" if miss.held else "misses it"
        console.print(
            f"{miss.language}: {miss.text!r} on {miss.asked}: {miss.expected}, found {miss.found} ({held})",
            markup=False,
            highlight=False,
        )


def _window(phrase: dict[str, Any]) -> TimeWindow | None:
    return find_window(
        phrase["text"], now=_moment(phrase["reference_time"]), zone=_ZONE, language=phrase["lang"]
    )


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _starts(phrase: dict[str, Any], window: TimeWindow | None) -> bool:
    return window is not None and window.start == _moment(phrase["start"])


def _ends(phrase: dict[str, Any], window: TimeWindow | None) -> bool:
    return window is not None and window.end == _moment(phrase["end"])


def _holds(phrase: dict[str, Any], window: TimeWindow | None) -> bool:
    return window is not None and window.start <= _moment(phrase["start"]) < window.end


def _score(language: str, pairs: list[tuple[dict[str, Any], TimeWindow | None]]) -> LanguageScore:
    labelled = [(p, w) for p, w in pairs if p["end_rule"] == "exclusive"]
    midnights = [
        (_moment(p["start"]), _moment(p["reference_time"]).replace(hour=0, minute=0, second=0))
        for p, _ in pairs
    ]
    return LanguageScore(
        language=language,
        phrases=len(pairs),
        starts=sum(_starts(p, w) for p, w in pairs),
        ends=sum(_starts(p, w) and _ends(p, w) for p, w in labelled),
        with_ends=len(labelled),
        held=sum(_holds(p, w) for p, w in pairs),
        today=sum(start == midnight for start, midnight in midnights),
        past_week=sum(start == midnight - timedelta(days=7) for start, midnight in midnights),
    )


def _miss(phrase: dict[str, Any], window: TimeWindow | None) -> Miss:
    return Miss(
        language=phrase["lang"],
        text=phrase["text"],
        asked=phrase["reference_time"][:10],
        expected=f"{phrase['start'][:10]}/{phrase['end'][:10]}",
        found=None if window is None else f"{window.start.date()}/{window.end.date()}",
        held=_holds(phrase, window),
    )
