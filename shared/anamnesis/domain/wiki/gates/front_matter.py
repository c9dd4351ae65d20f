"""Front matter: that it is there, and that each field is what it should be (WK-2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.wiki.addresses import read_address
from anamnesis.domain.wiki.gates.findings import Findings, Rule
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.trees import kind_at
from anamnesis.domain.wiki.page_format import ReadPage
from anamnesis.domain.wiki.pages import PageKind
from anamnesis.domain.wiki.writing.agents import AGENT, AUTHOR

#: Longest title or alias, in characters, and aliases at most. Ours.
MAX_TITLE_CHARS: Final = 400
MAX_ALIASES: Final = 100
_SYNTHESISED: Final = frozenset({PageKind.CONCEPT, PageKind.ENTITY, PageKind.PROJECT, PageKind.LEARNING})
#: Name of a writer and a fingerprint.
_MARK: Final = re.compile(r"[\w.:/-]{1,200} [0-9a-f]{24}", re.ASCII)


def is_agents(page: ReadPage) -> bool:
    """Whether an agent wrote the page, so that a compile leaves it as it is."""
    return (page.front or {}).get(AUTHOR) == AGENT


def check_front_matter(page: ReadPage, standing: Standing, found: Findings) -> None:
    """Check the fields; a page without any that can be read has one finding."""
    front = page.front
    if front is None:
        found.add(page.path, 1, Rule.FRONT_MATTER, "must begin with front matter, one JSON value a line")
        return

    def refuse(rule: Rule, detail: str) -> None:
        found.add(page.path, 1, rule, detail)

    for name in ("title", "kind", "created", "updated", "sources", "aliases"):
        if name not in front:
            refuse(Rule.FIELD, f"{name} is missing")
    known = {"title", "kind", "created", "updated", "sources", "aliases", AUTHOR, "synthesis"}
    for name in sorted(front.keys() - known):
        refuse(Rule.FIELD, f"a field that there is not: number {list(front).index(name) + 1}")
    if "title" in front and not _is_title(front["title"]):
        refuse(Rule.FIELD, f"title must be a text of 1 to {MAX_TITLE_CHARS} characters on one line")
    if AUTHOR in front and front[AUTHOR] != AGENT:
        refuse(Rule.FIELD, f"{AUTHOR} must be {AGENT} or left out")
    if "synthesis" in front and not _is_mark(front, kind_at(page.path)):
        refuse(Rule.FIELD, "synthesis must be a writer and a fingerprint, on a compiled page of knowledge")
    _check_kind(page.path, front, refuse)
    _check_days(front, refuse)
    _check_aliases(front, refuse)
    check_sources(page, standing, found)


def _is_mark(front: Mapping[str, Any], kind: PageKind | None) -> bool:
    mark = front["synthesis"]
    compiled = kind in _SYNTHESISED and AUTHOR not in front
    return compiled and isinstance(mark, str) and _MARK.fullmatch(mark) is not None


def _check_kind(path: str, front: Mapping[str, Any], refuse: Any) -> None:
    if "kind" not in front:
        return
    kind, wanted = front["kind"], kind_at(path)
    if not isinstance(kind, str) or kind not in set(PageKind):
        refuse(Rule.KIND, "kind is none that pages have")
    elif kind != wanted:
        refuse(Rule.KIND, f"kind must be {wanted} at this path")
    elif front.get(AUTHOR) == AGENT and kind in {
        PageKind.INDEX, PageKind.SESSION, PageKind.TRANSCRIPT, PageKind.CHANGELOG,
    }:  # fmt: skip
        refuse(Rule.KIND, "an agent may not write a page of this kind")


def _check_days(front: Mapping[str, Any], refuse: Any) -> None:
    days = {name: _day(front[name]) for name in ("created", "updated") if name in front}
    for name, day in days.items():
        if day is None:
            refuse(Rule.FIELD, f"{name} must be a day such as 2026-03-04")
    created, updated = days.get("created"), days.get("updated")
    if created is not None and updated is not None and created > updated:
        refuse(Rule.FIELD, "updated must not be before created")


def _check_aliases(front: Mapping[str, Any], refuse: Any) -> None:
    aliases = front.get("aliases", [])
    if not isinstance(aliases, list) or len(aliases) > MAX_ALIASES or not all(map(_is_title, aliases)):
        refuse(Rule.FIELD, f"aliases must be a list of at most {MAX_ALIASES} titles")


def check_sources(page: ReadPage, standing: Standing, found: Findings) -> None:
    """Check that the sources are addresses of what stands, and all that the references name."""
    sources = (page.front or {}).get("sources", [])

    def refuse(rule: Rule, detail: str) -> None:
        found.add(page.path, 1, rule, detail)

    if not isinstance(sources, list) or not all(isinstance(source, str) for source in sources):
        refuse(Rule.FIELD, "sources must be a list of addresses")
        return
    for number, source in enumerate(sources, start=1):
        try:
            address = read_address(source)
        except InvalidInput:
            refuse(Rule.FIELD, f"source {number} is no address")
            continue
        if address.part is not None:
            refuse(Rule.FIELD, f"source {number} must not name a turn or page")
        elif (fault := standing.fault(address)) is not None:
            refuse(fault, f"source {number} {said_of(fault)}")
    cited = {str(replace(address, part=None)) for address in page.references.values() if address}
    if len(set(sources)) < len(sources) or not cited <= set(sources):
        refuse(Rule.FIELD, "sources must name everything that the references name, once")


def said_of(fault: Rule) -> str:
    """What is wrong with an address, in words."""
    return "leads to what was erased" if fault is Rule.ERASED else "leads to nothing in the evidence"


#: Letters of Persian and of Indic scripts are joined and parted by these two, which are no less printable than those.
_JOINERS: Final = {0x200C: None, 0x200D: None}


def _is_title(value: object) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= MAX_TITLE_CHARS
        and value == value.strip()
        and value.translate(_JOINERS).isprintable()
    )


def _day(value: object) -> date | None:
    try:
        day = date.fromisoformat(value) if isinstance(value, str) and len(value) == 10 else None
    except ValueError:
        return None
    return day if day is not None and day.isoformat() == value else None
