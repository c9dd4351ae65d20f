"""A page by itself and among the others: links, citations, references, and that each sentence has one (WK-3)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from anamnesis.domain.grounding.claims import parts_of
from anamnesis.domain.wiki.gates.findings import Findings, Rule
from anamnesis.domain.wiki.gates.front_matter import check_front_matter, check_sources, said_of
from anamnesis.domain.wiki.gates.lines import PLACE, LineParts, take_apart
from anamnesis.domain.wiki.gates.markup import check_markup
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.trees import kind_at
from anamnesis.domain.wiki.links import leads_to, named_page
from anamnesis.domain.wiki.page_format import REFERENCES, RELATED, ReadPage, read
from anamnesis.domain.wiki.pages import PageKind

#: Kinds whose sentences need citations. The others list pages, or are the record itself.
CITING: Final = frozenset(
    {
        PageKind.CONCEPT,
        PageKind.ENTITY,
        PageKind.PROJECT,
        PageKind.LEARNING,
        PageKind.NOTE,
        PageKind.SESSION,
    }
)
#: Longest reason of a context link, in characters. Ours.
MAX_WHY_CHARS: Final = 200
#: Of four letters at least: less is a sign or a code.
_QUOTATION: Final = re.compile(r"“[^“”]*\w{4}[^“”]*”|«[^«»]*\w{4}[^«»]*»")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}")
_REFERENCE: Final = re.compile(r"[1-9][0-9]{0,5}\. `[^`]*`(?: · .*)?")
_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})(?:\s+(.*))?$")
_RELATED: Final = re.compile(rf"{PLACE} \({PLACE}\)(?:: (.*))?")


def check_page(path: str, text: str, paths: Collection[str], standing: Standing, found: Findings) -> ReadPage:
    """Check everything about a page that needs no comparison of what it says; return it taken apart.

    Parameters
    ----------
    paths
        Of all pages of the tree.
    """
    page = read(path, text)
    check_front_matter(page, standing, found)
    raw = text.split("\n")
    body = {line.number: line.section for line in page.lines}
    first = page.lines[0].number if page.lines else len(raw) + 1
    _check_sections(page, raw, first, found)
    for number, line in enumerate(raw[first - 1 :], start=first):
        if found.full:
            break
        parts = take_apart(line)
        check_markup(path, number, line, parts, found)
        _check_links(page, number, parts, paths, found)
        if number in body:
            _check_citations(page, number, parts, found)
            _check_cited(page, number, line, parts, body[number], found)
        elif line.strip() and not _REFERENCE.fullmatch(line) and _HEADING.match(line) is None:
            found.add(path, number, Rule.REFERENCE, "a reference must be `N. `address` · what it is`")
    _check_references(page, standing, found)
    return page


def check_again(page: ReadPage, lost: Collection[str], standing: Standing, found: Findings) -> None:
    """Check of a page that stood before what may have changed around it: what it cites, and what it links to.

    Parameters
    ----------
    lost
        Paths that were in the tree before and are not any more.
    """
    _check_references(page, standing, found)
    check_sources(page, standing, found)
    if not lost:
        return
    for line in page.lines:
        if "](" not in line.text and "[[" not in line.text:
            continue
        parts = take_apart(line.text)
        if any(named_page(link, lost) in lost for link in parts.wikilinks):
            found.add(page.path, line.number, Rule.LINK, "a wikilink leads to no page")
        if any(leads_to(page.path, target) in lost for target in parts.links):
            found.add(page.path, line.number, Rule.LINK, "a link leads to no page")


def _check_sections(page: ReadPage, raw: list[str], first: int, found: Findings) -> None:
    """One title, and references only once and last: what follows them nobody would read as text."""
    titles, references = 0, 0
    for number, line in enumerate(raw[first - 1 :], start=first):
        heading = _HEADING.match(line) if line.lstrip().startswith("#") else None
        if heading is None:
            continue
        titles += len(heading[1]) == 1
        name = (heading[2] or "").strip()
        if references and (name != REFERENCES or len(heading[1]) != 2):
            found.add(page.path, number, Rule.STRUCTURE, f"{REFERENCES} must be the last section")
        references += name == REFERENCES
        if references > 1 and name == REFERENCES:
            found.add(page.path, number, Rule.STRUCTURE, f"{REFERENCES} must be there once")
    if titles != 1 and page.front is not None:
        found.add(page.path, first, Rule.STRUCTURE, "a page has one title of the first level")


def _check_links(
    page: ReadPage, number: int, parts: LineParts, paths: Collection[str], found: Findings
) -> None:
    for link in parts.wikilinks:
        if named_page(link, paths) not in paths:
            found.add(page.path, number, Rule.LINK, "a wikilink leads to no page")
    for target in parts.links:
        bare = target.partition("#")[0]
        if not bare or ":" in bare or bare.startswith(("/", "\\")) or "?" in bare:
            found.add(page.path, number, Rule.SCHEME, "a link must be a relative path to a page")
            continue
        if leads_to(page.path, target) not in paths:
            found.add(page.path, number, Rule.LINK, "a link leads to no page")


def _check_citations(page: ReadPage, number: int, parts: LineParts, found: Findings) -> None:
    for citation in parts.citations:
        if not _NUMBER.fullmatch(citation):
            found.add(page.path, number, Rule.CITATION, "a citation must be [cite:N]")
        elif int(citation) not in page.references:
            found.add(page.path, number, Rule.NO_REFERENCE, f"{citation} is not among the references")


def _check_cited(
    page: ReadPage, number: int, line: str, parts: LineParts, section: str, found: Findings
) -> None:
    """Whether every claim of a line has a citation behind it."""
    if kind_at(page.path) not in CITING or _HEADING.match(line) is not None:
        return
    if section == RELATED:
        for text, _ in parts.claims:
            related = _RELATED.fullmatch(text)
            if related is None or len(related[1] or "") > MAX_WHY_CHARS:
                found.add(page.path, number, Rule.STRUCTURE, f"{RELATED} holds one link a line, and why")
        return
    for text, citations in parts.claims:
        if not citations and is_factual(text):
            found.add(page.path, number, Rule.UNCITED, "a sentence without a citation")


def is_factual(text: str) -> bool:
    """Whether a text claims something: no question, courtesy or lead-in. Who quotes claims that it was said."""
    if _QUOTATION.search(text):
        return True
    return bool(text.strip(f" {PLACE}·,;()")) and bool(parts_of(text).claims)


def _check_references(page: ReadPage, standing: Standing, found: Findings) -> None:
    for number in page.repeated:
        found.add(page.path, 0, Rule.REFERENCE_TWICE, f"reference {number} is there twice")
    addresses = [address for address in page.references.values() if address is not None]
    if len(set(addresses)) < len(addresses):
        found.add(page.path, 0, Rule.REFERENCE_TWICE, "one address has two references")
    for number, address in page.references.items():
        if address is None:
            found.add(page.path, 0, Rule.REFERENCE, f"reference {number} is no address")
        elif (fault := standing.fault(address)) is not None:
            found.add(page.path, 0, fault, f"reference {number} {said_of(fault)}")
