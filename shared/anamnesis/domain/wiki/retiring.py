"""What of agents' own pages goes when what it rests on is gone, so that nothing dangles (WD-1, WD-4, WK-3).

Notes on compiled pages are the writer's to carry over (``writing.agents``); pages that agents wrote themselves are
nobody's to write anew. A line that cites what is there no more goes, and with the last of its lines the page; a link
to a page that is there no more becomes its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container
from typing import Final

from anamnesis.domain.errors import InvalidInput
from anamnesis.domain.wiki.addresses import Address, read_address
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.links import without_dangling
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.agents import own_pages

_REFERENCE: Final = re.compile(r"^(\d{1,6})\. `")
_SOURCES: Final = re.compile(r"^sources: (.*)$")


def with_standing_pages(current: Tree, standing: Standing) -> Tree:
    """The tree whose agents' own pages cite only what stands."""
    own = own_pages(current)
    if not own:
        return current
    tree = dict(current)
    for path, text in own.items():
        left = _without_dead_citations(path, text, standing)
        if left is None:
            del tree[path]
        else:
            tree[path] = left
    return tree


def without_dangling_links(tree: Tree) -> Tree:
    """The tree whose agents' own pages link only to what is there."""
    changed = {path: without_dangling(path, text, tree) for path, text in own_pages(tree).items()}
    return {**tree, **changed} if changed else tree


def _without_dead_citations(path: str, text: str, standing: Standing) -> str | None:
    """The page without lines that cite what is not there; None when no line with a citation is left."""
    page = read(path, text)

    def dead_one(address: Address | None) -> bool:
        return address is not None and standing.fault(address) is not None

    dead = {str(number) for number, address in page.references.items() if dead_one(address)}
    gone_sources = [s for s in _sources(text) if _is_dead_source(s, standing)]
    if not dead and not gone_sources:
        return text
    drop = {line.number for line in page.lines if not dead.isdisjoint(line.citations)}
    kept: list[str] = []
    in_body = {line.number for line in page.lines}
    for number, line in enumerate(text.split("\n"), start=1):
        if number in drop:
            continue
        reference = _REFERENCE.match(line) if number not in in_body else None
        if reference is not None and reference[1] in dead:
            continue
        found = _SOURCES.match(line) if not in_body or number < min(in_body) else None
        kept.append(
            f"sources: {json.dumps(_left(found[1], gone_sources), ensure_ascii=False)}" if found else line
        )
    cited_before = any(line.citations for line in page.lines)
    cited_after = any(line.citations and line.number not in drop for line in page.lines)
    return None if cited_before and not cited_after else "\n".join(kept)


def _sources(text: str) -> list[str]:
    sources = (read("", text).front or {}).get("sources")
    return [s for s in sources if isinstance(s, str)] if isinstance(sources, list) else []


def _is_dead_source(source: str, standing: Standing) -> bool:
    try:
        return standing.fault(read_address(source)) is not None
    except InvalidInput:
        return False


def _left(value: str, gone: Container[str]) -> object:
    try:
        sources = json.loads(value)
    except ValueError:
        return value
    return [source for source in sources if source not in gone] if isinstance(sources, list) else sources
