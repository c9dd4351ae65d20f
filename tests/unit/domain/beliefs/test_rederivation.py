"""What a replay of all checks changes about the rows there are."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.beliefs import Belief, ChangeReason, Claim, ConfidenceChange
from anamnesis.domain.beliefs.rederivation import NOTHING, RETIRED, Erased, Rederivation, rederive, replay
from anamnesis.domain.beliefs.revision import CheckResult, revise
from anamnesis.domain.identifiers import Pair

PAIR = Pair("school", "ana", "biology")
NOW = datetime(2026, 7, 3, 9, tzinfo=UTC)
NAMES = {"osmosis": "Osmosis", "cytoplasm": "Cytoplasm"}


def checks(results: str, concept: str = "osmosis", *, first: int = 1) -> list[CheckResult]:
    """Results like ``+--+`` as daily checks ``e1``, ``e2`` …; a blank is a day whose check is gone."""
    return [
        CheckResult(
            f"e{n}", NOW + timedelta(days=n), concept, NAMES.get(concept, concept), r == "+", float(r == "+")
        )
        for n, r in enumerate(results, start=first)
        if r != " "
    ]


def stored(rows: list[Belief], plan: Rederivation) -> dict[str, Belief]:
    """The rows after a plan."""
    after = {row.id: row for row in (*rows, *plan.inserted, *plan.changed)}
    assert all(row.id in {r.id for r in rows} for row in plan.changed)
    return {row_id: row for row_id, row in after.items() if row_id not in plan.removed}


def derived(
    rows: list[Belief], wanted: list[CheckResult], erased: Erased = NOTHING
) -> tuple[list[Belief], Rederivation]:
    """Rows after re-deriving, oldest first, and the plan behind them."""
    plan = rederive(rows, replay(PAIR, wanted), names=NAMES, erased=erased)
    after = sorted(stored(rows, plan).values(), key=lambda row: (row.created_at, row.id))
    again = rederive(after, replay(PAIR, wanted), names=NAMES, erased=erased)
    assert again.empty
    return after, plan


def current(rows: list[Belief]) -> list[Belief]:
    return [row for row in rows if row.superseded_by is None]


def test_from_nothing_one_row_a_concept_is_made() -> None:
    """Checks without any rows give one current row for each concept, about the run since its last turn (BE-4)."""
    rows, plan = derived([], [*checks("--+++"), *checks("+", "cytoplasm", first=9)])
    assert (plan.retired, plan.made, plan.unchanged) == (0, 2, 0)
    assert [(r.concept, r.claim, r.evidence) for r in rows] == [
        ("osmosis", Claim.UNDERSTANDS, rows[0].evidence),
        ("cytoplasm", Claim.UNDERSTANDS, ("e9",)),
    ]
    assert rows[0].evidence[-1] == "e5"
    assert [c.episode_id for c in rows[0].history] == list(rows[0].evidence)


@given(
    results=st.text("+-", min_size=1, max_size=30),
    hours=st.lists(st.integers(-99, 99), min_size=30, max_size=30),
)
def test_all_at_once_is_the_same_as_one_by_one(results: str, hours: list[int]) -> None:
    """A replay makes to the last bit the row that the same checks have made one by one, in any order of time (BE-4)."""
    wanted = [
        replace(check, occurred_at=check.occurred_at + timedelta(hours=h))
        for check, h in zip(checks(results), hours, strict=False)
    ]
    row: Belief | None = None
    for check in wanted:
        revision = revise(row, check, new_id="", pair=PAIR)
        row = revision.inserted or revision.changed
    assert replay(PAIR, wanted) == {"osmosis": row}


def test_a_row_that_says_the_same_stays() -> None:
    """Decay, a name and an id make no difference: what checks determine is the same, so the row stays (BE-4, NI-1)."""
    (row,), _ = derived([], checks("+++"))
    decay = ConfidenceChange(NOW + timedelta(days=60), 0.2, ChangeReason.DECAY, None)
    weak = replace(
        row,
        id="belief-e1",
        confidence=0.2,
        needs_confirmation=True,
        history=(*row.history, decay),
        concept_name="osmosis (water)",
    )
    rows, plan = derived([weak], checks("+++"))
    assert (rows, plan.empty, plan.unchanged) == ([weak], True, 1)


def test_a_changed_row_is_superseded_and_kept() -> None:
    """A row that today's rules would not make stays as it was and points to the one that they make (BE-2, BE-4)."""
    (old,), _ = derived([], checks("+"))
    rows, plan = derived([old], checks("+-++"))
    assert (plan.retired, plan.made, plan.removed) == (1, 1, ())
    (new,) = current(rows)
    assert set(rows) == {replace(old, superseded_by=new.id), new}


def test_a_concept_without_checks_is_retired() -> None:
    """When no check is tied to a concept any more its row is retired by a marker that is no row's id (BE-4)."""
    (old,), _ = derived([], checks("+"))
    rows, plan = derived([old], [])
    assert rows == [replace(old, superseded_by=RETIRED)]
    assert (plan.retired, plan.made, plan.unchanged) == (1, 0, 0)


