"""What a tree must fulfil before it may stand (WD-2): a gate that goes by rules, and one that goes by what is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates.erased_texts import ErasedTexts, check_erased
from anamnesis.domain.wiki.gates.findings import MAX_FINDINGS, Finding, Findings, Rule
from anamnesis.domain.wiki.gates.meaning import check_meaning
from anamnesis.domain.wiki.gates.page_rules import check_again, check_page
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.trees import check_tree
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.agents import own_pages

__all__ = ["MAX_FINDINGS", "Finding", "Rule", "findings", "page_findings"]


def findings(
    staged: Tree, base: Tree, evidence: WikiEvidence, *, erased_texts: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Why the staged tree may not stand; nothing when it may.

    The gate by meaning is only asked about a tree that the other one passes: what cannot be read cannot be understood.

    Parameters
    ----------
    base
        What stood before, and passed: of what is like it only links and citations are looked up again.
    erased_texts
        Texts that are being erased and must not be repeated by anybody (WD-4).

    Returns
    -------
    tuple
        At most ``MAX_FINDINGS``, the tree's first, then by path and line.
    """
    found = Findings()
    standing = Standing.of(evidence)
    erased = ErasedTexts(erased_texts, _texts(evidence) if erased_texts else ())
    lost = base.keys() - staged.keys()
    pages = {}
    for path in check_tree(staged, found):
        if found.full:
            break
        if base.get(path) == staged[path]:
            pages[path] = read(path, staged[path])
            check_again(pages[path], lost, standing, found)
        else:
            pages[path] = check_page(path, staged[path], staged.keys(), standing, found)
        check_erased(path, staged[path], erased, found)
    if not found.found:
        check_meaning(pages, staged, base, standing, found)
    return tuple(found.found)


def page_findings(
    path: str, staged: Tree, base: Tree, evidence: WikiEvidence, *, erased_texts: Collection[str] = ()
) -> tuple[Finding, ...]:
    """As ``findings``, of one page of a tree whose others stand already; agents' other pages may be at odds with it."""
    found = Findings()
    standing = Standing.of(evidence)
    erased = ErasedTexts(erased_texts, _texts(evidence) if erased_texts else ())
    if path not in check_tree(staged, found):
        return tuple(found.found)
    pages = {path: check_page(path, staged[path], staged.keys(), standing, found)}
    check_erased(path, staged[path], erased, found)
    if not found.found:
        pages |= {other: read(other, text) for other, text in own_pages(staged).items() if other != path}
        check_meaning(dict(sorted(pages.items())), staged, base, standing, found)
    return tuple(found.found)


def _texts(evidence: WikiEvidence) -> Iterator[str]:
    """What stands: episodes, what the files say, what connectors returned."""
    for subject in evidence.subjects:
        for episode in subject.episodes:
            if (said := episode.content) is not None:
                yield from filter(None, (said.text, said.summary, said.topic, said.evaluation))
        for concept in subject.subject_map.concepts:
            yield from (concept.name, concept.gist, concept.definition)
    for record in evidence.records:
        yield from (record.title, record.text)
