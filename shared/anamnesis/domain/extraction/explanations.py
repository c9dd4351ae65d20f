"""What a text says of a concept: the sentence that says most plainly what it is, and the definition round it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import regex

from anamnesis.domain.concepts import MAX_DEFINITION_CHARS, MAX_GIST_CHARS
from anamnesis.domain.concepts.validation import clean_text
from anamnesis.domain.extraction.blocks import Block, BlockKind
from anamnesis.domain.extraction.candidates import Candidate
from anamnesis.domain.extraction.cues import CueTable
from anamnesis.domain.extraction.mentions import Cue, Mention
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.extraction.statements import opens
from anamnesis.domain.extraction.terms_in_text import plain, tokens

#: How plainly each mark's sentence says what something is; 0 is plainest.
PLAINNESS: dict[Cue, int] = {
    Cue.GLOSSARY: 0, Cue.GENERIC: 1, Cue.DEFINITION: 2, Cue.FRAMED: 2, Cue.ENTRY: 2, Cue.RELATIVE: 3, Cue.NAMING: 3,
    Cue.FOREIGN: 3, Cue.EMPHASIS: 4, Cue.APPOSITION: 4, Cue.EXPLAINED: 5, Cue.WEAK_DEFINITION: 5, Cue.ABBREVIATION: 6,
    Cue.QUOTED: 6, Cue.WEAK_NAMING: 6, Cue.LISTED: 9, Cue.RECURRING: 9,
}  # fmt: skip
#: Marks whose page is one that explains the concept.
_MOST_PLAINNESS_OF_EXPLAINING = 4
#: What makes a sentence say less: it begins with something else; it speaks of a case at hand (figures), or of nothing
#: else than the name.
_NOT_OPENING, _FIGURES, _LITTLE_SAID, _SAID_ALSO = 1, 2, 3, 2
#: Words beside the name and function words that a class and what tells it apart take at least.
_LEAST_CONTENT_WORDS = 3
#: "This phenomenon is also known as …".
_POINTING_WORDS = 5
_ENDED = regex.compile(r"[.!?…।。！？؟۔:;]['\"”’»)\]*_]*\s*$")
_FIGURE = regex.compile(r"\d")
_BRACKETED = regex.compile(r"[(\[（][^()\[\]（）]*[)\]）]")
#: Letters of a word that its inflected forms share.
_STEM_CHARS = 5
_MARGIN_CHARS, _HAN_MARGIN_CHARS = 10, 5
#: Languages in which a word has one or two characters.
_SHORT_WORDS = frozenset({"zh", "ja"})
_MAX_PAGES_PER_CONCEPT = 12


def explanation(
    candidate: Candidate, read: Sequence[Block], told: Mapping[str, str], table: CueTable
) -> tuple[str, str, str]:
    """Gist, definition, and the sentence of the text that they were made of; three times "" where nothing is said.

    Parameters
    ----------
    told
        The key of the concept that a sentence tells of, by sentence.
    """
    margin = _HAN_MARGIN_CHARS if table.language in _SHORT_WORDS else _MARGIN_CHARS
    marked = [
        mention
        for mention in candidate.mentions
        if mention.cue in PLAINNESS
        and len(mention.sentence) > len(candidate.name) + (0 if mention.cue is Cue.GLOSSARY else margin)
    ]
    if marked:
        best = min(marked, key=lambda mention: (_vagueness(mention, table), mention.order))
        before, after = _around(best, read)
        gist = best.sentence
        if before and best.cue is Cue.NAMING and _points_back(best, table):
            # "This is called X": what it is was said just before.
            gist = f"{before} {gist}"
        # The next sentence belongs to the definition where it goes on about the name and tells of nothing else.
        own = told.get(after, candidate.key) == candidate.key and _goes_on(after, candidate.name, table)
        whole = f"{gist} {after}" if own else gist
        return clean_text(gist, MAX_GIST_CHARS), clean_text(whole, MAX_DEFINITION_CHARS), gist
    for mention in candidate.mentions:
        text = _under_heading(mention, read, candidate.name)
        if text:
            return clean_text(text, MAX_GIST_CHARS), clean_text(text, MAX_DEFINITION_CHARS), text
    return "", "", ""


def pages(candidate: Candidate) -> tuple[int, ...]:
    """Pages that explain it; where none does, the pages whose headings name it."""
    explaining = {
        m.page
        for m in candidate.mentions
        if PLAINNESS.get(m.cue, _LITTLE_SAID + _MOST_PLAINNESS_OF_EXPLAINING) <= _MOST_PLAINNESS_OF_EXPLAINING
        or m.cue is Cue.HEADING
    }
    found = explaining or {m.page for m in candidate.mentions}
    return tuple(sorted(found)[:_MAX_PAGES_PER_CONCEPT])


def _vagueness(mention: Mention, table: CueTable) -> int:
    sentence = _BRACKETED.sub("", mention.sentence)
    vague = PLAINNESS[mention.cue]
    vague += _NOT_OPENING * (not opens(mention.sentence, mention.term, table))
    vague += _FIGURES * (_FIGURE.search(sentence.replace(mention.term, "")) is not None)
    vague += _LITTLE_SAID * (_content_words(mention, table) < _LEAST_CONTENT_WORDS)
    words = (word.casefold() for word in tokens(sentence, table))
    return vague + _SAID_ALSO * any(word in table.also for word in words)


def _content_words(mention: Mention, table: CueTable) -> int:
    if table.spaceless:
        return _LEAST_CONTENT_WORDS
    own = set(tokens(mention.term.casefold(), table))
    words = {
        word.casefold() for word in tokens(_BRACKETED.sub("", mention.sentence), table) if word[0].isalnum()
    }
    return len(words - own - table.stops - table.articles - table.generic)


def _points_back(mention: Mention, table: CueTable) -> bool:
    """Whether a sentence has room for a pronoun and a verb only beside the name: "This is called X"."""
    own = [token for token in tokens(mention.term, table) if token[0].isalnum()]
    words = [token for token in tokens(mention.sentence, table) if token[0].isalnum()]
    return not table.spaceless and len(words) - len(own) <= _POINTING_WORDS


def _goes_on(sentence: str, name: str, table: CueTable) -> bool:
    """Whether a sentence speaks of what the one before it said what it is: by its name or by a pronoun at its front.

    A heading or a line of a form that was run into a paragraph ends as no sentence does.
    """
    if not _ENDED.search(sentence) and not table.spaceless:
        return False
    named = name.casefold() if table.spaceless else name.rsplit(maxsplit=1)[-1].casefold()[:_STEM_CHARS]
    if named in sentence.casefold():
        return True
    return table.continues is not None and table.continues.search(sentence) is not None


def _around(mention: Mention, read: Sequence[Block]) -> tuple[str, str]:
    """Sentences before and after a mention's within its block; "" where there is none."""
    told = sentences(plain(read[mention.order].text))
    before = next((first for first, second in pairwise(told) if second == mention.sentence), "")
    after = next((second for first, second in pairwise(told) if first == mention.sentence), "")
    return before, after


def _under_heading(mention: Mention, read: Sequence[Block], name: str) -> str:
    """First sentence below a heading that speaks of its name, within its first paragraphs."""
    if mention.cue not in {Cue.HEADING, Cue.HEADING_PART}:
        return ""
    stem = name.rsplit(maxsplit=1)[-1].casefold()[:_STEM_CHARS]
    for block in read[mention.order + 1 : mention.order + 5]:
        if block.kind is BlockKind.HEADING:
            break
        for sentence in sentences(plain(block.text)) if block.explains else ():
            if stem in sentence.casefold() and len(sentence) > len(name) + _MARGIN_CHARS:
                return sentence
    return ""
