"""The subject map as a function of what its files say."""

from __future__ import annotations

import random
from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

from anamnesis.domain.concepts import Concept, SubjectMap
from anamnesis.domain.concepts.graph import DAMPING, centrality, teaching_order
from anamnesis.domain.concepts.subject_map import build_map, resolved_keys
from support.map_values import DIMENSION, EMBEDDER, concept, contribution, direction, record, subject_map

NAMES = ["Cell", "Cells", "Osmosis", "Ósmosis", "Membrane", "Diffusion", "Glucose", "Energy"]


def by_key(built: SubjectMap) -> dict[str, Concept]:
    return {each.key: each for each in built.concepts}


@st.composite
def contribution_lists(draw: st.DrawFn) -> list:
    """Up to five files in three languages that explain, build on and assume whatever they like."""
    files = []
    for index in range(draw(st.integers(0, 5))):
        names = draw(st.lists(st.sampled_from(NAMES), max_size=5, unique=True))
        concepts = [
            concept(
                name,
                builds_on=draw(st.lists(st.sampled_from(names), max_size=2)),
                assumed=draw(st.lists(st.sampled_from([*NAMES, "Heat"]), max_size=2)),
                pages=draw(st.lists(st.integers(1, 9), max_size=3)),
            )
            for name in names
        ]
        axes = [direction(draw(st.integers(1, 4)), towards=0, cosine=draw(st.floats(0.5, 1))) for _ in names]
        language = draw(st.sampled_from(["en", "es", "und"]))
        files.append(contribution(f"f{index}", *concepts, language=language, vectors=axes))
    return files


def test_names_with_one_key_are_one_concept_with_all_its_sources() -> None:
    """A second file that explains a concept adds itself with its pages to the one node (CM-3)."""
    built = subject_map(
        contribution("a", concept("Osmosis", pages=[3, 1])),
        contribution("b", concept("osmosis ", pages=[2])),
        contribution("c", concept("Ósmosis", pages=[7]), language="es"),
    )
    (osmosis,) = built.concepts
    assert {source.file_id: source.pages for source in osmosis.sources} == {"a": (1, 3), "b": (2,), "c": (7,)}


@pytest.mark.parametrize("first, second", [(1, 2), (2, 1)])
def test_the_language_of_most_files_names_the_concept(first: int, second: int) -> None:
    """Name, key and gist are those of the language of most files, whichever came first; others stay findable (CM-3)."""
    es = contribution("a", concept("Membrana celular", gist="es"), language="es", vectors=[direction(0)])
    en = contribution("b", concept("Cell membrane", gist="en"), vectors=[direction(0)])
    more = contribution("c", concept("Osmosis"))
    files = {"a": record("a", day=first), "b": record("b", day=second), "c": record("c", day=3)}
    membrane = by_key(subject_map(es, en, more, files=files))["cell membrane"]
    assert (membrane.name, membrane.gist, membrane.aliases) == ("Cell membrane", "en", ("Membrana celular",))
    assert resolved_keys(subject_map(es, en, more))["membrana celular"] == "cell membrane"


def test_a_name_is_spelt_as_most_files_spell_it() -> None:
    """Of the spellings of one key the one that most files use is shown (CM-3)."""
    built = subject_map(
        *(contribution(str(i), concept(name)) for i, name in enumerate(["CELLS", "Cell", "Cell"]))
    )
    assert [each.name for each in built.concepts] == ["Cell"]


FILLER = ["Alpha", "Bridge", "Castle", "Desert", "Engine"]


@pytest.mark.parametrize(
    "cosine, rival, others, merged",
    [
        (0.94, 0.5, 4, True),
        (0.94, 0.905, 4, True),
        (0.94, 0.92, 4, False),
        (0.92, 0.5, 4, False),
        (0.94, 0.5, 2, False),
        (0.97, 0.5, 2, True),
    ],
)
def test_languages_meet_only_in_a_clear_nearest_pair(
    cosine: float, rival: float, others: int, merged: bool
) -> None:
    """Names that say nothing merge across languages when near, clearly ahead of others, and others are there (CM-3)."""
    en = contribution(
        "a",
        *map(concept, ["Force", *FILLER[:others]]),
        vectors=[direction(0), *(direction(3 + i) for i in range(others))],
    )
    es = contribution(
        "b",
        *map(concept, ["Empuje", "Ritmo", *(f"{name} {name}o" for name in FILLER[: others - 1])]),
        language="es",
        vectors=[
            direction(1, towards=0, cosine=cosine),
            direction(2, towards=0, cosine=rival),
            *(direction(9 + i) for i in range(others - 1)),
        ],
    )
    node = resolved_keys(subject_map(en, es))
    assert (node["force"] == node["empuje"]) is merged


