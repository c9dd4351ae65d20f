"""Columns whose gutter is hardly wider than a space, and what only looks like them (CM-1)."""

from __future__ import annotations

import random

import pytest

from anamnesis.domain.reading.printed.glyphs import Glyph
from anamnesis.domain.reading.printed.page_text import page_text

SIZE, LEADING = 10.0, 12.0
#: Lines of one width when each letter and space is half as wide as high.
ENGLISH = [
    "osmosis is water that", "moves through a wall.", "it needs no energy at", "all and ends when two",
    "sides hold as much of", "what is in the water.", "a membrane lets water", "pass and holds salt or",
    "sugar back. cells are",
    "surrounded by one too.", "roots drink by way of", "osmosis, leaves do so",
]  # fmt: skip
HEBREW = [
    "מים עוברים דרך הקרום",
    "בלי שום אנרגיה נוספת",
    "עד ששני הצדדים שווים",
    "וזה נקרא אוסמוזה כאן",
    "והוא נמשך זמן רב מאד",
]
HAN = [
    "水穿过细胞膜的运动叫渗透",
    "它不需要任何能量就能进行",
    "直到两边的浓度变得相同了",
    "植物的根就是这样吸收水的",
    "盐能使细胞里的水流出来啊",
]


def placed(
    line: str, x: float, row: int, first: int, *, advance: float = 5.0, turned: bool = False
) -> list[Glyph]:
    """Glyphs of a line, drawn from a place in the drawing on, from the right where turned."""
    y = 800 - LEADING * row
    glyphs = []
    for place, char in enumerate(line):
        left = x + advance * (len(line) - 1 - place if turned else place)
        box = (left, y - 2, left + advance, y + 8)
        glyphs.append(Glyph(char, (left, y), box, size=SIZE, piece=first, order=first + place))
    return glyphs


def columns(
    texts: list[list[str]], gutter: float, *, advance: float = 5.0, turned: bool = False, across: bool = False
) -> list[Glyph]:
    """Columns beside each other, drawn one after the other from the first that is read, or line by line."""
    width = max(len(line) for text in texts for line in text) * advance
    cells = [(number, row, line) for number, text in enumerate(texts) for row, line in enumerate(text)]
    if across:
        cells.sort(key=lambda cell: cell[1])
    glyphs: list[Glyph] = []
    for number, row, line in cells:
        place = len(texts) - 1 - number if turned else number
        x = 50 + place * (width + gutter) + (width - len(line) * advance if turned else 0)
        glyphs += placed(line, x, row, len(glyphs), advance=advance, turned=turned)
    return glyphs


@pytest.mark.parametrize("gutter", [4.0, 5.0, 7.0])
@pytest.mark.parametrize(
    "lines, advance, turned", [(ENGLISH[:10], 5.0, False), (HEBREW, 5.0, True), (HAN, 10.0, False)]
)
def test_narrow_columns_are_read_one_after_the_other(
    lines: list[str], advance: float, gutter: float, *, turned: bool
) -> None:
    """Three columns four points apart are read one after the other, from the right where the page is (CM-1)."""
    texts = [[f"{line[:-1]}{mark}" for line in lines] for mark in "123"]
    text = page_text(columns(texts, gutter, advance=advance, turned=turned))
    read = "".join(text.split())
    places = [read.index("".join(line.split())) for column in texts for line in column]
    assert places == sorted(places)


def test_a_title_above_narrow_columns_stays_whole() -> None:
    """A title that goes over a narrow gutter, with a space above it, is one line before both columns (CM-1)."""
    title = "how water moves about and through cells"
    glyphs = placed(title, 50, 0, 0)
    below = columns([ENGLISH[:6], ENGLISH[6:]], 5.0)
    for glyph in below:
        glyph.order += len(glyphs)
        glyph.y, glyph.top, glyph.bottom = (
            glyph.y - 2 * LEADING,
            glyph.top - 2 * LEADING,
            glyph.bottom - 2 * LEADING,
        )
    lines = [line for line in page_text(glyphs + below).split("\n") if line]
    assert lines == [title, *ENGLISH]


def test_narrow_columns_of_prose_drawn_line_by_line_are_columns() -> None:
    """Prose in two narrow columns is read so even where the page draws across both, line by line (CM-1)."""
    text = page_text(columns([ENGLISH, ENGLISH[::-1]], 5.0, across=True))
    assert [line for line in text.split("\n") if line] == ENGLISH + ENGLISH[::-1]


def test_what_has_spaces_below_each_other_is_read_across() -> None:
    """Groups of letters, rows of figures, verses of two halves and lists of short terms stay on their lines (CM-1)."""
    chance = random.Random(3)
    bases = [["".join(chance.choices("acgt", k=10)) for _ in range(20)] for _ in range(6)]
    figures = [[str(chance.randint(1000, 9999)) for _ in range(20)] for _ in range(9)]
    terms = [
        ["root", "leaf", "stem", "seed", "wood", "bark"] * 3,
        [f"a part of a plant, {n:02d}" for n in range(18)],
    ]
    verses = [HEBREW * 4, HEBREW[::-1] * 4]
    for texts, turned in [(bases, False), (figures, False), (terms, False), (verses, True)]:
        glyphs = columns(texts, 4.0, across=True, turned=turned)
        lines = [line for line in page_text(glyphs).split("\n") if line]
        assert lines == [" ".join(row) for row in zip(*texts, strict=True)]


def test_justified_text_has_no_columns() -> None:
    """Lines of one column whose spaces are as wide as a narrow gutter are read as they stand (CM-1)."""
    chance = random.Random(11)
    for _ in range(5):
        glyphs: list[Glyph] = []
        lines = []
        for row in range(40):
            words = ["x" * chance.randint(2, 9) for _ in range(9)]
            space = (300 - 5 * sum(map(len, words))) / 8
            x = 50.0
            for word in words:
                glyphs += placed(word, x, row, len(glyphs))
                x += 5 * len(word) + max(space, 2.5)
            lines.append(" ".join(words))
        assert [line for line in page_text(glyphs).split("\n") if line] == lines


def test_a_line_of_very_many_words_drawn_backwards_is_read() -> None:
    """A line of twenty thousand words, drawn from its end, is read in the order in which it stands (CM-1, SV-12)."""
    count = 20_000
    glyphs = [
        Glyph(
            "ab"[n % 2],
            (9.0 * n, 0),
            (9.0 * n, -2, 9.0 * n + 5, 8),
            size=SIZE,
            piece=n,
            order=count * 20 - 20 * n,
        )
        for n in range(count)
    ]
    assert "".join(page_text(glyphs).split()) == "ab" * (count // 2)
