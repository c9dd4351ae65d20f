"""What makes the fitted ranking find more than the hand-set one."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.recall import FITTED, HANDSET, WEIGHTS, Pool, Weights
from anamnesis.domain.working_set.segments import quantise
from support.recall_histories import (
    DIMENSION,
    NOW,
    asking,
    direction,
    episode,
    positions,
    recalled,
    segment,
    stored,
)

FILLERS = ["volcano", "inflation", "sonata", "triangle", "dynasty", "glacier", "verb", "orbit"]


def _talk(first: int, texts: list[str], days_ago: float) -> list[Episode]:
    """Turns a minute apart, question and answer by turns."""
    start = NOW - timedelta(days=days_ago)
    return [
        episode(first + i, text, kind=("question", "answer")[i % 2], at=start + timedelta(minutes=i))
        for i, text in enumerate(texts)
    ]


def _fillers(first: int, count: int) -> list[Episode]:
    return [
        episode(first + i, f"{FILLERS[i % 8]} topic{first + i}", days_ago=100 - i, kind="answer")
        for i in range(count)
    ]


def test_every_set_of_weights_goes_by_its_name() -> None:
    """The hand-set weights and the fitted ones can be chosen by name (RC-2)."""
    assert {name: weights.name for name, weights in WEIGHTS.items()} == {
        "fitted": "fitted",
        "handset": "handset",
    }
    assert (HANDSET.relevance, HANDSET.salience, HANDSET.recency) == (0.55, 0.30, 0.15)


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS.keys())
def test_recency_never_ranks(weights: Weights) -> None:
    """By every set of weights an old full match comes before a recent weak one, and no match is dropped (RC-3)."""
    history = [
        episode(1, "osmosis through the plant root membrane", days_ago=365),
        *_fillers(2, 40),
        episode(42, "the root of a number", days_ago=1),
    ]
    found = recalled([segment(history)], asking("osmosis in plant root membrane"), weights=weights)
    assert positions(found) == [1, 42]


def test_a_named_speaker_is_heard_first() -> None:
    """A question about someone ranks what they said themselves before what is said to them (RC-1)."""
    texts = [
        "Ben: Ana, do you paint, swim or dance?",
        "Ana: I swim and dance.",
        "Ben: Nice.",
        "Ana: And you?",
    ]
    history = [*_talk(1, texts, 30), *_fillers(5, 20)]
    assert positions(recalled([segment(history)], asking("When does Ana swim and dance?")))[0] == 2
    unlabelled = [
        episode(i, t.partition(": ")[2], at=e.occurred_at)
        for i, (t, e) in enumerate(zip(texts, history, strict=False), 1)
    ]
    assert {1, 2} <= set(
        positions(recalled([segment([*unlabelled, *_fillers(5, 20)])], asking("Ana swim dance")))
    )


def test_a_heading_is_no_speaker() -> None:
    """A word before a colon that begins a single episode lifts nothing (RC-1)."""
    plain = [episode(1, "Osmosis moves water", days_ago=9), *_fillers(2, 60)]
    headed = [episode(1, "Osmosis: moves water", days_ago=9), *_fillers(2, 60)]
    found = [recalled([segment(h)], asking("osmosis")).memories[0].score for h in (plain, headed)]
    assert found[0] == pytest.approx(found[1], abs=0.01)


def test_what_only_asks_comes_after_what_tells() -> None:
    """Of two episodes with the same words, the one that asks comes behind the one that tells (RC-7)."""
    history = [
        episode(1, "Does osmosis move water?", kind="answer", days_ago=9),
        episode(2, "Osmosis does move water.", kind="answer", days_ago=90),
        *_fillers(3, 20),
    ]
    assert positions(recalled([segment(history)], asking("osmosis water"))) == [2, 1]


def test_words_right_before_count() -> None:
    """An answer whose question holds the asked words comes before the same answer elsewhere (RC-1)."""
    talk = _talk(1, ["Where does your dog sleep?", "In the kitchen, on a mat."], 50)
    other = _talk(3, ["Where is the oven?", "In the kitchen, by a mat."], 20)
    history = [*talk, *other, *_fillers(5, 30)]
    found = recalled([segment(history)], asking("dog kitchen mat"))
    assert positions(found).index(2) < positions(found).index(4)


def test_a_day_and_month_find_what_was_said_then() -> None:
    """A question that names a day ranks what was said on it first (RC-1)."""
    history = [
        episode(
            i,
            f"{('pottery', 'tennis', 'chess')[i % 3]} class of w{i}",
            kind="answer",
            at=NOW - timedelta(days=7 * (30 - i)),
        )
        for i in range(1, 30)
    ]
    at = history[11].occurred_at
    question = f"What did we do in the pottery class on {at:%B} {at.day}, {at.year}?"
    assert positions(recalled([segment(history)], asking(question)))[0] == 12


def _crowded() -> tuple[list[Episode], dict[int, np.ndarray]]:
    """Sixty episodes in a narrow cone, as embedders give them: one on its axis, one apart in the asked direction."""
    random = np.random.default_rng(5)
    axis = direction(1)
    vectors = {}
    for position in range(1, 61):
        noise = np.zeros(DIMENSION, dtype=np.float32)
        noise[4:] = random.normal(size=DIMENSION - 4)
        vectors[position] = quantise(axis + 0.15 * noise)
    vectors[7] = quantise(axis)
    vectors[9] = quantise(axis + 1.2 * direction(0, 0, 1) + 0.9 * direction(0, 0, 0, 1))
    return [
        episode(i, f"{FILLERS[i % 8]} topic{i}", kind="answer", days_ago=i) for i in range(1, 61)
    ], vectors


def test_what_says_little_is_not_near_everything() -> None:
    """Fitted recall compares by what sets an episode apart: one on the history's mean is not the closest (RC-1)."""
    episodes, vectors = _crowded()
    query = asking("осмос", language="ru", vector=direction(1, 0, 0.45))
    plain = recalled([segment(episodes, vectors)], query, weights=HANDSET, limit=60)
    contrasted = recalled([segment(episodes, vectors)], query, weights=FITTED, limit=60)
    assert positions(plain)[0] != 9
    assert positions(contrasted)[0] == 9


def test_what_surrounds_a_match_and_is_close_matches_with_it() -> None:
    """An episode around a match that is close in meaning matches by the exchange; one that is not is dropped (RC-3)."""
    talk = _talk(1, ["osmosis in the root", "and then", "a membrane lets it pass", "see you"], 40)
    history = [*talk, *_fillers(5, 10)]
    vectors = stored(p3=direction(0.7, 0.7), p4=direction(-1))
    found = recalled(
        [segment(history, vectors)],
        asking("osmosis", vector=direction(1)),
        embedder_floor=0.1,
        match_threshold=0.9,
    )
    assert {m.position: m.matched_by for m in found.memories if m.position > 2} == {3: {Pool.EXCHANGE}}
