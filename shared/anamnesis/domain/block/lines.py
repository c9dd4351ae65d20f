"""The lines of the memory block that carry content: memories, beliefs, concepts, dates."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.block.material import BlockWindow, Memory
from anamnesis.domain.block.wording import MONTHS
from anamnesis.domain.concepts import MAX_NAME_CHARS
from anamnesis.domain.log.episodes import MAX_SUMMARY_CHARS, Kind
from anamnesis.domain.text.containment import contained
from anamnesis.domain.text.tokens import estimate_tokens

#: Longest content of one line, in characters; a map line holds a name, a gist, notes and prerequisites.
MAX_CONTENT_CHARS = 600
MAX_FILE_NAME_CHARS = 60
MAX_CHANGED_FILES = 3
MAX_PHRASE_CHARS = 60
MAX_PHRASE_TOKENS = 40
#: A line above this may be shortened to fit, one below it never is: half a short sentence misleads.
LONG_LINE_TOKENS = 80
#: What shortening must leave of a line for it to be worth its place.
SHORTENED_TOKENS = 40

#: How a line of earlier work begins; no other line may.
_DATED = re.compile(r"^(\S+ \w{3}(?: \d{1,4})?) · ")

_LABELS = {
    Kind.QUESTION: "you were asked",
    Kind.ANSWER: "you answered",
    Kind.CHECK: "check",
    Kind.QUIZ: "quiz",
    Kind.FILE: "file",
    Kind.TAUGHT: "the student taught you",
    Kind.CONSOLIDATION: "day's summary",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: fixed words, contained content, fixed words, and what goes where there is no room for it.

    Only the content may be shortened.
    """

    before: str
    content: str
    after: str = ""
    more: str = ""

    @property
    def text(self) -> str:
        """The whole line."""
        return f"{self.before}{self.content}{self.after}{self.more}"

    def fitted(self, room_tokens: int) -> Line | None:
        """Return the line itself if it fits, a shortened one if it is very long, else None."""
        tokens = estimate_tokens(self.text)
        if tokens <= room_tokens:
            return self
        if self.more:
            return replace(self, more="").fitted(room_tokens)
        if tokens <= LONG_LINE_TOKENS or room_tokens < SHORTENED_TOKENS:
            return None
        content = shortened(self.content, room_tokens - estimate_tokens(self.before + self.after))
        return Line(self.before, content, self.after) if content else None


def shortened(content: str, room_tokens: int) -> str:
    """Return the longest beginning of contained `content`, with an ellipsis, that fits; empty when none does."""
    low, high = 0, len(content)
    best = ""
    while low < high:
        middle = (low + high + 1) // 2
        cut = contained(content, max_chars=middle)
        if estimate_tokens(cut) <= room_tokens:
            low, best = middle, cut
        else:
            high = middle - 1
    return best if best != "…" else ""


def memory_line(memory: Memory, *, zone: ZoneInfo, now: datetime, more: str = "") -> Line:
    """Return the line of a memory, such as ``- 18 Sep · check: Check on cytoplasm: right (and 3 more …)``.

    Parameters
    ----------
    more
        Contained; stands at the end where there is room.
    """
    before = f"- {shown_date(memory.occurred_at, zone=zone, now=now)} · {_LABELS[memory.kind]}: "
    summary = contained(memory.summary, max_chars=MAX_SUMMARY_CHARS) or "(no words kept)"
    after = _result(memory, summary)
    if memory.repeats == 1:
        after += " (and 1 more time like it)"
    elif memory.repeats > 1:
        after += f" (and {memory.repeats} more times like it)"
    after += _repeated_span(memory, zone=zone, now=now)
    return Line(before, summary, after + _changes(memory.changed_files), more)


def _repeated_span(memory: Memory, *, zone: ZoneInfo, now: datetime) -> str:
    """Return the days from the first to the last of the repeats, unless all were on one (RC-4)."""
    if memory.repeated_from is None or memory.repeated_to is None:
        return ""
    first, last = (shown_date(at, zone=zone, now=now) for at in (memory.repeated_from, memory.repeated_to))
    return "" if first == last else f", from {first} to {last}"


def _result(memory: Memory, summary: str) -> str:
    """Return the outcome in words, unless the summary already ends in it."""
    if memory.outcome is None:
        return ""
    verdict = "right" if memory.outcome.correct else "wrong"
    if memory.kind is Kind.QUIZ or memory.outcome.score not in {0.0, 1.0}:
        percent = f"{memory.outcome.score:.0%}"
        return "" if summary.endswith((percent, verdict)) else f": {percent} {verdict}"
    return "" if summary.lower().endswith(f": {verdict}") else f": {verdict}"


def _changes(changed_files: tuple[tuple[str, str], ...]) -> str:
    """Return the label of cited files that are not what they were (RC-8)."""
    said = [
        f"cites {contained(name, max_chars=MAX_FILE_NAME_CHARS) or 'a file'}, which was {what} since"
        for name, what in changed_files[:MAX_CHANGED_FILES]
    ]
    more = len(changed_files) - MAX_CHANGED_FILES
    if more > 0:
        said.append(f"and {more} more changed files")
    return f" [{'; '.join(said)}]" if said else ""


def belief_line(belief: Belief) -> Line:
    """Return the line of a belief, such as ``- understands cytoplasm (0.72)`` (BE-1)."""
    name = contained(belief.concept_name, max_chars=MAX_NAME_CHARS) or "an unnamed concept"
    confirm = " (to be confirmed)" if belief.needs_confirmation else ""
    return Line(f"- {belief.claim.value} ", name, f" ({belief.confidence:.2f}){confirm}")


def listed_line(text: str) -> Line:
    """Return a line of the map or of the limits as an item of a list, whatever stands in it."""
    line = contained(text, max_chars=MAX_CONTENT_CHARS)
    return Line("- ", _DATED.sub(r"\1 – ", line))


def shown_date(at: datetime, *, zone: ZoneInfo, now: datetime) -> str:
    """Return the day in the student's zone, such as ``12 Jul``; with its year when that is not `now`'s."""
    local = at.astimezone(zone)
    year = "" if local.year == now.astimezone(zone).year else f" {local.year}"
    return f"{local.day} {MONTHS[local.month - 1]}{year}"


def shown_span(window: BlockWindow, *, zone: ZoneInfo) -> str:
    """Return the days of a window, such as ``1 Jul – 31 Jul 2026``."""
    first = window.start.astimezone(zone)
    last = max(first, window.end.astimezone(zone) - timedelta(microseconds=1))
    shown_last = f"{last.day} {MONTHS[last.month - 1]} {last.year}"
    if first.date() == last.date():
        return shown_last
    year = "" if first.year == last.year else f" {first.year}"
    return f"{first.day} {MONTHS[first.month - 1]}{year} – {shown_last}"


def shown_phrase(phrase: str) -> str:
    """Return the student's words for a time, short enough for any budget."""
    words = contained(phrase, max_chars=MAX_PHRASE_CHARS) or "that time"
    return words if estimate_tokens(words) <= MAX_PHRASE_TOKENS else shortened(words, MAX_PHRASE_TOKENS)
