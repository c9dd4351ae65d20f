"""Whether the reader says of a key term what the book says of it, and on the right pages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE, ExtractedConcept, Extraction
from anamnesis_tools.bench.files.key_terms import Chapter, KeyTerm, lenient, stems, strict

#: Pairs of a text and a wrong definition that may pass for a right one, and least words of a definition that says
#: anything ("see data" does not).
_CHANCE, _LEAST_WORDS = 0.05, 3


@dataclass(frozen=True, slots=True)
class ExplanationResult:
    """What the reader says of the key terms that it found in one chapter.

    Attributes
    ----------
    terms
        Key terms of the glossary that it found (lenient).
    says_what_it_is
        Share whose definition is like the book's definition of the same term; see ``_Definitions.recognised``.
    gist_says_what_it_is
        The same of the one-sentence gist.
    overlap
        Mean share of the content words of the book's definition that stand in the reader's.
    right_part
        Share with a page in the part of the chapter whose glossary lists the term.
    named_there
        Share of all pages given on which the term stands.
    ceiling
        F1 of a list that holds as many key terms as the bound allows.
    """

    chapter: str
    terms: int
    says_what_it_is: float
    gist_says_what_it_is: float
    overlap: float
    right_part: float
    named_there: float
    ceiling: float
    chars_per_second: float


def explanations(chapter: Chapter, extraction: Extraction, seconds: float) -> ExplanationResult:
    """Judge what the reader says of the key terms that it found; `seconds` is what reading took."""
    language = chapter.language
    pairs: list[tuple[ExtractedConcept, KeyTerm]] = []
    for concept in extraction.concepts:
        same = [t for t in chapter.glossary if strict(concept.name, t)]
        same += [t for t in chapter.glossary if lenient(concept.name, t, language)]
        pairs += [(concept, same[0])] if same else []
    book = _Definitions([(term, stems(term.definition, language)) for term in chapter.glossary])
    by_definition = book.recognised(
        [(stems(c.definition, language), stems(c.name, language), t) for c, t in pairs]
    )
    by_gist = book.recognised([(stems(c.gist, language), stems(c.name, language), t) for c, t in pairs])
    shares = [
        len(stems(c.definition, language) & words) / len(words)
        for c, term in pairs
        if (words := stems(term.definition, language))
    ]
    parts = [term.module in {chapter.modules[page - 1] for page in c.pages} for c, term in pairs]
    bound = min(MAX_CONCEPTS_PER_FILE, len(chapter.glossary))
    pages = [
        stems(c.name, language) <= stems(chapter.document.pages[page - 1].text, language)
        for c, _ in pairs
        for page in c.pages
    ]
    chars = sum(len(page.text) for page in chapter.document.pages)
    return ExplanationResult(
        chapter=chapter.name,
        terms=len(pairs),
        says_what_it_is=_share(by_definition),
        gist_says_what_it_is=_share(by_gist),
        overlap=fmean(shares) if shares else 0.0,
        right_part=_share(parts),
        named_there=_share(pages),
        ceiling=2 * bound / (bound + len(chapter.glossary)),
        chars_per_second=chars / seconds if seconds else 0.0,
    )


class _Definitions:
    """The book's definitions, by which a text is recognised as the definition of one of its terms."""

    def __init__(self, told: Sequence[tuple[KeyTerm, frozenset[str]]]) -> None:
        self._told = told
        spread = Counter(word for _, words in told for word in words)
        self._weight = {word: math.log((1 + len(told)) / number) for word, number in spread.items()}

    def recognised(self, told: Sequence[tuple[frozenset[str], frozenset[str], KeyTerm]]) -> list[bool]:
        """Whether each text (its stems, those of its term's name, the term) is like the definition of its own term.

        As like as only one in twenty of all pairs of a text and the definition of another term. The words of the term
        are left out on both sides: they say nothing of it.
        """
        own: list[float] = []
        others: list[float] = []
        for words, name, term in told:
            for other, definition in self._told:
                if len(definition - name) >= _LEAST_WORDS:
                    likeness = self._cosine(words - name, definition - name)
                    (own if other is term else others).append(likeness)
        if not others:
            return []
        mark = sorted(others)[int(len(others) * (1 - _CHANCE))]
        return [likeness > mark for likeness in own]

    def _cosine(self, text: frozenset[str], definition: frozenset[str]) -> float:
        rarest = math.log(1 + len(self._told))
        size = math.sqrt(sum(self._weight.get(word, rarest) ** 2 for word in text)) * math.sqrt(
            sum(self._weight[word] ** 2 for word in definition)
        )
        return sum(self._weight[word] ** 2 for word in text & definition) / size if size else 0.0


def _share(answers: Sequence[bool]) -> float:
    return fmean(map(float, answers)) if answers else 0.0
