"""What a tree must fulfil before it may stand (WD-2): a gate that goes by rules, and one that goes by what is meant."""

from __future__ import annotations

from collections.abc import Collection

from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates.findings import MAX_FINDINGS, Finding, Findings, Rule
from anamnesis.domain.wiki.gates.pages import check_page
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.trees import check_tree
from anamnesis.domain.wiki.pages import Tree

__all__ = ["MAX_FINDINGS", "Finding", "Rule", "findings"]


def findings(
    staged: Tree,
    base: Tree,  # noqa: ARG001 for the gate by meaning
    evidence: WikiEvidence,
    *,
    erased_texts: Collection[str] = (),  # noqa: ARG001 for the gate by meaning
) -> tuple[Finding, ...]:
    """Why the staged tree may not stand; nothing when it may.

    Parameters
    ----------
    base
        What stood before: only what differs from it is held against the evidence by its meaning.
    erased_texts
        Texts that are being erased and must not be repeated by anybody (WD-4).

    Returns
    -------
    tuple
        At most ``MAX_FINDINGS``, the tree's first, then by path and line.
    """
    found = Findings()
    standing = Standing.of(evidence)
    fit = check_tree(staged, found)
    pages = {}
    for path in fit:
        if found.full:
            break
        pages[path] = check_page(path, staged[path], staged.keys(), standing, found)
    return tuple(found.found)
