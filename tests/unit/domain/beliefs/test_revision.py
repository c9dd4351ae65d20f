"""Beliefs: how checks make and change them, and which concept a check is about."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim
from anamnesis.domain.beliefs.decay import decayed
from anamnesis.domain.beliefs.knowledge_tracing import update
from anamnesis.domain.beliefs.revision import CheckResult, mastery_of, revise, tie_to_concept
from anamnesis.domain.identifiers import Pair
from support.night_values import PAIR, T0, belief, check, day, replay

CHECKS = st.lists(st.tuples(st.booleans(), st.floats(-300, 300)), min_size=1, max_size=15).map(
    lambda steps: [check(n, correct=c, at=day(d)) for n, (c, d) in enumerate(steps)]
)


def test_first_check_makes_a_belief_with_its_evidence() -> None:
    """The first check of a concept inserts one dated row with a claim, a confidence and the check behind it (BE-1)."""
    missed = check(1, correct=False, at=T0)
    revision = revise(None, missed, new_id="b1", pair=PAIR)
    row = revision.inserted
    assert revision.changed is None
    assert row is not None
    assert (row.sentence, row.evidence, row.created_at) == ("struggles with Osmosis", ("c1",), T0)
    assert row.confidence == row.history[-1].confidence > 0.5


def test_same_claim_strengthens_the_row() -> None:
    """A check that bears a claim out adds a dated confidence and evidence to the same row (BE-1)."""
    [row] = replay([check(1, correct=True, at=T0), check(2, correct=True, at=day(0.01))])
    assert row.evidence == ("c1", "c2")
    assert [(c.episode_id, c.reason) for c in row.history] == [
        ("c1", ChangeReason.CHECK),
        ("c2", ChangeReason.CHECK),
    ]
    assert row.history[0].confidence < row.history[1].confidence == row.confidence


def test_change_of_mind_inserts_and_points() -> None:
    """A changed claim leaves the old row as it was but for the pointer to the new one (BE-2)."""
    old = belief(correct=True)
    revision = revise(old, check(2, correct=False, at=day(5)), new_id="b2", pair=PAIR)
    assert revision.inserted is not None
    assert revision.inserted.claim is Claim.STRUGGLES_WITH
    assert revision.inserted.created_at == day(5)
    assert revision.changed == replace(old, superseded_by="b2")


def test_check_confirms_a_decayed_belief() -> None:
    """The next check takes the mark off a decayed belief, and decay was no evidence to the model (NI-1, BE-5)."""
    faded = decayed(belief(), day(100).date())
    assert faded is not None
    assert faded.needs_confirmation
    passed = check(2, correct=True, at=day(100))
    confirmed = revise(faded, passed, new_id="b2", pair=PAIR).changed
    assert confirmed is not None
    assert not confirmed.needs_confirmation
    unfaded = revise(belief(), passed, new_id="b2", pair=PAIR).changed
    assert unfaded is not None
    assert confirmed.confidence == unfaded.confidence


@given(CHECKS)
def test_mastery_is_recovered_from_the_belief(checks: list[CheckResult]) -> None:
    """The belief alone gives back the state of the model, whatever the order and dates of the checks (BE-5)."""
    state, current = None, None
    for result in checks:
        state = update(state, correct=result.correct, score=result.score, at=result.occurred_at)
        revision = revise(current, result, new_id=f"b{result.episode_id}", pair=PAIR)
        current = revision.inserted or revision.changed
        assert current is not None
        assert mastery_of(current).known == pytest.approx(state.known, abs=1e-9)
        assert mastery_of(current).at == state.at


@given(CHECKS)
def test_history_can_be_walked(checks: list[CheckResult]) -> None:
    """One row is current, every other points to the next, claims alternate, and no evidence is lost (BE-2)."""
    rows = replay(checks)
    assert [row.superseded_by for row in rows] == [*(row.id for row in rows[1:]), None]
    assert all(one.claim is not other.claim for one, other in pairwise(rows))
    assert [e for row in rows for e in row.evidence] == [c.episode_id for c in checks]
    assert all(0.5 <= change.confidence <= 1.0 for row in rows for change in row.history)


def test_same_check_twice_changes_nothing() -> None:
    """A check that is among a belief's evidence is not counted again (BE-2)."""
    row = belief()
    again = revise(row, check(1, correct=True, at=T0), new_id="b9", pair=PAIR)
    assert (again.inserted, again.changed) == (None, None)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(belief(), superseded_by="b9"),
        replace(belief(), concept="diffusion"),
        replace(belief(), pair=Pair("school", "ben", "biology")),
    ],
)
def test_only_the_current_belief_is_revised(wrong: Belief) -> None:
    """A superseded row, or one of another concept or student, is never revised (BE-2)."""
    with pytest.raises(ValueError, match="current belief"):
        revise(wrong, check(2, correct=True, at=T0), new_id="b2", pair=PAIR)


