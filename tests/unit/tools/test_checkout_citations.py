"""Citations followed inside a checkout."""

from __future__ import annotations

from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from anamnesis_tools.mcp.cited import following
from support.wiki_values import evidence, subject_evidence, turn


def test_a_long_turn_is_followed_through_all_its_files() -> None:
    """A turn that goes on in later files of its transcript is followed to its end, each place named (WU-2, WK-3)."""
    lines = [f"Line {number} of a long text about osmosis and membranes." for number in range(40_000)]
    known = evidence(subject_evidence([turn(1, "\n".join(lines)), turn(2, "And then?")]))
    tree = DeterministicWriter().write(known, {})
    parts = sorted(path for path in tree if "/transcript" in path)
    assert len(parts) > 9
    found = following(tree, "session://biology/s1#1", 1)
    assert found.text.startswith("This turn goes on in sessions/2026-03-02-s1/transcript-2.md, line ")
    places = [found.text.index(f"Line {number} of") for number in range(0, 40_000, 500)]
    assert places == sorted(places)
    assert all(path in found.text for path in parts)
    assert "And then?" not in found.text
    both = following(tree, "session://biology/s1", 1)
    assert both.text.index("Line 39999") < both.text.index("And then?")
    assert both.next_turn is None
