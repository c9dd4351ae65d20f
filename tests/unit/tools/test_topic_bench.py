"""The labelled topics and teachings, and what they measure."""

from __future__ import annotations

from anamnesis_tools.bench.beliefs import teachings, topics


def test_no_labelled_utterance_becomes_a_belief() -> None:
    """Of 300 topics in 20 languages no utterance is tied, none wrongly, and nearly all names are found (BE-3)."""
    cases = list(topics.tied_cases())
    assert len(cases) >= 300
    assert [case for case in cases if case.kind == "utterance" and case.found] == []
    assert [case for case in cases if case.found and case.found != case.expected] == []
    assert sum(case.found == case.expected for case in cases) >= 0.98 * len(cases)


def test_labelled_teachings_teach_and_nothing_else_does() -> None:
    """Of over 200 messages in 20 languages only teachings teach, and nine in ten of them do (TE-1, TE-3)."""
    cases = list(teachings.read_cases())
    assert len(cases) >= 200
    assert [case for case in cases if case.taught and not case.teaches] == []
    assert sum(case.taught for case in cases) >= 0.9 * sum(case.teaches for case in cases)