NAMES = {
    "osmosis": "osmosis",
    "diffusion": "diffusion",
    "cell membrane": "cell-membrane",
    "ósmosis": "osmosis",
    "渗透作用": "osmosis",
    "التناضح": "osmosis",
}


def tie(topic: str | None, evaluation: str | None = None, *, said: bool = False) -> str | None:
    """Tie a topic among a few concepts."""
    return tie_to_concept(
        topic,
        evaluation,
        exact=lambda text: NAMES.get(text.strip().casefold()),
        named_in=lambda text: tuple(key for name, key in NAMES.items() if name in text.casefold()),
        reads_like_utterance=lambda _: said,
    )


@pytest.mark.parametrize(
    "topic, evaluation, concept",
    [
        ("Osmosis", None, "osmosis"),
        ("Osmosis", "Mixed it up with diffusion.", "osmosis"),
        ("  渗透作用 ", None, "osmosis"),
        ("Unit 3: osmosis", None, "osmosis"),
        ("Biología – ósmosis", None, "osmosis"),
        ("生物：渗透作用", None, "osmosis"),
        ("التناضح (الخلية)", None, "osmosis"),
        ("osmosis in plant cells", None, "osmosis"),
        ("osmosis in plant cells", "Confuses it with diffusion.", "osmosis"),
        ("osmosis / diffusion", "Knows osmosis.", "osmosis"),
        ("osmosis and diffusion", "Diffusion is not clear yet.", "diffusion"),
        ("osmosis and diffusion", None, None),
        ("osmosis and diffusion", "Knows osmosis and diffusion.", None),
        ("osmosis and diffusion", "The cell membrane is clear.", None),
        ("How water gets through the cell membrane into a root.", "Understands osmosis.", "osmosis"),
        ("How water gets through the cell membrane into a root.", "Right.", None),
        ("How does osmosis differ from what a pump does?", "Osmosis, not diffusion, is clear.", "osmosis"),
        ("water movement", "Understands osmosis.", None),
        ("water movement", "Understands osmosis and diffusion.", None),
        ("water movement", None, None),
        (None, "Understands osmosis.", "osmosis"),
        ("", "", None),
        ("   ", None, None),
    ],
)
def test_topic_is_tied_by_exact_name_only(
    topic: str | None, evaluation: str | None, concept: str | None
) -> None:
    """A check is tied by its topic's name, else by the one concept the evaluation names, else to nothing (BE-3)."""
    assert tie(topic, evaluation) == concept


@pytest.mark.parametrize(
    "topic", ["just ask me the questions", "can you ask me about osmosis", "ok, osmosis, go on"]
)
def test_utterance_alone_never_ties(topic: str) -> None:
    """What reads like an utterance ties by the tutor's evaluation or not at all, whatever it mentions (BE-3)."""
    assert tie(topic, None, said=True) is None
    assert tie(topic, "Good work, keep going.", said=True) is None
    assert tie(topic, "Understands osmosis.", said=True) == "osmosis"


@given(st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_nothing_named_is_nothing_tied(topic: str, evaluation: str, said: bool) -> None:
    """No text that holds no concept's name is ever tied to a concept (BE-3)."""
    tied = tie_to_concept(
        topic, evaluation, exact=lambda _: None, named_in=lambda _: (), reads_like_utterance=lambda _: said
    )
    assert tied is None


def test_endless_topic_is_a_sentence() -> None:
    """A topic of a million characters is looked up once and never taken apart (BE-3)."""
    looked_up: list[str] = []
    tied = tie_to_concept(
        "osmosis, " * 110_000,
        "Understands osmosis.",
        exact=looked_up.append,
        named_in=lambda text: ("osmosis",) if "osmosis" in text else (),
        reads_like_utterance=lambda _: False,
    )
    assert (tied, len(looked_up)) == ("osmosis", 1)
