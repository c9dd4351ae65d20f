"""The evaluation of decoding and of changed letters."""

from __future__ import annotations

import random

from anamnesis_tools.bench.files import letters

RIVERS = (
    "A river is a stream of water that flows to the sea, and its source is the place from which it comes."
)


def test_decoding_counts_texts_that_are_right() -> None:
    """A text that comes back letter for letter counts, for both, and one that does not is named (CM-1)."""
    counted = letters._decoding(
        {"en": RIVERS, "xx": "…³¹²¾…¼½"}, {"en": ["utf-16-le"], "xx": ["cp1252"]}, None
    )
    assert (counted.texts, counted.ours) == (2, 1)
    assert counted.wrong == ("xx in cp1252",)
    assert counted.charset_normalizer <= 2


def test_damage_changes_letters_and_nothing_else() -> None:
    """Damaged texts keep spaces, signs and, where only consonants are swapped, vowels (SV-12)."""
    swapped = letters._pairs(RIVERS.lower(), random.Random(1), 4)
    permuted = letters._permuted(RIVERS.lower(), random.Random(1), vowels_stay=True)
    for damaged in (swapped, permuted):
        assert damaged != RIVERS.lower()
        assert [c for c in damaged if c in "aeiouy ,."] == [c for c in RIVERS.lower() if c in "aeiouy ,."]
    assert letters._pairs(swapped, random.Random(1), 0) == swapped


def test_what_should_be_refused_and_is_not_is_named() -> None:
    """Of texts that should be refused those that were not are counted by language, and the other way round (SV-12)."""
    honest = letters._refusals("honest", {"en": RIVERS}, refuse=True)
    assert (honest.refused, honest.missed) == (0, ("en 1",))
    assert letters._refusals("honest", {"en": RIVERS}, refuse=False).missed == ()
