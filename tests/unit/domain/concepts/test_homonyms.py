"""One name for two things in the files of a subject (CM-3)."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.concepts import Contribution, SubjectMap
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.concepts.values import StudentLayer
from support.map_values import DIMENSION, concept, contribution, subject_map

RIVER = {"Delta": "Flat land where a stream meets the sea.", "Valley": "A hollow carved between hills.",
         "Erosion": "Wind and rain wearing rock away.", "Meander": "A wide bend of a stream."}  # fmt: skip
MONEY = {"Loan": "A sum lent for some years.", "Interest": "What borrowing costs.", "Deposit": "Savings handed over.",
         "Monopoly": "A firm lacking competitors."}  # fmt: skip
RIVERSIDE = "Ground rising steeply beside flowing water."
LENDER = "An institution accepting customers' wealth."


def towards(axis: int, seed: int, name_axis: int = 0) -> np.ndarray:
    """A direction near `axis` that also shares the name's own axis, as embeddings of "name: gist" do."""
    vector = np.random.default_rng(seed).normal(scale=0.05, size=DIMENSION)
    vector[axis] += 1
    vector[name_axis] += 1
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def file_of(
    file_id: str,
    others: dict[str, str],
    axis: int,
    gist: str,
    *,
    name: str = "Bank",
    builds_on: tuple[str, ...] = (),
    language: str = "en",
) -> Contribution:
    """A file about one field that tells of a bank too."""
    told = [concept(other, gist=text, builds_on=builds_on) for other, text in others.items()]
    vectors = [towards(axis, seed=100 * axis + place) for place in range(len(told) + 1)]
    return contribution(file_id, *told, concept(name, gist=gist), language=language, vectors=vectors)


def banks(built: SubjectMap) -> dict[str, set[str]]:
    """The files of each concept that is some bank, by the concept's name."""
    return {
        each.name: {source.file_id for source in each.sources}
        for each in built.concepts
        if each.name.casefold().startswith("bank")
    }


def test_two_things_of_one_name_are_two_concepts_that_a_student_can_tell_apart() -> None:
    """The bank of a river and the bank that lends are two nodes, each named by a concept of its own file (CM-3)."""
    built = subject_map(file_of("a", RIVER, 3, RIVERSIDE), file_of("b", MONEY, 5, LENDER))
    found = banks(built)
    assert sorted(map(sorted, found.values())) == [["a"], ["b"]]
    (river,) = [name for name, files in found.items() if files == {"a"}]
    (money,) = [name for name, files in found.items() if files == {"b"}]
    assert river in {f"Bank ({name})" for name in RIVER}
    assert money in {f"Bank ({name})" for name in MONEY}
    keys = [each.key for each in built.concepts]
    assert len(keys) == len(set(keys))


def test_the_plain_name_finds_the_sense_that_most_files_tell_of() -> None:
    """What was kept under the plain name is of the sense of most files, and every qualified name resolves (CM-3)."""
    more = {"Glacier": "Ice creeping downhill.", "Estuary": "Salt meeting fresh.", "Sediment": "Sand dropped below.",
            "Lake": "Standing water inland."}  # fmt: skip
    built = subject_map(
        file_of("a", MONEY, 5, LENDER),
        file_of("b", RIVER, 3, RIVERSIDE),
        file_of("c", more, 3, "Steeply rising ground along a brook."),
    )
    resolved = resolved_keys(built)
    plain = next(each for each in built.concepts if each.key == resolved["bank"])
    assert {source.file_id for source in plain.sources} == {"b", "c"}
    index = NameIndex(built, StudentLayer())
    for each in built.concepts:
        assert index.exact(each.name) == each.key
    assert index.named_in("How high is the bank?", "en") == (plain.key,)


def test_a_prerequisite_is_the_sense_of_its_own_file() -> None:
    """What a file builds on its bank builds on the bank that the file explains (CM-3, CM-5)."""
    built = subject_map(
        file_of("a", RIVER, 3, RIVERSIDE, builds_on=("Bank",)),
        file_of("b", MONEY, 5, LENDER, builds_on=("Bank",)),
    )
    of_file = {
        file_id: each.key
        for each in built.concepts
        if each.name.startswith("Bank")
        for file_id in (source.file_id for source in each.sources)
    }
    builds_on = {each.name: each.builds_on for each in built.concepts}
    assert builds_on["Delta"] == (of_file["a"],)
    assert builds_on["Loan"] == (of_file["b"],)
    assert of_file["a"] != of_file["b"]