@pytest.mark.parametrize(
    "one, other, cosine, merged",
    [
        ("Osmosis", "Осмос", 0.87, True),
        ("Osmosis", "Осмос", 0.85, False),
        ("Hypotonic", "Гипертонический", 0.99, False),
        ("Type 1 error", "Ошибка типа 2", 0.99, False),
        ("Direct democracy", "Демократия", 0.99, False),
        ("Lactose", "Лактаза", 0.95, False),
    ],
)
def test_cognates_need_little_and_opposites_never_merge(
    one: str, other: str, cosine: float, merged: bool
) -> None:
    """Cognates merge below the embedder's threshold, names that differ in what makes them opposites never (CM-3)."""
    built = subject_map(
        contribution("a", concept(one), vectors=[direction(0)]),
        contribution("b", concept(other), language="ru", vectors=[direction(1, towards=0, cosine=cosine)]),
    )
    assert len(built.concepts) == (1 if merged else 2)


def test_files_about_the_same_things_merge_at_the_threshold() -> None:
    """Where cognates show that two languages share their concepts, the threshold itself is near enough (CM-3)."""
    shared = ["Atom", "Molecule", "Polymer", "Electron"]
    axes = [direction(3 + i) for i in range(4)]
    near = direction(1, towards=0, cosine=0.91)
    en = contribution("a", *map(concept, [*shared, "Force"]), vectors=[*axes, direction(0)])
    es = contribution(
        "b",
        *map(concept, ["Átomo", "Molécula", "Polímero", "Electrón", "Empuje"]),
        language="es",
        vectors=[*axes, near],
    )
    other = contribution("b", *map(concept, [*"ЖЦЩЮ", "Empuje"]), language="es", vectors=[*axes, near])
    together, apart = resolved_keys(subject_map(en, es)), resolved_keys(subject_map(en, other))
    assert together["force"] == together["empuje"]
    assert apart["force"] != apart["empuje"]


def test_a_chain_merges_its_strongest_pair_and_no_more_than_goes_together() -> None:
    """If A is like B and B like C but A opposes C, the surer pair merges and C stays, in any order (CM-3)."""
    en = contribution("a", concept("Endothermic reaction"), vectors=[direction(0)])
    es = contribution(
        "b",
        concept("Reacción endotérmica"),
        language="es",
        vectors=[direction(1, towards=0, cosine=0.97)],
    )
    it = contribution(
        "c",
        concept("Reazione esotermica"),
        language="it",
        vectors=[direction(1, towards=0, cosine=0.965)],
    )
    for order in permutations([en, es, it]):
        node = resolved_keys(subject_map(*order))
        assert node["endothermic reaction"] == node["reaccion endotermica"] != node["reazione esotermica"]


def test_different_concepts_of_one_language_stay_apart_however_close() -> None:
    """No cosine merges two names of one language that do not agree as names (CM-3)."""
    close = direction(1, towards=0, cosine=0.99)
    built = subject_map(
        contribution("a", concept("Mitosis"), vectors=[direction(0)]),
        contribution("b", concept("Meiosis"), vectors=[close]),
    )
    assert set(by_key(built)) == {"mitosis", "meiosis"}


