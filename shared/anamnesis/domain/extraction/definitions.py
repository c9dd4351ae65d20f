"""Marked terms of languages that separate words: definitions, names given, emphasis, headings, glossary entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import regex

from anamnesis.domain.extraction.blocks import Block, BlockKind, sentences
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.terms_in_text import (
    MAX_TERM_WORDS,
    is_name,
    joined,
    plain,
    terms_after,
    terms_before,
    tokens,
    without_articles,
)
from anamnesis.domain.reading.section_headings import is_section_heading

_EMPHASISED = regex.compile(
    r"(\*{1,3}|(?<![\p{L}\p{N}])_{1,3})(?=[^\s*_])([^*_\n]{2,80}?)(?<=\S)\1(?![\p{L}\p{N}])"
)
_ENTRY = regex.compile(
    r"^(\*{0,3}_{0,2}[^:：–—\n*_]{2,80}?[*_]{0,3}(?:\s*[(（][^()（）]{1,40}[)）])?[*_]{0,3})\s*(?::[*_]{0,3}\s|：|\s[–—-]{1,2}\s)(\S.{9,})$"
)
_ABBREVIATION = regex.compile(r"[(（](\p{Lu}[\p{Lu}\p{N}.-]{1,7})s?[)）]")
#: "(ang. reinforcement)", "(del inglés …)", "(lat. …)": the name of the term in the language it comes from.
_FOREIGN = regex.compile(
    r"\s*[(（](?:z?\s?(?:ang|łac|gr|niem|franc|fr|lat|latin|engl?|inglés|inglese|ingl|ing|griech|англ|лат|греч)\.?|"
    r"(?:del |en |do |em |in |auf |dal |w |dari |dalam )?(?:bahasa )?(?:inglés|inglês|anglais|englisch|inglese|inggris|"
    r"latín|latim|latin|griego|grego|grec|greek|yunani|belanda|anglicky|İngilizce|tiếng Anh))"
    r"[:\s]\s*[„“\"«]?([^()（）]{2,60})[)）]",
    regex.IGNORECASE,
)
_LATIN_BRACKET = regex.compile(r"\s*[(（]\s*(?:\p{L}+[.:]\s*)?([\p{Latin}][\p{Latin} '-]{2,50})[)）]")
_OTHER_SCRIPTS = frozenset(
    {"ar", "fa", "ur", "he", "hi", "bn", "ta", "te", "gu", "ru", "uk", "bg", "el", "th", "hy"}
)
_LIST_CUT = regex.compile(r"[,;،、]\s+")
_BRACKET = regex.compile(r"\s*[(（][^()（）]*[)）]")
_HEADING_NUMBER = regex.compile(r"^\s*(?:\d{1,3}(?:\.\d{1,3})*\.?|[IVX]{1,5}\.)\s+")
_HEADING_CUT = regex.compile(r"\s*[:：–—]\s+|\s*[:：]\s*|\s[-]\s|,\s+|\s+(?:vs\.?|versus)\s+")
_QUOTES = "\"“”„«»'"
_DASHED = regex.compile(r"^(.{2,80}?)\s+[–—]\s+(.{10,})$")
_MAX_SUBJECT_CHARS = 160
#: What says what something is takes a few words ("It lasted for years" does not).
_MIN_MEANING_CHARS = 12
#: Cue, class and what tells it from others ("is the diffusion of water", full stop included): "the departments are the
#: clusters" says which, not what they are.
_LEAST_MEANING_WORDS = 6


def mentions(blocks: Sequence[Block], table: CueTable, counts: dict[str, int]) -> Iterator[Mention]:
    """Every marked term of the blocks, in reading order.

    Parameters
    ----------
    counts
        How often casefolded phrases recur, see ``statistics``.
    """
    for order, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            yield from _in_heading(block, order, table)
        elif block.explains:
            yield from _in_text(block, order, table, counts)


def _in_heading(block: Block, order: int, table: CueTable) -> Iterator[Mention]:
    if is_section_heading(block.text):
        return
    text = _BRACKET.sub("", _HEADING_NUMBER.sub("", plain(block.text)))
    words = without_articles(tokens(text, table), table)
    if is_name(words, table) and not any(w.casefold() in table.linkers for w in words):
        yield Mention(joined(words), Cue.HEADING, block.page, order)
        return
    if is_name(words, table):
        yield Mention(joined(words), Cue.HEADING_PART, block.page, order)
    links = [i for i, word in enumerate(words) if word.casefold() in table.linkers]
    if links:
        # "The evolution of the word processor" is about the word processor.
        about = without_articles(words[links[-1] + 1 :], table)
        if is_name(about, table):
            yield Mention(joined(about), Cue.HEADING_PART, block.page, order)
    joiners = r"\s+(?:and|or|y|e|o|et|ou|und|oder|i|oraz|dan|atau|और|या|и|или|ve|và)\s+"
    for part in _HEADING_CUT.split(text):
        for piece in regex.split(joiners, part, flags=regex.IGNORECASE):
            words = without_articles(tokens(piece, table), table)
            if is_name(words, table) and len(words) <= 4:
                yield Mention(joined(words), Cue.HEADING_PART, block.page, order)


def _in_text(block: Block, order: int, table: CueTable, counts: dict[str, int]) -> Iterator[Mention]:
    entry = _ENTRY.match(block.text)
    if entry and (block.glossary or block.kind is BlockKind.ITEM or block.text.startswith(("*", "_"))):
        words = without_articles(tokens(_BRACKET.sub("", plain(entry[1])), table), table)
        emphasised = entry[1].strip().startswith(("*", "_"))
        if is_name(words, table) and (block.glossary or emphasised or len(words) <= 4):
            cue = Cue.GLOSSARY if block.glossary or emphasised else Cue.ENTRY
            yield Mention(joined(words), cue, block.page, order, plain(block.text))
    for number, raw in enumerate(sentences(block.text)):
        sentence = plain(raw)
        for match in _EMPHASISED.finditer(raw):
            words = without_articles(tokens(_BRACKET.sub("", match[2].strip(" .,:;")), table), table)
            if is_name(words, table):
                yield Mention(joined(words), Cue.EMPHASIS, block.page, order, sentence)
        for mention in _in_sentence(sentence, block.page, order, table, counts):
            yield mention
            begun = number == 0 and mention.cue is Cue.DEFINITION
            if begun and opens(sentence, mention.term, table, least=_LEAST_MEANING_WORDS):
                yield replace(mention, cue=Cue.OPENING)


def _in_sentence(
    sentence: str, page: int, order: int, table: CueTable, counts: dict[str, int]
) -> Iterator[Mention]:
    if sentence.endswith(("?", "？", "؟")):
        return
    yield from _subjects(sentence, page, order, table)
    yield from _names_given(sentence, page, order, table, counts)
    yield from _bracketed(sentence, page, order, table, counts)
    if table.explaining:
        for cue in table.explaining.finditer(sentence):
            left = sentence[: cue.start()].rstrip()
            words = last_term(left[:-1], table) if left.endswith((",", "(", "–", "—", "،")) else []
            if words:
                yield Mention(joined(words), Cue.EXPLAINED, page, order, sentence)
    for words in _listed(sentence, table):
        yield Mention(joined(words), Cue.LISTED, page, order, sentence)


def opens(sentence: str, term: str, table: CueTable, *, least: int = 0) -> bool:
    """Whether a sentence begins with a term, an article and quotation marks aside, and has `least` words after it."""
    read = [token for token in tokens(sentence[:_MAX_SUBJECT_CHARS], table) if token not in _QUOTES]
    words = without_articles(read, table)
    name = tokens(term, table)
    return words[: len(name)] == name and len(words) - len(name) >= least


def _bracketed(
    sentence: str, page: int, order: int, table: CueTable, counts: dict[str, int]
) -> Iterator[Mention]:
    for match in _ABBREVIATION.finditer(sentence):
        words = _expansion(_words_before(sentence[: match.start()], table), match[1], table)
        if words:
            yield Mention(joined(words), Cue.ABBREVIATION, page, order, sentence, match[1])
    for match in _FOREIGN.finditer(sentence):
        words = last_term(sentence[: match.start()], table, len(match[1].split()), counts)
        if words:
            yield Mention(joined(words), Cue.FOREIGN, page, order, sentence)
    if table.language in _OTHER_SCRIPTS:
        for match in _LATIN_BRACKET.finditer(sentence):
            words = last_term(sentence[: match.start()], table, len(match[1].split()), counts)
            if words:
                yield Mention(joined(words), Cue.FOREIGN, page, order, sentence)


def _words_before(left: str, table: CueTable) -> list[str]:
    """Up to six words right before a bracket, back to the nearest sign."""
    read = tokens(left[-200:], table)
    start = len(read)
    while start > max(0, len(read) - 6) and read[start - 1][0].isalnum():
        start -= 1
    return read[start:]


def _expansion(words: Sequence[str], abbreviation: str, table: CueTable) -> list[str]:
    """Words before an abbreviation whose initials are its letters, else those that begin with its first letter."""
    letters = "".join(c.casefold() for c in abbreviation if c.isalpha())
    tails = [list(words[-length:]) for length in range(1, len(words) + 1)]
    named = [tail for tail in tails if is_name(tail, table)]
    for tail in named:
        initials = "".join(word[0].casefold() for word in tail if word.casefold() not in table.linkers)
        if initials == letters or "".join(word[0].casefold() for word in tail) == letters:
            return tail
    begun = [tail for tail in named if tail[0][0].casefold() == letters[:1] and len(tail) >= len(letters) - 1]
    return begun[0] if begun else []


def _listed(sentence: str, table: CueTable) -> list[list[str]]:
    """Names of a list of at least three after a colon or a listing word; one piece that is no name spoils the list."""
    cue = table.listing.search(sentence) if table.listing else None
    starts = [cue.end()] if cue else []
    colon = regex.search(r"[:：]\s", sentence)
    if colon:
        starts.append(colon.end())
    for start in starts:
        pieces = [piece for piece in _LIST_CUT.split(sentence[start:].strip(" .;:")) if piece.strip()]
        names = []
        for piece in pieces:
            parts = _parted(tokens(_BRACKET.sub("", piece), table), table)
            names += [without_articles(part, table) for part in parts]
        if (
            len(pieces) >= 2
            and len(names) >= 3
            and all(is_name(words, table) and len(words) <= 4 for words in names)
        ):
            return names
    return []


def _parted(read: Sequence[str], table: CueTable) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in read:
        if token.casefold() in table.conjunctions:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _subjects(sentence: str, page: int, order: int, table: CueTable) -> Iterator[Mention]:
    """X is a …, X refers to …, X – …: the term before the first cue of the sentence."""
    for pattern, strong in ((table.verbs, True), (table.copulas, False)):
        cue = pattern.search(sentence, endpos=_MAX_SUBJECT_CHARS) if pattern else None
        if cue is None or cue.start() == 0:
            continue
        names, aside, opening = terms_before(sentence[: cue.start()], table)
        if not names:
            continue
        # A hint is only taken of what the sentence is about, not of a clause within it.
        if strong and sentence.startswith(",", cue.end()):
            continue
        rest = sentence[cue.end() :].lstrip(" :,–—")
        if len(rest) < _MIN_MEANING_CHARS:
            continue
        defines = strong or (table.definers is not None and table.definers.match(rest) is not None)
        if not (defines or opening):
            continue
        kind = Cue.DEFINITION if defines else Cue.WEAK_DEFINITION
        for words in names:
            yield Mention(joined(words), kind, page, order, sentence)
        yield from _aliases(aside, page, order, sentence, table)
        return
    dashed = _DASHED.match(sentence)
    if dashed:
        words = without_articles(tokens(_BRACKET.sub("", dashed[1]), table), table)
        if is_name(words, table) and len(words) <= 4:
            yield Mention(joined(words), Cue.WEAK_DEFINITION, page, order, sentence)


def _aliases(aside: str, page: int, order: int, sentence: str, table: CueTable) -> Iterator[Mention]:
    """Names in brackets behind a defined term: "(also known as the plasma membrane)"."""
    cue = table.naming_before.search(aside) if aside and table.naming_before else None
    if cue:
        for words in terms_after(aside[cue.end() :], table):
            yield Mention(joined(words), Cue.NAMING, page, order, sentence)


def _names_given(
    sentence: str, page: int, order: int, table: CueTable, counts: dict[str, int]
) -> Iterator[Mention]:
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


def last_term(left: str, table: CueTable, usual: int = 4, counts: dict[str, int] | None = None) -> list[str]:
    """Name that ends where a cue begins.

    Parameters
    ----------
    usual
        Words that it has where nothing else is known: those of its other name.
    counts
        How often phrases recur; a longer run that recurs is the whole name ("rozkład wzmocnień o stałych odstępach").
    """
    run: list[str] = []
    for token in reversed([token for token in tokens(left[-200:], table) if token not in _QUOTES]):
        folded = token.casefold()
        if len(run) == MAX_TERM_WORDS or not token[0].isalnum():
            break
        if folded in table.articles or (folded in table.stops and folded not in table.linkers):
            break
        run.insert(0, token)
    if counts is not None:
        for start in range(len(run)):
            longest = run[start:]
            if (
                len(longest) > 1
                and is_name(longest, table)
                and counts.get(" ".join(longest).casefold(), 0) >= 2
            ):
                return longest
    linked = [i for i, word in enumerate(run) if word.casefold() in table.linkers and word != "się"]
    words = run[linked[-1] + 1 if linked else 0 :][-max(1, usual) :]
    while words and not is_name(words, table):
        words.pop(0)
    return words
