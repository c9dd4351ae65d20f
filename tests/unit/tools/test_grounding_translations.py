"""Answers in another language than their page: what is traced is right, and most is not traced."""

from __future__ import annotations

from anamnesis_tools.bench.grounding.answers import measure_translations


def test_an_answer_in_another_language_is_never_traced_wrongly() -> None:
    """Of planted sentences in another language than the page none gets a source, and some true ones do (GR-1)."""
    found = measure_translations(None).found
    assert not [f.trial.text for f in found if f.traced and not f.trial.supported]
    supported = [f.traced for f in found if f.trial.supported]
    assert sum(supported) / len(supported) > 0.3
