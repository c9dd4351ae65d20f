"""What agents wrote: their notes on compiled pages and their own pages stay through every compile (WD-1, WK-6)."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping
from dataclasses import replace
from typing import Final

from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.links import without_dangling
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import AGENT_NOTES, Page, Tree, without_ending

#: What an agent's own page says in its front matter, and under which name.
AUTHOR: Final = "author"
AGENT: Final = "agent"
_CITED: Final = re.compile(r"(?<!\\)\[cite:([^\]\n]*)\]")
_HEAD_CHARS: Final = 60_000


def own_pages(current: Tree) -> dict[str, str]:
    """The pages of a tree that are agents' own, by path."""
    return {
        path: text
        for path, text in current.items()
        if (front := read(path, text[:_HEAD_CHARS]).front) is not None and front.get(AUTHOR) == AGENT
    }


def set_apart(agents: Mapping[str, str], compiled: Collection[str]) -> dict[str, str]:
    """Agents' own pages by paths that no compiled page has: one that came first makes room and keeps its folder.

    Otherwise whoever writes at a name first would keep what the compile has to say of it from every reader.
    """
    apart = {path: text for path, text in agents.items() if path not in compiled}
    for path in sorted(agents.keys() - apart.keys()):
        bare, number = f"{without_ending(path)}-{AGENT}", 1
        moved = f"{bare}.md"
        while moved in apart or moved in compiled:
            number += 1
            moved = f"{bare}-{number}.md"
        apart[moved] = agents[path]
    return apart


def is_set_apart(path: str, wanted: str) -> bool:
    """Whether `path` is one that ``set_apart`` gives to a page that wants `wanted`."""
    rest = path.removeprefix(f"{without_ending(wanted)}-{AGENT}").removesuffix(".md")
    return path.startswith(f"{without_ending(wanted)}-{AGENT}") and (not rest or rest[1:].isdecimal())


def has_notes(text: str) -> bool:
    """Whether agents may have written on a page, at a glance."""
    return f"\n## {AGENT_NOTES}\n" in text


def with_notes(page: Page, current: Tree, paths: Container[str], standing: Container[Address]) -> Page:
    """The page with the notes that agents wrote on it, as far as what they rest on still stands.

    A line that cites what is there no more goes: it may tell what was erased (WD-4). A link to a page that is there no
    more becomes its words, so that no link dangles (WK-3).

    Parameters
    ----------
    paths
        Of all pages that there will be, with ``.md``.
    standing
        Addresses that lead to evidence.
    """
    text = current.get(page.path, "")
    if not has_notes(text):
        return page
    old = read(page.path, text)
    notes = old.section(AGENT_NOTES)
    references = {str(number): address for number, address in old.references.items()}
    kept = [line for line in notes.split("\n") if _stands(line, references, standing)]
    carried = without_dangling(page.path, "\n".join(kept), paths).strip()
    if not carried:
        return page
    cited = {number: address for number, address in references.items() if address is not None}
    return replace(page, agent_notes=carried, note_references=cited)


def _stands(line: str, references: Mapping[str, Address | None], standing: Container[Address]) -> bool:
    for match in _CITED.finditer(line):
        address = references.get(match[1])
        if address is None or address not in standing:
            return False
    return True
