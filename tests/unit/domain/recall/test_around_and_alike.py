"""What the talk around an episode, episodes like it, and who speaks, say of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.recall import FITTED, Pool, RecallQuery
from anamnesis.domain.recall.exchanges import Exchanges
from anamnesis.domain.recall.history import BoolRows, History
from anamnesis.domain.recall.likeness import COMPARED_ROWS, LIKENESS_POWER, alike_signal
from anamnesis.domain.recall.meaning import LEAST_FOR_CONTRAST, CosineScale, Frame, Meaning, meaning
from anamnesis.domain.recall.signals import speaker_signal
from anamnesis.domain.working_set.segments import quantise
from support.recall_histories import (
    DIMENSION,
    FLOOR,
    MATCH,
    NOW,
    asking,
    direction,
    episode,
    recalled,
    segment,
)

#: Speakers and a question about water that names the second, in eight scripts.
NAMED = [
    ("Ben", "Ana", "What did Ana say about water?", "en"),
    ("Иван", "Мария", "Что Мария сказала о воде?", "ru"),
    ("Νίκος", "Ελένη", "Τι είπε η Ελένη για το νερό;", "el"),
    ("سامي", "ليلى", "ماذا قالت ليلى عن الماء؟", "ar"),
    ("דוד", "מרים", "מה אמרה מרים על המים?", "he"),
    ("राम", "सीता", "सीता ने पानी के बारे में क्या कहा?", "hi"),
    ("มานะ", "มาลี", "มาลี พูดอะไรเรื่องน้ำ", "th"),
    ("철수", "영희", "영희 물에 대해 뭐라고 했어?", "ko"),
]
_Vectors = dict[int, npt.NDArray[np.int8]]


def _noise(seed: int) -> npt.NDArray[np.float32]:
    """Small parts in all components but the first four."""
    noise = np.zeros(DIMENSION, dtype=np.float32)
    noise[4:] = 0.3 * np.random.default_rng(seed).normal(size=DIMENSION - 4)
    return noise


def _days(texts: list[str], *, minutes: int = 60 * 24) -> list[Episode]:
    """Answers a day apart, or so many minutes."""
    start = NOW - timedelta(days=200)
    return [
        episode(i, text, kind="answer", at=start + timedelta(minutes=minutes * i))
        for i, text in enumerate(texts, 1)
    ]


def test_talk_of_the_asked_thing_lifts_what_is_said_amid_it() -> None:
    """Of two episodes alike in meaning, the one amid talk that is nearer to the question comes first (RC-1)."""
    start = NOW - timedelta(days=30)
    texts = [f"w{i}" for i in range(1, 67)]
    talks = [
        episode(i, text, kind="answer", at=start + timedelta(days=i // 7, minutes=i))
        for i, text in enumerate(texts, 1)
    ]
    vectors = {i: quantise(direction(1) + _noise(i)) for i in range(1, 67)}
    # Rows 7 to 13 are one talk, 14 to 20 another; the middle of each says the same.
    vectors[10] = vectors[17] = quantise(direction(1, 0, 0.8) + _noise(0))
    for near in (8, 9, 11, 12):
        vectors[near] = quantise(direction(1, 0, 0.45) + _noise(near))
    query = asking("осмос", language="ru", vector=direction(1, 0, 1))
    apart = []
    for weights in (FITTED, replace(FITTED, signals=replace(FITTED.signals, near=0.0))):
        found = recalled([segment(talks, vectors)], query, limit=60, weights=weights)
        score = {memory.position: memory.score for memory in found.memories}
        apart.append(score[10] - score[17])
    assert apart[0] > apart[1] > 0


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.booleans(), max_size=30),
    st.integers(0, 5),
    st.integers(0, 2**32),
)
def test_a_mean_stays_in_its_exchange(pauses: list[bool], reach: int, seed: int) -> None:
    """The mean of what is near takes rows of the same exchange only, whatever its length (RC-1)."""
    at = np.cumsum([0, *(60 if pause else 1 for pause in pauses)])
    start = NOW - timedelta(days=9)
    history = History.of(
        [segment([episode(i, "a", at=start + timedelta(minutes=int(m))) for i, m in enumerate(at, 1)])]
    )
    exchanges = Exchanges.of(history)
    values = np.random.default_rng(seed).random(len(history), dtype=np.float32)
    expected = [
        np.mean(
            [
                values[other]
                for other in range(len(values))
                if abs(other - row) <= reach and exchanges.numbers[other] == exchanges.numbers[row]
            ]
        )
        for row in range(len(values))
    ]
    assert exchanges.mean_near(values, reach) == pytest.approx(np.array(expected), rel=1e-5)


def _alike(episodes: list[Episode], vectors: _Vectors, relevance: list[float]) -> list[float]:
    history = History.of([segment(episodes, vectors)])
    nothing = np.zeros(DIMENSION, dtype=np.float32)
    frame = Frame(nothing, nothing, np.empty((0, DIMENSION), dtype=np.float32))
    values = np.array(relevance, dtype=np.float32)
    found: list[float] = alike_signal(history, Exchanges.of(history), values, frame, "test").tolist()
    return found


def test_relevance_is_shared_by_what_is_alike() -> None:
    """An episode shares in the relevance of those like it, by how much they are, not in its own (RC-1)."""
    vectors = {
        1: quantise(direction(1)),
        2: quantise(direction(1, 1)),
        3: quantise(direction(1, 2)),
        4: quantise(direction(-1)),
    }
    found = _alike(_days(["a", "b", "c", "d"]), vectors, [0.2, 1.0, 0.4, 0.9])
    near, far = (1 / 2**0.5) ** LIKENESS_POWER, (1 / 5**0.5) ** LIKENESS_POWER
    assert found[0] == pytest.approx((near * 1.0 + far * 0.4) / (near + far), abs=0.01)
    assert found[3] == 0


@pytest.mark.parametrize("why", ["copy", "same exchange", "no vector", "nothing relevant"])
def test_what_does_not_speak_for_another(why: str) -> None:
    """Copies, rows of one exchange, rows without a vector and irrelevant ones share no relevance (RC-1, RC-4)."""
    episodes = _days(["a", "a" if why == "copy" else "b"], minutes=1 if why == "same exchange" else 2_000)
    vectors = {i: quantise(direction(1)) for i in (1, 2) if why != "no vector" or i == 1}
    relevance = [1.0, 0.0 if why == "nothing relevant" else 0.5]
    assert _alike(episodes, vectors, relevance) == [0, 0]


def test_only_the_best_are_compared() -> None:
    """The work for what is alike does not grow with the history: so many of the best share, no other (RC-1)."""
    size = COMPARED_ROWS + 40
    vectors = {i: quantise(direction(1)) for i in range(1, size + 1)}
    found = _alike(_days([f"w{i}" for i in range(size)]), vectors, [1 - i / size for i in range(size)])
    assert [value > 0 for value in found] == [True] * COMPARED_ROWS + [False] * 40


def _dialogue(first: str, second: str, each: int) -> tuple[list[Episode], _Vectors]:
    """Two speak by turns, days apart; the third component is what sets the second's voice apart, the second a topic."""
    texts = [f"{(first, second)[i % 2]}: w{i}" for i in range(2 * each)]
    vectors = {}
    for i in range(1, 2 * each + 1):
        voice = -0.5 if i % 2 else 0.5
        topic = 0.9 if i == 21 else 0.0
        vector = np.array([1, topic, voice] + [0] * (DIMENSION - 3), dtype=np.float32)
        vectors[i] = quantise((vector + _noise(i) / 3).astype(np.float32))
    return _days(texts), vectors