def test_a_claim_that_comes_back_is_a_new_row() -> None:
    """A belief that is retired and made again is another row each time, and no older one is touched again (BE-2)."""
    rows: list[Belief] = []
    for results in ("+", "", "+", "--", "+", "", "+"):
        before = {row.id: row for row in rows if row.superseded_by is not None}
        rows, _ = derived(rows, checks(results))
        assert {row_id: row for row in rows if (row_id := row.id) in before} == before
        assert len(current(rows)) == bool(results)
    assert len(rows) == len({row.id for row in rows}) == 5


def test_two_current_rows_become_one() -> None:
    """Of two current rows of one concept the one that is right stays and the other points to it (BE-4)."""
    (right,), _ = derived([], checks("+++"))
    wrong = replace(right, id="belief-a", evidence=("e1",), history=right.history[:1])
    rows, plan = derived([wrong, right], checks("+++"))
    assert current(rows) == [right]
    assert (plan.retired, plan.unchanged) == (1, 1)
    assert replace(wrong, superseded_by=right.id) in rows


def chain(*results: str) -> list[Belief]:
    """Rows of osmosis as appended checks leave them, each pointing to the next."""
    rows: list[Belief] = []
    for number in range(1, len(results) + 1):
        before = current(rows)
        rows, _ = derived(rows, checks("".join(results[:number])))
        assert len(rows) == number
        assert len(before) <= 1
    return rows


def test_rows_on_erased_episodes_go() -> None:
    """Rows that rest on an erased episode are deleted, and what had pointed to them points to the new row (EP-8)."""
    rows = chain("--", "+++", "-----")
    first, second, _ = (next(r for r in rows if e in r.evidence) for e in ("e1", "e4", "e9"))
    assert (first.superseded_by, len(rows)) == (second.id, 3)
    left, plan = derived(rows, checks("--++ -----"), Erased(frozenset({"e5"})))
    assert second.id in plan.removed
    assert not any("e5" in r.evidence or any(c.episode_id == "e5" for c in r.history) for r in left)
    (new,) = current(left)
    assert new.evidence[-1] == "e10"
    ids = {row.id for row in left}
    assert all(row.superseded_by is None or row.superseded_by in ids for row in left)


def test_a_chain_closes_over_a_row_that_goes() -> None:
    """A row whose successor is deleted points to the next one that stays, so that the history can be walked (BE-2)."""
    rows = chain("--", "+++", "-----")
    first, second, third = rows
    erased = Erased(frozenset(second.evidence) - frozenset(third.evidence))
    wanted = [c for c in checks("--+++-----") if c.episode_id not in erased.episodes]
    left, _ = derived(rows, wanted, erased)
    by_id = {row.id: row for row in left}
    assert second.id not in by_id
    assert by_id[first.id].superseded_by == third.id


def test_nothing_left_points_to_the_marker() -> None:
    """When all that came after a row is erased and nothing is derived, the row points to the marker (EP-8)."""
    rows = chain("--", "+++")
    left, plan = derived(rows, [], Erased(frozenset(rows[1].evidence)))
    assert [(r.id, r.superseded_by) for r in left] == [(rows[0].id, RETIRED)]
    assert plan.removed == (rows[1].id,)


def test_a_name_only_an_erased_teaching_gave_goes() -> None:
    """Rows about a concept that only an erased teaching named are deleted, though their checks are there (EP-8)."""
    rows, _ = derived([], checks("+"))
    own = [replace(rows[0], id="belief-own", concept="secret club", concept_name="Secret club")]
    erased = Erased(frozenset({"t1"}), {"secret club": "Secret club"})
    again = [*checks("+"), *checks("+", "secret club", first=20)]
    left, plan = derived([*rows, *own], again, erased)
    assert (left, plan.removed, plan.made) == (rows, ("belief-own",), 0)
    # Later on nothing tells any more that it was a name, and still it makes no row.
    left, plan = derived(left, again)
    assert (left, plan.empty) == (rows, True)


def test_a_spelling_only_an_erased_teaching_gave_goes() -> None:
    """A row that stays loses the spelling that an erased teaching gave its concept (EP-8)."""
    (row,), _ = derived([], checks("+"))
    spelled = replace(row, concept_name="OSMOSIS as Ana says")
    left, plan = derived([spelled], checks("+"), Erased(frozenset({"t1"}), {"osmosis": spelled.concept_name}))
    assert left == [row]
    assert plan.unchanged == 1


def test_a_concept_whose_file_went_is_kept_with_its_rows() -> None:
    """A concept that nothing names today is replayed as long as a row about it stays (CM-8)."""
    rows, _ = derived([], checks("++"))
    gone = [replace(row, concept="atom", concept_name="Atom") for row in rows]
    left, plan = derived(gone, checks("+++", "atom"))
    assert [row.evidence for row in current(left)] == [("e1", "e2", "e3")]
    assert plan.retired == 1


@pytest.mark.parametrize("pointer", ["belief-nowhere", "belief-b"])
def test_pointers_that_lead_nowhere_end(pointer: str) -> None:
    """Rows pointing in a circle or at nothing, which no code of ours makes, do not keep it from ending (SV-14)."""
    (row,), _ = derived([], checks("+"))
    odd = [
        replace(row, id="belief-a", superseded_by=pointer),
        replace(row, id="belief-b", superseded_by="belief-a", evidence=("x",)),
    ]
    left, _ = derived([row, *odd], checks("+"), Erased(frozenset({"x"})))
    assert current(left) == [row]
