"""Worked examples of recall: relevance must beat recency."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.log.episodes import Episode
from anamnesis.domain.messages.intents import RecordFocus
from anamnesis.domain.recall import HANDSET, WEIGHTS, Pool
from anamnesis.domain.working_set.segments import quantise
from support.recall_histories import (
    FLOOR,
    MATCH,
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


def filler(position: int, days_ago: float, kind: str = "question") -> Episode:
    return episode(position, f"{FILLERS[position % 8]} topic{position}", days_ago=days_ago, kind=kind)


@pytest.mark.parametrize("by", ["word", "concept", "meaning", "external index"])
def test_an_old_memory_is_found_among_thousands(by: str) -> None:
    """A memory of eight months and 5,000 episodes ago comes first by its word, concept or meaning alone (RC-1)."""
    old = episode(1, "osmosis moves water", kind="answer", days_ago=240, concepts=["osmosis"])
    history = [old, *(filler(i, days_ago=200 - i * 0.039) for i in range(2, 5_002))]
    unrelated = dict.fromkeys(range(2, 5_002), quantise(direction(0, 1)))
    vectors = unrelated | (stored(p1=direction(1, 0.2)) if by == "meaning" else {})
    query = {
        "word": asking("What is osmosis?"),
        "concept": asking("¿Y la permeabilidad?", language="es", concepts=("osmosis",)),
        "meaning": asking("осмос", language="ru", vector=direction(1)),
        "external index": asking("осмос", language="ru", vector=direction(1)),
    }[by]
    semantic = [(1, 0.9)] if by == "external index" else None
    found = recalled([segment(history, vectors)], query, semantic=semantic)
    assert found.matched
    assert positions(found) == [1]
    pool = {"word": Pool.TERMS, "concept": Pool.CONCEPTS}.get(by, Pool.SEMANTIC)
    assert found.memories[0].matched_by == {pool}


def test_the_score_is_the_weighted_sum_by_hand() -> None:
    """The score is 0.55 relevance + 0.30 salience + 0.15 recency, recency being 0.156 at 200 days (RC-2)."""
    history = [segment([episode(1, "osmosis", kind="taught", days_ago=200)])]
    found = recalled(history, asking("osmosis"), weights=HANDSET)
    memory = found.memories[0]
    assert memory.recency == pytest.approx(0.156, abs=0.002)
    assert (memory.relevance, memory.salience) == (1.0, pytest.approx(0.85))
    assert memory.score == pytest.approx(0.55 + 0.30 * 0.85 + 0.15 * memory.recency)
    assert WEIGHTS["handset"] is HANDSET


def test_an_old_exact_match_beats_recent_weak_ones() -> None:
    """A one-year-old exact match comes before yesterday's weak match, and yesterday's non-match is dropped (RC-3)."""
    history = [
        episode(1, "osmosis through the plant root membrane", days_ago=365),
        *(filler(i, days_ago=100) for i in range(2, 40)),
        episode(40, "the root of a number", days_ago=1),
        episode(41, "inflation", days_ago=0.5),
    ]
    found = recalled([segment(history)], asking("osmosis in plant root membrane"))
    assert positions(found) == [1, 40]
    assert found.gate_dropped == 39


def test_nothing_matching_offers_the_latest_past_and_says_so() -> None:
    """When nothing matches, the latest past is offered as unmatched, with no relevance claimed (RC-3)."""
    history = [filler(i, days_ago=50 - i) for i in range(1, 40)]
    for text, language in [
        ("квантовая механика", "ru"),
        ("量子力学", "zh"),
        ("量子力学とは", "ja"),
        ("quantum", "en"),
    ]:
        found = recalled([segment(history)], asking(text, language=language), limit=3)
        assert not found.matched
        assert positions(found) == [39, 38, 37]
        assert all(not m.matched_by and m.relevance == 0 for m in found.memories)


def test_without_a_question_recency_is_all_there_is() -> None:
    """Without a question the latest memories come, by when they happened and not by when they arrived (RC-3)."""
    history = [
        episode(1, "late", days_ago=1),
        episode(2, "import", days_ago=90),
        episode(3, "mid", days_ago=30),
    ]
    found = recalled([segment(history)], asking("", asks_something=False))
    assert found.matched
    assert positions(found) == [1, 3, 2]


def test_a_word_of_most_episodes_is_no_match_by_itself() -> None:
    """A word most episodes hold matches only when the question has nothing else (RC-3)."""
    history = [episode(i, f"cell {FILLERS[i % 8]} topic{i}", days_ago=i) for i in range(1, 30)]
    history.append(episode(30, "cell osmosis", days_ago=200))
    assert positions(recalled([segment(history)], asking("osmosis of a cell"))) == [30]
    assert not recalled([segment(history)], asking("mitosis of a cell")).matched
    assert len(positions(recalled([segment(history)], asking("cell"), limit=50))) == 30


def test_nine_copies_take_one_place() -> None:
    """Nine copies of a question are one memory that says how many it stands for, the latest of them (RC-4)."""
    spellings = ["what is a cell", "What is a cell?", "WHAT IS A CELL"]
    history = [episode(i, spellings[i % 3], days_ago=100 - i) for i in range(1, 10)]
    history.append(episode(10, "a cell is small", kind="answer", days_ago=50))
    found = recalled([segment(history)], asking("cell"))
    assert {m.position: m.repeats for m in found.memories} == {9: 8, 10: 0}
    unfolded = recalled([segment(history)], asking("cell"), switch_off=frozenset({"folding"}))
    assert len(unfolded.memories) == 10


def test_repeats_are_counted_within_the_window() -> None:
    """The count of a folded memory covers the asked time, beyond the pool of recent ones (RC-4)."""
    history = [episode(i, "what is a cell", days_ago=700 - i) for i in range(1, 651)]
    assert recalled([segment(history)], asking("cell")).memories[0].repeats == 649
    window = ((NOW - timedelta(days=60)).timestamp(), NOW.timestamp())
    assert recalled([segment(history)], asking("cell", window=window)).memories[0].repeats == 10


@pytest.mark.parametrize("month,day", [(3, 30), (10, 26)])
def test_a_window_holds_at_the_edges_of_summer_time(month: int, day: int) -> None:
    """A local day of 23 or 25 hours holds its first and last second, and not the next (RC-5)."""
    zone = ZoneInfo("Europe/Madrid")
    start = datetime(2025, month, day, tzinfo=zone).astimezone(UTC)
    end = datetime(2025, month, day + 1, tzinfo=zone).astimezone(UTC)
    assert end - start != timedelta(hours=24)
    moments = [start - timedelta(seconds=1), start, end - timedelta(seconds=1), end]
    history = [episode(i, f"cell {i}", at=at) for i, at in enumerate(moments, start=1)]
    query = asking("cell", window=(start.timestamp(), end.timestamp()))
    assert sorted(positions(recalled([segment(history)], query))) == [2, 3]


def test_an_empty_window_lists_nothing_and_says_so() -> None:
    """An empty window gives no memory at all, however well one outside it matches (RC-5)."""
    history = [episode(1, "osmosis", days_ago=10)]
    window = ((NOW - timedelta(days=60)).timestamp(), (NOW - timedelta(days=30)).timestamp())
    found = recalled([segment(history)], asking("osmosis", window=window))
    assert (found.memories, found.window_empty) == ((), True)
    off = recalled(
        [segment(history)], asking("osmosis", window=window), switch_off=frozenset({"time_filter"})
    )
    assert positions(off) == [1]
    assert not off.window_empty


def test_a_window_is_shown_whole() -> None:
    """A window asked without a topic shows every day's most telling episode before the second of any (RC-5)."""
    history = [
        episode(
            i,
            f"{FILLERS[i % 8]} {i}",
            days_ago=40 - (i - 1) // 10,
            kind="taught" if i % 10 == 3 else "question",
        )
        for i in range(1, 101)
    ]
    window = ((NOW - timedelta(days=60)).timestamp(), NOW.timestamp())
    found = recalled([segment(history)], asking("", asks_something=False, window=window), limit=10)
    assert sorted(positions(found)) == list(range(3, 101, 10))


