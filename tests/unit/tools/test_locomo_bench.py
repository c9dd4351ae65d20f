"""The LoCoMo measurement, on a conversation in its format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anamnesis_tools.bench.recall.locomo import measure, measured
from support.wired_memory import HashEmbedder

CONVERSATION = {
    "speaker_a": "Ana",
    "speaker_b": "Ben",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "I bought a violin yesterday."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Great, music is fun!"},
    ],
    "session_2_date_time": "9:00 am on 1 July, 2023",
    "session_2": [
        {"speaker": "Ben", "dia_id": "D2:1", "text": "My cat is called Tom.", "blip_caption": "a cat"}
    ],
}


def questions(*evidence: list[str], category: int = 1) -> list[dict[str, object]]:
    return [{"question": "Who bought a violin?", "evidence": e, "category": category} for e in evidence]


@pytest.mark.parametrize(
    "asked,count,share",
    [
        (questions(["D1:1"]), 1, 1.0),
        (questions(["D1:1", "D2:1"]), 1, 0.5),
        (questions(["D1:1; D2:1"]), 1, 0.5),
        (questions(["D1:1"], ["D2:1"]), 2, 0.5),
        (questions(["D1:1"], ["D9:9"], ["D"], []), 1, 1.0),
    ],
)
def test_the_share_of_the_evidence_is_measured(
    tmp_path: Path, asked: list[dict[str, object]], count: int, share: float
) -> None:
    """Evidence found inside the budget counts, malformed ids are read as far as they name a turn (EV-4)."""
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([{"sample_id": "one", "conversation": CONVERSATION, "qa": asked}]))
    result = measured(file, HashEmbedder())
    assert result.questions == count
    assert result.recall[800] == pytest.approx(share)


def test_questions_without_an_answer_are_left_out(tmp_path: Path) -> None:
    """Category 5 has no evidence to find and is not measured (EV-4)."""
    file = tmp_path / "locomo.json"
    sample = {"sample_id": "one", "conversation": CONVERSATION, "qa": questions(["D1:1"], category=5)}
    file.write_text(json.dumps([sample]))
    assert measured(file, HashEmbedder()).questions == 0


def test_every_way_to_rank_answers_the_same_questions(tmp_path: Path) -> None:
    """Recall stands beside recency, BM25, dense and their fusion on the same questions in one run (EV-4)."""
    file = tmp_path / "locomo.json"
    sample = {"sample_id": "one", "conversation": CONVERSATION, "qa": questions(["D1:1"], ["D2:1"])}
    file.write_text(json.dumps([sample]))
    found = measure(file, HashEmbedder())
    assert list(found.rankers) == ["recency", "bm25", "dense", "bm25+dense", "handset", "fitted"]
    assert {one.questions for one in found.rankers.values()} == {2}
    assert found.rankers["recency"].reciprocal_rank == pytest.approx((1 / 3 + 1) / 2)
    assert found.rankers["bm25"].recall_at[5] == pytest.approx(1.0)
    with pytest.raises(KeyError):
        measure(file, HashEmbedder(), names=["luck"])
