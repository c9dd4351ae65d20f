"""From a document to the concepts it explains: language, blocks, marked terms, choice, explanations, prerequisites."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

from anamnesis.domain.concepts import (
    MAX_CONCEPTS_PER_FILE,
    ExtractedConcept,
)
from anamnesis.domain.concepts.validation import name_refusal
from anamnesis.domain.extraction import definitions, spaceless
from anamnesis.domain.extraction.blocks import Block, BlockKind, blocks
from anamnesis.domain.extraction.candidates import Candidate, chosen, form_key, gathered
from anamnesis.domain.extraction.cues import CueTable, cue_table
from anamnesis.domain.extraction.explanations import explanation, pages
from anamnesis.domain.extraction.genre_headings import dividing, folded
from anamnesis.domain.extraction.language import document_language
from anamnesis.domain.extraction.lists.sections import with_terms
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.prerequisites import Explained, NameFinder, building, evidence
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.extraction.statistics import (
    PhraseCounts,
    phrase_counts,
    recurring_mentions,
    recurring_phrases,
)
from anamnesis.domain.extraction.terms_in_text import joined, last_term, plain, terms_after
from anamnesis.domain.files import Document, Page
from anamnesis.domain.reading.media_types import is_marked_up
from anamnesis.domain.reading.section_headings import is_section_heading

#: Name and version of this reader, kept with what it read.
READER = "offline-5"
#: Longest name, in words, that a text takes for granted; a longer run is a clause.
_MAX_ASSUMED_WORDS = 4
#: Marked terms that are looked at, heaviest first: many times what a file may contribute, however long it is.
_MOST_CANDIDATES = 1_000
#: Where in a sentence "recall that" stands, in characters, and how many blocks on what it prepares is explained.
_OPENING_CHARS, _NEAR_BLOCKS = 48, 3
#: Words and letters in capitals that no short form has.
_SHOUTED_WORDS, _SHOUTED_LETTERS = 4, 9
_TELLING = frozenset(
    {Cue.GLOSSARY, Cue.DEFINITION, Cue.FRAMED, Cue.RELATIVE, Cue.ENTRY, Cue.NAMING, Cue.EMPHASIS, Cue.FOREIGN}
)
#: Marks that a text gives to its terms alone.
_SET_OFF = frozenset({Cue.GLOSSARY, Cue.EMPHASIS, Cue.QUOTED})
#: Marks whose sentence says what a thing is, or gives it its name.
_DEFINING = (_TELLING - {Cue.EMPHASIS}) | {Cue.GENERIC, Cue.OPENING, Cue.APPOSITION, Cue.EXPLAINED}


def propose(document: Document) -> tuple[str, list[ExtractedConcept]]:
    """Language of a document and the concepts it explains, heaviest evidence first, for the validator.

    Time is linear in the text up to a constant number of passes; the answer depends on nothing but the document.
    """
    language = document_language(document.pages)
    table = cue_table(language)
    read = with_terms(list(blocks(document.pages, markdown=is_marked_up(document.media_type))))
    counts = phrase_counts(read, table)
    if table.spaceless:
        found = list(spaceless.mentions(read, table))
        phrases = _occurrences(found, document.pages)
        candidates = gathered(found, phrases, {}, {}, table)
    else:
        recurring = recurring_phrases(counts, table)
        found = list(definitions.mentions(read, table, counts.phrases))
        found += recurring_mentions(recurring, read, table)
        candidates = gathered(found, counts.phrases, counts.spellings, counts.openings, table)
    chars = sum(len(block.text) for block in read if block.explains)
    likely = candidates[:_MOST_CANDIDATES]
    parts = dividing(block.text for block in read if block.kind is BlockKind.HEADING)
    keys = parts | {form_key(language)(part) for part in parts}
    usable = [
        c
        for c in likely
        if name_refusal(c.name) is None
        and not _is_shouted(c.name)
        and (Cue.GLOSSARY in c.cues or not _is_person(c, counts, table))
        and not (parts and _is_a_part(c, keys))
    ]
    return language, _explained(chosen(usable, chars), read, table) + _section_headings(read)


def _section_headings(read: Sequence[Block]) -> list[ExtractedConcept]:
    """Headings that name a part of the text, for the validator to refuse: what was left out can then be seen."""
    pages: dict[str, int] = {}
    for block in read:
        if (
            block.kind is BlockKind.HEADING
            and len(pages) < MAX_CONCEPTS_PER_FILE
            and is_section_heading(block.text)
        ):
            pages.setdefault(plain(block.text), block.page)
    return [ExtractedConcept(name, name, "", (), (), (page,)) for name, page in pages.items()]


def _occurrences(found: Sequence[Mention], pages: Sequence[Page]) -> dict[str, int]:
    text = "\n".join(page.text for page in pages)[:500_000]
    return {term: text.count(term) for term in {mention.term for mention in found}}


def _is_shouted(name: str) -> bool:
    """Whether a name that the text writes in capitals alone is too long for a short form: a notice, or a constant."""
    words = name.split()
    return name.isupper() and (
        len(words) >= _SHOUTED_WORDS or any(len(word) >= _SHOUTED_LETTERS for word in words)
    )


def _is_a_part(candidate: Candidate, parts: Collection[str]) -> bool:
    """Whether a name heads a part that the text's genre has; one that the text sets off as a term is an idea."""
    if candidate.cues & _SET_OFF:
        return False
    headed = {mention.term for mention in candidate.mentions if mention.cue is Cue.HEADING}
    return candidate.key in parts or any(folded(name) in parts for name in {candidate.name, *headed})


