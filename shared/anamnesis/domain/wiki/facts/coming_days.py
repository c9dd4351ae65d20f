"""Days ahead in what a student says: "my exam is on 12 May", "on Friday", "tomorrow" (WD-5).

The reader of time windows prefers the past, as a question to a memory does. A goal lies ahead: the same words are read
with a later "now", so that the latest day before that is the first one after what was said.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from anamnesis.domain.time_windows.windows import find_window
from anamnesis.domain.wiki.facts.cues import FactCues
from anamnesis.domain.wiki.facts.said import Said

#: Longest span that is a date of something: "in June" is one, "next year" is not.
_LONGEST = timedelta(days=32)
#: A weekday is looked for within a week, a date of the calendar within a year.
_REACHES = (timedelta(days=7), timedelta(days=364))
#: Parts of a sentence that are tried by themselves.
_MOST_TRIED = 8
_BEFORE_FIGURE = re.compile(r"^\D+")
_UTC = ZoneInfo("UTC")


def coming_days(said: Said, cues: FactCues) -> tuple[date, date] | None:
    """The first and last day that a sentence names, on or after the day it was said on; None when it names none.

    Days are those of UTC: the log does not keep the student's zone.
    """
    day = said.at.date()
    for name, pattern in cues.coming:
        if pattern.search(said.fold.text):
            return _ahead(name, day)
    for text in (said.text, *_around_figures(said.text)):
        for reach in _REACHES:
            found = _named(text, said.language, said.at + reach)
            if found is not None and found[0] >= day:
                return found
    return None


def _around_figures(text: str) -> list[str]:
    """Each figure with the words beside it: what a whole sentence leaves in doubt ("12 May" may be a subject's)."""
    words = text.strip(" .!?。").split()
    parts = []
    for place, word in enumerate(words):
        if any(c.isdigit() for c in word):
            # Without what is written onto it, such as a preposition of Hebrew.
            figure = _BEFORE_FIGURE.sub("", word)
            parts += [
                " ".join([figure, *words[place + 1 : place + 2]]),
                " ".join([*words[:place][-1:], figure]),
            ]
    return parts[:_MOST_TRIED]


def _ahead(name: str, day: date) -> tuple[date, date]:
    if name == "next_week":
        monday = day + timedelta(days=7 - day.weekday())
        return monday, monday + timedelta(days=6)
    ahead = day + timedelta(days=1 if name == "tomorrow" else 2)
    return ahead, ahead


def _named(text: str, language: str, now: datetime) -> tuple[date, date] | None:
    window = find_window(text, now=now, zone=_UTC, language=language)
    if window is None or window.relative or window.end - window.start > _LONGEST:
        return None
    return window.start.date(), (window.end - timedelta(microseconds=1)).date()
