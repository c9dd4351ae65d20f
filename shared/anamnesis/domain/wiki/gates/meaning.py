"""The gate by meaning: each changed claim is supported by what it cites and contradicts nothing that stands (WD-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from anamnesis.domain.text.containment import contained
from anamnesis.domain.wiki.addresses import Address
from anamnesis.domain.wiki.gates.findings import Findings, Rule
from anamnesis.domain.wiki.gates.letters import plain
from anamnesis.domain.wiki.gates.lines import take_apart
from anamnesis.domain.wiki.gates.page_rules import CITING, is_factual
from anamnesis.domain.wiki.gates.sources import Sources
from anamnesis.domain.wiki.gates.stances import CURRENT, Stance, Stances
from anamnesis.domain.wiki.gates.standing import Standing
from anamnesis.domain.wiki.gates.support import Support
from anamnesis.domain.wiki.gates.trees import kind_at
from anamnesis.domain.wiki.links import without_dangling
from anamnesis.domain.wiki.page_format import REFERENCES, RELATED, ReadPage, read
from anamnesis.domain.wiki.pages import PageKind, Tree
from anamnesis.domain.wiki.slugs import slugs
from anamnesis.domain.wiki.writing.index_pages import entry_of


@dataclass(frozen=True, slots=True)
class PageClaim:
    """A claim as it stands on a page.

    Attributes
    ----------
    addresses
        What it cites, as far as the references know it.
    links
        Paths that its line names.
    """

    line: int
    section: str
    text: str
    addresses: tuple[Address, ...]
    links: tuple[str, ...] = ()


def claims_of(page: ReadPage) -> Iterator[PageClaim]:
    """Every claim of a page, headings and context links left out."""
    for line in page.lines:
        if (
            line.section in {RELATED, REFERENCES}
            or line.text.lstrip().startswith("#")
            or not line.text.strip()
        ):
            continue
        for text, citations in take_apart(line.text).claims:
            known = (page.references.get(int(n)) for n in citations if n.isdecimal() and len(n) < 7)
            addresses = tuple(a for a in known if a is not None)
            yield PageClaim(line.number, line.section, text, addresses, line.links)


def check_meaning(
    pages: Mapping[str, ReadPage],
    staged: Tree,
    base: Tree,
    standing: Standing,
    found: Findings,
    *,
    support: Support | None = None,
    stances: Stances | None = None,
) -> None:
    """Hold what changed against the evidence, the current beliefs and the other pages.

    Parameters
    ----------
    support, stances
        Of the same evidence, by who asks about one page after the other.
    """
    support = support or Support(Sources(standing))
    stances = stances or Stances(support.sources)
    folders = {slug: name for name, slug in slugs(standing.subjects).items()}
    everywhere = tuple(sorted(standing.subjects))
    stated: dict[tuple[str, frozenset[str]], tuple[Stance, bool]] = {}
    for path, page in pages.items():
        if found.full:
            return
        kind = kind_at(path)
        if kind not in CURRENT | CITING:
            continue
        changed = base.get(path) != staged[path]
        if not changed and kind not in CURRENT:
            continue
        before = _known(path, base[path], staged) if changed and path in base else frozenset()
        for claim in claims_of(page):
            new = changed and (claim.text, claim.addresses) not in before
            if new and kind in CITING and claim.addresses and is_said(claim.text):
                refused = support.refusal(claim.text, claim.addresses)
                if refused is not None:
                    found.add(path, claim.line, refused.rule, refused.detail)
            if kind in CURRENT:
                subjects = _subjects(path, kind, claim, folders) or everywhere
                stance = stances.of(claim.text, claim.section, claim.addresses, page.title, subjects)
                if stance is not None and not (kind is PageKind.INDEX and _is_listed(claim, staged)):
                    _check_stance(path, claim, stance, stances, stated, new=new, found=found)


def _known(path: str, text: str, staged: Tree) -> frozenset[tuple[str, tuple[Address, ...]]]:
    """Claims that a page made before; where it linked to what is gone, its words stand alone by now."""
    versions = {text, without_dangling(path, text, staged)}
    return frozenset((c.text, c.addresses) for each in versions for c in claims_of(read(path, each)))


def _is_listed(claim: PageClaim, staged: Tree) -> bool:
    """Whether an index's line repeats how a page begins, which answers for it itself."""
    path = f"{claim.links[0]}.md" if claim.links else ""
    entry = entry_of(path, staged[path]) if path in staged else None
    state = "" if entry is None else plain(contained(entry.state))
    return bool(state) and state in plain(claim.text)


def is_said(text: str) -> bool:
    """Whether a text says anything at all that could be supported."""
    return any(char.isalnum() for char in text) or (bool(text.strip()) and is_factual(text))


def _subjects(
    path: str, kind: PageKind | None, claim: PageClaim, folders: Mapping[str, str]
) -> tuple[str, ...]:
    """Where a claim's concept is: the page's own subject, else those of what it cites."""
    if kind is PageKind.CONCEPT and (own := folders.get(path.split("/")[2])) is not None:
        return (own,)
    return tuple(dict.fromkeys(address.where for address in claim.addresses))


def _check_stance(
    path: str,
    claim: PageClaim,
    stance: Stance,
    stances: Stances,
    stated: dict[tuple[str, frozenset[str]], tuple[Stance, bool]],
    *,
    new: bool,
    found: Findings,
) -> None:
    """Against the belief that stands; where none stands, against what other pages say."""
    believed = stances.current(stance)
    if believed is not None:
        if new and believed is not stance.claim:
            found.add(path, claim.line, Rule.AGAINST_BELIEF, f"what is believed now is: {believed.value}")
        return
    other = stated.setdefault((stance.subject, stance.concepts), (stance, new))
    if other[0].claim is not stance.claim and (new or other[1]):
        found.add(path, claim.line, Rule.AGAINST_PAGE, "another page states the opposite as current")
