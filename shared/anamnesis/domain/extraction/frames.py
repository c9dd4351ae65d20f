"""Terms explained in passing: "X, which means …", "X, the …, does …", "by X we mean …", "refer to it as X"."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue
from anamnesis.domain.extraction.terms_in_text import (
    QUOTES,
    TIGHT,
    is_name,
    joined,
    last_term,
    terms_after,
    tokens,
    without_articles,
)

#: Characters between the two phrases that hold a term, or between a naming verb and its "as".
_FRAMED_CHARS, _GAP_CHARS = 60, 60
_MAX_FRAMED_WORDS = 5
_OUTER = " *_" + QUOTES
#: What only a pattern for any word at all matches.
_NO_WORD = "\u2020"
#: Words of a name before a relative clause where the text repeats no longer one.
_USUAL_WORDS = 2
#: The longest copula, in characters.
_COPULA_CHARS = 10
#: A sentence's first name, a comma, an article and a few words, and the comma after them.
_APPOSITION = regex.compile(r"^([^,;:()]{2,60}),\s+([^,;:()]{12,160}),\s+\S")


def framed(sentence: str, table: CueTable, counts: dict[str, int]) -> Iterator[tuple[list[str], Cue]]:
    """Names that a sentence explains in passing, with the cue that each stands by."""
    yield from ((words, Cue.RELATIVE) for words in _in_relative_clauses(sentence, table, counts))
    yield from ((words, Cue.APPOSITION) for words in _in_apposition(sentence, table))
    yield from ((words, Cue.FRAMED) for words in _between(sentence, table))
    yield from ((words, Cue.NAMING) for words in _after_gaps(sentence, table, counts))


def _in_relative_clauses(sentence: str, table: CueTable, counts: dict[str, int]) -> Iterator[list[str]]:
    for cue in table.relative.finditer(sentence) if table.relative else ():
        left = sentence[: cue.start()]
        words = last_term(left, table, _USUAL_WORDS, counts)
        # "The slope is negative, which means …" says nothing of a thing called negative.
        if words and not _ends_in_copula(left.removesuffix(joined(words)), table):
            yield words


def _ends_in_copula(left: str, table: CueTable) -> bool:
    tail = left.rstrip()
    return table.copulas is not None and any(
        cue.end() == len(tail) for cue in table.copulas.finditer(tail, max(0, len(tail) - _COPULA_CHARS))
    )


def _in_apposition(sentence: str, table: CueTable) -> Iterator[list[str]]:
    """Yield the first name of a sentence like "Cytosol, the jelly-like substance within the cell, fills …".

    Only where the language has articles, by which such a clause is told from the second of three things listed.
    """
    match = _APPOSITION.match(sentence)
    if match is None or table.definers is None or not table.articles or table.definers.match(_NO_WORD):
        return
    if not sentence.lstrip(_OUTER)[:1].isupper():
        return
    following = tokens(sentence[match.end() - 1 :][:40], table)[:1]
    if following and following[0].casefold() in table.articles | table.conjunctions:
        return
    if table.definers.match(match[2]) and not (table.relative and table.relative.match(f", {match[2]}")):
        words = without_articles([t for t in tokens(match[1], table) if t not in QUOTES], table)
        linked = [word for word in words if word.casefold() in table.linkers - TIGHT]
        if is_name(words, table) and not linked and len(words) <= _MAX_FRAMED_WORDS:
            yield words


def _between(sentence: str, table: CueTable) -> Iterator[list[str]]:
    for before, after in table.framing:
        for opening in before.finditer(sentence):
            closing = after.search(sentence, opening.end(), opening.end() + _FRAMED_CHARS)
            if closing:
                words = _name(sentence[opening.end() : closing.start()], table)
                if words:
                    yield words


def _name(text: str, table: CueTable) -> list[str]:
    words = without_articles([t for t in tokens(text.strip(" ,:"), table) if t not in QUOTES], table)
    return words if is_name(words, table, defined=True) and len(words) <= _MAX_FRAMED_WORDS else []


def _after_gaps(sentence: str, table: CueTable, counts: dict[str, int]) -> Iterator[list[str]]:
    for verb, particle in table.gaps:
        for opening in verb.finditer(sentence):
            start = opening.end()
            if particle is not None:
                closing = particle.search(sentence, start, start + _GAP_CHARS)
                if closing is None or any(sign in sentence[start : closing.start()] for sign in ",;:."):
                    continue
                start = closing.end()
            yield from terms_after(sentence[start:], table, counts)
