"""What a question is after: the subject, the student's own record, or nothing at all (BL-4).

`read_intent` is lexical and knows no model: cue tables per language say what asks about one's own record. It answers
for the topic as well, because the topic alone is what routing and matching may use: "what did I get wrong about
osmosis in July" is about osmosis, "what did we cover in July" about nothing in particular.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from anamnesis.domain.messages.cues import CueRules, cue_languages, cues_of
from anamnesis.domain.text.folding import FoldedText, folded
from anamnesis.domain.text.languages import reading_order

#: How much of a question is read, in characters.
READ_CHARACTERS = 2_000
#: A longer message is no greeting.
_GREETING_CHARACTERS = 120
_MEANINGFUL = re.compile(r"[^\W_]")
#: What is written together with a topic without being part of it: elided articles, Korean particles.
_ATTACHED = {
    "fr": re.compile(r"^(?:[ldLD]|[qQ]u)['’](?=\w)"),
    "it": re.compile(r"^(?:[lLdD]|(?:de|su|a|ne|da)ll)['’](?=\w)"),
    "ko": re.compile(r"(?<=\w\w)(?:에서|에|을|를|은|는|의|와|과|으로)$"),
}
#: A stretch of folded text.
Stretch = tuple[int, int]
_EDGES = " \t\n\"'“”„«»‘’.,;:!?؟。、，！？()[]{}<>¿¡*_-–—~…"
_WORD = re.compile(r"[^\s]+")


class Intent(StrEnum):
    """What kind of question it is; `NONE` is no question at all."""

    ORDINARY = "ordinary"
    HISTORY = "history"
    NONE = "none"


class RecordFocus(StrEnum):
    """Which part of the record a history question is after."""

    WRONG = "wrong"
    RIGHT = "right"
    COVERED = "covered"
    TAUGHT = "taught"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class QuestionIntent:
    """What a question is after.

    Attributes
    ----------
    focus
        Which part of the record; None unless the intent is `HISTORY`.
    topic
        What is left of a history question when its frame and its time phrase are taken out, as it stands in the
        text; may be empty. For an ordinary question the whole question; empty for none.
    """

    intent: Intent
    focus: RecordFocus | None
    topic: str


def read_intent(
    question: str, *, window_phrase: str | None = None, language: str | None = None
) -> QuestionIntent:
    """Read what `question` is after.

    Parameters
    ----------
    question
        The student's words; the first 2,000 characters are read.
    window_phrase
        The phrase of the time window found in it, as it stands in the text; None when there is none.
    language
        A BCP 47 tag of the language to expect; the question may be in another one.
    """
    text = question[:READ_CHARACTERS].strip()
    fold = folded(text)
    if not _MEANINGFUL.search(text) or _is_greeting(fold.text):
        return QuestionIntent(Intent.NONE, None, "")
    window = _window_span(fold, window_phrase)
    for candidate, trusted, _ in reading_order(text, known=cue_languages(), language=language):
        rules = cues_of(candidate)
        found = _history(fold.text, rules)
        if found is not None:
            focus, spans = found
            return QuestionIntent(Intent.HISTORY, focus, _topic(fold, [*spans, *window], rules))
        if window and trusted:
            past = rules.own_past.search(fold.text)
            if past is not None:
                return QuestionIntent(
                    Intent.HISTORY, RecordFocus.COVERED, _topic(fold, [*_said(past), *window], rules)
                )
    return QuestionIntent(Intent.ORDINARY, None, text)


def _history(text: str, rules: CueRules) -> tuple[RecordFocus, list[Stretch]] | None:
    """Return the focus of the longest match, and every stretch that any kind matched."""
    best: tuple[int, RecordFocus] | None = None
    spans: list[Stretch] = []
    of_others = rules.others.search(text) is not None
    for kind, pattern in rules.history:
        if of_others and kind == RecordFocus.COVERED:
            continue
        for match in pattern.finditer(text):
            length = match.end() - match.start()
            if best is None or length > best[0]:
                best = (length, RecordFocus(kind))
            spans.extend(_said(match))
    return (best[1], spans) if best else None


def _said(match: re.Match[str]) -> list[Stretch]:
    """Return the stretches of a match that belong to the cue itself, without the gaps that may hold a topic."""
    stretches: list[Stretch] = []
    start = match.start()
    for gap in range(1, (match.re.groups or 0) + 1):
        if match.start(gap) >= start:
            stretches.append((start, match.start(gap)))
            start = match.end(gap)
    return [*stretches, (start, match.end())]


def _window_span(fold: FoldedText, phrase: str | None) -> list[Stretch]:
    if not phrase:
        return []
    at = fold.original.find(phrase)
    if at < 0:
        return []
    inside = [i for i, start in enumerate(fold.starts) if at <= start < at + len(phrase)]
    return [(inside[0], inside[-1] + 1)] if inside else []


def _topic(fold: FoldedText, spans: list[Stretch], rules: CueRules) -> str:
    """Return what is left outside `spans`, less the frame words at the edges of each piece."""
    covered = bytearray(len(fold.text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    pieces: list[str] = []
    start = 0
    for i in range(len(covered) + 1):
        if i == len(covered) or covered[i]:
            piece = _trimmed(fold, start, i, rules)
            if piece:
                pieces.append(piece)
            start = i + 1
    return " ".join(pieces)


def _trimmed(fold: FoldedText, start: int, end: int, rules: CueRules) -> str:
    if not rules.spaced:
        return _trimmed_unspaced(fold, start, end, rules)
    words = [(m.start() + start, m.end() + start) for m in _WORD.finditer(fold.text[start:end])]
    bare = [fold.quote(a, b).strip(_EDGES) for a, b in words]
    first, last = 0, len(words)
    while first < last and (not bare[first] or rules.frames(bare[first])):
        first += 1
    while last > first and (not bare[last - 1] or rules.frames(bare[last - 1])):
        last -= 1
    if first == last:
        return ""
    topic = _bare(fold.quote(words[first][0], words[last - 1][1]))
    return _bare(_ATTACHED[rules.language].sub("", topic) if rules.language in _ATTACHED else topic)


def _trimmed_unspaced(fold: FoldedText, start: int, end: int, rules: CueRules) -> str:
    """Trim frame words, longest first, off both ends of a stretch in a script without spaces."""
    frame = _longest_first(rules.language)
    changed = True
    while changed and start < end:
        changed = False
        for word in (" ", ".", ",", "?", "!", *frame):
            if fold.text.startswith(word, start, end):
                start, changed = start + len(word), True
            if start < end and fold.text.endswith(word, start, end):
                end, changed = end - len(word), True
    return _bare(fold.quote(start, end)) if start < end else ""


@lru_cache(maxsize=64)
def _longest_first(language: str) -> tuple[str, ...]:
    return tuple(sorted(cues_of(language).frame, key=len, reverse=True))


def _bare(text: str) -> str:
    stripped = text.strip(_EDGES)
    return stripped if _MEANINGFUL.search(stripped) else ""


def _is_greeting(text: str) -> bool:
    return len(text) <= _GREETING_CHARACTERS and bool(_greeting_pattern().fullmatch(text))


@lru_cache(maxsize=1)
def _greeting_pattern() -> re.Pattern[str]:
    """Match a text that is greetings and thanks from end to end, of any languages."""
    spaced: set[str] = set()
    unspaced: set[str] = set()
    for language in cue_languages():
        rules = cues_of(language)
        (spaced if rules.spaced else unspaced).update(rules.greetings)
    whole = "|".join(sorted((re.escape(g).replace(r"\ ", " {1,3}") for g in spaced), key=len, reverse=True))
    parts = "|".join(sorted(map(re.escape, unspaced), key=len, reverse=True))
    return re.compile(rf"[\W_]*+(?:(?:(?:{whole})(?!\w)|(?:{parts}))[\W_]*+)++")
