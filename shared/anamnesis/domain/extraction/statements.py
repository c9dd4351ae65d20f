"""Sentences about a term: "X is a …", "X refers to …", "… is called X"."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from anamnesis.domain.extraction.brackets import FOREIGN
from anamnesis.domain.extraction.complements import defines_little, is_bracketed_name, names_something_else
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.terms_in_text import (
    QUOTES,
    is_name,
    joined,
    last_term,
    terms_after,
    terms_before,
    tokens,
    without_articles,
)

_DASHED = regex.compile(r"^(.{2,80}?)\s+[–—]\s+(.{10,})$")
_BRACKET = regex.compile(r"\s*[(（][^()（）]*[)）]")
_MAX_SUBJECT_CHARS = 160
#: What says what something is takes a few words ("It lasted for years" does not).
_MIN_MEANING_CHARS = 12
_MAX_DASHED_WORDS = 4


def subjects(sentence: str, page: int, order: int, table: CueTable) -> Iterator[Mention]:
    """X is a …, X refers to …, X – …: the term before the first cue of the sentence."""
    for pattern, strong in ((table.verbs, True), (table.copulas, False)):
        cue = pattern.search(sentence, endpos=_MAX_SUBJECT_CHARS) if pattern else None
        if cue is None or cue.start() == 0:
            continue
        names, aside, opening = terms_before(sentence[: cue.start()], table)
        # A clause within a sentence only tells what its subject is where it says so plainly.
        kind = _kind(sentence, cue, table, strong=strong, opening=opening) if names else None
        if kind is not None:
            for words in names:
                yield Mention(joined(words), kind, page, order, sentence)
            yield from _aliases(aside, page, order, sentence, table)
            return
    dashed = _DASHED.match(sentence)
    if dashed:
        words = without_articles(tokens(_BRACKET.sub("", dashed[1]), table), table)
        if is_name(words, table) and len(words) <= _MAX_DASHED_WORDS:
            yield Mention(joined(words), Cue.WEAK_DEFINITION, page, order, sentence)


def _kind(
    sentence: str, cue: regex.Match[str], table: CueTable, *, strong: bool, opening: bool
) -> Cue | None:
    """How plainly what follows a cue says what its subject is; None where it says nothing of it."""
    rest = sentence[cue.end() :].lstrip(" :,–—")
    if len(rest) < _MIN_MEANING_CHARS or (strong and sentence.startswith(",", cue.end())):
        return None
    # "The affected variable is called the response": what comes first is described, what comes last is named.
    if names_something_else(cue[0], table) or names_something_else(rest, table):
        return None
    if is_bracketed_name(rest, FOREIGN, table):
        return None
    defines = strong or (table.definers is not None and table.definers.match(rest) is not None)
    if defines and not defines_little(rest, table):
        return Cue.DEFINITION
    return Cue.WEAK_DEFINITION if defines or opening else None


def _aliases(aside: str, page: int, order: int, sentence: str, table: CueTable) -> Iterator[Mention]:
    """Names in brackets behind a defined term: "(also known as the plasma membrane)"."""
    cue = table.naming_before.search(aside) if aside and table.naming_before else None
    if cue:
        for words in terms_after(aside[cue.end() :], table):
            yield Mention(joined(words), Cue.NAMING, page, order, sentence)


def names_given(
    sentence: str, page: int, order: int, table: CueTable, counts: dict[str, int]
) -> Iterator[Mention]:
    """… is called X, and the other way round (Hindi "X कहते हैं")."""
    if table.naming_before:
        for cue in table.naming_before.finditer(sentence):
            weak = " ".join(cue[0].casefold().split()) in table.weak_naming
            for words in terms_after(sentence[cue.end() :], table, counts):
                yield Mention(joined(words), Cue.WEAK_NAMING if weak else Cue.NAMING, page, order, sentence)
    if table.naming_after:
        for cue in table.naming_after.finditer(sentence):
            words = last_term(sentence[: cue.start()], table)
            if words:
                yield Mention(joined(words), Cue.NAMING, page, order, sentence)


def of_any(sentence: str, table: CueTable) -> bool:
    """Whether a sentence begins with an indefinite article: it speaks of any thing of its kind, not of one."""
    first = tokens(sentence[:20], table)[:1]
    return bool(first) and first[0].casefold() in table.indefinite


def opens(sentence: str, term: str, table: CueTable, *, least: int = 0) -> bool:
    """Whether a sentence begins with a term, an article and quotation marks aside, and has `least` words after it."""
    read = [token for token in tokens(sentence[:_MAX_SUBJECT_CHARS], table) if token not in QUOTES]
    words = without_articles(read, table)
    name = tokens(term, table)
    return words[: len(name)] == name and len(words) - len(name) >= least
