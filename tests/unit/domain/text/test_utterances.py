"""Who speaks and what asks, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.text.utterances import asking_share, speaker_label


@pytest.mark.parametrize(
    "text,label",
    [
        ("Ana: I paint.", "Ana"),
        ("Dr. Ruiz: hola", "Dr. Ruiz"),
        ("小明：你好", "小明"),
        ("محمد: مرحبا", "محمد"),
        ("रीना: नमस्ते", "रीना"),
        ("https://example.org", None),
        ("12:30 we met", None),
        ("I have to say this: no", None),
        ("What we saw today at the zoo: lions", None),
        (": nothing", None),
        ("", None),
    ],
)
def test_the_label_before_the_colon_says_who_speaks(text: str, label: str | None) -> None:
    """A name before a colon is read as the speaker in any script; addresses, times and sentences are not (RC-1)."""
    assert speaker_label(text) == label


@pytest.mark.parametrize(
    "text,least,most",
    [
        ("What is osmosis?", 1, 1),
        ("你多大了？", 1, 1),
        ("كم عمره؟", 1, 1),
        ("Ինչպե՞ս", 0.5, 1),
        ("It moves water. Why?", 0.1, 0.3),
        ("It moves water.", 0, 0),
        ("浮力です。", 0, 0),
        ("", 0, 0),
        ("?!", 0, 0),
        ("x" * 1_000_000, 0, 0),
    ],
)
def test_how_much_of_a_text_asks(text: str, least: float, most: float) -> None:
    """The share of a text that asks is told by the marks of its script, whatever its length (RC-7)."""
    assert least <= asking_share(text) <= most


@given(st.text(max_size=60))
def test_any_text_has_a_share(text: str) -> None:
    """No text, however odd, has less than nothing or more than all of it in questions (RC-7)."""
    assert 0 <= asking_share(text) <= 1
    label = speaker_label(text)
    assert label is None or label in text
