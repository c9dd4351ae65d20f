"""Claims about the record that name more than one time."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis.domain.grounding.answers import claims_of, ground
from anamnesis.domain.grounding.indexed_memories import Remembered
from anamnesis.domain.grounding.library import Library
from anamnesis.domain.grounding.values import CUT, GroundedClaim, Grounding, RecalledMemory, Shortfall
from anamnesis.domain.grounding.vocabulary import vocabulary_of
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Content, Kind, Outcome
from anamnesis_tools.bench.said_episodes import said_episode

WRONG, RIGHT = (Outcome(correct, float(correct), "osmosis", None) for correct in (False, True))


def traced(answer: str, **days: Outcome) -> GroundedClaim:
    """The one claim of an answer beside checks on osmosis, each on a day such as ``jul_1``."""
    months = {"jun": 6, "jul": 7, "aug": 8}
    episodes = tuple(
        said_episode(
            Pair("t", "s", "biology"),
            number,
            Kind.CHECK,
            datetime(2026, months[day[:3]], int(day[4:]), 10, tzinfo=UTC),
            Content(
                "Check on osmosis (osmose, ósmosis, осмос, التناضح, 渗透)", "Why do raisins swell?", "osmosis"
            ),
            "en",
            id=day,
            outcome=outcome,
        )
        for number, (day, outcome) in enumerate(days.items(), start=1)
    )
    remembered = Remembered(episodes, (), datetime(2026, 9, 1, tzinfo=UTC), ZoneInfo("UTC"))
    [claim] = ground(claims_of(answer), Library([], vocabulary_of(())), remembered, vocabulary_of(())).claims
    return claim


def sources(claim: GroundedClaim) -> list[str]:
    """Ids of every memory that supports a claim."""
    return [m.episode_id for m in (claim.source, *claim.also) if isinstance(m, RecalledMemory)]


@pytest.mark.parametrize(
    "answer",
    [
        "You got osmosis wrong on 1 July and again on 3 July.",
        "You got osmosis wrong on 1 July, and then again on 3 July.",
        "Te equivocaste en ósmosis el 1 de julio y otra vez el 3 de julio.",
        "لقد أخطأت في التناضح في 1 يوليو ثم مرة أخرى في 3 يوليو.",
        "أخطأت في التناضح يوم 1 يوليو ويوم 3 يوليو.",
        "你在7月1日和7月3日答错了渗透。",
        "Du hast Osmosis am 1. Juli und am 3. Juli falsch beantwortet.",
        "Tu t’es trompé en osmose le 1 juillet et encore le 3 juillet.",
    ],
)
def test_each_time_has_its_memory(answer: str) -> None:
    """A claim that names two times is traced to a memory of each (GR-2)."""
    claim = traced(answer, jul_1=WRONG, jul_2=WRONG, jul_3=WRONG)
    assert claim.problem is None
    assert sources(claim) == ["jul_1", "jul_3"]


@pytest.mark.parametrize(
    "answer, problem",
    [
        ("You got osmosis wrong on 1 July and again on 5 July.", Shortfall.DATE),
        ("You got osmosis wrong on 1 July and again on 2 July.", Shortfall.OUTCOME),
        ("You missed osmosis in June and in August.", Shortfall.DATE),
    ],
)
def test_one_time_that_is_wrong_makes_the_claim_wrong(answer: str, problem: Shortfall) -> None:
    """A claim of two times of which the record has but one has no source (GR-2)."""
    claim = traced(answer, jun_9=WRONG, jul_1=WRONG, jul_2=RIGHT, jul_3=WRONG)
    assert (claim.problem, sources(claim)) == (problem, [])


def test_a_time_that_the_claim_is_about_is_none_of_its_own() -> None:
    """Another time that is not named together with the first one is left to what the claim is about (GR-2)."""
    claim = traced("In July we talked about osmosis as it was known in August 1899.", jul_1=WRONG)
    assert claim.problem is not Shortfall.DATE


def test_quotes_of_all_memories_can_be_shortened() -> None:
    """Where there is no room for quotes, those of every memory of a claim are cut, not of the first alone (SV-12)."""
    claim = traced("You got osmosis wrong on 1 July and again on 3 July.", jul_1=WRONG, jul_3=WRONG)
    [cut] = Grounding((claim,), says_missing=False).with_quotes(5).claims
    assert (sources(cut), cut.score) == (sources(claim), claim.score)
    for short, whole in zip((cut.source, *cut.also), (claim.source, *claim.also), strict=True):
        assert short is not None
        assert whole is not None
        assert short.quote == whole.quote[:5] + CUT
