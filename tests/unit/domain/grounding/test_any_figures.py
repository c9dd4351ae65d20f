"""Numbers that are none: sentences that hold them are read all the same."""

from __future__ import annotations

import pytest

from anamnesis.domain.grounding.statements import read_statement


@pytest.mark.parametrize("figures", ["7" * 400, "\U00010d41", "-" + "9" * 299 + "." + "9" * 40])
def test_figures_of_no_value_stop_nobody(figures: str) -> None:
    """A number of hundreds of digits, or of digits newer than Python's tables, is a word like any other (SV-12)."""
    statement = read_statement(f"Water has {figures} parts.", "en")
    assert [word.text for word in statement.words][:2] == ["water", "has"]
