"""The measurement of names of two things."""

from __future__ import annotations

from anamnesis_tools.bench.files.concept_homonyms import KINDS, OTHERS, measure
from support.wired_memory import HashEmbedder


def test_every_pair_of_tellings_is_measured_both_ways_round() -> None:
    """Each labelled pair is counted twice, and nothing that two authors of one field tell is split (CM-3)."""
    found = {(splits.kind, splits.others): splits for splits in measure(HashEmbedder())}
    assert set(found) == {(kind, others) for kind in KINDS for others in OTHERS}
    assert all(splits.pairs >= 20 and splits.pairs % 2 == 0 for splits in found.values())
    assert found["same", max(OTHERS)].split == 0