def test_the_future_does_not_exist_yet() -> None:
    """Asked as of a past date, later episodes are neither recalled nor counted (RC-5)."""
    history = [episode(1, "cell", days_ago=100), episode(2, "cell", days_ago=10)]
    found = recalled([segment(history)], asking("cell", now=NOW - timedelta(days=50)))
    assert [(m.position, m.repeats) for m in found.memories] == [(1, 0)]


def test_narrations_of_the_record_are_not_memories() -> None:
    """Questions about the record and the answers that narrate it are never recalled, by any pool (RC-6)."""
    history = [
        episode(1, "what did we cover on osmosis", about_record=True),
        episode(2, "in July we covered osmosis", kind="answer", about_record=True, concepts=["osmosis"]),
        episode(3, "osmosis moves water", kind="answer", days_ago=90),
    ]
    vectors = stored(p1=direction(1), p2=direction(1), p3=direction(1))
    for query in [
        asking("osmosis", vector=direction(1), concepts=("osmosis",)),
        asking("", asks_something=False),
        asking("sonata"),
    ]:
        assert positions(recalled([segment(history, vectors)], query)) == [3]


def test_reminders_leave_bare_questions_out() -> None:
    """The path that asks what something reminds of returns no bare questions (RC-7)."""
    history = [episode(1, "what is osmosis"), episode(2, "osmosis moves water", kind="answer")]
    assert positions(recalled([segment(history)], asking("osmosis", without_questions=True))) == [2]


