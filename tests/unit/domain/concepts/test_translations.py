"""Concepts of two languages whose names have nothing in common (CM-3)."""

from __future__ import annotations

import numpy as np
import pytest

from anamnesis.domain.concepts import SubjectMap
from support.map_values import DIMENSION, concept, contribution, subject_map

ENGLISH = ["Momentum", "Enzyme", "Photon", "Glacier", "Voltage", "Diffraction", "Humus", "Chromosome", "Entropy",
           "Viscosity", "Estuary", "Stomata"]  # fmt: skip
CHINESE = ["动量", "酶", "光子", "冰川", "电压", "衍射", "腐殖质", "染色体", "熵", "黏度", "河口", "气孔"]


def of_language(count: int, *, tilt: float, own: float) -> list[np.ndarray]:
    """Concepts round a direction that their language shares, each `own` away from it along an axis of its own."""
    vectors = []
    for place in range(count):
        vector = np.zeros(DIMENSION, dtype=np.float32)
        vector[0], vector[1], vector[2 + place] = 1.0, tilt, own
        vectors.append(vector / np.linalg.norm(vector))
    return vectors


def told(count: int, own: float) -> SubjectMap:
    """The same concepts by an English and a Chinese file."""
    return subject_map(
        contribution("en", *map(concept, ENGLISH[:count]), vectors=of_language(count, tilt=0.0, own=own)),
        contribution(
            "zh", *map(concept, CHINESE[:count]), language="zh", vectors=of_language(count, tilt=0.3, own=own)
        ),
    )


def test_what_a_language_shares_does_not_hide_a_translation() -> None:
    """Concepts far ahead from their languages' means are one, though their cosines lead by little (CM-3)."""
    built = told(12, own=0.12)
    assert len(built.concepts) == 12
    assert {each.name: each.aliases for each in built.concepts}["Momentum"] == ("动量",)


@pytest.mark.parametrize("count, own", [(9, 0.12), (12, 0.04)], ids=["too few for a mean", "hardly ahead"])
def test_a_mean_of_few_and_a_lead_of_nothing_merge_nothing(count: int, own: float) -> None:
    """A language of few concepts has no mean to speak of, and a lead of next to nothing is too little (CM-3)."""
    assert len(told(count, own).concepts) == 2 * count
