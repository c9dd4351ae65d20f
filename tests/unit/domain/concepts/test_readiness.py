"""Readiness: how well the material covers what a student sees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.concepts import StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.readiness import concept_readiness, subject_readiness, taught_notes, with_layer
from support.map_values import concept, contribution, direction, subject_map

NOTE = TaughtNote("we call it the powerhouse", "episode-1", 1)


def biology() -> SubjectMap:
    """Mitochondria and osmosis build on cytoplasm; water is assumed by both and explained by none."""
    return subject_map(
        contribution(
            "a",
            concept("Mitochondria", builds_on=["Cytoplasm"], assumed=["Water"]),
            concept("Osmosis", builds_on=["Cytoplasm"], assumed=["Water"]),
            concept("Cytoplasm"),
        )
    )


@pytest.mark.parametrize(
    "key, layer, expected",
    [
        ("water", StudentLayer(), 0.35),
        ("osmosis", StudentLayer(), 0.60),
        ("osmosis", StudentLayer(confirmed=frozenset({"osmosis"})), 0.85),
        ("osmosis", StudentLayer(taught={"osmosis": (NOTE,)}), 1.0),
        ("water", StudentLayer(confirmed=frozenset({"water"})), 0.85),
        ("osmosis", StudentLayer(taught={"osmosis": (NOTE,)}, confirmed=frozenset({"osmosis"})), 1.0),
        ("osmosis", StudentLayer(taught={"osmosis": ()}), 0.60),
        ("osmosis", StudentLayer(taught={"water": (NOTE,)}, confirmed=frozenset({"water"})), 0.60),
    ],
)
def test_the_four_bands(key: str, layer: StudentLayer, expected: float) -> None:
    """Named, explained, confirmed and taught are 0.35, 0.60, 0.85 and 1.0, the best one counts (CM-6)."""
    node = next(each for each in biology().concepts if each.key == key)
    assert concept_readiness(node, layer) == expected


def test_what_was_taught_under_another_name_stays_with_the_concept() -> None:
    """A note or a passed check kept under an alias counts for the concept, notes oldest first (CM-6)."""
    (membrane,) = subject_map(
        contribution("a", concept("Cell membrane"), vectors=[direction(0)]),
        contribution("b", concept("Membrana celular"), language="es", vectors=[direction(0)]),
    ).concepts
    late, early = TaughtNote("late", "e9", 9), TaughtNote("early", "e2", 2)
    layer = StudentLayer(taught={"cell membrane": (late,), "membrana celular": (early,)})
    assert concept_readiness(membrane, StudentLayer(confirmed=frozenset({"membrana celular"}))) == 0.85
    assert taught_notes(membrane, layer) == (early, late)


def test_an_unexplained_hub_costs_more_than_a_leaf() -> None:
    """Subject readiness is lower when the hub is the one that no file explains (CM-6)."""
    leaves = [concept(f"Leaf {i}", assumed=["Hub"]) for i in range(4)]
    hub_missing = subject_map(contribution("a", *leaves, concept("Rim")))
    leaf_missing = subject_map(
        contribution(
            "a",
            concept("Hub"),
            *[concept(f"Leaf {i}", builds_on=["Hub"]) for i in range(3)],
            concept("Rim", assumed=["X"]),
        ),
        contribution("b", concept("Rim two", assumed=["X"])),
    )
    assert len(hub_missing.concepts) == len(leaf_missing.concepts) - 1
    assert subject_readiness(hub_missing, StudentLayer()) < subject_readiness(leaf_missing, StudentLayer())


def test_subject_readiness_is_the_weighted_mean() -> None:
    """The figure is the sum of centrality times readiness (CM-6)."""
    built = biology()
    layer = StudentLayer(confirmed=frozenset({"cytoplasm"}))
    expected = sum(each.centrality * concept_readiness(each, layer) for each in built.concepts)
    assert subject_readiness(built, layer) == pytest.approx(expected)


def test_own_concepts_count_as_leaves() -> None:
    """A student's own concept is a taught leaf in that student's view, and counts once however it is asked (CM-6)."""
    built = biology()
    layer = StudentLayer(taught={"lab coat": (NOTE,)}, own_concepts={"lab coat": "Lab coat"})
    seen = with_layer(built, layer)
    own = next(each for each in seen.concepts if each.key == "lab coat")
    assert concept_readiness(own, layer) == 1.0
    assert own.centrality == min(each.centrality for each in seen.concepts)
    assert sum(each.centrality for each in seen.concepts) == pytest.approx(1)
    assert subject_readiness(built, layer) == pytest.approx(subject_readiness(seen, layer))
    assert subject_readiness(built, layer) > subject_readiness(built, StudentLayer())


def test_a_layer_never_touches_the_shared_map() -> None:
    """One student's concepts are in that student's view only; the shared map and other views stay (CM-9)."""
    built = biology()
    before = (built.concepts, built.layers, built.vectors.copy())
    mine = StudentLayer(taught={"lab coat": (NOTE,)}, own_concepts={"lab coat": "Lab coat"})
    seen = with_layer(built, mine)
    assert "lab coat" in {each.key for each in seen.concepts}
    assert (built.concepts, built.layers) == before[:2]
    assert np.array_equal(built.vectors, before[2])
    assert with_layer(built, StudentLayer()) is built
    assert "lab coat" not in {each.key for each in with_layer(built, StudentLayer()).concepts}


def test_a_view_is_whole() -> None:
    """Own concepts have a row of the vectors and a place in the teaching order (TE-2)."""
    layer = StudentLayer(own_concepts={"zebra": "Zebra", "apple": "Apple"})
    seen = with_layer(biology(), layer)
    keys = [each.key for each in seen.concepts]
    assert keys[-2:] == ["apple", "zebra"]
    assert seen.vectors.shape[0] == len(keys)
    assert sorted(key for group in seen.layers for key in group) == sorted(keys)


def test_an_own_concept_that_a_file_explains_by_now_is_the_files() -> None:
    """Once a file explains what the student had added, there is one concept, with the student's note (TE-2)."""
    layer = StudentLayer(taught={"osmosis": (NOTE,)}, own_concepts={"osmosis": "osmosis, as we say"})
    seen = with_layer(biology(), layer)
    assert [each.name for each in seen.concepts if each.key == "osmosis"] == ["Osmosis"]
    assert subject_readiness(biology(), layer) == pytest.approx(subject_readiness(seen, layer))


