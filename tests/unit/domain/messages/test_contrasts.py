"""Topics that name a concept only to keep it apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.concepts import StudentLayer
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.log.episodes import Content
from anamnesis.domain.messages.contrasts import contrasted
from anamnesis.service.tie_checks import concept_tested
from support.map_values import concept, contribution, subject_map


def tie(topic: str, *names: str, language: str = "en", evaluation: str | None = None) -> str | None:
    index = NameIndex(subject_map(contribution("a", *[concept(name) for name in names])), StudentLayer())
    return concept_tested(
        Content(summary="", text="", topic=topic, evaluation=evaluation), language or "en", index
    )


@pytest.mark.parametrize(
    "language, topic, meant, apart",
    [
        ("en", "not heat", "", "not heat"),
        ("en", "heat, not temperature", "heat", "not temperature"),
        ("en", "not heat but temperature", "but temperature", "not heat "),
        ("en", "heat? no, temperature", "temperature", "heat? no,"),
        ("en", "not only heat", "not only heat", ""),
        ("en", "a note on knots", "a note on knots", ""),
        ("es", "todo excepto el calor", "todo", "excepto el calor"),
        ("de", "nicht Wärme, sondern Temperatur", "sondern Temperatur", "nicht Wärme"),
        ("tr", "ısı değil, sıcaklık", "sıcaklık", "ısı değil"),
        ("ja", "熱ではなく温度", "温度", "熱ではなく"),
        ("ko", "열이 아니라 온도", "온도", "열이 아니라"),
        ("zh", "不是热,而是温度", "而是温度", "不是热"),
        ("hi", "ऊष्मा को छोड़कर", "", "ऊष्मा को छोड़कर"),
        ("ar", "الحرارة وليس الطاقة", "الحرارة", "وليس الطاقة"),
        ("en", "", "", ""),
        ("th", "???", "???", ""),
    ],
)
def test_a_topic_is_parted_into_what_is_meant_and_what_is_not(
    language: str, topic: str, meant: str, apart: str
) -> None:
    """A "not" reaches to the next mark or "but", before or after it as the language has it (BE-3)."""
    assert contrasted(topic, language=language) == (meant, apart)


@pytest.mark.parametrize(
    "topic, evaluation, expected",
    [
        ("not heat", None, None),
        ("anything but heat", "Knows heat.", None),
        ("not heat", "Knows temperature.", "temperature"),
        ("heat, not temperature", None, "heat"),
        ("heat rather than temperature", "Confuses it with temperature.", "heat"),
        ("heat and not temperature or pressure", None, "heat"),
        ("heat", "Did not confuse it with temperature.", "heat"),
        ("Why is it so cold in winter?", "Has not understood heat.", "heat"),
    ],
)
def test_what_is_kept_apart_is_never_tied(topic: str, evaluation: str | None, expected: str | None) -> None:
    """A check of anything but a concept says nothing about that concept, whatever the evaluation names (BE-3)."""
    assert tie(topic, "Heat", "Temperature", "Pressure", evaluation=evaluation) == expected


@pytest.mark.parametrize(
    "topic, names, expected",
    [
        ("NOT gate", ["Gate", "NOT gate"], "NOT gate"),
        ("NOT gates in circuits", ["NOT gate", "Circuit"], None),
        ("truth table of NOT gates", ["Truth table of NOT gates", "Truth table"], "Truth table of NOT gates"),
    ],
)
def test_a_not_inside_a_name_is_part_of_it(topic: str, names: list[str], expected: str | None) -> None:
    """A name that holds a "not" stays whole: nothing that is only a part of it is tied in its place (BE-3)."""
    assert tie(topic, *names) == (canonical_key(expected) if expected else None)


@given(st.text(max_size=80), st.sampled_from(["en", "ja", "th", "ar", "xx", ""]))
def test_nothing_is_made_up(topic: str, language: str) -> None:
    """What is meant stands in the topic, piece by piece, whatever the topic is (BE-3)."""
    meant, _ = contrasted(topic, language=language)
    assert all(piece.strip() in topic for piece in meant.split(", ")) or meant in topic


def test_a_million_characters_are_not_parted() -> None:
    """A topic of a million characters is a sentence and is left whole (SV-12)."""
    topic = "not " * 250_000
    assert contrasted(topic) == (topic, "")
    assert tie(topic + "heat", "Heat") is None
