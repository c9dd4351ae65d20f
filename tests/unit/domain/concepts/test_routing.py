"""Routing a question or a topic to concepts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.concepts import StudentLayer, SubjectMap, TaughtNote
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.routing import SEARCHED_CHARS, NameIndex, route_by_similarity, taught_about
from support.map_values import concept, contribution, direction, subject_map

NO_LAYER = StudentLayer()


def index(*names: str, layer: StudentLayer = NO_LAYER) -> NameIndex:
    return NameIndex(subject_map(contribution("a", *[concept(name) for name in names])), layer)


@pytest.mark.parametrize(
    "names, text, expected",
    [
        (["Cell", "Osmosis"], "How does OSMOSIS work in a cell?", ["osmosis", "cell"]),
        (["Mitochondria"], "what's a mitochondrion", ["mitochondria"]),
        (["Newton's law"], "explain newtons laws", ["newton law"]),
        (["Célula", "Membrana celular"], "¿Qué son las membranas celulares?", ["membrana celular"]),
        (["Ecuación"], "resolver ecuaciones", ["ecuacion"]),
        (["Equação"], "como resolvo equações?", ["equacao"]),
        (["Énergie"], "à quoi sert l’énergie ?", ["energy"]),
        (["Zelle", "Kraft"], "Was machen die Zellen und welche Kräfte wirken?", ["zelle", "kraft"]),
        (["Клеточная мембрана"], "Объясни строение клеточной мембраны", ["клеточная мембрана"]),
        (["Siła"], "Jakie siły działają?", ["sila"]),
        (["Hücre"], "Hücrelerin yapısı nedir?", ["hucre"]),
        (["Energi kinetik"], "Apa itu energi kinetik?", ["energi kinetik"]),
        (["Tế bào", "Lực"], "lực là gì? lúc đó tế bào ra sao", ["lực", "tế bao"]),
        (["कोशिका", "बल"], "कोशिकाएँ क्या हैं? बल क्या है?", ["कोशिका", "बल"]),
        (["خلية", "إلكترون"], "ما هي الخَلِيّة؟ وما دور للإلكترون", ["خليه", "كترون"]),
        (["תא", "קרום התא"], "מה זה קרום התא ומה קורה בתא?", ["קרום התא", "תא"]),
        (["細胞", "細胞膜"], "細胞膜とは何ですか。", ["细胞膜"]),
        (["细胞", "DNA复制"], "什么是DNA 复制？细胞呢", ["dna复制", "细胞"]),
        (["コンピューター"], "コンピュータとは", ["コンピュータ"]),
        (["세포", "운동 에너지"], "세포는 무엇이고 운동에너지와 무슨 관계인가요?", ["세포", "운동에너지"]),
        (["เซลล์"], "เซลล์คืออะไร", ["เซลล์"]),
        (["DNA"], "DNAとは何か", ["dna"]),
        (["Länge"], "Was ist Länge?", ["lange"]),
        (["إحصائية"], "ما هي الإِحْصائِيَّة؟", ["احصائيه"]),
        (["C++", "Work"], "what is work in C++?", ["work", "c++"]),
        (["Mean", "Set"], "how do I get the mean of a set?", ["mean", "set"]),
        (["Son"], "comment le son se propage-t-il dans un gaz ?", ["son"]),
    ],
)
def test_names_are_found_in_every_script(names: list[str], text: str, expected: list[str]) -> None:
    """A concept is found by its name in any script, inflected, accented, prefixed or run together (BE-3)."""
    assert list(index(*names).named_in(text)) == expected


@pytest.mark.parametrize(
    "names, text",
    [
        (["Cell"], "a cellular phone, a cello and an excellent cellar"),
        (["Mean"], "the median and the meaning"),
        (["Mean"], "what do these values mean for us?"),
        (["Son"], "comment fait-il pour son devoir ?"),
        (["University"], "the universe"),
        (["Statistic"], "I like statistics"),
        (["IT", "C", "A"], "is it a good one, or is c better?"),
        (["力"], "他很努力,有能力"),
        (["ガス"], "ペガサス"),
        (["세포"], "단세포 생물"),
        (["힘"], "오늘은 힘들다"),
        (["Lực"], "lúc đó"),
        (["Osmosis"], ""),
        (["Osmosis"], "\u202e\0 \ud800"),
    ],
)
def test_look_alikes_are_not_names(names: list[str], text: str) -> None:
    """Parts of other words, function words and look-alikes route to nothing (BE-3)."""
    assert index(*names).named_in(text) == ()


def test_of_overlapping_names_the_longest_counts() -> None:
    """A longer name wins over those inside it, and a second mention of the short one still counts (BE-3)."""
    names = index("Cell", "Cell membrane", "Membrane", "Cell membrane potential")
    assert names.named_in("cell membrane potential") == ("cell membrane potential",)
    assert names.named_in("the cell membrane of a cell, and membranes") == (
        "cell membrane",
        "cell",
        "membrane",
    )
    assert names.first_named_in("about a membrane and a cell") == "membrane"
    assert names.first_named_in("about nothing") is None


def test_aliases_and_own_concepts_are_names_too() -> None:
    """A concept is found by its name in another file's language, and a student's own one by its name (TE-1)."""
    built = subject_map(
        contribution("a", concept("Cell membrane"), vectors=[direction(0)]),
        contribution("b", concept("Membrana celular"), language="es", vectors=[direction(0)]),
    )
    names = NameIndex(built, StudentLayer(own_concepts={"lab coat": "Lab coat"}))
    assert names.named_in("¿y las membranas celulares?", "es") == ("cell membrane",)
    assert names.named_in("where are the lab coats?") == ("lab coat",)
    assert names.exact("membrana celular") == "cell membrane"
    assert names.exact("Lab coat") == "lab coat"


@pytest.mark.parametrize(
    "topic, expected",
    [
        ("Osmosis", "osmosis"),
        (" the OSMOSIS. ", "osmosis"),
        ("osmosis in plants", None),
        ("just ask me the questions", None),
        ("", None),
        ("osmosis " * 1_000, None),
    ],
)
def test_an_exact_topic_is_the_whole_name(topic: str, expected: str | None) -> None:
    """A topic ties a check to a concept only when all of it is that concept's name (BE-3)."""
    assert index("Osmosis").exact(topic) == expected


