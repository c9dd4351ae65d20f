"""Which of several teachings about one thing still stands: a later one that contradicts it supersedes an earlier one.

Nothing is taken away: what was superseded stays in the log, in the layer and in the export.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from anamnesis.domain.messages.cues import CueRules, cue_languages, cues_of
from anamnesis.domain.text.folding import folded
from anamnesis.domain.text.languages import reading_order, stop_words
from anamnesis.domain.text.stemming import snowball_stem

#: How many of the latest teachings about one thing are compared; older ones stand only when there are fewer.
COMPARED = 12
#: Words that two teachings must share for a single other word to be a contradiction ("the exam is on Friday",
#: "… on Monday"); characters where words are not spaced. Ours.
_SHARED_WORDS = 4
_SHARED_CHARACTERS = 6
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|[^\W\d_]+|\d+(?:[.,]\d+)*|[^\s\w]")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def standing(notes: Sequence[str]) -> list[int]:
    """Return the places of the notes that no later one contradicts, oldest first.

    Parameters
    ----------
    notes
        What one student taught about one concept, oldest first.
    """
    first = max(0, len(notes) - COMPARED)
    return [
        place
        for place in range(first, len(notes))
        if not any(contradicts(notes[place], later) for later in notes[place + 1 :])
    ]


def superseded(notes: Sequence[str]) -> list[int]:
    """Return the places of the notes that one of the latest ``COMPARED`` contradicts, oldest first.

    Parameters
    ----------
    notes
        As for ``standing``.
    """
    first = max(0, len(notes) - COMPARED)
    return [
        place
        for place, note in enumerate(notes)
        if any(contradicts(note, later) for later in notes[max(first, place + 1) :])
    ]


@lru_cache(maxsize=4_096)
def contradicts(earlier: str, later: str) -> bool:
    """Tell whether two teachings about the same thing cannot both stand.

    They call the same thing, or want it treated as, something else; or they say the same with another number, with
    and without a "not", or with one other word. Two that say different things of one thing both stand.
    """
    one, other = folded(earlier).text, folded(later).text
    if one == other:
        return False
    name = _renamed(earlier)
    if name and name == _renamed(later):
        return True
    if _NUMBER.sub("0", one) == _NUMBER.sub("0", other):
        return True
    return _swapped(_units(one), _units(other)) or _denied(earlier, later)


def _swapped(one: list[str], other: list[str]) -> bool:
    """Whether one word was exchanged for another and all else is the same."""
    short = min(len(one), len(other))
    head = next((n for n in range(short) if one[n] != other[n]), short)
    most = short - head
    tail = next((n for n in range(most) if one[-1 - n] != other[-1 - n]), most)
    spaceless = any(_SPACELESS.match(unit) for unit in one)
    least = _SHARED_CHARACTERS if spaceless else _SHARED_WORDS
    return len(one) == len(other) == head + tail + 1 and head + tail >= least


def _denied(one: str, other: str) -> bool:
    """Whether one says "not" and the other does not, and both have the same words of meaning otherwise."""
    order = reading_order(f"{one} {other}", known=cue_languages())
    if not order:
        return False
    rules = cues_of(order[0].language)
    plain, denied = sorted(
        ((_telling(text, rules), _not(text, rules)) for text in (one, other)), key=_says_no
    )
    return plain[0] == denied[0] != frozenset() and not plain[1] and denied[1]


def _says_no(read: tuple[frozenset[str], bool]) -> bool:
    return read[1]


def _not(text: str, rules: CueRules) -> bool:
    fold = folded(text).text
    return rules.apart.search(fold) is not None or rules.apart_after.search(fold) is not None


def _telling(text: str, rules: CueRules) -> frozenset[str]:
    """Stems of the words that mean something, without any "not"; single characters only where words are not spaced."""
    fold = rules.apart_after.sub(" ", rules.apart.sub(" ", folded(text).text))
    stops = frozenset(folded(word).text for word in stop_words(rules.language))
    return frozenset(
        snowball_stem(unit, rules.language)
        for unit in _units(fold)
        if unit not in stops and len(unit) > rules.spaced
    )


def _units(text: str) -> list[str]:
    units: list[str] = _UNIT.findall(text)
    return [unit for unit in units if unit.isalnum()]


@lru_cache(maxsize=4_096)
def _renamed(text: str) -> str | None:
    """What a teaching gives another name, or wants treated as something else; None when it does neither."""
    fold = folded(text)
    for language, _, _ in reading_order(text, known=cue_languages()):
        rules = cues_of(language)
        for pattern in rules.renamed:
            if match := pattern.fullmatch(fold.text.rstrip(" .!")):
                return _bare(match["name"], rules)
        for pattern in rules.renaming:
            if match := pattern.search(fold.text):
                return _bare(match["name"], rules)
    return None


def _bare(name: str, rules: CueRules) -> str:
    words = name.split()
    while len(words) > 1 and rules.frames(words[0]):
        words = words[1:]
    return " ".join(words)
