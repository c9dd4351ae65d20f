from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.text.folding import fold, folded
from anamnesis.domain.text.languages import detect_language, primary_tag, reading_order, stop_words

CHAT = {
    "en": ["what did we do yesterday", "explain mitosis please", "How does osmosis work?"],
    "es": ["¿qué vimos la semana pasada?", "explícame la mitosis"],
    "pt": ["o que você fez ontem?", "me explica a fotossíntese"],
    "fr": ["c'est quoi la photosynthèse ?", "qu'avons-nous fait hier"],
    "de": ["was ist Osmose?", "erkläre mir die Mitose"],
    "it": ["cosa abbiamo fatto ieri?", "spiegami la fotosintesi"],
    "id": ["apa saja yang salah sejauh ini", "tolong jelaskan fotosintesis"],
    "nl": ["wat is het verschil?", "wat hebben we vorige week gedaan"],
    "pl": ["co to jest mitoza?", "czego uczyliśmy się wczoraj"],
    "ru": ["что такое осмос?", "объясни митоз"],
    "uk": ["що таке осмос?", "поясни мітоз, будь ласка"],
    "tr": ["mitoz nedir?", "geçen hafta ne yaptık"],
    "vi": ["quang hợp là gì?", "hôm qua chúng ta học gì"],
    "ar": ["ماذا درسنا أمس؟"],
    "he": ["מה למדנו אתמול?"],
    "hi": ["हमने कल क्या पढ़ा?"],
    "th": ["เมื่อวานเราเรียนอะไร"],
    "zh": ["我们昨天学了什么？"],
    "ja": ["昨日は何を勉強しましたか"],
    "ko": ["어제 뭐 배웠어?"],
}


@pytest.mark.parametrize("language, text", [(tag, text) for tag, texts in CHAT.items() for text in texts])
def test_a_chat_sentence_is_told_by_its_script_and_function_words(language: str, text: str) -> None:
    """A short question is recognised in each supported language (RC-5)."""
    assert detect_language(text) == language


SENTENCES = {
    "es": ["La clorofila es un pigmento verde.", "La célula es la unidad de la vida.", "de la es un"],
    "pt": ["A lua é um satélite da Terra.", "O átomo é a menor parte de um elemento."],
    "fr": ["La cellule est l'unité de la vie.", "La force est un vecteur."],
    "it": ["La luna è un satellite della Terra.", "La forza è un vettore."],
    "ro": ["Celula este unitatea de bază a vieții.", "Luna este un satelit al Pământului."],
    "en": ["A cell is a unit.", "The moon is a satellite.", "Force is mass times acceleration."],
    "nl": ["De maan is een satelliet."],
    "de": ["Der Mond ist ein Satellit."],
    "id": ["Bulan adalah satelit Bumi."],
}


@pytest.mark.parametrize(
    "language, text", [(tag, text) for tag, texts in SENTENCES.items() for text in texts]
)
def test_a_short_sentence_is_told_from_sister_languages_and_english(language: str, text: str) -> None:
    """One plain sentence of a course is recognised: "la", "de", "es", "un" speak for no English (RC-5)."""
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "   ", "42 + 7 = ?", "👍", "osmosis"])
def test_what_says_nothing_is_undetermined_unless_expected(text: str) -> None:
    """A text without evidence is "und", and in the language to expect when there is one (RC-5)."""
    assert detect_language(text) == "und"
    assert detect_language(text, hint="es-MX") == "es"


def test_plain_evidence_beats_the_hint() -> None:
    """A question may be in another language than expected (RC-5)."""
    assert detect_language("what did we do in the last lesson", hint="es") == "en"
    assert detect_language("昨日は何を勉強しましたか", hint="en") == "ja"


def test_a_formula_or_a_quoted_term_does_not_change_the_language() -> None:
    """A term in Latin letters inside a question of another script is no evidence of English (RC-5)."""
    assert detect_language("что такое DNA replication?") == "ru"
    assert detect_language("ATP 是什么？") == "zh"


def test_a_million_characters_cost_no_more_than_their_beginning() -> None:
    """Only the head of a huge text is looked at (SV-12)."""
    head = "was haben wir gestern über die Zelle gelernt? " * 25
    assert detect_language(head + "the cell is what we have " * 40_000) == "de"


@pytest.mark.parametrize(
    "tag, primary", [("pt-BR", "pt"), ("zh_Hant", "zh"), ("in", "id"), ("", "und"), ("x!", "und")]
)
def test_only_the_primary_part_of_a_tag_counts(tag: str, primary: str) -> None:
    """Tags with territories, old codes and nonsense are read (RC-5)."""
    assert primary_tag(tag) == primary


def test_stop_words_are_function_words_and_leave_the_terms_of_a_subject() -> None:
    """Words such as "the" are no distinctive words, while "interest" and "state" stay so (RC-1)."""
    assert {"the", "what", "don't"} <= stop_words("en")
    assert not {"interest", "state", "osmosis", "number"} & stop_words("en")
    assert {"que", "la"} <= stop_words("es-MX")
    assert stop_words("und") == frozenset()


@pytest.mark.parametrize("language", ["en", "es", "de", "hi", "ar", "ja"])
def test_stop_words_are_normalised_as_their_callers_do(language: str) -> None:
    """Each stop word is in NFKC and casefolded (RC-1)."""
    assert all(word == unicodedata.normalize("NFKC", word).casefold() for word in stop_words(language))


def test_the_expected_and_the_detected_language_are_read_first() -> None:
    """What is expected and what is detected come before the other languages of the script (RC-5)."""
    order = reading_order("qu'avons-nous fait hier ?", known=("de", "en", "es", "fr"), language="es")
    assert [reading.language for reading in order[:2]] == ["es", "fr"]
    assert all(reading.trusted for reading in order[:2])
    assert not next(reading for reading in order if reading.language == "de").trusted


@given(st.text(max_size=200))
def test_a_fold_knows_where_it_came_from(text: str) -> None:
    """Every folded character points into the original, in order, and folding ends after one pass (RC-5)."""
    fold_of = folded(text)
    assert len(fold_of.text) == len(fold_of.starts) == len(fold_of.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(fold_of.starts, fold_of.ends, strict=True))
    assert list(fold_of.starts) == sorted(fold_of.starts)


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("MIÉRCOLES", "miercoles"),
        ("miércoles", "miercoles"),
        ("İSTANBUL", "istanbul"),
        ("１３", "13"),
        ("१३", "13"),
        ("٣", "3"),
        ("फ़रवरी", "फरवरी"),
        ("أمس", "امس"),
        ("ё", "е"),
        ("l’an", "l'an"),
        (unicodedata.normalize("NFD", "어제"), "어제"),
    ],
)
def test_the_many_ways_to_type_a_word_fold_together(typed: str, meant: str) -> None:
    """Case, accents, digits of any script, points and decomposed forms do not matter for matching (RC-5)."""
    assert fold(typed) == meant
