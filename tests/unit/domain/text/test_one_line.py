"""Somebody else's words on one line."""

from __future__ import annotations

from anamnesis.domain.text.one_line import MAX_CHARS, one_line


def test_long_words_are_cut_between_letters() -> None:
    """A million characters become one line of bounded length in no time, cut between two letters (SV-12)."""
    for unit in ("x", "é", "क्षि", "👩‍👩‍👧‍👦", "\u202e", " \n", "a\u0301" * 3):
        line = one_line(unit * (1_000_000 // len(unit)))
        assert len(line) <= MAX_CHARS
        assert "\n" not in line
    family = one_line("👩‍👩‍👧‍👦" * 1_000)
    assert set(family.removesuffix("…").split("👩‍👩‍👧‍👦")) == {""}