@pytest.mark.parametrize(
    "other",
    [
        file_of("b", MONEY, 3, LENDER),
        file_of("b", MONEY, 5, "Ground rising on either side."),
        file_of("b", MONEY, 5, "A lender of hollow rocks, hills and streams."),
        file_of("b", {"Delta": "A letter.", "Valley": "A low.", **MONEY}, 5, LENDER),
        file_of("b", {}, 5, LENDER),
        file_of("b", {"Loan": "A sum lent for years."}, 3, LENDER),
        file_of("b", MONEY, 5, "A lender."),
        file_of("b", MONEY, 5, LENDER, language="de"),
    ],
    ids=["one field", "a word in common", "words of the other file", "shared concepts", "no company",
         "little company of one field",
         "no definition", "another language"],
)  # fmt: skip
def test_in_doubt_one_name_is_one_concept(other: Contribution) -> None:
    """One name stays one concept unless definitions, files and directions all tell it apart (CM-3)."""
    assert list(banks(subject_map(file_of("a", RIVER, 3, RIVERSIDE), other)).values()) == [{"a", "b"}]


@pytest.mark.parametrize("others, more", [(1, 1), (1, 2), (2, 2), (2, 4)])
def test_small_files_of_two_fields_tell_two_things_apart(others: int, more: int) -> None:
    """One other concept in each file can tell the two banks apart, in either order, if all else does (CM-3)."""
    river = file_of("a", dict(list(RIVER.items())[:others]), 3, RIVERSIDE)
    money = file_of("b", dict(list(MONEY.items())[:more]), 5, LENDER)
    built = subject_map(river, money)
    assert sorted(map(sorted, banks(built).values())) == [["a"], ["b"]]
    assert banks(subject_map(money, river)) == banks(built)


def test_a_file_that_decides_nothing_goes_to_the_nearer_sense() -> None:
    """A file with one concept, or in another language, joins the sense that it is nearest to (CM-3)."""
    alone = contribution("c", concept("Bank", gist="Lends."), vectors=[towards(5, seed=1)])
    spanish = contribution("d", concept("bank", gist="Orilla."), language="es", vectors=[towards(3, seed=2)])
    found = banks(
        subject_map(file_of("a", RIVER, 3, RIVERSIDE), file_of("b", MONEY, 5, LENDER), alone, spanish)
    )
    assert sorted(map(sorted, found.values())) == [["a", "d"], ["b", "c"]]


def test_the_order_of_files_does_not_matter_to_senses() -> None:
    """Any order of the same uploads gives the same senses under the same names and keys (CM-3)."""
    files = [
        file_of("a", RIVER, 3, RIVERSIDE),
        file_of("b", MONEY, 5, LENDER),
        file_of("c", {f"Term {n}": f"Word {n}." for n in range(4)}, 7, "Seats arranged along walls."),
        contribution("d", concept("Bank", gist="Lends."), vectors=[towards(5, seed=1)]),
    ]
    maps = [subject_map(*order) for order in permutations(files)]
    assert len(banks(maps[0])) == 3
    assert all(each.concepts == maps[0].concepts for each in maps)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(2, 6), st.sampled_from([RIVERSIDE, LENDER, "Seats arranged along walls.", ""]),
                  st.sampled_from(["Bank", "Banks"]), st.sampled_from(["en", "es"]), st.integers(0, 4)),
        max_size=6,
    ),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_a_map_with_senses_is_whole_in_any_order(
    told: list[tuple[int, str, str, str, int]], rng: random.Random
) -> None:
    """Whatever files tell of one name, each is a source of exactly one bank, and their order changes nothing (CM-3)."""
    files = [
        file_of(
            f"f{place}",
            {f"Concept {axis} {place} {n}": f"Word{axis}{n} here." for n in range(others)},
            axis,
            gist,
            name=name,
            language=language,
        )
        for place, (axis, gist, name, language, others) in enumerate(told)
    ]
    built = subject_map(*files)
    shuffled = list(files)
    rng.shuffle(shuffled)
    assert subject_map(*shuffled).concepts == built.concepts
    sources = [file_id for files_of in banks(built).values() for file_id in files_of]
    assert sorted(sources) == [f"f{place}" for place in range(len(told))]
    assert set(resolved_keys(built).values()) == {each.key for each in built.concepts}
    assert not told or "bank" in resolved_keys(built)