@pytest.mark.parametrize(
    "focus,expected",
    [
        (RecordFocus.WRONG, [3, 5]),
        (RecordFocus.RIGHT, [2]),
        (RecordFocus.TAUGHT, [4]),
        (RecordFocus.COVERED, [1, 2, 3, 4, 5]),
        (RecordFocus.ANY, [1, 2, 3, 4, 5]),
    ],
)
def test_the_focus_of_a_history_question_filters(focus: RecordFocus, expected: list[int]) -> None:
    """What a student got wrong, got right, taught or covered is told from the rest (BL-4)."""
    history = [
        episode(1, "what is a cell"),
        episode(2, "check on cells", kind="check", correct=True),
        episode(3, "check on walls", kind="check", correct=False),
        episode(4, "we call them bricks", kind="taught"),
        episode(5, "quiz on cells", kind="quiz", correct=False),
    ]
    found = recalled([segment(history)], asking("", asks_something=False, focus=focus))
    assert sorted(positions(found)) == expected
    questions_only = recalled([segment(history[:1])], asking("", asks_something=False, focus=focus))
    assert questions_only.focus_empty == (focus in {RecordFocus.WRONG, RecordFocus.RIGHT, RecordFocus.TAUGHT})
    assert not questions_only.window_empty


def test_an_answer_comes_with_its_question() -> None:
    """The answer right after a matching question matches with it; what else happened then does not (RC-3)."""
    then = NOW - timedelta(days=90)
    history = [
        episode(1, "What is osmosis?", at=then),
        episode(2, "Water moves through a membrane.", kind="answer", at=then + timedelta(minutes=1)),
        episode(3, "And the sonata?", at=then + timedelta(minutes=2)),
        episode(4, "Check on dynasties", kind="check", correct=True, at=then + timedelta(minutes=3)),
        episode(5, "A late reply.", kind="answer", at=then + timedelta(days=1)),
    ]
    found = recalled([segment(history)], asking("osmosis"))
    assert sorted(positions(found)) == [1, 2]
    assert {m.position: m.matched_by for m in found.memories} == {1: {Pool.TERMS}, 2: {Pool.EXCHANGE}}


