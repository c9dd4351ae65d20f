"""What a turn's question asks, understood without any store (BL-4, RC-5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from anamnesis.domain.messages.asked_times import only_asks_for_a_time
from anamnesis.domain.messages.cues import cue_languages
from anamnesis.domain.messages.intents import Intent, QuestionIntent, RecordFocus, read_intent
from anamnesis.domain.text.asking_words import DEFINING_PHRASES
from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.terms import tells_something
from anamnesis.domain.time_windows import TimeWindow, find_window

#: A date named alone ("July?") asks for that time of the record when it lies no further back than this; an older one
#: ("9 November 1989") is a subject.
YEARS_OF_RECORD = 10
_WORD = re.compile(r"\w+")
_SAID = re.compile(r"[^\s?!.,;:¿¡？。！؟]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, understood: its time window, its intent, and what it is about."""

    window: TimeWindow | None
    intent: QuestionIntent
    about: str


def understand(question: str, *, now: datetime, zone: ZoneInfo, with_times: bool = True) -> Asked:
    """Read the time window, the intent and the topic out of a question.

    A time asked for by itself ("and in August?") is a question about the record. In any other ordinary question only a
    past time counted from now ("the cells of last week") filters: "can we go over cells today?" asks for help now, and
    "why did the July Crisis lead to war?" is about a July that nobody here remembers.

    Parameters
    ----------
    question
        The student's words, already bounded.
    now, zone
        The aware time of asking, and the student's time zone.
    with_times
        False to look for no time window.
    """
    question = question.strip()
    window = find_window(question, now=now, zone=zone) if with_times else None
    intent = read_intent(question, window_phrase=window.phrase if window else None)
    if intent.intent is Intent.HISTORY:
        return Asked(window, intent, _said_topic(intent.topic, question))
    if intent.intent is Intent.NONE:
        return Asked(None, intent, "")
    if window is None:
        return Asked(None, intent, question)
    rest = question.replace(window.phrase, " ", 1).strip()
    if _asks_for_a_time(rest, question, window, now):
        return Asked(window, QuestionIntent(Intent.HISTORY, RecordFocus.COVERED, ""), "")
    if window.relative and window.end <= now:
        return Asked(window, intent, rest)
    return Asked(None, intent, question)


def _said_topic(topic: str, question: str) -> str:
    """Return the topic of a history question, empty for leftovers of its frame; a lone letter may be a name ("C")."""
    return topic if len(topic) == 1 or tells_something(topic, detect_language(question)) else ""


def _asks_for_a_time(rest: str, question: str, window: TimeWindow, now: datetime) -> bool:
    """Tell whether a question is for a time and says nothing else."""
    if not window.relative and " ".join(_SAID.findall(rest.casefold())) in DEFINING_PHRASES:
        return False  # "what is the 14th of July?"
    if window.start.year < now.year - YEARS_OF_RECORD:
        return False
    language = detect_language(question) if window.language in cue_languages() else window.language
    if tells_something(rest, language) and not only_asks_for_a_time(rest, language=language):
        return False
    # "And this week?" is about the record, "what shall we do this week?" is not.
    return window.end <= now or len(_WORD.findall(rest)) <= 1
