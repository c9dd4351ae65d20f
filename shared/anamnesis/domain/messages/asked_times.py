"""Whether what stands beside a time in a question says anything: "remind me what happened in July" asks for July."""

from __future__ import annotations

from functools import lru_cache

import regex

from anamnesis.domain.messages.cues import CueRules, cue_languages, cues_of
from anamnesis.domain.text.folding import fold
from anamnesis.domain.text.languages import UNDETERMINED, primary_tag, reading_order, stop_words
from anamnesis.domain.text.tables import read_table

#: Longest rest that is looked at, in characters: a frame is short. Ours.
READ_CHARACTERS = 120
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}'’-]+")


def only_asks_for_a_time(rest: str, *, language: str | None = None) -> bool:
    """Tell whether a question without its time holds nothing but words that ask for one.

    Parameters
    ----------
    rest
        The question, its words for the time taken out; an empty one only asks.
    language
        A BCP 47 tag of the language to expect.
    """
    if len(rest) > READ_CHARACTERS:
        return False
    if not _WORD.search(rest):
        return True
    if primary_tag(language) not in {*cue_languages(), UNDETERMINED}:
        return _is_bare(rest, primary_tag(language))
    readings = reading_order(rest, known=cue_languages(), language=language)
    return any(_says_nothing(rest, cues_of(reading.language)) for reading in readings if reading.trusted)


def _is_bare(rest: str, language: str) -> bool:
    """Tell whether a question in a language without cues has at most one word of its own: "Τι κάναμε τον […];".

    That word is taken for the verb. "Τι είναι όσμωση;" is as short, but no time stood in it.
    """
    empty = _empty_words(language)
    words = [fold(word) for word in _WORD.findall(rest)]
    return bool(empty) and sum(word not in empty for word in words) <= 1


@lru_cache(maxsize=64)
def _empty_words(language: str) -> frozenset[str]:
    own = read_table(__package__, "asked_times")["words"].get(language, "").split()
    return frozenset(map(fold, (*stop_words(language), *own)))


def _says_nothing(rest: str, rules: CueRules) -> bool:
    if rules.spaced:
        return all(fold(word) in rules.of_a_time for word in _WORD.findall(rest))
    left = fold(rest)
    for word in sorted(rules.of_a_time, key=len, reverse=True):
        left = left.replace(word, " ")
    return _WORD.search(left) is None
