"""What the wiki adds: measured beside recall on a conversation in LoCoMo's format, and on facts that changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anamnesis_tools.bench.wiki import currency, use
from support.wired_memory import HashEmbedder

#: Four languages of the talks that the facts stand among.
FILLER = 92
CONVERSATION = {
    "speaker_a": "Ana",
    "speaker_b": "Ben",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "I bought a violin yesterday."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Great, music is fun!"},
    ],
    "session_2_date_time": "9:00 am on 1 July, 2023",
    "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "My cat is called Tom."}],
}


def _file(folder: Path, *questions: tuple[str, list[str]]) -> Path:
    asked = [{"question": text, "evidence": evidence, "category": 1} for text, evidence in questions]
    file = folder / "locomo.json"
    file.write_text(json.dumps([{"sample_id": "one", "conversation": CONVERSATION, "qa": asked}]))
    return file


def test_the_wiki_is_measured_on_the_same_questions_as_recall(tmp_path: Path) -> None:
    """With and without the wiki, its index prefilled or not, the same questions have the same tokens (EV-8)."""
    file = _file(tmp_path, ("Who bought a violin?", ["D1:1"]), ("Who keeps a xylophone?", ["D2:1"]))
    found = use.measure(file, HashEmbedder())
    assert found.questions == 2
    assert set(found.touched) == {"recall", "wiki", "wiki, index prefilled", "recall, then wiki"}
    for by_budget in found.touched.values():
        shares = list(by_budget.values())
        assert set(by_budget) == set(use.BUDGETS_TOKENS)
        assert shares == sorted(shares)
    # The explorer finds the violin by its word, and no word leads to the cat.
    assert found.touched["wiki"][4_000] == 0.5
    low, high = found.gain[1:]
    assert low <= found.gain[0] <= high


def test_which_of_two_facts_is_read_first_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a fact that changed, which one is read first is told for recall and for the wiki (EV-8, WD-5)."""
    # A part of the history that the facts stand among: a wiki is written of it for each case.
    filler = list(currency._filler())[:FILLER]
    monkeypatch.setattr(currency, "_filler", lambda: iter(filler))
    found = currency.measure(HashEmbedder())
    assert found["recall"].cases == found["wiki"].cases > 20
    for one in found.values():
        assert 0 <= one.newest_first <= 1
        assert 0 <= one.within <= 1
    assert found["wiki"].newest_first > found["recall"].newest_first