def test_summaries_of_the_night_do_not_crowd_out_originals() -> None:
    """The night's consolidations come only where no original matches, and last among the latest (RC-3)."""
    history = [
        episode(1, "osmosis moves water", kind="answer", days_ago=3),
        episode(2, "1 answer: osmosis; meiosis", kind="consolidation", days_ago=2),
        episode(3, "chapter.pdf arrived", kind="file", days_ago=1),
    ]
    assert positions(recalled([segment(history)], asking("osmosis"))) == [1]
    assert positions(recalled([segment(history)], asking("meiosis"))) == [2]
    assert positions(recalled([segment(history)], asking("chapter.pdf"))) == [3]
    assert positions(recalled([segment(history)], asking("", asks_something=False))) == [1, 3, 2]


def test_an_erased_episode_is_never_recalled() -> None:
    """An erased episode is offered by no pool, not even as the latest past (EP-8)."""
    history = [episode(1, "cell"), episode(2, "cell", concepts=["cell"], erased=True)]
    for query in [asking("cell", concepts=("cell",)), asking("", asks_something=False), asking("sonata")]:
        assert positions(recalled([segment(history)], query)) == [1]


def test_vectors_of_another_embedder_are_not_compared() -> None:
    """A question is compared only with vectors of its own embedder; words still work (RC-1)."""
    built = segment([episode(1, "osmosis"), episode(2, "sonata")], stored(p1=direction(1), p2=direction(1)))
    found = recalled([built], asking("osmosis", vector=direction(1), embedder="another"))
    assert positions(found) == [1]


def test_no_history_is_no_memory() -> None:
    """A pair without episodes has no memories, whatever is asked (RC-3)."""
    for segments in ([], [segment([])]):
        found = recalled(segments, asking("osmosis", vector=direction(1)))
        assert (found.memories, found.matched, found.window_empty) == ((), False, False)


@pytest.mark.parametrize(
    "layer,pool",
    [("pool.terms", Pool.TERMS), ("pool.concepts", Pool.CONCEPTS), ("pool.semantic", Pool.SEMANTIC)],
)
def test_a_switched_off_pool_contributes_nothing(layer: str, pool: Pool) -> None:
    """Each pool can be left out alone, so that what it is worth can be measured (RC-1)."""
    built = segment([episode(1, "osmosis", concepts=["osmosis"])], stored(p1=direction(1)))
    query = asking("osmosis", vector=direction(1), concepts=("osmosis",))
    whole = recalled([built], query)
    assert whole.memories[0].matched_by == {Pool.TERMS, Pool.CONCEPTS, Pool.SEMANTIC}
    without = recalled([built], query, switch_off=frozenset({layer}))
    assert without.memories[0].matched_by == whole.memories[0].matched_by - {pool}


def test_without_the_gate_non_matches_are_ranked_behind() -> None:
    """Switching the gate off keeps what matches nothing, ranked behind the match (RC-3)."""
    history = [episode(1, "osmosis", days_ago=300), *(filler(i, days_ago=5) for i in range(2, 20))]
    found = recalled([segment(history)], asking("osmosis"), switch_off=frozenset({"gate"}), limit=50)
    assert positions(found)[0] == 1
    assert (len(found.memories), found.gate_dropped) == (19, 0)
    assert (
        recalled([segment(history)], asking("quantum"), switch_off=frozenset({"pool.recent"})).memories == ()
    )


def test_a_common_word_and_near_meaning_match_together_beside_a_match() -> None:
    """A common word matches an episode of near meaning beside a real match, and makes no match alone (RC-3)."""
    history = [episode(i, f"cell {FILLERS[i % 8]} topic{i}", days_ago=i) for i in range(1, 30)]
    near = (FLOOR + 3 * MATCH) / 4 + 0.02
    vectors = stored(p5=direction(near, (1 - near**2) ** 0.5), p6=direction(FLOOR, (1 - FLOOR**2) ** 0.5))
    query = asking("mitosis of a cell", vector=direction(1))
    assert not recalled([segment(history, vectors)], query).matched
    history.append(episode(30, "cell mitosis", days_ago=200))
    assert sorted(positions(recalled([segment(history, vectors)], query))) == [5, 30]
