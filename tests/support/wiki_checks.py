"""What is wrong with a tree, as its tests see it: links and citations that lead nowhere, facts without any, sizes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.page_format import REFERENCES, RELATED, ReadPage, read
from anamnesis.domain.wiki.pages import (
    MAX_PAGE_BYTES,
    MAX_SESSION_FILE_BYTES,
    PageKind,
    Tree,
    checked_path,
    without_ending,
)
from anamnesis.domain.wiki.resolution import Resolver
from anamnesis.domain.wiki.sessions import sessions_of

_RELATIVE = re.compile(r"(?<!\\)\]\(([^()\s]+\.md)\)")
#: Kinds whose every sentence is a fact; the others are lists and records.
_FACTUAL = {
    PageKind.CONCEPT,
    PageKind.ENTITY,
    PageKind.PROJECT,
    PageKind.LEARNING,
    PageKind.NOTE,
    PageKind.SESSION,
}
_FRONT = {"title", "kind", "created", "updated", "sources", "aliases"}


def faults(tree: Tree, evidence: WikiEvidence) -> list[str]:
    """Every fault of a tree that its evidence gives, in words."""
    paths = {without_ending(path) for path in tree}
    standing = Resolver(evidence, sessions_of(evidence))
    found: list[str] = []
    for path, text in tree.items():
        checked_path(path)
        limit = MAX_SESSION_FILE_BYTES if path.startswith("sessions/") else MAX_PAGE_BYTES
        if len(text.encode()) > limit:
            found.append(f"{path}: {len(text.encode())} bytes")
        found += [f"{path}: {fault}" for fault in _of_page(read(path, text), paths, standing)]
    return found


def _of_page(page: ReadPage, paths: set[str], standing: Resolver) -> Iterator[str]:
    if page.front is None or page.front.keys() != _FRONT:
        yield f"front matter {page.front}"
        return
    if page.repeated:
        yield f"numbers {page.repeated} twice"
    for number, address in page.references.items():
        if address is None or address not in standing:
            yield f"reference {number} to {address}"
    kind = page.front["kind"]
    for line in page.lines:
        yield from _of_line(page, line.text, line.section, line.citations, kind)
        for link in line.links:
            if link not in paths:
                yield f"link to {link}"
        for target in _RELATIVE.findall(line.text):
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), unquote(target)))
            if without_ending(whole) not in paths:
                yield f"relative link to {whole}"


def _of_line(page: ReadPage, text: str, section: str, citations: tuple[str, ...], kind: str) -> Iterator[str]:
    for citation in citations:
        if not citation.isdigit() or int(citation) not in page.references:
            yield f"citation {citation}"
    if re.search(r"(?<!\\)<", text):
        yield f"HTML in {text!r}"
    stands_alone = not text.strip() or text.startswith("#") or section in {REFERENCES, RELATED}
    if kind in _FACTUAL and not stands_alone and not citations:
        yield f"no citation in {text!r}"
