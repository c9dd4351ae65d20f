"""Sentences about a term: "X is a …", "X refers to …", "… is called X"."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from anamnesis.domain.extraction.brackets import FOREIGN
from anamnesis.domain.extraction.complements import (
    defines_little,
    is_bracketed_name,
    names_something_else,
    opens_with_ending,
)
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.terms_in_text import (
    QUOTES,
    is_name,
    is_word,
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
#: Words before a verb "is" that is an ending: a class and what tells it from others.
_LEAST_ENDING_WORDS = 2
#: How far in a sentence a naming verb stands that follows its name, in characters.
_MAX_FRONT_CHARS = 60
#: How much of a sentence is looked at for its whole form, in characters.
_MAX_FRAMED_CHARS = 400
#: Languages whose verb "is" is a dash.
_DASH_IS = frozenset({"ru", "uk", "bg", "be"})


def subjects(
    sentence: str, page: int, order: int, table: CueTable, counts: dict[str, int]
) -> Iterator[Mention]:
    """X is a …, X refers to …, X – …: the term before the first cue of the sentence."""
    for pattern, strong in ((table.verbs, True), (table.copulas, False)):
        cue = pattern.search(sentence, endpos=_MAX_SUBJECT_CHARS) if pattern else None
        if cue is None or cue.start() == 0:
            continue
        names, aside, opening = terms_before(sentence[: cue.start()], table)
        plain_words = not names
        if plain_words:
            names, aside, opening = terms_before(sentence[: cue.start()], table, counts, defined=True)
        # A clause within a sentence only tells what its subject is where it says so plainly.
        kind = _kind(sentence, cue, table, strong=strong, opening=opening) if names else None
        if plain_words and not (opening and kind is Cue.DEFINITION):
            continue
        if kind is not None:
            for words in names:
                yield Mention(joined(words), kind, page, order, sentence)
            yield from _aliases(aside, page, order, sentence, table)
            return
    dashed = _DASHED.match(sentence)
    if dashed:
        words = without_articles(tokens(_BRACKET.sub("", dashed[1]), table), table)
        kind = Cue.DEFINITION if table.language in _DASH_IS else Cue.WEAK_DEFINITION
        if is_name(words, table, defined=kind is Cue.DEFINITION) and len(words) <= _MAX_DASHED_WORDS:
            yield Mention(joined(words), kind, page, order, sentence)
    elif table.copula_ending:
        yield from _by_ending(sentence, page, order, table, table.copula_ending)


def _at_front(sentence: str, table: CueTable, counts: dict[str, int]) -> list[str]:
    """Name at the front of a sentence whose whole form says what it is; where nothing marks its end, what recurs."""
    for pattern in table.fronts:
        match = pattern.match(sentence, endpos=_MAX_FRAMED_CHARS)
        if match is None:
            continue
        groups = match.groupdict()
        named, begun = groups.get("name"), groups.get("open")
        words = without_articles([t for t in tokens(named or begun or "", table) if t not in QUOTES], table)
        if not named:
            recurring = [
                n
                for n in range(min(len(words), _MAX_DASHED_WORDS), 1, -1)
                if is_name(words[:n], table) and counts.get(" ".join(words[:n]).casefold(), 0) > 1
            ]
            words = words[: recurring[0] if recurring else 1]
        if is_name(words, table, defined=True) and len(words) <= _MAX_DASHED_WORDS:
            return words
    return []


def _by_ending(
    sentence: str, page: int, order: int, table: CueTable, ending: regex.Pattern[str]
) -> Iterator[Mention]:
    """The first name of a sentence, a comma, and a verb "is" that is but an ending: "Zar, … yapıdır"."""
    front, comma, rest = sentence.partition(",")
    words = without_articles([t for t in tokens(_BRACKET.sub("", front), table) if t not in QUOTES], table)
    if comma and is_name(words, table, defined=True) and len(words) <= _MAX_DASHED_WORDS:
        said = tokens(rest, table)
        closing = [i for i, token in enumerate(said) if ending.search(token)]
        final = [
            i
            for i in closing
            if i + 1 >= len(said) or not is_word(said[i + 1]) or said[i + 1] in table.conjunctions
        ]
        if final and final[0] >= _LEAST_ENDING_WORDS and not defines_little(rest, table):
            yield Mention(joined(words), Cue.DEFINITION, page, order, sentence)


def _kind(
    sentence: str, cue: regex.Match[str], table: CueTable, *, strong: bool, opening: bool
) -> Cue | None:
    """How plainly what follows a cue says what its subject is; None where it says nothing of it."""
    rest = sentence[cue.end() :].lstrip(" :,–—")
    if len(rest) < _MIN_MEANING_CHARS or (strong and sentence.startswith(",", cue.end())):
        return None
    # "The affected variable is called the response": what comes first is described, what comes last is named.
    behind = sentence[cue.start() :]
    if names_something_else(behind, table) or names_something_else(rest, table) or _names(cue[0], table):
        return None
    if any(verb.match(sentence, cue.start()) for verb, _ in table.gaps):
        return None
    if is_bracketed_name(rest, FOREIGN, table):
        return None
    defines = strong or (table.definers is not None and table.definers.match(rest) is not None)
    defines = defines or (table.definer_ending is not None and opens_with_ending(rest, table.definer_ending))
    if defines and not defines_little(rest, table):
        return Cue.DEFINITION
    return Cue.WEAK_DEFINITION if defines or opening else None


def _names(cue: str, table: CueTable) -> bool:
    """Whether a cue ends in a naming verb: "a body in motion *is called* a moving body"."""
    naming = table.naming_before.finditer(cue) if table.naming_before else ()
    return any(
        one.end() == len(cue) and " ".join(one[0].casefold().split()) not in table.weak_naming
        for one in naming
    )


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
    framed = _at_front(sentence, table, counts)
    if framed:
        yield Mention(joined(framed), Cue.DEFINITION, page, order, sentence)
        return
    fronted = _fronted(sentence, table)
    if fronted:
        yield Mention(joined(fronted), Cue.FRAMED, page, order, sentence)
        return
    for cue in table.naming_before.finditer(sentence) if table.naming_before else ():
        weak = " ".join(cue[0].casefold().split()) in table.weak_naming
        for words in terms_after(sentence[cue.end() :], table, counts, defined=not weak):
            yield Mention(joined(words), Cue.WEAK_NAMING if weak else Cue.NAMING, page, order, sentence)
    for cue in table.naming_after.finditer(sentence) if table.naming_after else ():
        words = _before_naming(sentence[: cue.start()], table, counts)
        if words:
            yield Mention(joined(words), Cue.NAMING, page, order, sentence)


def _fronted(sentence: str, table: CueTable) -> list[str]:
    """Name at the front of a sentence, before its naming verb: "Erozją nazywamy …", "Молекулой называют …"."""
    cue = table.naming_before.search(sentence, endpos=_MAX_FRONT_CHARS) if table.naming_before else None
    if cue is None or table.front_ending is None:
        return []
    words = [token for token in tokens(sentence[: cue.start()], table) if token not in QUOTES]
    named = bool(words) and table.front_ending.search(words[0]) is not None
    return words if named and is_name(words, table, defined=True) and len(words) <= _MAX_DASHED_WORDS else []


def _before_naming(left: str, table: CueTable, counts: dict[str, int]) -> list[str]:
    """Name before a verb that follows it; where nothing marks its beginning, what recurs of it or its last word."""
    words = last_term(left, table)
    if table.name_after_ending is None or len(words) < 2:
        return words
    read = [token for token in tokens(left[-200:], table) if token not in QUOTES]
    before = read[-len(words) - 1] if len(read) > len(words) else ""
    if before and table.name_after_ending.search(before):
        return words
    marked = [i for i, word in enumerate(words[:-1]) if table.name_after_ending.search(word)]
    if marked:
        return words[marked[-1] + 1 :]
    return last_term(left, table, 1, counts)


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
