"""What a topic names only to keep it apart: "not osmosis", "anything but osmosis", "osmosis? no, diffusion" (BE-3)."""

from __future__ import annotations

import re
from typing import NamedTuple

from anamnesis.domain.messages.cues import CueRules, cue_languages, cues_of
from anamnesis.domain.text.folding import FoldedText, folded
from anamnesis.domain.text.languages import reading_order

#: Longest topic that is read; a longer one is a sentence and is tied by its evaluation. Ours.
READ_CHARACTERS = 400
#: A mark ends the reach of a "not" before or after it. A hyphen does so only between spaces ("non-metals").
_MARK = re.compile(r"[,;:.!?()\[\]\"|/]| -+ ")


class Contrast(NamedTuple):
    """A topic in two: what it is about, and what it is said not to be about; stretches are joined by commas."""

    meant: str
    apart: str


def contrasted(topic: str, *, language: str | None = None) -> Contrast:
    """Part a topic into what is meant and what is kept apart; without a contrast all of it is meant.

    Parameters
    ----------
    topic
        One of more than 400 characters is not parted.
    language
        A BCP 47 tag of the language to expect; the topic may be in another one.
    """
    if not topic.strip() or len(topic) > READ_CHARACTERS:
        return Contrast(topic, "")
    fold = folded(topic)
    for candidate, trusted, _ in reading_order(topic, known=cue_languages(), language=language):
        spans = _kept_apart(fold.text, cues_of(candidate)) if trusted else []
        if spans:
            return _parted(fold, spans)
    return Contrast(topic, "")


def _kept_apart(text: str, rules: CueRules) -> list[tuple[int, int]]:
    """Stretches of `text` with the words that keep them apart, in order; they may touch, not overlap."""
    spans: list[tuple[int, int]] = []
    for denial in rules.denials.finditer(text):
        spans = [(0, denial.end())]
    done = spans[-1][1] if spans else 0
    for cue in rules.apart.finditer(text, done):
        after = cue.end() + len(text[cue.end() :]) - len(text[cue.end() :].lstrip())
        if cue.start() < done or rules.only.match(text, after):
            continue
        ends = [len(text), *(m.start() for p in (_MARK, rules.but) if (m := p.search(text, cue.end())))]
        done = min(ends)
        spans.append((cue.start(), done))
    for cue in rules.apart_after.finditer(text, done):
        if cue.start() < done:
            continue
        start = max([done, *(m.end() for m in _MARK.finditer(text, done, cue.start()))])
        spans.append((start, cue.end()))
        done = cue.end()
    return spans


def _parted(fold: FoldedText, spans: list[tuple[int, int]]) -> Contrast:
    meant: list[str] = []
    place = 0
    for start, end in spans:
        meant.append(fold.quote(place, start))
        place = end
    meant.append(fold.quote(place, len(fold.text)))
    kept = (piece.strip(' \t\n,;:.!?()[]"|/-–—，、；：。！？؟،।') for piece in meant)
    return Contrast(
        ", ".join(piece for piece in kept if piece), ", ".join(fold.quote(*span) for span in spans)
    )
