"""The self-model: its numbers, and what it says in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from anamnesis.domain.beliefs import Belief
from anamnesis.domain.beliefs.decay import decayed
from anamnesis.domain.log.episodes import Citation, Episode, Kind
from anamnesis.domain.night.calibration import calibrate
from anamnesis.domain.night.records import CitationCheck, SelfModel, Verification
from anamnesis.domain.night.self_model import compose
from support.night_values import DAY, OLD_BYTES, PAIR, T0, belief, day, episode, night

CITING = (Citation("f1", 1, OLD_BYTES),)


def untied(count: int) -> list[Episode]:
    """Make checks that are tied to no concept."""
    return [episode(n, Kind.CHECK, correct=True) for n in range(1, count + 1)]


def model(episodes: list[Episode], **changes: Any) -> SelfModel:
    """Compose with defaults."""
    given: dict[str, Any] = {
        "beliefs": [],
        "citation_checks": [],
        "calibration": calibrate([]),
        "chain_verified": True,
        "on": DAY,
    }
    return compose(episodes=episodes, **{**given, **changes})


def says(found: SelfModel, words: str) -> bool:
    """Tell whether one of the statements holds these words."""
    return any(words in statement for statement in found.statements)


def test_numbers_of_a_mixed_log() -> None:
    """The self-model counts episodes, checks, beliefs and citations by what verifying found (NI-4)."""
    log = [
        episode(1, at=day(-3)),
        episode(2, Kind.ANSWER, evidence=CITING),
        episode(3, Kind.ANSWER, evidence=CITING),
        episode(4, Kind.ANSWER, evidence=CITING, at=day(-9)),
        episode(5, Kind.CHECK, correct=True, concepts=("osmosis",)),
        episode(6, Kind.QUIZ, correct=False),
        # A file's own event names the file that it tells of, and is no answer that cites one.
        episode(7, Kind.FILE, evidence=CITING),
        episode(8, Kind.CONSOLIDATION),
    ]
    checks = [
        CitationCheck("e2", 2, Verification.HOLDS, (), DAY),
        CitationCheck("e3", 3, Verification.CHANGED, ("f1",), DAY),
        CitationCheck("e1", 1, Verification.UNVERIFIABLE, (), DAY),
    ]
    found = model(log, beliefs=[belief(at=day(-20))], citation_checks=checks)
    assert (found.episodes, found.checks, found.checks_tied_to_nothing) == (8, 2, 1)
    assert found.first_occurred_at == day(-9)
    assert found.last_occurred_at == log[7].occurred_at
    assert (found.citations_holding, found.citations_changed, found.citations_unchecked) == (1, 1, 1)
    assert found.citations_unverifiable == 3
    assert (found.current_beliefs, found.beliefs_to_confirm, found.oldest_belief_days) == (1, 0, 20)


@pytest.mark.parametrize("count, words", [(32, "32 checks recorded"), (1, "1 check recorded")])
def test_untied_checks_are_reported_as_such(count: int, words: str) -> None:
    """Checks tied to nothing are counted and named as that, never told as "no checks yet" (BE-6)."""
    found = model(untied(count))
    assert says(found, f"{words}, none could be tied to a concept of the map yet")
    assert not says(found, "No checks")


def test_some_untied_checks_are_counted() -> None:
    """When only some checks are tied, the others are still told (BE-6)."""
    tied = episode(9, Kind.CHECK, correct=True, concepts=("osmosis",))
    assert says(model([*untied(3), tied]), "4 checks recorded, 3 of them could not be tied")


def test_no_checks_is_said_only_without_checks() -> None:
    """A log without checks says so, and claims no belief (NI-4)."""
    assert says(model([episode(1)]), "No checks have been recorded yet")


@pytest.mark.parametrize("predictions", [0, 1, 4])
def test_confidence_is_a_ranking_before_five_predictions(predictions: int) -> None:
    """Before five predicted checks confidence is called a ranking, and nothing calibrated (NI-3)."""
    found = model(untied(4), calibration=calibrate([(0.6, True)] * predictions))
    assert says(found, "Treat confidence as a ranking, not as a probability")
    assert not says(found, "Calibrated on")


def test_calibrated_from_five_predictions_on() -> None:
    """From five predicted checks on it says calibrated, and how far off predictions were (NI-3)."""
    found = model(untied(5), calibration=calibrate([(0.6, True)] * 5))
    assert says(found, "Calibrated on 5 predicted checks: predictions were off by 40 percentage points")
    assert not says(found, "ranking")
    assert says(found, "far off")
    good = model(untied(10), calibration=calibrate([(0.6, n < 6) for n in range(10)]))
    assert says(good, "off by 0 percentage points on average.")
    assert not says(good, "far off")


@pytest.mark.parametrize(
    "verified, words",
    [(True, "verified: no recorded"), (False, "did NOT verify"), (None, "has not been checked yet")],
)
def test_chain_is_said_first(verified: bool | None, words: str) -> None:
    """Whether the chain verifies comes first, and not checked is not told as verified (NI-4)."""
    found = model([episode(1)], chain_verified=verified)
    assert words in found.statements[0]
    assert found.chain_verified is verified


def stale(days_ago: int) -> Belief:
    """Make a belief last checked so long ago and decayed since."""
    row = belief(at=day(-days_ago))
    return decayed(row, night(0)) or row


def test_staleness_of_beliefs_is_told() -> None:
    """It tells how many beliefs wait for confirmation and how long ago the stalest was checked (NI-4)."""
    gone = replace(stale(900), superseded_by="b9")
    found = model(untied(1), beliefs=[stale(100), stale(10), gone])
    assert (found.current_beliefs, found.beliefs_to_confirm, found.oldest_belief_days) == (2, 1, 100)
    assert says(found, "1 of 2 beliefs went without a check for 45 days or more")
    assert says(found, "last checked 100 days ago")


def test_what_cannot_be_verified_is_told() -> None:
    """It tells what no source can confirm, what changed since, and what was not checked yet (NI-4)."""
    log = [episode(1), *(episode(n, Kind.ANSWER, evidence=CITING) for n in (2, 3))]
    checks = [CitationCheck("e2", 2, Verification.CHANGED, ("f1",), DAY)]
    found = model(log, citation_checks=checks)
    assert says(found, "1 of 3 memories cites no file")
    assert says(found, "1 memory cites a file that was replaced or deleted since")
    assert says(found, "1 memory that cites files has not been checked")


def test_empty_log_claims_nothing() -> None:
    """Without any episode the one statement is that nothing was recorded (BL-6)."""
    found = model([])
    assert found.statements == ("Nothing has been recorded with this student in this subject yet.",)
    assert (found.first_occurred_at, found.last_occurred_at, found.oldest_belief_days) == (None, None, None)


def test_statements_name_nobody() -> None:
    """The statements hold counts only: no name and no text of a student (SV-11)."""
    found = model([episode(1, summary="SECRET", at=T0), *untied(2)], beliefs=[stale(60)])
    words = " ".join(found.statements)
    assert not any(word in words for word in ("SECRET", PAIR.student, PAIR.tenant, "smosis"))
