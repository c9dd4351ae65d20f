"""The words that a writer frames evidence with pass the gates whatever language the evidence is in."""

from __future__ import annotations

import pytest

from anamnesis.domain.wiki.gates import findings
from anamnesis.domain.wiki.writing.tree import DeterministicWriter
from support.wiki_values import evidence, subject_evidence, turn


@pytest.mark.parametrize(
    "language, said",
    [
        ("zh", "我喜欢用颜色做笔记。"),
        ("ar", "أدرس دائما مع صديقتي ليلى في المكتبة."),
        ("de", "Ich bevorzuge Beispiele mit Musik."),
        ("es", "Prefiero estudiar con música por la mañana."),
        ("en", "I prefer to study with music in the morning."),
        ("en", "I prefer short answers."),
        ("en", "Please answer in Spanish."),
        ("en", "Please call me Ana."),
    ],
)
def test_a_preference_passes_in_any_language(language: str, said: str) -> None:
    """A page of preferences whose words are of another language than its frame is refused by no gate (WD-7, WD-2)."""
    told = evidence(
        subject_evidence([turn(1, said, subject="general", language=language)], subject="general")
    )
    tree = DeterministicWriter().write(told, {})
    assert said.rstrip(".。") in tree["knowledge/learnings/preferences.md"]
    assert findings(tree, {}, told, erased_texts=[]) == ()
