"""Normal forms by which repeats fold."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.text.normalisation import (
    MAX_NORMALISED_CHARS,
    normalised_sentence,
    without_latin_diacritics,
)


@pytest.mark.parametrize(
    "a,b",
    [
        ("What is a cell?", "  what is  a CELL "),
        ("what is a cell", "ｗｈａｔ　ｉｓ　ａ　ｃｅｌｌ？"),
        ("¿Qué es la fotosíntesis?", "que es la fotosintesis"),
        ("l'osmose", "l’osmose"),
        ("ISI NEDİR", "ısı nedir"),
        ("soft\u00adware \u200bcell", "software cell"),
        ("osmosis — really", "osmosis really"),
        ("3+2", "3 + 2"),
        ("Đường là gì?", "duong la gi"),
        ("क्या है?", "क्या है।"),
    ],
)
def test_the_same_sentence_written_differently_folds(a: str, b: str) -> None:
    """Case, width, white space, punctuation and Latin diacritics do not tell sentences apart (RC-4)."""
    assert normalised_sentence(a) == normalised_sentence(b)


@pytest.mark.parametrize(
    "a,b",
    [
        ("3 - 2", "3 + 2"),
        ("what is 5!", "what is 5"),
        ("(a+b)*c", "a+b*c"),
        ("か", "が"),
        ("мой", "мои"),
        ("काम", "कम"),
        ("what is a cell", "what is a cell wall"),
        ("?!", "…"),
        ("مُعَلِّم", "مَعلَم"),
    ],
)
def test_what_means_something_else_stays_apart(a: str, b: str) -> None:
    """Operators between operands and the marks of scripts other than Latin tell sentences apart (RC-4)."""
    assert normalised_sentence(a) != normalised_sentence(b)


@given(st.text(max_size=200))
def test_the_way_of_encoding_does_not_count(text: str) -> None:
    """Surrounding white space and composed or decomposed Unicode give one normal form, in any script (RC-4)."""
    decomposed = unicodedata.normalize("NFD", text)
    assert normalised_sentence(f" \n{decomposed}\t") == normalised_sentence(text)


@given(st.text(alphabet="абвгйёкがかねज़क्षيئ한글", max_size=50))
def test_other_scripts_keep_their_marks(text: str) -> None:
    """Taking marks off Latin letters leaves every other script as composed Unicode has it (RC-4)."""
    assert without_latin_diacritics(text) == unicodedata.normalize("NFC", text)


def test_a_million_characters_are_read_as_far_as_the_stated_bound() -> None:
    """A text of any length is normalised by its stated beginning (RC-4)."""
    text = "cell " * 200_000
    assert normalised_sentence(text) == normalised_sentence(text[:MAX_NORMALISED_CHARS])