def _is_person(candidate: Candidate, counts: PhraseCounts, table: CueTable) -> bool:
    # German writes every noun with a capital, so capitals say nothing there.
    return table.language != "de" and not table.spaceless and counts.is_proper(candidate.name.split())


def _explained(picked: Sequence[Candidate], read: Sequence[Block], table: CueTable) -> list[ExtractedConcept]:
    key_of = form_key(table.language)
    told = {m.sentence: c.key for c in picked for m in c.mentions if m.cue in _TELLING}
    explanations = {c.key: explanation(c, read, told, table) for c in picked}
    picked = [c for c in picked if explanations[c.key][0]]
    names = {c.key: c.name for c in picked}
    recalled = _recalled(picked, read, table)
    explained = [
        Explained(
            key=c.key,
            names=(c.name, *_shorts(c)) if table.spaceless else (c.key, *map(key_of, _shorts(c))),
            order=_first_order(c),
            gist=explanations[c.key][2],
            told=tuple(
                dict.fromkeys(
                    m.sentence
                    for m in c.mentions
                    if m.cue in _TELLING and m.sentence != explanations[c.key][2]
                )
            ),
            recalled=tuple(recalled.get(c.key, ())),
            defined=any(m.cue in _DEFINING and m.sentence in explanations[c.key][2] for m in c.mentions),
        )
        for c in picked
    ]
    counts = evidence(explained, table, NameFinder(explained, table, key_of))
    builds_on = building(counts, {e.key: e.order for e in explained})
    assumed = _assumed(explained, read, table, key_of)
    return [
        ExtractedConcept(
            name=c.name,
            gist=explanations[c.key][0],
            definition=explanations[c.key][1],
            builds_on=tuple(names[key] for key, _ in builds_on.get(c.key, ())),
            assumed=tuple(assumed.get(c.key, ())),
            pages=pages(c),
            evidence=tuple(count for _, count in builds_on.get(c.key, ())),
        )
        for c in picked
    ]


def _shorts(candidate: Candidate) -> list[str]:
    return list(dict.fromkeys(mention.short for mention in candidate.mentions if mention.short))


def _first_order(candidate: Candidate) -> int:
    """Block of the first place that tells of it, else of the first that marks it."""
    telling = [mention.order for mention in candidate.mentions if mention.cue in _TELLING]
    return min(telling or [mention.order for mention in candidate.mentions])


def _recalled(picked: Sequence[Candidate], read: Sequence[Block], table: CueTable) -> dict[str, list[str]]:
    """By concept, the sentences that recall what is known, in the block that first tells of it or the one above."""
    found: dict[str, list[str]] = defaultdict(list)
    for candidate in picked if table.recalls else ():
        order = _first_order(candidate)
        for block in read[max(0, order - 1) : order + 1]:
            for sentence in sentences(plain(block.text)) if block.explains else ():
                if table.recalls and table.recalls.search(sentence, endpos=_OPENING_CHARS):
                    found[candidate.key].append(sentence)
    return found


def _assumed(
    explained: Sequence[Explained], read: Sequence[Block], table: CueTable, key_of: Callable[[str], str]
) -> dict[str, list[str]]:
    """Prerequisites that the text says it takes for granted.

    Nothing else is assumed: a word that is merely used, or that heads a section, may be an everyday word, and two
    concepts that assume the same word make a node of it.
    """
    known = {e.key for e in explained}
    assumed: dict[str, list[str]] = defaultdict(list)
    for order, block in enumerate(read):
        names = (
            _said_to_be_assumed(block, table)
            if block.explains and block.kind is not BlockKind.HEADING
            else []
        )
        # The sentence speaks of the concept explained in its own block, or of the one explained next.
        near = [e for e in explained if order <= e.order <= order + _NEAR_BLOCKS] or [
            e for e in explained if e.order <= order
        ][-1:]
        for name in names:
            if near and key_of(name) not in known:
                first = min(near, key=lambda e: e.order) if near[0].order >= order else near[0]
                assumed[first.key].append(name)
    return assumed


def _said_to_be_assumed(block: Block, table: CueTable) -> list[str]:
    found = []
    for sentence in sentences(plain(block.text)):
        starts = [cue.end() for cue in table.assumes.finditer(sentence)] if table.assumes else []
        recall = table.recalls.search(sentence, endpos=_OPENING_CHARS) if table.recalls else None
        if recall:
            starts.append(recall.end())
        for start in starts:
            # "Recall the bodies called centrioles" names them there and then.
            if not (
                table.naming_before and table.naming_before.search(sentence, start, start + _OPENING_CHARS)
            ):
                names = terms_after(sentence[start:], table)
                found += [joined(words) for words in names if len(words) <= _MAX_ASSUMED_WORDS]
        if table.assumes_after:
            found += [
                joined(words)
                for cue in table.assumes_after.finditer(sentence)
                if (words := last_term(sentence[: cue.start()], table))
            ]
    return found
