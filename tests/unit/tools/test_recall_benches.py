"""The measurements that hold the fitted ranking to other data, on small material."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anamnesis_tools.bench.recall import fit_recall, named_speakers, talks
from support.wired_memory import HashEmbedder


def test_every_language_of_the_talks_is_asked_in() -> None:
    """Eleven languages in their own scripts are measured by every way to rank on the same questions (RC-1)."""
    found = talks.measure(HashEmbedder(), ["recency", "handset", "fitted"])
    assert list(found) == ["recency", "handset", "fitted"]
    for by in found.values():
        assert list(by) == ["en", "es", "fr", "de", "ru", "zh", "ja", "ar", "hi", "id", "tr", "all"]
        assert all(0 <= one.first <= one.in_three <= 1 for one in by.values())
    assert found["fitted"]["all"].reciprocal_rank > 2 * found["recency"]["all"].reciprocal_rank


def test_questions_name_their_speakers_in_every_form() -> None:
    """Ten languages' questions are asked without a name, behind one and before one, of every way to rank (RC-1)."""
    found = named_speakers.measure(HashEmbedder(), ["recency", "fitted"])
    assert list(found) == ["recency", "fitted"]
    assert found["fitted"].behind > found["fitted"].unnamed > 2 * found["recency"].unnamed > 0


def test_weights_are_fitted_to_what_tells_evidence(tmp_path: Path) -> None:
    """The fit weighs a signal that tells the evidence, and ranks each conversation by the others' weights (RC-2)."""
    samples = []
    for name, things in (("one", ["violin", "canoe", "ladder"]), ("two", ["kettle", "saddle", "parrot"])):
        turns = [
            {"speaker": ("Ana", "Ben")[i % 2], "dia_id": f"D1:{i + 1}", "text": f"A {thing} is what I have."}
            for i, thing in enumerate(things)
        ]
        asked = [
            {"question": f"Who has a {thing}?", "evidence": [f"D1:{i + 1}"], "category": 4}
            for i, thing in enumerate(things)
        ]
        talk = {"speaker_a": "Ana", "speaker_b": "Ben", "session_1": turns}
        talk["session_1_date_time"] = "1:56 pm on 8 May, 2023"
        samples.append({"sample_id": name, "conversation": talk, "qa": asked})
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps(samples))
    fit = fit_recall.measure(file, HashEmbedder())
    assert fit.weights["fused"] == pytest.approx(1.0)
    assert fit.left_out == {"one": 1.0, "two": 1.0}
    assert fit.rounded == pytest.approx(1.0)
