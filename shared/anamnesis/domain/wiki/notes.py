"""The section of a compiled page that belongs to agents: told from the rest, and put onto another version."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final

from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.page_format import REFERENCES, read
from anamnesis.domain.wiki.pages import AGENT_NOTES

_CITED: Final = re.compile(r"(?<!\\)\[cite:(\d{1,6})\]")
_SOURCES: Final = re.compile(r"^sources: .*$", re.MULTILINE)
_HEADING: Final = re.compile(r"^## (.*)$")


def notes_of(text: str) -> tuple[str, dict[str, Address]]:
    """The notes on a page, and what the numbers that they cite lead to."""
    page = read("", text)
    notes = page.section(AGENT_NOTES)
    known = {str(number): address for number, address in page.references.items() if address is not None}
    return notes, {number: known[number] for number in _CITED.findall(notes) if number in known}


def same_notes(one: str, other: str) -> bool:
    """Whether two versions of a page have the same notes, however their references are numbered."""
    return _spelled(one) == _spelled(other)


def without_notes(text: str) -> str:
    """A page without its notes, its references and the sources that follow from both, to compare by."""
    kept: list[str] = []
    section = ""
    for line in text.split("\n"):
        if heading := _HEADING.match(line):
            section = heading[1].strip()
        if section not in {AGENT_NOTES, REFERENCES}:
            kept.append(line)
    numbers = {str(n): str(a) for n, a in read("", text).references.items()}
    body = _CITED.sub(lambda m: f"[cite:{numbers.get(m[1], m[1])}]", "\n".join(kept))
    return _SOURCES.sub("", body).strip()


def with_notes_of(text: str, other: str) -> str:
    """The page `text` with the notes of `other`, whose citations get numbers of this page."""
    notes, cited = notes_of(other)
    page = read("", text)
    kept: list[str] = []
    section = ""
    for line in text.rstrip("\n").split("\n"):
        if heading := _HEADING.match(line):
            section = heading[1].strip()
        if section != AGENT_NOTES:
            kept.append(line)
    body, mark, references = "\n".join(kept).partition(f"\n## {REFERENCES}\n")
    numbers = {address: number for number, address in page.references.items() if address is not None}
    added: list[str] = []
    for address in cited.values():
        if address not in numbers:
            numbers[address] = max(numbers.values(), default=0) + 1
            added.append(f"{numbers[address]}. `{address}`")
    renumbered = _CITED.sub(lambda m: f"[cite:{numbers[cited[m[1]]]}]" if m[1] in cited else m[0], notes)
    parts = [body.rstrip()]
    if renumbered:
        parts.append(f"## {AGENT_NOTES}\n\n{renumbered}")
    listed = [*(references.strip().split("\n") if mark else []), *added]
    if listed:
        parts.append("\n".join([f"## {REFERENCES}", "", *listed]))
    return _with_sources("\n\n".join(parts) + "\n", set(cited.values()))


def _with_sources(text: str, cited: set[Address]) -> str:
    sources = (read("", text).front or {}).get("sources")
    if not isinstance(sources, list):
        return text
    every = sorted({*map(str, sources), *(str(replace(address, part=None)) for address in cited)})
    return _SOURCES.sub(lambda _: f"sources: {json.dumps(every, ensure_ascii=False)}", text, count=1)


def _spelled(text: str) -> str:
    notes, cited = notes_of(text)
    return _CITED.sub(lambda m: f"[cite:{cited.get(m[1], m[1])}]", notes)
