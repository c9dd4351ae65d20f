"""Teachings about one thing of which the later contradicts the earlier."""

from __future__ import annotations

import pytest

from anamnesis.domain.messages.contradictions import COMPARED, contradicts, standing


@pytest.mark.parametrize(
    "earlier, later",
    [
        ("in our class we call mitochondria the powerhouse of the cell", "we call mitochondria the battery"),
        ("treat osmosis as diffusion of water", "Treat osmosis as a flow"),
        ("g is 10", "g is 9.8"),
        ("the exam is on Friday morning", "the exam is on Monday morning"),
        ("osmosis needs energy", "osmosis doesn't need energy"),
        ("llamamos a la mitocondria la central", "llamamos a la mitocondria la pila"),
        ("la ósmosis necesita energía", "la ósmosis no necesita energía"),
        ("Das Gewicht ist eine Kraft", "Das Gewicht ist keine Kraft"),
        ("le poids est une force", "le poids n'est pas une force"),
        ("вес это сила", "вес это не сила"),
        ("osmoz bir difüzyondur", "osmoz bir difüzyon değildir"),
        ("نسمي جدار الخلية السور", "نسمي جدار الخلية الحائط"),
        ("भार बल है", "भार बल नहीं है"),
        ("我们班把线粒体叫做发电厂", "我们班把线粒体叫做电池"),
        ("重量是力", "重量不是力"),
        ("浸透を水の拡散として扱って", "浸透を流れとして扱って"),
        ("우리 반에서는 세포벽을 울타리라고 부른다", "우리 반에서는 세포벽을 담이라고 부른다"),
    ],
)
def test_another_name_number_word_or_a_not_contradicts(earlier: str, later: str) -> None:
    """Another name, number or word for the same, or a "not" more or less, contradicts, in any script (TE-1)."""
    assert contradicts(earlier, later)
    assert contradicts(later, earlier)


@pytest.mark.parametrize(
    "earlier, later",
    [
        ("", ""),
        ("...", "!"),
        ("g is 10", "G is 10"),
        ("osmosis is diffusion of water", "osmosis is important for plants"),
        ("osmosis is active", "osmosis is not a pump"),
        ("cells divide", "cells have walls"),
        ("we call mitochondria the battery", "mitochondria have two membranes"),
        ("浸透は拡散である", "浸透は植物で大切だ"),
    ],
)
def test_saying_more_of_a_thing_contradicts_nothing(earlier: str, later: str) -> None:
    """Two different things said of one concept both stand (TE-1)."""
    assert not contradicts(earlier, later)


def test_the_last_word_stands() -> None:
    """Of teachings that contradict each other the latest stands, also when the first is taught again (TE-1)."""
    notes = ["g is 10", "g has units", "g is 9.8", "g is 10"]
    assert standing(notes) == [1, 3]
    assert standing([]) == []


def test_a_thousand_teachings_cost_no_more_than_a_dozen() -> None:
    """Only the latest teachings about a thing are compared with each other (SV-12)."""
    assert len(standing([f"g is {n}" for n in range(1_000)])) == 1
    assert (
        len(standing([f"{chr(97 + n % 26) * 5} is {chr(98 + n % 24) * (n % 7 + 3)}" for n in range(1_000)]))
        <= COMPARED
    )
