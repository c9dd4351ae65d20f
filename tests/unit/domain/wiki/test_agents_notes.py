"""What agents wrote stays through every compile, as long as what it stands on does."""

from __future__ import annotations

from dataclasses import replace

from anamnesis.domain.log.episodes import erased
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.page_format import agent_notes, read
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wiki_checks import faults
from support.wiki_values import ana, turn

OSMOSIS = "knowledge/concepts/biology/osmosis.md"


def write(wiki: WikiEvidence, current: dict[str, str] | None = None) -> dict[str, str]:
    return dict(DeterministicWriter().write(wiki, current or {}))


def noted(tree: dict[str, str], note: str, path: str = OSMOSIS) -> dict[str, str]:
    """The tree with an agent's note on a page, before the references."""
    return tree | {path: tree[path].replace("## References", f"## Notes\n\n{note}\n\n## References")}


def with_more(wiki: WikiEvidence) -> WikiEvidence:
    """The evidence with another session on osmosis, which puts another reference first."""
    biology = wiki.subjects[0]
    more = turn(10, "Does osmosis need energy?", day=20, session="s9", concepts=["osmosis"])
    return replace(wiki, subjects=(replace(biology, episodes=(*biology.episodes, more)), *wiki.subjects[1:]))


def test_a_note_stays_through_a_compile() -> None:
    """Notes that an agent wrote on a compiled page are carried over when the page is compiled anew (WD-1)."""
    current = noted(write(ana()), "Draw the membrane first.")
    after = write(with_more(ana()), current)
    assert agent_notes(after[OSMOSIS]) == "Draw the membrane first."
    assert "Does osmosis need energy?" in after[OSMOSIS]
    assert write(with_more(ana()), after) == after


def test_a_citation_in_a_note_keeps_its_meaning() -> None:
    """When a page's references are numbered anew, a note still cites what it cited (WK-3)."""
    tree = write(ana())
    number = next(
        n for n, a in read(OSMOSIS, tree[OSMOSIS]).references.items() if str(a) == "session://biology/s1#1"
    )
    after = write(with_more(ana()), noted(tree, f"Ask this again. [cite:{number}]"))
    page = read(OSMOSIS, after[OSMOSIS])
    cited = int(agent_notes(after[OSMOSIS]).split("[cite:")[1].rstrip("]"))
    assert cited != number
    assert str(page.references[cited]) == "session://biology/s1#1"
    assert faults(after, with_more(ana())) == []


def test_a_note_on_what_was_erased_goes_with_it() -> None:
    """A line of a note that cites an erased episode is not carried over; the lines beside it are (WD-4)."""
    tree = write(ana())
    number = next(
        n for n, a in read(OSMOSIS, tree[OSMOSIS]).references.items() if str(a) == "episode://biology/bio8"
    )
    current = noted(tree, f"They say water walk. [cite:{number}]\nDraw the membrane first.")
    wiki = ana()
    biology = wiki.subjects[0]
    left = tuple(erased(e) if e.position == 8 else e for e in biology.episodes)
    after = write(replace(wiki, subjects=(replace(biology, episodes=left), *wiki.subjects[1:])), current)
    assert agent_notes(after[OSMOSIS]) == "Draw the membrane first."


def test_a_link_in_a_note_to_a_page_that_went_becomes_its_words() -> None:
    """No link dangles because a page that an agent's note links to is there no more (WK-3)."""
    current = noted(write(ana()), "See [[knowledge/concepts/biology/gone|that]] and [[knowledge/index|all]].")
    after = write(ana(), current)
    assert agent_notes(after[OSMOSIS]) == "See that and [[knowledge/index|all]]."


def test_an_agents_own_page_is_left_alone() -> None:
    """A page whose author is an agent comes out of a compile as it went in (WK-6)."""
    text = (
        '---\ntitle: "Plan"\nkind: "project"\ncreated: "2026-03-01"\nupdated: "2026-03-01"\nsources: []\n'
        'aliases: []\nauthor: "agent"\n---\n\n# Plan\n\nFinish by May. [cite:1]\n\n## References\n\n'
        "1. `episode://biology/bio8`\n"
    )
    assert write(ana(), {"knowledge/projects/plan.md": text})["knowledge/projects/plan.md"] == text
    assert write(ana(), {"knowledge/projects/other.md": text.replace("agent", "nobody")}) == write(ana())
