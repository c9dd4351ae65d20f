"""Published and plain ways to find key phrases, for the reader of concepts to be measured against.

Each gives names in order, best first, as many as it has.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import yake

from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.extraction.blocks import BlockKind, blocks
from anamnesis.domain.extraction.cues import CueTable, cue_table
from anamnesis.domain.extraction.sentences import sentences
from anamnesis.domain.extraction.terms_in_text import is_word, plain, tokens
from anamnesis.domain.files import Document
from anamnesis.domain.reading.section_headings import is_section_heading

#: More than any cut that is measured.
_MOST = 240
_MAX_WORDS = 3


def by_yake(document: Document, language: str) -> list[str]:
    """YAKE (Campos et al. 2020, Information Sciences 509, 257–289) as its authors ship it, with their defaults."""
    extractor = yake.KeywordExtractor(lan=language, n=_MAX_WORDS, top=_MOST)
    text = "\n\n".join(plain(page.text) for page in document.pages)
    return _distinct(name for name, _ in extractor.extract_keywords(text))


def by_tf_idf(document: Document, language: str) -> list[str]:
    """Runs of one to three words without function words at their ends by tf·idf, each page being one document."""
    table = cue_table(language)
    within: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for page in document.pages:
        found = Counter(_phrases(page.text, table))
        within.update(found)
        pages.update(found.keys())
    count = len(document.pages)
    weights = {
        phrase: number * math.log((1 + count) / pages[phrase])
        for phrase, number in within.items()
        if number > 1
    }
    return _distinct(sorted(weights, key=lambda phrase: (-weights[phrase], phrase)))[:_MOST]


def by_headings(document: Document, language: str) -> list[str]:  # noqa: ARG001 - every baseline is called alike
    """The text's headings that name no part of a text, in order."""
    read = blocks(document.pages, markdown=document.media_type == "text/markdown")
    return _distinct(
        plain(block.text)
        for block in read
        if block.kind is BlockKind.HEADING and not is_section_heading(block.text)
    )


BASELINES = {"YAKE": by_yake, "TF-IDF": by_tf_idf, "headings": by_headings}


def _phrases(text: str, table: CueTable) -> list[str]:
    found = []
    for sentence in sentences(plain(text)):
        read = [token.casefold() for token in tokens(sentence, table)]
        for start in range(len(read)):
            for end in range(start + 1, min(start + _MAX_WORDS, len(read)) + 1):
                if not is_word(read[end - 1]):
                    break
                if read[start] not in table.stops and read[end - 1] not in table.stops:
                    found.append(" ".join(read[start:end]))
    return found


def _distinct(names: Iterable[str]) -> list[str]:
    first: dict[str, str] = {}
    for name in names:
        key = canonical_key(name)
        if key:
            first.setdefault(key, name)
    return list(first.values())