@settings(deadline=None)
@given(st.text(max_size=30).filter(canonical_key))
def test_every_name_is_exactly_itself(name: str) -> None:
    """Whatever a concept is called, its own name is an exact match (TE-1)."""
    assert index(name).exact(name) == canonical_key(name)


@settings(deadline=None)
@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=6), max_size=6, unique_by=canonical_key))
def test_any_text_against_any_names_is_safe(text: str, names: list[str]) -> None:
    """Searching any text for any names finds only concepts of the map, each once (BE-3)."""
    names = [name for name in names if canonical_key(name)]
    found = index(*names).named_in(text)
    assert len(set(found)) == len(found)
    assert set(found) <= {canonical_key(name) for name in names}


@pytest.mark.parametrize("piece", ["cell membrane ", "細胞", "세포", "ال", "word ", "เซลล์"])
def test_only_the_beginning_of_a_huge_text_is_searched(piece: str) -> None:
    """Of a million characters the first twenty thousand are searched, so that any text is quick (SV-12)."""
    names = index("Cell", "細胞膜", "세포", "Osmosis")
    text = "Osmosis " + piece * (1_000_000 // len(piece))
    assert names.named_in(text, "en")[0] == "osmosis"
    assert "osmosis" not in names.named_in("x" * SEARCHED_CHARS + " osmosis", "en")


# ------------------------------------------------------------------------------------------- by similarity

THRESHOLD = 0.8


def near(*cosines: float) -> SubjectMap:
    """A map of concepts at these cosines to axis 0."""
    vectors = [direction(i + 1, towards=0, cosine=cosine) for i, cosine in enumerate(cosines)]
    return subject_map(
        contribution("a", *[concept(f"Idea {i}") for i in range(len(cosines))], vectors=vectors)
    )


@pytest.mark.parametrize(
    "cosines, expected",
    [
        ((0.95, 0.93, 0.4, 0.3, 0.2, 0.1), ["idea 0", "idea 1"]),
        ((0.95, 0.85, 0.4, 0.3, 0.2, 0.1), ["idea 0"]),
        ((0.4, 0.3, 0.2, 0.1, 0.1), []),
        ((0.86, 0.85, 0.85, 0.84, 0.84, 0.83), []),
        ((0.82, 0.1), ["idea 0"]),
        ((0.79, 0.1), []),
        ((0.78, 0.5, 0.4, 0.3, 0.2), ["idea 0"]),
    ],
)
def test_only_what_stands_out_is_routed(cosines: tuple[float, ...], expected: list[str]) -> None:
    """A question routes to what is near and stands out; one that is equally near to everything to nothing (RC-3)."""
    assert list(route_by_similarity(direction(0), near(*cosines), threshold=THRESHOLD)) == expected


def test_count_and_margin_bound_the_routed() -> None:
    """No more concepts than asked for, and none further behind the best than the margin (RC-3)."""
    built = near(0.95, 0.949, 0.948, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1)
    assert len(route_by_similarity(direction(0), built, threshold=THRESHOLD, count=2)) == 2
    assert len(route_by_similarity(direction(0), built, threshold=THRESHOLD, margin=0.06)) == 4
    assert len(route_by_similarity(direction(0), built, threshold=THRESHOLD, margin=0.0)) == 1


def test_concepts_without_a_vector_are_never_near() -> None:
    """A concept with nothing to embed is not routed to, and an empty or foreign map routes to nothing (RC-3)."""
    unembedded = subject_map(contribution("a", concept("Idea")))
    assert route_by_similarity(direction(0), unembedded, threshold=-0.5) == ()
    assert route_by_similarity(direction(0), subject_map(), threshold=THRESHOLD) == ()
    assert route_by_similarity(np.ones(3, dtype=np.float32), near(0.9), threshold=THRESHOLD) == ()


@pytest.mark.parametrize(
    "question, found",
    [
        ("What is the powerhouse of the cell?", ("mitochondrion",)),
        ("Which part is the cell's powerhouse?", ("mitochondrion",)),
        ("What is a cell?", ()),
        ("Who won the match?", ()),
        ("", ()),
    ],
)
def test_what_was_taught_routes(question: str, found: tuple[str, ...]) -> None:
    """A question in the words of a taught note reaches its concept, one common word alone does not (TE-1)."""
    note = TaughtNote("in our class we call mitochondria the powerhouse of the cell", "e1", 1)
    assert taught_about(question, StudentLayer(taught={"mitochondrion": (note,)})) == found
