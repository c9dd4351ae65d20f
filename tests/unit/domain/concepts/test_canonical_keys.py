"""The canonical key: names that mean one concept meet, names that do not stay apart."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.concepts.canonical_keys import canonical_key, short_form

LABELLED: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "data" / "concept_name_pairs.json").read_text(encoding="utf-8")
)
ALL_PAIRS = [*LABELLED["one"], *LABELLED["two"]]

#: Pieces that the rules look at, so that random joins of them reach the corners that random text never does.
PIECES = [
    *"aesly '’+#-.ーABx12()[]!−|^_%∩",
    *(
        "ies",
        "ss",
        "the",
        "l'",
        "ال",
        "ة",
        "خ",
        "ـ",
        "َ",
        "カ",
        "タ",
        "运",
        "세",
        "к",
        "́",
        "ё",
        "ế",
        "ก",
        "็",
        "נ",
        "ּ",
    ),
    *(
        "क",
        "़",
        "ँ",
        "‌",
        "\u202e",
        "１",
        "٣",
        "½",
        "ﬁ",
        "(DNA)",
        "々",
        "ヴ",
        "細",
        "α",
        "η ",
        "′",
        "\u0304",
        "ۀ",
        "เ",
        "ന്‍",
        "ǆ",
        "İ",
        "ς",
    ),
]


def _ids(pair: dict[str, Any]) -> str:
    return f"{pair['language']} {' '.join(pair['names'])}"


@pytest.mark.parametrize("pair", LABELLED["one"], ids=_ids)
def test_spellings_of_one_name_meet(pair: dict[str, Any]) -> None:
    """Case, width, marks, articles, variants, abbreviations and plain plurals of a name share one key (CM-3)."""
    keys = [canonical_key(name) for name in pair["names"]]
    assert len(set(keys)) == 1, keys


@pytest.mark.parametrize("pair", LABELLED["two"], ids=_ids)
def test_different_names_stay_apart(pair: dict[str, Any]) -> None:
    """Marks, letters, digits and signs that tell two names of a language apart keep their keys apart (CM-3)."""
    one, other = pair["names"]
    assert canonical_key(one) != canonical_key(other)


def test_the_labelled_names_are_many_and_in_many_languages() -> None:
    """The keys are held to over 300 minimal pairs and 100 sets of spellings in over 25 languages (CM-3)."""
    assert len(LABELLED["two"]) > 300
    assert len(LABELLED["one"]) > 100
    assert len({pair["language"] for pair in LABELLED["two"]}) > 25


def test_a_key_is_its_own_key() -> None:
    """The key of every labelled name is a fixed point, and the same for the decomposed name (CM-3)."""
    for name in (name for pair in ALL_PAIRS for name in pair["names"]):
        key = canonical_key(name)
        assert canonical_key(key) == key, name
        assert canonical_key(unicodedata.normalize("NFD", name)) == key, name


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Deoxyribonucleic acid (DNA)", ("DNA", "Deoxyribonucleic acid")),
        ("DNA (deoxyribonucleic acid)", ("DNA", "deoxyribonucleic acid")),
        ("Produto interno bruto [PIB]", ("PIB", "Produto interno bruto")),
        ("Ribonucleic acid (RNA) polymerase", ("RNA", "Ribonucleic acid polymerase")),
        ("Programming language (SQL)", None),
        ("Blood type (AB)", None),
        ("Mercury (planet)", None),
        ("Hepatitis (B)", None),
        ("脱氧核糖核酸(DNA)", None),
    ],
)
def test_a_name_gives_its_own_short_form(name: str, expected: tuple[str, str] | None) -> None:
    """Only letters that the name itself has, in order and from a word's first on, are its short form (CM-3)."""
    assert short_form(name) == expected


@settings(deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=14).map("".join)))
def test_key_is_a_fixed_point(name: str) -> None:
    """The key of a key is that key, so that stored keys and fresh ones always meet (CM-3)."""
    key = canonical_key(name)
    assert canonical_key(key) == key


@settings(deadline=None)
@given(st.text(max_size=20), st.characters(categories=["L", "Nd"]))
def test_a_name_with_letters_has_a_key(around: str, letter: str) -> None:
    """A name that holds a letter or a digit never gets the empty key (CM-3)."""
    assert canonical_key(around + letter + around)


def test_blank_and_symbol_names() -> None:
    """Blank text has the empty key, and a name of symbols only keeps its symbols (CM-3)."""
    assert canonical_key("") == canonical_key(" \t\n\u200b\u3000") == ""
    assert canonical_key("∑") == "∑"
    assert canonical_key("+") != canonical_key("#")


@pytest.mark.parametrize(
    "piece",
    [
        "ال",
        "l'",
        "the ",
        "s",
        "́",
        "ー",
        "++",
        "a'",
        "'",
        "-",
        "x-",
        "!",
        "^",
        "(",
        "(A",
        "人々",
        "々",
        "a+",
        "1 - ",
        "|",
    ],
)
def test_repeated_pieces_stay_linear(piece: str) -> None:
    """A hostile name of a hundred thousand repeated pieces still has a key that is a fixed point (CM-3)."""
    key = canonical_key(piece * 100_000)
    assert canonical_key(key) == key