def _heard(history: History, query: RecallQuery, spoken: BoolRows) -> Meaning:
    return meaning(
        history,
        query,
        known=history.tellable,
        asked=history.tellable,
        spoken=spoken,
        scale=CosineScale(FLOOR, MATCH),
        semantic=(),
        contrast=True,
    )


@pytest.mark.parametrize("first, second, question, language", NAMED, ids=[n[3] for n in NAMED])
def test_a_name_brings_its_speaker_less_near(first: str, second: str, question: str, language: str) -> None:
    """All that a named speaker says is less near than the name makes it; what matches at all stays the same (RC-1)."""
    episodes, vectors = _dialogue(first, second, 60)
    history = History.of([segment(episodes, vectors)])
    # Who is named in a question is part of its meaning, as what they say bears their name.
    query = asking(question, language=language, vector=direction(1, 0.9, 0.5), embedder="test")
    spoken = speaker_signal(history, query.words, history.tellable) > 0
    assert np.flatnonzero(spoken).tolist() == list(range(1, 120, 2))
    heard, unheard = (_heard(history, query, rows) for rows in (spoken, np.zeros_like(spoken)))
    about, voice = 20, spoken
    assert heard.closeness[about] >= unheard.closeness[about]
    assert heard.closeness[voice].mean() < 0.9 * unheard.closeness[voice].mean()
    assert heard.telling == pytest.approx(unheard.telling, abs=1e-5)


@pytest.mark.parametrize("each", [LEAST_FOR_CONTRAST - 1, LEAST_FOR_CONTRAST])
def test_few_words_of_a_speaker_do_not_tell_a_voice(each: int) -> None:
    """What a speaker said a few times is what they talk about, so nothing of it is taken away (RC-1)."""
    episodes, vectors = _dialogue("Ben", "Ana", each)
    history = History.of([segment(episodes, vectors)])
    query = asking("What did Ana say?", vector=direction(1, 0.9, 0.5), embedder="test")
    spoken = speaker_signal(history, query.words, history.tellable) > 0
    frame = _heard(history, query, spoken).frame
    assert frame is not None
    assert (frame.speaker is not None) == (each == LEAST_FOR_CONTRAST)


def test_who_spoke_when_is_a_match() -> None:
    """What a named speaker said in a named month matches, though each name alone is too common to match (RC-3)."""
    start = NOW - timedelta(days=200)
    said = [
        episode(i, f"{('Ben', 'Ana')[i % 2]}: w{i}, Ana", kind="answer", at=start + timedelta(days=4 * i))
        for i in range(1, 41)
    ]
    month = {e.position for e in said if e.occurred_at.month == 11 and e.position % 2}
    found = recalled([segment(said)], asking("What setback did Ana face in November?"))
    assert found.matched
    assert {m.position for m in found.memories} == month
    assert {m.matched_by for m in found.memories} == {frozenset({Pool.TERMS})}
    assert not recalled([segment(said)], asking("What setback did anyone face in November?")).matched
