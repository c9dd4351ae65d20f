"""Names of course files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.file_names import is_file_name


@pytest.mark.parametrize(
    "name",
    [
        "cells.txt",
        "Capítulo 3 – La célula (v2).pdf",
        "O\u0301smosis.txt",
        "細胞.pdf",
        "الخلية.pdf",
        "کتاب\u200cهای زیست.pdf",
        "क्\u200dष.pdf",
        "บทที่ ๓.pdf",
        "👩\u200d🔬 ❤\ufe0f.pdf",
        "42",
        "✓",
    ],
)
def test_names_of_every_script_are_names(name: str) -> None:
    """Names in any script, with the joiners and marks that its spelling needs, are accepted (SV-12)."""
    assert is_file_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u3000\u00a0",
        ".",
        "..",
        "-_-",
        "\u200b\u200d",
        "\u3164",
        "\u2800",
        "\u0301",
        "a\u202etxt.exe",
        "a\u2066b\u2069",
        "\u200fa",
        "a\u200b.txt",
        "a\u00ad.txt",
        "a\u200c",
        "a \u200d b",
        "\ufeffa",
        "a\tb",
        "a\u0085b",
        "a\u2028b",
        "a\ud800",
        "a\ufdd0",
        "a\U000e0041",
        "a\u3164",
    ],
)
def test_names_that_show_nothing_or_hide_something_are_none(name: str) -> None:
    """A blank or dotted name, and one with control, format or filler characters, is refused (SV-12)."""
    assert not is_file_name(name)


@given(st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), min_size=1), st.text("ab. "))
def test_no_hidden_character_at_the_end_gets_through(hidden: str, shown: str) -> None:
    """Whatever is hidden at the end of a name is found, but for signs of format that show (SV-12)."""
    visible_signs = set(
        "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
    )
    assert is_file_name(shown + hidden) <= (set(hidden) <= visible_signs)