@settings(deadline=None)
@given(
    st.frozensets(st.sampled_from(["water", "osmosis", "cytoplasm", "mitochondria"])),
    st.dictionaries(st.sampled_from(["water", "osmosis", "new", "newer"]), st.just((NOTE,))),
    st.dictionaries(st.sampled_from(["new", "newer", "newest"]), st.text(max_size=5)),
)
def test_readiness_stays_in_its_range_and_never_falls(confirmed: frozenset, taught: dict, own: dict) -> None:
    """Subject readiness lies in 0–1, and neither a passed check nor a taught note lowers it (CM-6)."""
    built = biology()
    layer = StudentLayer(confirmed=confirmed, taught=taught, own_concepts=own)
    without = StudentLayer(own_concepts=own)
    assert 0.35 <= subject_readiness(built, without) <= subject_readiness(built, layer) <= 1.0


def test_an_empty_subject_is_not_ready() -> None:
    """Without concepts readiness is 0, and with only a taught one it is 1 (CM-6)."""
    assert subject_readiness(subject_map(), StudentLayer()) == 0.0
    layer = StudentLayer(taught={"x": (NOTE,)}, own_concepts={"x": "X"})
    assert subject_readiness(subject_map(), layer) == 1.0
    assert with_layer(subject_map(), layer).layers == (("x",),)
