"""Numbers, signs and units on printed lines that are read from the right."""

from __future__ import annotations

import pytest

from anamnesis.domain.reading.printed.glyphs import Glyph
from anamnesis.domain.reading.printed.logical_order import line_text
from anamnesis.domain.reading.printed.spacing import Unit


def read(seen: str) -> str:
    """The text of a line that looks so from left to right."""
    glyphs = [Glyph(c, (10 * n, 0), (10 * n, 0, 10 * n + 9, 9), size=10) for n, c in enumerate(seen)]
    return line_text([Unit(glyph) for glyph in glyphs], right_to_left=True)


@pytest.mark.parametrize(
    "said, numbers_seen",
    [
        # In Hebrew a sign beside a number is part of it; in Arabic it is not (UAX #9, rules W2, W4 and W5).
        ("הנחה 50% היום", "50%"), ("טווח 10-20 שנה", "10-20"), ("תאריך 12/05/2026 היום", "12/05/2026"),
        ("טלפון 03-1234567 עכשיו", "03-1234567"), ("מחיר 35.90₪ בלבד", "35.90₪"),
        ("خصم 50% اليوم", "%50"), ("نسبة ٥٠٪ فقط", "٪٥٠"), ("بين 10-20 سنة", "20-10"),
        ("هاتف 02-1234567 الآن", "1234567-02"), ("يوم 12/05/2026 القادم", "12/05/2026"),
        ("نحو ٣٫٥ مليون", "٣٫٥"), ("قيمة -5 درجات", "5-"),
    ],
)  # fmt: skip
def test_a_number_and_its_signs_come_in_the_order_of_writing(said: str, numbers_seen: str) -> None:
    """Per cents, ranges, dates and telephone numbers keep their order on lines from the right (CM-1)."""
    first, _, rest = said.partition(" ")
    last = rest.split(" ")[-1]
    assert read(f"{last[::-1]} {numbers_seen} {first[::-1]}") == said


def test_a_line_of_a_number_alone_keeps_its_sign_behind_it() -> None:
    """A cell that holds only a per cent reads so, however its digits are written (CM-1)."""
    assert read("50%") == "50%"
    assert read("٪٥٠") == "٥٠٪"


def test_a_unit_is_read_behind_its_number_and_a_formula_stays_whole() -> None:
    """Latin letters beside a number are its unit, a name with a number, or a formula (CM-1)."""
    assert read("שיבכ km/h 120 תוריהמ") == "מהירות 120 km/h כביש"
    assert read("הרותפ x = 5 האוושמ") == "משוואה x = 5 פתורה"
    assert read("הלחמ COVID-19 איה") == "היא COVID-19 מחלה"


@pytest.mark.parametrize("seen", ["", " ", "%", "-", "1", "%%%%", "1%2%3"])
def test_odd_lines_are_read_without_loss(seen: str) -> None:
    """Signs without numbers lose nothing and add nothing (CM-1)."""
    assert sorted(read(seen)) == sorted(seen)