@pytest.mark.parametrize(
    "language, one, other, definition",
    [
        ("de", "Zelle", "Zellen", ""),
        ("ru", "Клеточная мембрана", "Клеточные мембраны", ""),
        ("en", "Cell membrane", "Membrane of the cell", ""),
        ("en", "Transmission Control Protocol", "TCP", ""),
        ("en", "Deoxyribonucleic acid (DNA)", "DNA", ""),
        ("en", "Colour vision", "Color vision", ""),
        ("en", "Wave length", "Wavelength", ""),
        ("en", "World War II", "World War 2", ""),
        ("en", "Plasma membrane", "Cell membrane", "The skin of a cell, also called the cell membrane."),
        ("es", "Promedio", "Media", "Medida central, también llamada media o valor medio."),
        ("zh", "线粒体", "粒线体", "细胞的能量工厂,也称为粒线体。"),
    ],
)
@pytest.mark.parametrize("cosine, merged", [(0.95, True), (0.85, False)])
def test_agreeing_names_of_one_language_merge_when_close(
    language: str, one: str, other: str, definition: str, cosine: float, merged: bool
) -> None:
    """Inflection, word order, initials and "also called" merge two names, if their vectors agree too (CM-3)."""
    built = subject_map(
        contribution("a", concept(one, definition=definition), language=language, vectors=[direction(0)]),
        contribution(
            "b", concept(other), language=language, vectors=[direction(1, towards=0, cosine=cosine)]
        ),
    )
    assert len(built.concepts) == (1 if merged else 2)


def test_a_short_form_of_two_things_is_neither() -> None:
    """What two names may be shortened to merges with neither, and names neither (CM-3)."""
    near = [direction(1, towards=0, cosine=0.97), direction(2, towards=0, cosine=0.97)]
    built = subject_map(
        contribution(
            "a", concept("Standard deviation (SD)"), concept("Sleep deprivation (SD)"), vectors=near
        ),
        contribution("b", concept("SD"), vectors=[direction(0)]),
    )
    assert len(built.concepts) == 3
    without = subject_map(
        contribution("a", concept("Standard deviation (SD)"), concept("Sleep deprivation (SD)"))
    )
    assert "sd" not in resolved_keys(without)


def test_a_short_form_names_its_concept() -> None:
    """The short form that a name gives of itself resolves to the concept, also as a prerequisite (CM-3, CM-4)."""
    built = subject_map(
        contribution("a", concept("Deoxyribonucleic acid (DNA)")),
        contribution("b", concept("Gene", assumed=["DNA"])),
    )
    assert resolved_keys(built)["dna"] == "deoxyribonucleic acid"
    assert by_key(built)["gene"].builds_on == ("deoxyribonucleic acid",)


@pytest.mark.parametrize("one, other", [("Statistic", "Statistics"), ("Universe", "University")])
def test_a_stemmer_alone_does_not_merge(one: str, other: str) -> None:
    """Words that only a search stemmer takes for one stay two concepts (CM-3)."""
    near = direction(1, towards=0, cosine=0.97)
    built = subject_map(
        contribution("a", concept(one), vectors=[direction(0)]),
        contribution("b", concept(other), vectors=[near]),
    )
    assert len(built.concepts) == 2


def test_two_concepts_of_one_file_never_merge_by_similarity() -> None:
    """A file that explains two names apart keeps them apart, also through a third file (CM-3)."""
    near = [direction(1, towards=0, cosine=0.99), direction(2, towards=0, cosine=0.95)]
    built = subject_map(
        contribution("a", concept("Zelle"), concept("Zellen"), language="de", vectors=near),
        contribution("b", concept("Cell"), vectors=[direction(0)]),
    )
    zelle, zellen = (
        next(c for c in built.concepts if name in (c.name, *c.aliases)) for name in ("Zelle", "Zellen")
    )
    assert zelle.key != zellen.key


def test_vectors_of_another_embedder_are_not_compared() -> None:
    """Concepts of an old embedder merge by key only, and have no vector in the new one's space (CM-3)."""
    built = subject_map(
        contribution("a", concept("Force"), vectors=[direction(0)]),
        contribution("b", concept("Fuerza"), language="es", vectors=[direction(0)], embedder="old"),
    )
    assert len(built.concepts) == 2
    rows = {each.key: built.vectors[row] for row, each in enumerate(built.concepts)}
    assert np.allclose(rows["force"], direction(0))
    assert not rows["fuerza"].any()


