"""The validator between any concept reader and the map (CM-2): refuses what is not an idea of the subject.

It trusts nothing: names and gists may come from a language model that read a hostile file. What it refuses is
reported with a stable code, so that a reader can show a model its mistakes and a person can see what was left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from anamnesis.domain.concepts import (
    MAX_BUILDS_ON,
    MAX_CONCEPTS_PER_FILE,
    MAX_DEFINITION_CHARS,
    MAX_GIST_CHARS,
    MAX_NAME_CHARS,
    ExtractedConcept,
    Rejection,
)
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.not_ideas import (
    is_code,
    is_description,
    is_label,
    is_misread,
    is_of_an_interface,
    is_of_the_course,
    is_order,
)
from anamnesis.domain.concepts.page_evidence import PageTexts
from anamnesis.domain.concepts.proper_names import is_company, is_organisation, is_person, is_place
from anamnesis.domain.files import Page
from anamnesis.domain.reading.section_headings import is_section_heading
from anamnesis.domain.text.containment import contained


class RejectionReason(StrEnum):
    """Why a candidate, or a part of one, was refused. Stable: clients may branch on it.

    ``MALFORMED`` is for a reader whose model answers outside its schema. The codes up to ``TOO_MANY`` refuse the whole
    concept; those from ``PAGE_OUT_OF_RANGE`` refuse a page, a definition or a prerequisite and keep the concept, except
    that a concept left without any page is refused under the code of its pages.
    """

    MALFORMED = "malformed"
    EMPTY_NAME = "empty-name"
    NAME_TOO_LONG = "name-too-long"
    CONTROL_CHARACTERS = "control-characters"
    BLOCK_MARKER = "block-marker"
    NO_WORD = "no-word"
    SECTION_HEADING = "section-heading"
    QUESTION = "question"
    SENTENCE = "sentence"
    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    IDENTIFIER = "identifier"
    MISREAD = "misread"
    COURSE_ORGANISATION = "course-organisation"
    DESCRIPTION = "description"
    ORDER = "order"
    INTERFACE = "interface"
    LABEL = "label"
    EMPTY_GIST = "empty-gist"
    UNSUPPORTED_GIST = "unsupported-gist"
    DUPLICATE = "duplicate"
    TOO_MANY = "too-many-concepts"
    PAGE_OUT_OF_RANGE = "page-out-of-range"
    NOT_ON_PAGE = "not-on-page"
    UNSUPPORTED_DEFINITION = "unsupported-definition"
    PREREQUISITE_NOT_LISTED = "prerequisite-not-listed"
    SELF_LOOP = "self-loop"


#: Longest name in words, for scripts that separate words; longer ones are clauses.
MAX_NAME_WORDS = 9
#: How much of a refused name a rejection quotes.
_QUOTED_CHARS = 120

# Joiners are part of correct spelling in Persian and the Indic scripts, so they are not "control characters".
_JOINERS = {"\u200c", "\u200d"}
_MARKERS = re.compile(
    r"={3,}|<\|[^|]*\|>|\[/?INST\]|<</?SYS>>|```|^[^\S\n]*+#{1,6}\s|^[^\S\n]*+(?:system|assistant|user|developer|tool)\s*[:>：]"
    r"|</?(?:system|assistant|user|file|document|page|instructions?|tool_use|tool_result)\b[^>]*>"
    r"|\b(?:YOUR MEMORY OF THIS STUDENT|END OF MEMORY|WHAT YOU CURRENTLY BELIEVE|EARLIER WORK WITH THIS STUDENT"
    r"|SUBJECT MAP \(|HOW TO USE THIS|THE STUDENT IS ASKING ABOUT)",
    re.IGNORECASE | re.MULTILINE,
)
#: What a line of the map says about a concept in brackets: none of it comes from a file's own words.
_MAP_BRACKET = re.compile(
    r"\s*[\[(（［【]\s*(?:taught|builds on|assumes)\s*[:：][^\[\](){}（）［］【】]*[\])）］】]?",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟¿⁇]")
_SENTENCE = re.compile(r"[!！。।॥。]|[.:;…]\s|\.{3}|(?<=[^.\s]{3})\.$")
_EDGES = ' \t\n\r,;:.·•*_`"“”„«»‹›–—-'


def validate(
    concepts: Sequence[ExtractedConcept],
    *,
    page_count: int,
    pages: Sequence[Page] | None = None,
    most: int = MAX_CONCEPTS_PER_FILE,
) -> tuple[list[ExtractedConcept], list[Rejection]]:
    """Keep the concepts that may enter the map, cleaned, in their order, and say what was refused.

    Parameters
    ----------
    concepts
        What a reader proposes; nothing about it is trusted.
    page_count
        Number of pages of the file.
    pages
        The pages that the reader saw, for a reader that may make things up: no other page may be cited, a cited page
        must name the concept, and the cited pages must speak of what gist and definition say (``page_evidence``). None
        for a reader that only copies.
    most
        Longest list.

    Returns
    -------
    tuple
        At most `most` concepts with distinct canonical keys, and the refusals. In what is kept,
        ``builds_on`` holds names of kept concepts only, never the concept itself; a prerequisite that is not in
        the list is dropped and reported rather than moved to ``assumed``, because only a reader can tell a
        prerequisite the file takes for granted from a name it made up. An ``assumed`` name that the list does
        explain becomes a ``builds_on``. Gists and definitions are cut to their limits at a word.
    """
    kept: dict[str, ExtractedConcept] = {}
    rejected: list[Rejection] = []
    seen = PageTexts(pages) if pages is not None else None
    for concept in concepts:
        checked = _checked(concept, page_count, rejected)
        if checked is not None and seen is not None:
            checked = _supported(checked, seen, rejected)
        if checked is None:
            continue
        key = canonical_key(checked.name)
        if not key:
            rejected.append(rejection(checked.name, RejectionReason.NO_WORD))
        elif key in kept:
            rejected.append(rejection(checked.name, RejectionReason.DUPLICATE))
        elif len(kept) == most:
            rejected.append(rejection(checked.name, RejectionReason.TOO_MANY))
        else:
            kept[key] = checked
    names = {key: concept.name for key, concept in kept.items()}
    return [_linked(key, concept, names, rejected) for key, concept in kept.items()], rejected


def name_refusal(name: str) -> RejectionReason | None:
    """Why `name` cannot be the name of a concept; None when it can."""
    refusals = (
        (RejectionReason.EMPTY_NAME, not name.strip(_EDGES)),
        (RejectionReason.CONTROL_CHARACTERS, _holds_controls(name)),
        (RejectionReason.BLOCK_MARKER, bool(_MARKERS.search(name)) or contained(name) != name),
        (RejectionReason.NAME_TOO_LONG, len(name) > MAX_NAME_CHARS),
        (RejectionReason.NO_WORD, not any(c.isalpha() for c in name)),
        (RejectionReason.QUESTION, bool(_QUESTION.search(name))),
        (RejectionReason.SECTION_HEADING, is_section_heading(name)),
        (RejectionReason.ORGANISATION, is_organisation(name)),
        (RejectionReason.IDENTIFIER, is_code(name)),
        (RejectionReason.MISREAD, is_misread(name)),
        (RejectionReason.COURSE_ORGANISATION, is_of_the_course(name)),
        (RejectionReason.DESCRIPTION, is_description(name)),
        (RejectionReason.ORDER, is_order(name)),
        (RejectionReason.INTERFACE, is_of_an_interface(name)),
        (RejectionReason.LABEL, is_label(name)),
        (RejectionReason.SENTENCE, bool(_SENTENCE.search(name)) or len(name.split()) > MAX_NAME_WORDS),
    )
    return next((reason for reason, holds in refusals if holds), None)


def _checked(
    concept: ExtractedConcept, page_count: int, rejected: list[Rejection]
) -> ExtractedConcept | None:
    name = clean_name(concept.name)
    reason = name_refusal(name)
    gist, definition = (
        clean_text(concept.gist, MAX_GIST_CHARS),
        clean_text(concept.definition, MAX_DEFINITION_CHARS),
    )
    if reason is None and not any(c.isalnum() for c in gist):
        reason = RejectionReason.EMPTY_GIST
    if reason is None and (_MARKERS.search(concept.gist) or _MARKERS.search(concept.definition)):
        reason = RejectionReason.BLOCK_MARKER
    if reason is None and canonical_key(gist) == canonical_key(name):
        # A gist that only repeats the name says nothing about it.
        reason = RejectionReason.EMPTY_GIST
    if reason is None and is_person(name, gist):
        reason = RejectionReason.PERSON
    if reason is None and is_place(name, gist):
        reason = RejectionReason.PLACE
    if reason is None and is_company(name, gist):
        reason = RejectionReason.ORGANISATION
    if reason is not None:
        rejected.append(rejection(name, reason))
        return None
    pages = tuple(sorted({page for page in concept.pages if 1 <= page <= page_count}))
    if not pages or any(not 1 <= page <= page_count for page in concept.pages):
        rejected.append(rejection(name, RejectionReason.PAGE_OUT_OF_RANGE))
        if not pages:
            return None
    return replace(concept, name=name, gist=gist, definition=definition or gist, pages=pages)


def _supported(
    concept: ExtractedConcept, seen: PageTexts, rejected: list[Rejection]
) -> ExtractedConcept | None:
    """What of a concept the pages that the reader saw bear out; None when they bear out nothing."""
    shown = tuple(page for page in concept.pages if page in seen.numbers)
    if len(shown) < len(concept.pages):
        rejected.append(rejection(concept.name, RejectionReason.PAGE_OUT_OF_RANGE))
    naming = tuple(page for page in shown if seen.name(concept.name, page))
    if len(naming) < len(shown):
        rejected.append(rejection(concept.name, RejectionReason.NOT_ON_PAGE))
    if not naming:
        return None
    if not seen.support(concept.gist, naming):
        rejected.append(rejection(concept.name, RejectionReason.UNSUPPORTED_GIST))
        return None
    if not seen.support(concept.definition, naming):
        rejected.append(rejection(concept.name, RejectionReason.UNSUPPORTED_DEFINITION))
        concept = replace(concept, definition=concept.gist)
    return replace(concept, pages=naming)


def _linked(
    key: str, concept: ExtractedConcept, names: Mapping[str, str], rejected: list[Rejection]
) -> ExtractedConcept:
    builds_on: dict[str, str] = {}
    counts: dict[str, int] = {}
    for name, count in concept.weights().items():
        prerequisite = canonical_key(clean_name(name))
        if prerequisite == key:
            rejected.append(rejection(concept.name, RejectionReason.SELF_LOOP))
        elif prerequisite not in names:
            rejected.append(rejection(name, RejectionReason.PREREQUISITE_NOT_LISTED))
        else:
            builds_on[prerequisite] = names[prerequisite]
            counts[prerequisite] = max(count, counts.get(prerequisite, 0))
    assumed: dict[str, str] = {}
    for raw in concept.assumed:
        name = clean_name(raw)
        prerequisite = canonical_key(name)
        reason = name_refusal(name)
        if reason is not None:
            rejected.append(rejection(name, reason))
        elif prerequisite == key:
            rejected.append(rejection(concept.name, RejectionReason.SELF_LOOP))
        elif prerequisite in names:
            builds_on[prerequisite] = names[prerequisite]
        elif prerequisite:
            assumed.setdefault(prerequisite, name)
    return replace(
        concept,
        builds_on=_bounded(builds_on.values(), MAX_BUILDS_ON),
        assumed=_bounded(assumed.values(), MAX_BUILDS_ON),
        evidence=tuple(counts.get(key, 1) for key in builds_on)[:MAX_BUILDS_ON] if concept.evidence else (),
    )


def _bounded(names: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(names)[:most]


def rejection(name: str, reason: RejectionReason) -> Rejection:
    """Return a refusal that quotes the name within bounds and without control characters."""
    quoted = "".join(c if unicodedata.category(c)[0] != "C" or c in _JOINERS else "\ufffd" for c in name)
    return Rejection(quoted[:_QUOTED_CHARS], reason.value)


def _holds_controls(text: str) -> bool:
    return any(
        unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} and c not in _JOINERS
        for c in text
    )


def clean_name(name: str) -> str:
    """`name` in NFC, white space collapsed, outer quotation marks, emphasis and punctuation taken off."""
    text = " ".join(unicodedata.normalize("NFC", name[: 4 * MAX_NAME_CHARS]).replace("\u00ad", "").split())
    text = _MAP_BRACKET.sub("", text)
    return text.strip(_EDGES)


def clean_text(text: str, most: int) -> str:
    """`text` on one line without control or formatting characters, cut to `most` characters at a word."""
    visible = "".join(
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c
        for c in unicodedata.normalize("NFC", text[: 8 * most])
        if unicodedata.category(c) not in {"Cf", "Cs", "Co", "Cn"} or c in _JOINERS
    )
    line = _MAP_BRACKET.sub("", " ".join(visible.split())).strip()
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"
