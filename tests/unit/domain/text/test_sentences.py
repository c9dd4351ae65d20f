"""Texts in any script cut into sentences."""

from __future__ import annotations

import time

import pytest

from anamnesis.domain.text.sentences import Shape, sentences


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "It is 3.5 cm long, e.g. here. Dr. Smith said so.",
            ["It is 3.5 cm long, e.g. here.", "Dr. Smith said so."],
        ),
        ('"Is it?" he asked. Yes!', ['"Is it?" he asked.', "Yes!"]),
        ("Am 3. Mai 1990 regnete es. Danach nicht.", ["Am 3. Mai 1990 regnete es.", "Danach nicht."]),
        ("`a. B` and $x. Y$ stay. So.", ["`a. B` and $x. Y$ stay.", "So."]),
        ("細胞は小さい。「何？」と聞いた。", ["細胞は小さい。", "「何？」と聞いた。"]),
        ("कोशिका छोटी है। यह जीवन है।", ["कोशिका छोटी है।", "यह जीवन है।"]),
        ("الخلية صغيرة. هل تعرف؟ نعم.", ["الخلية صغيرة.", "هل تعرف؟", "نعم."]),
        (
            "เซลล์เป็นหน่วยพื้นฐานของสิ่งมีชีวิต ไมโทคอนเดรียสร้างพลังงาน",
            ["เซลล์เป็นหน่วยพื้นฐานของสิ่งมีชีวิต", "ไมโทคอนเดรียสร้างพลังงาน"],
        ),
        ("", []),
        ("?!… \n ---", []),
    ],
)
def test_where_a_sentence_ends(text: str, expected: list[str]) -> None:
    """Sentences end where their script ends them, not at abbreviations, ordinals, quotes or formulas (GR-1)."""
    assert [sentence.text for sentence in sentences(text)] == expected


def test_markdown_is_told_apart() -> None:
    """Headings, items, rows and code are sentences of their own kinds, and each says where it stands (GR-1)."""
    text = "# Head\n\nProse goes on\nhere.\n\n- **One.** Two.\n\n| a | 1 |\n\n```\nx = 1. y\n```\n"
    found = sentences(text)
    assert [(s.shape, s.text) for s in found] == [
        (Shape.HEADING, "Head"),
        (Shape.PROSE, "Prose goes on here."),
        (Shape.ITEM, "One."),
        (Shape.ITEM, "Two."),
        (Shape.ROW, "a | 1"),
        (Shape.CODE, "```\nx = 1. y\n```"),
    ]
    assert " ".join(text[found[1].start : found[1].end].split()) == found[1].text


@pytest.mark.parametrize("unit", ["a", ". ", "A. B ", "。", "ก ข", "- ", "`", "> ", "The cell is small. "])
def test_time_is_linear(unit: str) -> None:
    """Ten times the text takes about ten times as long, whatever it is made of (SV-12)."""
    short, long = (unit * (size // len(unit)) for size in (20_000, 200_000))
    sentences(short)
    took = []
    for text in (short, long):
        started = time.perf_counter()
        sentences(text)
        took.append(time.perf_counter() - started)
    assert took[1] < 60 * took[0] + 0.5
