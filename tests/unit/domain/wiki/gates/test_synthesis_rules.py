"""A synthesis on a page: its mark, its sentences as they are read back, and whose they may be."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.wiki.addresses import read_address
from anamnesis.domain.wiki.gates import Rule, page_findings
from anamnesis.domain.wiki.pages import Statement
from anamnesis.domain.wiki.writing.synthesis import Synthesis, as_written, fingerprint, synthesis_on
from anamnesis.domain.wiki.writing.tree import DeterministicWriter, Draft
from support.wiki_values import ana

OSMOSIS = "knowledge/concepts/biology/osmosis.md"
PASSED = read_address("episode://biology/bio7")
MARK = f'synthesis: "bedrock-wiki-1:some.model-v1:0 {"0" * 24}"'


@pytest.mark.parametrize(
    "path, line, refused",
    [
        (OSMOSIS, MARK, False),
        (OSMOSIS, 'synthesis: "by hand"', True),
        (OSMOSIS, "synthesis: 7", True),
        (OSMOSIS, f'{MARK}\nauthor: "agent"', True),
        ("notes/biology/osmosis.md", MARK, True),
        ("sessions/2026-03-02-s1/summary.md", MARK, True),
    ],
)
def test_a_mark_stands_on_compiled_pages_of_knowledge_only(path: str, line: str, refused: bool) -> None:
    """The mark of a synthesis has its form, on no page of an agent's and on none below notes/ and sessions/ (WD-2)."""
    tree = DeterministicWriter().write(ana(), {})
    staged = {**tree, path: tree[path].replace("\naliases: []", f"\naliases: []\n{line}")}
    found = page_findings(path, staged, tree, ana())
    assert [finding.rule for finding in found] == ([Rule.FIELD] if refused else [])


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="[]()<>*_`#-+.\\|~$!&:@ cite1\n", max_size=60))
def test_a_sentence_is_read_back_as_it_was_written(text: str) -> None:
    """What is taken as a sentence stands on a page and comes back from it byte for byte, whatever its signs (WD-3)."""
    try:
        sentence = as_written(text)
    except ValueError:
        return
    if sentence is None:
        return
    draft = Draft.of(ana(), {})
    synthesis = Synthesis("w", fingerprint("x"), (Statement(sentence, (PASSED,)),))
    assert synthesis_on(OSMOSIS, draft.text(OSMOSIS, synthesis, {})) == synthesis


def test_a_million_characters_are_no_sentence() -> None:
    """A sentence of a million characters is refused at once (WD-3)."""
    begun = time.process_time()
    for text in ("a" * 1_000_000, "[" * 1_000_000, "水" * 1_000_000):
        with pytest.raises(ValueError, match="longer than"):
            as_written(text)
    assert time.process_time() - begun < 1.0
    assert as_written(" ") is None