def test_a_prerequisite_that_two_concepts_assume_becomes_a_node() -> None:
    """Two assuming concepts make a node without sources; one alone only notes the name (CM-4)."""
    built = subject_map(
        contribution("a", concept("Osmosis", assumed=["Water", "Pressure"])),
        contribution("b", concept("Diffusion", assumed=["waters"])),
    )
    nodes = by_key(built)
    assert set(nodes) == {"osmosis", "diffusion", "water"}
    assert nodes["water"].sources == ()
    assert nodes["water"].name == "Water"
    assert nodes["osmosis"].builds_on == ("water",)
    assert nodes["osmosis"].assumed == ("Pressure",)
    assert nodes["diffusion"].assumed == ()


def test_one_concept_that_two_files_let_assume_the_same_counts_once() -> None:
    """The same concept in two files is one concept that assumes, not two (CM-4)."""
    built = subject_map(
        contribution("a", concept("Osmosis", assumed=["Water"])),
        contribution("b", concept("Osmosis", assumed=["Water"])),
    )
    (osmosis,) = built.concepts
    assert osmosis.assumed == ("Water",)


def test_an_assumed_name_that_another_file_explains_is_an_edge() -> None:
    """What one file assumes and another explains is an ordinary prerequisite, under any of its names (CM-4)."""
    built = subject_map(
        contribution("a", concept("Osmosis", assumed=["Membrana celular"])),
        contribution("b", concept("Cell membrane"), vectors=[direction(0)]),
        contribution("c", concept("Membrana celular"), language="es", vectors=[direction(0)]),
    )
    assert by_key(built)["osmosis"].builds_on == ("cell membrane",)
    assert by_key(built)["osmosis"].assumed == ()


def test_what_everything_builds_on_is_the_hub() -> None:
    """The prerequisite of all others has the greatest centrality, and all sum to 1 (CM-5)."""
    leaves = [concept(f"Leaf {i}", builds_on=["Root"]) for i in range(5)]
    nodes = by_key(subject_map(contribution("a", concept("Root"), *leaves)))
    assert nodes["root"].centrality > 2 * max(c.centrality for key, c in nodes.items() if key != "root")
    assert sum(c.centrality for c in nodes.values()) == pytest.approx(1)


def test_an_edge_that_more_files_assert_weighs_more() -> None:
    """Of two prerequisites the one that more files name is the more central (CM-5)."""
    first = concept("Work", builds_on=["Force", "Path"])
    built = subject_map(
        contribution("a", first, concept("Force"), concept("Path")),
        contribution("b", concept("Work", builds_on=["Force"]), concept("Force")),
    )
    assert by_key(built)["force"].centrality > by_key(built)["path"].centrality


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 3)), max_size=25))
def test_centrality_is_the_pagerank_of_networkx(triples: list[tuple[int, int, int]]) -> None:
    """Our edge-list PageRank gives what networkx's reference gives, on any graph (CM-5)."""
    keys = [f"k{i}" for i in range(8)]
    edges = {(f"k{a}", f"k{b}"): float(weight) for a, b, weight in triples if a != b}
    graph = nx.DiGraph()
    graph.add_nodes_from(keys)
    graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in edges.items())
    expected = _pagerank_python(graph, alpha=DAMPING, tol=1e-13, max_iter=2_000)
    assert centrality(keys, edges) == pytest.approx(expected, abs=1e-9)


def test_prerequisites_come_first_and_hubs_first_within_a_layer() -> None:
    """Teaching order puts every prerequisite in an earlier layer, the most central first (CM-7)."""
    built = subject_map(
        contribution(
            "a",
            concept("Alone"),
            concept("Cell"),
            concept("Membrane", builds_on=["Cell"]),
            concept("Nucleus", builds_on=["Cell"]),
            concept("Osmosis", builds_on=["Membrane"]),
        )
    )
    assert built.layers == (("cell", "alone"), ("membrane", "nucleus"), ("osmosis",))
    assert built.cycles == ()


def test_a_cycle_is_condensed_and_reported() -> None:
    """Concepts that build on each other share a layer, are reported, and hold nobody up (CM-7)."""
    built = subject_map(
        contribution("a", concept("Supply", builds_on=["Demand"]), concept("Demand")),
        contribution("b", concept("Demand", builds_on=["Supply"]), concept("Supply")),
        contribution("c", concept("Price", builds_on=["Demand", "Price"]), concept("Demand")),
    )
    assert built.cycles == (("demand", "supply"),)
    assert built.layers == (("demand", "supply"), ("price",))
    assert by_key(built)["price"].builds_on == ("demand",)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40))
