"""Segments: the columnar history that recall reads."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.log.episodes import Episode, erased
from anamnesis.domain.text.terms import term_hash
from anamnesis.domain.working_set import Postings, Segment
from anamnesis.domain.working_set.segments import (
    ERASED_FOLD,
    MAX_INDEXED_CHARS,
    NO_SIMILARITY,
    blanked,
    build_segment,
    concatenate,
    empty_segment,
    quantise,
    similarities,
)
from support.recall_histories import DIMENSION, direction, episode, segment

TEXTS = ["What is osmosis?", "осмос", "光合作用", "Water moves.", "", "a a a b", "การสังเคราะห์แสง"]


def same(a: object, b: object) -> bool:
    if isinstance(a, Postings) and isinstance(b, Postings):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return a == b


def assert_same(a: Segment, b: Segment) -> None:
    for column in (field for field in fields(a) if field.compare):
        assert same(getattr(a, column.name), getattr(b, column.name)), column.name


@st.composite
def episodes(draw: st.DrawFn) -> list[Episode]:
    count = draw(st.integers(0, 12))
    return [
        episode(
            position,
            draw(st.sampled_from(TEXTS)),
            kind=draw(st.sampled_from(["question", "answer", "taught"])),
            days_ago=draw(st.integers(0, 400)),
            concepts=draw(st.lists(st.sampled_from(["osmosis", "cell"]), unique=True)),
            erased=draw(st.booleans()),
        )
        for position in range(1, count + 1)
    ]


@given(episodes(), st.data())
def test_extending_equals_building_at_once(history: list[Episode], data: st.DataObject) -> None:
    """A working set extended by the tail is the very one built from the whole history (RC-1)."""
    cut = data.draw(st.integers(0, len(history)))
    vectors = {e.position: quantise(direction(1, e.position)) for e in history if e.position % 2}
    joined = concatenate(
        segment(history[:cut], vectors), segment(history[cut:], vectors, first_position=cut + 1)
    )
    assert_same(joined, segment(history, vectors))


@given(episodes(), st.sets(st.integers(-3, 20)))
def test_blanking_equals_building_without(history: list[Episode], deleted: set[int]) -> None:
    """A blanked set is the very one built after the erasure, what came right behind not embedded yet (EP-8)."""
    vectors = {e.position: quantise(direction(1, e.position)) for e in history if e.position % 2}
    left = [erased(e) if e.position in deleted else e for e in history]
    untold = {p: vector for p, vector in vectors.items() if p - 1 not in deleted}
    blank = blanked(segment(history, vectors, first_position=1), deleted, erasures=3)
    assert_same(blank, replace(segment(left, untold), erasures=3))


def test_an_empty_segment_starts_a_history() -> None:
    """A history can be started from a segment without rows (RC-1)."""
    empty = empty_segment(first_position=1, embedder="test", dimension=DIMENSION)
    assert empty.last_position == 0
    assert_same(concatenate(empty, segment([episode(1, "cell")])), segment([episode(1, "cell")]))


def test_what_does_not_fit_is_refused() -> None:
    """Gaps, another embedder and vectors of another dimension are refused, not stored askew (RC-1)."""
    first, gap = segment([episode(1, "a")]), segment([episode(3, "b")], first_position=3)
    with pytest.raises(ValueError, match="right after"):
        concatenate(first, gap)
    with pytest.raises(ValueError, match="embedders"):
        concatenate(first, empty_segment(first_position=2, embedder="other", dimension=DIMENSION))
    with pytest.raises(ValueError, match="consecutive"):
        segment([episode(1, "a"), episode(3, "b")])
    with pytest.raises(ValueError, match="shape"):
        segment([episode(1, "a")], {1: np.ones(3, dtype=np.int8)})


def test_an_erased_episode_keeps_its_place_and_nothing_else() -> None:
    """An erased episode keeps its row, without terms, concepts, vector or a fold it shares with any other (EP-8)."""
    kept = episode(1, "osmosis", concepts=["osmosis"])
    gone = episode(2, "osmosis", concepts=["osmosis"], erased=True)
    built = segment([kept, gone], {1: quantise(direction(1)), 2: quantise(direction(1))})
    assert built.last_position == 2
    assert built.lengths[1] == 0
    assert not built.vectors[1].any()
    assert 1 not in built.term_postings.rows
    assert 1 not in built.concept_postings.rows
    assert built.folds[1] == ERASED_FOLD != built.folds[0]


def test_postings_list_rows_and_counts_of_each_term() -> None:
    """The index holds, for every term, the rows it stands in and how often (RC-1)."""
    built = segment([episode(1, "cell wall cell", summary=""), episode(2, "wall")])
    postings = built.term_postings
    assert (np.diff(postings.terms.astype(object)) > 0).all()
    at = int(np.flatnonzero(postings.terms == np.uint64(term_hash("cell")))[0])
    span = slice(postings.offsets[at], postings.offsets[at + 1])
    assert postings.rows[span].tolist() == [0]
    assert postings.counts[span].tolist() == [2]


def test_the_summary_topic_and_beginning_of_the_text_are_indexed() -> None:
    """Words of the summary, the topic and the stated beginning of a long text are all found (RC-1)."""
    text = "nucleus " + "filler " * (MAX_INDEXED_CHARS // 7) + "ribosome"
    built = segment([episode(1, text, summary="about vacuoles", topic="chloroplast")])
    held = set(built.term_postings.terms.tolist())
    assert {term_hash(word) for word in ("nucleus", "vacuoles", "chloroplast")} <= held
    assert term_hash("ribosome") not in held


def test_folds_tell_memories_apart() -> None:
    """Kind, outcome and, for checks, the topic make a different memory; spelling does not (RC-4)."""
    folds = segment(
        [
            episode(1, "What is a cell?"),
            episode(2, "what is a CELL"),
            episode(3, "What is a cell?", kind="answer"),
            episode(4, "Check", kind="check", correct=True, topic="cell"),
            episode(5, "Check", kind="check", correct=False, topic="cell"),
            episode(6, "Check", kind="check", correct=True, topic="wall"),
        ]
    ).folds.tolist()
    assert folds[0] == folds[1]
    assert len(set(folds)) == 5


def test_similarities_are_exact_over_the_stored_vectors() -> None:
    """Cosines over quantised vectors stay within 0.005 of the real ones, and no vector means no similarity (RC-1)."""
    source = np.random.default_rng(7).normal(size=(3_000, 384)).astype(np.float32)
    source /= np.linalg.norm(source, axis=1, keepdims=True)
    stored = {i + 1: quantise(v) for i, v in enumerate(source[:-1])}
    history = [episode(i + 1, "") for i in range(len(source))]
    built = build_segment(history, first_position=1, vectors=stored, embedder="test", dimension=384)
    found = similarities(built, source[5])
    assert found.dtype == np.float32
    assert np.abs(found[:-1] - source[:-1] @ source[5]).max() < 0.005
    assert found[-1] == NO_SIMILARITY
    assert (similarities(built, np.zeros(384, dtype=np.float32)) == NO_SIMILARITY).all()


def test_quantising_keeps_direction_and_zero() -> None:
    """Quantising scales each vector by itself and leaves a zero vector zero (RC-1)."""
    assert quantise(np.array([0.001, -0.002], dtype=np.float32)).tolist() == [64, -127]
    assert not quantise(np.zeros(4, dtype=np.float32)).any()
    many = np.array([[1.0, 0.5], [0.0, 0.0]], dtype=np.float32)
    assert quantise(many).tolist() == [[127, 64], [0, 0]]
