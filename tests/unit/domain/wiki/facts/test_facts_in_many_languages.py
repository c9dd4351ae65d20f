"""Goals, preferences and people in twenty languages, and sentences that only look like them."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.night_values import episode

from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.wiki.addresses import episode_address
from anamnesis.domain.wiki.facts import (
    Said,
    find_entities,
    find_preferences,
    find_projects,
    said_by_student,
)
from anamnesis.domain.wiki.facts.cues import fact_languages

_CASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8")
)
MONDAY = datetime(2026, 4, 20, 10, tzinfo=UTC)


def said(*texts: str, language: str = "en", kind: Kind = Kind.QUESTION) -> list[Said]:
    """Make sentences that were said two days apart, each in a session of its own."""
    episodes = [
        replace(episode(n, kind, text, language=language, at=MONDAY + timedelta(days=2 * (n - 1))))
        for n, text in enumerate(texts, start=1)
    ]
    return list(said_by_student("biology", episodes, _address))


def _address(of: Episode):  # type: ignore[no-untyped-def]
    return episode_address("biology", of.id)


def _named(case: dict[str, Any]) -> str:
    return f"{case['language']}: {case['text']}"


@pytest.mark.parametrize("case", _CASES["goals"], ids=_named)
def test_a_goal_is_found_with_its_date(case: dict[str, Any]) -> None:
    """A student's exam or essay is known with the day that lies ahead, in each language's own words (WK-1, WD-5)."""
    [project] = find_projects(said(case["text"], language=case["language"]))
    assert project.kind == case["kind"]
    assert project.current is not None
    assert project.current.first == project.current.last == case["date"]


@pytest.mark.parametrize("case", _CASES["preferences"], ids=_named)
def test_a_preference_is_found(case: dict[str, Any]) -> None:
    """How a student wants answers is known, in each language's own words (WD-7)."""
    [preference] = find_preferences(said(case["text"], language=case["language"]))
    assert (preference.about, preference.value) == (case["about"], case["value"])


@pytest.mark.parametrize("case", _CASES["nothing"], ids=_named)
def test_questions_about_the_subject_are_neither(case: dict[str, Any]) -> None:
    """A question about the subject is neither a goal nor a preference, whatever words it holds (WD-7)."""
    sentences = said(case["text"], language=case["language"])
    assert find_preferences(sentences) == []
    assert find_projects(sentences) == []


@pytest.mark.parametrize("case", _CASES["people"], ids=_named)
def test_somebody_named_in_two_sessions_recurs(case: dict[str, Any]) -> None:
    """A person named in two sessions is an entity, one named once is none (WK-1)."""
    twice = find_entities(said(case["text"], case["text"], language=case["language"]), concepts=set())
    assert case["name"] in {entity.name for entity in twice if entity.kind == "person"}
    assert find_entities(said(case["text"], language=case["language"]), concepts=set()) == []


@pytest.mark.parametrize("case", _CASES["nobody"], ids=_named)
def test_what_is_said_of_somebody_without_a_name_names_nobody(case: dict[str, Any]) -> None:
    """What follows "my teacher", or goes before it, is a name only when it is one, in every script (WK-1)."""
    sentences = said(case["text"], case["text"], language=case["language"])
    assert find_entities(sentences, concepts=set()) == []


def test_every_language_of_the_tables_has_cases() -> None:
    """Each language with a table is tried in goals and in preferences (WK-1)."""
    for part in ("goals", "preferences"):
        assert {case["language"] for case in _CASES[part]} == set(fact_languages())


def test_a_concept_is_no_entity() -> None:
    """An idea of the subject that is written with a capital is no entity (WK-1)."""
    sentences = said("We compare it with Osmosis again.", "Then we compare it with Osmosis once more.")
    assert [entity.name for entity in find_entities(sentences, concepts=set())] == ["Osmosis"]
    assert find_entities(sentences, concepts={"osmosis"}) == []


def test_somebody_elses_words_say_nothing_of_the_student() -> None:
    """What stands in a quotation or in an answer is no preference of the student (WD-7)."""
    assert find_preferences(said("> I prefer short answers\n\nwho said this?")) == []
    assert find_preferences(said("I prefer short answers", kind=Kind.ANSWER)) == []


def test_a_long_text_is_read_to_a_bound() -> None:
    """A message of a million characters takes no longer than its first thousands (SV-12)."""
    text = "I prefer short answers. " + "A long story follows. " * 50_000
    assert len(find_preferences(said(text))) == 1
