"""Consolidation of a day into one episode."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.log.episodes import MAX_SUMMARY_CHARS, Episode, Kind
from anamnesis.domain.night.consolidation import consolidate, days_to_sum_up_again
from support.night_values import DAY, T0, episode

WORK = [
    episode(1, Kind.QUESTION, "¿Qué es la ósmosis?", concepts=("osmosis",), language="es"),
    episode(2, Kind.ANSWER, "La ósmosis es…", concepts=("osmosis", "membrane"), language="es"),
    episode(3, Kind.CHECK, "Check on osmosis: wrong", correct=False, concepts=("osmosis",), language="es"),
    episode(4, Kind.CHECK, "Check on diffusion: right", correct=True, concepts=("diffusion",)),
    episode(5, Kind.QUIZ, "Quiz on cells: 90 %", correct=True),
    episode(6, Kind.TAUGHT, "We call mitochondria the powerhouse", concepts=("mitochondria",)),
    episode(7, Kind.FILE, "cells.pdf arrived"),
    episode(8, Kind.QUESTION, "¿Y la difusión?", concepts=("diffusion",), language="es"),
]


def titles(episodes: list[Episode]) -> list[str]:
    """Consolidate and give the titles."""
    result = consolidate(episodes, day=DAY)
    assert result is not None
    return [line.removeprefix("- ") for line in result.text.splitlines() if line.startswith("- ")]


def test_day_is_told_whole() -> None:
    """A day's episode tells counts by kind, the check tally, topics and the five most salient titles (NI-1)."""
    result = consolidate(WORK, day=DAY, names={"osmosis": "Ósmosis", "membrane": "Membrana"})
    assert result is not None
    assert result.text.splitlines() == [
        "Day 2026-03-01: 2 questions, 1 answer, 2 checks, 1 quiz, 1 taught fact, 1 file event.",
        "Checks and quizzes: 2 right, 1 wrong.",
        "Topics: Ósmosis, diffusion, Membrana, mitochondria.",
        "- We call mitochondria the powerhouse",
        "- Check on osmosis: wrong",
        "- Check on diffusion: right",
        "- Quiz on cells: 90 %",
        "- cells.pdf arrived",
    ]
    assert result.concepts == ("osmosis", "diffusion", "membrane", "mitochondria")
    assert result.summary.startswith("2026-03-01: 2 questions, 1 answer, 2 checks")
    assert result.summary.endswith("(2 right, 1 wrong); on Ósmosis, diffusion, Membrana")
    assert result.language == "en"


@given(st.randoms(use_true_random=False))
def test_order_of_reading_does_not_count(rng: random.Random) -> None:
    """The same day read in any order gives the same episode (NI-2)."""
    shuffled = list(WORK)
    rng.shuffle(shuffled)
    assert consolidate(shuffled, day=DAY) == consolidate(WORK, day=DAY)


@pytest.mark.parametrize(
    "kinds", [(), (Kind.CONSOLIDATION,), (Kind.FILE, Kind.FILE), (Kind.FILE, Kind.CONSOLIDATION)]
)
def test_quiet_day_writes_nothing(kinds: tuple[Kind, ...]) -> None:
    """A day without questions, answers, checks, quizzes or teaching leaves no episode (NI-1)."""
    assert consolidate([episode(n, kind) for n, kind in enumerate(kinds)], day=DAY) is None


def test_own_kind_is_never_summarised() -> None:
    """What a night wrote into a day changes nothing about that day's episode, so a second run agrees (NI-1)."""
    own = episode(9, Kind.CONSOLIDATION, "2026-03-01: 2 questions", concepts=("osmosis", "root"))
    assert consolidate([*WORK, own], day=DAY) == consolidate(WORK, day=DAY)


def test_repeats_take_one_title() -> None:
    """The same question asked nine times takes one of the five titles (RC-4)."""
    repeated = [episode(n, summary="What is a cell" + "?" * n) for n in range(1, 10)]
    assert titles([*repeated, episode(10, summary="What is a root?")]) == [
        "What is a cell?",
        "What is a root?",
    ]


def test_narrations_lend_no_title() -> None:
    """Questions about the record and the answers that narrate it are counted and never quoted (RC-6)."""
    narrated = [
        episode(1, Kind.QUESTION, "What did we do in July?", about_record=True),
        episode(2, Kind.ANSWER, "In July we discussed roots.", about_record=True),
        episode(3, Kind.QUESTION, "What is a root?"),
    ]
    assert titles(narrated) == ["What is a root?"]


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_day_is_summed_up_as_if_what_was_erased_had_never_been(at: int) -> None:
    """Erased episodes neither count nor say anything, and a day with nothing else is quiet (EP-8, NI-2)."""
    day = [episode(1, Kind.TAUGHT, "Osmosis"), episode(2, Kind.ANSWER, "Water moves."), episode(3)]
    left = [e for e in day if e.position != at]
    gone = [episode(e.position, e.kind, erased=True) if e.position == at else e for e in day]
    assert consolidate(gone, day=DAY) == consolidate(left, day=DAY)
    assert consolidate([episode(1, erased=True), episode(2, Kind.FILE, "a file")], day=DAY) is None


def test_a_day_is_due_again_when_its_summary_went_with_an_episode() -> None:
    """Summed up anew is a day whose summary was erased with an episode before it, once, and no other (NI-2, EP-8)."""
    gone, left = episode(1, erased=True), episode(2, Kind.ANSWER, "Water moves.")
    summary, erased_summary = episode(3, Kind.CONSOLIDATION), episode(3, Kind.CONSOLIDATION, erased=True)
    assert days_to_sum_up_again([gone, left, erased_summary]) == [DAY]
    assert days_to_sum_up_again([gone, left, erased_summary, replace(summary, position=4)]) == []
    assert days_to_sum_up_again([gone, left, summary]) == []
    assert days_to_sum_up_again([gone, left]) == []
    # Erased for its own sake, or with an episode that came after it.
    assert days_to_sum_up_again([left, erased_summary]) == []
    assert days_to_sum_up_again([left, erased_summary, replace(gone, position=5)]) == []
    # Nothing left to sum up.
    assert days_to_sum_up_again([gone, erased_summary, episode(4, Kind.FILE, "a file")]) == []


def test_main_language_is_that_of_most_episodes() -> None:
    """The episode carries the language that most of the day was in, a tie going to the first by name (NI-1)."""
    day = [episode(n, language=language) for n, language in enumerate(("hi", "ar", "hi", "ar", "hi"))]
    result, tied = consolidate(day, day=DAY), consolidate(day[:4], day=DAY)
    assert result is not None
    assert tied is not None
    assert (result.language, tied.language) == ("hi", "ar")


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=200), max_size=60, unique=True))
def test_hostile_text_stays_on_its_line(summary: str, concepts: list[str]) -> None:
    """Whatever a title or a name holds, the summary stays one bounded line and each title one line (BL-8)."""
    noisy = replace(episode(1, summary=summary, at=T0), concepts=tuple(concepts))
    result = consolidate([noisy], day=DAY)
    assert result is not None
    assert len(result.summary) <= MAX_SUMMARY_CHARS
    assert "\n" not in result.summary
    assert len(result.text.split("\n")) <= 3
    assert len(result.text) < 2_000
