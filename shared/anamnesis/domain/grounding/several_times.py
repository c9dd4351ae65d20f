"""Every time that a claim about the record names: "wrong on 1 July and again on 3 July" (GR-2)."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

import regex

from anamnesis.domain.grounding.indexed_memories import Remembered
from anamnesis.domain.grounding.statements import Statement, read_statement
from anamnesis.domain.grounding.tables import joining_words, time_joining_words
from anamnesis.domain.time_windows import TimeWindow, find_window

#: Most times of one claim, and most words between two that are named together: "and then again on". Ours.
MAX_TIMES, MAX_BETWEEN = 6, 4
#: Where words are not parted by spaces, or "and" is joined to the next one, what joins two times.
_JOINS = ("和", "与", "與", "及", "、", "と", "그리고", "และ", "و", "ו", ",", "،")
#: The same within what was read as the span of two times.
_JOINED = regex.compile(rf"\s(?:{'|'.join(sorted(joining_words()))})\s|[和与與及、,،と]|\s[وו](?=\w)")


def windows_of(claim: Statement, remembered: Remembered) -> list[TimeWindow]:
    """The first time that a claim names, and those that are named together with it, in their order.

    Other times may be what the claim is about: "in July we talked about the May Fourth Movement".
    """

    def first_in(text: str) -> TimeWindow | None:
        zone = remembered.zone or ZoneInfo("UTC")
        return find_window(text, now=remembered.now, zone=zone, language=claim.language)

    found: list[TimeWindow] = []
    text, end = claim.text, 0
    while len(found) < MAX_TIMES:
        window = first_in(text)
        at = -1 if window is None else text.find(window.phrase, end)
        if window is None or at < 0 or (found and not _joined(text[end:at], claim.language)):
            break
        found += _parts(window, first_in)
        end = at + len(window.phrase)
        # What was read is blanked, so that the places stay and the next one is found.
        text = " " * end + text[end:]
    return found


def _parts(window: TimeWindow, first_in: Callable[[str], TimeWindow | None]) -> list[TimeWindow]:
    """Two times that were read as the span of both: "7月1日和7月3日"."""
    for join in _JOINED.finditer(window.phrase):
        both = [first_in(window.phrase[: join.start()]), first_in(window.phrase[join.end() :])]
        parts = [part for part in both if part is not None]
        if len(parts) == len(both) and (parts[0].start, parts[1].end) == (window.start, window.end):
            return parts if parts[0].end <= parts[1].start else [window]
    return [window]


def _joined(between: str, language: str) -> bool:
    """Whether what stands between two times names them together."""
    words = [word.text for word in read_statement(between, language).words]
    said = between.strip()
    return len(words) <= MAX_BETWEEN and (
        not time_joining_words().isdisjoint(words) or any(said.startswith(join) for join in _JOINS)
    )
