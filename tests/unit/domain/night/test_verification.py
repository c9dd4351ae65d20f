"""Verification of citations by look-up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis.domain.files import FileRecord
from anamnesis.domain.log.episodes import Citation, Kind
from anamnesis.domain.night.records import CitationCheck, Verification
from anamnesis.domain.night.verification import choose_batch, label_of, turned_since, verify_citations
from support.night_values import DAY, NEW_BYTES, OLD_BYTES, course_file, episode

CITED = Citation("f1", 2, OLD_BYTES)

CASES: dict[str, tuple[list[FileRecord], str | None]] = {
    "unchanged": ([course_file("f1")], None),
    "deleted": ([course_file("f1", deleted=True)], "deleted"),
    "unknown": ([], "deleted"),
    "replaced": ([course_file("f1", replaced_by="f2"), course_file("f2", NEW_BYTES)], "replaced"),
    "replaced by identical bytes": ([course_file("f1", replaced_by="f2"), course_file("f2")], None),
    "other bytes under the same id": ([course_file("f1", NEW_BYTES)], "replaced"),
    "replaced, then restored": (
        [
            course_file("f1", replaced_by="f2"),
            course_file("f2", NEW_BYTES, replaced_by="f3"),
            course_file("f3"),
        ],
        None,
    ),
    "replaced, then deleted": (
        [course_file("f1", replaced_by="f2"), course_file("f2", deleted=True)],
        "deleted",
    ),
    "replacement not there yet": (
        [course_file("f1", replaced_by="f2"), course_file("f2", None)],
        "replaced",
    ),
    "replaced in a circle": (
        [course_file("f1", replaced_by="f2"), course_file("f2", replaced_by="f1")],
        "replaced",
    ),
    "deleted, the same bytes under another name": (
        [course_file("f1", deleted=True), course_file("f2")],
        None,
    ),
    "replaced, the same bytes under another name": (
        [course_file("f1", replaced_by="f2"), course_file("f2", NEW_BYTES), course_file("f3")],
        None,
    ),
    "deleted, and the same bytes elsewhere too": (
        [course_file("f1", deleted=True), course_file("f2", deleted=True)],
        "deleted",
    ),
    "deleted, the same bytes elsewhere replaced": (
        [
            course_file("f1", deleted=True),
            course_file("f2", replaced_by="f3"),
            course_file("f3", NEW_BYTES),
        ],
        "deleted",
    ),
    "replacement unknown": ([course_file("f1", replaced_by="f2")], "deleted"),
}


@pytest.mark.parametrize("case", CASES)
def test_label_says_which(case: str) -> None:
    """A cited file that was replaced or deleted is labelled with which, and identical bytes are no change (RC-8)."""
    files, label = CASES[case]
    assert label_of(CITED, {f.id: f for f in files}) == label


@pytest.mark.parametrize("case", CASES)
def test_answer_holds_exactly_when_nothing_changed(case: str) -> None:
    """An answer holds when its cited bytes stand, else it is changed, and the check names the file (VE-1)."""
    files, label = CASES[case]
    answer = episode(3, Kind.ANSWER, evidence=(CITED, Citation("f1", 9, OLD_BYTES)))
    result = verify_citations(answer, {f.id: f for f in files}, on=DAY)
    expected = (Verification.HOLDS, ()) if label is None else (Verification.CHANGED, ("f1",))
    assert (result.result, result.changed) == expected
    assert (result.episode_id, result.position, result.checked_on) == ("e3", 3, DAY)


@pytest.mark.parametrize("kind", [Kind.QUESTION, Kind.ANSWER, Kind.TAUGHT, Kind.CHECK])
def test_conversation_is_unverifiable(kind: Kind) -> None:
    """What cites no file is unverifiable, never "holds", even when the subject's files all stand (VE-1)."""
    said = episode(1, kind, correct=True if kind is Kind.CHECK else None)
    result = verify_citations(said, {"f1": course_file("f1")}, on=DAY)
    assert (result.result, result.changed) == (Verification.UNVERIFIABLE, ())


def test_one_changed_file_among_several_is_named() -> None:
    """An answer that cites several files names the changed ones only (VE-1)."""
    answer = episode(1, Kind.ANSWER, evidence=(CITED, Citation("f2", None, NEW_BYTES)))
    files = {"f1": course_file("f1"), "f2": course_file("f2", NEW_BYTES, deleted=True)}
    assert verify_citations(answer, files, on=DAY).changed == ("f2",)


def checked(position: int, days_ago: int) -> CitationCheck:
    """Make a result of some days ago."""
    on = DAY - timedelta(days=days_ago)
    return CitationCheck(f"e{position}", position, Verification.HOLDS, (), on)


def test_never_checked_first_then_the_oldest() -> None:
    """A night verifies what was never checked first, then what was checked longest ago (NI-1)."""
    previous = [checked(1, 2), checked(2, 9), checked(3, 5)]
    assert choose_batch([1, 2, 3, 4, 5], previous, 4, on=DAY) == [4, 5, 2, 3]


@given(
    st.sets(st.integers(1, 40)),
    st.integers(0, 12),
    st.integers(0, 12),
    st.dictionaries(st.integers(1, 40), st.integers(-2, 9)),
)
def test_night_crashed_half_way_checks_the_same(
    citing: set[int], limit: int, crash_after: int, history: dict[int, int]
) -> None:
    """A night that crashed after some checks and ran again has verified what one run would have (NI-2)."""
    before = {p: checked(p, ago) for p, ago in history.items() if ago != 0}
    whole = choose_batch(citing, before.values(), limit, on=DAY)
    partly = before | {p: checked(p, 0) for p in whole[:crash_after]}
    rest = choose_batch(citing, partly.values(), limit, on=DAY)
    assert whole[:crash_after] + rest == whole
    done = before | {p: checked(p, 0) for p in whole}
    assert choose_batch(citing, done.values(), limit, on=DAY) == []
    assert len(whole) <= limit
    assert not [p for p in whole if history.get(p, 1) < 0]


def test_what_turned_comes_right_after_what_was_never_checked() -> None:
    """A changed citation is found the next night though thousands were checked longer ago (VE-1, NI-1)."""
    previous = [
        CitationCheck(f"e{n}", n, Verification.HOLDS, (), DAY - timedelta(days=9)) for n in range(1, 900)
    ]
    previous[-1] = replace(previous[-1], checked_on=DAY - timedelta(days=1))
    found = [replace(check, checked_on=DAY) for check in previous]
    found[-1] = replace(found[-1], result=Verification.CHANGED, changed=("f1",))
    found.append(CitationCheck("e900", 900, Verification.HOLDS, (), DAY))
    turned = turned_since(previous, found)
    assert turned == {899}
    batch = choose_batch([check.position for check in found], previous, 3, turned=turned, on=DAY)
    assert batch == [900, 899, 1]
