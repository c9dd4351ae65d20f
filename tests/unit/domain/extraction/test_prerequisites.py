"""What a text shows a concept to build on, and what it merely keeps away (CM-1, CM-4, CM-5, CM-7)."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.adapters.concept_format import contribution_from_bytes, contribution_to_bytes
from anamnesis.adapters.offline_concept_reader import OfflineConceptReader
from anamnesis.domain.concepts import Contribution, ExtractedConcept, Extraction
from anamnesis.domain.concepts.subject_map import build_map
from anamnesis.domain.concepts.validation import validate
from anamnesis.domain.extraction.cues import cue_table
from anamnesis.domain.extraction.negation import affirmed
from anamnesis.domain.extraction.prerequisites import building
from anamnesis.domain.files import Document, Page


def found(text: str) -> dict[str, ExtractedConcept]:
    """Concepts of a one-page text by name."""
    document = Document("text/markdown", (Page(1, text),))
    return {c.name: c for c in OfflineConceptReader().read(document, file_name="x").concepts}


@pytest.mark.parametrize(
    "text, concept, absent",
    [
        ("A nucleus is the part of a cell that holds its genes. A prokaryote is a cell without a nucleus.",
         "prokaryote", "nucleus"),
        ("Diffusion is the spreading of particles. Unlike diffusion, osmosis is a movement of water alone.",
         "osmosis", "diffusion"),
        ("El núcleo es la parte que guarda los genes. Un procarionte es un organismo sin núcleo que vive solo.",
         "procarionte", "núcleo"),
        ("Jądro komórkowe to część, która przechowuje geny. Prokariont to organizm bez jądra komórkowego i błon.",
         "prokariont", "jądro komórkowe"),
        ("Nukleus adalah bagian sel yang menyimpan gen. Prokariota adalah makhluk hidup tanpa nukleus yang jelas.",
         "prokariota", "nukleus"),
        ("केंद्रक वह भाग है जिसमें जीन रहते हैं। प्रोकैरियोट वह जीव है जो केंद्रक के बिना जीता है।", "प्रोकैरियोट", "केंद्रक"),
        ("النواة هي الجزء الذي يحفظ الجينات. البكتيريا هي كائنات بدون النواة تعيش في كل مكان.", "البكتيريا", "النواة"),
        ("Le noyau est la partie qui garde les gènes. Un procaryote est un organisme sans noyau ni membrane.",
         "procaryote", "noyau"),
        ("Der Zellkern ist der Teil, der die Gene enthält. Ein Prokaryot ist ein Lebewesen ohne Zellkern und Hülle.",
         "Prokaryot", "Zellkern"),
        ("O núcleo é a parte que guarda os genes. Um procarionte é um organismo sem núcleo que vive só.",
         "procarionte", "núcleo"),
        ("Ядро — это часть, которая хранит гены. Прокариот — это организм без ядра и оболочки вокруг.",
         "прокариот", "ядро"),
        ("细胞核是指保存遗传物质的结构。原核生物是指没有细胞核的生物。", "原核生物", "细胞核"),
    ],
)  # fmt: skip
def test_what_a_thing_lacks_is_no_prerequisite(text: str, concept: str, absent: str) -> None:
    """A concept does not build on what its definition says it is not or lacks, in any language (CM-1)."""
    concepts = found(text)
    assert absent in concepts
    assert concepts[concept].builds_on == ()


def test_what_is_not_only_meant_is_meant() -> None:
    """A "not only" negates nothing, a "no" what follows it (CM-1)."""
    sentence = "It takes not only diffusion but pumps, and no energy."
    assert "diffusion" in affirmed(sentence, cue_table("en"))
    assert "energy" not in affirmed(sentence, cue_table("en"))


def test_evidence_is_counted() -> None:
    """The more sentences tell a concept by another one, the more the edge weighs (CM-5)."""
    text = (
        "Diffusion is the spreading of particles down a gradient.\n\nA pump is a protein that moves ions uphill.\n\n"
        "Osmosis is the diffusion of water. The diffusion of water is called osmosis. It needs no pump.\n"
    )
    osmosis = found(text)["osmosis"]
    assert osmosis.builds_on == ("diffusion",)
    assert osmosis.evidence[0] > 2


@pytest.mark.parametrize(
    "text",
    [
        "Velocity is the rate of a shift in place. Recall that velocity has a sign. Acceleration is what alters it.",
        "Velocity is the rate of a displacement. Acceleration is a quantity that is based on velocity over time.",
    ],
)
def test_what_is_recalled_or_named_as_a_base_is_a_prerequisite(text: str) -> None:
    """What a text recalls before a concept, or says it is based on, the concept builds on (CM-4)."""
    assert "velocity" in found(text)["acceleration"].builds_on


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), st.integers(1, 6), max_size=40
    )
)
def test_no_circle_is_read_out_of_one_text(counts: dict[tuple[str, str], int]) -> None:
    """Whatever the counts, no concept of one text comes to build on itself, and weaker directions give way (CM-7)."""
    pairs = {(a, b): count for (a, b), count in counts.items() if a != b}
    edges = building(pairs, {key: place for place, key in enumerate("abcdefg")})
    graph = nx.DiGraph((a, b) for a, found_edges in edges.items() for b, _ in found_edges)
    assert nx.is_directed_acyclic_graph(graph)
    for a, b in graph.edges:
        assert pairs[a, b] >= pairs.get((b, a), 0)


def _concept(name: str, builds_on: tuple[str, ...] = (), evidence: tuple[int, ...] = ()) -> ExtractedConcept:
    return ExtractedConcept(name, f"{name} is a thing that matters.", "", builds_on, (), (1,), evidence)


def _contribution(concepts: list[ExtractedConcept]) -> Contribution:
    kept, refused = validate(concepts, page_count=1)
    extraction = Extraction("en", "test", tuple(kept), tuple(refused))
    keys = tuple(concept.name.casefold() for concept in kept)
    return Contribution("f1", "print", extraction, keys, np.eye(len(keys), 4, dtype=np.float32), "test")


def test_evidence_reaches_the_centrality() -> None:
    """Of two prerequisites of one concept, the one that more evidence speaks for is the more central (CM-5)."""
    contribution = _contribution(
        [_concept("top", ("weak", "strong"), (1, 5)), _concept("weak"), _concept("strong")]
    )
    subject_map = build_map(
        [contribution], files={}, revision=1, embedder="test", merge_threshold=0.99, dimension=4
    )
    ranks = {concept.name: concept.centrality for concept in subject_map.concepts}
    assert ranks["strong"] > ranks["weak"]


def test_evidence_survives_storage_and_older_rows_count_one_each() -> None:
    """What was stored with evidence comes back with it, and a row from before it was counted weighs one (CM-5)."""
    contribution = _contribution([_concept("top", ("base",), (4,)), _concept("base")])
    assert contribution_from_bytes(contribution_to_bytes(contribution)).extraction == contribution.extraction
    assert _concept("top", ("base",)).weights() == {"base": 1}


def test_the_validator_keeps_evidence_beside_its_prerequisite() -> None:
    """A prerequisite that the validator drops takes its evidence with it (CM-2)."""
    kept, _ = validate([_concept("top", ("nowhere", "base"), (7, 3)), _concept("base")], page_count=1)
    assert (kept[0].builds_on, kept[0].evidence) == (("base",), (3,))
