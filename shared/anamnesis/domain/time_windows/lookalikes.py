"""Months and weekdays in a name, or spoken of: "the October Revolution", "April is my sister"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from anamnesis.domain.text.folding import FoldedText, fold
from anamnesis.domain.text.tables import read_table
from anamnesis.domain.time_windows.names import loose, words_of
from anamnesis.domain.time_windows.shapes import Point, Shape

#: How far around an expression such words are looked for, in characters. Ours.
_AROUND = 32


class _Words(NamedTuple):
    not_behind: re.Pattern[str]
    not_before: re.Pattern[str]
    event_before: re.Pattern[str]
    event_after: re.Pattern[str]
    title_before: re.Pattern[str]
    predicate_after: re.Pattern[str]


@lru_cache(maxsize=64)
def _words(language: str) -> _Words:
    table = read_table(__package__, "lookalikes")
    keys = ("events", "of", "titles", "is_called", "places", "feasts_before", "feasts_after")
    events, of, titles, called, places, before, after = (
        "|".join(loose(fold(word)) for word in table[key]) for key in keys
    )
    verbs = "|".join(loose(fold(verb)) for verb in table["is"].get(language, ())) or r"(?!)"
    return _Words(
        not_behind=re.compile(rf"(?<!\w)(?:(?:{places})(?: {{1,3}}(?:{of}))? {{0,3}}|(?:{before}) {{0,3}})$"),
        not_before=re.compile(rf" {{1,3}}(?:{after})(?!\w)|\.[^\W\d_]"),
        event_before=re.compile(rf"(?:{events})(?: {{1,3}}(?:{of}))? {{0,3}}$"),
        event_after=re.compile(rf" {{0,3}}(?:{events})"),
        title_before=re.compile(rf"(?<!\w)(?:{titles}) {{1,3}}$"),
        predicate_after=re.compile(
            rf"(?:(?: {{1,3}}|(?<![^\u0e00-\u0eff]))(?:{verbs})(?:[ -]|(?<=[\u0e00-\u0eff]))|(?:{called}))"
        ),
    )


def is_another_word(point: Point, fold: FoldedText, written: frozenset[str]) -> bool:
    """Tell whether the accents of a text that has some make other words of an expression: "năm quả", "thứ sau".

    Parameters
    ----------
    written
        The words with their accents, and those pairs of them, that expressions are made of; empty where accents tell no
        words apart.
    """
    if not written or fold.original.isascii():
        return False
    words = sorted(words_of(fold.quote(point.start, point.end)))
    pairs = [word for word in words if " " in word]
    if point.shape is Shape.WEEKDAY and pairs and not any(pair in written for pair in pairs):
        return True
    return any(word not in written for word in words if " " not in word)


def is_spoken_of(
    point: Point, fold: FoldedText, language: str, *, articles: frozenset[str], trusted_capitals: bool
) -> bool:
    """Tell whether what stands around a month, a weekday or a day of a month makes it no time to ask for.

    Parameters
    ----------
    language
        The one that is read.
    articles
        Words that may stand before a name that is spoken of.
    trusted_capitals
        False where a language writes all its nouns with a capital, so that one shows no name.
    """
    words = _words(language)
    lead, trail = fold.text[max(0, point.start - _AROUND) : point.start], fold.text[point.end :][:_AROUND]
    behind = any(pattern.search(lead) for pattern in (words.event_before, words.not_behind))
    if behind or any(pattern.match(trail) for pattern in (words.event_after, words.not_before)):
        return True
    capital = fold.quote(point.start, point.start + 1).isupper()
    if capital and trusted_capitals and words.title_before.search(lead):
        return True
    said_before = fold.text[: point.start].strip()
    return (not said_before or said_before in articles) and bool(words.predicate_after.match(trail))
