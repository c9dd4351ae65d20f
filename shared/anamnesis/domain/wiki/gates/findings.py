"""What a gate says when it refuses: where, by which rule, and why (WD-2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

#: Findings told at most; a tree with more is refused all the same, and nobody reads them all. Ours.
MAX_FINDINGS: Final = 100


class Rule(StrEnum):
    """Stable codes of the gates' rules: clients may branch on them."""

    # the tree
    PATH = "path"
    COLLISION = "path-collision"
    SIZE = "size"
    TREE_SIZE = "tree-size"
    ENCODING = "encoding"
    # front matter
    FRONT_MATTER = "front-matter"
    FIELD = "front-matter-field"
    KIND = "kind"
    # links and citations
    LINK = "dangling-link"
    LINK_FORM = "link-form"
    SCHEME = "link-scheme"
    CITATION = "citation-format"
    NO_REFERENCE = "citation-without-reference"
    REFERENCE = "reference-format"
    REFERENCE_TWICE = "reference-twice"
    NOWHERE = "leads-nowhere"
    ERASED = "erased"
    UNCITED = "uncited"
    # markup
    HTML = "html"
    IMAGE = "image"
    STRUCTURE = "structure"
    INVISIBLE = "invisible"
    SMUGGLED = "smuggled"
    # meaning
    UNSUPPORTED = "unsupported"
    AGAINST_EVIDENCE = "against-evidence"
    AGAINST_BELIEF = "against-belief"
    AGAINST_PAGE = "against-page"


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason why a tree may not stand.

    Attributes
    ----------
    path
        Of the page; empty when it is about the tree as a whole.
    line
        From 1 in the file; 0 when it is about the whole page.
    detail
        In words that hold nothing of what the page says.
    """

    path: str
    line: int
    rule: Rule
    detail: str


@dataclass(slots=True)
class Findings:
    """Collects findings up to ``MAX_FINDINGS``."""

    found: list[Finding] = field(default_factory=list)

    def add(self, path: str, line: int, rule: Rule, detail: str) -> None:
        """Keep a finding if there is room."""
        if not self.full:
            self.found.append(Finding(path, line, rule, detail))

    @property
    def full(self) -> bool:
        """Whether no more is kept, so that nobody need look for more."""
        return len(self.found) >= MAX_FINDINGS
