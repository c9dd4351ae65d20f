"""Marked terms of languages that separate words: definitions, names given, emphasis, headings, glossary entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import regex

from anamnesis.domain.concepts.not_ideas import is_date
from anamnesis.domain.extraction.blocks import Block, BlockKind
from anamnesis.domain.extraction.brackets import bracketed
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.frames import framed
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.extraction.statements import names_given, of_any, opens, subjects
from anamnesis.domain.extraction.terms_in_text import (
    is_name,
    joined,
    last_term,
    plain,
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
_CODE_SPAN = regex.compile(r"`([^`\n]{1,80}+)`")
_LIST_CUT = regex.compile(r"[,;،、]\s+")
_BRACKET = regex.compile(r"\s*[(（][^()（）]*[)）]")
_HEADING_NUMBER = regex.compile(r"^\s*(?:\d{1,3}(?:\.\d{1,3})*\.?|[IVX]{1,5}\.)\s+")
_HEADING_CUT = regex.compile(r"\s*[:：–—]\s+|\s*[:：]\s*|\s[-]\s|,\s+|\s+(?:vs\.?|versus)\s+")
#: Cue, class and what tells it from others ("is the diffusion of water", full stop included): "the departments are the
#: clusters" says which, not what they are.
_LEAST_MEANING_WORDS = 6
#: What a plain word's entry takes to be its meaning where no article shows it: words, and how far is looked.
_LEAST_ENTRY_WORDS, _MAX_MEANING_CHARS = 3, 160
#: Where somebody or something is found: it says nothing of what stands before it ("**TA**: Kim, kim@uni.example").
_ADDRESS = regex.compile(r"[\p{L}\p{N}]@[\p{L}\p{N}]|^(?:https?://|www\.)")
_ADDRESS_WITHIN = 60
#: What only a pattern for any word at all matches.
_ANY_WORD = "\u2020"


def mentions(blocks: Sequence[Block], table: CueTable, counts: dict[str, int]) -> Iterator[Mention]:
    """Every marked term of the blocks, in reading order.

    Parameters
    ----------
    counts
        How often casefolded phrases recur, see ``statistics``.
    """
    for order, block in enumerate(blocks):
        code = code_spans(block)
        if block.term:
            yield from listed(block, order)
        elif block.kind is BlockKind.HEADING:
            yield from (m for m in _in_heading(block, order, table) if m.term not in code)
        elif block.explains:
            yield from (m for m in _in_text(block, order, table, counts) if m.term not in code)


def listed(block: Block, order: int) -> Iterator[Mention]:
    """The term of a list's entry, where the list stands among explanations."""
    if block.explains:
        yield Mention(block.term, Cue.GLOSSARY, block.page, order, plain(block.text))


def code_spans(block: Block) -> frozenset[str]:
    """What a block sets in backticks: identifiers and commands, which name things of a program and no ideas."""
    return frozenset(span.strip() for span in _CODE_SPAN.findall(block.text))


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
    if entry and _ADDRESS.search(entry[2][:_ADDRESS_WITHIN]):
        return
    if entry and (block.glossary or block.kind is BlockKind.ITEM or block.text.startswith(("*", "_"))):
        words = without_articles(tokens(_BRACKET.sub("", plain(entry[1])), table), table)
        emphasised = entry[1].strip().startswith(("*", "_"))
        named = is_name(words, table, defined=block.glossary or _says_what(entry[2], table))
        if named and (block.glossary or emphasised or len(words) <= 4):
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
            if mention.cue is Cue.DEFINITION and of_any(sentence, table):
                yield replace(mention, cue=Cue.GENERIC)
            begun = number == 0 and mention.cue is Cue.DEFINITION
            if begun and opens(sentence, mention.term, table, least=_LEAST_MEANING_WORDS):
                yield replace(mention, cue=Cue.OPENING)


def _says_what(meaning: str, table: CueTable) -> bool:
    """Whether the second half of an entry says what a plain word means: "**Set**: a …", not "**Time**: Mondays"."""
    if table.definers is not None and table.articles and not table.definers.match(_ANY_WORD):
        return table.definers.match(meaning) is not None
    words = tokens(meaning[:_MAX_MEANING_CHARS], table)
    return len(words) >= _LEAST_ENTRY_WORDS and not any(word[0].isdigit() or is_date(word) for word in words)


def _in_sentence(
    sentence: str, page: int, order: int, table: CueTable, counts: dict[str, int]
) -> Iterator[Mention]:
    if sentence.endswith(("?", "？", "؟")):
        return
    yield from subjects(sentence, page, order, table, counts)
    yield from names_given(sentence, page, order, table, counts)
    yield from bracketed(sentence, page, order, table, counts)
    for words, kind in framed(sentence, table, counts):
        yield Mention(joined(words), kind, page, order, sentence)
    if table.explaining:
        for cue in table.explaining.finditer(sentence):
            left = sentence[: cue.start()].rstrip()
            words = last_term(left[:-1], table) if left.endswith((",", "(", "–", "—", "،")) else []
            if words:
                yield Mention(joined(words), Cue.EXPLAINED, page, order, sentence)
    for words in _listed(sentence, table):
        yield Mention(joined(words), Cue.LISTED, page, order, sentence)


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
