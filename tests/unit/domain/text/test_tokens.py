"""The token estimate: a bound for common tokenisers in every script, and the rules by which it composes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anamnesis.domain.text.tokens import CUT_WORD_TOKENS, estimate_tokens

COUNTED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "data" / "token_counts.json").read_text(encoding="utf-8")
)["texts"]
ANY_TEXT = st.text(st.characters(), max_size=200)
WORDS = st.lists(
    st.sampled_from(
        [
            "understanding",
            "the",
            "zxqv",
            "Photosynthesis",
            "ATP",
            "aGVsbG8",
            "细胞",
            "мембрана",
            "7",
            "é",
            "!",
        ]
    ),
    max_size=30,
).map(" ".join)


@pytest.mark.parametrize("row", COUNTED, ids=lambda row: f"{row['name']}-{row['text'][:12]!r}")
def test_never_below_a_real_count(row: dict[str, Any]) -> None:
    """No common tokeniser makes more tokens of a text, in any script, than the estimate says (BL-1)."""
    assert estimate_tokens(row["text"]) >= max(row["counts"].values())


def test_the_counted_texts_reach_over_the_scripts() -> None:
    """The counts that hold the estimate to the truth cover at least forty languages and kinds of noise (BL-1)."""
    names = {row["name"] for row in COUNTED}
    assert len(names) >= 40
    assert {"code", "digits", "emoji", "base64", "rare", "mixed", "punct", "space", "long"} <= names


def test_tight_enough_for_english() -> None:
    """On English prose the estimate stays within 1.5 times the tokens of cl100k_base (BL-1)."""
    english = [row for row in COUNTED if row["name"] == "en"]
    counted = sum(row["counts"]["cl100k_base"] for row in english)
    assert sum(estimate_tokens(row["text"]) for row in english) <= 1.5 * counted


@given(ANY_TEXT | WORDS)
@example("\ud800")
@example("\U0001f469\u200d\U0001f52c")
def test_never_above_the_bytes(text: str) -> None:
    """A text never costs more than its bytes, and only the empty text costs nothing (BL-1)."""
    assert (0 if not text else 1) <= estimate_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))


@given(st.lists(ANY_TEXT | WORDS, min_size=1, max_size=6))
def test_lines_add_up(lines: list[str]) -> None:
    """A text costs at most the sum of its lines and one for each break, so a budget kept by lines is kept (BL-1)."""
    whole = estimate_tokens("\n".join(lines))
    assert whole <= sum(map(estimate_tokens, lines)) + len(lines) - 1


@given(ANY_TEXT | WORDS | st.text("abcdeuxBQ1 ", max_size=80), st.integers(0, 200))
@example("understanding", 12)
def test_a_beginning_costs_little_more(text: str, end: int) -> None:
    """Cutting a text never raises its cost by more than the stated piece of a word (BL-1)."""
    assert estimate_tokens(text[:end]) <= estimate_tokens(text) + CUT_WORD_TOKENS


@pytest.mark.parametrize("unit", ["a", "Ab1", "细", " ", "\n", "é", "the ", "\u200d", "="])
def test_a_long_text_costs_in_proportion(unit: str) -> None:
    """A million characters are counted whole, at the same rate as a thousand (BL-1)."""
    thousand, million = estimate_tokens(unit * 1_000), estimate_tokens(unit * 1_000_000)
    assert million == pytest.approx(1_000 * thousand, rel=0.02)