def test_layers_respect_every_edge_outside_cycles(pairs: list[tuple[int, int]]) -> None:
    """On any graph each concept stands in exactly one layer, after its prerequisites or beside its cycle (CM-7)."""
    keys = [f"k{i}" for i in range(10)]
    edges = {(f"k{a}", f"k{b}"): 1.0 for a, b in pairs if a != b}
    layers, cycles = teaching_order(keys, edges, dict.fromkeys(keys, 0.1))
    level = {key: number for number, layer in enumerate(layers) for key in layer}
    assert sorted(key for layer in layers for key in layer) == keys
    for concept_key, prerequisite in edges:
        together = any(concept_key in cycle and prerequisite in cycle for cycle in cycles)
        assert (
            level[concept_key] == level[prerequisite]
            if together
            else level[concept_key] > level[prerequisite]
        )


@settings(deadline=None)
@given(contribution_lists(), st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(contributions: list, rng: random.Random) -> None:
    """The map is the same whatever order its files are read in (CM-3)."""
    shuffled = list(contributions)
    rng.shuffle(shuffled)
    one, other = subject_map(*contributions), subject_map(*shuffled)
    assert one.concepts == other.concepts
    assert (one.layers, one.cycles) == (other.layers, other.cycles)
    assert np.array_equal(one.vectors, other.vectors)


@settings(max_examples=60, deadline=None)
@given(contribution_lists())
def test_every_map_is_whole(contributions: list) -> None:
    """Any map has unique sorted keys, edges to its own nodes, no self-loop, aligned vectors and sources (CM-3)."""
    built = subject_map(*contributions)
    keys = [each.key for each in built.concepts]
    assert keys == sorted(set(keys))
    assert built.vectors.shape == (len(keys), DIMENSION)
    assert sorted(key for layer in built.layers for key in layer) == keys
    said = {(c.file_id, key) for c in contributions for key in c.keys}
    resolved = resolved_keys(built)
    sources = {(source.file_id, each.key) for each in built.concepts for source in each.sources}
    assert sources == {(file_id, resolved[key]) for file_id, key in said}
    for each in built.concepts:
        assert each.key not in each.builds_on
        assert set(each.builds_on) <= set(keys)


@settings(deadline=None)
@given(contribution_lists())
def test_a_file_that_goes_takes_only_its_own_with_it(contributions: list) -> None:
    """Deleting a file gives exactly the map that its subject would have had without it (CM-8)."""
    files = {c.file_id: record(c.file_id, day=n) for n, c in enumerate(contributions)}
    gone = dict(files)
    if contributions:
        gone[contributions[0].file_id] = record(contributions[0].file_id, deleted=True)
    after = subject_map(*contributions, files=gone)
    without = subject_map(*contributions[1:], files=gone)
    assert after.concepts == without.concepts
    assert all(source.file_id != "f0" for each in after.concepts for source in each.sources)


def test_a_thousand_concepts_of_many_files_merge() -> None:
    """Twenty files of fifty shared and own concepts give one map, with every file on the shared ones (CM-3)."""
    rng = np.random.default_rng(7)
    files = []
    for number in range(20):
        names = [*(f"Shared {i}" for i in range(10)), *(f"Own {number} {i}" for i in range(40))]
        rows = rng.normal(size=(50, DIMENSION)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        concepts = [concept(name, builds_on=["Shared 0"]) for name in names]
        files.append(contribution(f"f{number}", *concepts, vectors=list(rows)))
    nodes = by_key(subject_map(*files))
    assert len(nodes) == 10 + 20 * 40
    assert len(nodes["shared 0"].sources) == 20


def test_an_empty_subject_has_an_empty_map() -> None:
    """No file is no concept, no layer, no cycle and no error (CM-3)."""
    built = build_map([], files={}, revision=0, embedder=EMBEDDER, merge_threshold=0.9, dimension=DIMENSION)
    assert (built.concepts, built.layers, built.cycles, built.vectors.shape) == ((), (), (), (0, DIMENSION))
