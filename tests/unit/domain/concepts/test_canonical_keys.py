"""The canonical key: names that mean one concept meet, names that do not stay apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.concepts.canonical_keys import canonical_key

#: Pieces that the rules look at, so that random joins of them reach the corners that random text never does.
PIECES = [
    *"aesly '’+#-.ー",
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
    *("क", "़", "ँ", "‌", "\u202e", "１", "٣", "½", "ﬁ", "ǆ", "İ", "ς"),
]


@pytest.mark.parametrize(
    "names",
    [
        ("Cell", "the cells", "CELLS ", "“cell”"),
        ("Theory", "theories"),
        ("Class", "classes"),
        ("Hypothesis", "hypotheses"),
        ("Mitochondria", "mitochondrion"),
        ("Newton's law", "Newton’s laws", "newtons law"),
        ("Célula", "Las células", "celula"),
        ("Ecuación", "ecuaciones"),
        ("L'énergie", "énergie", "ENERGIE"),
        ("Equação", "equações", "as equacoes"),
        ("niveau", "les niveaux"),
        ("p-value", "P value", "p‐value", "p value"),
        ("Straße", "STRASSE"),
        ("ısı", "ISI"),
        ("ενέργεια", "ΕΝΕΡΓΕΙΑ"),
        ("объём", "объем", "объё́м"),
        ("об'єм", "об’єм"),
        ("שָׁלוֹם", "שלום"),
        ("الخلية", "خَلِيَّة", "خليـــة", "خليه"),
        ("إِحصائية", "احصائيه"),
        ("الإلكترون", "إلكترون", "الكترون"),
        ("ऊर्ज़ा", "ऊर्जा"),
        ("आँख", "आंख"),
        ("运动 能量", "运动能量"),
        ("운동 에너지", "운동에너지"),
        ("ﾌﾟﾚｰﾄ・ﾃｸﾄﾆｸｽ", "プレートテクトニクス"),
        ("コンピューター", "コンピュータ"),
        ("x²", "x2", "X₂"),
        ("الفصل ٣", "فصل 3"),
        ("ze\u200bro wi\u00addth", "zero width"),
    ],
)
def test_spellings_of_one_name_meet(names: tuple[str, ...]) -> None:
    """Case, width, marks, articles, punctuation and plain plurals of a name share one key (CM-3)."""
    assert len({canonical_key(name) for name in names}) == 1, [canonical_key(name) for name in names]


@pytest.mark.parametrize(
    "one, other",
    [
        ("mitosis", "meiosis"),
        ("C", "C++"),
        ("C", "C#"),
        ("Na", "Na+"),
        ("statistic", "statistics"),
        ("lực", "lúc"),
        ("иод", "йод"),
        ("क", "कि"),
        ("कि", "की"),
        ("ใกล้", "ไกล"),
        ("か", "が"),
        ("mean", "median"),
        ("الدم", "القدم"),
        ("gas", "ga"),
        ("mass", "mas"),
        ("virus", "viru"),
    ],
)
def test_different_names_stay_apart(one: str, other: str) -> None:
    """Marks, letters and symbols that tell two words of a language apart keep their keys apart (CM-3)."""
    assert canonical_key(one) != canonical_key(other)


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


@pytest.mark.parametrize("piece", ["ال", "l'", "the ", "s", "́", "ー", "++", "a'"])
def test_repeated_pieces_stay_linear(piece: str) -> None:
    """A hostile name of a hundred thousand repeated pieces still has a key that is a fixed point (CM-3)."""
    key = canonical_key(piece * 100_000)
    assert canonical_key(key) == key
